//===- VariantTime.h - The modelled time of a variant -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_VARIANT_VARIANTTIME_H
#define GPUPRUNE_VARIANT_VARIANTTIME_H

#include "gpuprune/Model/KernelModel.h"
#include "gpuprune/Variant/MemoryTrace.h"

namespace gpuprune {

/// The machine code of \p Kernel, from its cubin. Errors: Io, CodeGen.
llvm::Expected<KernelCode> readCode(const AssembledKernel &Kernel);

/// Models \p Built, which \p Builder has compiled and assembled into a file that is still there, at the size
/// to tune. What is not traced is run, if it may be, for which Built has to have its FinalBitcode. A launch
/// of a sequence is modelled over the data that the workload fills in, zeros elsewhere, and is an estimate.
/// Errors: those of modelTime() and profileMemory().
llvm::Expected<ModelledTime> modelVariant(const BuiltVariant &Built, const VariantBuilder &Builder,
                                          const TuningTarget &Target, IfUntraced Else = IfUntraced::Run);

} // namespace gpuprune

#endif // GPUPRUNE_VARIANT_VARIANTTIME_H
