//===- Messages.cpp - What a build says of tuning records ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Messages.h"
#include "gpuprune/Deploy/TuningRecord.h"
#include "gpuprune/Transforms/Refusal.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuprune {

void warnOfRecord(Module &M, const Twine &File, const Twine &Why) {
  M.getContext().diagnose(
      DiagnosticInfoGeneric("gpuprune: tuning record '" + File + "' is not used: " + Why, DS_Warning));
}

void warnOfRecords(Module &M, StringRef Problem) {
  auto [File, Why] = Problem.split(": ");
  if (File.ends_with(RecordSuffix))
    return warnOfRecord(M, File, Why);
  M.getContext().diagnose(
      DiagnosticInfoGeneric("gpuprune: tuning records in '" + File + "': " + Why, DS_Warning));
}

/// At the file's first function.
static void note(Module &M, StringRef Name, const Twine &What) {
  for (const Function &F : M)
    if (!F.isDeclaration())
      return reportLeft(DeployName, Name, F, What, {});
}

void noteOfRecords(Module &M, const Twine &Why) {
  note(M, "NoRecords", "tuning records are not used: " + Why);
}

void noteOfVariants(Module &M, const Twine &File, const Twine &Why) {
  note(M, "VariantLeft", "not all variants of '" + File + "' are used: " + Why);
}

} // namespace gpuprune
