//===- CompileReuse.h - What one compile leaves to the next -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variants that differ in gpu-registers or in the author's block alone are the same code
// until the end of the -O3 pipeline, where values are placed, and many of them, of those
// with other passes too, are the same when PTX is generated, but for the bounds that they
// tell ptxas. Each of these is made once.
//
// Why it is right. The key is the module itself, as bitcode with the order of uses, and
// the passes that made it, without the attributes by which gpu-registers speaks to
// PlaceValuesPass and to ptxas: no pass in between and no part of the code generator
// reads them. What runs last begins with no analysis of what came before (Registry.cpp).
// Instructions are counted while PTX is generated, so how often each block is executed
// belongs to that key. The PTX is the same byte by byte as without: CompileReuseTest.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_COMPILEREUSE_H
#define GPUPRUNE_CODEGEN_COMPILEREUSE_H

#include "gpuprune/Analysis/InstructionClass.h"
#include "gpuprune/Support/LruCache.h"
#include <map>
#include <mutex>
#include <string>

namespace gpuprune {

/// Given to any number of compiles on any threads, of files that were compiled with the same flags. What was
/// not used for longest is forgotten.
class CompileReuse {
public:
  struct Generated {
    std::string Ptx;
    std::map<std::string, KernelCounts> Counts; ///< By symbol.
  };
  template <typename T> using Kept = std::shared_ptr<const T>; ///< Null: not known.

  /// \p Bytes: of bitcode and PTX that is kept, at most.
  explicit CompileReuse(uint64_t Bytes = uint64_t(256) << 20) : Optimized(Bytes / 2), Code(Bytes / 2) {}

  /// Bitcode before what runs last, by what -O3 was given.
  Kept<std::string> optimized(llvm::StringRef Key) { return find(Optimized, Key); }
  /// What another thread has kept meanwhile, or else \p Bitcode.
  Kept<std::string> keepOptimized(llvm::StringRef Key, std::string Bitcode) {
    uint64_t Bytes = Bitcode.size();
    return keep(Optimized, Key, std::move(Bitcode), Bytes);
  }
  /// By what the code generator was given, and the executions of each block.
  Kept<Generated> code(llvm::StringRef Key) { return find(Code, Key); }
  void keepCode(llvm::StringRef Key, Generated New) {
    uint64_t Bytes = New.Ptx.size();
    keep(Code, Key, std::move(New), Bytes);
  }
  /// How often something was known.
  size_t reused() const {
    std::lock_guard<std::mutex> Guard(Lock);
    return Reused;
  }

private:
  mutable std::mutex Lock; ///< Of what follows.
  LruCache<const std::string> Optimized;
  LruCache<const Generated> Code;
  size_t Reused = 0;

  template <typename T> Kept<T> find(LruCache<const T> &In, llvm::StringRef Key) {
    std::lock_guard<std::mutex> Guard(Lock);
    Kept<T> Known = In.find(Key);
    Reused += Known != nullptr;
    return Known;
  }
  template <typename T> Kept<T> keep(LruCache<const T> &In, llvm::StringRef Key, T New, uint64_t Bytes) {
    std::lock_guard<std::mutex> Guard(Lock);
    if (Kept<T> Known = In.find(Key))
      return Known;
    Kept<T> Made = std::make_shared<const T>(std::move(New));
    In.insert(Key, Made, Bytes);
    return Made;
  }
};

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_COMPILEREUSE_H
