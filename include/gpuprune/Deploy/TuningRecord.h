//===- TuningRecord.h - A winner as a file under version control ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// KERNEL.ARCH.gpuprune.json holds what a build needs to make the tuned variants of one kernel again and to
// launch them: of each the text, the launch contract as built (a host compile never sees the kernel), and the
// conditions under which the program may launch it. The program takes the first whose conditions hold. No
// dates, hosts or paths: the same winners are the same file.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DEPLOY_TUNINGRECORD_H
#define GPUPRUNE_DEPLOY_TUNINGRECORD_H

#include "gpuprune/Launch/BlockChange.h"
#include "gpuprune/Launch/LaunchContract.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuprune {

/// A pointer among a kernel's arguments.
struct PointerPlace {
  uint32_t Argument = 0; ///< From 0.
  uint32_t Offset = 0;   ///< In it, in bytes: not 0 in structures only.
  bool operator==(const PointerPlace &) const = default;
};

/// What the host has to know of a kernel's parameters.
struct KernelArguments {
  uint32_t Count = 0;
  std::vector<PointerPlace> Pointers = {};
  bool operator==(const KernelArguments &) const = default;
};

/// The integer argument at which the kernel's loops over the grid end, and down to which value it pays: that
/// of a launch says how much there is to do where the grid does not.
struct LeastLoopEnd {
  uint32_t Argument = 0; ///< From 0.
  uint32_t Bits = 32;    ///< 32 or 64.
  bool Signed = true;    ///< Then what is negative is less than Least.
  uint64_t Least = 0;
  bool operator==(const LeastLoopEnd &) const = default;
};

/// Which of the author's launches go to the tuned kernel, besides what the contract asks for.
struct LaunchConditions {
  Dim3 Block; ///< The author's, exactly.
  /// Blocks of the author's grid, all dimensions together; where it pays.
  uint64_t LeastBlocks = 1;
  std::optional<uint64_t> MostBlocks = std::nullopt;
  std::optional<LeastLoopEnd> LoopEnd = std::nullopt; ///< Nothing: any.
  bool operator==(const LaunchConditions &) const = default;
};

/// What made the record; another one may make other code of it.
struct RecordTools {
  std::string Clang, Gpuprune, Ptxas;
  bool operator==(const RecordTools &) const = default;
};

/// Median times of a launch at the size that was tuned, in milliseconds.
struct RecordTimes {
  std::string Device; ///< As its driver names it.
  double Stock = 0, Tuned = 0;
  bool operator==(const RecordTimes &) const = default;
};

/// One variant of a file, together with what all variants of the file have in common: Kernel, Arch, Digest,
/// Arguments and Tools.
struct TuningRecord {
  std::string Kernel;  ///< Its symbol, without what makes an internal name unique (KernelDigest.h).
  std::string Arch;    ///< "sm_90"
  std::string Digest;  ///< Of the kernel that was tuned: KernelDigest.h.
  std::string Variant; ///< Passes of ours, as -gpuprune-pipeline takes them, without kernel=.
  LaunchContract Contract;
  /// Threads of a block, before the contract, where they are others than the author's.
  std::optional<Dim3> Block = std::nullopt;
  KernelArguments Arguments;
  LaunchConditions Conditions;
  unsigned Registers = 0; ///< A thread, as ptxas allotted them.
  /// Whether its results were those of stock clang's code bit by bit, on the data it was tuned with; nothing:
  /// it was not run.
  std::optional<bool> Bitwise = std::nullopt;
  std::string Difference = {}; ///< How far they were apart, for readers; empty: not known.
  RecordTools Tools = {};
  std::optional<RecordTimes> Times = std::nullopt;
  bool operator==(const TuningRecord &) const = default;

  /// "block=32,4,1 gpu-unroll<...>", as gpuprune emit takes it.
  std::string text() const;
  /// The same for people: what changes nothing has no text.
  std::string name() const { return text().empty() ? "(as written, prepared)" : text(); }
  /// Where the tuned kernel has a block of its own.
  std::optional<BlockChange> blockChange() const;
  /// The block that the contract is applied to.
  const Dim3 &ownBlock() const { return Block ? *Block : Conditions.Block; }
  /// What a program launches in place of \p Author. Errors: Refused where that may not be. Conditions on the
  /// number of blocks are not asked.
  llvm::Expected<PhysicalLaunch> launchFor(const AuthorLaunch &Author, int64_t Multiprocessors) const;

  /// Whether a build makes the same kernel for \p Other, which differs in when it is launched at most.
  bool isSameKernel(const TuningRecord &Other) const;

  /// "KERNEL.sm_90.gpuprune.json"; a long symbol is cut and ends in its hash.
  std::string fileName() const;
};

/// Symbols of the tuned kernels where that of the author's is \p Symbol, one for each of \p File. Each ends
/// in a digest of all that decides on the code and on how it is launched, so that a host never launches
/// another one by this record. Variants that are the same kernel share it; the digest is of all their
/// conditions.
std::vector<std::string> tunedSymbols(llvm::ArrayRef<TuningRecord> File, llvm::StringRef Symbol);

/// A program asks for each launch which variant's conditions hold.
inline constexpr size_t MostVariants = 64;

/// Where the loop over the grid ends, so many iterations each of more blocks than the author's has to have
/// for a program to launch these: LeastIterations of dispatch/Dispatch.c.
inline constexpr uint64_t LeastGridIterations = 2;

/// What every record's file ends in.
inline constexpr llvm::StringLiteral RecordSuffix = ".gpuprune.json";

/// The file of \p File, the variants of one kernel: sorted keys, two spaces, a line end at the end.
std::string printTuningRecord(llvm::ArrayRef<TuningRecord> File);

/// The variants, at least one, in the order of the file. Input error where \p Text is no record of this
/// schema, or asks for what a build does not do: passes that are not ours, copies to constant memory, more
/// arguments than the host's code passes on.
llvm::Expected<std::vector<TuningRecord>> parseTuningRecord(llvm::StringRef Text);

/// Input error where \p File, which was just made, is none that parseTuningRecord() reads.
llvm::Error checkTuningRecord(llvm::ArrayRef<TuningRecord> File);

} // namespace gpuprune

#endif // GPUPRUNE_DEPLOY_TUNINGRECORD_H
