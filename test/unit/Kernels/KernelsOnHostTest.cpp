//===- KernelsOnHostTest.cpp - The kernels, run on the CPU, against their references --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../ExpectedTesting.h"
#include "../HostExecution/HostTesting.h"
#include "KernelData.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace gpuprune;
using namespace gpuprune::test;
using namespace llvm;

namespace {

constexpr uint8_t OutPattern = 0xA5;

ArrayRef<uint8_t> unsignedBytes(const DeviceBuffer &B) {
  return arrayRefFromStringRef(StringRef(B.Data, B.Bytes));
}

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

  void fillVariable(const ResolvedBuffer &B, ArrayRef<uint8_t> Contents) {
    const DeviceBuffer *Variable = Program->variable(B.Symbol);
    ASSERT_TRUE(Variable) << B.Symbol;
    ASSERT_LE(Contents.size(), Variable->Bytes) << B.Symbol;
    std::fill_n(Variable->Data, Variable->Bytes, 0);
    std::copy(Contents.begin(), Contents.end(), Variable->Data);
  }

  /// Runs the launch of \p Resolved over \p Buffers, one a buffer of the problem.
  LaunchReport run(const ResolvedProblem &Resolved, DeviceMemory &Memory, ArrayRef<DeviceBuffer *> Buffers) {
    const ResolvedLaunch &Shape = Resolved.Launches.front();
    HostLaunch Launch;
    Launch.Kernel = Shape.Kernel;
    Launch.Grid = Shape.Grid;
    Launch.Block = Shape.Block;
    Launch.DynamicShared = Shape.SharedBytes;
    Launch.Memory = &Memory;
    for (const ResolvedArgument &A : Shape.Arguments) {
      if (A.Buffer) {
        Launch.argument(*Buffers[*A.Buffer]);
        continue;
      }
      const char *Bits = reinterpret_cast<const char *>(&A.Bits); // Little-endian, as the device.
      Launch.Arguments.emplace_back(Bits, Bits + elementBytes(A.Type));
    }
    return launched(*Program, Launch);
  }

  void checkAt(const Environment &Sizes) {
    ResolvedProblem Resolved = valueOf(resolve(W, Sizes));
    kernels::Problem Wanted = kernelProblem(W, Resolved, Sizes);
    DeviceMemory Memory;
    std::vector<DeviceBuffer *> Buffers;
    for (const ResolvedBuffer &B : Resolved.Buffers) {
      ArrayRef<uint8_t> Contents = Wanted.Buffers.at(B.Name).Bytes;
      if (!B.Symbol.empty())
        fillVariable(B, Contents);
      Buffers.push_back(&cantFail(Memory.allocate(B.Name, B.Bytes, OutPattern)));
      if (B.Role != BufferRole::Out)
        std::copy(Contents.begin(), Contents.end(), Buffers.back()->Data);
    }
    LaunchReport Report = run(Resolved, Memory, Buffers);
    EXPECT_EQ(double(Report.Threads), Resolved.Launches.front().threads());
    EXPECT_FALSE(Memory.findOverwrittenGuard());

    const kernels::Reference &R = kernels::Reference::all().at(GetParam());
    R.Compute(Wanted);
    for (const auto &[B, Buffer] : zip_equal(Resolved.Buffers, Buffers))
      EXPECT_EQ(firstDifference(B, Wanted.Buffers.at(B.Name), unsignedBytes(*Buffer), R.Allowed, OutPattern),
                "");
  }
};

INSTANTIATE_TEST_SUITE_P(Kernels, KernelOnHost, testing::ValuesIn(kernelFolders()), kernelTestName);

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
