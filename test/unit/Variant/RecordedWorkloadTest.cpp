//===- RecordedWorkloadTest.cpp - A recording as a workload file -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../ExpectedTesting.h"
#include "gpuprune/Variant/RecordedLaunch.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;
using Kind = KernelParameter::Kind;

namespace {

constexpr uint64_t A = 0x7f0000000000, B = A + 4096;

std::vector<uint8_t> word(uint64_t Value) {
  std::vector<uint8_t> Bytes;
  for (unsigned I = 0; I != 8; ++I)
    Bytes.push_back(uint8_t(Value >> 8 * I));
  return Bytes;
}

/// Two allocations, and a kernel with a structure of a pointer, three bytes, a hole and an integer.
class RecordedWorkload : public testing::Test {
protected:
  Recording R;
  PointerUses Uses;
  std::vector<KernelParameter> Parameters = {{Kind::Structure, 16}};

  RecordedWorkload() {
    R.Kernel = "k";
    R.Grid = R.Block = {1, 1, 1};
    R.Allocations = {{A, 4096, "a.bin", "", ""}, {B, 1022, "b.bin", "", ""}};
    Parameters[0].Fields = {{Kind::Pointer, 8, 0}, {Kind::Integer, 4, 12}};
    R.Parameters = {word(A + 16)};
    R.Parameters[0].insert(R.Parameters[0].end(), {1, 2, 3, 0, 0xff, 0xff, 0xff, 0xff});
    Uses.Parameters.resize(1);
  }
  std::string text() { return test::valueOf(workloadText(R, "k.cu", Parameters, Uses)); }
  /// What is written of a buffer.
  std::string buffer(StringRef Name) {
    std::string Text = text();
    size_t At = StringRef(Text).find(("  " + Name + ": {").str());
    return At == StringRef::npos ? "" : StringRef(Text).drop_front(At + 2).split('\n').first.str();
  }
};

TEST_F(RecordedWorkload, StructuresAreTheirBytes) {
  R.Variables = {{"v", 4, "v.bin", "", ""}}; // A workload has buffers.
  EXPECT_NE(StringRef(text()).find(
                "arguments: [ { struct: { m0: { u64: 139637976727568 }, m1: { u8: 1 }, m2: { u8: "
                "2 }, m3: { u8: 3 }, m4: { u8: 0 }, m5: { i32: -1 } } } ]"),
            StringRef::npos)
      << text();
  EXPECT_EQ(buffer("allocation0"), "") << "the kernel does not use the pointer";
}

TEST_F(RecordedWorkload, KnownPointersSayTypeAndRole) {
  Uses.Fields = {{0, 0, {ElementType::F32, /*MayWrite=*/false}}};
  EXPECT_EQ(buffer("allocation0"),
            "allocation0: { type: f32, count: 1024, fill: { file: 'a.bin' }, role: in, "
            "address: 0x7f0000000000 }");
  EXPECT_EQ(buffer("allocation1"), "");
  Uses.Fields[0].Use.MayWrite = true;
  EXPECT_NE(StringRef(buffer("allocation0")).find("role: inout"), StringRef::npos);
}

TEST_F(RecordedWorkload, OthersMayPointAnywhere) {
  Uses.HasOthers = true;
  EXPECT_EQ(buffer("allocation0"),
            "allocation0: { type: u32, count: 1024, fill: { file: 'a.bin' }, role: in, "
            "address: 0x7f0000000000 }");
  Uses.OthersMayWrite = true;
  EXPECT_EQ(buffer("allocation1"),
            "allocation1: { type: u8, count: 1022, fill: { file: 'b.bin' }, role: inout, "
            "address: 0x7f0000001000 }");
}

TEST_F(RecordedWorkload, ParametersAloneNeedNoAddress) {
  Parameters = {{Kind::Pointer, 8}, {Kind::Pointer, 8}};
  R.Parameters = {word(A), word(B + 3)};
  Uses.Parameters = {{ElementType::F32, true}, {ElementType::U8, false}};
  EXPECT_EQ(buffer("allocation0"),
            "allocation0: { type: f32, count: 1024, fill: { file: 'a.bin' }, role: inout }");
  EXPECT_NE(StringRef(text()).find("arguments: [ allocation0, { buffer: allocation1, offset: 3 } ]"),
            StringRef::npos);
  Uses.Parameters[1].IsSeen = true;
  EXPECT_NE(StringRef(buffer("allocation0")).find("address"), StringRef::npos);
  EXPECT_NE(StringRef(text()).find("arguments: [ allocation0, { buffer: allocation1, offset: 3 } ]"),
            StringRef::npos);
}

TEST_F(RecordedWorkload, TheGridFollowsTheBlockWhereThereAreThreads) {
  Parameters = {{Kind::Pointer, 8}};
  R.Parameters = {word(A)};
  Uses.Parameters = {{ElementType::F32, true}};
  R.Grid = {257, 65535, 1};
  R.Block = {256, 4, 1};
  EXPECT_NE(StringRef(text()).find("grid: [ \"65792 / block.x\", \"262140 / block.y\", 1 ]\n"
                                   "block: [ 256, 4, 1 ]\n"),
            StringRef::npos)
      << text();
  R.Grid = {1, 1, INT64_MAX};
  R.Block = {1, 1, 2};
  EXPECT_NE(StringRef(text()).find("grid: [ 1, 1, 9223372036854775807 ]\n"), StringRef::npos) << text();
}

// A variant in another block would not be launched in the program.
TEST_F(RecordedWorkload, TheGridOfTooManyThreadsForAnotherBlockIsANumber) {
  Parameters = {{Kind::Pointer, 8}};
  R.Parameters = {word(A)};
  Uses.Parameters = {{ElementType::F32, true}};
  R.Block = {64, 1, 1};
  R.Grid = {33554431, 1, 1};
  EXPECT_NE(StringRef(text()).find("grid: [ \"2147483584 / block.x\", 1, 1 ]\n"), StringRef::npos) << text();
  R.Grid = {33554432, 1, 1};
  EXPECT_NE(StringRef(text()).find("grid: [ 33554432, 1, 1 ]\n"), StringRef::npos) << text();
}

TEST_F(RecordedWorkload, WhatIsOnlyWrittenAgainIsAnOutput) {
  Parameters = {{Kind::Pointer, 8}};
  R.Parameters = {word(A)};
  Uses.Parameters = {{ElementType::F32, /*MayWrite=*/true}};
  EXPECT_EQ(buffer("allocation0"),
            "allocation0: { type: f32, count: 1024, fill: { file: 'a.bin' }, role: inout }");
  R.Allocations[0].IsUnchanged = true;
  EXPECT_EQ(buffer("allocation0"), "allocation0: { type: f32, count: 1024, role: out }");
  Uses.Parameters[0].MayRead = true;
  EXPECT_EQ(buffer("allocation0"),
            "allocation0: { type: f32, count: 1024, fill: { file: 'a.bin' }, role: inout }");
  // Another pointer may read it.
  Uses.Parameters[0].MayRead = false;
  Uses.HasOthers = true;
  EXPECT_NE(buffer("allocation0").find("role: inout, address: "), std::string::npos);
}

TEST_F(RecordedWorkload, NumbersNeedNotBeFinite) {
  R.Variables = {{"v", 4, "v.bin", "", ""}};
  Parameters = {{Kind::Real, 4}, {Kind::Real, 8}, {Kind::Real, 4}, {Kind::Real, 4}};
  Uses.Parameters.resize(4);
  R.Parameters = {{0, 0, 0x80, 0xff}, word(0x7ff0000000000000), {0, 0, 0xc0, 0x7f}, {0, 0, 0x80, 0x3f}};
  EXPECT_NE(StringRef(text()).find("arguments: [ { f32: -.inf }, { f64: .inf }, { f32: .nan }, { f32: 1 } ]"),
            StringRef::npos)
      << text();
  R.Parameters[2] = {0, 0, 0xc0, 0xff}; // What x86 makes of 0 / 0.
  EXPECT_NE(StringRef(text()).find("{ f32: -.nan }"), StringRef::npos) << text();
  R.Parameters[2] = {1, 0, 0xc0, 0x7f};
  EXPECT_EQ(test::inputErrorOf(workloadText(R, "k.cu", Parameters, Uses).takeError()),
            "parameter 2: a NaN of 4 bytes with the bits 0x7fc00001 cannot be written in a workload, only "
            "the usual one");
}

TEST_F(RecordedWorkload, MemoryThatWasNotRecordedIsRefused) {
  Parameters = {{Kind::Pointer, 8}};
  R.Parameters = {word(A - 8)};
  EXPECT_EQ(test::inputErrorOf(workloadText(R, "k.cu", Parameters, Uses).takeError()),
            "parameter 0 points to memory that was not recorded");
}

} // namespace
