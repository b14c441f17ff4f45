//===- KernelTrace.cpp - A kernel's accesses to memory, from its PTX --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Trace/KernelTrace.h"
#include "ProgramBuilder.h"
#include "WarpRunner.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

struct KernelTrace::Implementation {
  TracedLaunch Launch;
  const FlowGraph *Flow = nullptr;
  WarpProgram Program;
  std::unique_ptr<BlockRunner> Runner;
  std::vector<std::optional<unsigned>> Sites;
  std::vector<unsigned> Accesses; ///< By block.
};

KernelTrace::KernelTrace(std::unique_ptr<Implementation> Made)
    : Impl(std::move(Made)), Sites(std::move(Impl->Sites)) {}
KernelTrace::KernelTrace(KernelTrace &&) = default;
KernelTrace::~KernelTrace() = default;

/// \p Contents, and zeros behind them.
static TraceMemory::Fill fillOf(std::vector<char> Contents) {
  if (Contents.empty())
    return nullptr;
  return [Contents = std::move(Contents)](uint64_t Offset, MutableArrayRef<char> Bytes) {
    if (Offset < Contents.size())
      std::memcpy(Bytes.data(), Contents.data() + Offset,
                  std::min<size_t>(Bytes.size(), Contents.size() - Offset));
  };
}

/// Gives each variable a place; those of shared and local memory one behind the other.
static Expected<VariableAddresses> placeVariables(const PtxKernel &Kernel, const TracedLaunch &Launch,
                                                  TraceMemory &Memory, WarpProgram &Program) {
  VariableAddresses Addresses;
  for (const PtxVariable &V : Kernel.Variables) {
    if (V.Space == PtxSpace::Shared || V.Space == PtxSpace::Local) {
      if (V.Bytes == 0)
        continue;
      uint64_t &End = V.Space == PtxSpace::Shared ? Program.SharedBytes : Program.LocalBytes;
      End = alignTo(End, std::max<uint64_t>(1, V.Alignment));
      Addresses[V.Name] = End;
      End += V.Bytes;
      continue;
    }
    auto Given = Launch.Variables.find(V.Name);
    if (Given == Launch.Variables.end() && !V.IsInitialKnown)
      return makeError(ErrorKind::Refused, "what the variable '" + V.Name + "' begins with is not known");
    Addresses[V.Name] =
        Memory.add(V.Bytes, Given == Launch.Variables.end() ? fillOf(V.Initial) : Given->second);
  }
  // A structure that is a parameter can be indexed.
  for (const auto &Parameter : Kernel.Parameters) {
    if (Parameter.second >= Launch.Parameters.size())
      return makeError(ErrorKind::Refused, "the kernel has more parameters than the launch");
    const std::vector<char> &Bytes = Launch.Parameters[Parameter.second];
    Addresses[Parameter.first()] = Memory.add(Bytes.size(), fillOf(Bytes));
  }
  // Dynamic arrays share what follows the others.
  Program.SharedBytes = alignTo(Program.SharedBytes, 16);
  for (const PtxVariable &V : Kernel.Variables)
    if (V.Space == PtxSpace::Shared && V.Bytes == 0)
      Addresses[V.Name] = Program.SharedBytes;
  Program.SharedBytes += Launch.SharedBytes;
  return Addresses;
}

Expected<KernelTrace> KernelTrace::create(StringRef Ptx, StringRef Symbol, const FlowGraph &Flow,
                                          TracedLaunch Launch, TraceMemory &Memory) {
  auto Impl = std::make_unique<Implementation>();
  Impl->Launch = std::move(Launch);
  Impl->Flow = &Flow;
  Expected<std::unique_ptr<PtxKernel>> Kernel = readPtxKernel(Ptx, Symbol);
  if (!Kernel)
    return Kernel.takeError();
  auto BufferOf = [&](StringRef Parameter) -> std::optional<uint64_t> {
    auto Position = (*Kernel)->Parameters.find(Parameter);
    if (Position == (*Kernel)->Parameters.end() || Position->second >= Impl->Launch.Parameters.size())
      return std::nullopt;
    ArrayRef<char> Bytes = Impl->Launch.Parameters[Position->second];
    uint64_t Address = 0;
    if (Bytes.size() != sizeof(Address))
      return std::nullopt;
    std::memcpy(&Address, Bytes.data(), sizeof(Address));
    std::optional<TraceMemory::Extent> In = Memory.find(Address);
    return In ? std::optional(In->Begin) : std::nullopt;
  };
  Expected<NeededParts> Parts = neededParts(**Kernel, BufferOf);
  if (!Parts)
    return Parts.takeError();
  WarpProgram Sizes;
  Expected<VariableAddresses> Variables = placeVariables(**Kernel, Impl->Launch, Memory, Sizes);
  if (!Variables)
    return Variables.takeError();
  Expected<WarpProgram> Program = buildProgram(**Kernel, *Parts, Flow, Impl->Launch, *Variables, Impl->Sites);
  if (!Program)
    return Program.takeError();
  Impl->Program = std::move(*Program);
  Impl->Program.SharedBytes = Sizes.SharedBytes;
  Impl->Program.LocalBytes = Sizes.LocalBytes;
  for (const TraceBlock &Block : Impl->Program.Blocks)
    Impl->Accesses.push_back(
        unsigned(count_if(ArrayRef(Impl->Program.Steps).slice(Block.Begin, Block.End - Block.Begin),
                          [](const TraceStep &Step) { return Step.Is == TraceStep::Form::Access; })));
  Impl->Runner = std::make_unique<BlockRunner>(Impl->Program, Impl->Launch, Memory);
  return KernelTrace(std::move(Impl));
}

Expected<TracedBlock> KernelTrace::run(uint64_t Block, const TraceLimits &Limits, const TraceSink &Sink) {
  return Impl->Runner->run(Block, Limits, Sink);
}

double KernelTrace::steps(ArrayRef<PtxBlockExecutions> Blocks, uint64_t Iterations, double OfAccess) const {
  DenseMap<unsigned, double> Known;
  for (const PtxBlockExecutions &B : Blocks)
    Known[B.Number] = B.Executions;
  const FlowGraph &Flow = *Impl->Flow;
  // By what a loop that is left early shortens its blocks.
  std::vector<double> Share(Flow.Blocks.size(), 1);
  auto ExecutionsOf = [&](size_t Block) {
    return Flow.Blocks[Block].Number ? Known.lookup(*Flow.Blocks[Block].Number) : 0.0;
  };
  for (const FlowLoop &L : Flow.Loops) {
    double Entered = L.Outer ? std::max(1.0, ExecutionsOf(Flow.Loops[*L.Outer].Header)) : 1;
    double Each = ExecutionsOf(L.Header) / Entered;
    for (size_t Block : L.Blocks)
      Share[Block] *= Each > double(Iterations) ? double(Iterations) / Each : 1;
  }
  double Sum = 0, Executions = 1;
  for (auto [Index, Block] : enumerate(Impl->Program.Blocks)) {
    if (Flow.Blocks[Index].Number)
      Executions = Known.lookup(*Flow.Blocks[Index].Number);
    Sum +=
        Executions * Share[Index] * (1 + (Block.End - Block.Begin) + (OfAccess - 1) * Impl->Accesses[Index]);
  }
  return Sum;
}

} // namespace gpuprune
