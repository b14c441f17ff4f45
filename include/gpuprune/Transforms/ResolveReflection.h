//===- ResolveReflection.h - What libdevice asks about its compile --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libdevice's functions ask by __nvvm_reflect("__CUDA_FTZ") and ("__CUDA_ARCH") what they are
// compiled for. clang and llc answer at the beginning of their pipelines (NVPTX's NVVMReflect); opt
// has no such beginning for a pipeline of named passes, and a call that is left may do anything.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_RESOLVEREFLECTION_H
#define GPUPRUNE_TRANSFORMS_RESOLVEREFLECTION_H

namespace llvm {
class Module;
} // namespace llvm

namespace gpuprune {

/// Gives every such call the answer that NVVMReflect gives: __CUDA_FTZ is the module flag
/// nvvm-reflect-ftz, __CUDA_ARCH ten times the number of the caller's sm_NN, all else 0; and removes
/// the branches not taken. Returns whether there were any calls.
bool resolveReflection(llvm::Module &M);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_RESOLVEREFLECTION_H
