//===- BesideTheHostTest.cpp - Comparisons by the runner's own kernels -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What they find beside what the host's comparison finds, which is the judge.
//
//===----------------------------------------------------------------------===//
#include "KeptBytes.h"
#include "OwnKernels.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <cstring>
#include <random>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;
using namespace gpuprune::test;

namespace {

/// What comparisons stumble over, of each type.
uint64_t oddBits(ElementType Type, std::mt19937_64 &Random) {
  unsigned Bits = 8 * elementBytes(Type);
  uint64_t All = Bits == 64 ? ~uint64_t(0) : (uint64_t(1) << Bits) - 1, Top = uint64_t(1) << (Bits - 1);
  auto Real = [&](double Value) { return isFloatingPoint(Type) ? encodeReal(Type, Value) : Random() & All; };
  const uint64_t Odd[] = {0,
                          Top, // -0 and the least integer.
                          1,   // The least denormal.
                          All, // NaN and -1.
                          All - 1,
                          Top - 1,
                          Real(INFINITY),
                          Real(-INFINITY),
                          Real(1),
                          Real(1.0001),
                          Real(1e4),
                          0xA5A5A5A5A5A5A5A5u & All,
                          0x5A5A5A5A5A5A5A5Au & All,
                          Random() & All};
  return Odd[Random() % std::size(Odd)];
}

void store(const ElementLayout &Type, std::vector<uint8_t> &Bytes, size_t Index, uint64_t Bits,
           size_t Field = 0) {
  const ElementField &Of = Type.fields()[Field];
  std::memcpy(&Bytes[Index * Type.bytes() + Of.Offset], &Bits, elementBytes(Of.Type));
}

class BesideTheHost : public OwnKernels {
protected:
  static constexpr size_t Count = 203;

  void expectSame(const Difference &A, const Difference &B, const Twine &Where) {
    EXPECT_EQ(A.Elements, B.Elements) << Where.str();
    EXPECT_EQ(A.Outside, B.Outside) << Where.str();
    EXPECT_EQ(A.Index, B.Index) << Where.str();
    EXPECT_EQ(A.Field, B.Field) << Where.str();
    EXPECT_EQ(A.Expected, B.Expected) << Where.str();
    EXPECT_EQ(A.Got, B.Got) << Where.str();
    EXPECT_EQ(A.MaxAbsolute, B.MaxAbsolute) << Where.str();
    EXPECT_EQ(A.MaxRelative, B.MaxRelative) << Where.str();
  }
  void expectSame(const OutputVerdict &A, const OutputVerdict &B, const Twine &Where) {
    ASSERT_EQ(A.Outcome, B.Outcome) << Where.str();
    if (A.Outcome == CheckOutcome::Tolerance)
      expectSame(A.Tolerated, B.Tolerated, Where);
    EXPECT_EQ(A.First.Kind, B.First.Kind) << Where.str();
    EXPECT_EQ(A.First.Index, B.First.Index) << Where.str();
    EXPECT_EQ(A.First.Field, B.First.Field) << Where.str();
    EXPECT_EQ(A.First.Expected, B.First.Expected) << Where.str();
    EXPECT_EQ(A.First.Got, B.First.Got) << Where.str();
    EXPECT_EQ(A.First.Differing, B.First.Differing) << Where.str();
    EXPECT_EQ(A.First.Pattern, B.First.Pattern) << Where.str();
  }

  /// What a program leaves in its two runs: odd elements, a share of them not written, and anything in
  /// padding.
  std::pair<std::vector<uint8_t>, std::vector<uint8_t>> runs(const ElementLayout &Type, unsigned Unwritten,
                                                             bool Unstable) {
    std::vector<uint8_t> Runs[2];
    for (std::vector<uint8_t> &Run : Runs) {
      Run.resize(Count * Type.bytes());
      if (Type.bytes() != Type.bytesOfFields())
        std::generate(Run.begin(), Run.end(), [&] { return uint8_t(Random()); });
    }
    forEachField(Type, 0, Runs[0].size(), [&](uint64_t At, size_t Field) {
      size_t I = At / Type.bytes();
      ElementType Scalar = Type.fields()[Field].Type;
      uint64_t Bits = oddBits(Scalar, Random);
      bool IsUnwritten = Random() % 100 < Unwritten || (Unwritten == 50 && I % 2 == 0);
      for (size_t Run : {0, 1}) {
        if (Unstable && Random() % 40 == 0)
          Bits = oddBits(Scalar, Random);
        store(Type, Runs[Run], I, IsUnwritten ? FillPatterns[Run] * 0x0101010101010101u : Bits, Field);
      }
    });
    return {Runs[0], Runs[1]};
  }

  struct Both {
    std::unique_ptr<KeptOutput> There, Here;
  };
  Both keep(const Buffer &B, std::vector<uint8_t> First, const std::vector<uint8_t> &Second,
            const Comparison &By) {
    DeviceMemory After = upload(Second);
    Both Kept;
    Kept.There = valueOf(KeptOutput::join(*G, *Kernels, B, upload(First), After.address(),
                                          valueOf(DeviceMemory::allocate(*G, setsBytes(B))), By));
    std::optional<uint64_t> Unstable;
    ReferenceOutput Left = joinReferenceRuns(B.Type, std::move(First), Second, Unstable);
    Difference Apart = Unstable ? compareReferenceRuns(B.Type, By, Left, Second) : Difference();
    Kept.Here = std::make_unique<KeptOutput>(*G, *Kernels, B, std::move(Left), std::move(Apart));
    return Kept;
  }

  std::mt19937_64 Random{2026};
};

TEST_F(BesideTheHost, AllKindsOfOutputsAreJudgedAlike) {
  const Comparison Rules[] = {{CompareMode::Bitwise, 0, 0},
                              {CompareMode::Tolerance, 1e-3, 0},
                              {CompareMode::Tolerance, 0, 2},
                              {CompareMode::Tolerance, 0.5, 1e18},
                              {CompareMode::Tolerance, 1e300, 1e300}};
  size_t Outcomes[4] = {};
  for (const ElementLayout &Type : allLayouts())
    for (unsigned Unwritten : {0, 10, 50})
      for (const auto &[Number, By] : enumerate(Rules))
        for (int Trial = 0; Trial != 8; ++Trial) {
          std::string Where =
              (Type.text() + Twine(" rule ") + Twine(Number) + " trial " + Twine(Trial)).str();
          Buffer B{"C", Type, Count, {}, BufferRole::Out};
          auto [First, Second] = runs(Type, Unwritten, Trial % 4 == 3);
          Both Kept = keep(B, First, Second, By);
          expectSame(Kept.There->betweenRuns(), Kept.Here->betweenRuns(), Where + " between runs");
          UntouchedElements Untouched[2];
          for (size_t Run : {0, 1}) {
            std::vector<uint8_t> Got = Run ? Second : First;
            size_t Changes = Trial == 0 ? 0 : Random() % 5;
            for (size_t I = 0; I != Changes; ++I) {
              size_t Field = Random() % Type.fields().size();
              store(Type, Got, Random() % Count,
                    Trial % 2 ? oddBits(Type.fields()[Field].Type, Random)
                              : FillPatterns[Run] * 0x0101010101010101u,
                    Field);
            }
            DeviceMemory At = upload(Got);
            OutputVerdict There = valueOf(Kept.There->compare(At.address(), By, Run, &Untouched[0]));
            OutputVerdict Here = valueOf(Kept.Here->compare(At.address(), By, Run, &Untouched[1]));
            expectSame(There, Here, Where + " run " + Twine(Run));
            ++Outcomes[size_t(Here.Outcome)];
          }
        }
  for (CheckOutcome Each : {CheckOutcome::Bitwise, CheckOutcome::Tolerance, CheckOutcome::Wrong})
    EXPECT_GT(Outcomes[size_t(Each)], 100u) << "each is met often";
}

TEST_F(BesideTheHost, AnotherProgramsOutputAndWhatItWritesAreJudgedAlike) {
  for (const ElementLayout &Type : allLayouts())
    for (unsigned Unwritten : {0, 10})
      for (int Trial = 0; Trial != 20; ++Trial) {
        Buffer B{"C", Type, Count, {}, BufferRole::Out};
        Comparison By{Trial % 2 ? CompareMode::Tolerance : CompareMode::Bitwise, 1e-3, 0};
        auto [First, Second] = runs(Type, Unwritten, false);
        Both Truth = keep(B, First, Second, By);
        if (Trial % 5 != 0) {
          size_t At = Random() % Count, Field = Random() % Type.fields().size();
          uint64_t Bits = oddBits(Type.fields()[Field].Type, Random);
          for (auto [Run, Bytes] : {std::pair(0, &First), std::pair(1, &Second)})
            store(Type, *Bytes, At, Trial % 3 ? FillPatterns[Run] * 0x0101010101010101u : Bits, Field);
        }
        Both Other = keep(B, First, Second, By);
        OutputVerdict There = valueOf(Truth.There->compare(*Other.There, By));
        OutputVerdict Here = valueOf(Truth.Here->compare(*Other.Here, By));
        expectSame(There, Here, Type.text() + Twine(" trial ") + Twine(Trial));
        EXPECT_FALSE(bool(Truth.There->moveToHost()));
        EXPECT_FALSE(bool(Other.There->moveToHost()));
        expectSame(valueOf(Truth.There->compare(*Other.There, By)), Here, "moved");
        EXPECT_TRUE(valueOf(Truth.There->isIntact()));
      }
}

TEST_F(BesideTheHost, PaddingIsNeverComparedAndFieldsOfIntegersTakeNoTolerance) {
  ElementLayout Type = cantFail(
      ElementLayout::structure(ElementLayout::FieldList{{"x", ElementType::F32}, {"id", ElementType::I16}}));
  ASSERT_EQ(Type.bytes(), 8u);
  Buffer B{"C", Type, Count, {}, BufferRole::Out};
  std::vector<uint8_t> Bytes(B.bytes());
  for (size_t I = 0; I != Count; ++I) {
    store(Type, Bytes, I, encodeReal(ElementType::F32, 1 + double(I)), 0);
    store(Type, Bytes, I, 1000, 1);
  }
  Comparison By{CompareMode::Tolerance, 0.01, 0};
  Both Kept = keep(B, Bytes, Bytes, By);
  auto Judged = [&](const std::vector<uint8_t> &Got) {
    DeviceMemory At = upload(Got);
    OutputVerdict There = valueOf(Kept.There->compare(At.address(), By, 0, nullptr));
    expectSame(There, valueOf(Kept.Here->compare(At.address(), By, 0, nullptr)), "");
    return There;
  };
  std::vector<uint8_t> Padded = Bytes;
  for (size_t I = 0; I != Count; ++I)
    Padded[I * 8 + 6] = Padded[I * 8 + 7] = 0xEE;
  EXPECT_EQ(Judged(Padded).Outcome, CheckOutcome::Bitwise);
  std::vector<uint8_t> Near = Padded;
  store(Type, Near, 7, encodeReal(ElementType::F32, 8.01), 0);
  EXPECT_EQ(Judged(Near).Outcome, CheckOutcome::Tolerance);
  store(Type, Near, 9, 1001, 1);
  OutputVerdict Wrong = Judged(Near);
  EXPECT_EQ(Wrong.Outcome, CheckOutcome::Wrong) << "1001 is within one per cent of 1000, but no real number";
  EXPECT_EQ(Wrong.First.Index, 9u);
  EXPECT_EQ(Wrong.First.Field, "id");
  EXPECT_EQ(Wrong.First.Differing, 1u);
  Wrong.First.Buffer = "C";
  EXPECT_EQ(describe(Wrong.First),
            "buffer C, value at 9, field id: expected 1000 (0x03e8), got 1001 (0x03e9); 1 differ");
}

TEST_F(BesideTheHost, FieldsHaveMedianMagnitudesOfTheirOwn) {
  ElementLayout Type = cantFail(ElementLayout::structure(
      ElementLayout::FieldList{{"small", ElementType::F32}, {"large", ElementType::F64}}));
  Buffer B{"C", Type, Count, {}, BufferRole::Out};
  std::vector<uint8_t> Bytes(B.bytes());
  for (size_t I = 0; I != Count; ++I) {
    store(Type, Bytes, I, encodeReal(ElementType::F32, I == 3 ? 0 : 1), 0);
    store(Type, Bytes, I, encodeReal(ElementType::F64, I == 3 ? 0 : 1e6), 1);
  }
  Comparison By{CompareMode::Tolerance, 0.01};
  Both Kept = keep(B, Bytes, Bytes, By);
  for (auto [Field, Value, Outcome] :
       {std::tuple(0, 0.009, CheckOutcome::Tolerance), std::tuple(0, 0.011, CheckOutcome::Wrong),
        std::tuple(1, 9000.0, CheckOutcome::Tolerance), std::tuple(1, 11000.0, CheckOutcome::Wrong)}) {
    std::vector<uint8_t> Got = Bytes;
    store(Type, Got, 3, encodeReal(Type.fields()[Field].Type, Value), Field);
    DeviceMemory At = upload(Got);
    EXPECT_EQ(valueOf(Kept.There->compare(At.address(), By, 0, nullptr)).Outcome, Outcome) << Value;
    EXPECT_EQ(valueOf(Kept.Here->compare(At.address(), By, 0, nullptr)).Outcome, Outcome) << Value;
  }
}

TEST_F(BesideTheHost, WhatIsKeptOfStructuresIsSeenToBeSpoiled) {
  if (!canSpoil())
    GTEST_SKIP() << "the memory of a real GPU cannot be spoiled from here";
  for (const ElementLayout &Type : structures()) {
    Buffer B{"C", Type, Count, {}, BufferRole::Out};
    auto [First, Second] = runs(Type, 10, false);
    Both Kept = keep(B, First, Second, {});
    EXPECT_TRUE(valueOf(Kept.There->isIntact()));
    KeptBytes::of(*Kept.There)[Type.fields().back().Offset] ^= 1;
    DeviceMemory At = upload(First);
    EXPECT_EQ(valueOf(Kept.There->compare(At.address(), {}, 0, nullptr)).Outcome, CheckOutcome::Wrong);
    EXPECT_FALSE(valueOf(Kept.There->isIntact())) << Type.text();
    // Nor is it trusted again where that is undone.
    KeptBytes::of(*Kept.There)[Type.fields().back().Offset] ^= 1;
    EXPECT_EQ(valueOf(Kept.There->compare(At.address(), {}, 0, nullptr)).Outcome, CheckOutcome::Bitwise);
    EXPECT_FALSE(valueOf(Kept.There->isIntact())) << Type.text();
  }
}

/// Numbers of all sizes, with what no median counts and a third of them far too large.
std::vector<uint8_t> numbersOf(ElementType Type, size_t Count, std::mt19937_64 &Random) {
  std::vector<uint8_t> Bytes(Count * elementBytes(Type));
  double Large = Type == ElementType::F16 ? 6e4 : 1e30;
  for (size_t I = 0; I != Count; ++I) {
    double Number = std::ldexp(double(Random() % 2000) - 1000, int(Random() % 20) - 20);
    const double Values[] = {Large, -Large, Number, Number, Number, Number, 0, -0.0, INFINITY, NAN};
    store(Type, Bytes, I, encodeReal(Type, Values[Random() % std::size(Values)]));
  }
  store(Type, Bytes, 0, 0);
  return Bytes;
}

TEST_F(BesideTheHost, TheMedianMagnitudeIsTheHostsBitByBit) {
  for (ElementType Type : {ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::F64})
    for (size_t Number = 0; Number != 50; ++Number) {
      std::vector<uint8_t> Bytes = numbersOf(Type, Count, Random);
      DeviceMemory Memory = upload(Bytes);
      uint64_t Median = encodeReal(Type, valueOf(Kernels->medianMagnitude(
                                             elementsAt(Memory.address(), Type, Count), /*Unwritten=*/0)));
      // An element of nothing may then be as large as the median.
      Comparison By{CompareMode::Tolerance, /*Relative=*/1};
      store(Type, Bytes, 0, Median);
      std::vector<uint8_t> Reference = Bytes;
      store(Type, Reference, 0, 0);
      EXPECT_EQ(compareWithExpected(Type, By, Reference, Bytes).Outside, 0u) << Number;
      store(Type, Bytes, 0, Median + 1);
      EXPECT_EQ(compareWithExpected(Type, By, Reference, Bytes).Outside, 1u) << Number;
    }
}

TEST_F(BesideTheHost, TheMedianMagnitudeIsTheHosts) {
  for (ElementType Type : {ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::F64}) {
    std::vector<uint8_t> Bytes(Count * elementBytes(Type));
    for (size_t I = 0; I != Count; ++I)
      store(Type, Bytes, I, encodeReal(Type, I == 5 ? INFINITY : I == 9 ? NAN : 0.5 * double(I) - 20));
    Buffer B{"C", Type, Count, {}, BufferRole::Out};
    Both Kept = keep(B, Bytes, Bytes, {CompareMode::Tolerance, 0.01});
    std::vector<uint8_t> Got = Bytes;
    // The median is 31: 0.3 pass at an element of nothing, 0.3125 do not.
    for (auto [Value, Outcome] :
         {std::pair(0.30, CheckOutcome::Tolerance), std::pair(0.3125, CheckOutcome::Wrong)}) {
      store(Type, Got, 40, encodeReal(Type, Value));
      DeviceMemory At = upload(Got);
      EXPECT_EQ(
          valueOf(Kept.There->compare(At.address(), {CompareMode::Tolerance, 0.01}, 0, nullptr)).Outcome,
          Outcome);
      EXPECT_EQ(valueOf(Kept.Here->compare(At.address(), {CompareMode::Tolerance, 0.01}, 0, nullptr)).Outcome,
                Outcome);
    }
  }
}

} // namespace
