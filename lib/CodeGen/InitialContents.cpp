//===- InitialContents.cpp - What variables hold when code is loaded --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/InitialContents.h"
#include "ReadDevice.h"
#include "gpuprune/Device/CommonLimits.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

static bool hasContents(const GlobalVariable &V) {
  return V.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST && V.hasInitializer() &&
         !V.getInitializer()->isNullValue() && !V.getInitializer()->needsRelocation() &&
         V.getDataLayout().getTypeAllocSize(V.getValueType()) <= ConstantMemoryBytes;
}

/// What is between the members of a structure is zero in PTX, and so is what is undefined.
static std::string bytesOf(GlobalVariable &V) {
  const DataLayout &Layout = V.getDataLayout();
  Type *Byte = Type::getInt8Ty(V.getContext());
  std::string Bytes(Layout.getTypeAllocSize(V.getValueType()), '\0');
  for (auto [At, Char] : enumerate(Bytes))
    if (auto *Value = dyn_cast_or_null<ConstantInt>(
            ConstantFoldLoadFromConst(V.getInitializer(), Byte, APInt(64, At), Layout)))
      Char = char(Value->getZExtValue());
  return Bytes;
}

Expected<StringMap<std::string>> initialConstants(StringRef Bitcode) {
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> M = readDeviceBitcode(Bitcode, Context);
  if (!M)
    return M.takeError();
  StringMap<std::string> Contents;
  for (GlobalVariable &V : (*M)->globals())
    if (hasContents(V))
      Contents[V.getName()] = bytesOf(V);
  return Contents;
}

} // namespace gpuprune
