//===- PtxLowering.h - PTX instructions as IR of this machine ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One meaning for each PTX instruction, whether it comes as inline PTX or as an
// intrinsic: HostIntrinsics.def says which instruction an intrinsic is.
// PtxInstructions.def lists the instructions; what they compute is in
// PtxFloat.cpp, PtxConvert.cpp, PtxInteger.cpp, PtxMemory.cpp and PtxThreads.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_PTXLOWERING_H
#define GPUPRUNE_LIB_HOSTEXECUTION_PTXLOWERING_H

#include "Engine/PtxOperation.h"
#include "Engine/ThreadAccess.h"

namespace gpuprune {

/// Emits IR for PTX instructions. Registers hold values of any type; each
/// instruction takes their bits as the types in its opcode.
class PtxLowering {
public:
  using Values = llvm::SmallVector<llvm::Value *, 4>;
  using Sources = llvm::ArrayRef<llvm::Value *>;

  PtxLowering(llvm::IRBuilder<> &Builder, ThreadAccess &Threads) : B(Builder), Threads(Threads) {}
  ThreadAccess &threads() { return Threads; }

  /// The results of \p Opcode for \p Operands, its destinations left out; none if
  /// the instruction, or one of its modifiers, is not known.
  std::optional<Values> lower(llvm::StringRef Opcode, Sources Operands);
  /// A special register such as "tid.x"; null where it is not known.
  llvm::Value *specialRegister(llvm::StringRef Name);

  /// The bits of \p V as \p Type: truncated, or extended with zeros.
  llvm::Value *as(llvm::Value *V, llvm::Type *Type);
  /// What cvt.rzi makes of a float: out of range is the nearest integer, NaN is 0
  /// or, where a 64-bit type is involved, the sign bit alone.
  llvm::Value *floatToInteger(llvm::Value *V, llvm::Type *Type, bool Signed);
  /// \p V with its denormals made zeros of the same sign.
  llvm::Value *flush(llvm::Value *V);
  /// Calls a function of DeviceRuntime.def; onThread passes the thread first.
  llvm::CallInst *runtime(llvm::StringRef Function, llvm::Type *Result, Sources Arguments);
  llvm::CallInst *onThread(llvm::StringRef Function, llvm::Type *Result,
                           llvm::SmallVector<llvm::Value *> Arguments);

private:
  llvm::IRBuilder<> &B;
  ThreadAccess &Threads;
  llvm::Value *Carry = nullptr; ///< CC.CF, i1.

  llvm::Type *i1() { return B.getInt1Ty(); }
  llvm::Type *i32() { return B.getInt32Ty(); }
  llvm::Type *i64() { return B.getInt64Ty(); }
  llvm::Type *typeOf(PtxType T) { return T.in(B.getContext()); }

#define PTX_INSTRUCTION(Name, Handler) Values Handler(PtxOperation &Op, Sources Operands);
#include "PtxInstructions.def"

  // Floating point. Element functions take and give values of the type in which
  // is computed: double for f64, else float.
  llvm::Value *widen(llvm::Value *V);
  llvm::Value *narrow(llvm::Value *V, PtxType T);
  llvm::Value *saturate(llvm::Value *V);
  llvm::Value *relu(llvm::Value *V);
  Values perElement(PtxOperation &Op, Sources Operands, llvm::function_ref<llvm::Value *(Sources)> Compute);
  llvm::Value *rounded(llvm::StringRef Operation, Rounding Mode, Sources Operands);
  llvm::Value *fused(PtxType T, Rounding Mode, Sources Operands);
  llvm::Value *approximate(llvm::StringRef Function, llvm::Value *V);
  llvm::Value *minMax(PtxOperation &Op, bool Max, Sources Operands);
  llvm::Value *compareFloat(llvm::StringRef Comparison, llvm::Value *X, llvm::Value *Y);
  llvm::Value *compareInteger(llvm::StringRef Comparison, PtxType T, llvm::Value *X, llvm::Value *Y);
  /// A comparison of type \p T with its modifiers, i1 or <2 x i1>.
  llvm::Value *compare(PtxOperation &Op, PtxType T, Sources Operands);
  llvm::Value *roundToIntegral(llvm::Value *V, Rounding Mode);
  llvm::Value *convertFloat(llvm::Value *V, PtxType From, PtxType To, Rounding Mode);
  llvm::Value *convertElement(llvm::Value *V, PtxType From, PtxType To, Rounding Mode, bool Integral);

  // Integers.
  llvm::Value *productOf(PtxOperation &Op, PtxType T, llvm::Value *X, llvm::Value *Y);
  llvm::Value *withCarry(PtxOperation &Op, llvm::Value *X, llvm::Value *Y, bool In, bool Subtract);
  llvm::Value *dotProduct(PtxOperation &Op, Sources Operands, unsigned ElementBits, unsigned Count);

  // Memory and threads.
  llvm::Value *address(PtxOperation &Op, llvm::Value *Operand);
  Values atomic(PtxOperation &Op, Sources Operands);
  Values barrier(PtxOperation &Op, Sources Operands);
  llvm::Value *warp(unsigned Operation, llvm::Value *Mask, llvm::Value *Value,
                    llvm::Value **Predicate = nullptr);
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_PTXLOWERING_H
