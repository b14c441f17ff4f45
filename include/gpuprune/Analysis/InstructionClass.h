//===- InstructionClass.h - Counts of a kernel by class of instruction ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The classes in which instructions are counted and what is known of one kernel
// once they are. The rows are in InstructionClasses.def.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_ANALYSIS_INSTRUCTIONCLASS_H
#define GPUPRUNE_ANALYSIS_INSTRUCTIONCLASS_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gpuprune {

enum class InstructionClass : uint8_t {
#define INSTRUCTION_CLASS(Enumerator, Name) Enumerator,
#include "gpuprune/Analysis/InstructionClasses.def"
};

constexpr unsigned NumInstructionClasses = static_cast<unsigned>(InstructionClass::Other) + 1;

/// "fp32", "load-global", ...
llvm::StringRef instructionClassName(InstructionClass Class);

/// The memories that an access is told apart by.
enum class MemorySpace : uint8_t { Generic, Global, Shared, Local, Const, Texture };

/// The space of an NVPTX address space number. Kernel parameters count as Const;
/// a cluster's shared memory as Shared; a number unknown here as Generic.
MemorySpace memorySpace(unsigned AddressSpace);

InstructionClass loadClass(MemorySpace Space);
InstructionClass storeClass(MemorySpace Space);

/// The class of a PTX instruction by its text, "fma.rn.f32" for instance. Where
/// the text has no type, \p TypeHint (an opcode's name) is searched for one.
/// \p Space decides for loads and stores that do not name a space themselves.
InstructionClass classifyPtx(llvm::StringRef Mnemonic, llvm::StringRef TypeHint = "",
                             MemorySpace Space = MemorySpace::Generic);

/// The class of an intrinsic by its name, "llvm.nvvm.shfl.sync.down.i32" for
/// instance; \p TypeHint names the type it computes in, "f32".
InstructionClass classifyIntrinsic(llvm::StringRef Name, llvm::StringRef TypeHint);

/// True where an instruction makes its warp wait for other warps, for memory or for
/// copies: barriers (not a mere arrival), fences, waits.
bool isBlocking(InstructionClass Class, llvm::StringRef Mnemonic);

/// The mnemonics of the instructions in \p Text, PTX as it stands in inline
/// assembly: without directives, labels, predicates and comments.
std::vector<std::string> splitPtx(llvm::StringRef Text);

/// Where the numbers of executions come from.
enum class InstrSource : uint8_t {
  ExactStatic, ///< Derived from the code and the launch, nothing assumed.
  ExactRun,    ///< Counted while the kernel's control flow was run.
  Sampled,     ///< Counted for some of the threads.
  Estimated,   ///< Something had to be assumed; see the reasons.
};

/// "exact-static", "exact-run", "sampled", "estimated".
llvm::StringRef instrSourceName(InstrSource Source);

/// Bytes that one thread moves between registers and one memory.
struct BytesMoved {
  double Loaded = 0;
  double Stored = 0;
};

/// How often a thread goes on to a basic block.
struct PtxSuccessor {
  unsigned Number = 0; ///< Of the block.
  double Executions = 0;
};

/// Executions of a basic block by one thread, and of the branches that leave it.
struct PtxBlockExecutions {
  unsigned Number = 0; ///< Of the block as PTX names it: 7 in "$L__BB0_7" and "%bb.7".
  double Executions = 0;
  std::vector<PtxSuccessor> Successors;
};

/// What warps of a launch do beside their threads, and beside each other.
struct ComparedWarps {
  /// Branches that a warp executes over those of a thread.
  double Divergence = 1;
  /// Squared coefficient of variation of what warps with the same number in their blocks have to do.
  double Variation = 0;
};

/// What one thread of a kernel executes in one launch.
struct KernelCounts {
  std::array<double, NumInstructionClasses> ByClass{};
  /// Executed instructions: the sum of ByClass.
  double Instr = 0;
  /// Intervals between blocking instructions, at least 1; see RegionCounter.h.
  double Regions = 1;
  InstrSource Source = InstrSource::ExactStatic;
  /// Of the kernel itself.
  std::optional<ComparedWarps> Warps;
  /// Instructions in the text of the kernel and of the functions it calls.
  uint64_t StaticInstr = 0;
  /// Global includes generic accesses; both exclude texture and atomics.
  BytesMoved Global, Shared, Local;
  /// Of the kernel itself, in the order of the PTX.
  std::vector<PtxBlockExecutions> Blocks;
  /// Why the counts are estimated, for a person; empty where they are exact.
  std::vector<std::string> Reasons;

  double &operator[](InstructionClass Class) { return ByClass[static_cast<unsigned>(Class)]; }
  double operator[](InstructionClass Class) const { return ByClass[static_cast<unsigned>(Class)]; }

  /// \p Executions times one instruction of \p Class.
  void add(InstructionClass Class, double Executions);
  /// \p Executions times \p Bytes of an access of \p Class; other classes move none.
  void addBytes(InstructionClass Class, double Executions, double Bytes);
  /// \p Executions runs of \p Callee, whose regions go on where the caller's end.
  void addCall(const KernelCounts &Callee, double Executions);
  /// Makes the counts estimated and keeps \p Reason once.
  void estimate(llvm::StringRef Reason);
};

} // namespace gpuprune

#endif // GPUPRUNE_ANALYSIS_INSTRUCTIONCLASS_H
