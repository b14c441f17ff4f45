//===- IntrinsicLowering.h - Replaces llvm.nvvm intrinsics ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_INTRINSICLOWERING_H
#define GPUPRUNE_LIB_HOSTEXECUTION_INTRINSICLOWERING_H

#include "ThreadAccess.h"

namespace gpuprune {

/// The expressions of HostIntrinsics.def, each for one call of an intrinsic.
class IntrinsicLowering {
public:
  IntrinsicLowering(llvm::CallBase &Call, ThreadAccess &Threads) : Call(Call), Threads(Threads), B(&Call) {}

  /// The value that replaces the call; null where the table has no row.
  llvm::Value *lower();

private:
  llvm::CallBase &Call;
  ThreadAccess &Threads;
  llvm::IRBuilder<> B;

  llvm::Value *A(unsigned Index) { return Call.getArgOperand(Index); }
  llvm::Value *constant(uint32_t Value) { return B.getInt32(Value); }
  llvm::Value *threadField(uint64_t Offset) { return Threads.threadField(B, B.getInt32Ty(), Offset); }
  llvm::Value *blockField(uint64_t Offset) { return Threads.blockField(B, B.getInt32Ty(), Offset); }
  /// Calls a function of DeviceRuntime.def with the thread as the first argument.
  llvm::Value *onThread(llvm::StringRef Function, llvm::ArrayRef<llvm::Value *> Arguments);
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_INTRINSICLOWERING_H
