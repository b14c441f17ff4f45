//===- WatchMemoryTest.cpp - Every access is shown and checked -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostTesting.h"
#include "llvm/ADT/DenseMap.h"

using namespace gpuprune;
using namespace gpuprune::test;

namespace {

const HostOptions Watched = [] {
  HostOptions Options;
  Options.WatchMemory = true;
  return Options;
}();

TEST(WatchMemoryTest, TheTraceHasEveryAccess) {
  HostRun Run("watched.cu", {}, Watched);
  ASSERT_TRUE(Run.Program);
  std::vector<float> In(128, 1.0f);
  GuardedBuffer &Input = Run.buffer<float>("in", In), &Out = Run.output<float>("out", 128);
  HostLaunch Launch = Run.launchOf("copy", {2}, {64}, Input, Out);
  std::vector<MemoryAccess> Accesses;
  Launch.Trace = [&](const MemoryAccess &A) { Accesses.push_back(A); };
  launched(*Run.Program, Launch);

  unsigned GlobalLoads = 0, GlobalStores = 0, SharedLoads = 0, SharedStores = 0;
  for (const MemoryAccess &A : Accesses) {
    ASSERT_LT(A.Site, Run.Program->sites().size());
    const AccessSite &Site = Run.Program->sites()[A.Site];
    EXPECT_EQ(Site.Function, "copy");
    EXPECT_TRUE(llvm::StringRef(Site.File).ends_with("watched.cu"));
    EXPECT_EQ(Site.Kind, A.Kind);
    ASSERT_LT(A.Block, 2u);
    ASSERT_LT(A.Thread, 64u);
    bool IsLoad = A.Kind == AccessKind::Load;
    if (A.Space == AccessSpace::Shared) {
      ++(IsLoad ? SharedLoads : SharedStores);
      EXPECT_EQ(A.Bytes, 4u);
      continue;
    }
    ++(IsLoad ? GlobalLoads : GlobalStores);
    auto Base = reinterpret_cast<uint64_t>(IsLoad ? Input.Data : Out.Data);
    EXPECT_EQ(A.Bytes, IsLoad ? 4u : 8u);
    EXPECT_EQ(A.Address, Base + (IsLoad ? 4 * (A.Block * 64 + A.Thread) : 8 * (A.Block * 32 + A.Thread)));
  }
  EXPECT_EQ(GlobalLoads, 128u);
  EXPECT_EQ(GlobalStores, 64u);
  EXPECT_EQ(SharedLoads, 128u);
  EXPECT_EQ(SharedStores, 128u);
}

TEST(WatchMemoryTest, SharedMemoryThatNobodyWrote) {
  HostRun Run("watched.cu", {}, Watched);
  ASSERT_TRUE(Run.Program);
  GuardedBuffer &Out = Run.output<int>("out", 64);
  Run.run("readsTooMuch", {}, {64}, Out, 64);
  HostFault Fault = Run.fault("readsTooMuch", {}, {64}, Out, 60);
  EXPECT_EQ(Fault.Kind, FaultKind::Unwritten);
  EXPECT_EQ(Fault.Thread, (Dim3{0, 0, 0}));
  EXPECT_EQ(Fault.Place->Buffer, "shared memory");
  EXPECT_EQ(Fault.Place->Offset, 252);
  EXPECT_GT(Fault.Line, 0u);
  EXPECT_NE(Fault.Message.find("reads byte 252 of 'shared memory' (256 bytes), which nothing has written"),
            std::string::npos)
      << Fault.Message;
}

TEST(WatchMemoryTest, ABufferThatNobodyWrote) {
  HostRun Run("watched.cu", {}, Watched);
  ASSERT_TRUE(Run.Program);
  GuardedBuffer &In = Run.buffer<int>("in", std::vector<int>(8, 1)), &Out = Run.output<int>("out", 8);
  Run.run("sums", {}, {8}, In, Out, 2);
  Run.Memory.markUnwritten(Out);
  HostFault Fault = Run.fault("sums", {}, {8}, In, Out, 2);
  EXPECT_EQ(Fault.Kind, FaultKind::Unwritten);
  EXPECT_EQ(Fault.Place->Buffer, "out");
}

TEST(WatchMemoryTest, MisalignedAddresses) {
  HostRun Run("watched.cu", {}, Watched);
  ASSERT_TRUE(Run.Program);
  HostFault Fault =
      Run.fault("odd", {}, {8}, Run.buffer<int>("in", std::vector<int>(16, 1)), Run.output<int>("out", 8));
  EXPECT_EQ(Fault.Kind, FaultKind::Misaligned);
  EXPECT_EQ(Fault.Thread, (Dim3{3, 0, 0}));
}

TEST(WatchMemoryTest, StructuresWithoutPadding) {
  HostRun Run("watched.cu", {}, Watched);
  ASSERT_TRUE(Run.Program);
  GuardedBuffer &In = Run.buffer<char>("in", {9, 1, 2, 0, 0, 9, 3, 0, 1, 0}),
                &Out = Run.output<int>("out", 2);
  Run.run("unpack", {}, {2}, In, Out);
  EXPECT_EQ(Out.as<int>()[0], 0x201);
  EXPECT_EQ(Out.as<int>()[1], 0x10003);
  HostFault Fault = Run.fault("unpack", {}, {3}, In, Run.output<int>("more", 3));
  EXPECT_EQ(Fault.Kind, FaultKind::Memory);
  EXPECT_EQ(Fault.Place->Offset, 11);
}

TEST(WatchMemoryTest, BoundsAreExact) {
  HostRun Run("watched.cu", {}, Watched);
  ASSERT_TRUE(Run.Program);
  GuardedBuffer &Data = Run.buffer<int>("data", {0, 0, 0});
  for (int Offset : {-1, 3}) { // Both in the buffer's own page.
    HostFault Fault = Run.fault("beside", {}, {1}, Data, Offset);
    EXPECT_EQ(Fault.Kind, FaultKind::Memory);
    EXPECT_EQ(Fault.Place->Offset, 4 * Offset);
  }
  Run.run("beside", {}, {1}, Data, 2);
}

TEST(WatchMemoryTest, OutsideOfAStructureThatIsPassedByValue) {
  HostRun Run("watched.cu", {}, Watched);
  ASSERT_TRUE(Run.Program);
  struct {
    float Values[4] = {1, 2, 3, 4};
    int N = 0;
  } Table;
  GuardedBuffer &Out = Run.output<float>("out", 2);
  Run.run("pick", {}, {2}, Table, Run.buffer<int>("index", {0, 3}), Out);
  EXPECT_EQ(Out.as<float>()[1], 4);
  Run.run("pick", {}, {2}, Table, Run.buffer<int>("inside", {1, 4}), Out); // The next member.
  for (int Wrong : {-1, 5, 100000000}) {
    HostFault Fault = Run.fault("pick", {}, {2}, Table, Run.buffer<int>("index", {0, Wrong}), Out);
    EXPECT_EQ(Fault.Kind, FaultKind::Memory);
    EXPECT_EQ(Fault.Thread, (Dim3{1, 0, 0}));
    std::string Where = Wrong < 0 ? "4 bytes before the start" : "at byte " + std::to_string(4ll * Wrong);
    EXPECT_NE(Fault.Message.find("access out of bounds: " + Where +
                                 " of the structure that is argument 0, which has 20 bytes"),
              std::string::npos)
        << Fault.Message;
  }
}

TEST(WatchMemoryTest, OfAVectorWithGapsWhatIsUsedCounts) {
  HostRun Run("watched.cu", {}, Watched);
  ASSERT_TRUE(Run.Program);
  GuardedBuffer &In = Run.buffer<float>("in", std::vector<float>(4 * 32, 1)),
                &Out = Run.output<float>("out", 32);
  HostLaunch Launch = Run.launchOf("norms", {}, {32}, In, Out, 0);
  std::vector<uint32_t> Loads;
  Launch.Trace = [&](const MemoryAccess &Access) {
    if (Access.Kind == AccessKind::Load)
      Loads.push_back(Access.Bytes);
  };
  launched(*Run.Program, Launch);
  EXPECT_EQ(Loads, std::vector<uint32_t>(32, 16)) << "PTX loads all four";
  EXPECT_EQ(Run.fault("norms", {}, {32}, In, Out, 1).Kind, FaultKind::Memory) << "one too far";
  // The last element may be missing: nothing asks for it.
  GuardedBuffer &Short = Run.buffer<float>("short", std::vector<float>(4 * 32 - 1, 1));
  Run.run("norms", {}, {32}, Short, Out, 0);
}

TEST(WatchMemoryTest, CopiesThatAreNotWaitedFor) {
  HostRun Run("async.cu", {}, Watched);
  ASSERT_TRUE(Run.Program);
  GuardedBuffer &In = Run.buffer<float>("in", std::vector<float>(5 * 128, 1.0f)),
                &Out = Run.output<float>("out", 5 * 128);
  Run.run("pipelined", {}, {32}, In, Out, 5);
  EXPECT_EQ(Run.fault("impatient", {}, {32}, In, Out).Kind, FaultKind::Unwritten);
}

} // namespace
