//===- Agreement.h - What CPU and GPU compute of the same kernel ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The prepared kernels run on the CPU at the check sizes; the runner is told what
// came out and says how far the GPU's results are from it. What both compute is
// bit for bit the same unless the code has operations that the GPU approximates.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_REPORT_AGREEMENT_H
#define GPUPRUNE_REPORT_AGREEMENT_H

#include "gpuprune/Runtime/Protocol.h"

namespace gpuprune {

struct OutputAgreement {
  std::string Buffer;
  std::string Cpu; ///< contentHash of what it held after the run.
  std::string Gpu; ///< The same; empty: not known.
  std::optional<protocol::Difference> Apart;
};

/// From the best to the worst, but for Unknown.
enum class AgreementOutcome {
  Unknown, ///< The GPU, or the CPU, has said nothing.
  Bitwise,
  Tolerance, ///< The code has approximations, and what differs is within the tolerance.
  Differs,
};
llvm::StringRef agreementName(AgreementOutcome Outcome);

/// One prepared kernel at one check size.
struct SizeAgreement {
  std::string Variant; ///< Its text: the defines.
  std::string Size;    ///< "n=64"
  /// Why bits may differ (FloatingPointFreedom); empty: they must not.
  std::vector<std::string> Approximate;
  double Relative = 0;            ///< The tolerance that holds then.
  std::optional<double> Absolute; ///< As in protocol::Comparison.
  std::vector<OutputAgreement> Outputs;
  std::string Note; ///< Why there are no outputs: what the CPU could not run.

  AgreementOutcome of(const OutputAgreement &Output) const;
  /// The worst of the outputs.
  AgreementOutcome outcome() const;
};

/// Takes what the runner said of the prepared kernel \p Variant.
void joinAgreement(llvm::MutableArrayRef<SizeAgreement> Sizes, llvm::StringRef Variant,
                   const protocol::Result &Result);

/// "CPU = GPU: 4 of 4 check sizes bitwise", or which buffers differ; nothing where the
/// GPU has said nothing.
void printAgreement(llvm::raw_ostream &OS, llvm::ArrayRef<SizeAgreement> Sizes);

llvm::json::Value toJSON(const SizeAgreement &Size);
bool fromJSON(const llvm::json::Value &Value, SizeAgreement &Size, llvm::json::Path Path);

} // namespace gpuprune

#endif // GPUPRUNE_REPORT_AGREEMENT_H
