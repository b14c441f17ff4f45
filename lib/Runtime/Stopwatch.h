//===- Stopwatch.h - Times runs with CUDA events -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_STOPWATCH_H
#define GPUPRUNE_LIB_RUNTIME_STOPWATCH_H

#include "DeviceBuffers.h"
#include "LoadedProgram.h"

namespace gpuprune {

/// A program over one or more copies of its buffers, which its runs use in turn.
class RotatingProgram {
public:
  void add(BufferSet Buffers, LoadedProgram Program);
  /// Brings all copies into the state a run starts from.
  llvm::Error prepare(uint8_t Pattern) const;
  /// The same after a run over the first copy, whose buffers but for the guard zones may be as they are.
  llvm::Error prepareAfterCheck(uint8_t Pattern) const;
  /// Where the runs wrote what is not theirs: the guard zones of all copies, and in buffers.
  llvm::Expected<std::optional<protocol::Mismatch>> checkGuards(uint8_t Pattern) const;
  llvm::Expected<std::optional<protocol::Mismatch>> checkInputs() const;
  /// Fills the symbols and states the carve-outs; to be called when another program may have run.
  llvm::Error setUp() const;
  /// Brings back the inout buffers that the next \p Runs runs use, and makes what the timed launches start
  /// from.
  llvm::Error startOver(uint32_t Runs) const;
  /// Enqueues the timed launches of one run.
  llvm::Error launch();
  uint64_t runs() const { return Runs; } ///< Enqueued so far.

  struct Copy {
    BufferSet Buffers;
    LoadedProgram Program;
  };
  const Copy &first() const { return Copies.front(); }

private:
  std::vector<Copy> Copies;
  size_t Next = 0;
  uint64_t Runs = 0;
};

/// Two events around runs on the default stream.
class Stopwatch {
public:
  /// \p FlushBytes of memory are written over before each timing; 0: none. Error: JobFailure.
  static llvm::Expected<std::unique_ptr<Stopwatch>> create(const Gpu &G, uint64_t FlushBytes);

  /// Milliseconds of one run, averaged over \p Runs in a row, before which inout buffers are brought back if
  /// \p Restore. \p Meanwhile is called while the GPU is at work.
  llvm::Expected<double> time(RotatingProgram &Program, uint32_t Runs, bool Restore,
                              llvm::function_ref<void()> Meanwhile);
  /// Milliseconds of all runs so far.
  double timedMs() const { return TimedMs; }
  /// A run that was timed elsewhere counts, too.
  void add(double Ms) { TimedMs += Ms; }

private:
  Stopwatch(const Gpu &G, uint64_t FlushBytes) : Owner(G), FlushBytes(FlushBytes) {}
  const Gpu &Owner;
  uint64_t FlushBytes;
  double TimedMs = 0;
  DeviceMemory Flushed;
  std::unique_ptr<EventPair> Events;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_STOPWATCH_H
