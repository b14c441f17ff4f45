//===- KernelTraceTest.cpp - A kernel's accesses to memory, from its PTX ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Trace/KernelTrace.h"
#include "ExpectedTesting.h"
#include "llvm/ADT/bit.h"
#include <bit>

using namespace gpuprune;
using namespace gpuprune::test;
using namespace llvm;

namespace {

/// An access or branch as it was told.
struct Told {
  AccessKind Kind;
  AccessSpace Space;
  uint32_t Bytes, Site, Warp, Lanes;
  std::array<uint64_t, 32> Addresses;
};

/// A kernel "k" with a buffer of 32-bit numbers, where element i is 3 * i, as its parameter 0 and the number
/// 5 as its parameter 1.
class Traced {
public:
  explicit Traced(StringRef Body, StringRef Outside = "") {
    Ptx = (".version 8.8\n.target sm_90\n.address_size 64\n" + Outside +
           "\n.visible .entry k(\n\t.param .u64 k_param_0,\n\t.param .u32 k_param_1\n)\n{\n" + Body + "\n}\n")
              .str();
    Buffer = Memory.add(4096, [](uint64_t Offset, MutableArrayRef<char> Bytes) {
      for (size_t At = 0; At != Bytes.size(); At += 4) {
        uint32_t Value = 3 * uint32_t((Offset + At) / 4);
        std::memcpy(&Bytes[At], &Value, 4);
      }
    });
    Launch.Grid = {4, 1, 1};
    Launch.Block = {64, 1, 1};
    const char *Address = reinterpret_cast<const char *>(&Buffer);
    Launch.Parameters = {{Address, Address + 8}, {5, 0, 0, 0}};
  }

  Expected<TracedBlock> tryRun(uint64_t Block = 0, TraceLimits Limits = {}) {
    Expected<FlowGraph> Found = ptxFlow(Ptx, "k");
    if (!Found)
      return Found.takeError();
    Flow = std::move(*Found);
    Expected<KernelTrace> Trace = KernelTrace::create(Ptx, "k", Flow, Launch, Memory);
    if (!Trace)
      return Trace.takeError();
    Sites = Trace->sites().vec();
    return Trace->run(Block, Limits, [&](const WarpAccess &A) {
      Told &T = All.emplace_back(Told{A.Kind, A.Space, A.Bytes, A.Site, A.Warp, A.Lanes, {}});
      if (A.Addresses)
        std::copy_n(A.Addresses, 32, T.Addresses.begin());
    });
  }
  TracedBlock run(uint64_t Block = 0, TraceLimits Limits = {}) { return valueOf(tryRun(Block, Limits)); }
  std::string refusal() {
    Expected<TracedBlock> Ran = tryRun();
    return Ran ? "" : toString(Ran.takeError());
  }

  /// Of accesses, without branches: the warp, the lanes and the first lane's offset in the buffer.
  std::vector<std::array<uint64_t, 3>> accesses() const {
    std::vector<std::array<uint64_t, 3>> Found;
    for (const Told &T : All)
      if (T.Kind != AccessKind::Branch)
        Found.push_back({T.Warp, T.Lanes, T.Addresses[unsigned(llvm::countr_zero(T.Lanes))] - Buffer});
    return Found;
  }

  std::string Ptx;
  TraceMemory Memory;
  uint64_t Buffer = 0;
  TracedLaunch Launch;
  FlowGraph Flow;
  std::vector<Told> All;
  std::vector<std::optional<unsigned>> Sites;
};

using Accesses = std::vector<std::array<uint64_t, 3>>;
constexpr uint64_t AllLanes = 0xFFFFFFFF;

constexpr StringLiteral Registers = "\t.reg .pred %p<9>;\n\t.reg .b32 %r<99>;\n\t.reg .b64 %rd<99>;\n";

/// %rd9: the address of the buffer's element with the number of the thread.
constexpr StringLiteral ElementOfThread = "// %bb.0:\n"
                                          "\tld.param.b64 %rd1, [k_param_0];\n"
                                          "\tld.param.b32 %r1, [k_param_1];\n"
                                          "\tcvta.to.global.u64 %rd2, %rd1;\n"
                                          "\tmov.u32 %r2, %tid.x;\n"
                                          "\tmul.wide.u32 %rd3, %r2, 4;\n"
                                          "\tadd.s64 %rd9, %rd2, %rd3;\n";

std::string body(StringRef Rest) { return (Registers + ElementOfThread + Rest).str(); }

} // namespace

TEST(KernelTrace, eachWarpTellsItsAddresses) {
  Traced T(body("\tld.global.b32 %r3, [%rd9+8];\n\tst.global.v2.b32 [%rd9], {%r3, %r3};\n\tret;\n"));
  TracedBlock Ran = T.run();
  EXPECT_EQ(T.accesses(),
            (Accesses{{0, AllLanes, 8}, {0, AllLanes, 0}, {1, AllLanes, 136}, {1, AllLanes, 128}}));
  EXPECT_EQ(T.All[0].Kind, AccessKind::Load);
  EXPECT_EQ(T.All[0].Bytes, 4u);
  EXPECT_EQ(T.All[1].Kind, AccessKind::Store);
  EXPECT_EQ(T.All[1].Bytes, 8u);
  EXPECT_EQ(T.All[1].Addresses[31] - T.Buffer, 124u);
  EXPECT_FALSE(Ran.LeftLoops);
}

TEST(KernelTrace, theLastWarpMayHaveFewerLanes) {
  Traced T(body("\tst.global.b32 [%rd9], 0;\n\tret;\n"));
  T.Launch.Block = {40, 1, 1};
  T.run();
  EXPECT_EQ(T.accesses(), (Accesses{{0, AllLanes, 0}, {1, 0xFF, 128}}));
}

TEST(KernelTrace, blocksAndThreadsHaveThreeDimensions) {
  Traced T(
      body("\tmov.u32 %r4, %ctaid.y;\n\tmov.u32 %r5, %tid.y;\n\tmov.u32 %r6, %nctaid.x;\n"
           "\tmad.lo.s32 %r7, %r4, 100, %r5;\n\tmad.lo.s32 %r8, %r6, 1000, %r7;\n"
           "\tcvt.u64.u32 %rd4, %r8;\n\tadd.s64 %rd5, %rd2, %rd4;\n\tst.global.b8 [%rd5], 0;\n\tret;\n"));
  T.Launch.Grid = {2, 3, 1};
  T.Launch.Block = {16, 2, 1};
  T.run(/*Block=*/5); // y is 2.
  ASSERT_EQ(T.All.size(), 1u);
  EXPECT_EQ(T.All[0].Addresses[15] - T.Buffer, 2200u);
  EXPECT_EQ(T.All[0].Addresses[16] - T.Buffer, 2201u);
}

TEST(KernelTrace, lanesThatPartMeetAgain) {
  // Lanes below 5 load, then all store.
  Traced T(body("\tsetp.ge.u32 %p1, %r2, %r1;\n\t@%p1 bra $L__BB0_2;\n"
                "// %bb.1:\n\tld.global.b32 %r3, [%rd9];\n"
                "$L__BB0_2:\n\tst.global.b32 [%rd9+4], %r2;\n\tret;\n"));
  T.run();
  EXPECT_EQ(T.accesses(), (Accesses{{0, 0x1F, 0}, {0, AllLanes, 4}, {1, AllLanes, 132}}));
  EXPECT_EQ(T.All[0].Kind, AccessKind::Branch);
  EXPECT_EQ(T.All[0].Lanes, AllLanes);
  ASSERT_EQ(T.Sites.size(), 3u);
  EXPECT_EQ(T.Sites[1], 1u); // In "%bb.1".
}

TEST(KernelTrace, threadsThatReturnAreGone) {
  Traced T(body("\tsetp.ge.u32 %p1, %r2, %r1;\n\t@%p1 ret;\n\tst.global.b32 [%rd9], %r2;\n\tret;\n"));
  T.run();
  EXPECT_EQ(T.accesses(), (Accesses{{0, 0x1F, 0}}));
}

TEST(KernelTrace, guardsChooseLanes) {
  Traced T(body("\tsetp.lt.u32 %p1, %r2, %r1;\n\tmov.b64 %rd10, 64;\n\t@!%p1 mov.b64 %rd10, 0;\n"
                "\tadd.s64 %rd11, %rd9, %rd10;\n\t@%p1 st.global.b32 [%rd11], %r2;\n\tret;\n"));
  T.run();
  EXPECT_EQ(T.accesses(), (Accesses{{0, 0x1F, 64}}));
}

/// A loop of \p Times iterations that loads the elements behind one another, and a store behind it.
static std::string loopOf(StringRef Times) {
  return body(("\tmov.b32 %r4, 0;\n"
               "$L__BB0_1:\n\tld.global.b32 %r3, [%rd9];\n\tadd.s64 %rd9, %rd9, 4;\n\tadd.s32 %r4, %r4, 1;\n"
               "\tsetp.lt.u32 %p1, %r4, " +
               Times + ";\n\t@%p1 bra $L__BB0_1;\n// %bb.2:\n\tst.global.b32 [%rd2], %r2;\n\tret;\n")
                  .str());
}

TEST(KernelTrace, loopsRunByTheirConditions) {
  Traced T(loopOf("3"));
  T.Launch.Block = {32, 1, 1};
  EXPECT_FALSE(T.run().LeftLoops);
  EXPECT_EQ(T.accesses(), (Accesses{{0, AllLanes, 0}, {0, AllLanes, 4}, {0, AllLanes, 8}, {0, AllLanes, 0}}));
}

TEST(KernelTrace, lanesLeaveALoopOneByOne) {
  Traced T(loopOf("%r2"));
  T.Launch.Block = {3, 1, 1};
  T.run();
  EXPECT_EQ(T.accesses(), (Accesses{{0, 7, 0}, {0, 4, 12}, {0, 7, 0}}));
}

TEST(KernelTrace, longLoopsAreLeftEarly) {
  Traced T(loopOf("1000000"));
  T.Launch.Block = {32, 1, 1};
  EXPECT_TRUE(T.run(0, {/*Iterations=*/2}).LeftLoops);
  EXPECT_EQ(T.accesses(), (Accesses{{0, AllLanes, 0}, {0, AllLanes, 4}, {0, AllLanes, 0}}));
}

TEST(KernelTrace, stepsAreLimited) {
  Traced T(loopOf("1000000"));
  TraceLimits Limits;
  Limits.Steps = 100;
  TracedBlock Ran = T.run(0, Limits);
  EXPECT_TRUE(Ran.RanOutOfSteps);
  EXPECT_LT(Ran.Steps, 200u);
}

TEST(KernelTrace, addressesMayBeLoaded) {
  // Element i is 3 * i.
  Traced T(body("\tld.global.b32 %r3, [%rd9];\n\tmul.wide.u32 %rd4, %r3, 4;\n\tadd.s64 %rd5, %rd2, %rd4;\n"
                "\tld.global.b32 %r4, [%rd5];\n\tret;\n"));
  T.Launch.Block = {32, 1, 1};
  T.run();
  ASSERT_EQ(T.All.size(), 2u);
  EXPECT_EQ(T.All[1].Addresses[7] - T.Buffer, 4u * 21);
}

TEST(KernelTrace, whatOtherWarpsStoreInSharedMemoryIsSeenBehindABarrier) {
  // Thread i reads what thread 63 - i has stored: its number.
  Traced T(
      body("\tshl.b32 %r3, %r2, 2;\n\tmov.b32 %r4, tile;\n\tadd.s32 %r5, %r4, %r3;\n"
           "\tst.shared.b32 [%r5], %r2;\n\tbar.sync 0;\n"
           "\tsub.s32 %r6, %r4, %r3;\n\tld.shared.b32 %r7, [%r6+252];\n"
           "\tmul.wide.u32 %rd4, %r7, 4;\n\tadd.s64 %rd5, %rd2, %rd4;\n\tst.global.b32 [%rd5], 0;\n\tret;\n"),
      ".shared .align 4 .b8 other[20];\n.shared .align 16 .b8 tile[256];");
  T.run();
  ASSERT_EQ(T.All.size(), 6u);
  EXPECT_EQ(T.All[0].Space, AccessSpace::Shared);
  EXPECT_EQ(T.All[0].Addresses[0], 32u); // Behind the other, aligned.
  EXPECT_EQ(T.All[1].Warp, 1u);          // Both warps come to the barrier before one goes on.
  EXPECT_EQ(T.All[3].Space, AccessSpace::Global);
  EXPECT_EQ(T.All[3].Addresses[0] - T.Buffer, 4u * 63);
  EXPECT_EQ(T.All[5].Addresses[31] - T.Buffer, 0u);
}

TEST(KernelTrace, barriersTellWhatAllThreadsSay) {
  // Threads are numbered up to 63.
  auto Stores = [](StringRef Reduction, StringRef Limit) {
    Traced T(body(("\tsetp.lt.u32 %p1, %r2, " + Limit + ";\n\tbar.red." + Reduction + ".pred %p2, 0, %p1;\n" +
                   "\t@%p2 st.global.b32 [%rd9], 0;\n\tret;\n")
                      .str()));
    T.run();
    return T.accesses().size();
  };
  EXPECT_EQ(Stores("and", "64"), 2u);
  EXPECT_EQ(Stores("and", "63"), 0u);
  EXPECT_EQ(Stores("or", "1"), 2u);
  EXPECT_EQ(Stores("or", "0"), 0u);
}

TEST(KernelTrace, constantsHoldWhatTheLaunchOrThePtxSays) {
  StringRef Declared = ".const .align 4 .b32 table[2] = {40, 44};";
  std::string Code =
      body("\tld.const.b32 %r3, [table+4];\n\tcvt.u64.u32 %rd4, %r3;\n\tadd.s64 %rd5, %rd2, %rd4;\n"
           "\tst.global.b32 [%rd5], 0;\n\tret;\n");
  Traced Own(Code, Declared), Given(Code, Declared);
  Given.Launch.Variables["table"] = [](uint64_t, MutableArrayRef<char> Bytes) {
    std::fill(Bytes.begin(), Bytes.end(), 0);
    Bytes[4] = 12;
  };
  Own.run();
  Given.run();
  EXPECT_EQ(Own.accesses()[1][2], 44u);
  EXPECT_EQ(Given.accesses()[1][2], 12u);
}

TEST(KernelTrace, shufflesMoveAddresses) {
  Traced T(body(
      "\tshfl.sync.down.b32 %r3, %r2, 1, 31, -1;\n\tmul.wide.u32 %rd4, %r3, 4;\n\tadd.s64 %rd5, %rd2, %rd4;\n"
      "\tst.global.b32 [%rd5], 0;\n\tret;\n"));
  T.Launch.Block = {32, 1, 1};
  T.run();
  EXPECT_EQ(T.All[0].Addresses[0] - T.Buffer, 4u);
  EXPECT_EQ(T.All[0].Addresses[31] - T.Buffer, 4u * 31); // There is none behind it.
}

TEST(KernelTrace, copiesLoadAndStore) {
  Traced T(body("\tmov.b32 %r4, tile;\n\tcp.async.ca.shared.global [%r4], [%rd9], 16;\n\tret;\n"),
           ".shared .align 16 .b8 tile[256];");
  T.Launch.Block = {32, 1, 1};
  T.run();
  ASSERT_EQ(T.All.size(), 2u);
  EXPECT_EQ(T.All[0].Kind, AccessKind::Load);
  EXPECT_EQ(T.All[0].Space, AccessSpace::Global);
  EXPECT_EQ(T.All[1].Kind, AccessKind::Store);
  EXPECT_EQ(T.All[1].Space, AccessSpace::Shared);
  EXPECT_EQ(T.All[1].Bytes, 16u);
}

TEST(KernelTrace, assemblyHasRegistersOfItsOwn) {
  Traced T(
      body("\t{ .reg .b32 lane, half; mov.u32 lane, %laneid; shr.u32 half, lane, 4; mov.b32 %r20, half; }\n"
           "\tmul.wide.u32 %rd10, %r20, 256;\n\tadd.s64 %rd11, %rd9, %rd10;\n\tld.global.b32 %r3, [%rd11];\n"
           "\tret;\n"));
  T.run();
  ASSERT_EQ(T.All.size(), 2u);
  EXPECT_EQ(T.All[0].Addresses[15] - T.Buffer, 15 * 4u);
  EXPECT_EQ(T.All[0].Addresses[16] - T.Buffer, 256 + 16 * 4u);
}

TEST(KernelTrace, saysWhatIsNotTraced) {
  auto Refusal = [](StringRef Rest) { return Traced(body(Rest)).refusal(); };
  EXPECT_EQ(Refusal("\tcall.uni f, ();\n\tret;\n"), "'call.uni' is not traced");
  EXPECT_EQ(Refusal("\tbrx.idx %r2, targets;\n\tret;\n"),
            "branches to places that are computed are not traced");
  EXPECT_EQ(Refusal("\tdp4a.u32.u32 %r3, %r2, %r2, %r2;\n\tcvt.u64.u32 %rd4, %r3;\n\tst.global.b32 [%rd4], "
                    "0;\n\tret;\n"),
            "'dp4a.u32.u32' is not traced");
  EXPECT_EQ(Refusal("\tmov.u32 %r3, %smid;\n\tcvt.u64.u32 %rd4, %r3;\n\tst.global.b32 [%rd4], 0;\n\tret;\n"),
            "'%smid' is not traced ('mov.u32')");
  EXPECT_EQ(Refusal("\tld.global.b32 %r3, [%rd9+4096];\n\tcvt.u64.u32 %rd4, %r3;\n\tst.global.b32 [%rd4], "
                    "0;\n\tret;\n"),
            "an access outside of all buffers");
  EXPECT_EQ(Refusal("\tst.global.v9.b64 [%rd9], %rd9;\n\tret;\n"), "'st.global.v9.b64' is not traced");
  EXPECT_EQ(Refusal("\tst.global.v8.b64 [%rd9], %rd9;\n\tret;\n"), "'st.global.v8.b64' is not traced");
}

TEST(KernelTrace, whatTheLaunchLacksIsSaid) {
  StringRef Code = "\tst.global.b32 [%rd9], 0;\n\tret;\n";
  Traced Fewer(body(Code)), Unknown(body(Code), ".global .align 8 .u64 table[1] = {generic(f)};"),
      Known(body(Code), ".global .align 8 .u64 table[1] = {7};");
  Fewer.Launch.Parameters.pop_back();
  EXPECT_EQ(Fewer.refusal(), "the kernel has more parameters than the launch");
  EXPECT_EQ(Unknown.refusal(), "what the variable 'table' begins with is not known");
  EXPECT_EQ(Known.refusal(), "");
}

TEST(KernelTrace, structuresThatAreParametersCanBeIndexed) {
  Traced T(body("\tmov.b64 %rd4, k_param_1;\n\tand.b32 %r3, %r2, 1;\n\tmul.wide.u32 %rd5, %r3, 4;\n"
                "\tadd.s64 %rd6, %rd4, %rd5;\n\tld.param.b32 %r4, [%rd6];\n\tcvt.u64.u32 %rd7, %r4;\n"
                "\tadd.s64 %rd8, %rd2, %rd7;\n\tst.global.b8 [%rd8], 0;\n\tret;\n"));
  T.Launch.Block = {32, 1, 1};
  T.Launch.Parameters[1] = {5, 0, 0, 0, 9, 0, 0, 0};
  T.run();
  ASSERT_EQ(T.All.size(), 1u); // The load is none of the GPU's memory.
  EXPECT_EQ(T.All[0].Addresses[0] - T.Buffer, 5u);
  EXPECT_EQ(T.All[0].Addresses[1] - T.Buffer, 9u);
}

TEST(KernelTrace, whatNoAddressNeedsIsNotExecuted) {
  // The same instructions, and an access that is no load.
  Traced T(
      body("\tdp4a.u32.u32 %r3, %r2, %r2, %r2;\n\tmov.u32 %r4, %smid;\n\tld.global.b32 %r5, [%rd9+4096];\n"
           "\tadd.s32 %r6, %r3, %r4;\n\tst.global.b32 [%rd9], %r6;\n\tret;\n"));
  EXPECT_EQ(T.refusal(), "");
  EXPECT_EQ(T.accesses().size(), 4u);
}

TEST(KernelTrace, barriersThatAWarpDividesAreRefused) {
  StringRef Code =
      "\tmov.b32 %r4, tile;\n\tst.shared.b32 [%r4], %r2;\n\tsetp.lt.u32 %p1, %r2, %r1;\n"
      "\t@%p1 bra $L__BB0_2;\n// %bb.1:\n\tbar.sync 0;\n"
      "$L__BB0_2:\n\tld.shared.b32 %r7, [%r4];\n\tcvt.u64.u32 %rd4, %r7;\n\tadd.s64 %rd5, %rd2, %rd4;\n"
      "\tst.global.b8 [%rd5], 0;\n\tret;\n";
  EXPECT_EQ(Traced(body(Code), ".shared .align 4 .b8 tile[4];").refusal(),
            "not all threads of a warp are at a barrier together");
}

TEST(KernelTrace, stepsFollowTheCounts) {
  Traced T(loopOf("1000"));
  T.Flow = valueOf(ptxFlow(T.Ptx, "k"));
  KernelTrace Trace = cantFail(KernelTrace::create(T.Ptx, "k", T.Flow, T.Launch, T.Memory));
  std::vector<PtxBlockExecutions> Counts = {{0, 1, {}}, {1, 1000, {}}, {2, 1, {}}};
  double Whole = Trace.steps(Counts, TraceLimits().Iterations, 1), Cut = Trace.steps(Counts, 10, 1);
  EXPECT_GT(Whole, 4000);
  EXPECT_NEAR(Cut, Whole / 100, Whole / 100);
  EXPECT_GT(Trace.steps(Counts, 10, 8), Cut + 60); // Ten loads and a store.
}
