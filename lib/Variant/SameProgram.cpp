//===- SameProgram.cpp - Variants that are one program ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/SameProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

/// What of a variant's launch beside its shape decides what it computes: the arguments and the buffers.
static std::string problemKey(const VariantBuilder &Builder, const BuiltVariant &V) {
  // All variants of a choice have one problem; the author's results are those of other choices, too.
  const LaunchChoice &Choice = Builder.choiceOf(V.parts());
  return Choice.OwnResult.empty() ? "" : Choice.Text;
}

std::string programKey(const VariantBuilder &Builder, const BuiltVariant &V) {
  return launchKey(V.Row.Launch) + ";" + V.Row.NoWin + ";" + problemKey(Builder, V) + ";";
}

/// Whether \p V is the first with \p Key; else it becomes a twin.
static bool isFirst(BuiltVariant &V, const std::string &Key, TwinKind Kind, KnownPrograms &Known) {
  auto [Entry, IsNew] = Known.try_emplace(Key, V.Index);
  if (IsNew)
    return true;
  V.Row.Twin = {Entry->second, Kind};
  return false;
}

void findTwinsByPtx(const VariantBuilder &Builder, ArrayRef<BuiltVariant *> Variants, KnownPrograms &Known) {
  for (BuiltVariant *V : Variants)
    if (V->alive() && !isFirst(*V, programKey(Builder, *V) + V->Ptx, TwinKind::Ptx, Known))
      V->FinalBitcode = SmallString<0>(); // There may be thousands.
}

void findTwinsByCode(const VariantBuilder &Builder, ArrayRef<BuiltVariant *> Variants, KnownPrograms &Known) {
  std::vector<BuiltVariant *> Plainest;
  for (BuiltVariant *V : Variants)
    // Bounds on the block are no part of the machine code; what exceeds its own has to fail as itself.
    if (V->alive() && !V->Row.isDuplicate() && V->Code && !V->Code->MachineCode.empty() &&
        V->Code->Resources.takesBlock(V->Row.Launch.Block))
      Plainest.push_back(V);
  // Its text is the one that is shown, and the less is in it, the less has to be checked.
  stable_sort(Plainest, [](const BuiltVariant *A, const BuiltVariant *B) {
    return A->parts().Pipeline.size() < B->parts().Pipeline.size();
  });
  for (BuiltVariant *V : Plainest)
    isFirst(*V, programKey(Builder, *V) + V->Code->MachineCode, TwinKind::MachineCode, Known);
}

size_t measuredRow(ArrayRef<VariantResult> Rows, size_t Row) {
  size_t Measured = Rows[Row].Twin ? Rows[Row].Twin->Row : Row;
  // The twin of one with the same PTX may itself be one with the same machine code.
  if (Rows[Row].isTwinBy(TwinKind::Ptx) && Rows[Measured].Twin)
    return Rows[Measured].Twin->Row;
  return Measured;
}

} // namespace gpuprune
