//===- KernelParameters.cpp - What a kernel takes ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReadDevice.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

std::string KernelParameter::text() const {
  switch (Is) {
  case Kind::Pointer:
    return "a pointer";
  case Kind::Integer:
    return formatv("an integer of {0} byte{1}", Bytes, Bytes == 1 ? "" : "s");
  case Kind::Real:
    return formatv("a floating-point number of {0} bytes", Bytes);
  case Kind::Structure:
    return formatv("a structure of {0} byte{1}", Bytes, Bytes == 1 ? "" : "s");
  }
  llvm_unreachable("every kind has a text");
}

static KernelParameter parameterOf(const Argument &A, const DataLayout &Layout) {
  using Kind = KernelParameter::Kind;
  if (Type *Copied = A.getParamByValType())
    return {Kind::Structure, Layout.getTypeAllocSize(Copied)};
  Type *T = A.getType();
  Kind Is = T->isPointerTy()         ? Kind::Pointer
            : T->isIntegerTy()       ? Kind::Integer
            : T->isFloatingPointTy() ? Kind::Real
                                     : Kind::Structure;
  return {Is, Layout.getTypeAllocSize(T)};
}

std::vector<KernelParameter> parametersOf(const Function &Kernel) {
  std::vector<KernelParameter> Parameters;
  for (const Argument &A : Kernel.args())
    Parameters.push_back(parameterOf(A, Kernel.getDataLayout()));
  return Parameters;
}

Expected<std::vector<KernelParameter>> kernelParameters(StringRef Bitcode, StringRef Name) {
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> M = readDeviceBitcode(Bitcode, Context);
  if (!M)
    return M.takeError();
  Expected<Function *> Kernel = onlyKernel(**M, Name);
  if (!Kernel)
    return Kernel.takeError();
  return parametersOf(**Kernel);
}

} // namespace gpuprune
