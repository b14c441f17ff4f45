//===- Measurement.cpp - Timing programs in interleaved rounds ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Measurement.h"
#include "Checker.h"
#include "WarmUpControl.h"
#include "gpuprune/Support/Median.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/TimeProfiler.h"
#include <cmath>
#include <random>

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

/// What is written or read between two runs over the same data, in sizes of the L2
/// cache: one is not enough, since caches do not replace their oldest line first.
static constexpr uint64_t CacheSizes = 2;
/// Copies of the buffers at most where the runner chooses; smaller data is not worth more.
static constexpr uint64_t MaxAutomaticCopies = 256;
/// Readings of the clock in one job.
static constexpr uint32_t ClockReadings = 16;
/// A run that is as long takes hardly longer with nothing in the caches, as a check leaves them: the 50 MB of
/// the largest come from memory in 0.01 ms.
static constexpr double LongForCachesMs = 0.25;
/// Orders of the rounds are the same in every run.
static constexpr uint64_t OrderSeed = 0x5eed;

uint32_t copiesOf(const Measure &M, const Problem &P, const Hello &Device) {
  if (any_of(P.Buffers, [](const Buffer &B) { return B.Address.has_value(); }))
    return 1; // There is one place for them.
  if (M.Rotate != 0)
    return M.Rotate;
  uint64_t Bytes = 0;
  for (const Buffer &B : P.Buffers)
    Bytes += B.bytes();
  uint64_t Wanted = CacheSizes * Device.L2Bytes;
  if (Bytes == 0 || Bytes >= Wanted)
    return 1;
  // The one in use does not count.
  uint64_t Copies = std::min(divideCeil(Wanted, Bytes) + 1, MaxAutomaticCopies);
  return static_cast<uint32_t>(std::clamp<uint64_t>(Device.TotalMemory / 2 / Bytes, 1, Copies));
}

Error blame(Error E, Part As, StringRef Name) {
  if (As == Part::Baseline)
    return blameReference(std::move(E), "baseline");
  if (As == Part::Candidate)
    return E;
  return handleErrors(std::move(E), [&](const JobFailure &F) -> Error {
    return make_error<JobFailure>(F.status(), "rival " + Name + ": " + F.text(), Name);
  });
}

namespace {

class Rounds {
public:
  Rounds(const Measure &M, Stopwatch &Watch, MutableArrayRef<Contestant> Contestants, ClockReader *Clock)
      : M(M), Watch(Watch), Contestants(Contestants), Clock(Clock), Random(OrderSeed) {
    for (Contestant &C : Contestants)
      Order.push_back(&C);
  }

  /// Warms all up; the sentence for a result of status slow, or "".
  Expected<std::string> warmUp();
  Error run();
  bool isBrief() const { return IsBrief; }
  double candidateMs() const { return CandidateMs; }
  std::optional<double> baselineMs() const { return BaselineMs; }

private:
  const Measure &M;
  Stopwatch &Watch;
  MutableArrayRef<Contestant> Contestants;
  ClockReader *Clock;
  std::mt19937_64 Random;
  std::vector<Contestant *> Order;
  double CandidateMs = 0; ///< The fastest run of the warm-up, then what tells that it is too slow.
  std::optional<double> BaselineMs;
  bool IsBrief = false; ///< The candidate is clearly slower.

  Expected<double> time(Contestant &C, uint32_t Runs, bool ReadClock);
  Expected<std::string> warmUp(Contestant &C);
  bool checkedRunsCount(const Contestant &C) const;
  bool takeChecked(const Contestant &C, WarmUpControl &Control);
  std::string judge(const Contestant &C, const WarmUpControl &Control);
  std::string passesLimit(double Ms) const;
  bool isSlowBaseline(const Contestant &C) const;
  bool isClearlySlower(std::optional<double> Ms) const;
  bool takesPart(const Contestant &C, uint32_t Round) const;
  bool isFinishedByCheck(const Contestant &C, uint32_t Round) const;
  Error beginSample(Contestant &C, bool ReadClock);
  Error takeSample(Contestant &C, bool ReadClock);
  bool fewSuffice() const;
  void nextOrder();
};

Expected<double> Rounds::time(Contestant &C, uint32_t Runs, bool ReadClock) {
  Expected<double> Ms = Watch.time(C.Program, Runs, M.Restore, [&] {
    if (ReadClock && Clock)
      Clock->read();
  });
  if (!Ms)
    return blame(Ms.takeError(), C.As, C.Name);
  return Ms;
}

std::string Rounds::passesLimit(double Ms) const {
  if (M.LimitMs && Ms > *M.LimitMs)
    return formatv("one run took {0:f3} ms, the limit is {1:f3} ms", Ms, *M.LimitMs);
  if (M.MaxSlowdown && BaselineMs && Ms > *M.MaxSlowdown * *BaselineMs)
    return formatv("one run took {0:f3} ms, {1:f1} times the baseline's {2:f3} ms; the limit is {3:f1} times",
                   Ms, Ms / *BaselineMs, *BaselineMs, *M.MaxSlowdown);
  return "";
}

/// Whether \p C is a baseline whose samples would take most of the job's time. Without
/// rivals nothing is decided against it, so that few samples of it do.
bool Rounds::isSlowBaseline(const Contestant &C) const {
  return C.As == Part::Baseline && Contestants.size() == 2 &&
         *BaselineMs * C.Batch > CandidateMs * Contestants.back().Batch;
}

/// Than the best so far, so that few samples tell enough of it.
bool Rounds::isClearlySlower(std::optional<double> Ms) const {
  return M.Rivals.empty() && M.ClearlySlowerMs && Ms && *Ms > *M.ClearlySlowerMs;
}

/// Whether a run that is checked takes what a timed one does: where it is not asked for caches in another
/// state.
bool Rounds::checkedRunsCount(const Contestant &C) const {
  return !C.CheckedMs.empty() && !M.FlushL2 && M.Rotate == 1 &&
         all_of(C.CheckedMs, [](double Ms) { return Ms >= LongForCachesMs; });
}

/// The runs of the check are the first ones, if they count; whether they do.
bool Rounds::takeChecked(const Contestant &C, WarmUpControl &Control) {
  if (!checkedRunsCount(C))
    return false;
  for (double Ms : C.CheckedMs) {
    Watch.add(Ms);
    Control.add(Ms);
  }
  return true;
}

/// What is known of the candidate by now; the sentence where it passes a limit.
std::string Rounds::judge(const Contestant &C, const WarmUpControl &Control) {
  if (C.As != Part::Candidate || !Control.canJudge())
    return "";
  CandidateMs = Control.fastestMs();
  IsBrief = isClearlySlower(Control.fastestBatchMs());
  return passesLimit(CandidateMs);
}

Expected<std::string> Rounds::warmUp(Contestant &C) {
  WarmUpControl Control(M);
  // A baseline alone with its candidate only has to be good enough for a limit.
  bool Briefly = C.As == Part::Baseline && Contestants.size() == 2;
  if (takeChecked(C, Control))
    if (std::string Reason = judge(C, Control); !Reason.empty())
      return Reason;
  while (!IsBrief && !Control.done() && !(Briefly && Control.canJudge() && Control.fillsSample())) {
    Expected<double> Ms = time(C, Control.batch(), /*ReadClock=*/false);
    if (!Ms)
      return Ms.takeError();
    Control.add(*Ms);
    if (std::string Reason = judge(C, Control); !Reason.empty())
      return Reason;
  }
  if (C.As == Part::Baseline)
    BaselineMs = Control.lastMs();
  C.Batch = Control.batch();
  C.Warmed = Control.result();
  C.Warmed.Stable |= IsBrief && C.As == Part::Candidate; // It need not become so.
  return "";
}

Expected<std::string> Rounds::warmUp() {
  TimeTraceScope Scope("warm up");
  for (Contestant &C : Contestants) {
    if (C.Known) {
      BaselineMs = C.Known->Ms;
      C.Batch = C.Known->Batch;
      continue;
    }
    Expected<std::string> Reason = warmUp(C);
    if (!Reason || !Reason->empty())
      return Reason;
  }
  return "";
}

/// Whoever follows finds what the one before left in the caches. Two take turns;
/// among more, a fixed order would give each always the same one before it.
void Rounds::nextOrder() {
  if (Order.size() <= 2)
    return std::reverse(Order.begin(), Order.end());
  for (size_t I = Order.size(); I > 1; --I)
    std::swap(Order[I - 1], Order[Random() % I]);
}

/// How far a sample of a known baseline may be from what is known without more of them being taken.
static constexpr double MostDrift = 0.05;

bool Rounds::takesPart(const Contestant &C, uint32_t Round) const {
  if (C.Known && !C.Known->IsDue)
    return false;
  if (C.Known)
    return C.HasDrifted || Round == M.Samples / 2 || (IsBrief && Round + 1 == FewSamples);
  return !isSlowBaseline(C) || Round == 0 || Round + 1 == M.Samples;
}

/// Whether the last run of the last sample is left to the check after timing, which runs the candidate
/// anyway.
bool Rounds::isFinishedByCheck(const Contestant &C, uint32_t Round) const {
  bool IsComparable = C.Over->Reference || C.Over->Stock;
  return Round + 1 == M.Samples && M.Samples > FewSamples && M.Rivals.empty() && C.As == Part::Candidate &&
         IsComparable && checkedRunsCount(C);
}

/// A sample but for its last run.
Error Rounds::beginSample(Contestant &C, bool ReadClock) {
  C.UnfinishedMs = 0;
  if (C.Batch == 1)
    return Error::success();
  Expected<double> Ms = time(C, C.Batch - 1, ReadClock);
  if (!Ms)
    return Ms.takeError();
  C.UnfinishedMs = *Ms * (C.Batch - 1);
  return Error::success();
}

Error Rounds::takeSample(Contestant &C, bool ReadClock) {
  Expected<double> Ms = time(C, C.Batch, ReadClock);
  if (!Ms)
    return Ms.takeError();
  C.SamplesMs.push_back(*Ms);
  if (C.Known && std::fabs(*Ms - C.Known->Ms) > MostDrift * C.Known->Ms)
    C.HasDrifted = true;
  return Error::success();
}

/// Whether the few samples of a candidate bear out that it is clearly slower.
bool Rounds::fewSuffice() const {
  auto Candidate = find_if(Contestants, [](const Contestant &C) { return C.As == Part::Candidate; });
  return isClearlySlower(median(Candidate->SamplesMs));
}

Error Rounds::run() {
  TimeTraceScope Scope("samples");
  uint32_t Period = std::max<uint32_t>(divideCeil(M.Samples, ClockReadings), 1);
  for (uint32_t I = 0; I != M.Samples; ++I) {
    if (IsBrief && I == FewSamples) {
      IsBrief = fewSuffice();
      if (IsBrief)
        return Error::success();
    }
    bool ReadClock = I % Period == 0 || I + 1 == M.Samples;
    for (Contestant *C : Order)
      if (takesPart(*C, I))
        if (Error E = isFinishedByCheck(*C, I) ? beginSample(*C, ReadClock) : takeSample(*C, ReadClock))
          return E;
    nextOrder();
  }
  return Error::success();
}

Expected<uint64_t> flushBytes(const Measure &M, const Hello &Device) {
  if (!M.FlushL2)
    return 0;
  if (Device.L2Bytes == 0)
    return make_error<JobFailure>(ResultStatus::Error,
                                  "the driver does not say how large the L2 cache is, so "
                                  "it cannot be flushed; rotate buffers instead");
  return CacheSizes * Device.L2Bytes;
}

void fill(MutableArrayRef<Contestant> Contestants, Result &R) {
  for (Contestant &C : Contestants)
    switch (C.As) {
    case Part::Baseline:
      R.BaselineMs = std::move(C.SamplesMs);
      break;
    case Part::Candidate:
      R.SamplesMs = std::move(C.SamplesMs);
      R.LaunchesPerSample = C.Batch;
      R.Warmed = C.Warmed;
      break;
    case Part::Rival:
      R.Rivals.push_back({C.Name, std::move(C.SamplesMs), C.Batch, C.Warmed});
      break;
    }
}

} // namespace

Error measure(const Gpu &G, const Measure &M, MutableArrayRef<Contestant> Contestants, ClockReader *Clock,
              Result &R) {
  Expected<uint64_t> Flush = flushBytes(M, G.description());
  if (!Flush)
    return Flush.takeError();
  Expected<std::unique_ptr<Stopwatch>> Watch = Stopwatch::create(G, *Flush);
  if (!Watch)
    return Watch.takeError();
  Rounds Timed(M, **Watch, Contestants, Clock);
  Expected<std::string> Slow = Timed.warmUp();
  if (!Slow)
    return Slow.takeError();
  if (!Slow->empty()) {
    R.Status = ResultStatus::Slow;
    R.Message = std::move(*Slow);
    R.SamplesMs = {Timed.candidateMs()};
    if (Timed.baselineMs())
      R.BaselineMs = {*Timed.baselineMs()};
  } else {
    if (Error E = Timed.run())
      return E;
    R.FewSamples = Timed.isBrief();
    fill(Contestants, R);
    R.GpuClock = Clock ? Clock->take() : std::nullopt;
  }
  R.TimedMs = (*Watch)->timedMs();
  R.MedianMs = median(R.SamplesMs);
  // One sample, not warmed up, only tells whether what is known still holds.
  const Contestant &First = Contestants.front();
  R.BaselineMedianMs = First.Known && !First.HasDrifted ? First.Known->Ms : median(R.BaselineMs);
  return Error::success();
}

void finishSample(const Contestant &Candidate, double LastMs, Result &R) {
  R.SamplesMs.push_back((*Candidate.UnfinishedMs + LastMs) / Candidate.Batch);
  R.TimedMs += LastMs;
  R.MedianMs = median(R.SamplesMs);
}

} // namespace gpuprune
