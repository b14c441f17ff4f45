//===- ResultFields.h - The fields of a row, listed once ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For what does the same with each field of a row, such as writing and reading it:
//
//   struct Visitor {
//     template <typename T> void operator()(llvm::StringLiteral Key, T &Field, Presence Need =
//     Presence::Required);
//   };
//
// Keys are those of the report (docs/command-line.md). What reports of earlier versions lack is optional.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_RESULTFIELDS_H
#define GPUPRUNE_SEARCH_RESULTFIELDS_H

#include "gpuprune/Search/Result.h"
#include "gpuprune/Support/JsonUnsigned.h"
#include <concepts>

namespace gpuprune {

/// A T to be written, or one to be looked at only.
template <typename Given, typename T>
concept MaybeConst = std::same_as<std::remove_const_t<Given>, T>;

template <typename V, MaybeConst<HostCheck> Check> void mapFields(V &Visit, Check &C) {
  auto &[Outcome, Launch, Sizes, Note, Tolerance] = C; // No longer compiles where a field is added.
  Visit("cpu_check", Outcome, Presence::Optional);
  Visit("cpu_check_launch", Launch, Presence::Optional);
  Visit("cpu_check_sizes", Sizes, Presence::Optional);
  Visit("cpu_check_note", Note, Presence::Optional);
  Visit("cpu_check_tolerance", Tolerance, Presence::Optional);
}

template <typename V, MaybeConst<Measurement> Found> void mapFields(V &Visit, Found &F) {
  auto &[Outcome, Tolerance, SamplesMs, MedianMs, WarmupStable, LaunchesPerSample, ClockMinMhz, ClockMaxMhz,
         BaselineSamplesMs, BaselineMedianMs, DriverBlocksPerSM, FromDatabase] = F;
  Visit("check", Outcome);
  Visit("check_tolerance", Tolerance, Presence::Optional);
  Visit("samples_ms", SamplesMs);
  Visit("median_ms", MedianMs);
  Visit("warmup_stable", WarmupStable);
  Visit("launches_per_sample", LaunchesPerSample);
  Visit("clock_min_mhz", ClockMinMhz);
  Visit("clock_max_mhz", ClockMaxMhz);
  Visit("baseline_samples_ms", BaselineSamplesMs);
  Visit("baseline_median_ms", BaselineMedianMs);
  Visit("driver_blocks_per_sm", DriverBlocksPerSM);
  Visit("from_database", FromDatabase, Presence::Optional);
}

template <typename V, MaybeConst<ModelledRow> Modelled> void mapFields(V &Visit, Modelled &M) {
  auto &[Ms, QueuedMs, Bound, IsEstimated, Note] = M;
  Visit("modelled_ms", Ms, Presence::Optional);
  Visit("modelled_queued_ms", QueuedMs, Presence::Optional);
  Visit("modelled_bound", Bound, Presence::Optional);
  Visit("modelled_is_estimate", IsEstimated, Presence::Optional);
  Visit("modelled_note", Note, Presence::Optional);
}

template <typename V, MaybeConst<ScheduledRow> Scheduled> void mapFields(V &Visit, Scheduled &S) {
  auto &[Cycles, Note] = S;
  Visit("cycles", Cycles, Presence::Optional);
  Visit("cycles_note", Note, Presence::Optional);
}

/// A twin and a launch have several keys, which the visitor knows.
template <typename V, MaybeConst<VariantResult> Result> void mapFields(V &Visit, Result &Row) {
  auto &[Parts, Status, Message, Refusal, Twin, Launch, MachineCode, Registers, SharedBytes, LocalBytes,
         SpillStoreBytes, SpillLoadBytes, BlocksPerSM, Occupancy, Limiter, Instr, Regions, Source, InstrNote,
         Efficiency, Utilization, Pareto, Modelled, Scheduled, OwnResult, NoWin, OnCpu, OnGpu] = Row;
  Visit("variant", Parts);
  Visit("status", Status);
  Visit("message", Message);
  Visit("refusal", Refusal);
  Visit("duplicate", Twin);
  Visit("launch", Launch);
  Visit("machine_code", MachineCode, Presence::Optional);
  Visit("registers", Registers);
  Visit("shared_bytes", SharedBytes);
  Visit("local_bytes", LocalBytes);
  Visit("spill_store_bytes", SpillStoreBytes);
  Visit("spill_load_bytes", SpillLoadBytes);
  Visit("blocks_per_sm", BlocksPerSM);
  Visit("occupancy", Occupancy);
  Visit("limiter", Limiter);
  Visit("instr", Instr);
  Visit("regions", Regions);
  Visit("instr_source", Source, Presence::Optional);
  Visit("instr_note", InstrNote, Presence::Optional);
  Visit("efficiency", Efficiency);
  Visit("utilization", Utilization);
  Visit("pareto", Pareto);
  mapFields(Visit, Modelled);
  mapFields(Visit, Scheduled);
  Visit("own_result", OwnResult, Presence::Optional);
  Visit("no_win", NoWin, Presence::Optional);
  mapFields(Visit, OnCpu);
  mapFields(Visit, OnGpu);
}

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_RESULTFIELDS_H
