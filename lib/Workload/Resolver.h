//===- Resolver.h - Evaluates a workload's expressions ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_WORKLOAD_RESOLVER_H
#define GPUPRUNE_LIB_WORKLOAD_RESOLVER_H

#include "gpuprune/Workload/Problem.h"
#include "llvm/ADT/Twine.h"

namespace gpuprune {

/// Evaluates a workload's expressions in one environment.
class Resolver {
public:
  /// \p Defines are complete and outlive this.
  Resolver(const Workload &W, const SizeEnv &Sizes, const DefineValues &Defines)
      : W(W), Defines(Defines), Values(environmentOf(Sizes, Defines)) {}

  llvm::Expected<int64_t> evaluate(const LocatedExpression &E) const;
  llvm::Expected<int64_t> evaluateAtLeast(int64_t Least, const LocatedExpression &E) const;
  /// The variable of a repeat.
  void set(llvm::StringRef Name, int64_t Value) { Values[Name] = Value; }
  int64_t lookup(llvm::StringRef Name) const { return Values.lookup(Name); }
  llvm::Expected<ResolvedBuffer> buffer(const BufferSpec &Spec) const;
  /// Error where two of \p Buffers, which are the workload's, lie at the same address.
  llvm::Error checkAddresses(llvm::ArrayRef<ResolvedBuffer> Buffers) const;
  llvm::Expected<ResolvedLaunch> launch(const LaunchSpec &Spec, std::optional<Dim3> BlockOverride,
                                        llvm::ArrayRef<ResolvedBuffer> Buffers);

private:
  llvm::Expected<uint64_t> element(const LocatedExpression &E, ElementType Type) const;
  llvm::Expected<FillSpec> fill(const BufferSpec &Of, const FillSpec &Spec, const ElementLayout &Type,
                                int64_t Count) const;
  llvm::Error setNumbers(FillSpec &Fill, ElementType Type) const;
  llvm::Error setCounted(const BufferSpec &Of, FillSpec &Fill, ElementType Type, int64_t Count) const;
  llvm::Error setColumns(const BufferSpec &Of, FillSpec &Fill) const;
  llvm::Error setValues(const BufferSpec &Of, FillSpec &Fill, ElementType Type, int64_t Count) const;
  llvm::Error checkIndices(const BufferSpec &Of, const FillSpec &Fill, ElementType Type, int64_t Count) const;
  llvm::Error checkLine(const BufferSpec &Of, const FillSpec &Fill, ElementType Type, int64_t Count) const;
  llvm::Error checkFile(const BufferSpec &Of, const FillSpec &Fill, unsigned Each, int64_t Count) const;
  llvm::Error checkNames(const LocatedExpression &E) const;
  llvm::Error errorAt(const LocatedExpression &E, const llvm::Twine &Message) const;
  llvm::Expected<Dim3> extent(llvm::ArrayRef<LocatedExpression> Expressions) const;
  llvm::Expected<ResolvedArgument> argument(const ArgumentSpec &Spec,
                                            llvm::ArrayRef<ResolvedBuffer> Buffers) const;
  llvm::Expected<uint64_t> offset(const LocatedExpression &Element, const ResolvedBuffer &Buffer) const;

  const Workload &W;
  const DefineValues &Defines;
  Environment Values;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_WORKLOAD_RESOLVER_H
