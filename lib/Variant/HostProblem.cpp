//===- HostProblem.cpp - A workload's problem on the CPU ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/HostProblem.h"
#include "gpuprune/Runtime/Fill.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Variant/ProtocolBuffers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Threading.h"
#include <sys/resource.h>
#include <unistd.h>

using namespace llvm;

namespace gpuprune {

/// Of the buffers of one problem: each core may hold them, and what they are compared with has copies, too.
static uint64_t mostBytes() {
  uint64_t Memory = uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGE_SIZE));
  if (rlimit Space; getrlimit(RLIMIT_AS, &Space) == 0)
    Memory = std::min<uint64_t>(Memory, Space.rlim_cur);
  return Memory / (2 * (hardware_concurrency().compute_thread_count() + 4));
}

static Error checkMemory(const ResolvedProblem &Shape) {
  uint64_t Bytes = 0, Most = mostBytes();
  for (const ResolvedBuffer &B : Shape.Buffers)
    Bytes = SaturatingAdd(Bytes, B.Bytes);
  if (Bytes <= Most)
    return Error::success();
  return makeError(
      ErrorKind::Resources,
      formatv("the buffers have {0} MiB, and {1} MiB are what this machine's memory allows for a check on "
              "the CPU; take a smaller size to check",
              Bytes >> 20, Most >> 20));
}

/// Pointers in them are those of the device.
static Error checkNoAddresses(const ResolvedProblem &Shape) {
  for (const ResolvedBuffer &B : Shape.Buffers)
    if (B.Address)
      return makeError(ErrorKind::Resources,
                       formatv("the buffer '{0}' lies at the address {1:x} of the GPU, where pointers in "
                               "structures or in memory point; the CPU has other addresses",
                               B.Name, *B.Address));
  return Error::success();
}

Expected<HostProblem> HostProblem::create(ResolvedProblem Shape) {
  if (Error E = checkNoAddresses(Shape))
    return std::move(E);
  if (Error E = checkMemory(Shape))
    return std::move(E);
  HostProblem Problem;
  Problem.Shape = std::move(Shape);
  for (const protocol::Buffer &B : protocolBuffers(Problem.Shape)) {
    std::vector<uint8_t> &Bytes = Problem.Contents[0].emplace_back();
    if (B.Role == BufferRole::Out)
      continue;
    Bytes.resize(B.bytes());
    if (Error E = fillBuffer(B.Type, B.Contents, Bytes))
      return std::move(E);
  }
  return Problem;
}

void HostProblem::takeOver(size_t Index, std::vector<uint8_t> First, std::vector<uint8_t> Second) {
  if (Contents[1].empty())
    Contents[1] = Contents[0];
  if (Shape.Buffers[Index].Role == BufferRole::Out)
    BeganEmpty.insert(Index);
  Shape.Buffers[Index].Role = BufferRole::InOut;
  Contents[0][Index] = std::move(First);
  Contents[1][Index] = std::move(Second);
}

std::vector<uint8_t> HostProblem::writtenBytes(size_t Index) const {
  if (!BeganEmpty.contains(Index))
    return {};
  // What is written is the same both times, or depends on what is not; one of the patterns it may have.
  std::vector<uint8_t> Written(Contents[0][Index].size(), 0);
  for (auto [Byte, First, Second] : zip_equal(Written, Contents[0][Index], Contents[1][Index]))
    Byte = First == FillPatterns[0] && Second == FillPatterns[1];
  clearPadding(Shape.Buffers[Index].Type, Written);
  for (uint8_t &Byte : Written)
    Byte = !Byte;
  return Written;
}

void HostProblem::changeInputs(function_ref<void(const ResolvedBuffer &, MutableArrayRef<uint8_t>)> Elements,
                               function_ref<uint64_t(ElementType, uint64_t)> Scalar) {
  for (std::vector<std::vector<uint8_t>> &OfPattern : Contents)
    if (!OfPattern.empty())
      for (auto [Buffer, Bytes] : zip_equal(Shape.Buffers, OfPattern))
        Elements(Buffer, Bytes);
  for (ResolvedArgument &Argument : Shape.tuned().Arguments)
    if (Argument.Structure)
      for (auto [Field, Bits] : zip_equal(Argument.Structure->Layout.fields(), Argument.Structure->Bits))
        Bits = Scalar(Field.Type, Bits);
    else if (!Argument.Buffer)
      Argument.Bits = Scalar(Argument.Type, Argument.Bits);
}

static Expected<const GuardedBuffer *> fillVariable(const HostProgram &Program, const ResolvedBuffer &Shape,
                                                    ArrayRef<uint8_t> Contents) {
  const GuardedBuffer *Variable = Program.variable(Shape.Symbol);
  if (!Variable)
    return nullptr;
  if (Contents.size() > Variable->Bytes)
    return makeError(ErrorKind::Input, formatv("buffer {0} has {1} bytes, but the variable '{2}' only {3}",
                                               Shape.Name, Contents.size(), Shape.Symbol, Variable->Bytes));
  llvm::copy(Contents, Variable->Data);
  return Variable;
}

Expected<HostBuffers> HostBuffers::create(const HostProblem &Problem, HostProgram &Program, uint8_t Pattern,
                                          GuardSide Side) {
  HostBuffers Made;
  Program.resetVariables();
  for (const auto &[Shape, Contents] : zip_equal(Problem.buffers(), Problem.contents(Pattern))) {
    if (!Shape.Symbol.empty()) {
      Expected<const GuardedBuffer *> Variable = fillVariable(Program, Shape, Contents);
      if (!Variable)
        return Variable.takeError();
      Made.Buffers.push_back(*Variable);
      continue;
    }
    Expected<GuardedBuffer &> Buffer = Made.Memory.allocate(Shape.Name, Shape.Bytes, Pattern, Side);
    if (!Buffer)
      return Buffer.takeError();
    llvm::copy(Contents, Buffer->Data);
    Made.Buffers.push_back(&*Buffer);
  }
  return Made;
}

HostLaunch hostLaunch(const ResolvedLaunch &Author, const PhysicalLaunch &Launched,
                      function_ref<const void *(unsigned)> AddressOf) {
  HostLaunch Launch;
  static_cast<PhysicalLaunch &>(Launch) = Launched;
  for (const ResolvedArgument &Argument : Author.Arguments) {
    if (Argument.Buffer) {
      const auto *Begin = static_cast<const char *>(AddressOf(*Argument.Buffer));
      Launch.argument(static_cast<const void *>(Begin ? Begin + Argument.Offset : nullptr));
      continue;
    }
    std::vector<uint8_t> Bytes = Argument.bytes(); // Little-endian, as the device.
    Launch.Arguments.emplace_back(Bytes.begin(), Bytes.end());
  }
  for (const HiddenArgument &Hidden : Launched.Hidden)
    Launch.argument(Hidden.Value);
  return Launch;
}

HostLaunch HostBuffers::launch(const ResolvedLaunch &Author, const PhysicalLaunch &Shape) const {
  HostLaunch Launch = hostLaunch(Author, Shape, [this](unsigned Index) { return Buffers[Index]->Data; });
  Launch.Kernel = Author.Kernel;
  Launch.Memory = &Memory;
  return Launch;
}

std::vector<const GuardedBuffer *> HostBuffers::outputs(const HostProblem &Problem) const {
  std::vector<const GuardedBuffer *> Outputs;
  for (const auto &[Shape, Buffer] : zip_equal(Problem.buffers(), Buffers))
    if (Shape.Role == BufferRole::Out)
      Outputs.push_back(Buffer);
  return Outputs;
}

void HostBuffers::markUnwritten(size_t Index, ArrayRef<uint8_t> Written) {
  Memory.markUnwritten(*Buffers[Index], Written);
}

ArrayRef<uint8_t> HostBuffers::written(size_t Index) const {
  const GuardedBuffer &Buffer = *Buffers[Index];
  return ArrayRef(Memory.watchedAt(Buffer.Data).Written, Buffer.Bytes);
}

std::optional<ArrayRef<uint8_t>> HostBuffers::bytes(size_t Index) const {
  const GuardedBuffer *Buffer = Buffers[Index];
  if (!Buffer)
    return std::nullopt;
  return ArrayRef(reinterpret_cast<const uint8_t *>(Buffer->Data), Buffer->Bytes);
}

} // namespace gpuprune
