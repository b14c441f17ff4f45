//===- RegionCounterTest.cpp - Tests of the blocking regions --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/RegionCounter.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;
using Class = InstructionClass;

namespace {
/// Feeds a counter instructions whose values are small numbers.
struct Feeder {
  RegionCounter Counter;
  void step(Class C, ArrayRef<uint64_t> Defines, ArrayRef<uint64_t> Reads) {
    RegionInstruction I;
    I.Class = C;
    I.Blocks = C == Class::Barrier || C == Class::Fence;
    I.UsesResult = !Defines.empty();
    I.Reads = Reads;
    I.Defines = Defines;
    Counter.step(I);
  }
};
} // namespace

TEST(RegionCounter, CountsIndependentLoadsOnce) {
  Feeder F;
  F.step(Class::LoadGlobal, {1}, {100});
  F.step(Class::LoadGlobal, {2}, {101});
  F.step(Class::Fp32, {3}, {1, 2});
  EXPECT_EQ(F.Counter.units(), 1u);
}

TEST(RegionCounter, TakesThePaperPairOfCopiesForOneUnit) {
  Feeder F;
  F.step(Class::LoadGlobal, {1}, {100});
  F.step(Class::StoreShared, {}, {1, 102});
  F.step(Class::LoadGlobal, {2}, {101});
  F.step(Class::StoreShared, {}, {2, 103});
  F.step(Class::Barrier, {}, {});
  F.step(Class::Barrier, {}, {});
  EXPECT_EQ(F.Counter.units(), 3u);
}

TEST(RegionCounter, ClosesAUnitWhereAnAddressDependsOnIt) {
  Feeder F;
  F.step(Class::LoadGlobal, {1}, {100});
  F.step(Class::IntMul, {2}, {1});
  F.step(Class::LoadGlobal, {3}, {2});
  F.step(Class::LoadGlobal, {4}, {100});
  EXPECT_EQ(F.Counter.units(), 2u);
}

TEST(RegionCounter, ClosesAUnitWhereALoadMayReadWhatDependsOnIt) {
  Feeder F;
  F.step(Class::LoadGlobal, {1}, {100});
  F.step(Class::StoreGlobal, {}, {1, 101});
  F.step(Class::LoadGlobal, {2}, {102});
  EXPECT_EQ(F.Counter.units(), 2u);
}

TEST(RegionCounter, LetsAnInvariantLoadPassAStore) {
  Feeder F;
  F.step(Class::LoadGlobal, {1}, {100});
  F.step(Class::StoreGlobal, {}, {1, 101});
  RegionInstruction I;
  uint64_t Defined = 2, Read = 102;
  I.Class = Class::LoadGlobal;
  I.Invariant = true;
  I.Reads = ArrayRef(Read);
  I.Defines = ArrayRef(Defined);
  F.Counter.step(I);
  EXPECT_EQ(F.Counter.units(), 1u);
}

TEST(RegionCounter, ForgetsARegisterThatIsWrittenAnew) {
  Feeder F;
  F.step(Class::LoadGlobal, {1}, {100});
  F.step(Class::Move, {1}, {});
  F.step(Class::LoadGlobal, {2}, {1});
  EXPECT_EQ(F.Counter.units(), 1u);
}

TEST(RegionCounter, PutsSharedAndConstantLoadsAmongTheFast) {
  Feeder F;
  F.step(Class::LoadShared, {1}, {100});
  F.step(Class::LoadConst, {2}, {100});
  F.step(Class::StoreGlobal, {}, {1, 2});
  EXPECT_EQ(F.Counter.units(), 0u);
}

TEST(RegionCounter, WaitsForAnAtomicOnlyWhereItsResultIsUsed) {
  Feeder F;
  F.step(Class::Atomic, {}, {100});
  EXPECT_EQ(F.Counter.units(), 0u);
  F.step(Class::Atomic, {1}, {100});
  EXPECT_EQ(F.Counter.units(), 1u);
}

TEST(RegionCounter, KeepsSpecialFunctionsApart) {
  Feeder F;
  F.step(Class::Special, {1}, {100});
  F.step(Class::Special, {2}, {101});
  F.step(Class::Special, {3}, {2});
  EXPECT_EQ(F.Counter.units(), 0u);
  EXPECT_EQ(F.Counter.specialUnits(), 2u);
}

static BlockUnits block(double Executions, unsigned Units, unsigned SpecialUnits, ArrayRef<unsigned> Loops) {
  BlockUnits Result;
  Result.Executions = Executions;
  Result.Units = Units;
  Result.SpecialUnits = SpecialUnits;
  Result.Loops.assign(Loops.begin(), Loops.end());
  return Result;
}

TEST(CountRegions, IsOneForAKernelThatNeverBlocks) {
  EXPECT_EQ(countRegions({}), 1);
  EXPECT_EQ(countRegions({block(1, 0, 0, {})}), 1);
}

TEST(CountRegions, GivesTheWorkedExampleOfThePaper) {
  EXPECT_EQ(countRegions({block(1, 0, 0, {}), block(256, 3, 0, {0}), block(1, 0, 0, {})}), 769);
}

TEST(CountRegions, CountsSpecialFunctionsWhereTheInnermostLoopHasNothingSlower) {
  EXPECT_EQ(countRegions({block(1, 1, 0, {}), block(100, 0, 1, {0})}), 102);
  EXPECT_EQ(countRegions({block(100, 1, 1, {0})}), 101);
  EXPECT_EQ(countRegions({block(10, 1, 1, {0}), block(100, 0, 1, {0, 1})}), 111);
  EXPECT_EQ(countRegions({block(100, 0, 1, {0}), block(500, 2, 0, {0, 1})}), 1001);
}

TEST(CountRegions, IgnoresSlowBlocksThatAreNotExecuted) {
  EXPECT_EQ(countRegions({block(0, 1, 0, {0}), block(100, 0, 1, {0})}), 101);
}
