//===- TracedLaunchTest.cpp - A launch whose accesses are traced ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CountingProblem.h"
#include "ExpectedTesting.h"

using namespace gpuprune;
using namespace gpuprune::test;
using namespace llvm;

namespace {

/// Two buffers of eight 32-bit integers, iota and zeros, and a number.
ResolvedProblem problem() {
  ResolvedProblem P;
  for (const char *Name : {"a", "b"}) {
    ResolvedBuffer &B = P.Buffers.emplace_back();
    B.Name = B.FirstName = Name;
    B.Type = ElementType::I32;
    B.Count = 8;
    B.Bytes = 32;
  }
  P.Buffers[0].Fill.FillKind = FillSpec::Kind::Iota;
  ResolvedArgument First, Second, Number;
  First.Buffer = 0;
  Second.Buffer = 1;
  Number.Bits = 7;
  P.Launches.emplace_back().Arguments = {First, Second, Number};
  return P;
}

PhysicalLaunch launch() {
  PhysicalLaunch L;
  L.Grid = L.Block = {1, 1, 1};
  return L;
}

uint64_t addressIn(ArrayRef<char> Parameter) {
  uint64_t Address = 0;
  std::memcpy(&Address, Parameter.data(), sizeof(Address));
  return Address;
}

std::string refusalOf(ResolvedProblem P, const PhysicalLaunch &L) {
  CountingProblem Of(std::move(P));
  TraceMemory Memory;
  Expected<TracedLaunch> Traced = Of.trace(L, Memory);
  return Traced ? "" : toString(Traced.takeError());
}

} // namespace

TEST(TracedLaunch, parametersPointToFilledBuffers) {
  ResolvedProblem P = problem();
  P.tuned().Arguments[0].Offset = 8;
  CountingProblem Of(std::move(P));
  TraceMemory Memory;
  TracedLaunch L = valueOf(Of.trace(launch(), Memory));
  ASSERT_EQ(L.Parameters.size(), 3u);
  int32_t Value = 0;
  MutableArrayRef<char> Bytes(reinterpret_cast<char *>(&Value), 4);
  EXPECT_TRUE(Memory.read(addressIn(L.Parameters[0]), Bytes));
  EXPECT_EQ(Value, 2);
  EXPECT_TRUE(Memory.read(addressIn(L.Parameters[1]) + 28, Bytes));
  EXPECT_EQ(Value, 0);
  EXPECT_FALSE(Memory.read(addressIn(L.Parameters[1]) + 32, Bytes));
  EXPECT_EQ(L.Parameters[2][0], 7);
}

TEST(TracedLaunch, aBufferThatIsCopiedToConstantMemoryFillsItsVariable) {
  PhysicalLaunch L = launch();
  L.ConstantCopies = {{/*Argument=*/0, /*Bytes=*/32, "table"}};
  CountingProblem Of(problem());
  TraceMemory Memory;
  TracedLaunch Traced = valueOf(Of.trace(L, Memory));
  ASSERT_TRUE(Traced.Variables.contains("table"));
  int32_t Values[8] = {};
  Traced.Variables["table"](0, {reinterpret_cast<char *>(Values), sizeof(Values)});
  EXPECT_EQ(Values[5], 5);
  // A part of it would begin elsewhere.
  ResolvedProblem Part = problem();
  Part.tuned().Arguments[0].Offset = 8;
  EXPECT_EQ(refusalOf(Part, L), "a part of a buffer that is copied to constant memory is not traced");
}

TEST(TracedLaunch, aBufferIsGivenOnce) {
  ResolvedProblem P = problem();
  P.tuned().Arguments[1].Buffer = 0;
  EXPECT_EQ(refusalOf(P, launch()), "the buffer 'a' is given to the kernel twice");
  EXPECT_EQ(refusalOf(problem(), launch()), "");
}
