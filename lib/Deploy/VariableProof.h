//===- VariableProof.h - That a program never writes a variable ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang stands for a __constant__ variable by a variable of the host, its shadow, whose address it
// registers with CUDA's runtime together with the variable's name:
//
//   @cx = internal global [9 x i32] undef
//   call void @__cudaRegisterVar(ptr %module, ptr @cx, ptr @name, ptr @name, ...)
//
// cudaMemcpyToSymbol and all else of the runtime that writes the variable is given the shadow's address.
// Without relocatable device code the shadow is internal, so that no other file has that address: where this
// file does nothing with it but register it, nobody writes the variable. (By the driver's API a program
// could ask for the module of a kernel and for the variable's address by name; docs/tuning-records.md.)
// With relocatable device code other files can name the variable, and nothing is proved.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DEPLOY_VARIABLEPROOF_H
#define GPUPRUNE_LIB_DEPLOY_VARIABLEPROOF_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include <string>

namespace gpuprune {

/// Why the program of which \p M is a host module may write the variable \p Symbol of the module's own device
/// code, in a few words; empty where nothing in it can.
std::string whyMayBeWritten(llvm::Module &M, llvm::StringRef Symbol);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_DEPLOY_VARIABLEPROOF_H
