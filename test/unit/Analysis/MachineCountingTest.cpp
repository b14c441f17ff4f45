//===- MachineCountingTest.cpp - Tests of counting in the code generator ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/MachineCounting.h"
#include "TestModule.h"
#include "gtest/gtest.h"
#include <thread>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;
using Class = InstructionClass;

static LaunchContext launch(Dim3 Grid, Dim3 Block, std::vector<std::optional<int64_t>> Scalars) {
  return {Grid, Block, std::move(Scalars)};
}

static LaunchContext matmulLaunch(uint32_t N) {
  return launch({N / 16, N / 16, 1}, {16, 16, 1}, {std::nullopt, std::nullopt, std::nullopt, int64_t(N)});
}

static LaunchContext linearLaunch(int64_t N) {
  return launch({4, 1, 1}, {64, 1, 1}, {std::nullopt, std::nullopt, N});
}

TEST(MachineCounting, CountsTheLinesOfThePtx) {
  for (StringRef File : {"matmul.ll", "kernels.ll"})
    for (bool Optimize : {false, true}) {
      auto Module = parseInput(File);
      Generated Code = generate(*Module, "", LaunchContext{}, Optimize);
      EXPECT_FALSE(Code.Counts.empty());
      for (auto &[Name, Counts] : Code.Counts) {
        unsigned Lines = instructionLines(Code.Ptx, Name);
        if (Name == "caller")
          Lines += instructionLines(Code.Ptx, "helper");
        if (Name == "assembly")
          EXPECT_NE(Code.Ptx.find("mul.f32 t"), std::string::npos);
        EXPECT_EQ(Counts.StaticInstr, Lines) << File.str() << " " << Name;
      }
    }
}

static constexpr const char *InputFiles[] = {"matmul.ll", "kernels.ll"};

namespace {
/// The PTX as it is before any test has installed the counting in this process.
class Untouched : public testing::Environment {
public:
  void SetUp() override {
    for (const char *File : InputFiles)
      Ptx[File] = generate(*parseInput(File), "", LaunchContext{}, true, /*Count=*/false).Ptx;
  }
  std::map<std::string, std::string> Ptx;
};
} // namespace

static auto *const Before = static_cast<Untouched *>(testing::AddGlobalTestEnvironment(new Untouched));

TEST(MachineCounting, ChangesNothingInThePtx) {
  for (const char *File : InputFiles) {
    ASSERT_FALSE(Before->Ptx.at(File).empty());
    Generated With = generate(*parseInput(File), "", LaunchContext{}, true, /*Count=*/true);
    EXPECT_FALSE(With.Counts.empty());
    EXPECT_EQ(Before->Ptx.at(File), With.Ptx);
    Generated Inactive = generate(*parseInput(File), "", LaunchContext{}, true, /*Count=*/false);
    EXPECT_EQ(Before->Ptx.at(File), Inactive.Ptx);
  }
}

/// Each label of the text is the number of a block, and what enters it is what its predecessors say.
TEST(MachineCounting, TellsTheExecutionsOfEachBlockOfThePtx) {
  Generated Code = generate(*parseInput("matmul.ll"), "matmul", matmulLaunch(4096), false);
  const std::vector<PtxBlockExecutions> &Blocks = Code.Counts.at("matmul").Blocks;
  std::map<unsigned, double> Entered{{0, 1.0}};
  double Most = 0;
  for (const PtxBlockExecutions &B : Blocks) {
    Most = std::max(Most, B.Executions);
    for (const PtxSuccessor &S : B.Successors)
      Entered[S.Number] += S.Executions;
  }
  EXPECT_GE(Most, 256); // Tiles.
  for (const PtxBlockExecutions &B : Blocks)
    EXPECT_DOUBLE_EQ(Entered[B.Number], B.Executions) << B.Number;
  SmallVector<StringRef> Lines;
  StringRef(Code.Ptx).split(Lines, '\n');
  unsigned Labels = 0;
  for (StringRef Line : Lines) {
    unsigned Number = 0;
    if (!Line.consume_front("$L__BB0_") || Line.consumeInteger(10, Number) || !Line.starts_with(":"))
      continue;
    ++Labels;
    EXPECT_TRUE(any_of(Blocks, [&](const PtxBlockExecutions &B) { return B.Number == Number; })) << Number;
  }
  EXPECT_GE(Labels, 1u);
}

TEST(MachineCounting, GivesTheRegionsOfThePaperForTheTextbookMatmul) {
  Generated Code = generate(*parseInput("matmul.ll"), "matmul", matmulLaunch(4096), false);
  const KernelCounts &Counts = Code.Counts.at("matmul");
  EXPECT_EQ(Counts.Source, InstrSource::ExactStatic);
  EXPECT_EQ(Counts[Class::Barrier], 512);
  EXPECT_EQ(Counts[Class::LoadGlobal], 512);
  EXPECT_EQ(Counts[Class::StoreGlobal], 1);
  EXPECT_EQ(Counts[Class::Fp32], 4096);
  EXPECT_EQ(Counts.Regions, 769);
  EXPECT_EQ(Counts.Global.Loaded, 2048);
  EXPECT_EQ(Counts.Global.Stored, 4);
  EXPECT_EQ(Counts.Shared.Loaded, 4096 * 8);
  EXPECT_EQ(Counts.Shared.Stored, 2048);
  EXPECT_EQ(Counts.Local.Loaded, 0);
}

TEST(MachineCounting, AgreesWithFollowingThePtxByHand) {
  for (uint32_t N : {16u, 32u, 64u, 4096u})
    for (bool Optimize : {false, true}) {
      Generated Code = generate(*parseInput("matmul.ll"), "matmul", matmulLaunch(N), Optimize);
      EXPECT_EQ(Code.Counts.at("matmul").Instr, interpret(Code.Ptx, "matmul", {{3, N}}, {})) << N;
    }
  for (StringRef Kernel : {"dot", "triangle", "sfu"})
    for (int64_t N : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 37, 100}) {
      Generated Code = generate(*parseInput("kernels.ll"), Kernel, linearLaunch(N), N % 2 == 0);
      const KernelCounts &Counts = Code.Counts.at(Kernel.str());
      EXPECT_EQ(Counts.Source, InstrSource::ExactStatic) << Kernel.str() << " " << N;
      EXPECT_EQ(Counts.Instr, interpret(Code.Ptx, Kernel, {{2, N}}, {{"%ntid.x", 64}}))
          << Kernel.str() << " " << N;
    }
}

TEST(MachineCounting, AddsTheClassesUpToInstr) {
  Generated Code = generate(*parseInput("kernels.ll"), "dot", linearLaunch(1001), false);
  for (auto &[Name, Counts] : Code.Counts) {
    double Sum = 0;
    for (double OfClass : Counts.ByClass)
      Sum += OfClass;
    EXPECT_DOUBLE_EQ(Sum, Counts.Instr) << Name;
  }
}

TEST(MachineCounting, CountsSpecialFunctionsAsRegionsWhereNothingIsSlower) {
  Generated Code = generate(*parseInput("kernels.ll"), "sfu", linearLaunch(100), false);
  const KernelCounts &Counts = Code.Counts.at("sfu");
  EXPECT_EQ(Counts[Class::Special], 300);
  EXPECT_EQ(Counts.Regions, 101);
}

TEST(MachineCounting, DecidesAGuardThatTheWholeLaunchPasses) {
  Generated Inside = generate(*parseInput("kernels.ll"), "guarded", linearLaunch(256), false);
  EXPECT_EQ(Inside.Counts.at("guarded").Source, InstrSource::ExactStatic);
  EXPECT_EQ(Inside.Counts.at("guarded").Instr, instructionLines(Inside.Ptx, "guarded"));
  Generated Partly = generate(*parseInput("kernels.ll"), "guarded", linearLaunch(255), false);
  EXPECT_EQ(Partly.Counts.at("guarded").Source, InstrSource::Estimated);
  EXPECT_FALSE(Partly.Counts.at("guarded").Reasons.empty());
  EXPECT_EQ(Partly.Counts.at("guarded").Instr, Inside.Counts.at("guarded").Instr);
}

TEST(MachineCounting, AddsWhatCalledFunctionsExecute) {
  Generated Code = generate(*parseInput("kernels.ll"), "caller", linearLaunch(10), false);
  const KernelCounts &Counts = Code.Counts.at("caller");
  EXPECT_EQ(Counts.Source, InstrSource::Estimated);
  EXPECT_GT(Counts.Instr, instructionLines(Code.Ptx, "caller"));
  EXPECT_EQ(Code.Counts.count("helper"), 0u);
  bool NamesPrintf = false;
  for (const std::string &Reason : Code.Counts.at("shuffles").Reasons)
    NamesPrintf |= Reason.find("vprintf") != std::string::npos;
  EXPECT_TRUE(NamesPrintf);
}

TEST(MachineCounting, MarksAsEstimatedWhatHasNoFrequencies) {
  auto Module = parseInput("matmul.ll");
  Generated Code = generate(*Module, "another", LaunchContext{}, false);
  EXPECT_EQ(Code.Counts.at("matmul").Source, InstrSource::Estimated);
}

TEST(MachineCounting, KeepsThreadsApart) {
  std::array<KernelCounts, 4> Results;
  std::vector<std::thread> Threads;
  for (unsigned T = 0; T != Results.size(); ++T)
    Threads.emplace_back([T, &Results] {
      Generated Code = generate(*parseInput("matmul.ll"), "matmul", matmulLaunch(64 << T), true);
      Results[T] = Code.Counts.at("matmul");
    });
  for (std::thread &Thread : Threads)
    Thread.join();
  for (unsigned T = 0; T != Results.size(); ++T)
    EXPECT_EQ(Results[T][Class::Barrier], 2 * (4 << T));
}
