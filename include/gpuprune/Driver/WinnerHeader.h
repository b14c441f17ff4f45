//===- WinnerHeader.h - Whether a program can launch a winner --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_WINNERHEADER_H
#define GPUPRUNE_DRIVER_WINNERHEADER_H

#include "gpuprune/Report/TuneReport.h"
#include "gpuprune/Variant/VariantBuilder.h"

namespace gpuprune {

/// Notes in \p Report why 'gpuprune emit --to header' would refuse its winner. \p Variants: as many as rows.
/// One that is launched as its author launches the kernel needs no header.
void noteWinnersHeader(const Workload &W, const VariantBuilder &Builder,
                       llvm::ArrayRef<BuiltVariant> Variants, TuneReport &Report);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_WINNERHEADER_H
