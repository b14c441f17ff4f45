//===- ExplainReport.h - What a kernel does with memory, line by line ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_EXPLAINREPORT_H
#define GPUPRUNE_DRIVER_EXPLAINREPORT_H

#include "gpuprune/Device/Occupancy.h"
#include "gpuprune/HostExecution/WarpRequests.h"
#include "gpuprune/Model/KernelModel.h"
#include "gpuprune/Variant/BlockDimensions.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gpuprune {

struct ExplainOptions {
  std::string Workload; ///< As TuneOptions has it.
  std::string Device;   ///< Empty: sm_90, or that of the front-end bundle.
  std::string Variant;  ///< Text; empty: the kernel as written, prepared.
  std::string Size;     ///< "n=64,m=32"; empty: the first check size that the variant can run.
  /// Gets what clang++ warns of, each warning with its notes.
  std::function<void(llvm::ArrayRef<std::string>)> ShowWarnings = [](llvm::ArrayRef<std::string>) {};
  unsigned Launch = 0; ///< Of a sequence, from 1; 0: there is only one.
};

/// Memory as a person tells it apart.
enum class MemoryKind { Global, Shared, Constant, Local };
llvm::StringRef memoryKindName(MemoryKind Kind);
llvm::StringRef accessKindName(AccessKind Kind);

/// All accesses of one line of the source to one buffer that are of one kind and width.
struct LineAccesses {
  std::string File; ///< Empty where unknown.
  unsigned Line = 0;
  std::string Source; ///< The line's text, without white space around it; may be empty.
  MemoryKind Memory = MemoryKind::Global;
  AccessKind Kind = AccessKind::Load;
  std::string Buffer;        ///< Of the workload, or a variable; empty for shared memory.
  unsigned Instructions = 0; ///< That the line has become.
  RequestTotals Totals;
};

/// The conditional branches of one line of the source.
struct LineBranches {
  std::string File; ///< Empty where unknown.
  unsigned Line = 0;
  std::string Source;
  uint64_t Executed = 0;  ///< By warps.
  uint64_t Divergent = 0; ///< Of these, where lanes went different ways.
};

/// What would let more blocks be resident.
struct OccupancyStep {
  std::string Resource; ///< "registers", "shared memory".
  uint64_t From = 0, To = 0;
  unsigned Blocks = 0; ///< On an SM, then.
  double Fraction = 0;
};

/// The same resources in blocks of another size.
struct BlockSizeOccupancy {
  uint64_t Threads = 0;
  unsigned Blocks = 0;
  double Fraction = 0;
};

/// What the kernel is to other extents of the block in one dimension.
struct BlockExplanation {
  BlockDimension Of;
  /// A block of half or twice the extent that does not do, where the code itself has nothing against it.
  std::optional<Dim3> Refused;
  std::optional<ShapeObstacle> Why;
};

struct ExplainReport {
  std::string Workload, Kernel, Variant, Device, Size;
  Dim3 Grid, Block;
  uint64_t BlocksRun = 0;          ///< Of the grid, on the CPU.
  std::vector<LineAccesses> Lines; ///< By file, line, memory, kind, buffer, width.

  std::vector<LineBranches> Branches; ///< By file and line.

  KernelResources Resources;
  uint64_t LocalBytes = 0, SpillStoreBytes = 0, SpillLoadBytes = 0; ///< A thread.
  Occupancy Fits;
  std::vector<OccupancyStep> Steps;
  std::vector<BlockSizeOccupancy> OtherBlocks;
  std::array<BlockExplanation, 3> Blocks; ///< In x, y and z.

  /// What the model says of the launch that is tuned, or why it says nothing.
  std::optional<ModelledTime> Time;
  std::string TimeSize, NoTime;
  Dim3 TimeGrid;

  /// Floating-point operations that the workload says the launch does.
  std::optional<double> Flops;

  RequestTotals totals(MemoryKind Memory) const;
  /// Whether all blocks of the grid were run: the counts are then exact.
  bool complete() const;
};

/// The steps and block sizes for \p Kernel on \p Device.
std::vector<OccupancyStep> occupancySteps(const DeviceInfo &Device, const KernelResources &Kernel);
std::vector<BlockSizeOccupancy> occupancyOfOtherBlocks(const DeviceInfo &Device,
                                                       const KernelResources &Kernel);

/// Compiles the variant, runs it on the CPU with every access watched, and puts
/// together what that costs on the device. Errors: those of the variant's steps,
/// Usage for the size, Input where the kernel does something wrong, Resources
/// where it does not come to its end in a minute.
llvm::Expected<ExplainReport> explain(const ExplainOptions &Options);

/// For a person; \p Colour marks what is to be looked at.
void printExplanation(llvm::raw_ostream &OS, const ExplainReport &Report, bool Colour);
llvm::json::Object toJSON(const ExplainReport &Report);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_EXPLAINREPORT_H
