//===- Result.h - All that is known about one variant ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_RESULT_H
#define GPUPRUNE_SEARCH_RESULT_H

#include "gpuprune/Analysis/InstructionClass.h"
#include "gpuprune/Device/Occupancy.h"
#include "gpuprune/Launch/PhysicalLaunch.h"
#include "gpuprune/Model/ModelTerm.h"
#include "gpuprune/Search/Variant.h"
#include "gpuprune/Support/CheckOutcome.h"
#include "gpuprune/Support/Dim3.h"
#include "gpuprune/Support/RefusalKind.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuprune {

enum class VariantStatus : uint8_t {
#define GPUPRUNE_VARIANT_STATUS(Enumerator, Name) Enumerator,
#include "gpuprune/Search/VariantStatus.def"
};

/// "ok", "spills", ...
llvm::StringRef variantStatusName(VariantStatus Status);
std::optional<VariantStatus> parseVariantStatus(llvm::StringRef Name);

/// What the model of a kernel's time (docs/model.md) says of a variant. None of it is measured.
struct ModelledRow {
  std::optional<double> Ms;
  std::optional<double> QueuedMs; ///< If a scheduler's warps queue for its pipes (KernelModel.h).
  std::optional<ModelTerm> Bound; ///< What takes most of it.
  bool IsEstimated = false;       ///< Code or loops that the model cannot read are in it.
  std::string Note;               ///< Why it is an estimate, or why there is no time.
  bool operator==(const ModelledRow &) const = default;
};

/// What the cycle model of Liang et al. (ListSchedule.h) says of a variant.
struct ScheduledRow {
  std::optional<double> Cycles; ///< Of one thread from begin to end.
  std::string Note;             ///< Which latency of memory they rest on, or why there are none.
  bool operator==(const ScheduledRow &) const = default;
};

/// What running a variant on the CPU said.
struct HostCheck {
  /// The worst of Sizes: against the prepared kernel of its defines and block, and that one's Launch.
  CheckOutcome Outcome = CheckOutcome::Skipped;
  /// Of the prepared kernel of its defines and block, against the author's launch.
  CheckOutcome Launch = CheckOutcome::Skipped;
  std::vector<std::string> Sizes; ///< That it was run at, "n=64".
  std::string Note;               ///< Why it was not run, or not everywhere.
  std::string Tolerance;          ///< Which buffer differs by how much, and the instruction it is due to.
  bool operator==(const HostCheck &) const = default;
};

/// What checking and timing a variant on the GPU said.
struct Measurement {
  CheckOutcome Outcome = CheckOutcome::Skipped; ///< The worst of both links.
  std::string Tolerance;                        ///< As that of HostCheck.
  std::vector<double> SamplesMs;                ///< Milliseconds, in the order measured.
  std::optional<double> MedianMs;
  std::optional<bool> WarmupStable;    ///< False: timed though its times still changed.
  unsigned LaunchesPerSample = 1;      ///< Runs that a sample averages over.
  std::optional<unsigned> ClockMinMhz; ///< Of the SMs while this was timed; nothing without NVML.
  std::optional<unsigned> ClockMaxMhz;
  /// The author's kernel by stock clang, timed in turn with this variant.
  std::vector<double> BaselineSamplesMs;
  std::optional<double> BaselineMedianMs;
  /// What the driver says; differs from BlocksPerSM only by a mistake of ours.
  std::optional<unsigned> DriverBlocksPerSM;
  bool FromDatabase = false; ///< All this is an earlier run's.
  bool operator==(const Measurement &) const = default;

  bool isRight() const { return Outcome == CheckOutcome::Bitwise || Outcome == CheckOutcome::Tolerance; }
  /// Whether there is a time that counts.
  bool isTimed() const { return isRight() && MedianMs; }
};

/// Why two rows are one.
enum class TwinKind : uint8_t {
  Ptx,         ///< The same PTX.
  MachineCode, ///< ptxas made the same of different PTX (CodeDigest.h).
};

/// "ptx", "machine-code".
llvm::StringRef twinKindName(TwinKind Kind);
std::optional<TwinKind> parseTwinKind(llvm::StringRef Name);

/// Another row, of the same program.
struct TwinRow {
  size_t Row = 0; ///< Its place in the table.
  TwinKind By = TwinKind::Ptx;
  bool operator==(const TwinRow &) const = default;
};

/// One row of the table. What a phase that has not run would have filled is empty.
struct VariantResult {
  Variant Parts; ///< What was asked for; empty for the kernel as written.
  VariantStatus Status = VariantStatus::Ok;
  std::string Message;                ///< Why Status is not Ok.
  std::optional<RefusalKind> Refusal; ///< The first, of a row whose Status is Refused.
  /// Another variant that is the same program, launched in the same way: this row is neither measured nor
  /// counted. One of the same PTX, which comes earlier, gives it all of its figures; one of the same machine
  /// code the GPU's, while what was counted in the PTX and what the CPU said are its own.
  std::optional<TwinRow> Twin;

  PhysicalLaunch Launch; ///< At the size to tune.

  std::string MachineCode;             ///< Equal for equal programs (CodeDigest.h); empty: not known.
  std::optional<unsigned> Registers;   ///< A thread.
  std::optional<uint64_t> SharedBytes; ///< Static, a block.
  std::optional<uint64_t> LocalBytes;  ///< Stack and spills, a thread.
  std::optional<uint64_t> SpillStoreBytes;
  std::optional<uint64_t> SpillLoadBytes;
  std::optional<unsigned> BlocksPerSM;
  std::optional<double> Occupancy; ///< 0 to 1.
  std::optional<OccupancyLimiter> Limiter;

  std::optional<double> Instr;   ///< Instructions one thread executes.
  std::optional<double> Regions; ///< Blocking regions one thread passes.
  InstrSource Source = InstrSource::ExactStatic;
  std::string InstrNote; ///< What is assumed where Source is Estimated.
  std::optional<double> Efficiency;
  std::optional<double> Utilization;
  bool Pareto = false;
  ModelledRow Modelled;
  ScheduledRow Scheduled;

  /// Why its result cannot be compared with that of the author's launch; empty: it is.
  std::string OwnResult;
  /// Why it must not win, however fast; empty: it may.
  std::string NoWin;

  HostCheck OnCpu;
  Measurement OnGpu;

  /// "" for the kernel as written.
  std::string text() const { return printVariant(Parts); }
  bool isDuplicate() const { return Twin.has_value(); }
  bool isTwinBy(TwinKind Kind) const { return Twin && Twin->By == Kind; }
  /// Whether nothing is wrong with it as far as it has come; what spills is only kept apart.
  bool isGood() const { return Status == VariantStatus::Ok || Status == VariantStatus::Spills; }
  /// Whether it may be taken for the result of a search.
  bool mayWin() const { return NoWin.empty(); }
  /// Whether it may be checked and measured.
  bool canRun() const { return isGood() && !isDuplicate(); }
  bool operator==(const VariantResult &) const = default;
};

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_RESULT_H
