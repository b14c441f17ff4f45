//===- LowerVariables.cpp - Constant and global variables --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostLowering.h"
#include "gpuprune/Support/Error.h"

using namespace llvm;

namespace gpuprune {

/// Strings and tables that nobody can write or ask for stay in the code.
static bool isPlainConstant(const GlobalVariable &GV) { return GV.isConstant() && GV.hasLocalLinkage(); }

/// Splits \p GV into the variable, which the program places, and its initial value.
static LoweredVariable makeExternal(GlobalVariable &GV) {
  LoweredVariable Variable{GV.getName().str(), GV.getDataLayout().getTypeAllocSize(GV.getValueType()), ""};
  if (!GV.getInitializer()->isNullValue() && !isa<UndefValue>(GV.getInitializer())) {
    Variable.Initial = "gpuprune.initial." + Variable.Symbol;
    auto *Initial = new GlobalVariable(*GV.getParent(), GV.getValueType(), true, GlobalValue::ExternalLinkage,
                                       GV.getInitializer(), Variable.Initial);
    Initial->setAlignment(GV.getAlign());
  }
  GV.setInitializer(nullptr);
  GV.setLinkage(GlobalValue::ExternalLinkage);
  GV.setConstant(false);
  GV.setVisibility(GlobalValue::DefaultVisibility);
  GV.setDSOLocal(false);
  GV.setComdat(nullptr);
  GV.setSection("");
  return Variable;
}

Expected<std::vector<LoweredVariable>> lowerDeviceVariables(Module &M) {
  std::vector<LoweredVariable> Variables;
  SmallVector<GlobalVariable *> Globals;
  for (GlobalVariable &GV : M.globals())
    Globals.push_back(&GV);
  for (GlobalVariable *GV : Globals) {
    if (GV->getName() == ThreadAccess::StackBytesSymbol)
      continue;
    if (GV->isDeclaration())
      return makeError(ErrorKind::Refused,
                       formatv("variable '{0}' is declared and defined nowhere in the device code; "
                               "separate compilation (-fgpu-rdc) is not supported on the CPU",
                               GV->getName()));
    if (GV->getName() == "llvm.global_ctors")
      return makeError(ErrorKind::Refused,
                       "the device code has constructors of global objects, which do not run on the CPU");
    if (isPlainConstant(*GV))
      GV->setComdat(nullptr);
    else
      Variables.push_back(makeExternal(*GV));
  }
  return Variables;
}

} // namespace gpuprune
