//===- SameProgram.h - Variants that are one program ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_VARIANT_SAMEPROGRAM_H
#define GPUPRUNE_VARIANT_SAMEPROGRAM_H

#include "gpuprune/Variant/VariantBuilder.h"
#include "llvm/ADT/StringMap.h"

namespace gpuprune {

/// All that decides beside the code what \p V computes and how fast: its launch, its problem, and whether it
/// may win.
std::string programKey(const VariantBuilder &Builder, const BuiltVariant &V);

/// The place of the first variant with the same code and launch.
using KnownPrograms = llvm::StringMap<size_t>;

/// Of \p Variants that still stand, those with the PTX and launch of an earlier one, or of one that is in \p
/// Known, become its twins.
void findTwinsByPtx(const VariantBuilder &Builder, llvm::ArrayRef<BuiltVariant *> Variants,
                    KnownPrograms &Known);
/// The same of machine code, after ptxas. Where \p Known has none it is the one with the fewest passes, of
/// these the first.
void findTwinsByCode(const VariantBuilder &Builder, llvm::ArrayRef<BuiltVariant *> Variants,
                     KnownPrograms &Known);

/// The row that is measured in place of \p Row.
size_t measuredRow(llvm::ArrayRef<VariantResult> Rows, size_t Row);

} // namespace gpuprune

#endif // GPUPRUNE_VARIANT_SAMEPROGRAM_H
