//===- DeviceKernelsTest.cpp - The runner's own kernels --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What they find beside what the host's comparison finds, which is the judge. The fake driver runs them, or
// the one that GPUPRUNE_TEST_CUDA_DRIVER names, which may be a real one.
//
//===----------------------------------------------------------------------===//
#include "DeviceKernels.h"
#include "../ExpectedTesting.h"
#include "Contents.h"
#include "KeptOutput.h"
#include "gpuprune/Runtime/Fill.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;
using gpuprune::test::valueOf;

namespace {

constexpr ElementType AllTypes[] = {
#define GPUPRUNE_ELEMENT_TYPE(Enumerator, Name, Bytes, Class) ElementType::Enumerator,
#include "gpuprune/Support/ElementTypes.def"
};

class OwnKernels : public ::testing::Test {
protected:
  void SetUp() override {
    const char *Driver = std::getenv("GPUPRUNE_TEST_CUDA_DRIVER");
    G = valueOf(Gpu::open(Driver ? Driver : GPUPRUNE_FAKE_CUDA, 0));
    Kernels.emplace(*G);
    if (!Kernels->areLoaded())
      GTEST_SKIP() << Kernels->problem();
  }
  DeviceMemory upload(ArrayRef<uint8_t> Bytes) {
    DeviceMemory Memory = valueOf(DeviceMemory::allocate(*G, Bytes.size()));
    EXPECT_FALSE(bool(G->upload(Memory.address(), Bytes)));
    return Memory;
  }
  std::vector<uint8_t> download(CUdeviceptr At, uint64_t Bytes) {
    std::vector<uint8_t> All;
    EXPECT_FALSE(bool(G->download(At, Bytes, [&](ArrayRef<uint8_t> Chunk) {
      All.insert(All.end(), Chunk.begin(), Chunk.end());
      return true;
    })));
    return All;
  }
  std::unique_ptr<Gpu> G;
  std::optional<DeviceKernels> Kernels;
};

TEST(HalfPrecision, IsThatOfTheHost) {
  std::mt19937_64 Random(1);
  for (ElementType Type : {ElementType::F16, ElementType::BF16}) {
    uint32_t Mantissa = elementsAt(0, Type, 0).MantissaBits;
    for (uint64_t Bits = 0; Bits != 0x10000; ++Bits) {
      double Value = toDouble(Type, Bits), Decoded = kernels::decodeHalf(Mantissa, Bits);
      if (std::isnan(Value)) {
        EXPECT_TRUE(std::isnan(Decoded));
        continue;
      }
      ASSERT_EQ(kernels::bitCast<uint64_t>(Decoded), kernels::bitCast<uint64_t>(Value)) << Bits;
      // The number, what is just beside it, and the middle to the next one.
      double Next = toDouble(Type, Bits + 1);
      for (double Near :
           {Value, std::nextafter(Value, 1e300), std::nextafter(Value, -1e300), (Value + Next) / 2})
        if (!std::isnan(Near))
          ASSERT_EQ(kernels::encodeHalf(Mantissa, Near), encodeReal(Type, Near)) << Near;
    }
    for (int I = 0; I != 100000; ++I) {
      double Value = kernels::bitCast<double>(Random());
      if (!std::isnan(Value))
        ASSERT_EQ(kernels::encodeHalf(Mantissa, Value), encodeReal(Type, Value)) << Value;
    }
  }
}

std::vector<Fill> fillsOf(ElementType Type) {
  double Low = isFloatingPoint(Type) ? -1.5 : integerMinimum(Type), High = integerMaximum(Type);
  if (isFloatingPoint(Type))
    High = 7.25;
  std::vector<Fill> Fills(7);
  Fills[0].Kind = FillKind::Zero;
  Fills[1].Kind = FillKind::Constant;
  Fills[1].Value = 3;
  Fills[2].Kind = FillKind::Iota;
  Fills[3].Kind = FillKind::Uniform;
  Fills[3].Seed = 77;
  Fills[4] = Fills[3];
  Fills[4].Low = Low;
  Fills[4].High = High;
  Fills[5].Kind = FillKind::Affine;
  Fills[5].Seed = 5;
  Fills[5].Start = -3;
  Fills[5].Step = 2;
  Fills[5].Jitter = isFloatingPoint(Type) ? 0.3 : 4;
  Fills[6] = Fills[1];
  Fills[6].Value = isSignedInteger(Type) || isFloatingPoint(Type) ? -1 : 5;
  return Fills;
}

TEST_F(OwnKernels, FillAsTheHostDoes) {
  for (ElementType Type : AllTypes)
    for (const auto &[Number, F] : enumerate(fillsOf(Type))) {
      ASSERT_FALSE(bool(validateFill(Type, F))) << Number;
      Buffer B{"A", Type, 1001, F};
      DeviceMemory Memory = valueOf(DeviceMemory::allocate(*G, B.bytes()));
      ASSERT_FALSE(bool(writeContents(*G, *Kernels, {Memory.address(), &B})));
      std::vector<uint8_t> Host(B.bytes());
      fillPart(Type, F, 0, Host);
      std::vector<uint8_t> There = download(Memory.address(), B.bytes());
      EXPECT_EQ(There, Host) << elementTypeName(Type).str() << " fill " << Number;
      EXPECT_FALSE(valueOf(findChangedContents(*G, *Kernels, {{Memory.address(), &B}})).has_value());
      for (size_t At : {17, 1000})
        There[At * elementBytes(Type)] ^= 0x40;
      EXPECT_FALSE(bool(G->upload(Memory.address(), There)));
      std::optional<Mismatch> M = valueOf(findChangedContents(*G, *Kernels, {{Memory.address(), &B}}));
      ASSERT_TRUE(M.has_value());
      EXPECT_EQ(M->Index, 17u);
      EXPECT_EQ(M->Differing, 2u);
      EXPECT_EQ(M->Expected, describeElement(Type, loadElement(Type, &Host[17 * elementBytes(Type)])));
      EXPECT_EQ(M->Got, describeElement(Type, loadElement(Type, &There[17 * elementBytes(Type)])));
    }
}

TEST_F(OwnKernels, FindTheByteOfAGuardThatIsNearestToItsBuffer) {
  Buffer B{"A", ElementType::F32, 4, {}};
  std::vector<uint8_t> Zone(1000, 0xA5);
  Zone[10] = Zone[700] = 1;
  DeviceMemory Memory = upload(Zone);
  for (bool IsBefore : {true, false}) {
    std::optional<Mismatch> M =
        valueOf(findHitGuard(*G, *Kernels, {{Memory.address(), 1000, IsBefore, &B}}, 0xA5));
    ASSERT_TRUE(M.has_value());
    EXPECT_EQ(M->Index, IsBefore ? 300u : 10u);
    EXPECT_EQ(M->Differing, 2u);
    EXPECT_EQ(M->Got, "0x01");
  }
  EXPECT_FALSE(
      valueOf(findHitGuard(*G, *Kernels, {{Memory.address() + 11, 600, true, &B}}, 0xA5)).has_value());
}

TEST_F(OwnKernels, TellAHashWhereABitOrAPlaceChanged) {
  std::vector<uint8_t> Bytes(1003);
  std::iota(Bytes.begin(), Bytes.end(), uint8_t(0));
  auto Hash = [&](const std::vector<uint8_t> &Of) {
    DeviceMemory Memory = upload(Of);
    return valueOf(Kernels->hash({{Memory.address(), Of.size(), 0}})).front();
  };
  uint64_t Before = Hash(Bytes);
  EXPECT_EQ(Hash(Bytes), Before);
  for (size_t At : {0, 500, 999, 1000, 1002}) {
    std::vector<uint8_t> Other = Bytes;
    Other[At] ^= 1;
    EXPECT_NE(Hash(Other), Before) << At;
  }
  std::vector<uint8_t> Swapped = Bytes;
  std::swap_ranges(&Swapped[0], &Swapped[8], &Swapped[64]);
  EXPECT_NE(Hash(Swapped), Before);
}

TEST_F(OwnKernels, HashInOneCallWhatTheyHashAlone) {
  std::vector<uint8_t> Bytes(100000);
  std::iota(Bytes.begin(), Bytes.end(), uint8_t(0));
  DeviceMemory Memory = upload(Bytes);
  std::vector<kernels::Range> Ranges; // More than a launch takes, and more than are fetched together.
  for (uint64_t I = 0; I != 300; ++I)
    Ranges.push_back(
        {Memory.address() + 8 * I, I % 7 == 0 ? 90000 : 61 * I, I % 2 ? kernels::SecondPlace : 0});
  std::vector<uint64_t> Together = valueOf(Kernels->hash(Ranges));
  ASSERT_EQ(Together.size(), Ranges.size());
  for (size_t I = 0; I != Ranges.size(); ++I)
    EXPECT_EQ(Together[I], valueOf(Kernels->hash({Ranges[I]})).front()) << I;
  EXPECT_NE(Together[7], Together[14]) << "another part of the same bytes";
}

TEST_F(OwnKernels, AComparisonTellsTheHashOfWhatItComparesWith) {
  constexpr uint64_t Count = 5003;
  std::vector<uint8_t> Bytes((Count + 1) * 4), Set(setBytes(Count));
  std::iota(Bytes.begin(), Bytes.end(), uint8_t(0));
  Set[3] = Set[170] = 0x42;
  DeviceMemory Want = upload(Bytes), Got = upload(Bytes), Unwritten = upload(Set);
  // The second begins where no sixteen bytes can be read at once.
  for (uint64_t Offset : {0, 4})
    for (CUdeviceptr OfSet : {CUdeviceptr(0), Unwritten.address()}) {
      kernels::CompareRule C = {};
      C.Expected = elementsAt(Want.address() + Offset, ElementType::F32, Count);
      C.Got = elementsAt(Got.address() + Offset, ElementType::F32, Count);
      C.Unwritten = OfSet;
      C.SkipUnwritten = 1;
      std::vector<kernels::Range> Ranges = {{C.Expected.Base, Count * 4, 0}};
      if (OfSet)
        Ranges.push_back({OfSet, Set.size(), kernels::SecondPlace});
      std::vector<uint64_t> Hashes = valueOf(Kernels->hash(Ranges));
      kernels::Findings Found = valueOf(Kernels->compare(C));
      EXPECT_EQ(Found.Wrong, 0u);
      EXPECT_EQ(Found.Hash, std::accumulate(Hashes.begin(), Hashes.end(), uint64_t(0)));
    }
}

TEST_F(OwnKernels, CompareFieldsOfStructuresWithoutTheirPadding) {
  struct Pair {
    float X;
    uint32_t Padding;
  };
  std::vector<Pair> A(100), B(100);
  for (size_t I = 0; I != A.size(); ++I) {
    A[I] = {float(I), 1};
    B[I] = {float(I), 2};
  }
  B[7].X = -1;
  auto Bytes = [](const std::vector<Pair> &V) {
    return ArrayRef(reinterpret_cast<const uint8_t *>(V.data()), V.size() * sizeof(Pair));
  };
  DeviceMemory Want = upload(Bytes(A)), Got = upload(Bytes(B));
  kernels::CompareRule C = {};
  C.Expected = elementsAt(Want.address(), ElementType::F32, 100);
  C.Got = elementsAt(Got.address(), ElementType::F32, 100);
  C.Expected.Stride = C.Got.Stride = sizeof(Pair);
  kernels::Findings Found = valueOf(Kernels->compare(C));
  EXPECT_EQ(Found.Wrong, 1u);
  EXPECT_EQ(~Found.FirstWrong, 7u);
}

//===----------------------------------------------------------------------===//
// Beside the host's comparison
//===----------------------------------------------------------------------===//

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

void store(ElementType Type, std::vector<uint8_t> &Bytes, size_t Index, uint64_t Bits) {
  std::memcpy(&Bytes[Index * elementBytes(Type)], &Bits, elementBytes(Type));
}

class BesideTheHost : public OwnKernels {
protected:
  static constexpr size_t Count = 203;

  void expectSame(const Difference &A, const Difference &B, const Twine &Where) {
    EXPECT_EQ(A.Elements, B.Elements) << Where.str();
    EXPECT_EQ(A.Outside, B.Outside) << Where.str();
    EXPECT_EQ(A.Index, B.Index) << Where.str();
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
    EXPECT_EQ(A.First.Expected, B.First.Expected) << Where.str();
    EXPECT_EQ(A.First.Got, B.First.Got) << Where.str();
    EXPECT_EQ(A.First.Differing, B.First.Differing) << Where.str();
    EXPECT_EQ(A.First.Pattern, B.First.Pattern) << Where.str();
  }

  /// What a program leaves in its two runs: odd elements, a share of them not written.
  std::pair<std::vector<uint8_t>, std::vector<uint8_t>> runs(ElementType Type, unsigned Unwritten,
                                                             bool Unstable) {
    std::vector<uint8_t> Runs[2];
    for (std::vector<uint8_t> &Run : Runs)
      Run.resize(Count * elementBytes(Type));
    for (size_t I = 0; I != Count; ++I) {
      uint64_t Bits = oddBits(Type, Random);
      bool IsUnwritten = Random() % 100 < Unwritten || (Unwritten == 50 && I % 2 == 0);
      for (size_t Run : {0, 1}) {
        if (Unstable && Random() % 40 == 0)
          Bits = oddBits(Type, Random);
        store(Type, Runs[Run], I, IsUnwritten ? FillPatterns[Run] * 0x0101010101010101u : Bits);
      }
    }
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
                                          valueOf(DeviceMemory::allocate(*G, setBytes(Count))), By));
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
  for (ElementType Type : AllTypes)
    for (unsigned Unwritten : {0, 10, 50})
      for (const auto &[Number, By] : enumerate(Rules))
        for (int Trial = 0; Trial != 8; ++Trial) {
          std::string Where =
              (elementTypeName(Type) + " rule " + Twine(Number) + " trial " + Twine(Trial)).str();
          Buffer B{"C", Type, Count, {}, BufferRole::Out};
          auto [First, Second] = runs(Type, Unwritten, Trial % 4 == 3);
          Both Kept = keep(B, First, Second, By);
          expectSame(Kept.There->betweenRuns(), Kept.Here->betweenRuns(), Where + " between runs");
          UntouchedElements Untouched[2];
          for (size_t Run : {0, 1}) {
            std::vector<uint8_t> Got = Run ? Second : First;
            size_t Changes = Trial == 0 ? 0 : Random() % 5;
            for (size_t I = 0; I != Changes; ++I)
              store(Type, Got, Random() % Count,
                    Trial % 2 ? oddBits(Type, Random) : FillPatterns[Run] * 0x0101010101010101u);
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
  for (ElementType Type : AllTypes)
    for (unsigned Unwritten : {0, 10})
      for (int Trial = 0; Trial != 20; ++Trial) {
        Buffer B{"C", Type, Count, {}, BufferRole::Out};
        Comparison By{Trial % 2 ? CompareMode::Tolerance : CompareMode::Bitwise, 1e-3, 0};
        auto [First, Second] = runs(Type, Unwritten, false);
        Both Truth = keep(B, First, Second, By);
        if (Trial % 5 != 0) {
          size_t At = Random() % Count;
          uint64_t Bits = oddBits(Type, Random);
          for (auto [Run, Bytes] : {std::pair(0, &First), std::pair(1, &Second)})
            store(Type, *Bytes, At, Trial % 3 ? FillPatterns[Run] * 0x0101010101010101u : Bits);
        }
        Both Other = keep(B, First, Second, By);
        OutputVerdict There = valueOf(Truth.There->compare(*Other.There, By));
        OutputVerdict Here = valueOf(Truth.Here->compare(*Other.Here, By));
        expectSame(There, Here, elementTypeName(Type) + " trial " + Twine(Trial));
        EXPECT_FALSE(bool(Truth.There->moveToHost()));
        EXPECT_FALSE(bool(Other.There->moveToHost()));
        expectSame(valueOf(Truth.There->compare(*Other.There, By)), Here, "moved");
        EXPECT_TRUE(valueOf(Truth.There->isIntact()));
      }
}

TEST_F(BesideTheHost, TheMeanMagnitudeIsTheHosts) {
  for (ElementType Type : {ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::F64}) {
    std::vector<uint8_t> Bytes(Count * elementBytes(Type));
    for (size_t I = 0; I != Count; ++I)
      store(Type, Bytes, I, encodeReal(Type, I == 5 ? INFINITY : I == 9 ? NAN : 0.5 * double(I) - 20));
    Buffer B{"C", Type, Count, {}, BufferRole::Out};
    Both Kept = keep(B, Bytes, Bytes, {CompareMode::Tolerance, 0.01});
    std::vector<uint8_t> Got = Bytes;
    // The mean is about 37: 0.37 pass at an element of nothing, 0.5 do not.
    for (auto [Value, Outcome] :
         {std::pair(0.25, CheckOutcome::Tolerance), std::pair(0.5, CheckOutcome::Wrong)}) {
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

TEST_F(OwnKernels, TheMeanMagnitudeOfTheLargestAndTheLeastIsOne) {
  for (size_t Count : {1, 105, 117, 1000})
    for (double Value : {1.7976931348623157e308, 1.7e308, 1e-318, 5e-324}) {
      std::vector<double> All(Count, Value);
      DeviceMemory Memory = upload({reinterpret_cast<const uint8_t *>(All.data()), All.size() * 8});
      double Mean = valueOf(Kernels->meanMagnitude(elementsAt(Memory.address(), ElementType::F64, Count), 0));
      ASSERT_TRUE(std::isfinite(Mean)) << Count << " of " << Value;
      EXPECT_LE(std::fabs(Mean - Value), 1e-12 * Value) << Count << " of " << Value;
    }
}

} // namespace
