//===- SameProgramTest.cpp - Variants that are one program ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/SameProgram.h"
#include "ExpectedTesting.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace gpuprune;

namespace {

constexpr StringLiteral Yaml = R"(
source: k.cu
kernel: k
defines: { OWN: { values: [1, 2], same-result: false } }
sizes: { tune: { n: 1024 }, check: [ { n: 64 } ] }
grid: [ n / 64 ]
block: [ 64 ]
buffers:
  out: { type: f32, count: n * OWN, role: out }
arguments: [ out, { i32: n } ]
)";

/// Of the rows from \p First on.
std::vector<BuiltVariant *> pointersTo(MutableArrayRef<BuiltVariant> All, size_t First = 0) {
  std::vector<BuiltVariant *> Pointers;
  for (BuiltVariant &V : All) {
    V.Index = First++;
    Pointers.push_back(&V);
  }
  return Pointers;
}

class SameProgram : public testing::Test {
protected:
  TuningTarget Target{test::valueOf(parseWorkload(Yaml, "w.yaml")), test::valueOf(findDevice("sm_90")), {}};
  VariantBuilder Builder{Target};

  static BuiltVariant built(StringRef Text, StringRef MachineCode = "c0de") {
    BuiltVariant V(test::valueOf(parseVariant(Text)));
    V.Row.Launch.Grid = {16, 1, 1};
    V.Row.Launch.Block = {64, 1, 1};
    V.Code.emplace();
    V.Code->MachineCode = MachineCode.str();
    return V;
  }
  bool areOne(const BuiltVariant &First, const BuiltVariant &Second) {
    BuiltVariant All[] = {First, Second};
    KnownPrograms Known;
    findTwinsByCode(Builder, pointersTo(All), Known);
    EXPECT_FALSE(All[0].Row.isDuplicate());
    return All[1].Row.Twin == TwinRow{0, TwinKind::MachineCode};
  }
};

TEST_F(SameProgram, EqualCodeAndLaunchAreOne) {
  EXPECT_TRUE(areOne(built(""), built("gpu-registers<max=64>")));
  EXPECT_FALSE(areOne(built(""), built("gpu-registers<max=64>", "other")));
  EXPECT_FALSE(areOne(built("", ""), built("gpu-registers<max=64>", "")));
}

TEST_F(SameProgram, EverythingElseOfALaunchCounts) {
  using Change = void (*)(BuiltVariant &);
  const Change Changes[] = {
      Change([](BuiltVariant &V) { V.Row.Launch.Grid.X = 8; }),
      Change([](BuiltVariant &V) { V.Row.Launch.Block = {32, 2, 1}; }),
      Change([](BuiltVariant &V) { V.Row.Launch.SharedBytes = 4; }),
      Change([](BuiltVariant &V) { V.Row.Launch.PointerAlignment = 16; }),
      Change([](BuiltVariant &V) { V.Row.Launch.Hidden = {{HiddenParameter::GridX, 16}}; }),
      Change([](BuiltVariant &V) { V.Row.Launch.ConstantCopies = {{0, 64, "c"}}; }),
      Change([](BuiltVariant &V) { V.Row.NoWin = "why"; }),
      Change([](BuiltVariant &V) { V.Row.Status = VariantStatus::Resources; }),
      Change([](BuiltVariant &V) { V.Code->Resources.MaxBlock = Dim3{32, 1, 1}; }),
      Change([](BuiltVariant &V) { V.Code.reset(); })};
  for (const auto &[Index, Differ] : enumerate(Changes)) {
    BuiltVariant Changed = built("gpu-registers<max=64>");
    Differ(Changed);
    EXPECT_FALSE(areOne(built(""), Changed)) << Index;
  }
  BuiltVariant Bounded = built("gpu-registers<max=64>");
  Bounded.Code->Resources.MaxBlock = Dim3{64, 1, 1};
  EXPECT_TRUE(areOne(built(""), Bounded));
}

/// The buffer has another length.
TEST_F(SameProgram, AnotherProblemCounts) {
  EXPECT_TRUE(areOne(built("-DOWN=1"), built("-DOWN=1 gpu-registers<max=64>")));
  EXPECT_FALSE(areOne(built("-DOWN=1"), built("-DOWN=2")));
}

TEST_F(SameProgram, TheFewestPassesStandForAll) {
  BuiltVariant All[] = {built("gpu-unroll<loop=0;factor=2>,gpu-registers<max=64>"),
                        built("gpu-registers<max=64>"), built("gpu-registers<max=128>"),
                        built("gpu-registers<max=32>", "other")};
  All[2].Row.Twin = {1, TwinKind::Ptx}; // Of the same PTX: it follows that one.
  KnownPrograms Known;
  findTwinsByCode(Builder, pointersTo(All), Known);
  EXPECT_EQ(All[0].Row.Twin->Row, 1u);
  EXPECT_FALSE(All[1].Row.isDuplicate());
  EXPECT_TRUE(All[2].Row.isTwinBy(TwinKind::Ptx));
  EXPECT_FALSE(All[3].Row.isDuplicate());
}

TEST_F(SameProgram, TheMeasuredRowIsFoundThroughBothKindsOfTwins) {
  VariantResult Rows[3];
  Rows[0].Twin = {2, TwinKind::MachineCode};
  Rows[1].Twin = {0, TwinKind::Ptx};
  for (size_t Row : {0, 1, 2})
    EXPECT_EQ(measuredRow(Rows, Row), 2u) << Row;
}

TEST_F(SameProgram, WhatIsKnownStays) {
  BuiltVariant First[] = {built("gpu-registers<max=128>", "other"), built("gpu-registers<max=64>")},
               Second[] = {built(""), built("gpu-registers<max=32>")};
  KnownPrograms Known;
  findTwinsByCode(Builder, pointersTo(First), Known);
  findTwinsByCode(Builder, pointersTo(Second, 2), Known);
  EXPECT_FALSE(First[1].Row.isDuplicate());
  for (const BuiltVariant &V : Second)
    EXPECT_EQ(V.Row.Twin, (TwinRow{1, TwinKind::MachineCode}));
}

} // namespace
