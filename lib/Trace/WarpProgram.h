//===- WarpProgram.h - The part of a kernel that is traced ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRACE_WARPPROGRAM_H
#define GPUPRUNE_LIB_TRACE_WARPPROGRAM_H

#include "Operations.h"
#include "PtxKernel.h"
#include "gpuprune/HostExecution/MemoryAccess.h"
#include "gpuprune/Support/Dim3.h"
#include "gpuprune/Trace/KernelTrace.h"

namespace gpuprune {

/// Registers that differ from block to block, then those that differ from thread to thread; behind them those
/// of the kernel.
enum TraceRegister : uint32_t {
  BlockX,
  BlockY,
  BlockZ,
  ThreadX,
  ThreadY,
  ThreadZ,
  Lane,
  WarpNumber,
  FirstOfKernel
};

/// A register of the warp, or with ConstantBit set one of WarpProgram::Constants.
inline constexpr uint32_t ConstantBit = 0x80000000;

enum class AtomicOperation : uint8_t {
  Add,
  And,
  Or,
  Xor,
  Min,
  Max,
  Exchange,
  CompareAndSwap,
  Increment,
  Decrement
};

/// What threads learn of each other at a barrier.
enum class BarrierResult : uint32_t { Nothing, All, Any, Count };

/// That a thread accesses by one instruction (ld.v8.b32, ld.v4.b64: PTX ISA, ld).
inline constexpr unsigned MostBytesOfAccess = 32;

/// A load, store or atomic operation.
struct TraceAccess {
  uint32_t Site = 0;
  AccessKind Kind = AccessKind::Load;
  PtxSpace Space = PtxSpace::Generic;
  unsigned Elements = 1, ElementBytes = 4;
  bool IsSigned = false, IsFloat = false;
  AtomicOperation Atomic = AtomicOperation::Add;
  uint32_t Base = 0; ///< A register.
  int64_t Offset = 0;
  bool IsRecorded = true;                 ///< Accesses to local memory and parameters are not.
  bool Moves = false;                     ///< What is in memory matters to other accesses.
  llvm::SmallVector<uint32_t, 2> Values;  ///< Registers that are loaded or stored.
  llvm::SmallVector<uint32_t, 1> Results; ///< Of an atomic operation.

  uint32_t bytes() const { return Elements * ElementBytes; }
};

struct TraceStep {
  enum class Form : uint8_t { Compute, Access, Split, Join, Shuffle, Barrier };
  Form Is = Form::Compute;
  bool IsGuardInverted = false;
  uint32_t Guard = TracedInstruction::Unused;
  Operation Function = nullptr;
  uint32_t Out = 0, In[3] = {0, 0, 0};
  uint32_t Access = 0; ///< Index of WarpProgram::Accesses.
  uint32_t Mode = 0;   ///< Of a shuffle: 0 idx, 1 up, 2 down, 3 bfly. Of a barrier: BarrierResult.
};

/// A basic block: its steps, and what follows.
struct TraceBlock {
  uint32_t Begin = 0, End = 0;                    ///< Of the steps.
  uint32_t Condition = TracedInstruction::Unused; ///< A register: true leads to Taken.
  bool IsInverted = false;
  std::optional<uint32_t> Taken, Next; ///< Neither: the threads end. Next is where Condition is false.
  std::optional<uint32_t> Meeting;     ///< Where lanes that part here meet; none: at the end.
  std::optional<uint32_t> Loop;        ///< That it is the header of.
  uint32_t Site = 0;                   ///< Of the branch.
};

struct TraceLoop {
  uint32_t Header = 0;
  std::vector<bool> Contains;   ///< By block.
  std::optional<uint32_t> Exit; ///< Where its branches leave it to.
};

struct WarpProgram {
  std::vector<TraceStep> Steps;
  std::vector<TraceAccess> Accesses;
  std::vector<TraceBlock> Blocks;
  std::vector<TraceLoop> Loops;
  uint32_t Registers = FirstOfKernel; ///< Of a warp.
  std::vector<uint64_t> Constants;    ///< Each for all lanes.
  uint64_t SharedBytes = 0, LocalBytes = 0;
  bool TakesTurns = false; ///< What other threads of the block store in shared memory matters.
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRACE_WARPPROGRAM_H
