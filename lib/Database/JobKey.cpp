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

Expected<std::string> keyText(const Job &Job, const Hello &Gpu) {
  json::Value Text = toJSON(Job);
  json::Object &Fields = *Text.getAsObject();
  Fields.erase("id");
  // Limits say when to give up, not what is measured; see answers().
  if (json::Object *Measure = Fields.getObject("measure"))
    for (StringRef Limit : {"limit_ms", "max_slowdown"})
      Measure->erase(Limit);
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

bool isFinal(const Result &Result) {
  switch (Result.Status) {
  case ResultStatus::Ok:
  case ResultStatus::Slow:
  case ResultStatus::Wrong:
  case ResultStatus::Launch:
    return true;
  case ResultStatus::Fault:
    // Said by the runner of its own context. A runner that just died may have been killed.
    return Result.RunnerEnds;
  case ResultStatus::Timeout:   // Of a machine that may have been busy.
  case ResultStatus::Load:      // The file may have been missing.
  case ResultStatus::Reference: // Says nothing of the candidate.
  case ResultStatus::Memory:    // Others may have had it.
  case ResultStatus::Malformed:
  case ResultStatus::Error:
    return false;
  }
  llvm_unreachable("every status is covered");
}

bool answers(const Result &Result, const Job &Job) {
  if (Result.Status != ResultStatus::Slow)
    return true;
  if (!Job.Timing || !Result.MedianMs)
    return false;
  const Measure &M = *Job.Timing;
  bool TooLong = M.LimitMs && *Result.MedianMs > *M.LimitMs;
  bool TooFarBehind = M.MaxSlowdown && Result.BaselineMedianMs &&
                      *Result.MedianMs > *M.MaxSlowdown * *Result.BaselineMedianMs;
  return TooLong || TooFarBehind;
}

} // namespace gpuprune
