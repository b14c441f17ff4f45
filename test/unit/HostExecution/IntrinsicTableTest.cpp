//===- IntrinsicTableTest.cpp - Every row of the tables makes code -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../ExpectedTesting.h"
#include "gpuprune/HostExecution/HostProgram.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace gpuprune;
using namespace llvm;

namespace {

struct Row {
  Intrinsic::ID Id;
  const char *Name;
};

const Row Rows[] = {
#define HOST_INTRINSIC(Id, Result) {Intrinsic::nvvm_##Id, #Id},
#include "../../../lib/HostExecution/Lowering/HostIntrinsics.def"
};

/// A type that an overloaded intrinsic is called with.
SmallVector<Type *> overloads(StringRef Name, LLVMContext &C) {
  Type *Pointer = PointerType::get(C, 0), *Global = PointerType::get(C, 1);
  if (Name.starts_with("ldu_global"))
    return {Name.ends_with("_f")   ? Type::getFloatTy(C)
            : Name.ends_with("_i") ? Type::getInt32Ty(C)
                                   : Pointer,
            Global};
  if (Name.starts_with("atomic_"))
    return {Name.contains("_gen_f_") ? Type::getFloatTy(C) : Type::getInt32Ty(C), Pointer};
  if (Name == "internal_addrspace_wrap" || Name == "move_ptr")
    return {Pointer, Pointer};
  if (Name.ends_with("_clamp"))
    return {Type::getInt32Ty(C)};
  return {Type::getFloatTy(C)};
}

/// A kernel that calls the intrinsic of \p R with its own parameters, or with
/// constants where it takes nothing else.
std::unique_ptr<Module> kernelCalling(const Row &R, LLVMContext &C) {
  auto M = std::make_unique<Module>("row", C);
  M->setTargetTriple(Triple("nvptx64-nvidia-cuda"));
  M->setDataLayout("e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64");
  Function *Callee = Intrinsic::isOverloaded(R.Id)
                         ? Intrinsic::getOrInsertDeclaration(M.get(), R.Id, overloads(R.Name, C))
                         : Intrinsic::getOrInsertDeclaration(M.get(), R.Id);
  FunctionType *T = Callee->getFunctionType();
  auto *Kernel = Function::Create(FunctionType::get(Type::getVoidTy(C), T->params(), false),
                                  GlobalValue::ExternalLinkage, "kernel", M.get());
  Kernel->setCallingConv(CallingConv::PTX_Kernel);
  IRBuilder<> B(BasicBlock::Create(C, "", Kernel));
  SmallVector<Value *> Arguments;
  for (Argument &A : Kernel->args()) {
    bool Immediate = Callee->hasParamAttribute(A.getArgNo(), Attribute::ImmArg);
    Arguments.push_back(Immediate ? ConstantInt::get(A.getType(), 1) : static_cast<Value *>(&A));
  }
  B.CreateCall(Callee, Arguments);
  B.CreateRetVoid();
  return M;
}

TEST(IntrinsicTableTest, EveryRowMakesCode) {
  ASSERT_GT(std::size(Rows), 500u);
  for (const Row &R : Rows) {
    LLVMContext Context;
    std::unique_ptr<Module> M = kernelCalling(R, Context);
    Expected<std::unique_ptr<HostProgram>> Program = HostProgram::create(*M);
    if (!Program)
      ADD_FAILURE() << R.Name << ": " << toString(Program.takeError());
  }
}

TEST(IntrinsicTableTest, WhatHasNoRowIsRefusedByName) {
  LLVMContext Context;
  std::unique_ptr<Module> M = kernelCalling({Intrinsic::nvvm_mbarrier_init_shared, ""}, Context);
  TakenError E = takeError(HostProgram::create(*M).takeError());
  EXPECT_EQ(E.Kind, ErrorKind::Refused);
  EXPECT_NE(E.Text.find("'llvm.nvvm.mbarrier.init.shared' cannot run on the CPU"), std::string::npos)
      << E.Text;
}

} // namespace
