//===- Messages.cpp - What a build says of tuning records ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Messages.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuprune {

static void say(Module &M, const Twine &Text, DiagnosticSeverity Severity) {
  M.getContext().diagnose(DiagnosticInfoGeneric("gpuprune: " + Text, Severity));
}

void warnOfRecord(Module &M, const Twine &File, const Twine &Why) {
  say(M, "tuning record '" + File + "' is not used: " + Why, DS_Warning);
}

void noteOfRecords(Module &M, const Twine &Why) { say(M, "tuning records are not used: " + Why, DS_Remark); }

} // namespace gpuprune
