//===- CountingProblem.cpp - A launch whose blocks are to be counted ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CountingProblem.h"
#include "gpuprune/Runtime/Fill.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Variant/HostProblem.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

CountingProblem::CountingProblem(ResolvedProblem Shape)
    : Shape(std::move(Shape)), Buffers(protocolBuffers(this->Shape)) {}

/// Where the data are not needed, buffers are nowhere, but apart: a kernel may ask whether they overlap.
HostLaunch CountingProblem::launch(const PhysicalLaunch &Launched) const {
  static constexpr uint64_t Apart = uint64_t(1) << 40;
  return hostLaunch(shape(), Launched, [](unsigned Buffer) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): nothing is read there.
    return reinterpret_cast<const void *>((uint64_t(Buffer) + 1) * Apart);
  });
}

/// What is said of one argument has to hold whatever is done through another.
Error CountingProblem::checkArguments() const {
  if (Shape.hasAddresses())
    return makeError(ErrorKind::Refused, "the kernel may read pointers, which are those of the GPU");
  SmallVector<unsigned, 8> Seen;
  for (const ResolvedArgument &Argument : shape().Arguments) {
    if (!Argument.Buffer)
      continue;
    if (is_contained(Seen, *Argument.Buffer))
      return makeError(ErrorKind::Refused, formatv("the buffer '{0}' is given to the kernel twice",
                                                   Buffers[*Argument.Buffer].Name));
    Seen.push_back(*Argument.Buffer);
  }
  return Error::success();
}

Error CountingProblem::fillVariable(const HostProgram &Program, const protocol::Buffer &B) const {
  const GuardedBuffer *Variable = Program.variable(B.Symbol);
  if (!Variable)
    return Error::success();
  if (B.bytes() > Variable->Bytes)
    return makeError(ErrorKind::Input, formatv("buffer {0} has {1} bytes, but the variable '{2}' only {3}",
                                               B.Name, B.bytes(), B.Symbol, Variable->Bytes));
  return fillBuffer(B.Type, B.Contents, {reinterpret_cast<uint8_t *>(Variable->Data), size_t(B.bytes())});
}

Error CountingProblem::provide(HostProgram &Program, HostLaunch &Launch, GuardedMemory &Memory) const {
  if (Error E = checkArguments())
    return E;
  Program.resetVariables();
  std::vector<const GuardedBuffer *> Made(Buffers.size());
  for (auto [Index, B] : enumerate(Buffers)) {
    if (Error E = validateFill(B.Type, B.Contents))
      return E;
    if (!B.Symbol.empty()) {
      if (Error E = fillVariable(Program, B))
        return E;
      continue;
    }
    Expected<GuardedBuffer &> Buffer = Memory.allocateLazily(B.Name, B.bytes(), fillOf(B));
    if (!Buffer)
      return Buffer.takeError();
    Made[Index] = &*Buffer;
  }
  for (auto [Argument, Bytes] : zip_first(shape().Arguments, Launch.Arguments))
    if (Argument.Buffer) {
      const char *Address = Made[*Argument.Buffer]->Data + Argument.Offset;
      std::memcpy(Bytes.data(), static_cast<const void *>(&Address), sizeof(Address));
    }
  Launch.Memory = &Memory;
  return Error::success();
}

TraceMemory::Fill CountingProblem::fillOf(const protocol::Buffer &B) const {
  return [&B](uint64_t Offset, MutableArrayRef<char> Bytes) {
    // The bytes that a whole element does not need are past the buffer's end.
    fillPart(B.Type, B.Contents, Offset, {reinterpret_cast<uint8_t *>(Bytes.data()), Bytes.size()});
  };
}

Expected<TracedLaunch> CountingProblem::trace(const PhysicalLaunch &Launched, TraceMemory &Memory) const {
  if (Error E = checkArguments())
    return std::move(E);
  TracedLaunch Launch;
  Launch.Grid = Launched.Grid;
  Launch.Block = Launched.Block;
  Launch.SharedBytes = Launched.SharedBytes;
  std::vector<uint64_t> Addresses;
  for (const protocol::Buffer &B : Buffers) {
    if (Error E = validateFill(B.Type, B.Contents))
      return std::move(E);
    Addresses.push_back(B.Symbol.empty() ? Memory.add(B.bytes(), fillOf(B)) : 0);
    if (!B.Symbol.empty())
      Launch.Variables[B.Symbol] = fillOf(B);
  }
  Launch.Parameters = hostLaunch(shape(), Launched, [&](unsigned Index) {
                        // NOLINTNEXTLINE(performance-no-int-to-ptr): no address of ours.
                        return reinterpret_cast<const void *>(Addresses[Index]);
                      }).Arguments;
  for (const ConstantCopy &Copy : Launched.ConstantCopies)
    if (const ResolvedArgument &From = shape().Arguments[Copy.Argument]; From.Buffer && From.Offset == 0)
      Launch.Variables[Copy.Symbol] = fillOf(Buffers[*From.Buffer]);
    else
      return makeError(ErrorKind::Refused,
                       "a part of a buffer that is copied to constant memory is not traced");
  return Launch;
}

BlockCounter blockCounter(ResolvedProblem Problem, std::string Defines, CountCache &Cache,
                          uint64_t Instructions) {
  auto Shared = std::make_shared<const CountingProblem>(std::move(Problem));
  return [Shared, Defines = std::move(Defines), &Cache,
          Instructions](const Function &Kernel, const LaunchContext &Launch) -> Expected<BlockFrequencies> {
    GuardedMemory Memory;
    CountingRequest Request;
    Request.Launch = Shared->launch({*Launch.Grid, *Launch.Block, Launch.SharedBytes, Launch.Hidden});
    Request.ProvideData = [&](HostProgram &Program, HostLaunch &Over) {
      Memory = GuardedMemory();
      return Shared->provide(Program, Over, Memory);
    };
    Request.Instructions = Instructions;
    Request.Cache = &Cache;
    Request.DataKey = Defines;
    return countBlocks(Kernel, Request);
  };
}

} // namespace gpuprune
