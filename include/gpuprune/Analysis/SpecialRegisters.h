//===- SpecialRegisters.h - The special registers of PTX ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_ANALYSIS_SPECIALREGISTERS_H
#define GPUPRUNE_ANALYSIS_SPECIALREGISTERS_H

#include "gpuprune/Analysis/OperationScope.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Intrinsics.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace gpuprune {

/// What a special register tells; indices and extents of the launch come first.
enum class RegisterFamily : uint8_t {
  ThreadIndex, ///< %tid
  BlockIndex,  ///< %ctaid
  BlockExtent, ///< %ntid
  GridExtent,  ///< %nctaid
  Cluster,
  Lane, ///< %laneid and %lanemask
  Warp, ///< %warpid and %nwarpid
  WarpSize,
  SharedSize,
  Device,
  Clock,
};

/// A row of SpecialRegisters.def.
struct SpecialRegister {
  llvm::Intrinsic::ID ID;
  llvm::StringLiteral Name; ///< As PTX writes it, without the percent sign: "tid.x".
  RegisterFamily Family;
  unsigned Dimension; ///< 0 where there is one only.
  OperationScope UniformOver;

  /// Whether it is an index or an extent of the launch.
  bool isGeometry() const { return Family <= RegisterFamily::GridExtent; }
};

/// All rows.
llvm::ArrayRef<SpecialRegister> specialRegisters();

/// The one that \p I reads by an intrinsic; nullptr for other instructions.
const SpecialRegister *specialRegister(const llvm::Instruction &I);
/// The one called \p Name, "tid.x"; nullptr for other names.
const SpecialRegister *specialRegister(llvm::StringRef Name);

/// The intrinsic that reads the register of \p Family in \p Dimension; both must be in the table.
llvm::Intrinsic::ID registerIntrinsic(RegisterFamily Family, unsigned Dimension);

/// Whether \p I reads the register of \p Family in \p Dimension.
bool readsRegister(const llvm::Instruction &I, RegisterFamily Family, unsigned Dimension);

} // namespace gpuprune

#endif // GPUPRUNE_ANALYSIS_SPECIALREGISTERS_H
