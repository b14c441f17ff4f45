//===- KernelParameters.cpp - What a kernel takes ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/KernelParameters.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/Kernels.h"
#include "llvm/Bitcode/BitcodeReader.h"

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

Expected<std::vector<KernelParameter>> kernelParameters(StringRef Bitcode, StringRef Name) {
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> M = parseBitcodeFile(MemoryBufferRef(Bitcode, "device bitcode"), Context);
  if (!M)
    return makeError(ErrorKind::Input, "cannot read the device bitcode: " + toString(M.takeError()));
  SmallVector<Function *, 4> Kernels = selectKernels(**M, Name);
  if (Kernels.size() != 1)
    return makeError(ErrorKind::Input,
                     formatv("{0} kernels are called '{1}'; expected one", Kernels.size(), Name));
  std::vector<KernelParameter> Parameters;
  for (const Argument &A : Kernels.front()->args())
    Parameters.push_back(parameterOf(A, (*M)->getDataLayout()));
  return Parameters;
}

} // namespace gpuprune
