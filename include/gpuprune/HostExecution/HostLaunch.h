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
#include "gpuprune/Launch/PhysicalLaunch.h"
#include <array>
#include <cstring>

namespace gpuprune {

/// What shared memory holds, byte by byte, before the kernel writes it, in the first and
/// the second of two runs that are compared: what depends on it comes out different.
/// Neither is the pattern of an out buffer (FillPatterns), so that storing it shows, too.
///
/// A NaN would not do: fmaxf, fminf and comparisons drop it, and where it stays it is the same
/// in both runs. These are ordinary numbers in every type, one large and positive, the
/// other negative:
///
///           f16     bf16, f32    f64       signed 32 bits   unsigned 8, 16, 32 bits
///   0x59    171     3.8e15       2.5e122    1499027801      89, 22873, 1499027801
///   0xD5    -93     -2.9e13      -3.1e105   -707406379      213, 54741, 3587560917
///
/// A maximum over them and the data is the first in one run and the data's in the other,
/// a minimum the second and the data's, as long as the data lies between both; the maximum of
/// unsigned numbers is either. Sums and products differ, and as the magnitudes do, so do
/// those of squares and absolute values. Squares of no floating-point type overflow. An index is beyond
/// any buffer in the first and negative in the second. What it does not show: a minimum of unsigned
/// numbers, and a value of which only whether it is 0 matters; HostOptions::WatchMemory does.
inline constexpr std::array<uint8_t, 2> SharedPatterns = {0x59, 0xD5};

/// How a result that is no value of its type becomes one.
enum class Rounding : uint32_t { Nearest, Zero, Down, Up };

/// What is launched, and how: Hidden is among the arguments.
struct HostLaunch : PhysicalLaunch {
  std::string Kernel; ///< Symbol or source name.
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
  /// Each byte of a block's shared memory, static and dynamic, before the kernel writes it, and of
  /// what cp.async writes, until it is waited for. As it is: a NaN, an index that is out of bounds;
  /// SharedPatterns for two runs that are compared.
  uint8_t SharedPattern = 0xFF;
  /// Of operations that round to the nearest on the GPU. Conversions to bf16, and to f16 on a processor
  /// without an instruction for them, do so in any case.
  Rounding Round = Rounding::Nearest;
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
