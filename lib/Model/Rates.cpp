//===- Rates.cpp - What the model knows of an architecture ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Model/Rates.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

static constexpr ModelRates AllRates[] = {
#define RATES(...) {__VA_ARGS__},
#include "gpuprune/Model/Rates.def"
};

namespace {
struct OpcodeLatency {
  StringLiteral Opcode;
  double Cycles;
};
} // namespace

static constexpr OpcodeLatency Latencies[] = {
#define LATENCY(Opcode, Cycles) {Opcode, Cycles},
#include "gpuprune/Model/Rates.def"
};

/// Of an opcode without a row, that of a special function.
static constexpr double OtherLatency = 23;

Expected<const ModelRates *> findRates(StringRef Arch) {
  const auto *Found = find_if(AllRates, [&](const ModelRates &R) { return Arch == R.Arch; });
  if (Found == std::end(AllRates))
    return makeError(ErrorKind::Usage,
                     "no rates are known of " + Arch +
                         ", so that a kernel's time cannot be modelled; they are known of " +
                         join(map_range(AllRates, [](const ModelRates &R) { return R.Arch; }), ", "));
  return Found;
}

static const OpcodeLatency *findLatency(StringRef Opcode) {
  const auto *Found = find_if(Latencies, [&](const OpcodeLatency &L) { return L.Opcode == Opcode; });
  return Found == std::end(Latencies) ? nullptr : Found;
}

double variableLatency(StringRef Opcode, const ModelRates &Rates) {
  if (Opcode == "LDS" || Opcode == "LDSM")
    return Rates.SharedLatency;
  if (Opcode == "LDL")
    return Rates.L1Latency;
  const OpcodeLatency *Found = findLatency(Opcode);
  return Found ? Found->Cycles : OtherLatency;
}

double fixedLatency(const OpcodeInfo &Opcode) {
  if (const OpcodeLatency *Found = findLatency(Opcode.Name))
    return Found->Cycles;
  switch (Opcode.Pipe) {
#define FIXED_LATENCY(Unit, Cycles)                                                                          \
  case Pipe::Unit:                                                                                           \
    return Cycles;
#include "gpuprune/Model/Rates.def"
  default:
    return 1;
  }
}

} // namespace gpuprune
