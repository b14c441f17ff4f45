//===- ProgramTuner.h - Tunes the recorded kernels of a program ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_PROGRAMTUNER_H
#define GPUPRUNE_DRIVER_PROGRAMTUNER_H

#include "gpuprune/Driver/LaunchClasses.h"
#include "gpuprune/Driver/MakeRecord.h"
#include "gpuprune/Driver/Tuner.h"

namespace gpuprune {

/// What became of one launch class of a kernel: launches with the same block and number of blocks.
struct ProgramClass {
  std::string Symbol, Arch; ///< Of the kernel.
  std::string Recording; ///< The folder of the launch that is tuned, of several the one of the most GPU time.
  Dim3 Grid, Block;      ///< Of that launch.
  uint64_t Launches = 0; ///< In the recorded run.
  double GpuMs = 0;      ///< Of all of them.
  double TypicalMs = 0;  ///< Of one, in the program (Recording.h); 0: not known.
  bool IsLeftAlone = false; ///< It takes too little of the program's time to be tuned.
  BestRecord Best;       ///< Where it is left alone, Row is what a neighbour's record does with its launches.
  std::string Path;      ///< Of the kernel's tuning record; empty: there is none.
  std::string Withdrawn; ///< The name of a record that was found to be wrong; empty: none was.
  uint64_t LeastBlocks = 0;               ///< As TunedClass has it.
  std::optional<TimedLoopEnd> LoopEnd;    ///< As TunedClass has it.
  std::optional<uint64_t> OtherwiseLeast; ///< As TunedClass has it.
  std::string RangeNote;                  ///< Why no smaller grids were timed; empty: they were.
  std::string Problem;                    ///< Why it could not be tuned; empty: it was.
  std::optional<TuneReport> Report;

  std::string name() const; ///< Of the kernel, as the source has it.
  uint64_t blocks() const { return blocksOf(Grid); }
  bool isOfKernel(const ProgramClass &Other) const { return Symbol == Other.Symbol && Arch == Other.Arch; }
};

struct ProgramReport {
  std::string Folder;
  /// Kernel by kernel, and of a kernel class by class, those of the largest GPU time first.
  std::vector<ProgramClass> Classes;
  std::vector<std::string> Problems;     ///< Of recordings that cannot be read.
  std::optional<double> tunedMs() const; ///< What GpuMs of all becomes; nothing where nothing was measured.
};

/// Tunes the launch classes that were recorded in \p Folder, but for those that take under 1 % of the
/// program's time, and writes a tuning record for each kernel into \p Records. The budget goes to the classes
/// by their GPU time. On the GPU, each variant is compared with the prepared kernel on the recorded data; the
/// CPU does not run launches of that size. A class that cannot be tuned is a row with its problem. Errors:
/// Io, Input where nothing was recorded, and Runner where launches are to be timed and there is no GPU.
llvm::Expected<ProgramReport> tuneProgram(TuneOptions Options, llvm::StringRef Folder,
                                          llvm::StringRef Records, Progress &Shown);

llvm::json::Value toJSON(const ProgramReport &Report);
void printProgram(llvm::raw_ostream &OS, const ProgramReport &Report);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_PROGRAMTUNER_H
