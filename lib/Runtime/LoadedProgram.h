//===- LoadedProgram.h - A program ready to launch ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_LOADEDPROGRAM_H
#define GPUPRUNE_LIB_RUNTIME_LOADEDPROGRAM_H

#include "DeviceBuffers.h"
#include "Gpu.h"
#include "ProgramNames.h"
#include "gpuprune/Runtime/Protocol.h"
#include "gpuprune/Support/LruCache.h"
#include "llvm/ADT/DenseMap.h"

namespace gpuprune {

/// A cubin in the context.
class Module {
public:
  Module(const Gpu &G, CUmodule Handle, std::string ContentKey)
      : Owner(G), Handle(Handle), ContentKey(std::move(ContentKey)) {}
  ~Module() { Owner.driver().ModuleUnload(Handle); }
  Module(const Module &) = delete;
  CUmodule handle() const { return Handle; }
  /// Equal for equal cubins, wherever they lie.
  const std::string &contentKey() const { return ContentKey; }
  /// Has the launches of \p Kernel, a function of the module, from now on prefer \p Percent of an SM's memory
  /// as shared memory; nothing: the driver's choice. Programs share modules, and launches of a program
  /// functions, so each launch states its own. Error: status launch.
  llvm::Error preferCarveout(CUfunction Kernel, std::optional<unsigned> Percent);

private:
  const Gpu &Owner;
  CUmodule Handle;
  std::string ContentKey;
  /// Of the functions that are not at the driver's choice.
  llvm::SmallDenseMap<CUfunction, unsigned> Carveouts;
};

class ModuleCache {
public:
  /// Relative paths are looked up in \p BaseDirectory, or the working directory where it is empty.
  ModuleCache(const Gpu &G, llvm::StringRef BaseDirectory);
  /// The same module for a path until the next beginJob(). Error: status load.
  llvm::Expected<std::shared_ptr<Module>> load(llvm::StringRef Path);
  /// Has files read anew: a path may hold another cubin than it did.
  void beginJob() { OfJob.clear(); }
  /// Where the file is that a job calls \p Path.
  std::string locate(llvm::StringRef Path) const;
  /// Equal for programs that run the same code the same way; \p P has contents of cubins in place of paths.
  std::string nameOf(const protocol::Program &P) { return Names.nameOf(P); }
  /// Loads all anew from now on.
  void clear() {
    OfJob.clear();
    Modules.clear();
  }

private:
  llvm::Expected<std::shared_ptr<Module>> read(llvm::StringRef Path);

  const Gpu &Owner;
  std::string BaseDirectory;
  LruCache<Module> Modules;
  ProgramNames Names;
  llvm::StringMap<std::shared_ptr<Module>> OfJob; ///< By path.
};

/// Launches with their functions found and their arguments laid out.
class LoadedProgram {
public:
  /// \p Buffers are the problem's. Error: status load or, where arguments do not fit
  /// the kernel or a buffer does not fit its symbol, launch.
  static llvm::Expected<LoadedProgram> load(const Gpu &G, ModuleCache &Modules, const protocol::Program &P,
                                            const BufferSet &Buffers);

  LoadedProgram(LoadedProgram &&) = default;
  LoadedProgram &operator=(LoadedProgram &&) = default;

  /// Enqueues copies of the buffers that are contents of symbols; what a symbol has
  /// beyond its buffer becomes zero. States the carve-outs, so that the launches need not. Programs may share
  /// modules, so this precedes the launches whenever another program may have run.
  llvm::Error setUpModules() const;
  /// Whether the symbols still hold their buffers, after the launches.
  llvm::Expected<std::optional<protocol::Mismatch>> checkSymbols(const DeviceKernels &Kernels) const;
  /// Enqueues the launches and the copies that are part of them, and \p BeforeKernel, if given, before each
  /// kernel. Error: status launch.
  llvm::Error launch(llvm::function_ref<llvm::Error()> BeforeKernel = nullptr) const;
  /// Only those that are no part of the program's time, and only the others.
  llvm::Error launchUntimed() const;
  llvm::Error launchTimed() const;
  llvm::Expected<std::vector<protocol::KernelFacts>> facts() const;
  size_t kernels() const { return Steps.size(); } ///< In a run.
  bool copiesConstants() const;                   ///< To constant memory, as a part of its launches.
  /// Equal for programs that run the same code the same way.
  const std::string &contentKey() const { return ContentKey; }

private:
  /// Of a buffer to a variable of a module.
  struct Copy {
    CUdeviceptr To, From;
    uint64_t Bytes;
  };
  struct Step {
    std::shared_ptr<Module> Code; ///< Keeps Function alive.
    CUfunction Function;
    protocol::Launch Shape; ///< Its cubin path is not used any more.
    std::vector<uint64_t> Values;
    /// To each of Values, as cuLaunchKernel wants them: made once, since the launches
    /// of a timing must not wait for the host. Moving a vector keeps its elements.
    std::vector<void *> Params = {};
    std::vector<Copy> Constants = {}; ///< Made before each launch, as part of it.
  };
  /// A variable of a module and the buffer it is filled from.
  struct Symbol {
    CUdeviceptr Address;
    uint64_t Bytes;
    std::shared_ptr<DeviceBuffer> Contents;
  };
  explicit LoadedProgram(const Gpu &G) : Owner(&G) {}
  llvm::Error enqueue(llvm::ArrayRef<Step> Some, llvm::function_ref<llvm::Error()> BeforeKernel) const;
  llvm::Error fillSymbols() const;
  llvm::Error findSymbols(const std::shared_ptr<DeviceBuffer> &Contents);
  static llvm::Error checkArguments(const Gpu &G, const Step &S);
  static llvm::Error checkAlignment(const Step &S, const BufferSet &Buffers);
  static llvm::Error findConstants(const Gpu &G, Step &S, const BufferSet &Buffers);
  static llvm::Error allowDynamicShared(const Gpu &G, const Step &S);
  static llvm::Expected<Step> loadStep(const Gpu &G, std::shared_ptr<Module> Code, const protocol::Launch &L,
                                       const BufferSet &Buffers);

  const Gpu *Owner;
  std::string ContentKey;
  size_t Untimed = 0; ///< Of Steps, at their beginning.
  std::vector<Step> Steps;
  std::vector<Symbol> Symbols;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_LOADEDPROGRAM_H
