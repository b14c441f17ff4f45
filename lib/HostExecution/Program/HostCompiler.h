//===- HostCompiler.h - IR of this machine to code -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_HOSTCOMPILER_H
#define GPUPRUNE_LIB_HOSTEXECUTION_HOSTCOMPILER_H

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace gpuprune {

/// A code generator for the processor this runs on, for fast code or for code fast. Toolchain error where
/// LLVM was built without one.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createHostTargetMachine(bool FastCode);

/// \p M as an object file.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> compileForHost(llvm::Module &M, llvm::TargetMachine &TM);

/// The stack frames of all functions in \p Object together.
llvm::Expected<uint64_t> frameBytes(const llvm::MemoryBuffer &Object);

/// An empty linker that knows the functions generated code may call.
llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> createHostLinker();

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_HOSTCOMPILER_H
