//===- CheckQueue.cpp - Checks on the CPU that go on behind -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Check/CheckQueue.h"
#include "gpuprune/Support/Background.h"
#include "gpuprune/Support/CpuTime.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

CheckQueue::CheckQueue(CheckFunction RunCheck, unsigned Jobs, bool Behind, StepFunction OnStep)
    : RunCheck(std::move(RunCheck)), Behind(Behind), OnStep(std::move(OnStep)),
      Pool(hardware_concurrency(Behind ? threadsBehind(Jobs) : Jobs)) {}

CheckQueue::~CheckQueue() {
  drop();
  Pool.wait();
}

void CheckQueue::add(size_t Row, const BuiltVariant &V, const BuiltVariant &Reference, CheckDepth Depth,
                     const VariantResult &Known, CheckTurn Turn) {
  {
    std::unique_lock<std::mutex> Guard(Lock);
    auto [Place, IsNew] = Checks.try_emplace(Row);
    Check &C = Place->second;
    Finished.wait(Guard, [&] { return C.Is != State::Running; });
    bool Waits = !IsNew && C.Is == State::Waiting;
    if (Waits) { // For its turn, which may be sooner now.
      Depth = std::max(Depth, C.Depth);
      Turn = is_contained(Now, Row) ? CheckTurn::Now : Turn;
      erase(Now, Row);
      erase(Later, Row);
    }
    C = {&V, &Reference, Depth, Known, State::Waiting};
    (Turn == CheckTurn::Now ? Now : Later).push_back(Row);
    if (Waits)
      return;
    ++Added;
  }
  Pool.async([this] { runNext(); });
}

/// Null where those that waited were dropped.
CheckQueue::Check *CheckQueue::beginNext() {
  std::lock_guard<std::mutex> Guard(Lock);
  std::deque<size_t> &From = Now.empty() ? Later : Now;
  if (From.empty())
    return nullptr;
  Check &C = Checks.at(From.front());
  From.pop_front();
  C.Is = State::Running;
  return &C;
}

void CheckQueue::runNext() {
  Check *C = beginNext();
  if (!C)
    return;
  if (Behind)
    runShortlyBehind();
  double CpuBefore = threadCpuMs();
  // Nobody else looks at it before it is done.
  RunCheck(*C->V, *C->Reference, C->Depth, C->Found);
  std::lock_guard<std::mutex> Guard(Lock);
  CpuMs += threadCpuMs() - CpuBefore;
  finish(*C, State::Done);
}

void CheckQueue::finish(Check &C, State Is) {
  C.Is = Is;
  ++Done;
  if (OnStep)
    OnStep(Done, Added);
  Finished.notify_all();
}

bool CheckQueue::has(size_t Row) const {
  std::lock_guard<std::mutex> Guard(Lock);
  return Checks.contains(Row);
}

bool CheckQueue::settled(size_t Row) const {
  auto Known = Checks.find(Row);
  return Known == Checks.end() || Known->second.isSettled();
}

bool CheckQueue::isSettled(size_t Row) const {
  std::lock_guard<std::mutex> Guard(Lock);
  return settled(Row);
}

/// Whether \p Holds, in the end.
bool CheckQueue::waitFor(std::unique_lock<std::mutex> &Guard, std::optional<Clock::time_point> Deadline,
                         function_ref<bool()> Holds) {
  if (Deadline)
    return Finished.wait_until(Guard, *Deadline, Holds);
  Finished.wait(Guard, Holds);
  return true;
}

const VariantResult *CheckQueue::await(size_t Row, std::optional<Clock::time_point> Deadline) {
  std::unique_lock<std::mutex> Guard(Lock);
  auto Known = Checks.find(Row);
  if (Known == Checks.end())
    return nullptr;
  const Check &C = Known->second;
  waitFor(Guard, Deadline, [&] { return C.isSettled(); });
  return C.Is == State::Done ? &C.Found : nullptr;
}

std::optional<size_t> CheckQueue::awaitFirst(ArrayRef<size_t> Rows,
                                             std::optional<Clock::time_point> Deadline) {
  if (Rows.empty())
    return std::nullopt;
  std::unique_lock<std::mutex> Guard(Lock);
  const size_t *First = nullptr;
  bool Is = waitFor(Guard, Deadline, [&] {
    First = find_if(Rows, [this](size_t Row) { return settled(Row); });
    return First != Rows.end();
  });
  return Is ? std::optional<size_t>(First - Rows.begin()) : std::nullopt;
}

void CheckQueue::drop() {
  std::lock_guard<std::mutex> Guard(Lock);
  for (std::deque<size_t> *Waiting : {&Now, &Later})
    for (size_t Row : std::exchange(*Waiting, {}))
      finish(Checks.at(Row), State::Dropped);
}

double CheckQueue::takeCpuMs() {
  std::lock_guard<std::mutex> Guard(Lock);
  return std::exchange(CpuMs, 0);
}

} // namespace gpuprune
