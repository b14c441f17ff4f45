//===- CpuCheck.h - The correctness gate on the CPU -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a variant's code, as it goes to the PTX code generator, on the CPU at the
// check sizes of the workload and compares with the prepared kernel that has the
// same defines, as the runner does it on the GPU: two runs over different contents
// of the out buffers, bit by bit, guard zones, inputs unchanged. docs/checking.md
// says what is checked when, and what a verdict is.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_CPUCHECK_H
#define GPUPRUNE_DRIVER_CPUCHECK_H

#include "gpuprune/Driver/FloatingPointFreedom.h"
#include "gpuprune/Driver/VariantBuilder.h"
#include <mutex>

namespace gpuprune {

/// What is checked on the CPU, and, of what is measured, before it is.
enum class CheckMode {
  Staged, ///< What is about to be measured at all sizes, all other distinct variants at the smallest.
  Quick,  ///< All distinct variants at the smallest size.
  All,    ///< All distinct variants at all sizes, however large.
  Off,
};

/// Which sizes a variant is checked at, of those whose grid its launch contract divides.
enum class CheckDepth {
  Smallest, ///< The one with the least work.
  Usual,    ///< All but those with too much work for the CPU; the smallest in any case.
  All,
};

/// What a prepared kernel leaves in memory at one size.
struct CpuOutputs {
  struct Buffer {
    uint32_t Index; ///< Among the problem's.
    std::string Name;
    llvm::ArrayRef<uint8_t>
        Bytes; ///< After a run over the first fill pattern; lives as long as the CpuCheck.
  };
  std::string Size; ///< "n=64"
  FloatingPointFreedom Freedom;
  std::vector<Buffer> Buffers; ///< out and inout.
  std::string Failure;         ///< Why there are none.
};

/// Compiles for the CPU and runs, and keeps what the prepared kernels compute: once for
/// each choice of defines, block and size.
class CpuCheck {
public:
  /// Both must outlive this.
  CpuCheck(const Workload &W, const VariantBuilder &Builder);
  ~CpuCheck();

  /// Checks \p V against \p Reference, the prepared kernel with its defines, at the
  /// sizes of \p Depth that \p Row has not passed yet, and writes what came of it into
  /// Row: OnCpu always, the status where the variant is wrong, faults or does not come
  /// to an end. What cannot run on the CPU stays as it was and OnCpu.Note says why. Safe
  /// on many threads with different rows.
  void check(const BuiltVariant &V, const BuiltVariant &Reference, CheckDepth Depth, VariantResult &Row);

  /// Of \p Reference, a prepared kernel, at the sizes of \p Depth. Safe on many threads.
  std::vector<CpuOutputs> outputsOf(const BuiltVariant &Reference, CheckDepth Depth);

private:
  struct Program;
  struct ReferenceRun;
  struct SameCode;
  const Workload &W;
  const VariantBuilder &Builder;
  std::mutex Lock;                                           ///< Of the maps; what they hold has its own.
  std::map<std::string, std::shared_ptr<Program>> Programs;  ///< Of references, by their text.
  std::map<std::string, std::shared_ptr<ReferenceRun>> Runs; ///< By text, block and size.
  std::map<std::string, std::shared_ptr<SameCode>> Checked;  ///< By code, launch and reference.

  void checkCode(const BuiltVariant &V, llvm::StringRef Code, const BuiltVariant &Reference, CheckDepth Depth,
                 VariantResult &Row);
  std::shared_ptr<Program> programOf(const BuiltVariant &Reference);
  std::shared_ptr<ReferenceRun> runOf(const BuiltVariant &Reference, const BuiltVariant &V,
                                      const Environment &Size);
  std::vector<Environment> sizesFor(const BuiltVariant &V, const BuiltVariant &Reference, CheckDepth Depth);
};

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_CPUCHECK_H
