//===- LaunchContract.h - What a pass asks of the launch ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass that changes how a kernel has to be launched says so in a launch contract;
// whoever launches applies it to the launch that the author wrote:
//
//   Expected<PhysicalLaunch> Launch = apply(Author, Contract, Multiprocessors);
//
// A contract is a list of fields, each a name and a text. They are function attributes
// in IR (LaunchAttributes.h) and strings of an object in JSON. A new field is a member,
// a row of the table in LaunchContract.cpp and what apply() makes of it.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LAUNCH_LAUNCHCONTRACT_H
#define GPUPRUNE_LAUNCH_LAUNCHCONTRACT_H

#include "gpuprune/Launch/PhysicalLaunch.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace gpuprune {

/// An argument at which the loop over the grid ends. The iterations, which the blocks share, are as many as
/// the argument's value has strides.
struct GridBound {
  unsigned Argument = 0; ///< An integer, from 0.
  unsigned Bits = 32;    ///< 32 or 64.
  bool Signed = true;
  bool PerThread = false; ///< Stride is for each thread of the block in x.
  uint32_t Stride = 1;    ///< Up to LargestGridStride.

  uint32_t strideIn(const Dim3 &Block) const { return PerThread ? Stride * uint32_t(Block.X) : Stride; }
  bool operator==(const GridBound &) const = default;
};

/// How the launch of a transformed kernel differs from the launch its author wrote.
struct LaunchContract {
  /// The author's grid extent divided by this is the extent to launch.
  Dim3 GridDivisor{1, 1, 1};
  /// The author's block extent divided by this is the extent to launch.
  Dim3 BlockDivisor{1, 1, 1};
  /// In place of the author's extent in x, so many blocks for each multiprocessor of the device, before any
  /// division, are launched; 0: as many as the author launches. The kernel is right in any number of blocks
  /// in x up to MostGridBlocks, and does what it does in the author's two or more.
  int64_t GridBlocks = 0;
  /// Where the loop over the grid ends, if that is known. It changes no launch: a host may prefer the
  /// author's where more blocks than his would have few iterations each.
  std::optional<GridBound> GridEnd = std::nullopt;
  /// At most so many blocks are launched for each multiprocessor of the device, in x, which do all blocks of
  /// the divided grid; 0: the divided grid is launched as it is. The kernel does so in any number of blocks
  /// in x.
  int64_t PersistentBlocks = 0;
  /// Every buffer passed to the kernel begins at a multiple of this, in bytes. A
  /// whole allocation does, up to 256 (CUDA programming guide).
  int64_t PointerAlignment = 1;
  /// In the order in which they were recorded; one an argument.
  std::vector<ConstantCopy> ConstantCopies = {};
  /// The author's dynamic shared memory, rounded up to SharedCopyAlignment, as many times is
  /// what to launch with.
  int64_t SharedCopies = 1;
  /// Bytes of dynamic shared memory for arrays of the kernel's own, in front of that.
  uint64_t SharedArrays = 0;
  /// As PhysicalLaunch::SharedCarveout.
  std::optional<unsigned> SharedCarveout = std::nullopt;
  /// As PhysicalLaunch::UnwrittenVariables.
  std::vector<std::string> UnwrittenVariables = {};
  /// The parameters behind the author's. A grid extent that is among them is rounded up where
  /// its divisor does not divide it.
  std::vector<HiddenParameter> Hidden = {};

  /// True when the author's launch is right for this kernel as it is.
  bool isIdentity() const { return *this == LaunchContract{}; }
  bool operator==(const LaunchContract &) const = default;

  /// This contract after a further pass has divided the grid by \p Factors.
  /// Errors: a factor is 0, or the product does not fit 32 bits (Refused).
  llvm::Expected<LaunchContract> dividedBy(const Dim3 &Factors) const;

  /// The same for the threads of a block.
  llvm::Expected<LaunchContract> blockDividedBy(const Dim3 &Factors) const;

  /// The place of \p Parameter among Hidden, if it is there.
  std::optional<unsigned> hidden(HiddenParameter Parameter) const;

  /// Whether any grid extent may be launched in \p Dimension.
  bool takesAnyGrid(unsigned Dimension) const;

  /// The block to launch where the author launches one of \p Block threads.
  /// Errors: Refused (ShapeNotDivisible), naming the dimension, its extent and the
  /// divisor, where an extent is not a multiple of its divisor.
  llvm::Expected<Dim3> physicalBlock(const Dim3 &Block) const;
};

/// More blocks an SM are persistent on no device.
inline constexpr int64_t MostPersistentBlocks = 32;
/// A persistent kernel numbers the blocks of the divided grid in 32 bits, signed or not.
inline constexpr int64_t MostNumberedBlocks = std::numeric_limits<int32_t>::max();

/// A kernel with another grid strides over it in 32 bits.
inline constexpr int64_t MostGridBlocks = 65535;
inline constexpr uint32_t LargestGridStride = 1 << 15;

/// What to launch where the author launches \p Author, on a device of \p Multiprocessors.
/// Errors: Refused (ShapeNotDivisible), naming the dimension, its extent and the divisor, where an extent of
/// grid or block is not a multiple of its divisor and has to be; Refused (BadLaunchContract), where a
/// persistent kernel cannot number the blocks, or a kernel with another grid stride over them.
llvm::Expected<PhysicalLaunch> apply(const AuthorLaunch &Author, const LaunchContract &Contract,
                                     int64_t Multiprocessors);

/// One field of a contract as text.
struct ContractField {
  llvm::StringRef Name; ///< "grid-divisor".
  /// "8,8,1"; empty where it leaves the author's launch as it is.
  std::string (*Print)(const LaunchContract &Contract);
  /// Sets the field, which \p Contract does not have yet; whether \p Text can be read.
  bool (*Parse)(llvm::StringRef Text, LaunchContract &Contract);
  llvm::StringRef Expected; ///< What its text has to be, in words.
};

/// All there are.
llvm::ArrayRef<ContractField> contractFields();

/// {"grid-divisor": "8,8,1"}: the fields that change something.
llvm::json::Value toJSON(const LaunchContract &Contract);
bool fromJSON(const llvm::json::Value &Value, LaunchContract &Contract, llvm::json::Path Path);

} // namespace gpuprune

#endif // GPUPRUNE_LAUNCH_LAUNCHCONTRACT_H
