//===- Progress.h - How far a long run is -----------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   codegen    384/1024  37/s
//   measure     12/40     3/s  checked 31/320  best 3.371 ms  -DTILE=16 gpu-block-coarsen<...>
//
// On a terminal one line that is written over; elsewhere a plain line now and
// then. All goes to standard error, so that standard output is the result alone.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_PROGRESS_H
#define GPUPRUNE_DRIVER_PROGRESS_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <mutex>
#include <string>
#include <vector>

namespace gpuprune {

/// Counts the steps of one phase at a time; may be stepped from many threads.
class Progress {
public:
  /// \p Quiet says nothing but warnings.
  Progress(llvm::raw_fd_ostream &OS, bool Quiet);
  ~Progress();

  /// Another one for the same stream, which says nothing until release(): then the lines so far, in
  /// their order, and the phases from the one that is going on.
  Progress held() const { return Progress(OS, Quiet, /*Held=*/true); }
  void release();

  void begin(llvm::StringRef PhaseName, size_t Total);
  /// One step is done; \p Note (the best so far) stays until another one comes.
  void step(llvm::StringRef Note = "");
  /// What else goes on beside the phase \p PhaseName, and how far it is; nothing in other phases.
  void beside(llvm::StringRef PhaseName, llvm::StringRef What);
  void end();
  /// A line of its own.
  void say(const llvm::Twine &Line);
  /// One that is said even by the quiet.
  void warn(const llvm::Twine &Line);

private:
  Progress(llvm::raw_fd_ostream &OS, bool Quiet, bool Held);
  using Clock = std::chrono::steady_clock;
  llvm::raw_fd_ostream &OS;
  const bool Quiet, Terminal;
  std::mutex Lock;
  std::string PhaseName, Note, Beside;
  size_t Done = 0, Total = 0;
  Clock::time_point Begun, Shown;
  bool Open = false; ///< A line on the terminal waits for its end.
  bool Held = false;
  std::vector<std::string> Waiting; ///< Lines, while Held.

  void showInTime();
  void show(bool Last);
  void add(std::string Line);
  void write(llvm::StringRef Line);
  std::string line() const;
};

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_PROGRESS_H
