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

static KernelParameter::Kind kindOf(const Type *T) {
  using Kind = KernelParameter::Kind;
  return T->isPointerTy()         ? Kind::Pointer
         : T->isIntegerTy()       ? Kind::Integer
         : T->isFloatingPointTy() ? Kind::Real
                                  : Kind::Structure;
}

/// Adds the scalars of \p T, which begins at \p Offset.
static void addFields(Type *T, uint64_t Offset, const DataLayout &Layout,
                      std::vector<KernelParameter> &Fields) {
  if (auto *Structure = dyn_cast<StructType>(T)) {
    for (unsigned I = 0; I != Structure->getNumElements(); ++I)
      addFields(Structure->getElementType(I),
                Offset + Layout.getStructLayout(Structure)->getElementOffset(I).getFixedValue(), Layout,
                Fields);
    return;
  }
  auto *Array = dyn_cast<ArrayType>(T);
  auto *Vector = dyn_cast<FixedVectorType>(T);
  if (!Array && !Vector) {
    Fields.push_back({kindOf(T), Layout.getTypeAllocSize(T), Offset});
    return;
  }
  Type *Element = Array ? Array->getElementType() : Vector->getElementType();
  uint64_t Count = Array ? Array->getNumElements() : Vector->getNumElements();
  if (Element->isIntegerTy(8))
    return;
  for (uint64_t I = 0; I != Count; ++I)
    addFields(Element, Offset + I * Layout.getTypeAllocSize(Element), Layout, Fields);
}

static KernelParameter parameterOf(const Argument &A, const DataLayout &Layout) {
  Type *Copied = A.getParamByValType(), *T = Copied ? Copied : A.getType();
  KernelParameter Parameter{Copied ? KernelParameter::Kind::Structure : kindOf(T),
                            Layout.getTypeAllocSize(T)};
  if (Parameter.Is == KernelParameter::Kind::Structure)
    addFields(T, 0, Layout, Parameter.Fields);
  Parameter.IsBool = T->isIntegerTy(1);
  return Parameter;
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
