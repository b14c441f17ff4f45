//===- PtxOperation.h - One PTX instruction, taken apart -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_PTXOPERATION_H
#define GPUPRUNE_LIB_HOSTEXECUTION_PTXOPERATION_H

#include "gpuprune/HostExecution/HostLaunch.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Type.h"
#include <optional>
#include <string>

namespace gpuprune {

/// A type of PTX: s32, f16x2, pred.
struct PtxType {
  enum KindType { Unsigned, Signed, Bits, Float, BFloat, Predicate };
  KindType Kind = Bits;
  unsigned Width = 32; ///< Of an element.
  unsigned Lanes = 1;

  static std::optional<PtxType> parse(llvm::StringRef Text);
  bool isFloat() const { return Kind == Float || Kind == BFloat; }
  bool isSigned() const { return Kind == Signed; }
  unsigned bits() const { return Kind == Predicate ? 1 : Width * Lanes; }
  /// bfloat for bf16; a vector for x2.
  llvm::Type *in(llvm::LLVMContext &Context) const;
  llvm::Type *elementIn(llvm::LLVMContext &Context) const;
};

/// An opcode such as "fma.rn.ftz.f32": its name, the types at its end or within,
/// and the modifiers. Whoever lowers it takes the modifiers it honours; one that is
/// left over means that the instruction is not known.
class PtxOperation {
public:
  explicit PtxOperation(llvm::StringRef Opcode);

  llvm::StringRef text() const { return Text; }
  llvm::StringRef name() const { return Name; }
  unsigned typeCount() const { return Types.size(); }
  /// The \p Index th type, the last one where there are fewer.
  PtxType type(unsigned Index = 0) const;
  /// Whether \p Modifier is there; it counts as honoured then.
  bool take(llvm::StringRef Modifier);
  /// The first of \p Modifiers that is there, or "".
  llvm::StringRef takeOne(llvm::ArrayRef<llvm::StringRef> Modifiers);
  /// Nearest where none is given.
  Rounding takeRounding();
  bool allTaken() const { return Modifiers.empty(); }

private:
  std::string Text;
  llvm::StringRef Name;
  llvm::SmallVector<PtxType, 2> Types;
  llvm::SmallVector<llvm::StringRef, 6> Modifiers;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_PTXOPERATION_H
