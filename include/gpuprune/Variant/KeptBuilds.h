//===- KeptBuilds.h - What earlier runs have compiled and checked -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step is kept under a key that holds all that its result depends on, and the
// identity of this program (ProgramIdentity.h), so that another build never takes it.
// docs/decisions/compile-cache.md says what is in the keys, and why.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_VARIANT_KEPTBUILDS_H
#define GPUPRUNE_VARIANT_KEPTBUILDS_H

#include "gpuprune/CodeGen/FrontendInputs.h"
#include "gpuprune/Database/CompileCache.h"
#include "gpuprune/Report/TuneReport.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Record.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"
#include <array>

namespace gpuprune {

/// The steps whose results are kept. The first four are counted in the report.
enum class KeptStep {
  Frontend, ///< clang++ for one choice of defines.
  Code,     ///< From bitcode to PTX.
  Assembly, ///< ptxas.
  Check,    ///< On the CPU.
  Kernel,   ///< Bitcode taken apart.
  Cubin,    ///< A file of ptxas's, which several assemblies share.
};

/// Whether a failure says something of the code, and will be the same the next time.
bool isLasting(const TakenError &Failure);

/// Safe on many threads. What goes wrong is a note, and the run goes on without.
class KeptBuilds {
public:
  /// \p Identity: of this program, not empty. \p Fresh: find nothing, but keep.
  KeptBuilds(std::string Folder, uint64_t Limit, bool Fresh, std::string Identity)
      : Cache(std::move(Folder), Limit), Fresh(Fresh), Identity(std::move(Identity)) {}
  ~KeptBuilds();

  /// What was kept of \p Step under \p Key; nothing else where \p Suits says so.
  template <typename T>
  std::optional<T> find(
      KeptStep Step, llvm::StringRef Key,
      llvm::function_ref<bool(const T &)> Suits = [](const T &) { return true; }) {
    std::optional<std::string> Record = findRecord(Step, Key);
    std::optional<T> Found = Record ? fromRecord<T>(*Record) : std::nullopt;
    if (!Found || !Suits(*Found))
      return std::nullopt;
    countTaken(Step, Key);
    return Found;
  }
  template <typename T> void keep(KeptStep Step, llvm::StringRef Key, const T &Value) {
    keepRecord(Step, Key, toRecord(Value));
  }

  InputFiles &inputs() { return Inputs; }
  /// So far; what this run has both kept and taken is not counted as taken.
  CompileCacheUse use() const;

private:
  CompileCache Cache;
  const bool Fresh;
  const std::string Identity;
  InputFiles Inputs;
  std::array<std::atomic<size_t>, unsigned(KeptStep::Cubin) + 1> Taken = {}, Kept = {};
  mutable std::mutex Lock; ///< Of Failure and Own.
  std::string Failure;     ///< The first of keep(), after which nothing is kept.
  llvm::StringSet<> Own;   ///< Keys of what this run has kept; taking that is no other run's merit.
  std::atomic<bool> Failed = false;

  std::string keyOf(KeptStep Step, llvm::StringRef Key) const;
  void countTaken(KeptStep Step, llvm::StringRef Key);
  std::optional<std::string> findRecord(KeptStep Step, llvm::StringRef Key);
  void keepRecord(KeptStep Step, llvm::StringRef Key, llvm::StringRef Record);
};

} // namespace gpuprune

#endif // GPUPRUNE_VARIANT_KEPTBUILDS_H
