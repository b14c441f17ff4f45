//===- KernelRegistration.cpp - Which kernel a host symbol launches ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelRegistration.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace gpuprune {

/// Of __cudaRegisterFunction(module, stub, symbol, symbol again, ...).
enum RegisterArgument { ModuleArgument, StubArgument, SymbolArgument, SecondSymbolArgument };

/// Of an entry {reserved, version, kind, flags, address, name, size, data, auxiliary}.
enum OffloadField { KindField = 2, AddressField = 4, NameField = 5, SizeField = 6, OffloadFields = 9 };
/// Its kind for CUDA.
static constexpr uint64_t CudaKind = 2;
static constexpr char OffloadSection[] = "llvm_offload_entries";

KernelRegistration::KernelRegistration(Module &M) : M(M) {
  addCalls();
  addOffloadEntries();
}

void KernelRegistration::addCalls() {
  Function *Register = M.getFunction("__cudaRegisterFunction");
  if (!Register)
    return;
  for (User *U : Register->users()) {
    auto *Call = dyn_cast<CallInst>(U);
    if (!Call || Call->getCalledFunction() != Register || Call->arg_size() <= SecondSymbolArgument)
      continue;
    auto *Stub = dyn_cast<GlobalValue>(Call->getArgOperand(StubArgument)->stripPointerCasts());
    StringRef Symbol;
    if (Stub && getConstantStringInfo(Call->getArgOperand(SymbolArgument), Symbol))
      Kernels[Stub] = {Symbol.str(), Call, nullptr};
  }
}

/// An entry of a kernel; those of variables have a size.
static const ConstantStruct *kernelEntry(const GlobalVariable &G) {
  auto *Fields = G.hasInitializer() ? dyn_cast<ConstantStruct>(G.getInitializer()) : nullptr;
  if (G.getSection() != OffloadSection || !Fields || Fields->getNumOperands() != OffloadFields)
    return nullptr;
  auto *Kind = dyn_cast<ConstantInt>(Fields->getOperand(KindField));
  auto *Size = dyn_cast<ConstantInt>(Fields->getOperand(SizeField));
  return Kind && Size && Kind->getZExtValue() == CudaKind && Size->isZero() ? Fields : nullptr;
}

void KernelRegistration::addOffloadEntries() {
  for (GlobalVariable &G : M.globals())
    if (const ConstantStruct *Fields = kernelEntry(G)) {
      auto *Stub = dyn_cast<GlobalValue>(Fields->getOperand(AddressField)->stripPointerCasts());
      StringRef Symbol;
      if (Stub && getConstantStringInfo(Fields->getOperand(NameField), Symbol))
        Kernels[Stub] = {Symbol.str(), nullptr, &G};
    }
}

GlobalVariable *KernelRegistration::add(const Entry &Like, StringRef Symbol) {
  LLVMContext &Context = M.getContext();
  Type *Byte = Type::getInt8Ty(Context);
  auto *Handle = new GlobalVariable(M, Byte, /*isConstant=*/false, GlobalValue::InternalLinkage,
                                    ConstantInt::get(Byte, 0), "gpuprune.handle");
  Constant *Text = ConstantDataArray::getString(Context, Symbol);
  auto *Name = new GlobalVariable(M, Text->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage, Text,
                                  "gpuprune.symbol");
  Name->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  if (Like.Call) {
    auto *Call = cast<CallInst>(Like.Call->clone());
    Call->setArgOperand(StubArgument, Handle);
    Call->setArgOperand(SymbolArgument, Name);
    Call->setArgOperand(SecondSymbolArgument, Name);
    Call->insertAfter(Like.Call->getIterator());
    return Handle;
  }
  auto *Fields = cast<ConstantStruct>(Like.Offload->getInitializer());
  SmallVector<Constant *, OffloadFields> Own;
  for (Use &Field : Fields->operands())
    Own.push_back(cast<Constant>(Field));
  Own[AddressField] = Handle;
  Own[NameField] = Name;
  auto *Entry =
      new GlobalVariable(M, Fields->getType(), Like.Offload->isConstant(), GlobalValue::InternalLinkage,
                         ConstantStruct::get(Fields->getType(), Own), "gpuprune.offload_entry");
  Entry->setSection(OffloadSection);
  Entry->setAlignment(Like.Offload->getAlign());
  appendToCompilerUsed(M, {Entry});
  return Handle;
}

} // namespace gpuprune
