//===- DeviceKernelsTest.cpp - The runner's own kernels --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How they fill, hash and add up. BesideTheHostTest.cpp is about how they compare.
//
//===----------------------------------------------------------------------===//
#include "Contents.h"
#include "OwnKernels.h"
#include "Structures.h"
#include "gpuprune/Runtime/Fill.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;
using namespace gpuprune::test;

namespace {

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

/// Those that are indices, in order, or zero on a diagonal, of 1001 elements of \p Type.
void addInvolvedFills(ElementType Type, std::vector<Fill> &Fills) {
  Fill Sorted = Fills[4], Zero = Fills[5];
  Sorted.Kind = FillKind::Sorted;
  Sorted.Count = 1001;
  Zero.ZeroDiagonal = 30;
  Fill Constant = Fills[1];
  Constant.ZeroDiagonal = 16;
  Fill Uniform = Fills[4];
  Uniform.ZeroDiagonal = 1;
  Fills.insert(Fills.end(), {Sorted, Zero, Constant, Uniform});
  for (FillKind Kind : {FillKind::Shift, FillKind::Permutation, FillKind::Clustered}) {
    Fill &F = Fills.emplace_back();
    F.Kind = Kind;
    F.Seed = 11;
    F.Count = holdsIndices(Type, 1001) ? 1001 : 100;
    F.By = 99;
    F.Window = 7;
    F.Per = 3;
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
  addInvolvedFills(Type, Fills);
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

TEST_F(OwnKernels, FillIntegersOfEveryRangeAsTheHostDoes) {
  for (ElementType Type : {ElementType::I32, ElementType::U32, ElementType::I64, ElementType::U64})
    for (double Spread : {0.0, 1.0, 2.0, 254.0, 255.0, 65535.0, 65536.0, 0x1p31 - 1, 0x1p31, 0x1p32 - 1})
      for (double Low : {-1000.0, 0.0, 7.0}) {
        Buffer B{"A", Type, 1003, {FillKind::Uniform}};
        B.Contents.Seed = 5;
        B.Contents.Low = isSignedInteger(Type) ? Low : std::fabs(Low);
        B.Contents.High = B.Contents.Low + Spread;
        if (B.Contents.High > integerMaximum(Type))
          continue;
        DeviceMemory Memory = valueOf(DeviceMemory::allocate(*G, B.bytes()));
        ASSERT_FALSE(bool(writeContents(*G, *Kernels, {Memory.address(), &B})));
        std::vector<uint8_t> Host(B.bytes());
        fillPart(Type, B.Contents, 0, Host);
        EXPECT_EQ(download(Memory.address(), B.bytes()), Host)
            << elementTypeName(Type).str() << " from " << Low << ", " << Spread << " more";
      }
}

TEST_F(OwnKernels, FillFieldsOfStructuresAsTheHostDoes) {
  for (const ElementLayout &Type : structures())
    for (size_t Number = 0, Kinds = fillsOf(ElementType::F32).size(); Number != Kinds; ++Number) {
      Fill F{FillKind::Fields};
      for (const ElementField &Field : Type.fields())
        F.Fields.push_back(fillsOf(Field.Type)[(Number + F.Fields.size()) % Kinds]);
      ASSERT_FALSE(bool(validateFill(Type, F))) << Number;
      Buffer B{"A", Type, 1001, F};
      DeviceMemory Memory = upload(std::vector<uint8_t>(B.bytes(), 0xEE));
      ASSERT_FALSE(bool(writeContents(*G, *Kernels, {Memory.address(), &B})));
      std::vector<uint8_t> Host(B.bytes(), 0xEE);
      fillPart(Type, F, 0, Host);
      std::vector<uint8_t> There = download(Memory.address(), B.bytes());
      EXPECT_EQ(There, Host) << Type.text() << " fill " << Number;
      const ElementField &Last = Type.fields().back();
      for (size_t At : {17, 1000})
        There[At * Type.bytes() + Last.Offset] ^= 0x40;
      if (Type.bytes() != Last.end())
        There[5 * Type.bytes() + Last.end()] ^= 1; // Padding.
      EXPECT_FALSE(bool(G->upload(Memory.address(), There)));
      std::optional<Mismatch> M = valueOf(findChangedContents(*G, *Kernels, {{Memory.address(), &B}}));
      ASSERT_TRUE(M.has_value());
      EXPECT_EQ(M->Index, 17u);
      EXPECT_EQ(M->Field, Last.Name);
      EXPECT_EQ(M->Differing, 2u);
      EXPECT_EQ(M->Got,
                describeElement(Last.Type, loadElement(Last.Type, &There[17 * Type.bytes() + Last.Offset])));
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

TEST_F(OwnKernels, FillZonesAndNothingBesideThem) {
  DeviceMemory Memory = upload(std::vector<uint8_t>(100000));
  std::vector<uint8_t> Wanted(100000);
  std::vector<kernels::Zone> Zones; // More than a launch takes.
  for (uint64_t I = 0; I != 40; ++I) {
    Zones.push_back({Memory.address() + 2000 * I + I, 37 * I, 0xA0 + I});
    std::fill_n(&Wanted[2000 * I + I], 37 * I, static_cast<uint8_t>(0xA0 + I));
  }
  EXPECT_FALSE(bool(Kernels->fillZones(Zones)));
  EXPECT_EQ(download(Memory.address(), Wanted.size()), Wanted);
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

TEST_F(OwnKernels, LooksFindTogetherWhatEachFindsAlone) {
  std::vector<uint8_t> Bytes(4096, 0xA5), Others = Bytes;
  Bytes[100] = Bytes[3000] = Others[2000] = 0x5A;
  DeviceMemory Memory = upload(Bytes), Other = upload(Others);
  std::vector<kernels::FillCheck> Checks; // More than a launch takes, and more than are fetched together.
  for (uint64_t I = 0; I != 300; ++I)
    Checks.push_back(bytesOf(Memory.address() + 10 * I, 10 + I, 0xA5));
  std::vector<kernels::CompareRule> Rules(300);
  for (uint64_t I = 0; I != Rules.size(); ++I) {
    Rules[I].Expected = elementsAt(Memory.address() + 8 * I, ElementType::U8, 5 * I);
    Rules[I].Got = elementsAt(Other.address() + 8 * I, ElementType::U8, 5 * I);
  }
  Looks All(*Kernels);
  EXPECT_FALSE(bool(All.compare(Rules[7])));
  EXPECT_FALSE(bool(All.checkFills(Checks)));
  for (const kernels::CompareRule &Rule : Rules)
    EXPECT_FALSE(bool(All.compare(Rule)));
  std::vector<kernels::Findings> Found = valueOf(All.findings());
  ASSERT_EQ(Found.size(), 1 + Checks.size() + Rules.size());
  std::vector<kernels::Findings> Alone = {valueOf(Kernels->compare(Rules[7]))};
  append_range(Alone, valueOf(Kernels->checkFills(Checks)));
  for (const kernels::CompareRule &Rule : Rules)
    Alone.push_back(valueOf(Kernels->compare(Rule)));
  for (size_t I = 0; I != Found.size(); ++I)
    EXPECT_EQ(std::memcmp(&Found[I], &Alone[I], sizeof(kernels::Findings)), 0) << I;
  EXPECT_TRUE(valueOf(Looks(*Kernels).findings()).empty());
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

/// Those of structures(), and some whose places in sixteen bytes repeat later, or that are large.
std::vector<ElementLayout> comparedStructures() {
  using Fields = ElementLayout::FieldList;
  std::vector<ElementLayout> All = structures();
  All.push_back(
      cantFail(ElementLayout::placed(Fields{{"a", ElementType::U16, 2}, {"b", ElementType::U8, 5}}, 14)));
  All.push_back(
      cantFail(ElementLayout::placed(Fields{{"a", ElementType::F32, 0}, {"b", ElementType::F64, 248}}, 256)));
  return All;
}

TEST_F(OwnKernels, CompareStructuresInOnePassWithoutTheirPadding) {
  constexpr uint64_t Count = 1001;
  for (const ElementLayout &Type : comparedStructures()) {
    std::vector<uint8_t> Bytes(Count * Type.bytes());
    for (size_t I = 0; I != Bytes.size(); ++I)
      Bytes[I] = static_cast<uint8_t>(I * 7 + I / 256);
    DeviceMemory Want = upload(Bytes);
    uint64_t Hash = valueOf(Kernels->hash({{Want.address(), Bytes.size(), 0}}))[0];
    for (uint64_t Element : {uint64_t(0), uint64_t(500), Count - 1})
      for (uint64_t Offset = 0; Offset != Type.bytes(); ++Offset) {
        bool IsField = any_of(Type.fields(), [&](const ElementField &F) {
          return Offset >= F.Offset && Offset < F.Offset + elementBytes(F.Type);
        });
        std::vector<uint8_t> Other = Bytes;
        Other[Element * Type.bytes() + Offset] ^= 0x80;
        DeviceMemory Got = upload(Other);
        std::optional<kernels::StructuresRule> Rule =
            structuresRule(Type, Count, Want.address(), Got.address());
        ASSERT_TRUE(Rule.has_value());
        Looks Look(*Kernels);
        ASSERT_FALSE(bool(Look.compare(*Rule)));
        kernels::Findings Found = valueOf(Look.findings()).front();
        EXPECT_EQ(Found.Wrong, IsField ? 1u : 0u)
            << Type.text() << " element " << Element << " at " << Offset;
        EXPECT_EQ(Found.Hash, Hash);
      }
  }
}

TEST_F(OwnKernels, CompareInOnePassOnlyWhatTheyCan) {
  using Fields = ElementLayout::FieldList;
  ElementLayout Pair = structures().front();
  EXPECT_TRUE(structuresRule(Pair, 10, 64, 128));
  EXPECT_FALSE(structuresRule(ElementType::F64, 10, 64, 128)) << "no structure";
  EXPECT_FALSE(structuresRule(Pair, 10, 64, 136)) << "not at a multiple of 16";
  EXPECT_FALSE(structuresRule(Pair, uint64_t(1) << 34, 64, 128)) << "too many";
  ElementLayout Odd = cantFail(ElementLayout::placed(Fields{{"a", ElementType::U8, 0}}, 257));
  EXPECT_FALSE(structuresRule(Odd, 10, 64, 128)) << "repeats too late";
}

class Median : public OwnKernels {
protected:
  /// Of \p Values but for those of \p Unwritten, the first 32 a bit each.
  double of(const std::vector<double> &Values, uint32_t Unwritten = 0) {
    DeviceMemory Memory = upload({reinterpret_cast<const uint8_t *>(Values.data()), Values.size() * 8});
    std::vector<uint32_t> Words(setBytes(Values.size()) / 4);
    Words[0] = Unwritten;
    DeviceMemory Set = upload({reinterpret_cast<const uint8_t *>(Words.data()), Words.size() * 4});
    kernels::Elements E = elementsAt(Memory.address(), ElementType::F64, Values.size());
    return valueOf(Kernels->medianMagnitude(E, Unwritten ? Set.address() : 0));
  }
};

TEST_F(Median, IsFoundOfTheLargestAndTheLeast) {
  constexpr double Largest = std::numeric_limits<double>::max();
  for (size_t Count : {1, 105, 1000}) {
    EXPECT_EQ(of(std::vector<double>(Count, Largest)), Largest);
    EXPECT_EQ(of(std::vector<double>(Count, 1.5)), 1.5) << "needs no rounding";
    for (double Least : {1e-318, 5e-324})
      EXPECT_EQ(of(std::vector<double>(Count, Least)), 0x1p-1027) << "rounded as denormals are";
  }
}

TEST_F(Median, IsThatOfOrderedMagnitudesRoundedUp) {
  std::mt19937_64 Random(3);
  std::lognormal_distribution<double> Sizes(0, 20);
  for (size_t Count = 1; Count != 200; ++Count) {
    std::vector<double> Values(Count);
    for (double &Value : Values)
      Value = Random() % 2 ? Sizes(Random) : -Sizes(Random);
    double Found = of(Values);
    auto Middle = Values.begin() + (Count - 1) / 2;
    std::nth_element(Values.begin(), Middle, Values.end(),
                     [](double A, double B) { return std::fabs(A) < std::fabs(B); });
    EXPECT_GE(Found, std::fabs(*Middle)) << Count;
    EXPECT_LE(Found, std::fabs(*Middle) * (1 + 0x1p-5)) << Count;
  }
}

TEST_F(Median, CountsOnlyWhatHasASizeAndIsWritten) {
  EXPECT_EQ(of({0, -0.0, INFINITY, -INFINITY, NAN}), 0);
  EXPECT_EQ(of({0, 0, 0, 0, -3, NAN, INFINITY}), 3) << "few values between zeros";
  EXPECT_EQ(of({1e30, 1}), 1) << "the lesser of two";
  EXPECT_EQ(of({1e30, 1e30, 5, -7, 1e30}, 1 | 2), 7);
  EXPECT_EQ(of({4, 5}, 1 | 2), 0);
}

} // namespace
