//===- IdleWait.cpp - Waits for a context, but not for ever --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IdleWait.h"
#include <csignal>
#include <pthread.h>

namespace gpuprune {

void *IdleWait::run(void *Self) {
  static_cast<IdleWait *>(Self)->serve();
  return nullptr;
}

void IdleWait::serve() {
  std::unique_lock<std::mutex> Held(Lock);
  while (true) {
    Changed.wait(Held, [this] { return Asked; });
    CUcontext Of = Context;
    Held.unlock();
    CUresult Code = Driver.CtxSetCurrent(Of);
    if (Code == cuda::Success)
      Code = Driver.CtxSynchronize();
    (void)Driver.CtxSetCurrent(nullptr);
    Held.lock();
    Result = Code;
    Asked = false;
    Changed.notify_all();
  }
}

IdleWait::Outcome IdleWait::wait(CUcontext Of, std::chrono::duration<double> Limit, CUresult &Code) {
  std::unique_lock<std::mutex> Held(Lock);
  if (Asked) // It still waits since an earlier call.
    return Outcome::TimeLimit;
  if (!Started) {
    // The program's signals are not for this thread.
    sigset_t All, Before;
    sigfillset(&All);
    pthread_sigmask(SIG_SETMASK, &All, &Before);
    pthread_t Thread;
    Started = pthread_create(&Thread, nullptr, run, this) == 0;
    if (Started)
      pthread_detach(Thread);
    pthread_sigmask(SIG_SETMASK, &Before, nullptr);
    if (!Started)
      return Outcome::TimeLimit;
  }
  Context = Of;
  Asked = true;
  Changed.notify_all();
  if (!Changed.wait_for(Held, Limit, [this] { return !Asked; }))
    return Outcome::TimeLimit;
  Code = Result;
  return Code == cuda::Success ? Outcome::Idle : Outcome::Failed;
}

} // namespace gpuprune
