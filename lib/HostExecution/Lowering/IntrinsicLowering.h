//===- IntrinsicLowering.h - Replaces llvm.nvvm intrinsics ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_INTRINSICLOWERING_H
#define GPUPRUNE_LIB_HOSTEXECUTION_INTRINSICLOWERING_H

#include "Ptx/PtxLowering.h"

namespace gpuprune {

/// The expressions of HostIntrinsics.def, each for one call of an intrinsic.
class IntrinsicLowering {
public:
  IntrinsicLowering(llvm::CallBase &Call, ThreadAccess &Threads) : Call(Call), B(&Call), Ptx(B, Threads) {}

  /// The value that replaces the call, which for a call without one is anything;
  /// null where the table has no row.
  llvm::Value *lower();

private:
  llvm::CallBase &Call;
  llvm::IRBuilder<> B;
  PtxLowering Ptx;

  llvm::Value *arg(unsigned Index) { return Call.getArgOperand(Index); }
  llvm::Value *special(llvm::StringRef Register) { return Ptx.specialRegister(Register); }
  llvm::Value *ptx(llvm::StringRef Opcode);
  llvm::Value *ptx(llvm::StringRef Opcode, llvm::ArrayRef<llvm::Value *> Operands);
  /// The instruction for the type that the intrinsic is overloaded on.
  llvm::Value *ofType(llvm::StringRef Opcode);
  llvm::Value *nothing() { return llvm::PoisonValue::get(B.getInt1Ty()); }
  llvm::Value *atomic(llvm::AtomicRMWInst::BinOp Operation);
  llvm::Value *compareAndSwap();
  llvm::Value *copyAsync(unsigned Bytes);
  llvm::Value *upperHalf(llvm::Value *Double);
  llvm::Value *doubleOf(llvm::Value *Low, llvm::Value *High);
  bool isTrue(llvm::Value *Flag) { return llvm::cast<llvm::ConstantInt>(Flag)->isOne(); }
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_INTRINSICLOWERING_H
