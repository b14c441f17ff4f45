//===- Gate.cpp - One launch alone, all other calls together -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Gate.h"

namespace gpuprune {

void Gate::enter() {
  std::unique_lock<std::mutex> Held(Lock);
  if (Alone && !Broken && !Changed.wait_for(Held, Wait, [this] { return !Alone || Broken; })) {
    Broken = true;
    Changed.notify_all();
  }
  ++Sharing;
}

void Gate::leave() {
  std::lock_guard<std::mutex> Held(Lock);
  --Sharing;
  if (Sharing == 0)
    Changed.notify_all();
}

bool Gate::enterAlone() {
  std::unique_lock<std::mutex> Held(Lock);
  if (Alone)
    return false;
  Alone = true; // From now on nobody enters, so that the calls under way become fewer.
  Broken = false;
  if (Changed.wait_for(Held, Patience, [this] { return Sharing == 0 || Broken; }) && !Broken)
    return true;
  Alone = false;
  Changed.notify_all();
  return false;
}

void Gate::leaveAlone() {
  std::lock_guard<std::mutex> Held(Lock);
  Alone = false;
  Changed.notify_all();
}

bool Gate::broken() {
  std::lock_guard<std::mutex> Held(Lock);
  return Broken;
}

} // namespace gpuprune
