//===- HostLaunch.h - A launch on the CPU and what comes of it --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_HOSTEXECUTION_HOSTLAUNCH_H
#define GPUPRUNE_HOSTEXECUTION_HOSTLAUNCH_H

#include "gpuprune/HostExecution/GuardedMemory.h"
#include "gpuprune/HostExecution/MemoryAccess.h"
#include "gpuprune/Support/Dim3.h"
#include <cstring>

namespace gpuprune {

struct HostLaunch {
  std::string Kernel; ///< Symbol or source name.
  Dim3 Grid, Block;
  uint64_t DynamicShared = 0; ///< Bytes.
  /// One a parameter, each of exactly the parameter's size.
  std::vector<std::vector<char>> Arguments;
  /// Blocks to run, by linear index x + gridDim.x * (y + gridDim.y * z); empty: all.
  std::vector<uint64_t> BlockSubset;
  unsigned Workers = 1; ///< Cores to use; 0: all.
  double TimeLimit = 0; ///< Seconds of wall-clock time; 0: none.
  /// How often the loops of a block may go round, all its threads together; 0: no
  /// limit. For programs with HostOptions::CountSteps.
  uint64_t StepLimit = 0;
  /// Not 0: threads of a block take turns in an order drawn from this seed rather
  /// than one after another.
  uint64_t ScheduleSeed = 0;
  /// The buffers of the launch, for messages about addresses and to watch them; may
  /// be null.
  const GuardedMemory *Memory = nullptr;
  /// Called for every access to memory, for programs with HostOptions::WatchMemory.
  AccessTrace Trace;

  template <typename T> HostLaunch &argument(const T &Value) {
    const char *Bytes = reinterpret_cast<const char *>(&Value);
    Arguments.emplace_back(Bytes, Bytes + sizeof(T));
    return *this;
  }
  HostLaunch &argument(const GuardedBuffer &Buffer) { return argument(Buffer.Data); }
};

enum class FaultKind {
  Memory,        ///< An address that belongs to no buffer.
  Guard,         ///< A write beside a buffer, noticed after the launch.
  Unwritten,     ///< A read of what nothing has written, seen with HostOptions::WatchMemory.
  Misaligned,    ///< An address that is no multiple of the access's size, likewise.
  StackOverflow, ///< The thread's stack does not suffice.
  Barrier,       ///< Threads wait at a barrier or in a warp operation that others never reach.
  WarpMask,      ///< A thread calls a warp operation without being in its mask.
  Assertion,     ///< assert() of the kernel.
  Trap,          ///< __trap() or code that cannot be reached.
  Division,      ///< An integer divided by zero, or the least one by -1.
  TimeLimit,
  StepLimit,
};

llvm::StringRef faultKindName(FaultKind Kind);

/// What a kernel did wrong; the launch ends with the block that did it.
struct HostFault {
  FaultKind Kind = FaultKind::Memory;
  std::string Kernel; ///< Symbol.
  Dim3 Block, Thread; ///< blockIdx and threadIdx.
  uint64_t Address = 0;
  std::optional<BufferPlace> Place; ///< Of Address.
  std::string File;                 ///< Empty where unknown.
  unsigned Line = 0;
  std::string Message; ///< All of the above in words.
};

struct LaunchReport {
  /// Of the first block, in linear order, that has one.
  std::optional<HostFault> Fault;
  std::string Output;               ///< What printf printed, in the order of blocks.
  uint64_t Blocks = 0, Threads = 0; ///< That ran to their end.
  uint64_t Switches = 0;            ///< Between threads.
};

} // namespace gpuprune

#endif // GPUPRUNE_HOSTEXECUTION_HOSTLAUNCH_H
