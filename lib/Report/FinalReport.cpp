//===- FinalReport.cpp - What the final rounds said --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Report/FinalReport.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

const FinalReport::Entry *FinalReport::find(size_t Row) const {
  auto Found = find_if(Entries, [&](const Entry &E) { return E.Row == Row; });
  return Found == Entries.end() ? nullptr : &*Found;
}

std::vector<std::vector<FinalComparison>> compareAll(const FinalReport &Final) {
  size_t Count = Final.Entries.size();
  std::vector<std::vector<FinalComparison>> All(Count, std::vector<FinalComparison>(Count));
  std::vector<double> P;
  for (size_t A = 0; A != Count; ++A)
    for (size_t B = 0; B != Count; ++B) {
      std::optional<RatioEstimate> Ratio =
          compareRounds(Final.Entries[A].SamplesMs, Final.Entries[B].SamplesMs);
      if (!Ratio)
        return {};
      All[A][B].Ratio = *Ratio;
      if (A < B)
        P.push_back(Ratio->P);
    }
  // Which pair is looked at is decided by the times themselves, so all count.
  std::vector<double> Adjusted = adjustByHolm(P);
  auto Next = Adjusted.begin();
  for (size_t A = 0; A != Count; ++A)
    for (size_t B = A + 1; B != Count; ++B)
      All[A][B].AdjustedP = All[B][A].AdjustedP = *Next++;
  return All;
}

std::optional<RatioEstimate> noiseOf(const FinalReport &Final) {
  if (Final.empty())
    return std::nullopt;
  return compareRounds(Final.ControlMs, Final.Entries.front().SamplesMs);
}

void takeFinal(const protocol::Result &Result, function_ref<std::optional<size_t>(StringRef Id)> RowOf,
               FinalReport &Final) {
  Final = FinalReport();
  if (Result.Status != protocol::ResultStatus::Ok) {
    Final.Problem = (protocol::resultStatusName(Result.Status) + ": " + Result.Message).str();
    return;
  }
  for (const protocol::RivalTiming &Rival : Result.Rivals) {
    std::optional<size_t> Row = RowOf(Rival.Name);
    if (!Row || Rival.SamplesMs.empty() || Rival.SamplesMs.size() != Result.SamplesMs.size()) {
      Final = FinalReport();
      Final.Problem = "the result of the final rounds is not one of this run: rival '" + Rival.Name + "'";
      return;
    }
    Final.Entries.push_back({*Row, Rival.SamplesMs, !Rival.Warmed || Rival.Warmed->Stable});
  }
  Final.ControlMs = Result.SamplesMs;
  Final.StockMs = Result.BaselineMs;
  Final.FromDatabase = Result.Stored;
}

static json::Value toJSON(const FinalReport::Entry &E) {
  return json::Object{
      {"row", int64_t(E.Row)}, {"samples_ms", json::Array(E.SamplesMs)}, {"warmup_stable", E.Stable}};
}

static bool fromJSON(const json::Value &Value, FinalReport::Entry &E, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  uint64_t Row = 0;
  bool Mapped =
      Map && Map.map("row", Row) && Map.map("samples_ms", E.SamplesMs) && Map.map("warmup_stable", E.Stable);
  E.Row = Row;
  return Mapped;
}

json::Value toJSON(const FinalReport &Final) {
  json::Array Entries;
  for (const FinalReport::Entry &E : Final.Entries)
    Entries.push_back(toJSON(E));
  return json::Object{{"rounds", int64_t(Final.rounds())},
                      {"entries", std::move(Entries)},
                      {"control_samples_ms", json::Array(Final.ControlMs)},
                      {"stock_samples_ms", json::Array(Final.StockMs)},
                      {"from_database", Final.FromDatabase},
                      {"problem", Final.Problem}};
}

bool fromJSON(const json::Value &Value, FinalReport &Final, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("entries", Final.Entries) && Map.map("control_samples_ms", Final.ControlMs) &&
         Map.map("stock_samples_ms", Final.StockMs) && Map.mapOptional("from_database", Final.FromDatabase) &&
         Map.map("problem", Final.Problem);
}

} // namespace gpuprune
