//===- PhysicalLaunch.h - A launch as the driver is given it ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of a launch but its kernel and the author's arguments. The runner, the CPU, the
// counting of instructions, reports and bundles have it from apply() (LaunchContract.h)
// and write it with the one pair of functions below.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LAUNCH_PHYSICALLAUNCH_H
#define GPUPRUNE_LAUNCH_PHYSICALLAUNCH_H

#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Support/Dim3.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuprune {

/// A launch as the kernel's author wrote it.
struct AuthorLaunch {
  Dim3 Grid, Block;         ///< Blocks of the grid, threads of a block.
  uint64_t SharedBytes = 0; ///< Dynamic shared memory of a block.
  bool operator==(const AuthorLaunch &) const = default;
};

/// What a kernel cannot know of the author's launch unless it is told: unsigned 32-bit
/// parameters behind the author's.
enum class HiddenParameter : uint8_t {
  GridX, ///< Blocks of the author's grid in x, and so on.
  GridY,
  GridZ,
  SharedBytes, ///< The author's dynamic shared memory; kernels round it up to SharedCopyAlignment.
  BlocksX,     ///< The author's grid divided by the divisors in x, and so on, all of whose blocks a
  BlocksY,     ///< launch of fewer does one after another.
  BlocksZ,
};

/// "grid.x", ..., "shared.bytes", "blocks.x", ...
llvm::StringRef hiddenParameterName(HiddenParameter Parameter);
std::optional<HiddenParameter> parseHiddenParameter(llvm::StringRef Name);

struct HiddenArgument {
  HiddenParameter Parameter = HiddenParameter::GridX;
  uint32_t Value = 0;
  bool operator==(const HiddenArgument &) const = default;
};

/// Copies of dynamic shared memory begin at multiples of this, in bytes: the widest access
/// of the hardware.
inline constexpr uint64_t SharedCopyAlignment = WidestAccessBytes;

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

struct PhysicalLaunch {
  Dim3 Grid, Block;                              ///< Blocks of the grid, threads of a block.
  uint64_t SharedBytes = 0;                      ///< Dynamic shared memory of a block.
  std::vector<HiddenArgument> Hidden = {};       ///< Behind the author's arguments.
  std::vector<ConstantCopy> ConstantCopies = {}; ///< Part of the launch, and timed with it.
  uint64_t PointerAlignment = 1; ///< Buffers passed begin at multiples of this, a power of two, in bytes.
  /// Per cent of the largest shared memory of an SM that its L1 cache leaves to shared memory, a hint to the
  /// driver (CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT); nothing: the driver's choice.
  std::optional<unsigned> SharedCarveout = std::nullopt;
  /// Variables in constant memory that hold their initial value, which the kernel was compiled for: by
  /// symbol.
  std::vector<std::string> UnwrittenVariables = {};
  bool operator==(const PhysicalLaunch &) const = default;
};

/// \p Author as it stands.
PhysicalLaunch asWritten(const AuthorLaunch &Author);

/// What a host has to do to launch a kernel so, a line each, for a person; \p Size is what the grid is for.
std::vector<std::string> launchLines(const PhysicalLaunch &Launched, llvm::StringRef Size);

/// In one line; equal for equal launches.
std::string launchKey(const PhysicalLaunch &Launch);

/// [x, y, z].
llvm::json::Array toJSON(const Dim3 &D);

/// Adds the fields of \p Launch to \p Object, which describes whatever is launched.
void writeLaunch(llvm::json::Object &Object, const PhysicalLaunch &Launch);
/// Reads them; all but grid and block may be missing. What is wrong is reported at \p Path.
bool readLaunch(const llvm::json::Value &Value, PhysicalLaunch &Launch, llvm::json::Path Path);

} // namespace gpuprune

#endif // GPUPRUNE_LAUNCH_PHYSICALLAUNCH_H
