//===- FinalRounds.cpp - The fastest are timed once more, together -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Runtime/FinalRounds.h"
#include "JsonFields.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <set>
#include <tuple>

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

/// Of one contest at most: more names would cost more than they tell.
static constexpr size_t MostOfContest = 4;
/// What a final may take of the GPU; rounds become fewer for long kernels, but no
/// fewer than a test of significance can do with.
static constexpr double LongestMs = 60000;
static constexpr uint32_t FewestRounds = 6;
/// What checks and warm-up cost, in rounds.
static constexpr uint32_t WarmUpRounds = 8;

json::Value toJSON(const FinalPlan &P) {
  return json::Object{{"id", P.Id}, {"rounds", P.Rounds}, {"margin", P.Margin}};
}

bool fromJSON(const json::Value &V, FinalPlan &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  if (!M || !M.map("id", Out.Id) ||
      !mapUnsigned(*V.getAsObject(), "rounds", Out.Rounds, Presence::Required, P) ||
      !M.map("margin", Out.Margin))
    return false;
  if (!std::isfinite(Out.Margin) || Out.Margin < 0) {
    P.field("margin").report("expected a number of at least 0");
    return false;
  }
  if (Out.Id.empty() && Out.Rounds > 0) { // As of any job.
    P.field("id").report("expected the id of the final's job");
    return false;
  }
  return true;
}

void FinalRounds::add(const Job &J) {
  if (J.Timing && !J.Timing->Contests.empty())
    Entries.try_emplace(J.Id, Entry{J, {}, {}, 1});
}

void FinalRounds::note(const Result &R) {
  auto Found = Entries.find(R.Id);
  if (Found == Entries.end())
    return;
  Entry &E = Found->second;
  bool Right = R.Check == CheckOutcome::Bitwise || R.Check == CheckOutcome::Tolerance;
  bool Counts = R.Status == ResultStatus::Ok && Right && R.MedianMs && std::isfinite(*R.MedianMs);
  E.MedianMs = Counts ? R.MedianMs : std::nullopt;
  E.BaselineMs = R.BaselineMedianMs;
  E.Launches = R.LaunchesPerSample;
}

/// By time; the same on every machine where times are equal.
template <typename Entry> static bool isFaster(const Entry *A, const Entry *B) {
  return std::tie(*A->MedianMs, A->Work.Id) < std::tie(*B->MedianMs, B->Work.Id);
}

/// The fastest, the next one, and who is close behind, up to a few.
std::vector<const FinalRounds::Entry *> FinalRounds::fastestOf(StringRef Contest) const {
  std::vector<const Entry *> Found;
  for (const auto &[Id, E] : Entries)
    if (E.MedianMs && is_contained(E.Work.Timing->Contests, Contest))
      Found.push_back(&E);
  llvm::sort(Found, isFaster<Entry>);
  size_t Kept = std::min<size_t>(Found.size(), 2);
  while (Kept < std::min(Found.size(), MostOfContest) &&
         *Found[Kept]->MedianMs <= *Found[0]->MedianMs * (1 + Plan.Margin))
    ++Kept;
  Found.resize(Kept);
  return Found;
}

std::vector<const FinalRounds::Entry *> FinalRounds::choose() const {
  std::set<std::string> Contests;
  for (const auto &[Id, E] : Entries)
    Contests.insert(E.Work.Timing->Contests.begin(), E.Work.Timing->Contests.end());
  std::vector<const Entry *> Chosen;
  for (const std::string &Contest : Contests)
    for (const Entry *E : fastestOf(Contest))
      if (!is_contained(Chosen, E))
        Chosen.push_back(E);
  llvm::sort(Chosen, isFaster<Entry>);
  return Chosen;
}

double FinalRounds::roundMs(ArrayRef<const Entry *> Chosen) const {
  double Ms = Chosen.front()->BaselineMs.value_or(0);
  Ms += *Chosen.front()->MedianMs * Chosen.front()->Launches; // Once more.
  for (const Entry *E : Chosen)
    Ms += *E->MedianMs * E->Launches;
  return Ms;
}

uint32_t FinalRounds::rounds(double RoundMs) const {
  double Fitting = LongestMs / RoundMs;
  if (Fitting >= Plan.Rounds)
    return Plan.Rounds;
  return std::min(Plan.Rounds, std::max(FewestRounds, static_cast<uint32_t>(Fitting)));
}

double FinalRounds::expectedMs() const {
  std::vector<const Entry *> Chosen = choose();
  if (Chosen.empty() || Plan.Rounds == 0)
    return 0;
  double RoundMs = roundMs(Chosen);
  return RoundMs * (rounds(RoundMs) + WarmUpRounds);
}

std::optional<Job> FinalRounds::next() {
  if (Settled || Plan.Rounds == 0)
    return std::nullopt;
  Running = choose();
  if (Running.empty())
    return std::nullopt;
  const Job &Fastest = Running.front()->Work;
  Job Final;
  Final.Id = Plan.Id;
  Final.Compare = Fastest.Compare;
  Final.Checks = {timedProblem(Fastest)};
  Final.Timing = Fastest.Timing;
  Measure &M = *Final.Timing;
  M.Samples = rounds(roundMs(Running));
  M.LimitMs = M.MaxSlowdown = M.Watchdog = M.ClearlySlowerMs = M.ClearlySlower = std::nullopt;
  M.Contests.clear();
  M.Rivals.clear();
  for (const Entry *E : Running) {
    M.Rivals.push_back({E->Work.Id, timedProblem(E->Work)});
    M.Restore |= E->Work.Timing->Restore;
  }
  return Final;
}

/// Whether the status tells something of the program that was run.
static bool isProgramsFault(const Result &R) {
  switch (R.Status) {
  case ResultStatus::Wrong:
  case ResultStatus::Load:
  case ResultStatus::Launch:
    return true;
  case ResultStatus::Fault:
    return R.RunnerEnds; // Else the client says so of a runner that died: nobody knows by whom.
  default:
    return false;
  }
}

Result FinalRounds::settle(Result R) {
  Settled = true;
  if (!isProgramsFault(R))
    return R;
  std::string Culprit = R.Culprit.empty() ? Running.front()->Work.Id : R.Culprit;
  auto Found = Entries.find(Culprit);
  if (Found == Entries.end())
    return R;
  Found->second.MedianMs.reset();
  Settled = false;
  Result Own;
  Own.Id = Culprit;
  Own.Status = R.Status;
  Own.Check = R.Status == ResultStatus::Wrong ? CheckOutcome::Wrong : CheckOutcome::Skipped;
  Own.Message = "in the final rounds: " + R.Message;
  return Own;
}

} // namespace gpuprune
