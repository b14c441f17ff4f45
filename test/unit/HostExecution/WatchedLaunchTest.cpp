//===- WatchedLaunchTest.cpp - Memory that nobody has written -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/HostExecution/WatchedLaunch.h"
#include "../ExpectedTesting.h"
#include "HostTesting.h"
#include "llvm/ADT/APFloat.h"

using namespace gpuprune;
using namespace gpuprune::test;
using llvm::APFloat;

namespace {

/// \p Pattern in each byte, as a number of one format.
APFloat numberOf(const llvm::fltSemantics &Format, uint8_t Pattern) {
  return APFloat(Format, llvm::APInt::getSplat(APFloat::getSizeInBits(Format), llvm::APInt(8, Pattern)));
}

TEST(SharedPatterns, AreOrdinaryNumbersOfOppositeSigns) {
  for (const llvm::fltSemantics *Format :
       {&APFloat::IEEEhalf(), &APFloat::BFloat(), &APFloat::IEEEsingle(), &APFloat::IEEEdouble(),
        &APFloat::Float8E4M3FN(), &APFloat::Float8E5M2()}) {
    APFloat First = numberOf(*Format, SharedPatterns[0]), Second = numberOf(*Format, SharedPatterns[1]);
    for (const APFloat &Number : {First, Second}) {
      EXPECT_TRUE(Number.isNormal());
      APFloat Square = Number * Number;
      EXPECT_TRUE(Square.isFinite() || APFloat::getSizeInBits(*Format) == 8);
    }
    EXPECT_FALSE(First.isNegative());
    EXPECT_TRUE(Second.isNegative());
    EXPECT_NE(abs(First).bitcastToAPInt(), abs(Second).bitcastToAPInt());
  }
}

/// The bits of what \p Kernel leaves of \p In in both runs, where threads from \p Written
/// on have written nothing.
template <typename T>
std::pair<T, T> reducedTwice(HostRun &Run, const char *Kernel, char What, const std::vector<T> &In,
                             int Written) {
  T Results[2];
  for (int I : {0, 1}) {
    GuardedBuffer &Out = Run.output<T>("out", 1);
    HostLaunch Launch =
        Run.launchOf(Kernel, {1}, {unsigned(In.size())}, What, Run.buffer<T>("in", In), Out, Written);
    Launch.SharedBytes = In.size() * sizeof(T);
    Launch.SharedPattern = SharedPatterns[I];
    launched(*Run.Program, Launch);
    Results[I] = Out.as<T>()[0];
  }
  return {Results[0], Results[1]};
}

template <typename T> void expectNoticed(HostRun &Run, const char *Kernel, llvm::StringRef Operations) {
  std::vector<T> In(8);
  for (int I = 0; I < 8; ++I)
    In[I] = T(I % 2 ? I + 3 : std::is_signed_v<T> ? -I - 1 : I + 1);
  for (char What : Operations) {
    auto [First, Second] = reducedTwice<T>(Run, Kernel, What, In, 7);
    EXPECT_NE(First, Second) << Kernel << " " << What;
    EXPECT_EQ(First, First) << "a NaN is the same in both runs";
    EXPECT_EQ(Second, Second);
    auto [All, Again] = reducedTwice<T>(Run, Kernel, What, In, 8);
    EXPECT_EQ(All, Again) << Kernel << " " << What;
  }
}

TEST(SharedPatterns, WhatIsComputedFromThemDiffersBetweenBothRuns) {
  HostRun Run("watched.cu");
  ASSERT_TRUE(Run.Program);
  expectNoticed<float>(Run, "reduceFloat", "+|<>");
  expectNoticed<double>(Run, "reduceDouble", "+|<>");
  expectNoticed<int>(Run, "reduceInt", "+|<>");
  expectNoticed<unsigned>(Run, "reduceUnsigned", "+>");
}

TEST(SharedPatterns, TargetsOfCopiesHoldThemUntilTheWait) {
  HostRun Run("async.cu");
  ASSERT_TRUE(Run.Program);
  GuardedBuffer &In = Run.buffer<float>("in", std::vector<float>(128, 1.0f)),
                &Out = Run.output<float>("out", 128);
  for (uint8_t Pattern : SharedPatterns) {
    HostLaunch Launch = Run.launchOf("impatient", {}, {32}, In, Out);
    Launch.SharedPattern = Pattern;
    launched(*Run.Program, Launch);
    for (char Byte : Out.bytes())
      EXPECT_EQ(uint8_t(Byte), Pattern);
  }
}

class FindMemoryFault : public testing::Test {
protected:
  static HostOptions options() {
    HostOptions Options;
    Options.WatchMemory = true;
    return Options;
  }
  HostRun Run{"watched.cu", {}, options()};

  std::optional<HostFault> find(const HostLaunch &Launch, llvm::ArrayRef<const GuardedBuffer *> Outputs) {
    return valueOf(findMemoryFault(*Run.Program, Launch, Run.Memory, Outputs));
  }
};

TEST_F(FindMemoryFault, DynamicSharedMemory) {
  ASSERT_TRUE(Run.Program);
  GuardedBuffer &In = Run.buffer<float>("in", std::vector<float>(64, 1.0f)),
                &Out = Run.output<float>("out", 1);
  for (int Written : {64, 63}) {
    HostLaunch Launch = Run.launchOf("reduceFloat", {1}, {64}, '>', In, Out, Written);
    Launch.SharedBytes = 256;
    std::optional<HostFault> Fault = find(Launch, {&Out});
    ASSERT_EQ(Fault.has_value(), Written == 63);
    if (!Fault)
      continue;
    EXPECT_EQ(Fault->Kind, FaultKind::Unwritten);
    EXPECT_TRUE(isMemoryFault(Fault->Kind));
    EXPECT_EQ(Fault->Place->Offset, 252);
    EXPECT_TRUE(llvm::StringRef(Fault->File).ends_with("watched.cu"));
    EXPECT_GT(Fault->Line, 0u);
  }
  // One element less than the block needs.
  HostLaunch Launch = Run.launchOf("reduceFloat", {1}, {64}, '>', In, Out, 64);
  Launch.SharedBytes = 252;
  std::optional<HostFault> Fault = find(Launch, {&Out});
  ASSERT_TRUE(Fault);
  EXPECT_EQ(Fault->Kind, FaultKind::Memory);
  EXPECT_EQ(Fault->Place->Buffer, "shared memory");
}

TEST_F(FindMemoryFault, AnOutBufferThatIsRead) {
  ASSERT_TRUE(Run.Program);
  GuardedBuffer &In = Run.buffer<int>("in", std::vector<int>(8, 1)), &Out = Run.output<int>("out", 8);
  HostLaunch Launch = Run.launchOf("sums", {}, {8}, In, Out, 2);
  EXPECT_FALSE(find(Launch, {}));
  std::optional<HostFault> Fault = find(Launch, {&Out});
  ASSERT_TRUE(Fault);
  EXPECT_EQ(Fault->Kind, FaultKind::Unwritten);
  EXPECT_EQ(Fault->Place->Buffer, "out");
  EXPECT_NE(Fault->Message.find("watched.cu:"), std::string::npos) << Fault->Message;
}

TEST_F(FindMemoryFault, OneElementBesideABuffer) {
  ASSERT_TRUE(Run.Program);
  // Both in the pages that the buffer lies in.
  for (GuardSide Side : {GuardSide::End, GuardSide::Start})
    for (unsigned Elements : {7u, 9u}) {
      GuardedBuffer &In = llvm::cantFail(Run.Memory.allocate("in", 4 * Elements, 0, Side));
      GuardedBuffer &Out = llvm::cantFail(Run.Memory.allocate("out", 4 * Elements, 0, Side));
      EXPECT_FALSE(find(Run.launchOf("sums", {}, {Elements}, In, Out, 2), {}));
      std::optional<HostFault> Fault = find(Run.launchOf("sums", {}, {Elements + 1}, In, Out, 2), {});
      ASSERT_TRUE(Fault);
      EXPECT_EQ(Fault->Kind, FaultKind::Memory);
      EXPECT_EQ(Fault->Place->Offset, 4 * Elements);
    }
}

TEST_F(FindMemoryFault, NeedsAProgramThatWatches) {
  HostRun Plain("watched.cu");
  ASSERT_TRUE(Plain.Program);
  GuardedBuffer &Data = Plain.buffer<int>("data", {0});
  llvm::Expected<std::optional<HostFault>> Fault =
      findMemoryFault(*Plain.Program, Plain.launchOf("beside", {}, {1}, Data, 0), Plain.Memory, {});
  EXPECT_FALSE(Fault.operator bool());
  llvm::consumeError(Fault.takeError());
}

} // namespace
