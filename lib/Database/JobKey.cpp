//===- JobKey.cpp - Which stored result answers a job -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Database/JobKey.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SHA256.h"

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

/// Rewrites the launches anywhere in \p Value. False for one without code.
static bool replaceCubins(json::Value &Value) {
  if (json::Array *Elements = Value.getAsArray())
    return all_of(*Elements, replaceCubins);
  json::Object *Fields = Value.getAsObject();
  if (!Fields)
    return true;
  if (Fields->get("cubin")) {
    Fields->erase("cubin");
    Fields->erase("symbol");
    if (!Fields->get("code"))
      return false;
  }
  return all_of(*Fields, [](auto &Field) { return replaceCubins(Field.second); });
}

/// What decides how fast code runs there. Other GPUs of the same model count as
/// the same: docs/decisions/database-key.md.
static json::Object modelOf(const Hello &Gpu) {
  return json::Object{{"device", json::fixUTF8(Gpu.Device)},
                      {"compute_capability", json::Array{Gpu.Major, Gpu.Minor}},
                      {"driver_version", Gpu.DriverVersion},
                      {"sm_count", Gpu.SmCount},
                      {"total_memory", Gpu.TotalMemory}};
}

/// Limits say when to give up, contests and names who else there is.
static void eraseWhatIsNotMeasured(json::Object &Measure) {
  for (StringRef Field :
       {"limit_ms", "max_slowdown", "watchdog", "clearly_slower", "clearly_slower_ms", "contests"})
    Measure.erase(Field);
  if (json::Array *Rivals = Measure.getArray("rivals"))
    for (json::Value &Rival : *Rivals)
      if (json::Object *Fields = Rival.getAsObject())
        Fields->erase("name");
}

/// Erases the paths of files beside which a hash says what they hold, anywhere in \p Value.
static void eraseHashedFiles(json::Value &Value) {
  if (json::Array *Elements = Value.getAsArray())
    for (json::Value &Element : *Elements)
      eraseHashedFiles(Element);
  json::Object *Fields = Value.getAsObject();
  if (!Fields)
    return;
  if (Fields->get("xxh3"))
    Fields->erase("file");
  for (auto &Field : *Fields)
    eraseHashedFiles(Field.second);
}

Expected<std::string> keyText(const Job &Job, const Hello &Gpu) {
  json::Value Text = toJSON(Job);
  json::Object &Fields = *Text.getAsObject();
  Fields.erase("id");
  if (json::Object *Measure = Fields.getObject("measure"))
    eraseWhatIsNotMeasured(*Measure);
  eraseHashedFiles(Text);
  if (!replaceCubins(Text))
    return makeError(ErrorKind::Input,
                     formatv("job '{0}' has a launch whose code is not identified (field code)", Job.Id));
  // llvm::json prints the keys of an object sorted and doubles exactly.
  return formatv("{0}", json::Value(json::Object{{"job", std::move(Text)},
                                                 {"gpu", modelOf(Gpu)},
                                                 {"protocol", Gpu.Protocol},
                                                 {"runner", Gpu.Version}}))
      .str();
}

Expected<std::string> jobKey(const Job &Job, const Hello &Gpu) {
  Expected<std::string> Text = keyText(Job, Gpu);
  if (!Text)
    return Text.takeError();
  return toHex(SHA256::hash(arrayRefFromStringRef(*Text)), /*LowerCase=*/true);
}

bool isFinal(const Job &Job, const Result &Result) {
  if (Job.Timing && !Job.Timing->Rivals.empty())
    return Result.Status == ResultStatus::Ok;
  switch (Result.Status) {
  case ResultStatus::Ok:
  case ResultStatus::Slow:
  case ResultStatus::Wrong:
  case ResultStatus::Launch:
  case ResultStatus::Timeout:
    return true;
  case ResultStatus::Fault:
    // Said by the runner of its own context. A runner that just died may have been killed.
    return Result.RunnerEnds;
  case ResultStatus::Load:      // The file may have been missing.
  case ResultStatus::Reference: // Says nothing of the candidate.
  case ResultStatus::Memory:    // Others may have had it.
  case ResultStatus::Address:   // Another process may get them.
  case ResultStatus::Malformed:
  case ResultStatus::Error:
    return false;
  }
  llvm_unreachable("every status is covered");
}

/// By the limits of \p M, which may not be those of the job that gave \p Slow.
static bool isStillSlow(const Result &Slow, const Measure &M) {
  if (!Slow.MedianMs)
    return false;
  bool TooLong = M.LimitMs && *Slow.MedianMs > *M.LimitMs;
  bool TooFarBehind =
      M.MaxSlowdown && Slow.BaselineMedianMs && *Slow.MedianMs > *M.MaxSlowdown * *Slow.BaselineMedianMs;
  return TooLong || TooFarBehind;
}

/// Whether it has few samples though it is not clearly slower than what else there is now.
static bool hasTooFewSamples(const Job &Job, const Result &Stored) {
  if (!Stored.FewSamples)
    return false;
  const std::optional<double> Limit = Job.Timing ? Job.Timing->ClearlySlowerMs : std::nullopt;
  return !Limit || !Stored.MedianMs || *Stored.MedianMs <= *Limit;
}

std::optional<Result> answerTo(const Job &Job, KnownResult Known, double TimeLimitSeconds) {
  Result Stored = std::move(Known.Result);
  if (Stored.Status == ResultStatus::Slow && !(Job.Timing && isStillSlow(Stored, *Job.Timing)))
    return std::nullopt;
  if (hasTooFewSamples(Job, Stored))
    return std::nullopt;
  if (Stored.Status == ResultStatus::Timeout && TimeLimitSeconds > Known.TimeLimitSeconds.value_or(0))
    return std::nullopt;
  size_t Rivals = Job.Timing ? Job.Timing->Rivals.size() : 0;
  // One that failed names none.
  if (!Stored.Rivals.empty() && Stored.Rivals.size() != Rivals)
    return std::nullopt;
  for (auto [Timing, Rival] : zip(Stored.Rivals, Job.Timing ? Job.Timing->Rivals : std::vector<Rival>()))
    Timing.Name = Rival.Name;
  Stored.Id = Job.Id;
  Stored.Stored = true;
  return Stored;
}

} // namespace gpuprune
