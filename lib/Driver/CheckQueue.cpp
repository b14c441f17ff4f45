//===- CheckQueue.cpp - Checks on the CPU that go on behind -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/CheckQueue.h"
#include "Background.h"
#include "gpuprune/Support/CpuTime.h"

using namespace llvm;

namespace gpuprune {

CheckQueue::CheckQueue(CpuCheck &Oracle, unsigned Jobs, bool Behind, StepFunction OnStep)
    : Oracle(Oracle), Behind(Behind), OnStep(std::move(OnStep)),
      Pool(hardware_concurrency(Behind ? threadsBehind(Jobs) : Jobs)) {}

CheckQueue::~CheckQueue() {
  drop();
  Pool.wait();
}

void CheckQueue::add(size_t Row, const BuiltVariant &V, const BuiltVariant &Reference, CheckDepth Depth,
                     const VariantResult &Known) {
  Check *C;
  size_t Number;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    if (Done == Added)
      CpuBefore = processCpuMs();
    Number = Added++;
    C = &Checks[Row];
    *C = {Known, State::Waiting};
  }
  Pool.async([this, C, Number, &V, &Reference, Depth] {
    {
      std::lock_guard<std::mutex> Guard(Lock);
      if (Number < Dropped)
        return finish(*C, State::Dropped);
    }
    if (Behind)
      runBehind();
    // Nobody else looks at it before it is done.
    Oracle.check(V, Reference, Depth, C->Found);
    std::lock_guard<std::mutex> Guard(Lock);
    finish(*C, State::Done);
  });
}

void CheckQueue::finish(Check &C, State Is) {
  C.Is = Is;
  if (++Done == Added)
    CpuMs += processCpuMs() - CpuBefore;
  if (OnStep)
    OnStep(Done, Added);
  Finished.notify_all();
}

bool CheckQueue::has(size_t Row) const {
  std::lock_guard<std::mutex> Guard(Lock);
  return Checks.contains(Row);
}

const VariantResult *CheckQueue::await(size_t Row, std::optional<Clock::time_point> Deadline) {
  std::unique_lock<std::mutex> Guard(Lock);
  auto Known = Checks.find(Row);
  if (Known == Checks.end())
    return nullptr;
  const Check &C = Known->second;
  auto IsSettled = [&] { return C.Is != State::Waiting; };
  if (Deadline)
    Finished.wait_until(Guard, *Deadline, IsSettled);
  else
    Finished.wait(Guard, IsSettled);
  return C.Is == State::Done ? &C.Found : nullptr;
}

void CheckQueue::drop() {
  std::lock_guard<std::mutex> Guard(Lock);
  Dropped = Added;
}

double CheckQueue::takeCpuMs() {
  std::lock_guard<std::mutex> Guard(Lock);
  return std::exchange(CpuMs, 0);
}

} // namespace gpuprune
