//===- KernelsTest.cpp - The kernels of the project and their references -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExpectedTesting.h"
#include "KernelData.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuprune;
using namespace gpuprune::test;
using namespace llvm;

namespace {

class KernelTest : public testing::TestWithParam<std::string> {
protected:
  Workload W = valueOf(loadKernel(GetParam()));
};

INSTANTIATE_TEST_SUITE_P(Kernels, KernelTest, testing::ValuesIn(kernelFolders()), kernelTestName);
INSTANTIATE_TEST_SUITE_P(Sequences, KernelTest, testing::ValuesIn(sequenceFolders()), kernelTestName);

TEST(KernelFoldersTest, EveryWorkloadHasAReferenceAndEveryReferenceAWorkload) {
  std::vector<std::string> WithReference;
  for (const auto &[Folder, R] : kernels::Reference::all())
    WithReference.push_back(Folder);
  std::vector<std::string> Folders = kernelFolders();
  append_range(Folders, sequenceFolders());
  llvm::sort(Folders);
  EXPECT_EQ(Folders, WithReference);
}

bool allFinite(const ResolvedBuffer &Shape, const kernels::BufferData &Data) {
  bool AllFinite = true;
  forEachField(Shape.Type, 0, Data.Bytes.size(), [&](uint64_t At, size_t Field) {
    ElementType Type = Shape.Type.fields()[Field].Type;
    AllFinite &= std::isfinite(toDouble(Type, loadElement(Type, &Data.Bytes[At])));
  });
  return AllFinite;
}

/// A reference that wrote nothing, or nonsense, would let any kernel pass.
TEST_P(KernelTest, ReferenceGivesFiniteResults) {
  const kernels::Reference &R = kernels::Reference::all().at(GetParam());
  for (const Environment &Sizes : W.CheckSizes) {
    ResolvedProblem Resolved = valueOf(resolve(W, Sizes));
    kernels::Problem Before = kernelProblem(W, Resolved, Sizes), After = Before;
    R.Compute(After);
    bool AnyWritten = false;
    for (const ResolvedBuffer &B : Resolved.Buffers) {
      const kernels::BufferData &Data = After.Buffers.at(B.Name);
      bool Changed = Data.Bytes != Before.Buffers.at(B.Name).Bytes;
      AnyWritten |= B.Role == BufferRole::InOut ? Changed : is_contained(Data.Written, true);
      EXPECT_TRUE(B.Role != BufferRole::In || !Changed) << B.Name << " is an input";
      EXPECT_TRUE(allFinite(B, Data)) << B.Name;
    }
    EXPECT_TRUE(AnyWritten);
  }
}

TEST_P(KernelTest, BuffersOfTheTuningSizeFitADevice) {
  uint64_t Bytes = 0;
  for (const ResolvedBuffer &B : valueOf(resolve(W, W.TuneSize)).Buffers)
    Bytes += B.Role == BufferRole::InOut ? 2 * B.Bytes : B.Bytes; // The runner keeps a copy to restore.
  EXPECT_LE(Bytes, uint64_t(8) << 30);
}

TEST(FirstDifferenceTest, FindsWhatTheReferenceDoesNotSay) {
  ResolvedBuffer Shape{"out", ElementType::F32, 3, 12, {}, BufferRole::Out};
  kernels::BufferData Expected{std::vector<uint8_t>(12), 4, true, {false, false, false}};
  kernels::Output<float> Out(Expected);
  Out[0] = 2;
  Out[1] = 3;
  auto Differs = [&](float A, float B, uint32_t C) {
    uint8_t Got[12];
    std::memcpy(Got, &A, 4);
    std::memcpy(Got + 4, &B, 4);
    std::memcpy(Got + 8, &C, 4);
    return firstDifference(Shape, Expected, Got, {.Relative = 1e-3}, 0xa5);
  };
  EXPECT_EQ(Differs(2, 3.001f, 0xa5a5a5a5), "");
  EXPECT_EQ(Differs(2, 3.01f, 0xa5a5a5a5).substr(0, 6), "out[1]");
  EXPECT_EQ(Differs(NAN, 3, 0xa5a5a5a5).substr(0, 6), "out[0]");
  EXPECT_EQ(Differs(2, 3, 0xa5a5a5a4).substr(0, 6), "out[2]");
}

} // namespace
