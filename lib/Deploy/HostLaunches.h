//===- HostLaunches.h - Launches in host code that go to tuned kernels ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DEPLOY_HOSTLAUNCHES_H
#define GPUPRUNE_LIB_DEPLOY_HOSTLAUNCHES_H

#include "gpuprune/Deploy/RecordFolder.h"
#include "llvm/IR/PassManager.h"

namespace gpuprune {

/// Registers the tuned kernels of \p Records with those of the host module \p M, and lets the stubs, and
/// other calls that launch a kernel of this file by its name, choose between the two at run time
/// (Dispatch.c). Whether \p M changed.
bool dispatchLaunches(llvm::Module &M, const RecordFolder &Records, llvm::FunctionAnalysisManager &FAM);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_DEPLOY_HOSTLAUNCHES_H
