//===- TunedKernels.h - Tuned kernels beside the author's in device code ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DEPLOY_TUNEDKERNELS_H
#define GPUPRUNE_LIB_DEPLOY_TUNEDKERNELS_H

#include "gpuprune/Deploy/RecordFolder.h"
#include "llvm/ADT/StringSet.h"
#include <memory>

namespace llvm {
class Module;
}

namespace gpuprune {

/// What is to be added to one device module. The author's kernels go through the pipeline as if there were no
/// records; the tuned ones are made, by the same code as in the tuner, of what the front end left, and put in
/// behind the end of the pipeline. So the author's PTX stays as it is.
class TunedKernels {
public:
  /// \p Records outlives this.
  explicit TunedKernels(const RecordFolder &Records) : Records(Records) {}

  /// At the start of the pipeline: keeps what the kernels with records are made of. A record whose kernel has
  /// changed since is a warning.
  void takeSources(llvm::Module &M);
  /// At the end: makes the tuned kernels and adds them. One that cannot be made as recorded is a warning.
  void addTo(llvm::Module &M);

private:
  struct Source {
    const RecordFile *File = nullptr;
    std::string Symbol; ///< Of the author's kernel.
  };
  const RecordFolder &Records;
  std::string Bitcode;         ///< Of the whole module.
  llvm::StringSet<> Variables; ///< Names of the whole module's.
  std::vector<Source> Sources;

  void findKernels(llvm::Module &M, const RecordFile &File);
  /// The tuned kernel \p Name, which \p Record of \p From tells how to make.
  llvm::Error add(llvm::Module &M, const Source &From, const TuningRecord &Record, llvm::StringRef Name);
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_DEPLOY_TUNEDKERNELS_H
