//===- Programs.cpp - A kernel tree compiled ----------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Programs.h"
#include "KernelEmitter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/StructuralHash.h"

using namespace llvm;

namespace gpuprune::differential {

static SmallString<0> bitcodeOf(const Module &M) {
  SmallString<0> Bitcode;
  raw_svector_ostream OS(Bitcode);
  WriteBitcodeToFile(M, OS);
  return Bitcode;
}

AuthorLaunch authorLaunch(const KernelTree &Kernel) {
  return {Kernel.Grid, Kernel.Block, Kernel.dynamicBytes()};
}

SmallString<0> sourceOf(const KernelTree &Kernel) {
  LLVMContext Context;
  return bitcodeOf(*emitKernel(Kernel, Context));
}

Expected<VariantCode> compile(StringRef Source, const KernelTree &Kernel, const Pipeline &Passes) {
  VariantRequest Request;
  Request.Bitcode = Source;
  Request.Pipeline = join(Passes, ",");
  Request.Kernel = KernelName;
  Request.Launch.Grid = Kernel.Grid;
  Request.Launch.Block = Kernel.Block;
  Request.Launch.SharedBytes = Kernel.dynamicBytes();
  Request.Launch.Scalars.resize(ParameterCount);
  Request.Launch.Scalars[N] = Kernel.N;
  Request.Launch.Scalars[M] = Kernel.M;
  Request.CollectLoops = Request.KeepFinalBitcode = true;
  return compileVariant(Request);
}

stable_hash structureOf(StringRef Bitcode) {
  LLVMContext Context;
  std::unique_ptr<Module> M = cantFail(parseBitcodeFile(MemoryBufferRef(Bitcode, "kernel"), Context));
  return StructuralHash(*M, /*DetailedHash=*/true);
}

/// Puts \p Made into the first place of \p M where it fits.
static void makeMistake(Module &M, Mistake Made) {
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      bool Barrier = Call && Call->getIntrinsicID() == Intrinsic::nvvm_barrier_cta_sync_aligned_all;
      if (Made == Mistake::LostBarrier && Barrier) {
        I.eraseFromParent();
        return;
      }
      if (Made == Mistake::WrongOperation && I.getOpcode() == Instruction::FAdd) {
        I.replaceAllUsesWith(
            BinaryOperator::CreateFSub(I.getOperand(0), I.getOperand(1), "", I.getIterator()));
        return;
      }
      if (auto *Store = dyn_cast<StoreInst>(&I); Made == Mistake::WrongIndex && Store) {
        IRBuilder<> B(Store);
        Value *Next = B.CreateConstGEP1_32(B.getInt8Ty(), Store->getPointerOperand(), 4);
        Store->setOperand(StoreInst::getPointerOperandIndex(), Next);
        return;
      }
    }
}

SmallString<0> withMistake(StringRef Bitcode, Mistake Made) {
  LLVMContext Context;
  std::unique_ptr<Module> M = cantFail(parseBitcodeFile(MemoryBufferRef(Bitcode, "kernel"), Context));
  makeMistake(*M, Made);
  return bitcodeOf(*M);
}

} // namespace gpuprune::differential
