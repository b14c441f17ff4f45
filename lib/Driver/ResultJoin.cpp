//===- ResultJoin.cpp - Runner results into a report ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ResultJoin.h"
#include "gpuprune/Driver/MeasurePlan.h"
#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/Runtime/Bundle.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace gpuprune {

static constexpr StringLiteral VariantPrefix = "variant:", ReferencePrefix = "reference:";
const char *const StockJobId = "stock";

std::string variantJobId(size_t Row) { return VariantPrefix.str() + std::to_string(Row); }
std::string referenceJobId(StringRef Defines) { return (ReferencePrefix + Defines).str(); }

/// The reference with \p Defines differs from stock clang beyond the tolerance,
/// so being equal to it proves nothing.
static void distrust(TuneReport &Report, StringRef Defines, StringRef Why) {
  for (VariantResult &Row : Report.Variants)
    if (StringRef(Row.Variant).starts_with(Defines)) {
      Row.Status = VariantStatus::Wrong;
      Row.Message = ("the prepared kernel with these defines differs from stock clang's: " + Why).str();
    }
}

void joinResult(TuneReport &Report, const protocol::Result &Result) {
  StringRef Id = Result.Id;
  size_t Row = 0;
  if (Id == StockJobId) {
    applyResult(Result, Report.Stock);
  } else if (Id.consume_front(VariantPrefix) && !Id.getAsInteger(10, Row) && Row < Report.Variants.size()) {
    applyResult(Result, Report.Variants[Row]);
  } else if (Id.consume_front(ReferencePrefix)) {
    VariantResult Reference;
    applyResult(Result, Reference);
    if (Reference.Status != VariantStatus::Ok)
      distrust(Report, Id, Reference.Message);
  }
}

void copyTwins(TuneReport &Report) {
  StringMap<const VariantResult *> ByText;
  for (const VariantResult &Row : Report.Variants)
    ByText[Row.Variant] = &Row;
  for (VariantResult &Row : Report.Variants) {
    const VariantResult *Twin = Row.Twin ? ByText.lookup(*Row.Twin) : nullptr;
    if (!Twin)
      continue;
    std::string Text = Row.Variant;
    std::optional<std::string> TwinText = Row.Twin;
    Row = *Twin;
    Row.Variant = std::move(Text);
    Row.Twin = std::move(TwinText);
  }
}

static std::string gpuName(const protocol::Hello &Hello) {
  return formatv("{0} (compute capability {1}.{2}, driver {3})", Hello.Device, Hello.Major, Hello.Minor,
                 Hello.DriverVersion);
}

Expected<TuneReport> reportOfBundle(StringRef Directory, StringRef ResultsFile) {
  Expected<Bundle> Carried = readBundle(Directory);
  if (!Carried)
    return Carried.takeError();
  const json::Value *Written = Carried->Header.get("report");
  if (!Written)
    return makeError(ErrorKind::Input, formatv("'{0}' holds no bundle of gpuprune tune: its header has no report",
                                               Directory));
  Expected<TuneReport> Report = parseTuneReport(*Written);
  if (!Report)
    return Report.takeError();
  Expected<BundleResults> Results = readResults(ResultsFile);
  if (!Results)
    return Results.takeError();
  for (const protocol::Result &Result : Results->Results)
    joinResult(*Report, Result);
  copyTwins(*Report);
  if (Results->Runner)
    Report->Gpu = gpuName(*Results->Runner);
  bool AnyTime = any_of(Report->Variants, isMeasured);
  Report->NotMeasured = AnyTime ? "" : "the results hold no time of a right variant";
  Report->StoppedAfter = phaseName(Phase::Report);
  return Report;
}

} // namespace gpuprune
