//===- Measurement.cpp - Timing with CUDA events --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Measurement.h"
#include "Checker.h"
#include "gpuprune/Support/Median.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

namespace {

/// Runs a sample averages over at most, however short a run is.
constexpr uint32_t MaxBatch = 10000;

class Timer {
public:
  explicit Timer(const Gpu &G) : Owner(G) {}
  ~Timer() {
    for (CUevent Event : {Start, Stop})
      if (Event)
        Owner.driver().EventDestroy(Event);
  }
  Timer(const Timer &) = delete;

  Error create() {
    for (CUevent *Event : {&Start, &Stop})
      if (Error E = Owner.check(Owner.driver().EventCreate(Event, 0), "cuEventCreate"))
        return E;
    return Error::success();
  }

  /// Milliseconds of one run, averaged over \p Batch runs in a row.
  Expected<double> time(const LoadedProgram &Program, const BufferSet &Buffers, uint32_t Batch) const {
    const CudaDriver &D = Owner.driver();
    if (Error E = Buffers.restore())
      return E;
    if (Error E = Owner.check(D.EventRecord(Start, nullptr), "cuEventRecord"))
      return E;
    for (uint32_t I = 0; I != Batch; ++I)
      if (Error E = Program.launch())
        return E;
    if (Error E = Owner.check(D.EventRecord(Stop, nullptr), "cuEventRecord"))
      return E;
    if (Error E = Owner.check(D.EventSynchronize(Stop), "cuEventSynchronize", ResultStatus::Fault))
      return E;
    float Milliseconds = 0;
    if (Error E = Owner.check(D.EventElapsedTime(&Milliseconds, Start, Stop), "cuEventElapsedTime"))
      return E;
    return static_cast<double>(Milliseconds) / Batch;
  }

private:
  const Gpu &Owner;
  CUevent Start = nullptr, Stop = nullptr;
};

/// One of the two programs of a round.
struct Contestant {
  const LoadedProgram *Program;
  std::vector<double> *Samples;
  bool IsBaseline;
  uint32_t Batch = 1;
};

Error sample(const Timer &T, const BufferSet &Buffers, Contestant &C, std::vector<double> &Samples) {
  Expected<double> Ms = T.time(*C.Program, Buffers, C.Batch);
  if (!Ms)
    return C.IsBaseline ? blameReference(Ms.takeError(), "baseline") : Ms.takeError();
  Samples.push_back(*Ms);
  return Error::success();
}

/// The last warm-up run's milliseconds: the first ones carry loading and clock changes.
Expected<double> warmUp(const Timer &T, const BufferSet &Buffers, Contestant &C, uint32_t Runs) {
  std::vector<double> Times;
  for (uint32_t I = 0; I < std::max(Runs, 1u); ++I)
    if (Error E = sample(T, Buffers, C, Times))
      return E;
  return Times.back();
}

uint32_t batchFor(double SingleMs, std::optional<double> MinSampleMs) {
  if (!MinSampleMs || SingleMs >= *MinSampleMs)
    return 1;
  double Wanted = SingleMs > 0 ? std::ceil(*MinSampleMs / SingleMs) : MaxBatch;
  return static_cast<uint32_t>(std::min<double>(Wanted, MaxBatch));
}

/// The sentence for a result of status slow, or nothing.
std::optional<std::string> passesLimit(const Measure &M, double CandidateMs,
                                       std::optional<double> BaselineMs) {
  if (M.LimitMs && CandidateMs > *M.LimitMs)
    return formatv("one run took {0:f3} ms, the limit is {1:f3} ms", CandidateMs, *M.LimitMs).str();
  if (M.MaxSlowdown && BaselineMs && CandidateMs > *M.MaxSlowdown * *BaselineMs)
    return formatv("one run took {0:f3} ms, {1:f1} times the baseline's {2:f3} ms; the limit is {3:f1} times",
                   CandidateMs, CandidateMs / *BaselineMs, *BaselineMs, *M.MaxSlowdown)
        .str();
  return std::nullopt;
}

} // namespace

Error measure(const Gpu &G, const Measure &M, const BufferSet &Buffers, const LoadedProgram &Candidate,
              const LoadedProgram *Baseline, Result &R) {
  Timer T(G);
  if (Error E = T.create())
    return E;
  std::vector<Contestant> Round;
  std::optional<double> BaselineMs;
  if (Baseline) {
    Contestant &C = Round.emplace_back(Contestant{Baseline, &R.BaselineMs, true});
    Expected<double> Single = warmUp(T, Buffers, C, M.Warmup);
    if (!Single)
      return Single.takeError();
    BaselineMs = *Single;
    C.Batch = batchFor(*Single, M.MinSampleMs);
  }
  Contestant &C = Round.emplace_back(Contestant{&Candidate, &R.SamplesMs, false});
  Expected<double> Single = warmUp(T, Buffers, C, M.Warmup);
  if (!Single)
    return Single.takeError();
  C.Batch = R.LaunchesPerSample = batchFor(*Single, M.MinSampleMs);
  if (auto Reason = passesLimit(M, *Single, BaselineMs)) {
    R.Status = ResultStatus::Slow;
    R.Message = std::move(*Reason);
    R.LaunchesPerSample = 1;
    R.SamplesMs = {*Single};
    if (BaselineMs)
      R.BaselineMs = {*BaselineMs};
  } else {
    for (uint32_t I = 0; I != M.Samples; ++I) {
      for (Contestant &Each : Round)
        if (Error E = sample(T, Buffers, Each, *Each.Samples))
          return E;
      // Whoever goes first finds what the other left in the caches: take turns.
      std::reverse(Round.begin(), Round.end());
    }
  }
  R.MedianMs = median(R.SamplesMs);
  R.BaselineMedianMs = median(R.BaselineMs);
  return Error::success();
}

} // namespace gpuprune
