//===- MachineCounting.h - Counting in the NVPTX code generator -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts what becomes PTX, where it is known: in a machine-function analysis that
// runs after block placement. It changes nothing; the PTX is the same with it.
//
//   installMachineCounting();               // once a process, before code generation
//   MachineCountScope Scope(Frequencies);   // this thread counts from here on
//   Passes.run(Module);                     // TargetMachine::addPassesToEmitFile
//   auto Counts = Scope.take();             // by kernel name
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_ANALYSIS_MACHINECOUNTING_H
#define GPUPRUNE_ANALYSIS_MACHINECOUNTING_H

#include "gpuprune/Analysis/BlockFrequencies.h"
#include "gpuprune/Analysis/InstructionClass.h"
#include <map>
#include <memory>
#include <string>

namespace gpuprune {

/// Makes every later NVPTX code generation of this process carry the analysis.
/// It does nothing on threads without a MachineCountScope. May be called often
/// and from several threads.
void installMachineCounting();

class MachineCountSink;

/// While it lives, code generated on this thread is counted with the executions
/// in \p Frequencies. Scopes of one thread may nest; the innermost counts.
class MachineCountScope {
public:
  explicit MachineCountScope(const FrequencyMap &Frequencies);
  ~MachineCountScope();
  MachineCountScope(const MachineCountScope &) = delete;
  MachineCountScope &operator=(const MachineCountScope &) = delete;

  /// What has been counted, by name of kernel, with what the functions execute
  /// that it calls; leaves nothing behind.
  std::map<std::string, KernelCounts> take();

private:
  std::unique_ptr<MachineCountSink> Sink;
  MachineCountSink *Outer;
};

} // namespace gpuprune

#endif // GPUPRUNE_ANALYSIS_MACHINECOUNTING_H
