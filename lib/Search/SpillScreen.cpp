//===- SpillScreen.cpp - Keeps out what spilling makes slow -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/SpillScreen.h"
#include "gpuprune/Passes/Registry.h"
#include "gpuprune/Search/Variant.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

using RowsByText = StringMap<const VariantResult *>;

/// The row that has the figures of \p Text: its own, or its twin's.
static const VariantResult *findRow(const RowsByText &ByText, StringRef Text) {
  const VariantResult *Row = ByText.lookup(Text);
  return Row && Row->Twin ? ByText.lookup(*Row->Twin) : Row;
}

/// The text without register caps; nothing where there are none.
static std::optional<std::string> siblingOf(const VariantResult &Row) {
  Expected<Variant> V = parseVariant(Row.Variant);
  if (!V) {
    consumeError(V.takeError());
    return std::nullopt;
  }
  size_t Passes = V->Pipeline.size();
  erase_if(V->Pipeline, actsBehindO3);
  if (V->Pipeline.size() == Passes)
    return std::nullopt;
  return printVariant(*V);
}

bool localMemoryFitsL1(const VariantResult &Row, const DeviceInfo &Device) {
  uint64_t Blocks = *Row.BlocksPerSM;
  uint64_t Threads = Blocks * Row.Launch.Block.X * Row.Launch.Block.Y * Row.Launch.Block.Z;
  uint64_t SharedOfBlock =
      alignTo(*Row.SharedBytes + Row.Launch.SharedBytes + Device.SharedReserved, Device.SharedUnit);
  return *Row.LocalBytes * Threads <= l1BytesBeside(Device, Blocks * SharedOfBlock);
}

/// Whether the variant has words in local memory by plan: its instructions count them.
static bool spillsToLocal(const VariantResult &Row) {
  Expected<Variant> V = parseVariant(Row.Variant);
  if (!V) {
    consumeError(V.takeError());
    return false;
  }
  return any_of(V->Pipeline, [](const PassElement &Element) {
    const PassDescription *Pass = findPass(Element.Name);
    return Pass && Pass->SpillsToLocal && Pass->SpillsToLocal(Element);
  });
}

/// Whether ptxas has undone such a plan.
static bool planIsUndone(const VariantResult &Row) { return *Row.LocalBytes == 0 && spillsToLocal(Row); }

/// Why \p Row is screened; empty where it is not.
static std::string reasonToScreen(const VariantResult &Row, const RowsByText &ByText,
                                  const DeviceInfo &Device) {
  if (planIsUndone(Row))
    return "ptxas keeps in registers what the plan spills: the kernel has no local memory";
  std::optional<std::string> SiblingText = siblingOf(Row);
  if (!SiblingText || *Row.LocalBytes == 0)
    return "";
  const VariantResult *Sibling = findRow(ByText, *SiblingText);
  // A sibling the space does not have: what ptxas says it spilled is due to the cap.
  bool SiblingRuns = !Sibling || Sibling->Status != VariantStatus::Resources;
  uint64_t Without =
      Sibling && Sibling->LocalBytes && !spillsToLocal(Row)
          ? *Sibling->LocalBytes
          : *Row.LocalBytes - std::min(*Row.LocalBytes, std::max(*Row.SpillStoreBytes, *Row.SpillLoadBytes));
  if (*Row.LocalBytes <= Without)
    return "";
  if (SiblingRuns)
    return formatv("{0} bytes of local memory per thread, {1} without the register cap", *Row.LocalBytes,
                   Without);
  if (localMemoryFitsL1(Row, Device))
    return "";
  return formatv("{0} bytes of local memory per thread: more than the L1 beside the shared memory holds",
                 *Row.LocalBytes);
}

void screenSpills(MutableArrayRef<VariantResult> Rows, const DeviceInfo &Device) {
  RowsByText ByText;
  for (const VariantResult &Row : Rows)
    ByText[Row.Variant] = &Row;
  for (VariantResult &Row : Rows) {
    if (Row.Status != VariantStatus::Ok || Row.isDuplicate() || !Row.LocalBytes)
      continue;
    std::string Reason = reasonToScreen(Row, ByText, Device);
    if (Reason.empty())
      continue;
    Row.Status = VariantStatus::Spills;
    Row.Message = std::move(Reason);
  }
}

} // namespace gpuprune
