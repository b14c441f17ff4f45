//===- RecordedTarget.h - A recording as what is tuned -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_VARIANT_RECORDEDTARGET_H
#define GPUPRUNE_LIB_VARIANT_RECORDEDTARGET_H

#include "gpuprune/Variant/VariantBuilder.h"

namespace gpuprune {

/// The recording in the folder \p Path, and of the device code that was collected in the folder that it
/// belongs to the newest with its kernel, as if it were a front-end bundle. Errors: as loadTarget(), and
/// Input where no code was collected. \p Part: as loadTarget() has it.
llvm::Expected<TuningTarget> loadRecorded(llvm::StringRef Path, llvm::StringRef DeviceName,
                                          const RecordedPart &Part);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_VARIANT_RECORDEDTARGET_H
