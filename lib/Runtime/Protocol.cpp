//===- Protocol.cpp - What is common to all lines of the protocol ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Runtime/Protocol.h"
#include "JsonFields.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/ForeignJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace gpuprune::protocol {

const Problem *findTimedProblem(const Job &J) {
  auto Timed = find_if(J.Checks, [&](const Problem &P) { return P.Name == J.Timing->Problem; });
  return Timed == J.Checks.end() ? nullptr : &*Timed;
}

const Problem &timedProblem(const Job &J) { return *findTimedProblem(J); }

json::Value numberToJSON(double Value) {
  if (std::isnan(Value))
    return std::signbit(Value) ? "-nan" : "nan";
  if (std::isinf(Value))
    return Value > 0 ? "inf" : "-inf";
  if (Value == 0 && std::signbit(Value))
    return "-0"; // As a number it would be read as an integer, which has no sign.
  return Value;
}

std::optional<double> numberFromJSON(const json::Value &V) {
  if (auto Number = V.getAsNumber())
    return Number;
  auto Text = V.getAsString();
  if (!Text)
    return std::nullopt;
  if (*Text == "nan" || *Text == "-nan")
    return std::copysign(std::numeric_limits<double>::quiet_NaN(), *Text == "nan" ? 1 : -1);
  if (*Text == "inf" || *Text == "-inf")
    return *Text == "inf" ? HUGE_VAL : -HUGE_VAL;
  if (*Text == "-0")
    return -0.0;
  return std::nullopt;
}

bool mapNumber(const json::Object &O, StringRef Key, double &Out, Presence Need, json::Path P) {
  const json::Value *V = O.get(Key);
  if (!V && Need == Presence::Optional)
    return true;
  if (V)
    if (auto Number = numberFromJSON(*V)) {
      Out = *Number;
      return true;
    }
  P.field(Key).report("expected a number, \"nan\", \"inf\" or \"-inf\"");
  return false;
}

bool hexFromJSON(const json::Value *V, std::vector<uint8_t> &Out, json::Path P) {
  std::string Bytes;
  std::optional<StringRef> Digits = V ? V->getAsString() : std::nullopt;
  if (!Digits || Digits->empty() || Digits->size() % 2 != 0 || !tryGetFromHex(*Digits, Bytes)) {
    P.report("expected bytes in hexadecimal digits, two for each");
    return false;
  }
  Out.assign(Bytes.begin(), Bytes.end());
  return true;
}

/// LLVM's parser makes 1e999 infinite, which JSON cannot write.
static bool hasInfinity(const json::Value &V) {
  if (const json::Array *A = V.getAsArray())
    return any_of(*A, hasInfinity);
  if (const json::Object *O = V.getAsObject())
    return any_of(*O, [](const auto &Field) { return hasInfinity(Field.second); });
  std::optional<double> Number = V.getAsNumber();
  return Number && !std::isfinite(*Number);
}

Expected<json::Value> parseJson(StringRef Text) {
  if (Text.size() > MaxLineBytes)
    return makeError(ErrorKind::Input,
                     formatv("JSON of {0} bytes; at most {1} are taken", Text.size(), MaxLineBytes));
  Expected<json::Value> Parsed = parseForeignJson(Text);
  if (!Parsed)
    return Parsed.takeError();
  if (hasInfinity(*Parsed))
    return makeError(ErrorKind::Input,
                     "JSON with a number that does not fit in 64 bits; expected at most 1.7e308");
  return Parsed;
}

template <typename T> static Expected<T> parseLine(StringRef Line, StringRef What) {
  Expected<json::Value> Parsed = parseJson(Line);
  if (!Parsed)
    return Parsed.takeError();
  T Out;
  json::Path::Root Root(What);
  if (!fromJSON(*Parsed, Out, Root))
    return makeError(ErrorKind::Input, toString(Root.getError()));
  return Out;
}

Expected<Job> parseJob(StringRef Line) {
  Expected<Job> Parsed = parseLine<Job>(Line, "job");
  if (Parsed)
    if (Error E = validate(*Parsed))
      return E;
  return Parsed;
}

Expected<Result> parseResult(StringRef Line) { return parseLine<Result>(Line, "result"); }

Expected<Hello> parseHello(StringRef Line) { return parseLine<Hello>(Line, "hello"); }

} // namespace gpuprune::protocol
