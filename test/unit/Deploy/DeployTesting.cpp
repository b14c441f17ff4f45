//===- DeployTesting.cpp - Records and modules for the tests of lib/Deploy ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeployTesting.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace gpuprune::test {

TuningRecord shortRecord() {
  TuningRecord R;
  R.Kernel = "_Z6smoothPKfPfi";
  R.Arch = "sm_90";
  R.Digest = std::string(32, '0') + std::string(32, 'a');
  R.Variant = "gpu-block-coarsen<x=4>";
  R.Arguments.Count = 3;
  R.Conditions.Block = {256, 1, 1};
  R.Registers = 32;
  return R;
}

TuningRecord fullRecord() {
  TuningRecord R = shortRecord();
  R.Variant = "gpu-block-coarsen<x=4;grid=any>,gpu-unroll<loop=1;factor=2>";
  R.Contract.GridDivisor = {4, 2, 3};
  R.Contract.BlockDivisor = {8, 4, 2};
  R.Contract.PointerAlignment = 16;
  R.Contract.SharedCopies = 5;
  R.Contract.SharedArrays = 65536;
  R.Contract.SharedCarveout = 50;
  R.Contract.Hidden = {HiddenParameter::SharedBytes, HiddenParameter::GridX};
  R.Block = {32, 4, 8};
  R.Arguments.Pointers = {{0, 0}, {1, 8}};
  R.Conditions = {{16, 8, 4}, 256, 9223372036854775808u};
  R.Registers = 255;
  R.Bitwise = false;
  R.Difference = "buffer y differs by 1.0e-07 (2.0e-07 relative) at most";
  R.Tools = {"clang version 22.1.8", "0.1.0", "release 13.0, \"quoted\" \xc3\xa9"};
  R.Times = {"NVIDIA H100 80GB HBM3", 0.1, 1.0 / 3};
  return R;
}

std::unique_ptr<Module> parseDevice(LLVMContext &Context, StringRef Text) {
  static constexpr char Before[] = R"(
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
)";
  SMDiagnostic Said;
  std::unique_ptr<Module> M = parseAssemblyString((Before + Text).str(), Said, Context);
  if (M)
    return M;
  ADD_FAILURE() << Said.getMessage().str() << ": " << Said.getLineContents().str();
  return std::make_unique<Module>("empty", Context);
}

std::string deviceBitcode(StringRef Text) {
  LLVMContext Context;
  std::string Bitcode;
  raw_string_ostream OS(Bitcode);
  WriteBitcodeToFile(*parseDevice(Context, Text), OS);
  return Bitcode;
}

std::string textOf(const Module &M) {
  std::string Text;
  raw_string_ostream OS(Text);
  M.print(OS, nullptr);
  return Text;
}

} // namespace gpuprune::test
