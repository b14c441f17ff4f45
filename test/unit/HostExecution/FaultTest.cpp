//===- FaultTest.cpp - What a kernel does wrong is a result --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../ExpectedTesting.h"
#include "HostTesting.h"
#include "gpuprune/Support/Process.h"
#include <chrono>
#include <csignal>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

using namespace gpuprune;
using namespace gpuprune::test;

namespace {

/// The line of memory.cu that \p Text stands in, for comparison with a fault's.
unsigned lineOf(llvm::StringRef Text) {
  std::string Source = valueOf(readFile(GPUPRUNE_SOURCE_DIR "/test/unit/HostExecution/Inputs/memory.cu"));
  size_t Place = Source.find(Text.str());
  EXPECT_NE(Place, std::string::npos);
  return 1 + std::count(Source.begin(), Source.begin() + Place, '\n');
}

void expectLine(const HostFault &Fault, llvm::StringRef Text) {
  EXPECT_TRUE(llvm::StringRef(Fault.File).ends_with("memory.cu")) << Fault.File;
  EXPECT_EQ(Fault.Line, lineOf(Text)) << Fault.Message;
}

TEST(FaultTest, OutOfBoundsNamesBufferThreadAndLine) {
  HostRun Run("memory.cu");
  ASSERT_TRUE(Run.Program);
  GuardedBuffer &Data = Run.output<int>("data", 100);
  HostFault Fault = Run.fault("outOfBounds", {3}, {32}, Data, 7, long(100));
  EXPECT_EQ(Fault.Kind, FaultKind::Memory);
  EXPECT_EQ(Fault.Kernel, "outOfBounds");
  EXPECT_EQ(Fault.Block, (Dim3{0, 0, 0}));
  EXPECT_EQ(Fault.Thread, (Dim3{7, 0, 0}));
  ASSERT_TRUE(Fault.Place);
  EXPECT_EQ(Fault.Place->Buffer, "data");
  EXPECT_EQ(Fault.Place->Offset, 400);
  EXPECT_EQ(Fault.Address, reinterpret_cast<uint64_t>(Data.Data) + 400);
  expectLine(Fault, "data[offset] = 1");
  EXPECT_NE(Fault.Message.find(
                "block (0, 0, 0), thread (7, 0, 0): access out of bounds: 0 bytes from the end of 'data' "
                "(400 bytes)"),
            std::string::npos)
      << Fault.Message;
}

TEST(FaultTest, FarOutOfBoundsIsOfTheSameBuffer) {
  HostRun Run("memory.cu");
  ASSERT_TRUE(Run.Program);
  GuardedBuffer &Data = Run.output<int>("data", 100);
  Run.output<int>("other", 100);
  HostFault Fault = Run.fault("outOfBounds", {}, {32}, Data, 0, -(long(1) << 30));
  ASSERT_TRUE(Fault.Place);
  EXPECT_EQ(Fault.Place->Buffer, "data");
  EXPECT_EQ(Fault.Place->Offset, -(int64_t(4) << 30));
}

TEST(FaultTest, NearMissesAreSeenAfterTheLaunch) {
  HostRun Run("memory.cu");
  ASSERT_TRUE(Run.Program);
  HostFault Fault = Run.fault("outOfBounds", {}, {32}, Run.output<int>("data", 100), 3, long(-1));
  EXPECT_EQ(Fault.Kind, FaultKind::Guard);
  EXPECT_EQ(Fault.Place->Offset, -4);
}

TEST(FaultTest, ANullPointer) {
  HostRun Run("memory.cu");
  ASSERT_TRUE(Run.Program);
  HostFault Fault = Run.fault("outOfBounds", {}, {32}, (int *)nullptr, 3, long(2));
  EXPECT_EQ(Fault.Kind, FaultKind::Memory);
  EXPECT_EQ(Fault.Address, 8u);
  EXPECT_NE(Fault.Message.find("access to address 0x8, which belongs to no buffer"), std::string::npos)
      << Fault.Message;
}

TEST(FaultTest, AssertionsAndTraps) {
  HostRun Run("memory.cu");
  ASSERT_TRUE(Run.Program);
  HostFault Assertion = Run.fault("asserting", {2}, {32}, 20);
  EXPECT_EQ(Assertion.Kind, FaultKind::Assertion);
  EXPECT_EQ(Assertion.Thread, (Dim3{20, 0, 0}));
  EXPECT_NE(Assertion.Message.find("assertion 'int(threadIdx.x) < n' failed"), std::string::npos)
      << Assertion.Message;
  HostFault Trap = Run.fault("trapping", {2}, {32}, 5);
  EXPECT_EQ(Trap.Kind, FaultKind::Trap);
  EXPECT_EQ(Trap.Thread, (Dim3{5, 0, 0}));
  expectLine(Trap, "__trap();");
}

TEST(FaultTest, DivisionByZero) {
  HostRun Run("memory.cu");
  ASSERT_TRUE(Run.Program);
  HostFault Fault = Run.fault("divides", {}, {3}, Run.buffer<int>("data", {1, 0, 2}), 5);
  EXPECT_EQ(Fault.Kind, FaultKind::Division);
  EXPECT_EQ(Fault.Thread, (Dim3{1, 0, 0}));
  expectLine(Fault, "n / data[threadIdx.x]");
}

TEST(FaultTest, AStackThatIsFull) {
  HostRun Run("memory.cu");
  ASSERT_TRUE(Run.Program);
  GuardedBuffer &Data = Run.buffer<int>("data", {3, 0});
  EXPECT_EQ(Run.run("recursive", {}, {1}, Data, 3).Threads, 1u);
  EXPECT_EQ(Data.as<int>()[1], 12);
  HostFault Fault = Run.fault("recursive", {}, {1}, Data, 100000);
  EXPECT_EQ(Fault.Kind, FaultKind::StackOverflow);
}

TEST(FaultTest, TimeLimit) {
  HostRun Run("memory.cu");
  ASSERT_TRUE(Run.Program);
  HostLaunch Launch = Run.launchOf("endless", {4}, {2}, Run.buffer<int>("data", {0}));
  Launch.TimeLimit = 0.05;
  Launch.Workers = 2;
  EXPECT_EQ(Run.faultOf(Launch).Kind, FaultKind::TimeLimit);
}

TEST(FaultTest, StepLimit) {
  HostRun Run("memory.cu", {}, {{"endless"}, /*CountSteps=*/true});
  ASSERT_TRUE(Run.Program);
  HostLaunch Launch = Run.launchOf("endless", {}, {2}, Run.buffer<int>("data", {0}));
  Launch.StepLimit = 10000;
  HostFault Fault = Run.faultOf(Launch);
  EXPECT_EQ(Fault.Kind, FaultKind::StepLimit);
  expectLine(Fault, "while (data[0] == 0)");
}

TEST(FaultTest, TheFirstBlockWithAFaultIsReported) {
  HostRun Run("memory.cu");
  ASSERT_TRUE(Run.Program);
  HostLaunch Launch = Run.launchOf("trapping", {64}, {8}, 0);
  Launch.Workers = 4;
  for (int I = 0; I < 10; ++I)
    EXPECT_EQ(Run.faultOf(Launch).Block, (Dim3{0, 0, 0}));
}

TEST(FaultTest, TheProgramCanBeLaunchedAgain) {
  HostRun Run("memory.cu");
  ASSERT_TRUE(Run.Program);
  GuardedBuffer &Data = Run.output<int>("data", 100);
  Run.fault("outOfBounds", {}, {32}, Data, 0, long(100));
  Run.run("outOfBounds", {}, {32}, Data, 0, long(99));
  EXPECT_EQ(Data.as<int>()[99], 1);
}

/// A page that nobody may touch; no null pointer, which UndefinedBehaviorSanitizer would find first.
volatile int *forbiddenPage() {
  void *Page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT_NE(Page, MAP_FAILED);
  return static_cast<volatile int *>(Page);
}

/// A handler that was there before gets the faults that are no kernel's.
TEST(FaultDeathTest, OtherFaultsAreNotCaught) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  HostRun Run("memory.cu");
  ASSERT_TRUE(Run.Program);
  volatile int *Forbidden = forbiddenPage();
  auto FaultBesideAKernel = [&] {
    std::signal(SIGSEGV, [](int) { _exit(42); });
    HostLaunch Launch = Run.launchOf("endless", {1}, {1}, Run.buffer<int>("data", {0}));
    Launch.TimeLimit = 60;
    std::thread Kernel([&] { Run.faultOf(Launch); });
    std::this_thread::sleep_for(std::chrono::milliseconds(100)); // Until it has begun, or not: both must do.
    *Forbidden = 1;
  };
  EXPECT_EXIT(FaultBesideAKernel(), testing::ExitedWithCode(42), "");
  Run.fault("outOfBounds", {}, {1}, (int *)nullptr, 0, long(0));
  EXPECT_EXIT(
      {
        std::signal(SIGSEGV, [](int) { _exit(43); });
        Run.fault("outOfBounds", {}, {1}, (int *)nullptr, 0, long(0));
        *Forbidden = 1;
      },
      testing::ExitedWithCode(43), "");
}

} // namespace
