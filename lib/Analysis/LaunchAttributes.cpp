//===- LaunchAttributes.cpp - A kernel's launch contract in IR ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/LaunchAttributes.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace gpuprune {

static std::string attributeOf(const ContractField &Field) { return ("gpuprune-" + Field.Name).str(); }

/// Whether \p Kernel has the parameters that \p Contract names: hidden ones are its last.
static bool hasParameters(const Function &Kernel, const LaunchContract &Contract) {
  size_t Hidden = Contract.Hidden.size();
  return Hidden <= Kernel.arg_size() &&
         all_of(drop_begin(Kernel.args(), Kernel.arg_size() - Hidden),
                [](const Argument &A) { return A.getType()->isIntegerTy(32); }) &&
         all_of(Contract.ConstantCopies,
                [&](const ConstantCopy &Copy) { return Copy.Argument < Kernel.arg_size(); });
}

Expected<LaunchContract> readLaunchContract(const Function &Kernel) {
  LaunchContract Contract;
  for (const ContractField &Field : contractFields()) {
    Attribute Recorded = Kernel.getFnAttribute(attributeOf(Field));
    if (!Recorded.isValid())
      continue;
    StringRef Text = Recorded.getValueAsString();
    // After each field, so that the message names the one at fault.
    if (!Field.Parse(Text, Contract) || !hasParameters(Kernel, Contract))
      return makeError(ErrorKind::Input, "attribute \"" + Twine(attributeOf(Field)) + "\"=\"" + Text +
                                             "\" on kernel '" + Kernel.getName() + "': expected " +
                                             Field.Expected + "; compile the kernel again");
  }
  return Contract;
}

void writeLaunchContract(Function &Kernel, const LaunchContract &Contract) {
  for (const ContractField &Field : contractFields()) {
    Kernel.removeFnAttr(attributeOf(Field));
    if (std::string Text = Field.Print(Contract); !Text.empty())
      Kernel.addFnAttr(attributeOf(Field), Text);
  }
}

} // namespace gpuprune
