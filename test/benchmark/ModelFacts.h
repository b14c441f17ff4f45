//===- ModelFacts.h - What the model is given of a variant, kept in files ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiling a variant and running its sample takes some 100 ms, modelling it less than one.
// So that the model can be changed and tried again in seconds, a folder keeps what it is given.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_BENCHMARK_MODELFACTS_H
#define GPUPRUNE_TEST_BENCHMARK_MODELFACTS_H

#include "gpuprune/Model/KernelModel.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <string>
#include <vector>

namespace gpuprune {

struct ModelFacts {
  std::string Variant; ///< Text, or "stock".
  std::string Failure; ///< Why there is nothing else.
  std::string Ptx, Symbol;
  std::string Cubin, CubinSymbol; ///< File in the folder.
  std::string Program;            ///< As test/benchmark/collect-exhaustive has it.
  ModelledLaunch Launch;
  KernelCounts Counts;
  MemoryProfile Memory;
};

/// Facts of \p Variants of \p Kernel, a folder of \p Kernels, from files in \p Folder; what is not there is
/// compiled for \p Device and kept.
std::vector<ModelFacts> modelFacts(llvm::StringRef Kernels, llvm::StringRef Kernel,
                                   llvm::ArrayRef<std::string> Variants, const std::string &Folder);

} // namespace gpuprune

#endif // GPUPRUNE_TEST_BENCHMARK_MODELFACTS_H
