//===- KernelsOnHostTest.cpp - The kernels, run on the CPU, against their references --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../ExpectedTesting.h"
#include "../HostExecution/HostTesting.h"
#include "KernelData.h"
#include "gpuprune/Driver/MeasurePlan.h"
#include "gpuprune/Variant/HostProblem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace gpuprune;
using namespace gpuprune::test;
using namespace llvm;

namespace {

constexpr uint8_t OutPattern = 0xA5;

/// The kernel with the author's defines, prepared and nothing else, as it goes to the
/// PTX code generator.
class KernelOnHost : public testing::TestWithParam<std::string> {
protected:
  Workload W = valueOf(loadKernel(GetParam()));
  std::unique_ptr<HostProgram> Program;

  void SetUp() override {
    DeviceCompile Compile;
    Compile.Flags = W.Flags;
    for (const DefineSpec &Define : W.Defines)
      Compile.Defines.push_back(Define.Name + "=" + Define.Values.front());
    std::string Source = ("kernels/" + GetParam() + "/" + sys::path::filename(W.Source)).str();
    Program = hostProgram(Source, Compile);
  }

  void checkAt(const Environment &Sizes) {
    ResolvedProblem Resolved = valueOf(resolve(W, Sizes));
    HostProblem Problem = valueOf(HostProblem::create(Resolved));
    HostBuffers Buffers = valueOf(HostBuffers::create(Problem, *Program, OutPattern));
    for (const ResolvedLaunch &Each : Resolved.Launches) {
      LaunchReport Report = launched(*Program, Buffers.launch(Each, asWritten(authorLaunch(Each))));
      EXPECT_EQ(double(Report.Threads), Each.threads());
    }
    EXPECT_FALSE(Buffers.memory().findOverwrittenGuard());

    const kernels::Reference &R = kernels::Reference::all().at(GetParam());
    kernels::Problem Wanted = kernelProblem(W, Resolved, Sizes);
    R.Compute(Wanted);
    for (const auto &[Index, B] : enumerate(Resolved.Buffers)) {
      std::optional<ArrayRef<uint8_t>> Found = Buffers.bytes(Index);
      ASSERT_TRUE(Found) << B.Name;
      EXPECT_EQ(
          firstDifference(B, Wanted.Buffers.at(B.Name), Found->take_front(B.Bytes), R.Allowed, OutPattern),
          "");
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Kernels, KernelOnHost, testing::ValuesIn(kernelFolders()), kernelTestName);
INSTANTIATE_TEST_SUITE_P(Sequences, KernelOnHost, testing::ValuesIn(sequenceFolders()), kernelTestName);

TEST_P(KernelOnHost, AgreesWithItsReference) {
  ASSERT_TRUE(Program);
  for (const Environment &Sizes : W.CheckSizes) {
    std::string Name;
    for (const std::string &Size : W.SizeNames)
      Name += Size + "=" + std::to_string(Sizes.lookup(Size)) + " ";
    SCOPED_TRACE(Name);
    checkAt(Sizes);
  }
}

} // namespace
