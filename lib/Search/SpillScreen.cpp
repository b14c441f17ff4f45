//===- SpillScreen.cpp - Keeps out what spilling makes slow -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/SpillScreen.h"
#include "gpuprune/Passes/Registry.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// The rows, to be found by what they are made with.
class Table {
public:
  explicit Table(ArrayRef<VariantResult> Rows) : Rows(Rows) {
    for (const auto &[Index, Row] : enumerate(Rows))
      ByParts[Row.Parts] = Index;
  }
  /// The row that has the figures of \p V: its own, or its twin's.
  const VariantResult *find(const Variant &V) const {
    auto Known = ByParts.find(V);
    if (Known == ByParts.end())
      return nullptr;
    const VariantResult &Row = Rows[Known->second];
    return Row.Twin ? &Rows[Row.Twin->Row] : &Row;
  }

private:
  ArrayRef<VariantResult> Rows;
  DenseMap<Variant, size_t> ByParts;
};

} // namespace

/// Without register caps; nothing where there are none.
static std::optional<Variant> siblingOf(const VariantResult &Row) {
  if (none_of(Row.Parts.Pipeline, actsBehindO3))
    return std::nullopt;
  Variant Sibling = Row.Parts;
  erase_if(Sibling.Pipeline, actsBehindO3);
  return Sibling;
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
  return any_of(Row.Parts.Pipeline, [](const PassElement &Element) {
    const PassDescription *Pass = findPass(Element.Name);
    return Pass && Pass->SpillsToLocal && Pass->SpillsToLocal(Element);
  });
}

/// Whether ptxas has undone such a plan.
static bool planIsUndone(const VariantResult &Row) { return *Row.LocalBytes == 0 && spillsToLocal(Row); }

/// Why \p Row is screened; empty where it is not.
static std::string reasonToScreen(const VariantResult &Row, const Table &Rows, const DeviceInfo &Device) {
  if (planIsUndone(Row))
    return "ptxas keeps in registers what the plan spills: the kernel has no local memory";
  std::optional<Variant> SiblingParts = siblingOf(Row);
  if (!SiblingParts || *Row.LocalBytes == 0)
    return "";
  const VariantResult *Sibling = Rows.find(*SiblingParts);
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
  Table Known(Rows);
  for (VariantResult &Row : Rows) {
    if (Row.Status != VariantStatus::Ok || Row.isDuplicate() || !Row.LocalBytes)
      continue;
    std::string Reason = reasonToScreen(Row, Known, Device);
    if (Reason.empty())
      continue;
    Row.Status = VariantStatus::Spills;
    Row.Message = std::move(Reason);
  }
}

} // namespace gpuprune
