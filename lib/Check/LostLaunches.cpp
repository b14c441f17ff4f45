//===- LostLaunches.cpp - Launches whose results reach nothing -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Check/LostLaunches.h"
#include "gpuprune/Check/ComparedBuffers.h"
#include "gpuprune/Support/Listed.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

std::vector<ArgumentUse> argumentUses(const BuiltVariant &Kernel) {
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> M =
      parseBitcodeFile(MemoryBufferRef(Kernel.FinalBitcode, "device bitcode"), Context);
  if (!M) {
    consumeError(M.takeError());
    return {};
  }
  std::vector<ArgumentUse> Uses;
  if (const Function *F = (*M)->getFunction(Kernel.Symbol))
    for (const Argument &A : F->args()) {
      bool None = A.hasAttribute(Attribute::ReadNone);
      Uses.push_back(
          {!None && !A.hasAttribute(Attribute::WriteOnly), !None && !A.hasAttribute(Attribute::ReadOnly)});
    }
  return Uses;
}

namespace {

/// The launches from the last one to the first: a launch is of use where it may write what is read or
/// compared after it.
class UseOfLaunches {
public:
  UseOfLaunches(const Workload &W, const ResolvedProblem &Problem, ArrayRef<std::vector<ArgumentUse>> Uses)
      : W(W), Uses(Uses), Compared(Problem.Buffers.size()), ReadLater(Compared), Used(W.Launches.size()),
        Read(W.Launches.size()) {
    for (const auto &[Index, Buffer] : enumerate(Problem.Buffers))
      if (isComparedAtEnd(Buffer))
        Compared.set(Index);
    Live = Compared;
    for (const ResolvedLaunch &Launch : reverse(Problem.Launches))
      visit(Launch);
  }

  std::vector<std::string> lost() const;

private:
  const Workload &W;
  ArrayRef<std::vector<ArgumentUse>> Uses;
  BitVector Compared;  ///< Buffers.
  BitVector ReadLater; ///< Buffers that a later launch reads, of use or not,
  BitVector Live;      ///< and those that are compared, or that one of use reads.
  BitVector Used;      ///< Launches of the workload, of which an iteration is of use,
  BitVector Read;      ///< and those of which a later launch reads something.

  ArgumentUse use(unsigned Launch, size_t Argument) const {
    return Argument < Uses[Launch].size() ? Uses[Launch][Argument] : ArgumentUse();
  }
  void visit(const ResolvedLaunch &Launch);
};

} // namespace

void UseOfLaunches::visit(const ResolvedLaunch &Launch) {
  bool IsUsed = false;
  for (const auto &[Index, A] : enumerate(Launch.Arguments))
    if (A.Buffer && use(Launch.Spec, Index).Writes) {
      IsUsed |= Live.test(*A.Buffer);
      if (ReadLater.test(*A.Buffer))
        Read.set(Launch.Spec);
    }
  if (IsUsed)
    Used.set(Launch.Spec);
  for (const auto &[Index, A] : enumerate(Launch.Arguments))
    if (A.Buffer && use(Launch.Spec, Index).Reads) {
      ReadLater.set(*A.Buffer);
      if (IsUsed)
        Live.set(*A.Buffer);
    }
}

std::vector<std::string> UseOfLaunches::lost() const {
  std::vector<std::string> Found;
  for (const auto &[Index, Spec] : enumerate(W.Launches)) {
    std::vector<std::string> Written;
    for (const auto &[Number, A] : enumerate(Spec.Arguments)) {
      std::string Name = A.Buffer ? "'" + W.Buffers[*A.Buffer].Name + "'" : "";
      if (A.Buffer && W.Buffers[*A.Buffer].Role != BufferRole::In && use(Index, Number).Writes &&
          !is_contained(Written, Name))
        Written.push_back(Name);
    }
    if (Used.test(Index) || Written.empty())
      continue; // What writes nothing at all is told by the check of the launch.
    Found.push_back(
        formatv("launch {0} ('{1}') writes {2} alone, which {3} and which {4} not compared at the end",
                Index + 1, Spec.Kernel, listed(Written, "and"),
                Read.test(Index) ? "only launches read whose own results are lost" : "no later launch reads",
                Written.size() == 1 ? "is" : "are"));
  }
  return Found;
}

std::vector<std::string> lostLaunches(const Workload &W, const ResolvedProblem &Problem,
                                      ArrayRef<std::vector<ArgumentUse>> Uses) {
  return UseOfLaunches(W, Problem, Uses).lost();
}

} // namespace gpuprune
