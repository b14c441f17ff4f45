//===- ReportJson.cpp - A tuning run's report as JSON -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EnumJson.h"
#include "ReportModel.h"
#include "ReportWinner.h"
#include "RowJson.h"
#include "gpuprune/Report/TuneReport.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

template <typename T> static json::Value orNull(const std::optional<T> &Value) {
  return Value ? json::Value(*Value) : json::Value(nullptr);
}

static json::Object toJSON(const DatabaseUse &D) {
  return json::Object{{"path", D.Path},
                      {"taken", int64_t(D.Taken)},
                      {"stored", int64_t(D.Stored)},
                      {"notes", json::Array(D.Notes)}};
}

static json::Object toJSON(const CompileCacheUse::Step &S) {
  return json::Object{{"taken", int64_t(S.Taken)}, {"kept", int64_t(S.Kept)}};
}

static json::Object toJSON(const CompileCacheUse &C) {
  return json::Object{{"path", C.Path},
                      {"frontends", toJSON(C.Frontends)},
                      {"codes", toJSON(C.Codes)},
                      {"assemblies", toJSON(C.Assemblies)},
                      {"checks", toJSON(C.Checks)},
                      {"notes", json::Array(C.Notes)}};
}

static json::Value toJSON(const RatioEstimate &R) {
  return json::Object{{"ratio", R.Ratio}, {"low", R.Low}, {"high", R.High}, {"p", R.P}};
}

/// How each finalist compares with the winner, and the noise.
static json::Value finalVerdict(const TuneReport &T) {
  std::optional<size_t> Row = T.winner();
  const FinalReport::Entry *Best = Row ? T.Final.find(*Row) : nullptr;
  std::vector<std::vector<FinalComparison>> Compared = compareAll(T.Final);
  if (!Best || Compared.empty())
    return nullptr;
  size_t Winner = Best - T.Final.Entries.data();
  json::Array Against;
  for (size_t I = 0; I != Compared.size(); ++I) {
    json::Object O = std::move(*toJSON(Compared[I][Winner].Ratio).getAsObject());
    O["variant"] = T.Variants[T.Final.Entries[I].Row].text();
    O["adjusted_p"] = I == Winner ? 1 : Compared[I][Winner].AdjustedP;
    O["same"] = I == Winner || Compared[I][Winner].isSame();
    Against.push_back(std::move(O));
  }
  std::optional<RatioEstimate> Noise = noiseOf(T.Final);
  return json::Object{{"level", SignificanceLevel},
                      {"finalists", std::move(Against)},
                      {"noise", Noise ? toJSON(*Noise) : json::Value(nullptr)}};
}

static json::Value toJSON(const MeasuringCost &Cost) {
  return json::Object{{"jobs", int64_t(Cost.Jobs)},
                      {"opening_ms", Cost.OpeningMs},
                      {"wall_ms", Cost.WallMs},
                      {"gpu_ms", Cost.GpuMs},
                      {"references_on_host", int64_t(Cost.ReferencesOnHost)}};
}

static json::Value toJSON(const ReportLoop &L) {
  return json::Object{{"number", L.Number},   {"depth", L.Depth},
                      {"line", L.Line},       {"trip_count", L.TripCount},
                      {"exact", L.isExact()}, {"source", instrSourceName(L.Source)}};
}

static json::Value toJSON(const IterationSample &S) {
  return json::Object{{"size", S.Size},
                      {"compared", json::Array(S.Compared)},
                      {"others", json::Array(S.Others)},
                      {"is_tune", S.IsTune}};
}

static json::Value toJSON(const SkippedSize &S) {
  return json::Object{{"defines", S.Defines}, {"size", S.Size}, {"reason", S.Reason}};
}

static json::Value toJSON(const RemovedCombinations &R) {
  return json::Object{{"constraint", R.Constraint}, {"combinations", int64_t(R.Count)}};
}

template <typename Range> static json::Value eachToJSON(const Range &Elements) {
  json::Array Array;
  for (const auto &Element : Elements)
    Array.push_back(toJSON(Element));
  return Array;
}

static void addWinners(json::Object &Report, const TuneReport &T) {
  if (std::optional<size_t> Winner = T.winner()) {
    const VariantResult &Row = T.Variants[*Winner];
    Report["winner"] = Row.text();
    TimePair Times = T.timesOf(*Winner);
    Report["winner_median_ms"] = *Times.VariantMs;
    Report["replay"] = replayToJSON(T, Row);
    if (Times.StockMs)
      Report["speedup"] = *Times.StockMs / *Times.VariantMs;
  }
  Report["as_written_is_best"] = T.asWrittenIsBest().has_value();
  if (std::optional<size_t> Winner = T.winner(/*AuthorOnly=*/true))
    Report["author_winner"] = T.Variants[*Winner].text();
}

static json::Value toJSON(const SpeedOfLight &Light) {
  return json::Object{{"ms", Light.Ms}, {"bound", modelTermName(Light.Bound)}, {"clock_mhz", Light.ClockMhz}};
}

static json::Array rowsOf(const TuneReport &T) {
  json::Array Rows;
  for (const VariantResult &Row : T.Variants)
    Rows.push_back(rowToJSON(Row, T.Variants));
  return Rows;
}

json::Value toJSON(const TuneReport &T) {
  json::Object Report{
      {"workload", T.Workload},
      {"source", T.Source},
      {"bitcode", T.Bitcode},
      {"flags", json::Array(T.Flags)},
      {"kernel", T.Kernel},
      {"pass_kernel", T.PassKernel},
      {"target_features", T.Features},
      {"device", T.Device},
      {"gpu", T.Gpu},
      {"size", T.Size},
      {"author_defines", T.authorDefinesText()},
      {"work", orNull(T.Work)},
      {"work_unit", T.WorkUnit},
      {"loops", eachToJSON(T.Loops)},
      {"skipped_sizes", eachToJSON(T.SkippedSizes)},
      {"iterations", eachToJSON(T.Samples)},
      {"space", int64_t(T.Variants.size())},
      {"combinations", int64_t(T.Combinations)},
      {"removed_by_constraints", eachToJSON(T.Removed)},
      {"distinct", int64_t(T.distinct())},
      {"pareto", int64_t(T.paretoCount())},
      {"compiled", int64_t(T.Compiled)},
      {"cpu_ms_per_variant", T.CpuMsPerVariant},
      {"check_cpu_ms", T.CheckCpuMs},
      {"measuring", T.Measuring ? toJSON(*T.Measuring) : json::Value(nullptr)},
      {"sampled_of", int64_t(T.SampledOf)},
      {"strategy", searchKindName(T.Strategy)},
      {"build_note", T.BuildNote},
      {"search_note", T.SearchNote},
      {"model_choice", modelChoiceToJSON(T)},
      {"exhaustive", T.Exhaustive},
      {"stopped_after", T.StoppedAfter},
      {"not_measured", T.NotMeasured},
      {"runner_failed", T.RunnerFailed},
      {"budget_note", T.BudgetNote},
      {"fingerprint", T.Fingerprint},
      {"regret", orNull(T.paretoRegret())},
      {"random_regret", orNull(T.randomRegret())},
      {"speed_of_light", T.Light ? toJSON(*T.Light) : json::Value(nullptr)},
      {"database", toJSON(T.Database)},
      {"compile_cache", toJSON(T.Compiling)},
      {"author_failure", T.AuthorFailure},
      {"emit_arguments", T.EmitArguments},
      {"no_header", T.NoHeader},
      {"stock", rowToJSON(T.Stock, T.Variants)},
      {"winner", nullptr},
      {"author_winner", nullptr},
  };
  addWinners(Report, T);
  Report["final"] = toJSON(T.Final);
  (*Report["final"].getAsObject())["against"] = finalVerdict(T);
  Report["clock"] = T.GpuClock ? toJSON(*T.GpuClock) : json::Value(nullptr);
  Report["cpu_gpu"] = eachToJSON(T.Agreement);
  Report["reproduced"] = orNull(isReproduced(T.Reproduced));
  Report["recorded_contents"] = eachToJSON(T.Reproduced);
  Report["variants"] = rowsOf(T);
  return Report;
}

bool fromJSON(const json::Value &Value, ReportLoop &L, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  std::optional<InstrSource> Source; // Nothing in reports of before loops were run.
  bool Exact = false;
  bool Mapped = Map && Map.map("number", L.Number) && Map.map("depth", L.Depth) && Map.map("line", L.Line) &&
                Map.map("trip_count", L.TripCount) && Map.map("exact", Exact) &&
                mapEnum(Map, "source", Source, Path);
  L.Source = Source.value_or(Exact ? InstrSource::ExactStatic : InstrSource::Estimated);
  return Mapped;
}

static bool fromJSON(const json::Value &Value, DatabaseUse &D, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  uint64_t Taken = 0, Stored = 0;
  bool Mapped = Map && Map.map("path", D.Path) && Map.map("taken", Taken) && Map.map("stored", Stored) &&
                Map.map("notes", D.Notes);
  D.Taken = Taken;
  D.Stored = Stored;
  return Mapped;
}

static bool fromJSON(const json::Value &Value, CompileCacheUse::Step &S, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  uint64_t Taken = 0, Kept = 0;
  bool Mapped = Map && Map.map("taken", Taken) && Map.map("kept", Kept);
  S = {size_t(Taken), size_t(Kept)};
  return Mapped;
}

static bool fromJSON(const json::Value &Value, CompileCacheUse &C, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("path", C.Path) && Map.map("frontends", C.Frontends) && Map.map("codes", C.Codes) &&
         Map.map("assemblies", C.Assemblies) && Map.map("checks", C.Checks) && Map.map("notes", C.Notes);
}

static bool fromJSON(const json::Value &Value, IterationSample &S, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("size", S.Size) && Map.map("compared", S.Compared) && Map.map("others", S.Others) &&
         Map.map("is_tune", S.IsTune);
}

static bool fromJSON(const json::Value &Value, SkippedSize &S, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("defines", S.Defines) && Map.map("size", S.Size) && Map.map("reason", S.Reason);
}

static bool rowsExist(const TuneReport &T, json::Path Path) {
  for (const FinalReport::Entry &E : T.Final.Entries)
    if (E.Row >= T.Variants.size() || E.SamplesMs.empty()) {
      Path.field("final").report("names a row that is none, or has no samples");
      return false;
    }
  return true;
}

static bool fromJSON(const json::Value &Value, RemovedCombinations &Removed, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("constraint", Removed.Constraint) && Map.map("combinations", Removed.Count);
}

static bool fromJSON(const json::Value &Value, MeasuringCost &Cost, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("jobs", Cost.Jobs) && Map.map("wall_ms", Cost.WallMs) &&
         Map.map("gpu_ms", Cost.GpuMs) && Map.mapOptional("opening_ms", Cost.OpeningMs) &&
         Map.mapOptional("references_on_host", Cost.ReferencesOnHost);
}

static bool fromJSON(const json::Value &Value, SpeedOfLight &Light, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  if (!Map || !Map.map("ms", Light.Ms) || !mapEnum(Map, "bound", Light.Bound, Presence::Required, Path) ||
      !Map.map("clock_mhz", Light.ClockMhz))
    return false;
  if (Light.Ms > 0)
    return true;
  Path.field("ms").report("expected a positive time");
  return false;
}

static bool fromJSON(const json::Value &Value, TuneReport &T, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  std::string AuthorDefines; // See readTexts().
  return Map && Map.map("workload", T.Workload) && Map.map("source", T.Source) &&
         Map.mapOptional("bitcode", T.Bitcode) && Map.map("flags", T.Flags) && Map.map("kernel", T.Kernel) &&
         Map.map("pass_kernel", T.PassKernel) && Map.map("target_features", T.Features) &&
         Map.map("device", T.Device) && Map.map("gpu", T.Gpu) && Map.map("size", T.Size) &&
         Map.map("author_defines", AuthorDefines) && Map.map("work", T.Work) &&
         Map.map("work_unit", T.WorkUnit) && Map.map("loops", T.Loops) &&
         Map.mapOptional("skipped_sizes", T.SkippedSizes) && Map.mapOptional("iterations", T.Samples) &&
         Map.map("combinations", T.Combinations) && Map.map("removed_by_constraints", T.Removed) &&
         Map.mapOptional("compiled", T.Compiled) && Map.map("cpu_ms_per_variant", T.CpuMsPerVariant) &&
         Map.mapOptional("check_cpu_ms", T.CheckCpuMs) && Map.map("measuring", T.Measuring) &&
         Map.mapOptional("sampled_of", T.SampledOf) &&
         mapEnum(Map, "strategy", T.Strategy, Presence::Optional, Path) &&
         Map.mapOptional("build_note", T.BuildNote) && Map.mapOptional("search_note", T.SearchNote) &&
         Map.map("exhaustive", T.Exhaustive) && Map.map("stopped_after", T.StoppedAfter) &&
         Map.map("not_measured", T.NotMeasured) && Map.map("runner_failed", T.RunnerFailed) &&
         Map.map("budget_note", T.BudgetNote) && Map.map("fingerprint", T.Fingerprint) &&
         Map.mapOptional("database", T.Database) && Map.mapOptional("compile_cache", T.Compiling) &&
         Map.mapOptional("author_failure", T.AuthorFailure) &&
         Map.mapOptional("emit_arguments", T.EmitArguments) && Map.mapOptional("no_header", T.NoHeader) &&
         Map.map("stock", T.Stock) && Map.map("variants", T.Variants) && Map.map("final", T.Final) &&
         Map.map("clock", T.GpuClock) && Map.mapOptional("cpu_gpu", T.Agreement) &&
         Map.mapOptional("recorded_contents", T.Reproduced) && Map.mapOptional("speed_of_light", T.Light) &&
         rowsExist(T, Path);
}

/// Reads what of \p Written, which has the fields of \p Report, are texts of variants.
static Error readTexts(const json::Object &Written, TuneReport &Report) {
  Variant Author;
  if (Error E = parseVariant(*Written.getString("author_defines")).moveInto(Author))
    return E;
  Report.AuthorDefines = std::move(Author.Defines);
  std::vector<ReadRow> Rows{{*Written.getObject("stock"), Report.Stock}};
  for (const auto &[Row, Read] : zip_equal(*Written.getArray("variants"), Report.Variants))
    Rows.push_back({*Row.getAsObject(), Read});
  return readTexts(Rows, Report.Variants);
}

/// What no type expresses and what prints a report relies on.
static Error validate(const TuneReport &Report) {
  static constexpr unsigned DeepestLoop = 1000;
  for (const ReportLoop &L : Report.Loops)
    if (L.Depth < 1 || L.Depth > DeepestLoop)
      return makeError(ErrorKind::Input, formatv("loop {0} has the depth {1}; expected 1 to {2}", L.Number,
                                                 L.Depth, DeepestLoop));
  for (const VariantResult &Row : Report.Variants) {
    if (Row.Pareto && !Row.Registers)
      return makeError(ErrorKind::Input,
                       formatv("the variant '{0}' is on the Pareto set and has no registers", Row.text()));
  }
  return Error::success();
}

Expected<TuneReport> parseTuneReport(const json::Value &Value) {
  TuneReport Report;
  json::Path::Root Root("report");
  Error E = fromJSON(Value, Report, Root) ? readTexts(*Value.getAsObject(), Report) : Root.getError();
  if (!E)
    E = validate(Report);
  if (E)
    return makeError(ErrorKind::Input, "not a tuning report: " + toString(std::move(E)));
  return Report;
}

} // namespace gpuprune
