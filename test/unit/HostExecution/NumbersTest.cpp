//===- NumbersTest.cpp - Arithmetic agrees with the standard, bit by bit -===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostTesting.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include <cfenv>
#include <cmath>
#include <limits>

using namespace gpuprune;
using namespace gpuprune::test;
using llvm::APFloat;
using llvm::APInt;

namespace {

constexpr auto Nearest = APFloat::rmNearestTiesToEven, Zero = APFloat::rmTowardZero,
               Down = APFloat::rmTowardNegative, Up = APFloat::rmTowardPositive;

constexpr float Infinity = std::numeric_limits<float>::infinity();

/// Ordinary numbers, denormals, limits, and pairs that round differently by direction.
const std::vector<float> Xs = {1.1f,  -2.7f,   1e-40f, 3.3e38f, 0.1f,        -0.0f,  1234.567f, -7.25f,
                               65519, 6.1e-5f, 3e-8f,  2049,    1.00097656f, -1e30f, 0.33333f,  16777217.0f};
const std::vector<float> Ys = {2.3f, 0.7f,   3.0f,   1.5f, -0.3f, 5.0f,    -0.001f, 1e-3f,
                               1.5f, 0.125f, 0.011f, 3.0f, 7.1f,  -1.7e8f, -3.3f,   0.999f};

/// Operations on APFloats of one format, exact but for the rounding asked for.
struct Exact {
  const llvm::fltSemantics &Format;

  APFloat from(double V, APFloat::roundingMode Mode = Nearest) const {
    APFloat Result(V);
    bool Loses;
    Result.convert(Format, Mode, &Loses);
    return Result;
  }
  APFloat add(APFloat A, const APFloat &B, APFloat::roundingMode Mode = Nearest) const {
    A.add(B, Mode);
    return A;
  }
  APFloat multiply(APFloat A, const APFloat &B, APFloat::roundingMode Mode = Nearest) const {
    A.multiply(B, Mode);
    return A;
  }
  APFloat divide(APFloat A, const APFloat &B, APFloat::roundingMode Mode = Nearest) const {
    A.divide(B, Mode);
    return A;
  }
  APFloat fma(APFloat A, const APFloat &B, const APFloat &C, APFloat::roundingMode Mode = Nearest) const {
    A.fusedMultiplyAdd(B, C, Mode);
    return A;
  }
};

const Exact Single{APFloat::IEEEsingle()}, Double{APFloat::IEEEdouble()}, Half{APFloat::IEEEhalf()},
    BFloat{APFloat::BFloat()};

/// Equal bits; any NaN equals any other.
template <typename T> void expectBits(T Actual, const APFloat &Expected, const char *What, unsigned Thread) {
  APFloat Got(
      Expected.getSemantics(),
      APInt(8 * sizeof(T),
            llvm::bit_cast<std::conditional_t<
                sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>(Actual)));
  if (Got.isNaN() && Expected.isNaN())
    return;
  EXPECT_TRUE(Got.bitwiseIsEqual(Expected))
      << What << " of thread " << Thread << ": " << Got.convertToDouble() << " instead of "
      << Expected.convertToDouble();
}

template <typename T> T at(const GuardedBuffer &Buffer, unsigned Row, unsigned Thread) {
  return Buffer.as<T>()[Row * Xs.size() + Thread];
}

TEST(NumbersTest, DirectedRounding) {
  HostRun Run("numbers.cu");
  ASSERT_TRUE(Run.Program);
  int64_t Threads = Xs.size();
  std::vector<double> DX;
  for (unsigned T = 0; T < Threads; ++T)
    DX.push_back(double(Xs[T]) * 1.000000001 + 1e-9 * T);
  GuardedBuffer &Out = Run.output<float>("out", 11 * Threads),
                &DOut = Run.output<double>("dout", 4 * Threads);
  Run.run("directed", {}, {Threads}, Run.buffer<float>("x", Xs), Run.buffer<float>("y", Ys), Out,
          Run.buffer<double>("dx", DX), DOut);
  for (unsigned T = 0; T < Threads; ++T) {
    APFloat A = Single.from(Xs[T]), B = Single.from(Ys[T]), DA = Double.from(Xs[T]), DB = Double.from(Ys[T]),
            D = Double.from(DX[T]);
    expectBits(at<float>(Out, 0, T), Single.add(A, B, Zero), "__fadd_rz", T);
    expectBits(at<float>(Out, 1, T), Single.add(A, B, Up), "__fadd_ru", T);
    expectBits(at<float>(Out, 2, T), Single.multiply(A, B, Down), "__fmul_rd", T);
    expectBits(at<float>(Out, 3, T), Single.fma(A, B, A, Zero), "__fmaf_rz", T);
    expectBits(at<float>(Out, 4, T), Single.divide(A, B, Down), "__fdiv_rd", T);
    expectBits(at<float>(Out, 6, T), Single.divide(Single.from(1), B, Zero), "__frcp_rz", T);
    expectBits(at<float>(Out, 7, T), Single.add(A, neg(B), Down), "__fsub_rd", T);
    expectBits(at<float>(Out, 8, T), Single.add(Single.multiply(A, B), A), "__fmul_rn and a sum", T);
    expectBits(at<float>(Out, 9, T), Single.fma(A, B, A), "fmaf", T);
    expectBits(at<float>(Out, 10, T), Single.from(DX[T], Down), "__double2float_rd", T);
    // The least float whose square is not below.
    float Root = at<float>(Out, 5, T), Below = std::nextafter(Root, -1.0f), X = std::fabs(Xs[T]);
    EXPECT_GE(double(Root) * Root, X) << "__fsqrt_ru of thread " << T;
    EXPECT_TRUE(X == 0 || double(Below) * Below < X) << "__fsqrt_ru of thread " << T;
    expectBits(at<double>(DOut, 0, T), Double.add(D, DA, Zero), "__dadd_rz", T);
    expectBits(at<double>(DOut, 1, T), Double.multiply(D, DB, Up), "__dmul_ru", T);
    expectBits(at<double>(DOut, 2, T), Double.divide(D, DB, Zero), "__ddiv_rz", T);
    expectBits(at<double>(DOut, 3, T), Double.fma(D, DA, DB, Down), "__fma_rd", T);
  }
}

TEST(NumbersTest, ALaunchRoundsAsItIsTold) {
  HostRun Run("numbers.cu");
  ASSERT_TRUE(Run.Program);
  int64_t Threads = Xs.size();
  std::vector<double> DX(Xs.begin(), Xs.end());
  GuardedBuffer &X = Run.buffer<float>("x", Xs), &Y = Run.buffer<float>("y", Ys),
                &Out = Run.output<float>("out", 11 * Threads), &In = Run.buffer<double>("dx", DX),
                &DOut = Run.output<double>("dout", 4 * Threads);
  HostLaunch Launch = Run.launchOf("directed", {}, {Threads}, X, Y, Out, In, DOut);
  int Before = std::fegetround();
  for (auto [Round, Mode] :
       {std::pair(Rounding::Down, Down), std::pair(Rounding::Up, Up), std::pair(Rounding::Zero, Zero)}) {
    Launch.Round = Round;
    launched(*Run.Program, Launch);
    EXPECT_EQ(std::fegetround(), Before);
    for (unsigned T = 0; T < Threads; ++T) {
      APFloat A = Single.from(Xs[T]), B = Single.from(Ys[T]);
      expectBits(at<float>(Out, 8, T), Single.add(Single.multiply(A, B, Mode), A, Mode),
                 "a product and a sum", T);
      expectBits(at<float>(Out, 9, T), Single.fma(A, B, A, Mode), "fmaf", T);
      expectBits(at<float>(Out, 0, T), Single.add(A, B, Zero), "__fadd_rz says so itself", T);
      expectBits(at<float>(Out, 1, T), Single.add(A, B, Up), "__fadd_ru says so itself", T);
    }
  }
}

TEST(NumbersTest, ConversionsClamp) {
  HostRun Run("numbers.cu");
  ASSERT_TRUE(Run.Program);
  const std::vector<float> In = {0.5f,  -0.5f, 1.5f,   2.5f, -2.7f,    3e9f,
                                 -3e9f, 1e20f, -1e20f, NAN,  Infinity, 0.0f};
  int64_t Threads = In.size();
  GuardedBuffer &I = Run.output<int>("i", 4 * Threads), &U = Run.output<unsigned>("u", Threads),
                &L = Run.output<int64_t>("l", Threads), &UL = Run.output<uint64_t>("ul", Threads),
                &F = Run.output<float>("f", 5 * Threads);
  Run.run("conversions", {}, {Threads}, Run.buffer<float>("x", In), I, U, L, UL, F);
  auto Clamped = [](float V, double Low, double High) {
    return std::isnan(V) ? 0.0 : std::min(std::max(double(V), Low), High);
  };
  for (unsigned T = 0; T < Threads; ++T) {
    float X = In[T];
    double Low = INT32_MIN, High = INT32_MAX;
    auto IntAt = [&](unsigned Row) { return I.as<int>()[Row * Threads + T]; };
    EXPECT_EQ(IntAt(0), int(Clamped(std::trunc(X), Low, High))) << X;
    EXPECT_EQ(IntAt(1), int(Clamped(std::nearbyint(X), Low, High))) << X;
    EXPECT_EQ(IntAt(2), int(Clamped(std::ceil(X), Low, High))) << X;
    EXPECT_EQ(IntAt(3), int(Clamped(std::floor(X), Low, High))) << X;
    EXPECT_EQ(U.as<unsigned>()[T], unsigned(Clamped(std::trunc(X), 0, UINT32_MAX))) << X;
    // With 64 bits, NaN is the sign bit alone (PTX ISA, cvt).
    int64_t Long = std::isnan(X) || X < -9.3e18f ? INT64_MIN
                   : X > 9.2e18f                 ? INT64_MAX
                                                 : int64_t(std::nearbyint(X));
    EXPECT_EQ(L.as<int64_t>()[T], Long) << X;
    uint64_t ULong = std::isnan(X) ? uint64_t(1) << 63 : X > 1.8e19f ? UINT64_MAX : X < 0 ? 0 : uint64_t(X);
    EXPECT_EQ(UL.as<uint64_t>()[T], ULong) << X;
    auto FloatAt = [&](unsigned Row) { return F.as<float>()[Row * Threads + T]; };
    APFloat FromInt(APFloat::IEEEsingle());
    FromInt.convertFromAPInt(APInt(32, llvm::bit_cast<uint32_t>(X)), true, Zero);
    EXPECT_EQ(FloatAt(0), FromInt.convertToFloat());
    if (!std::isnan(X)) {
      EXPECT_EQ(FloatAt(1), std::nearbyint(X));
      EXPECT_EQ(FloatAt(2), std::fmin(X, 0.0f));
      EXPECT_EQ(FloatAt(3), std::fmax(X, -1.0f));
      EXPECT_EQ(FloatAt(4), std::fmin(std::fmax(X, 0.0f), 1.0f));
    } else {
      EXPECT_TRUE(std::isnan(FloatAt(1)));
      EXPECT_EQ(FloatAt(2), 0); // The other operand.
      EXPECT_EQ(FloatAt(3), -1);
      EXPECT_EQ(FloatAt(4), 0);
    }
  }
}

/// Within \p Ulps units in the last place of a float, or of a double, of \p Expected.
template <typename T> void expectNear(T Actual, double Expected, double Ulps, const char *What, double X) {
  if (std::isnan(Expected)) {
    EXPECT_TRUE(std::isnan(Actual)) << What << "(" << X << ")";
    return;
  }
  T Rounded = T(Expected);
  if (Actual == Rounded)
    return;
  double Ulp = std::nextafter(std::fabs(Rounded), std::numeric_limits<T>::infinity()) - std::fabs(Rounded);
  EXPECT_LE(std::fabs(double(Actual) - Expected), Ulps * Ulp) << What << "(" << X << ")";
}

/// Errors as the CUDA programming guide states them for these functions.
TEST(NumbersTest, FunctionsOfTheLibrary) {
  HostRun Run("numbers.cu");
  ASSERT_TRUE(Run.Program);
  const std::vector<float> In = {0.1f, -0.7f, 1.0f, 2.5f, -3.9f, 10.5f, -20.25f, 0.001f, 5.5f, 1e6f};
  int64_t Threads = In.size();
  std::vector<double> DX(In.begin(), In.end());
  GuardedBuffer &Out = Run.output<float>("out", 15 * Threads),
                &DOut = Run.output<double>("dout", 6 * Threads);
  Run.run("functions", {}, {Threads}, Run.buffer<float>("x", In), Out, Run.buffer<double>("dx", DX), DOut);
  for (unsigned T = 0; T < Threads; ++T) {
    double X = In[T], Positive = std::fabs(X);
    auto F = [&](unsigned Row) { return Out.as<float>()[Row * Threads + T]; };
    auto D = [&](unsigned Row) { return DOut.as<double>()[Row * Threads + T]; };
    expectNear(F(0), std::sin(X), 2, "sinf", X);
    expectNear(F(1), std::cos(X), 2, "cosf", X);
    expectNear(F(2), std::exp(X), 2, "expf", X);
    expectNear(F(3), std::log(Positive), 1, "logf", X);
    expectNear(F(4), std::pow(Positive, double(1.7f)), 4, "powf", X);
    expectNear(F(5), std::tanh(X), 2, "tanhf", X);
    expectNear(F(6), std::erf(X), 2, "erff", X);
    expectNear(F(7), std::atan2(X, double(0.3f)), 3, "atan2f", X);
    expectNear(F(8), 1 / std::sqrt(Positive), 2, "rsqrtf", X);
    EXPECT_EQ(F(9), std::sqrt(float(Positive)));
    expectNear(F(10), std::cbrt(X), 1, "cbrtf", X);
    expectNear(F(11), std::exp(X), 2 + std::floor(std::fabs(1.173 * X)), "__expf", X);
    if (Positive < 3.2)
      EXPECT_NEAR(F(12), std::sin(X), 0x1p-21) << X;
    if (Positive > 2)
      expectNear(F(13), std::log(Positive), 3, "__logf", X);
    expectNear(F(14), 1 / X, 2, "__fdividef", X);
    expectNear(D(0), std::sin(X), 2, "sin", X);
    expectNear(D(1), std::exp(X), 1, "exp", X);
    expectNear(D(2), std::log(Positive), 1, "log", X);
    expectNear(D(3), std::pow(Positive, 1.7), 2, "pow", X);
    expectNear(D(4), 1 / std::sqrt(Positive), 1, "rsqrt", X);
    expectNear(D(5), std::tgamma(X), 10, "tgamma", X);
  }
}

TEST(NumbersTest, Integers) {
  HostRun Run("numbers.cu");
  ASSERT_TRUE(Run.Program);
  const std::vector<int> X = {0, 1, -1, 123456789, -987654321, 0x7fffffff, int(0x80000000), 0x12345678},
                         Y = {5, -1, 7, -3, 0x01020304, 2, 3, int(0x9abcdef0)};
  int64_t Threads = X.size();
  GuardedBuffer &Out = Run.output<int>("out", 13 * Threads), &Long = Run.output<int64_t>("lout", 2 * Threads);
  Run.run("integers", {}, {Threads}, Run.buffer<int>("x", X), Run.buffer<int>("y", Y), Out, Long);
  for (unsigned T = 0; T < Threads; ++T) {
    int A = X[T], B = Y[T];
    unsigned UA = A, UB = B;
    auto Row = [&](unsigned R) { return Out.as<int>()[R * Threads + T]; };
    EXPECT_EQ(Row(0), int(int64_t(A) * B >> 32));
    EXPECT_EQ(unsigned(Row(1)), unsigned(uint64_t(UA) * UB >> 32));
    EXPECT_EQ(unsigned(Row(2)), llvm::reverseBits(UA));
    EXPECT_EQ(Row(3), llvm::countl_zero(UA));
    EXPECT_EQ(Row(4), UA ? llvm::countr_zero(UA) + 1 : 0);
    EXPECT_EQ(Row(5), llvm::popcount(UA));
    // Bytes 1, 3, the sign of byte 2 of B, byte 7.
    uint64_t Bytes = uint64_t(UB) << 32 | UA;
    auto Byte = [&](unsigned I) { return unsigned(Bytes >> 8 * I & 0xff); };
    unsigned Sign = Byte(2) & 0x80 ? 0xff : 0;
    EXPECT_EQ(unsigned(Row(6)), Byte(1) | Byte(3) << 8 | Sign << 16 | Byte(7) << 24);
    EXPECT_EQ(unsigned(Row(7)), unsigned(std::llabs(int64_t(A) - B)) + 5);
    int Dot = 9;
    for (unsigned I = 0; I < 4; ++I)
      Dot += int8_t(UA >> 8 * I) * int8_t(UB >> 8 * I);
    EXPECT_EQ(Row(8), Dot);
    EXPECT_EQ(unsigned(Row(9)), UB << 11 | UA >> 21);
    EXPECT_EQ(unsigned(Row(10)), UB); // By 32, where it is clamped.
    auto Lower24 = [](unsigned V) { return int64_t(int(V << 8) >> 8); };
    EXPECT_EQ(Row(11), int(Lower24(UA) * Lower24(UB)));
    EXPECT_EQ(Row(12), int((int64_t(A) + B) >> 1));
    auto Wide = static_cast<__int128>(int64_t(A) * (1 << 20)) * (int64_t(B) * (1 << 25));
    EXPECT_EQ(Long.as<int64_t>()[T], int64_t(Wide >> 64));
    EXPECT_EQ(uint64_t(Long.as<int64_t>()[Threads + T]), llvm::reverseBits(uint64_t(int64_t(A))));
  }
}

TEST(NumbersTest, Halves) {
  HostRun Run("numbers.cu");
  ASSERT_TRUE(Run.Program);
  int64_t Threads = Xs.size();
  std::vector<float> Zs(Xs.rbegin(), Xs.rend());
  GuardedBuffer &Out = Run.output<uint16_t>("out", 10 * Threads),
                &Packed = Run.output<uint16_t>("packed", 2 * Threads + 2);
  Run.run("halves", {}, {Threads}, Run.buffer<float>("x", Xs), Run.buffer<float>("y", Ys),
          Run.buffer<float>("z", Zs), Out, Packed);
  for (unsigned T = 0; T < Threads; ++T) {
    APFloat A = Half.from(Xs[T]), B = Half.from(Ys[T]), C = Half.from(Zs[T]);
    auto Row = [&](unsigned R) { return at<uint16_t>(Out, R, T); };
    expectBits(Row(0), A, "__float2half", T);
    expectBits(Row(1), Half.add(A, B), "+", T);
    expectBits(Row(2), Half.multiply(A, B), "__hmul", T);
    expectBits(Row(3), Half.fma(A, B, C), "__hfma", T);
    expectBits(Row(4), minimumnum(A, B), "__hmin", T);
    EXPECT_EQ(Row(5), A.compare(B) == APFloat::cmpLessThan);
    expectBits(Row(6), Half.from(Xs[T], Zero), "__float2half_rz", T);
    APFloat Sum = Half.add(A, B), One = Half.from(1), Nothing = Half.from(0);
    expectBits(Row(7), minimumnum(maximumnum(Sum, Nothing), One), "__hadd_sat", T);
    expectBits(Row(9), Half.from(double(Xs[T]) * Ys[T]), "__double2half", T);
    expectBits(Packed.as<uint16_t>()[2 * T], Half.fma(A, C, A), "__hfma2, lower", T);
    expectBits(Packed.as<uint16_t>()[2 * T + 1], Half.fma(B, C, B), "__hfma2, upper", T);
  }
  expectBits(Packed.as<uint16_t>()[2 * Threads], Half.from(Threads), "atomicAdd, lower", 0);
  expectBits(Packed.as<uint16_t>()[2 * Threads + 1], Half.from(2 * Threads), "atomicAdd, upper", 0);
}

TEST(NumbersTest, BFloats) {
  HostRun Run("numbers.cu");
  ASSERT_TRUE(Run.Program);
  int64_t Threads = Xs.size();
  std::vector<float> Zs(Xs.rbegin(), Xs.rend());
  GuardedBuffer &Out = Run.output<uint16_t>("out", 6 * Threads);
  Run.run("bfloats", {}, {Threads}, Run.buffer<float>("x", Xs), Run.buffer<float>("y", Ys),
          Run.buffer<float>("z", Zs), Out);
  for (unsigned T = 0; T < Threads; ++T) {
    APFloat A = BFloat.from(Xs[T]), B = BFloat.from(Ys[T]), C = BFloat.from(Zs[T]);
    auto Row = [&](unsigned R) { return at<uint16_t>(Out, R, T); };
    expectBits(Row(0), A, "__float2bfloat16", T);
    expectBits(Row(1), BFloat.add(A, B), "+", T);
    expectBits(Row(2), BFloat.multiply(A, B), "*", T);
    expectBits(Row(3), BFloat.fma(A, B, C), "__hfma", T);
    expectBits(Row(4), maximumnum(A, B), "__hmax", T);
  }
}

/// As .ftz: operands and results, of floats alone.
TEST(NumbersTest, DenormalsAreFlushedWhereTheCompileSaysSo) {
  const std::vector<float> X = {1e-30f, 1e-40f, -1e-40f, 3e-39f, 1.5f},
                           Y = {1e-12f, 2.0f, 1e30f, 1.0f, 1e-45f};
  auto Flushed = [](float V) {
    return std::fabs(V) < std::numeric_limits<float>::min() ? std::copysign(0.0f, V) : V;
  };
  for (bool Flush : {false, true}) {
    DeviceCompile Compile;
    if (Flush)
      Compile.Flags = {"-fgpu-flush-denormals-to-zero"};
    HostRun Run("numbers.cu", Compile);
    ASSERT_TRUE(Run.Program);
    int64_t Threads = X.size();
    GuardedBuffer &Out = Run.output<float>("out", 5 * Threads), &DOut = Run.output<double>("dout", Threads);
    Run.run("denormals", {}, {Threads}, Run.buffer<float>("x", X), Run.buffer<float>("y", Y), Out, DOut);
    for (unsigned T = 0; T < Threads; ++T) {
      float A = Flush ? Flushed(X[T]) : X[T], B = Flush ? Flushed(Y[T]) : Y[T];
      auto Result = [&](float V) { return Single.from(Flush ? Flushed(V) : V); };
      auto Row = [&](unsigned R) { return Out.as<float>()[R * Threads + T]; };
      expectBits(Row(0), Result(A * B), "*", T);
      expectBits(Row(1), Result(A + B), "+", T);
      expectBits(Row(2), Result(std::fma(A, B, A)), "fmaf", T);
      EXPECT_EQ(Row(3), A != 0);
      EXPECT_EQ(Row(4), X[T]); // A copy is no operation.
      EXPECT_EQ(DOut.as<double>()[T], double(A) * 1e-300);
    }
  }
}

} // namespace
