//===- Agreement.cpp - What CPU and GPU compute of the same kernel --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Report/Agreement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <set>

using namespace llvm;

namespace gpuprune {

StringRef agreementName(AgreementOutcome Outcome) {
  switch (Outcome) {
  case AgreementOutcome::Unknown:
    return "unknown";
  case AgreementOutcome::Bitwise:
    return "bitwise";
  case AgreementOutcome::Tolerance:
    return "tolerance";
  case AgreementOutcome::Differs:
    return "differs";
  }
  llvm_unreachable("every outcome is covered");
}

AgreementOutcome SizeAgreement::of(const OutputAgreement &Output) const {
  if (Output.Gpu.empty())
    return AgreementOutcome::Unknown;
  if (Output.Gpu == Output.Cpu)
    return AgreementOutcome::Bitwise;
  bool Passes = !Approximate.empty() && Output.Apart && Output.Apart->Outside == 0;
  return Passes ? AgreementOutcome::Tolerance : AgreementOutcome::Differs;
}

AgreementOutcome SizeAgreement::outcome() const {
  AgreementOutcome Worst = AgreementOutcome::Unknown;
  for (const OutputAgreement &Output : Outputs) {
    AgreementOutcome One = of(Output);
    if (One == AgreementOutcome::Unknown)
      return One;
    Worst = std::max(Worst, One);
  }
  return Worst;
}

void joinAgreement(MutableArrayRef<SizeAgreement> Sizes, StringRef Variant, const protocol::Result &Result) {
  for (const protocol::ProblemCheck &Check : Result.Checks)
    for (SizeAgreement &Size : Sizes) {
      if (Size.Variant != Variant || Size.Size != Check.Problem)
        continue;
      for (const protocol::Output &Said : Check.Outputs)
        for (OutputAgreement &Output : Size.Outputs)
          if (Output.Buffer == Said.Buffer) {
            Output.Gpu = Said.Hash;
            Output.Apart = Said.Apart;
          }
    }
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printDifference(raw_ostream &OS, const SizeAgreement &Size, const OutputAgreement &Output) {
  OS << formatv("CPU ≠ GPU: buffer {0}, {1}{2}{3}", Output.Buffer, Size.Size,
                Size.Variant.empty() ? "" : ", ", Size.Variant);
  if (const std::optional<protocol::Difference> &D = Output.Apart)
    OS << formatv(": {0} elements differ{1}, by {2:e2} and {3:e2} relative at most; at {4} the CPU has {5}, "
                  "the GPU {6}",
                  D->Elements,
                  Size.Approximate.empty() ? "" : formatv(", {0} beyond the tolerance", D->Outside).str(),
                  D->MaxAbsolute, D->MaxRelative, D->Index, D->Expected, D->Got);
  OS << '\n';
}

void printAgreement(raw_ostream &OS, ArrayRef<SizeAgreement> Sizes) {
  size_t Known = 0, Bitwise = 0, Close = 0;
  double Farthest = 0;
  std::set<std::string> Reasons;
  for (const SizeAgreement &Size : Sizes) {
    AgreementOutcome Outcome = Size.outcome();
    Known += Outcome != AgreementOutcome::Unknown;
    Bitwise += Outcome == AgreementOutcome::Bitwise;
    if (Outcome != AgreementOutcome::Tolerance)
      continue;
    ++Close;
    Reasons.insert(Size.Approximate.begin(), Size.Approximate.end());
    for (const OutputAgreement &Output : Size.Outputs)
      if (Output.Apart)
        Farthest = std::max(Farthest, Output.Apart->MaxRelative);
  }
  if (Known == 0)
    return;
  if (Bitwise + Close != 0)
    OS << formatv("CPU = GPU: {0} of {1} check sizes bitwise", Bitwise, Known);
  if (Close)
    OS << formatv(", {0} within the tolerance (largest relative difference {1:e2}; {2})", Close, Farthest,
                  join(Reasons, ", "));
  if (Bitwise + Close != 0)
    OS << '\n';
  for (const SizeAgreement &Size : Sizes)
    for (const OutputAgreement &Output : Size.Outputs)
      if (Size.of(Output) == AgreementOutcome::Differs)
        printDifference(OS, Size, Output);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

json::Value toJSON(const SizeAgreement &Size) {
  json::Array Outputs;
  for (const OutputAgreement &Output : Size.Outputs)
    Outputs.push_back(
        json::Object{{"buffer", Output.Buffer},
                     {"outcome", agreementName(Size.of(Output))},
                     {"cpu", Output.Cpu},
                     {"gpu", Output.Gpu},
                     {"difference", Output.Apart ? protocol::toJSON(*Output.Apart) : json::Value(nullptr)}});
  return json::Object{{"variant", Size.Variant},
                      {"size", Size.Size},
                      {"outcome", agreementName(Size.outcome())},
                      {"approximate", json::Array(Size.Approximate)},
                      {"tolerance", json::Object{{"relative", Size.Relative}, {"absolute", Size.Absolute}}},
                      {"outputs", std::move(Outputs)},
                      {"note", Size.Note}};
}

bool fromJSON(const json::Value &Value, OutputAgreement &Output, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("buffer", Output.Buffer) && Map.map("cpu", Output.Cpu) &&
         Map.map("gpu", Output.Gpu) && Map.map("difference", Output.Apart);
}

static bool readTolerance(const json::Value &Value, SizeAgreement &Size, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("relative", Size.Relative) && Map.map("absolute", Size.Absolute);
}

bool fromJSON(const json::Value &Value, SizeAgreement &Size, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  const json::Value *Tolerance = Map ? Value.getAsObject()->get("tolerance") : nullptr;
  if (!Tolerance || !readTolerance(*Tolerance, Size, Path.field("tolerance")))
    return false;
  return Map.map("variant", Size.Variant) && Map.map("size", Size.Size) &&
         Map.map("approximate", Size.Approximate) && Map.map("outputs", Size.Outputs) &&
         Map.map("note", Size.Note);
}

} // namespace gpuprune
