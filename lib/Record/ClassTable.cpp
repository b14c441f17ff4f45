//===- ClassTable.cpp - Which launches there were, and which are kept ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ClassTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include <cmath>
#include <utility>

using namespace llvm;

namespace gpuprune {

/// How often a launch class is tried before its launches are left in peace.
static constexpr unsigned MostFailures = 3;
/// How often another launch of a class is recorded in place of the one that is kept.
static constexpr unsigned MostReplacements = 4;

double LaunchShape::threads() const {
  double Threads = 1;
  for (unsigned I = 0; I < 3; ++I)
    Threads *= double(Grid[I]) * double(Block[I]);
  return Threads;
}

/// Where only some launches were timed, the others took as long in the mean.
double ClassTable::Class::totalMs() const {
  if (Timed > 0)
    return Ms / double(Timed) * double(std::max<uint64_t>(Launches, Timed));
  return RecordedMs * double(Launches);
}

/// About so long are the launches in which most of the class's time is spent, however many shorter ones there
/// are: the mean of the times, each weighted by itself.
double ClassTable::Class::typicalMs() const { return Ms > 0 ? Squares / Ms : RecordedMs; }

/// On a GPU that was idle a launch takes up to so much longer, which says nothing of its work.
static constexpr double LongestStartMs = 0.01;

/// Of the launch that is kept, as if it had not begun on an idle GPU.
double ClassTable::Class::keptMs() const {
  bool IsAsBeside = BesideMs > 0 && std::fabs(RecordedMs - BesideMs) <= LongestStartMs;
  return IsAsBeside || RecordedMs <= 0 ? BesideMs : RecordedMs;
}

/// A kept launch that is off the typical time by this factor is replaced. It is below OtherWork, since the
/// replay of a launch takes some 10 % more or less than the launch.
static constexpr double Untypical = 1.25;

/// A launch is taken for like the one before it, or the one before that: programs go back and forth.
bool ClassTable::Class::isNextMoreTypical() const {
  double Kept = keptMs();
  if (Kept <= 0 || BeforeMs <= 0)
    return false;
  auto Off = [&](double Ms) { return std::fabs(std::log(Ms / typicalMs())); };
  return Off(Kept) > std::log(Untypical) && std::min(Off(LastMs), Off(BeforeMs)) < Off(Kept);
}

unsigned ClassTable::kernelLocked(StringRef Symbol) {
  auto [At, New] = KernelNumbers.try_emplace(Symbol, Kernels.size());
  if (New) {
    Kernel &K = Kernels.emplace_back();
    K.Symbol = Symbol.str();
    K.Selected = Options.Kernel.empty() || Symbol.contains(Options.Kernel) ||
                 StringRef(demangle(Symbol)).contains(Options.Kernel);
    if (!K.Selected)
      K.Excluded = "not selected by --kernel";
  }
  return At->second;
}

unsigned ClassTable::kernel(StringRef Symbol) {
  std::lock_guard<std::mutex> Held(Lock);
  return kernelLocked(Symbol);
}

void ClassTable::excludeKernel(unsigned Kernel, const std::string &Why) {
  std::lock_guard<std::mutex> Held(Lock);
  if (Kernels[Kernel].Excluded.empty())
    Kernels[Kernel].Excluded = Why;
}

unsigned ClassTable::classLocked(const LaunchShape &Shape) {
  auto [At, New] = ClassNumbers.try_emplace(Shape, Classes.size());
  if (New)
    Classes.emplace_back().Shape = Shape;
  return At->second;
}

unsigned ClassTable::classOf(const LaunchShape &Shape) {
  std::lock_guard<std::mutex> Held(Lock);
  return classLocked(Shape);
}

bool ClassTable::isDueLocked(const Class &C) const {
  return Options.Keep == KeepRule::First && !C.Folder.empty() && C.Replaced < MostReplacements &&
         C.Launches + 1 >= C.NextDue;
}

bool ClassTable::isDue(unsigned Number) {
  std::lock_guard<std::mutex> Held(Lock);
  return isDueLocked(Classes[Number]);
}

bool ClassTable::wants(unsigned Number) {
  std::lock_guard<std::mutex> Held(Lock);
  const Class &C = Classes[Number];
  Kernel &K = Kernels[C.Shape.Kernel];
  if (!K.Excluded.empty() || C.Failures >= MostFailures)
    return false;
  if (!C.Folder.empty())
    return isDueLocked(C) && C.isNextMoreTypical();
  if (Options.Keep == KeepRule::Largest)
    return C.Shape.threads() > K.MostThreads;
  return K.Recorded < Options.MaxClasses;
}

bool ClassTable::fits(uint64_t Bytes, std::string &Why) {
  std::lock_guard<std::mutex> Held(Lock);
  if (Bytes > Options.MaxBytes)
    Why = "its data is larger than --max-bytes (" + std::to_string((Bytes >> 20) + 1) + " MiB)";
  else if (Bytes > Options.MaxTotal - std::min(Options.MaxTotal, UsedBytes))
    Why = "--max-total is used up";
  else
    return true;
  return false;
}

void ClassTable::launched(unsigned Number) {
  std::lock_guard<std::mutex> Held(Lock);
  Class &C = Classes[Number];
  ++C.Launches;
  if (C.Launches >= C.NextDue)
    C.NextDue = C.Launches + C.Launches / 2;
  Kernel &K = Kernels[C.Shape.Kernel];
  if (C.Launches == 1 && C.Folder.empty() && K.Excluded.empty() && Options.Keep == KeepRule::First &&
      K.Recorded >= Options.MaxClasses)
    ++K.Reasons["the kernel has more launch classes than --max-classes"];
}

void ClassTable::notRecorded(unsigned Number, const std::string &Why, bool Permanent) {
  std::lock_guard<std::mutex> Held(Lock);
  Class &C = Classes[Number];
  C.Failures += Permanent;
  ++Kernels[C.Shape.Kernel].Reasons[Why];
}

std::vector<std::string> ClassTable::dropOthers(unsigned Current) {
  std::vector<std::string> Dropped;
  for (const auto &[Number, C] : enumerate(Classes)) {
    if (Number == Current || C.Shape.Kernel != Classes[Current].Shape.Kernel || C.Folder.empty())
      continue;
    Dropped.push_back(std::move(C.Folder));
    C.Folder.clear();
    UsedBytes -= C.Bytes;
    --Kernels[C.Shape.Kernel].Recorded;
  }
  return Dropped;
}

std::vector<std::string> ClassTable::recorded(unsigned Number, std::string Folder, Recording R,
                                              uint64_t Bytes, uint32_t Correlation) {
  std::lock_guard<std::mutex> Held(Lock);
  Class &C = Classes[Number];
  Kernel &K = Kernels[C.Shape.Kernel];
  bool IsFirst = C.Folder.empty();
  C.Replaced += !IsFirst;
  K.Recorded += IsFirst;
  UsedBytes += Bytes - (IsFirst ? 0 : C.Bytes);
  C.Folder = std::move(Folder);
  C.Kept = std::move(R);
  C.Bytes = Bytes;
  C.BesideMs = C.LastMs;
  C.RecordedMs = 0;
  C.Correlation = Correlation;
  K.MostThreads = std::max(K.MostThreads, C.Shape.threads());
  RecordedCorrelations[Correlation] = Number;
  return Options.Keep == KeepRule::Largest ? dropOthers(Number) : std::vector<std::string>();
}

void ClassTable::timed(StringRef Symbol, LaunchShape Shape, double Ms, uint32_t Correlation, bool InGraph) {
  std::lock_guard<std::mutex> Held(Lock);
  Shape.Kernel = kernelLocked(Symbol);
  if (InGraph) {
    ++Kernels[Shape.Kernel].GraphLaunches;
    Kernels[Shape.Kernel].GraphMs += Ms;
    return;
  }
  Class &C = Classes[classLocked(Shape)];
  if (RecordedCorrelations.contains(Correlation)) {
    if (Correlation == C.Correlation)
      C.RecordedMs = Ms;
    return;
  }
  ++C.Timed;
  C.Ms += Ms;
  C.Squares += Ms * Ms;
  C.BeforeMs = std::exchange(C.LastMs, Ms);
}

std::vector<std::pair<std::string, Recording>> ClassTable::finalRecordings() {
  std::lock_guard<std::mutex> Held(Lock);
  std::vector<std::pair<std::string, Recording>> All;
  for (const Class &C : Classes) {
    if (C.Folder.empty())
      continue;
    All.emplace_back(C.Folder, C.Kept);
    All.back().second.Launches = C.Launches;
    All.back().second.GpuMs = C.totalMs();
    All.back().second.TypicalMs = C.typicalMs();
  }
  return All;
}

std::vector<KernelSummary> ClassTable::summary() {
  std::lock_guard<std::mutex> Held(Lock);
  std::vector<KernelSummary> All;
  for (const Kernel &K : Kernels) {
    KernelSummary &S = All.emplace_back();
    S.Symbol = K.Symbol;
    S.Launches = K.GraphLaunches;
    S.Ms = K.GraphMs;
    S.Reasons = K.Reasons;
    if (K.GraphLaunches > 0)
      S.Reasons["in a graph"] = K.GraphLaunches;
    if (!K.Excluded.empty())
      S.Reasons[K.Excluded] = 0;
  }
  for (const Class &C : Classes) {
    KernelSummary &S = All[C.Shape.Kernel];
    S.Launches += C.Launches;
    S.Ms += C.totalMs();
    S.Classes += C.Launches > 0 || C.Timed > 0; // Not where all launches have failed.
    S.Recorded += !C.Folder.empty();
    S.RecordedBytes += C.Folder.empty() ? 0 : C.Bytes;
  }
  erase_if(All, [](const KernelSummary &S) { return S.Launches == 0 && S.Reasons.empty(); });
  stable_sort(All, [](const KernelSummary &A, const KernelSummary &B) { return A.Ms > B.Ms; });
  return All;
}

} // namespace gpuprune
