//===- ExpectedOutputs.h - What the GPU is asked to agree with ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_EXPECTEDOUTPUTS_H
#define GPUPRUNE_DRIVER_EXPECTEDOUTPUTS_H

#include "gpuprune/Check/CpuCheck.h"
#include "gpuprune/Report/TuneReport.h"
#include "gpuprune/Variant/References.h"

namespace gpuprune {

/// What the prepared kernels compute on the CPU.
class ExpectedOutputs {
public:
  /// Runs those of \p Compared on \p Jobs threads, and fills in all of Report.Agreement but what the GPU
  /// says.
  void run(CpuCheck &Oracle, const References &Compared, CheckDepth Depth, unsigned Jobs,
           const ToleranceSpec &Tolerance, TuneReport &Report);
  /// Tells the runner what the CPU computed of the prepared kernel \p Variant; what it reads is written to
  /// \p Folder. Error: Io.
  llvm::Error addTo(protocol::Job &Job, llvm::StringRef Variant, llvm::StringRef Folder) const;

private:
  std::vector<std::pair<std::string, CpuOutputs>> OnCpu; ///< With the texts of their kernels.
};

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_EXPECTEDOUTPUTS_H
