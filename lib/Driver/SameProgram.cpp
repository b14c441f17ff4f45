//===- SameProgram.cpp - Variants that are one program ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SameProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

/// What of a variant's launch beside its shape decides what it computes: the arguments and the buffers.
static std::string problemKey(const VariantBuilder &Builder, const BuiltVariant &V) {
  // All variants of a choice have one problem; the author's results are those of other choices, too.
  const LaunchChoice &Choice = Builder.choiceOf(V.Parts);
  return Choice.OwnResult.empty() ? "" : Choice.Text;
}

std::string programKey(const VariantBuilder &Builder, const BuiltVariant &V) {
  return launchKey(V.Row.Launch) + ";" + V.Row.NoWin + ";" + problemKey(Builder, V) + ";";
}

/// Whether \p V is the first with \p Key; else it becomes a twin.
static bool isFirst(BuiltVariant &V, const std::string &Key, TwinKind Kind, KnownPrograms &Known) {
  auto [Entry, IsNew] = Known.try_emplace(Key, V.Row.Variant);
  if (IsNew)
    return true;
  V.Row.Twin = Entry->second;
  V.Row.TwinBy = Kind;
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
    return A->Parts.Pipeline.size() < B->Parts.Pipeline.size();
  });
  for (BuiltVariant *V : Plainest)
    isFirst(*V, programKey(Builder, *V) + V->Code->MachineCode, TwinKind::MachineCode, Known);
}

StringMap<StringRef> measuredTexts(ArrayRef<VariantResult> Rows) {
  StringMap<StringRef> Texts;
  for (const VariantResult &Row : Rows)
    Texts[Row.Variant] = Row.Twin ? StringRef(*Row.Twin) : StringRef(Row.Variant);
  // The twin of one with the same PTX may itself be one with the same machine code.
  for (const VariantResult &Row : Rows)
    if (Row.isTwinBy(TwinKind::Ptx))
      Texts[Row.Variant] = Texts.lookup(*Row.Twin);
  return Texts;
}

} // namespace gpuprune
