//===- CompileReuse.h - What one compile leaves to the next -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variants that differ in gpu-registers alone are the same code until the end of the
// -O3 pipeline, where values are placed, and where they differ in what they tell ptxas
// alone, to the last line of PTX but those two directives. Each of these is made once.
//
// Why it is right. The key is the module itself, as bitcode with the order of uses, and
// the passes that made it, without the attributes by which gpu-registers speaks to
// PlaceValuesPass and to ptxas: no pass in between and no part of the code generator
// reads them. What runs last begins with no analysis of what came before (Registry.cpp).
// The PTX is the same byte by byte as without: CompileReuseTest.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_COMPILEREUSE_H
#define GPUPRUNE_CODEGEN_COMPILEREUSE_H

#include "gpuprune/Analysis/InstructionClass.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <string>

namespace gpuprune {

/// Given to one compile after the other, by one thread. What it keeps is some bitcode for each kind of
/// variant, so it should not outlive those that have something in common.
struct CompileReuse {
  struct Generated {
    std::string Ptx;
    std::map<std::string, KernelCounts> Counts; ///< By symbol.
  };

  llvm::StringMap<std::string> Optimized; ///< Bitcode before what runs last, by what -O3 was given.
  llvm::StringMap<Generated> Code;        ///< By what the code generator was given.
};

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_COMPILEREUSE_H
