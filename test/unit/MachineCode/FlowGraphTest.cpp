//===- FlowGraphTest.cpp - Blocks and loops of machine code and PTX ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/FlowGraph.h"
#include "gpuprune/MachineCode/PtxLines.h"
#include "gpuprune/Support/Error.h"
#include "gtest/gtest.h"

using namespace gpuprune;
using namespace llvm;

namespace {

using Numbers = std::vector<size_t>;

FlowGraph graph(const std::vector<Numbers> &Successors) {
  FlowGraph Graph;
  for (const Numbers &Of : Successors) {
    FlowBlock &Block = Graph.Blocks.emplace_back();
    Block.Successors = Of;
    Block.Anchors.Barriers = 1; // So that anchors count blocks.
  }
  findLoops(Graph);
  return Graph;
}

TEST(FlowGraphTest, NestedLoops) {
  // 0 -> 1 { 2 { 3 } 4 } -> 5, and 3 also leaves both.
  FlowGraph Graph = graph({{1}, {2}, {3}, {2, 4, 5}, {1, 5}, {}});
  ASSERT_EQ(Graph.Loops.size(), 2u);
  EXPECT_EQ(Graph.Loops[0].Header, 1u);
  EXPECT_EQ(Graph.Loops[0].Blocks, (Numbers{1, 2, 3, 4}));
  EXPECT_FALSE(Graph.Loops[0].Outer);
  EXPECT_EQ(Graph.Loops[0].Own.Barriers, 2u);
  EXPECT_EQ(Graph.Loops[0].All.Barriers, 4u);
  EXPECT_EQ(Graph.Loops[1].Header, 2u);
  EXPECT_EQ(Graph.Loops[1].Blocks, (Numbers{2, 3}));
  EXPECT_EQ(Graph.Loops[1].Outer, 0u);
}

TEST(FlowGraphTest, LoopsInARow) {
  FlowGraph Graph = graph({{1, 2}, {1, 2}, {3}, {2, 4}, {}});
  ASSERT_EQ(Graph.Loops.size(), 2u);
  EXPECT_EQ(Graph.Loops[0].Blocks, Numbers{1});
  EXPECT_EQ(Graph.Loops[1].Blocks, (Numbers{2, 3}));
  EXPECT_FALSE(Graph.Loops[1].Outer);
}

TEST(FlowGraphTest, NoLoops) {
  EXPECT_TRUE(graph({}).Loops.empty());
  EXPECT_TRUE(graph({{1, 2}, {2}, {}}).Loops.empty());
  // Never reached.
  EXPECT_TRUE(graph({{}, {1}}).Loops.empty());
}

constexpr StringLiteral Ptx = R"(.version 8.8
.target sm_90
.visible .entry longer_name(.param .u64 p)
{
  ret;
}
.visible .entry longer(
	.param .u64 longer_param_0
)
.maxntid 128
{
	.reg .pred 	%p<3>;
// %bb.0:                               // not a statement; nor a label:
	mov.u32 	%r1, %tid.x;
	@%p1 bra 	$L__BB0_4;
$L__BB0_1:                              // =>This Inner Loop Header: Depth=1
	st.shared.v2.b64 	[%r1], {%rd1, %rd2};
	{ .param .b32 a0;
	st.param.b32 [a0], %r1;
	call.uni (r0), helper, (a0); }
	bar.sync 	0;
	barrier.cluster.arrive;
	st.global.v4.b32 	[%rd1], {%r1, %r2, %r3, %r4};
	atom.global.add.u32 	%r5, [%rd1], 1;
	red.global.add.u32 	[%rd1], 1;
	st.local.b32 	[%rd3], %r1;
	@!%p2 bra 	$L__BB0_1;
	bra.uni 	$L__BB0_4;
$L__BB0_4:
	@%p1 ret;
	st.b8 	[%rd2], %r3;
	ret;
}
)";

TEST(FlowGraphTest, BlocksOfPtx) {
  FlowGraph Graph = cantFail(ptxFlow(Ptx, "longer"));
  EXPECT_TRUE(Graph.IsComplete);
  ASSERT_EQ(Graph.Loops.size(), 1u);
  FlowAnchors Expected;
  Expected.Barriers = 1;
  Expected.Atomics = 2;
  Expected.GlobalStoreBytes = 16;
  Expected.SharedStoreBytes = 16;
  EXPECT_EQ(Graph.Loops[0].All, Expected);
  const FlowBlock &Loop = Graph.Blocks[Graph.Loops[0].Header];
  EXPECT_EQ(Loop.Successors.size(), 2u);
  EXPECT_EQ(Graph.Blocks[0].Successors.size(), 2u);
  EXPECT_EQ(Graph.Blocks[0].End, 2u);
  EXPECT_EQ(cantFail(ptxFlow(Ptx, "longer_name")).Loops.size(), 0u);
}

TEST(FlowGraphTest, NumbersAndWorkOfPtxBlocks) {
  FlowGraph Graph =
      cantFail(ptxFlow(".entry k()\n{\n// %bb.0:\nadd.f32 %f1, %f2, %f3;\n@%p1 bra $L__BB0_2;\n// %bb.1:\n"
                       "ld.shared.b32 %r1, [%r2];\nadd.s32 %r1, %r1, 1;\n$L__BB0_2:\nret;\n}",
                       "k"));
  ASSERT_EQ(Graph.Blocks.size(), 4u); // The last one is empty.
  for (unsigned Number : {0u, 1u, 2u})
    EXPECT_EQ(Graph.Blocks[Number].Number, Number);
  EXPECT_EQ(Graph.Blocks[0].Work, 1u);
  EXPECT_EQ(Graph.Blocks[1].Work, 1u);
  EXPECT_EQ(Graph.Blocks[2].Work, 0u);
}

TEST(FlowGraphTest, WhereThreadsMeetAgain) {
  using Meeting = std::vector<std::optional<size_t>>;
  // A branch around a block, then a loop of two blocks.
  EXPECT_EQ(meetingBlocks(graph({{1, 2}, {2}, {3, 4}, {2}, {}})), (Meeting{2, 2, 4, 2, std::nullopt}));
  // Both ways end.
  EXPECT_EQ(meetingBlocks(graph({{1, 2}, {}, {}})), (Meeting{std::nullopt, std::nullopt, std::nullopt}));
  EXPECT_EQ(meetingBlocks(graph({})), Meeting());
}

TEST(PtxLines, PartsOfALine) {
  StringRef Rest = " {\n$L__BB0_2:\n\t@!%p1 ld.global.v2.b32 \t{%r1, %r2}, [%rd1+8] ;\n.reg .b32 %r<3>;\n}";
  std::optional<PtxLine> Label = nextPtxLine(Rest), Load = nextPtxLine(Rest), Directive = nextPtxLine(Rest);
  ASSERT_TRUE(Label && Load && Directive);
  EXPECT_EQ(Label->Label, "$L__BB0_2");
  EXPECT_FALSE(Label->isInstruction());
  EXPECT_EQ(Load->Guard, "!%p1");
  EXPECT_EQ(Load->Mnemonic, "ld.global.v2.b32");
  EXPECT_EQ(Load->Operands, "{%r1, %r2}, [%rd1+8]");
  EXPECT_TRUE(Load->isInstruction());
  EXPECT_EQ(Directive->Mnemonic, ".reg");
  EXPECT_FALSE(Directive->isInstruction());
  EXPECT_FALSE(nextPtxLine(Rest));
}

// A place in the source has no semicolon: what follows is not part of it.
TEST(PtxLines, DebugInformationChangesNothing) {
  StringRef Plain = ".entry k()\n{\n\t.local .align 8 .b8 \t__local_depot0[56];\n// %bb.0:\n ld.param.b64 "
                    "%rd1, [k_param_0];\n\n$L__BB0_1:\n st.global.b32 [%rd1], "
                    "%r1;\n\n ret;\n}";
  StringRef WithLines =
      ".entry k()\n{\n\t.local .align 8 .b8 \t__local_depot0[56];\n$L__func_begin0:\n\t.loc\t1 2 0 // "
      "k.cu:2:0\n// %bb.0:\n ld.param.b64 %rd1, "
      "[k_param_0];\n$L__tmp0:\n$L__BB0_1:\n\t.loc 2 66 27, function_name $L__info_string0, "
      "inlined_at 1 3 11\n st.global.b32 [%rd1], %r1;\n$L__tmp1:\n ret;\n$L__func_end0:\n}";
  auto Statements = [](StringRef Ptx) {
    std::string Body = cantFail(ptxBody(Ptx, "k")), All;
    StringRef Rest = Body;
    while (std::optional<PtxLine> Line = nextPtxLine(Rest))
      All += (Line->Label + "|" + Line->Mnemonic + "|" + Line->Operands + "\n").str();
    return All;
  };
  EXPECT_EQ(Statements(WithLines), Statements(Plain));
  EXPECT_NE(Statements(Plain).find("st.global.b32"), std::string::npos);
  EXPECT_NE(Statements(Plain).find(".local|"), std::string::npos); // Which begins as a place does.
}

TEST(FlowGraphTest, ComputedBranchesOfPtx) {
  EXPECT_FALSE(
      cantFail(ptxFlow(".entry k()\n{\nts: .branchtargets A, B;\nbrx.idx %r1, ts;\nA: ret;\nB: ret;\n}", "k"))
          .IsComplete);
  EXPECT_FALSE(cantFail(ptxFlow(".entry k()\n{\nbra Elsewhere;\n}", "k")).IsComplete);
}

TEST(FlowGraphTest, PtxWithoutTheKernel) {
  for (auto [Text, Reason] : {std::pair("", "the PTX has no kernel 'k'"),
                              std::pair(".entry kk()\n{\n}", "the PTX has no kernel 'k'"),
                              std::pair(".entry k", "the PTX has no kernel 'k'"),
                              std::pair(".entry k()", "the PTX of 'k' has no body"),
                              std::pair(".entry k()\n{\nret;", "the PTX of 'k' has no body")}) {
    auto Graph = ptxFlow(Text, "k");
    ASSERT_FALSE(bool(Graph)) << Text;
    TakenError Taken = takeError(Graph.takeError());
    EXPECT_EQ(Taken.Kind, ErrorKind::CodeGen);
    EXPECT_EQ(Taken.Text, Reason);
  }
}

constexpr Encoding Exit{0x000000000000794d, 0x000fea0003800000},
    Barrier{0x0000000000007b1d, 0x000fe40000010000},
    Store{0x000000080e007986, 0x000fe4000c101b06},      // STG.E.64 [R14.64], R8
    NeverStore{0x000000080e00f986, 0x000fe4000c101b06}, // @!PT of it
    Computed{0x0000000002007949, 0x000fea000383ffff},   // BRX R2
    Nop{0x0000000000007918, 0x000fc00000000000};

/// BRA by a number of instructions, from the next one on.
Encoding jump(int Instructions, bool IsConditional, unsigned Opcode = 0x947) {
  uint64_t Distance = uint64_t(int64_t(Instructions) * 4), Guard = IsConditional ? 0 : 0x7000;
  return {Opcode | Guard | (Distance & 0xff) << 16 | Distance >> 8 << 34,
          0x000fea0003800000 | (Distance >> 38 & 0x3ffff)};
}

FlowGraph machine(ArrayRef<Encoding> Codes) {
  KernelCode Code;
  Code.Architecture = 90;
  for (const Encoding &Bits : Codes)
    Code.Instructions.push_back(
        decodeInstruction(Bits, uint32_t(Code.Instructions.size() * InstructionBytes), 90));
  return machineFlow(Code);
}

TEST(FlowGraphTest, BlocksOfMachineCode) {
  // 0: NOP; 1: BAR; STG; @!PT STG; @P0 BRA 1; 5: EXIT; 6: BRA 6
  FlowGraph Graph = machine({Nop, Barrier, Store, NeverStore, jump(-4, true), Exit, jump(-1, false)});
  EXPECT_TRUE(Graph.IsComplete);
  ASSERT_EQ(Graph.Blocks.size(), 4u);
  EXPECT_EQ(Graph.Blocks[1].Begin, 1u);
  EXPECT_EQ(Graph.Blocks[1].End, 5u);
  EXPECT_EQ(Graph.Blocks[1].Successors, (Numbers{1, 2}));
  EXPECT_TRUE(Graph.Blocks[2].Successors.empty());
  ASSERT_EQ(Graph.Loops.size(), 1u);
  EXPECT_EQ(Graph.Loops[0].Header, 1u);
  EXPECT_EQ(Graph.Loops[0].All.Barriers, 1u);
  EXPECT_EQ(Graph.Loops[0].All.GlobalStoreBytes, 8u);
}

/// The function at 2 belongs to no loop, though one calls it.
TEST(FlowGraphTest, CallsComeBack) {
  constexpr unsigned Call = 0x944;
  constexpr Encoding Return{0x0000000002007950, 0x000fea0003c00000};
  FlowGraph Graph = machine({jump(2, false, Call), jump(-2, true), Exit, Nop, Return});
  ASSERT_EQ(Graph.Blocks.size(), 4u);
  EXPECT_EQ(Graph.Blocks[0].Successors, (Numbers{3, 1}));
  ASSERT_EQ(Graph.Loops.size(), 1u);
  EXPECT_EQ(Graph.Loops[0].Blocks, (Numbers{0, 1}));
}

TEST(FlowGraphTest, ComputedBranchesOfMachineCode) {
  EXPECT_FALSE(machine({Computed, Exit}).IsComplete);
  // Out of the section.
  EXPECT_FALSE(machine({jump(7, false), Exit}).IsComplete);
  EXPECT_FALSE(machine({jump(-2, false), Exit}).IsComplete);
  EXPECT_TRUE(machine({}).Blocks.empty());
}

TEST(FlowGraphTest, MultiplesOfAnchors) {
  FlowAnchors One, Two, Mixed;
  One.Barriers = 1;
  One.SharedStoreBytes = 8;
  Two.Barriers = 2;
  Two.SharedStoreBytes = 16;
  Mixed.Barriers = 2;
  Mixed.SharedStoreBytes = 8;
  EXPECT_EQ(Two.multipleOf(One), 2u);
  EXPECT_EQ(One.multipleOf(One), 1u);
  EXPECT_EQ(One.multipleOf(Two), 0u);
  EXPECT_EQ(Mixed.multipleOf(One), 0u);
  EXPECT_EQ(One.multipleOf(FlowAnchors()), 0u);
  EXPECT_EQ(FlowAnchors().multipleOf(One), 0u);
  EXPECT_EQ(FlowAnchors().multipleOf(FlowAnchors()), 0u);
}

} // namespace
