//===- InlinePtxTest.cpp - Inline PTX, and what of it is refused ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../ExpectedTesting.h"
#include "HostTesting.h"
#include "llvm/ADT/bit.h"

using namespace gpuprune;
using namespace gpuprune::test;

namespace {

TEST(InlinePtxTest, DoesWhatItSays) {
  HostRun Run("ptx.cu");
  ASSERT_TRUE(Run.Program);
  constexpr unsigned Threads = 32;
  std::vector<unsigned> X(Threads), Y(Threads);
  for (unsigned T = 0; T < Threads; ++T) {
    X[T] = T * 0x9e3779b9u;
    Y[T] = (T + 5) * 0x7f4a7c15u;
  }
  GuardedBuffer &Out = Run.output<unsigned>("out", 15 * Threads);
  Run.run("inlinePtx", {}, {Threads}, Run.buffer<unsigned>("x", X), Run.buffer<unsigned>("y", Y), Out);
  for (unsigned T = 0; T < Threads; ++T) {
    unsigned A = X[T], B = Y[T];
    auto Row = [&](unsigned R) { return Out.as<unsigned>()[R * Threads + T]; };
    EXPECT_EQ(Row(0), A < B ? 1u : 42u);
    EXPECT_EQ(Row(1), A + B);
    EXPECT_EQ(Row(2), unsigned((uint64_t(A) + B) >> 32));
    EXPECT_EQ(Row(3), A >> 8 | B << 24);
    EXPECT_EQ(Row(4), A ^ B ^ T);
    EXPECT_EQ(Row(5), unsigned(int(A << 21) >> 25));
    EXPECT_EQ(Row(6), (B & ~(0x1ffu << 5)) | (A & 0x1ff) << 5);
    EXPECT_EQ(Row(7), int(A) > 5 ? ~0u : B);
    EXPECT_EQ(Row(8), X[4] * 3 + X[5]);
    EXPECT_EQ(Row(9), T * 1000 + Threads);
    EXPECT_EQ(Row(10), A * B + 7);
    EXPECT_EQ(Row(11), 0u);
    EXPECT_EQ(Row(12), A ^ B);
    EXPECT_EQ(Row(13), T & 1 ? 77u : ~0u);
    EXPECT_EQ(Row(14), llvm::bit_cast<unsigned>(llvm::bit_cast<float>(0x40490FDBu) * 2));
  }
}

struct Refusal {
  const char *Define, *Message;
};

void PrintTo(const Refusal &R, std::ostream *OS) { *OS << R.Define; }

class RefusedOnHost : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedOnHost, NamesWhatAndWhere) {
  HostOptions Options;
  Options.Kernels = {"unknown"};
  std::string Code = deviceCode("test/unit/HostExecution/Inputs/ptx.cu", {{GetParam().Define}, "", {}});
  ASSERT_FALSE(Code.empty());
  TakenError E = takeError(HostProgram::create(Code, Options).takeError());
  EXPECT_EQ(E.Kind, ErrorKind::Refused);
  EXPECT_NE(E.Text.find(GetParam().Message), std::string::npos) << E.Text;
  EXPECT_NE(E.Text.find("ptx.cu:"), std::string::npos) << E.Text;
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, RefusedOnHost,
    testing::Values(Refusal{"UNKNOWN_INSTRUCTION", "inline PTX 'vadd4.u32.u32.u32 $0, $1, $2, $3'"},
                    Refusal{"UNKNOWN_MODIFIER", "inline PTX 'add.rn.satfinite.f32 $0, $1, $2'"},
                    Refusal{"UNKNOWN_BRANCH", "inline PTX 'L: add.u32 $0, $0, 1'"},
                    Refusal{"UNKNOWN_FUNCTION", "function 'elsewhere', called"},
                    Refusal{"UNKNOWN_MALLOC", "function 'malloc', called"}),
    [](const auto &Info) { return Info.param.Define; });

} // namespace
