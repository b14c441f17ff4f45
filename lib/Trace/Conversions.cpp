//===- Conversions.cpp - cvt and cvta of PTX --------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AddressWindows.h"
#include "Operations.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

using namespace llvm;

namespace gpuprune {

template <typename To, typename From, typename F> static Operation converting(F) {
  return [](uint64_t *Out, const uint64_t *A, const uint64_t *, const uint64_t *) {
    for (unsigned Lane = 0; Lane != TraceLanes; ++Lane)
      Out[Lane] = bitsOf<To>(F()(valueOf<From>(A[Lane])));
  };
}

template <typename To, typename From>
static void addIntegers(OperationTable &Table, const std::string &ToName, const char *FromName) {
  Table["cvt." + ToName + "." + FromName] = converting<To, From>([](From X) { return To(X); });
}

template <typename To> static void addIntegersTo(OperationTable &Table, const std::string &Name) {
  addIntegers<To, uint8_t>(Table, Name, "u8");
  addIntegers<To, int8_t>(Table, Name, "s8");
  addIntegers<To, uint16_t>(Table, Name, "u16");
  addIntegers<To, int16_t>(Table, Name, "s16");
  addIntegers<To, uint32_t>(Table, Name, "u32");
  addIntegers<To, int32_t>(Table, Name, "s32");
  addIntegers<To, uint64_t>(Table, Name, "u64");
  addIntegers<To, int64_t>(Table, Name, "s64");
}

/// Clamped, NaN as zero: as cvt does.
template <typename To, typename From> static To clamped(From X) {
  if (std::isnan(X))
    return 0;
  // 2^bits and the like, which From holds exactly.
  From Above = std::ldexp(From(1), std::numeric_limits<To>::digits);
  if (X >= Above)
    return std::numeric_limits<To>::max();
  if (X <= (std::is_signed_v<To> ? -Above : From(0)))
    return std::numeric_limits<To>::min();
  return To(X);
}

template <typename Float, typename Int>
static void addFloatAndInteger(OperationTable &Table, const std::string &FloatName,
                               const std::string &IntName) {
  Table["cvt.rn." + FloatName + "." + IntName] = converting<Float, Int>([](Int X) { return Float(X); });
  auto To = [&](const char *Rounding, auto F) {
    Table[std::string("cvt.") + Rounding + "." + IntName + "." + FloatName] = converting<Int, Float>(F);
  };
  To("rzi", [](Float X) { return clamped<Int>(std::trunc(X)); });
  To("rni", [](Float X) { return clamped<Int>(std::nearbyint(X)); });
  To("rmi", [](Float X) { return clamped<Int>(std::floor(X)); });
  To("rpi", [](Float X) { return clamped<Int>(std::ceil(X)); });
}

template <typename Float> static void addFloat(OperationTable &Table, const std::string &Name) {
  addFloatAndInteger<Float, uint32_t>(Table, Name, "u32");
  addFloatAndInteger<Float, int32_t>(Table, Name, "s32");
  addFloatAndInteger<Float, uint64_t>(Table, Name, "u64");
  addFloatAndInteger<Float, int64_t>(Table, Name, "s64");
  auto Itself = [&](const char *How, auto F) {
    Table[std::string("cvt.") + How + "." + Name + "." + Name] = converting<Float, Float>(F);
  };
  Itself("rzi", [](Float X) { return std::trunc(X); });
  Itself("rni", [](Float X) { return std::nearbyint(X); });
  Itself("rmi", [](Float X) { return std::floor(X); });
  Itself("rpi", [](Float X) { return std::ceil(X); });
  Itself("sat", [](Float X) { return X > 0 ? std::min(X, Float(1)) : Float(0); });
}

/// Between an address of one memory and the generic address.
static void addAddresses(OperationTable &Table) {
  auto Same = onLanesOf<uint64_t>([](uint64_t X) { return X; });
  for (const char *Space : {"global", "const", "param"}) {
    Table[std::string("cvta.") + Space + ".u64"] = Same;
    Table[std::string("cvta.to.") + Space + ".u64"] = Same;
  }
  Table["cvta.shared.u64"] = onLanesOf<uint64_t>([](uint64_t X) { return X + SharedWindow; });
  Table["cvta.to.shared.u64"] = onLanesOf<uint64_t>([](uint64_t X) { return X - SharedWindow; });
  Table["cvta.local.u64"] = onLanesOf<uint64_t>([](uint64_t X) { return X + LocalWindow; });
  Table["cvta.to.local.u64"] = onLanesOf<uint64_t>([](uint64_t X) { return X - LocalWindow; });
}

void addConversions(OperationTable &Table) {
  addIntegersTo<uint8_t>(Table, "u8");
  addIntegersTo<int8_t>(Table, "s8");
  addIntegersTo<uint16_t>(Table, "u16");
  addIntegersTo<int16_t>(Table, "s16");
  addIntegersTo<uint32_t>(Table, "u32");
  addIntegersTo<int32_t>(Table, "s32");
  addIntegersTo<uint64_t>(Table, "u64");
  addIntegersTo<int64_t>(Table, "s64");
  addFloat<float>(Table, "f32");
  addFloat<double>(Table, "f64");
  Table["cvt.f64.f32"] = converting<double, float>([](float X) { return double(X); });
  Table["cvt.rn.f32.f64"] = converting<float, double>([](double X) { return float(X); });
  addAddresses(Table);
}

Operation findOperation(StringRef Mnemonic) {
  static const OperationTable Table = [] {
    OperationTable Made;
    addIntegerOperations(Made);
    addFloatOperations(Made);
    addConversions(Made);
    return Made;
  }();
  return Table.lookup(Mnemonic);
}

} // namespace gpuprune
