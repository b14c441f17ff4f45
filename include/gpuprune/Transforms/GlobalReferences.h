//===- GlobalReferences.h - Which functions and variables name which others -===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_GLOBALREFERENCES_H
#define GPUPRUNE_TRANSFORMS_GLOBALREFERENCES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class Constant;
class Function;
class GlobalVariable;
class GlobalObject;
class Module;
} // namespace llvm

namespace gpuprune {

using GlobalObjects = llvm::SetVector<llvm::GlobalObject *>;

/// What the functions and variables of a module name: a function in code that its entry reaches, a
/// variable in its initialiser. LLVM's own variables (llvm.used) name nothing. As the module was when
/// this was made.
class GlobalReferences {
public:
  explicit GlobalReferences(llvm::Module &M);

  const GlobalObjects &of(const llvm::GlobalObject &Holder) const { return lookUp(Held, Holder); }
  const GlobalObjects &to(const llvm::GlobalObject &Named) const { return lookUp(Holders, Named); }
  /// Whether \p F is more than called, directly.
  bool isAddressTaken(const llvm::Function &F) const { return AddressTaken.contains(&F); }
  bool callsIndirectly(const llvm::Function &F) const { return CallsIndirectly.contains(&F); }
  /// \p From and what it names, and what that names.
  GlobalObjects reachedFrom(llvm::GlobalObject &From) const;

private:
  using Table = llvm::DenseMap<const llvm::GlobalObject *, GlobalObjects>;
  Table Held, Holders;
  llvm::DenseSet<const llvm::Function *> AddressTaken, CallsIndirectly;
  GlobalObjects None;

  const GlobalObjects &lookUp(const Table &In, const llvm::GlobalObject &Key) const {
    auto Found = In.find(&Key);
    return Found == In.end() ? None : Found->second;
  }
  void addCode(llvm::Function &F);
  void addConstant(llvm::GlobalObject &Holder, llvm::Constant &C);
  void add(llvm::GlobalObject &Holder, llvm::GlobalObject &Named);
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_GLOBALREFERENCES_H
