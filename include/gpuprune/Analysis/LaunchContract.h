//===- LaunchContract.h - Launch geometry that a pass changed -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass that changes how a kernel has to be launched says so in function
// attributes; the runner and the host-side rewrite read them. They survive the
// -O3 pipeline and never reach the PTX.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_ANALYSIS_LAUNCHCONTRACT_H
#define GPUPRUNE_ANALYSIS_LAUNCHCONTRACT_H

#include "gpuprune/Support/Dim3.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Function;
}

namespace gpuprune {

/// What a kernel cannot know of the author's launch unless it is told: unsigned 32-bit
/// parameters behind the author's.
enum class HiddenParameter : uint8_t {
  GridX, ///< Blocks of the author's grid in x, and so on.
  GridY,
  GridZ,
  SharedBytes, ///< The author's dynamic shared memory; kernels round it up to SharedCopyAlignment.
};

/// "grid.x", ..., "shared.bytes".
llvm::StringRef hiddenParameterName(HiddenParameter Parameter);

/// Copies of dynamic shared memory begin at multiples of this, in bytes: the widest access
/// of the hardware.
inline constexpr uint64_t SharedCopyAlignment = 16;

/// A launch but for the author's arguments.
struct LaunchShape {
  Dim3 Grid, Block;                  ///< Blocks of the grid, threads of a block.
  uint64_t SharedBytes = 0;          ///< Dynamic shared memory of a block.
  std::vector<uint32_t> Hidden = {}; ///< Arguments behind the author's.
  bool operator==(const LaunchShape &) const = default;
};

/// What a kernel reads in constant memory in place of a buffer: before each launch, on
/// the launch's stream, the whole buffer passed as Argument is copied to the module's
/// variable Symbol. Launches of a module that may overlap share the variable, so all
/// of them must be given the same contents, or the host orders them.
struct ConstantCopy {
  unsigned Argument = 0; ///< From 0. Still passed to the kernel, which no longer reads it.
  uint64_t Bytes = 0;    ///< Of the variable: a larger buffer must not be launched with.
  std::string Symbol;
  bool operator==(const ConstantCopy &) const = default;

  /// Errors: Refused (TooLarge) for a buffer \p Name of more bytes.
  llvm::Error checkBuffer(llvm::StringRef Name, uint64_t BufferBytes) const;
};

/// How the launch of a transformed kernel differs from the launch its author wrote.
struct LaunchContract {
  /// The author's grid extent divided by this is the extent to launch.
  Dim3 GridDivisor{1, 1, 1};
  /// The author's block extent divided by this is the extent to launch.
  Dim3 BlockDivisor{1, 1, 1};
  /// Every buffer passed to the kernel begins at a multiple of this, in bytes. A
  /// whole allocation does, up to 256 (CUDA programming guide).
  int64_t PointerAlignment = 1;
  /// In the order in which they were recorded; one an argument.
  std::vector<ConstantCopy> ConstantCopies = {};
  /// The author's dynamic shared memory, rounded up to SharedCopyAlignment, as many times is
  /// what to launch with.
  int64_t SharedCopies = 1;
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

  /// The grid to launch where the author launches \p Grid blocks.
  /// Errors: Refused (ShapeNotDivisible), naming the dimension, its extent and the
  /// divisor, where an extent is not a multiple of its divisor and has to be.
  llvm::Expected<Dim3> physicalGrid(const Dim3 &Grid) const;

  /// The block to launch where the author launches one of \p Block threads.
  /// Errors: Refused, in the same way.
  llvm::Expected<Dim3> physicalBlock(const Dim3 &Block) const;

  /// All of it: what to launch where the author launches \p Author, whose Hidden is empty.
  llvm::Expected<LaunchShape> physical(const LaunchShape &Author) const;
};

/// The contract recorded on \p Kernel; the identity where nothing is recorded.
/// Errors: Input, where an attribute is not what is written there, or the kernel does not
/// have the hidden parameters.
llvm::Expected<LaunchContract> readLaunchContract(const llvm::Function &Kernel);

/// Records \p Contract on \p Kernel in place of what was recorded before; the
/// identity leaves no attribute behind.
void writeLaunchContract(llvm::Function &Kernel, const LaunchContract &Contract);

} // namespace gpuprune

#endif // GPUPRUNE_ANALYSIS_LAUNCHCONTRACT_H
