//===- ResultProtocol.cpp - Results and hello lines as JSON ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "JsonFields.h"
#include "gpuprune/Runtime/Protocol.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune::protocol {

constexpr EnumName<ResultStatus> StatusRows[] = {
#define GPUPRUNE_RESULT_STATUS(Enumerator, Name) {ResultStatus::Enumerator, Name},
#include "gpuprune/Runtime/ResultStatus.def"
};
const FieldNames<ResultStatus> StatusNames{{StatusRows}, "expected a status such as ok, wrong or fault"};

const FieldNames<CheckOutcome> OutcomeNames{CheckOutcomeNames,
                                            "expected one of skipped, bitwise, tolerance, wrong"};

constexpr EnumName<MismatchKind> MismatchRows[] = {{MismatchKind::Value, "value"},
                                                   {MismatchKind::Missing, "missing"},
                                                   {MismatchKind::Extra, "extra"},
                                                   {MismatchKind::GuardBefore, "guard-before"},
                                                   {MismatchKind::GuardAfter, "guard-after"},
                                                   {MismatchKind::Input, "input"},
                                                   {MismatchKind::Elsewhere, "elsewhere"}};
const FieldNames<MismatchKind> MismatchNames{
    {MismatchRows}, "expected one of value, missing, extra, guard-before, guard-after, input, elsewhere"};

constexpr EnumName<CheckLink> LinkRows[] = {{CheckLink::Variant, "variant"}, {CheckLink::Launch, "launch"}};
const FieldNames<CheckLink> LinkNames{{LinkRows}, "expected one of variant, launch"};

static json::Value toJSON(const Mismatch &M) {
  json::Object O{{"kind", MismatchNames.nameOf(M.Kind)},
                 {"buffer", M.Buffer},
                 {"index", M.Index},
                 {"expected", M.Expected},
                 {"got", M.Got},
                 {"differing", M.Differing},
                 {"pattern", M.Pattern}};
  if (M.Link != CheckLink::Variant)
    O["link"] = LinkNames.nameOf(M.Link);
  if (!M.Field.empty())
    O["field"] = M.Field;
  return O;
}

static bool fromJSON(const json::Value &V, Mismatch &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  if (!M)
    return false;
  const json::Object &O = *V.getAsObject();
  return mapEnum(O, "kind", MismatchNames, Out.Kind, Presence::Required, P) && M.map("buffer", Out.Buffer) &&
         mapUnsigned(O, "index", Out.Index, Presence::Required, P) && M.map("expected", Out.Expected) &&
         M.map("got", Out.Got) && mapUnsigned(O, "differing", Out.Differing, Presence::Required, P) &&
         M.mapOptional("pattern", Out.Pattern) && M.mapOptional("field", Out.Field) &&
         mapEnum(O, "link", LinkNames, Out.Link, Presence::Optional, P);
}

json::Value toJSON(const Difference &D) {
  json::Object O{{"elements", D.Elements},
                 {"outside", D.Outside},
                 {"max_absolute", D.MaxAbsolute},
                 {"max_relative", D.MaxRelative},
                 {"index", D.Index},
                 {"expected", D.Expected},
                 {"got", D.Got}};
  if (!D.Field.empty())
    O["field"] = D.Field;
  return O;
}

bool fromJSON(const json::Value &V, Difference &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  if (!M)
    return false;
  const json::Object &O = *V.getAsObject();
  return mapUnsigned(O, "elements", Out.Elements, Presence::Required, P) &&
         mapUnsigned(O, "outside", Out.Outside, Presence::Required, P) &&
         M.map("max_absolute", Out.MaxAbsolute) && M.map("max_relative", Out.MaxRelative) &&
         mapUnsigned(O, "index", Out.Index, Presence::Required, P) && M.map("expected", Out.Expected) &&
         M.map("got", Out.Got) && M.mapOptional("field", Out.Field);
}

static json::Value toJSON(const Output &Of) {
  json::Object O{{"buffer", Of.Buffer}, {"xxh3", Of.Hash}};
  if (Of.Apart)
    O["difference"] = toJSON(*Of.Apart);
  return O;
}

static bool fromJSON(const json::Value &V, Output &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  return M && M.map("buffer", Out.Buffer) && M.map("xxh3", Out.Hash) && M.map("difference", Out.Apart);
}

static json::Value toJSON(const Tolerated &T) {
  json::Object O{{"buffer", T.Buffer}, {"difference", toJSON(T.Apart)}};
  if (!T.Reason.empty())
    O["reason"] = json::fixUTF8(T.Reason);
  return O;
}

static bool fromJSON(const json::Value &V, Tolerated &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  return M && M.map("buffer", Out.Buffer) && M.map("difference", Out.Apart) &&
         M.mapOptional("reason", Out.Reason);
}

static json::Value toJSON(const ProblemCheck &C) {
  json::Object O{{"problem", C.Problem}, {"outcome", checkOutcomeName(C.Outcome)}};
  if (C.Launch != CheckOutcome::Skipped)
    O["launch"] = checkOutcomeName(C.Launch);
  if (C.Apart)
    O["difference"] = toJSON(*C.Apart);
  if (C.LaunchApart)
    O["launch_difference"] = toJSON(*C.LaunchApart);
  if (C.Detail)
    O["mismatch"] = toJSON(*C.Detail);
  json::Array Outputs;
  for (const Output &Of : C.Outputs)
    Outputs.push_back(toJSON(Of));
  if (!C.Outputs.empty())
    O["outputs"] = std::move(Outputs);
  return O;
}

static bool fromJSON(const json::Value &V, ProblemCheck &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  if (!M)
    return false;
  const json::Object &O = *V.getAsObject();
  return M.map("problem", Out.Problem) &&
         mapEnum(O, "outcome", OutcomeNames, Out.Outcome, Presence::Required, P) &&
         mapEnum(O, "launch", OutcomeNames, Out.Launch, Presence::Optional, P) &&
         M.map("difference", Out.Apart) && M.map("launch_difference", Out.LaunchApart) &&
         M.map("mismatch", Out.Detail) && M.mapOptional("outputs", Out.Outputs);
}

static json::Value toJSON(const KernelFacts &F) {
  return json::Object{{"symbol", F.Symbol},          {"registers", F.Registers},
                      {"local_bytes", F.LocalBytes}, {"shared_bytes", F.SharedBytes},
                      {"max_threads", F.MaxThreads}, {"blocks_per_sm", F.BlocksPerSM}};
}

static bool fromJSON(const json::Value &V, KernelFacts &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  return M && M.map("symbol", Out.Symbol) && M.map("registers", Out.Registers) &&
         M.map("local_bytes", Out.LocalBytes) && M.map("shared_bytes", Out.SharedBytes) &&
         M.map("max_threads", Out.MaxThreads) && M.map("blocks_per_sm", Out.BlocksPerSM);
}

static json::Value toJSON(const WarmUp &W) {
  return json::Object{{"runs", W.Runs}, {"ms", W.Ms}, {"stable", W.Stable}};
}

static bool fromJSON(const json::Value &V, WarmUp &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  return M && mapUnsigned(*V.getAsObject(), "runs", Out.Runs, Presence::Required, P) && M.map("ms", Out.Ms) &&
         M.map("stable", Out.Stable);
}

static json::Value toJSON(const RivalTiming &T) {
  json::Object O{{"name", T.Name}, {"samples_ms", T.SamplesMs}, {"launches_per_sample", T.LaunchesPerSample}};
  if (T.Warmed)
    O["warmup"] = toJSON(*T.Warmed);
  return O;
}

static bool fromJSON(const json::Value &V, RivalTiming &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  return M && M.map("name", Out.Name) && M.map("samples_ms", Out.SamplesMs) &&
         mapUnsigned(*V.getAsObject(), "launches_per_sample", Out.LaunchesPerSample, Presence::Optional, P) &&
         M.map("warmup", Out.Warmed);
}

json::Value toJSON(const Clock &C) {
  return json::Object{{"min_mhz", C.MinMhz},
                      {"max_mhz", C.MaxMhz},
                      {"max_celsius", C.MaxCelsius},
                      {"max_milliwatts", C.MaxMilliwatts},
                      {"limits", json::Array(C.Limits)}};
}

bool fromJSON(const json::Value &V, Clock &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  if (!M)
    return false;
  const json::Object &O = *V.getAsObject();
  return mapUnsigned(O, "min_mhz", Out.MinMhz, Presence::Required, P) &&
         mapUnsigned(O, "max_mhz", Out.MaxMhz, Presence::Required, P) &&
         mapUnsigned(O, "max_celsius", Out.MaxCelsius, Presence::Optional, P) &&
         mapUnsigned(O, "max_milliwatts", Out.MaxMilliwatts, Presence::Optional, P) &&
         M.mapOptional("limits", Out.Limits);
}

StringRef resultStatusName(ResultStatus Status) { return StatusNames.nameOf(Status); }

std::optional<ResultStatus> parseResultStatus(StringRef Name) { return StatusNames.find(Name); }

StringRef mismatchKindName(MismatchKind Kind) { return MismatchNames.nameOf(Kind); }

std::string fieldText(StringRef Field) { return Field.empty() ? "" : (", field " + Field).str(); }

std::string describe(const Mismatch &M) {
  StringRef Link =
      M.Link == CheckLink::Launch ? "the kernel at this launch differs from the author's launch: " : "";
  if (M.Kind == MismatchKind::Elsewhere)
    return (Link + "it writes to memory that is none of its buffers and their guard zones").str();
  return formatv("{0}buffer {1}, {2} at {3}{4}: expected {5}, got {6}; {7} differ", Link, M.Buffer,
                 mismatchKindName(M.Kind), M.Index, fieldText(M.Field), M.Expected, M.Got, M.Differing);
}

std::string describe(const Tolerated &T) {
  return formatv("buffer {0} differs by {1:e2} ({2:e2} relative) at most{3}{4}", T.Buffer,
                 T.Apart.MaxAbsolute, T.Apart.MaxRelative, T.Reason.empty() ? "" : ", due to ", T.Reason);
}

json::Value toJSON(const Result &R) {
  json::Array Checks, Kernels;
  for (const ProblemCheck &C : R.Checks)
    Checks.push_back(toJSON(C));
  for (const KernelFacts &F : R.Kernels)
    Kernels.push_back(toJSON(F));
  json::Object O{{"id", R.Id},
                 {"status", resultStatusName(R.Status)},
                 {"check", checkOutcomeName(R.Check)},
                 {"checks", std::move(Checks)},
                 {"samples_ms", R.SamplesMs},
                 {"baseline_ms", R.BaselineMs},
                 {"launches_per_sample", R.LaunchesPerSample},
                 {"kernels", std::move(Kernels)}};
  if (R.ReferencesOnHost != 0)
    O["references_on_host"] = int64_t(R.ReferencesOnHost);
  if (R.FewSamples)
    O["few_samples"] = true;
  if (R.TimedMs > 0)
    O["timed_ms"] = R.TimedMs;
  if (R.MedianMs)
    O["median_ms"] = *R.MedianMs;
  if (R.BaselineMedianMs)
    O["baseline_median_ms"] = *R.BaselineMedianMs;
  if (!R.Culprit.empty())
    O["culprit"] = R.Culprit;
  if (R.Warmed)
    O["warmup"] = toJSON(*R.Warmed);
  if (R.GpuClock)
    O["clock"] = toJSON(*R.GpuClock);
  json::Array Rivals;
  for (const RivalTiming &T : R.Rivals)
    Rivals.push_back(toJSON(T));
  if (!Rivals.empty())
    O["rivals"] = std::move(Rivals);
  if (R.RunnerEnds)
    O["runner_ends"] = true;
  if (!R.Message.empty())
    O["message"] = json::fixUTF8(R.Message);
  return O;
}

bool fromJSON(const json::Value &V, Result &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  if (!M)
    return false;
  const json::Object &O = *V.getAsObject();
  return M.map("id", Out.Id) && mapEnum(O, "status", StatusNames, Out.Status, Presence::Required, P) &&
         mapEnum(O, "check", OutcomeNames, Out.Check, Presence::Optional, P) &&
         M.mapOptional("checks", Out.Checks) && M.mapOptional("samples_ms", Out.SamplesMs) &&
         M.mapOptional("baseline_ms", Out.BaselineMs) && M.mapOptional("timed_ms", Out.TimedMs) &&
         M.mapOptional("few_samples", Out.FewSamples) &&
         M.mapOptional("references_on_host", Out.ReferencesOnHost) && M.map("median_ms", Out.MedianMs) &&
         M.map("baseline_median_ms", Out.BaselineMedianMs) &&
         mapUnsigned(O, "launches_per_sample", Out.LaunchesPerSample, Presence::Optional, P) &&
         M.map("warmup", Out.Warmed) && M.map("clock", Out.GpuClock) && M.mapOptional("rivals", Out.Rivals) &&
         M.mapOptional("kernels", Out.Kernels) && M.mapOptional("message", Out.Message) &&
         M.mapOptional("culprit", Out.Culprit) && M.mapOptional("runner_ends", Out.RunnerEnds);
}

json::Value toJSON(const Hello &H) {
  json::Object O{{"hello", H.Protocol}, {"version", H.Version}, {"gpu", H.HasGpu}};
  if (!H.HasGpu) {
    O["problem"] = H.Problem;
    O["message"] = json::fixUTF8(H.Message);
    return O;
  }
  O["device"] = json::fixUTF8(H.Device);
  O["compute_capability"] = json::Array{H.Major, H.Minor};
  O["driver_version"] = H.DriverVersion;
  O["sm_count"] = H.SmCount;
  O["total_memory"] = H.TotalMemory;
  O["l2_bytes"] = H.L2Bytes;
  if (!H.SharedUnfilled.empty())
    O["shared_unfilled"] = json::fixUTF8(H.SharedUnfilled);
  return O;
}

bool fromJSON(const json::Value &V, Hello &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  if (!M || !M.map("hello", Out.Protocol) || !M.map("version", Out.Version) || !M.map("gpu", Out.HasGpu))
    return false;
  if (!Out.HasGpu)
    return M.map("problem", Out.Problem) && M.map("message", Out.Message);
  std::vector<int> Capability;
  if (!M.map("device", Out.Device) || !M.map("compute_capability", Capability) ||
      !M.map("driver_version", Out.DriverVersion) || !M.map("sm_count", Out.SmCount) ||
      !mapUnsigned(*V.getAsObject(), "total_memory", Out.TotalMemory, Presence::Required, P) ||
      !mapUnsigned(*V.getAsObject(), "l2_bytes", Out.L2Bytes, Presence::Optional, P) ||
      !M.mapOptional("shared_unfilled", Out.SharedUnfilled))
    return false;
  if (Capability.size() != 2) {
    P.field("compute_capability").report("expected two integers");
    return false;
  }
  Out.Major = Capability[0];
  Out.Minor = Capability[1];
  return true;
}

} // namespace gpuprune::protocol
