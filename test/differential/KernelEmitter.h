//===- KernelEmitter.h - A kernel tree as clang would emit it ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_DIFFERENTIAL_KERNELEMITTER_H
#define GPUPRUNE_TEST_DIFFERENTIAL_KERNELEMITTER_H

#include "KernelTree.h"
#include "llvm/IR/Module.h"
#include <memory>

namespace gpuprune::differential {

inline constexpr const char *KernelName = "kernel";

/// The parameters of every kernel, in order.
enum Parameter : unsigned {
  InF32,   ///< InputElements f32, read only.
  InI32,   ///< InputElements i32, read only.
  InF64,   ///< InputElements f64, read only.
  InI64,   ///< InputElements i64, read only.
  InI8,    ///< InputElements i8, read only.
  OutF32,  ///< ElementsOfThread f32 a thread.
  OutI32,  ///< ElementsOfThread i32 a thread.
  Own,     ///< Two f32 a thread, read and written.
  Strided, ///< StridedElements f32.
  Counts,  ///< Counters i32, changed atomically.
  Table,   ///< TableElements records, read only.
  Records, ///< RecordsOfThread records a thread, read and written.
  N,       ///< i32.
  M,       ///< i32.
  S,       ///< f32.
  Config,  ///< A structure by value.
  ParameterCount
};

/// A device module of sm_90 in the form that clang's front end leaves: variables
/// in memory, loops not rotated, shared arrays behind generic pointers,
/// contractible floating-point operations.
std::unique_ptr<llvm::Module> emitKernel(const KernelTree &Tree, llvm::LLVMContext &Context);

} // namespace gpuprune::differential

#endif // GPUPRUNE_TEST_DIFFERENTIAL_KERNELEMITTER_H
