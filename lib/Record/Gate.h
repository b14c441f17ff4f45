//===- Gate.h - One launch alone, all other calls together ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RECORD_GATE_H
#define GPUPRUNE_LIB_RECORD_GATE_H

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace gpuprune {

/// A lock that calls of CUDA share and a recorded launch has alone, whose holder never keeps the others for
/// longer than a time limit: then they go on, and what is being recorded is dropped.
class Gate {
public:
  using Duration = std::chrono::duration<double>;
  /// \p Wait is how long a call waits for a recording, \p Patience how long a recording waits for the calls
  /// that are under way.
  Gate(Duration Wait, Duration Patience) : Wait(Wait), Patience(Patience) {}

  /// Before and after a call that is not recorded.
  void enter();
  void leave();

  /// Before and after a launch that is recorded. False where other calls did not end in time, or another
  /// launch is being recorded: then the gate is as it was.
  bool enterAlone();
  void leaveAlone();

  /// To be asked by the holder: whether others have lost their patience. What they do now is not known.
  bool broken();

private:
  std::mutex Lock;
  std::condition_variable Changed;
  const Duration Wait, Patience;
  unsigned Sharing = 0; ///< Calls under way.
  bool Alone = false;   ///< A recorded launch is under way, or waits for the calls above.
  bool Broken = false;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RECORD_GATE_H
