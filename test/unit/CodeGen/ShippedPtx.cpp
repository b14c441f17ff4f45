//===- ShippedPtx.cpp - What clang++ makes with the plugin ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ShippedPtx.h"
#include "gpuprune/Support/Process.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace gpuprune {

Expected<std::string> ptxOfClang(const Toolchain &Tools, const FrontendRequest &Frontend,
                                 const char *Pipeline) {
  Expected<TemporaryDirectory> Directory = TemporaryDirectory::create();
  if (!Directory)
    return Directory.takeError();
  std::string Output = Directory->file("shipped.s");
  std::vector<std::string> Action{"-S"};
  if (Pipeline)
    Action.insert(Action.end(), {"-fpass-plugin=" GPUPRUNE_BINARY_DIR "/lib/libGpuPrune.so", "-mllvm",
                                 std::string("-gpuprune-pipeline=") + Pipeline});
  // A plugin with a sanitizer wants that sanitizer's library in the program that loads it.
  std::vector<std::string> Command{"/usr/bin/env"};
  for (StringRef Setting : split(GPUPRUNE_PLUGIN_ENVIRONMENT, ' '))
    if (!Setting.empty())
      Command.push_back(Setting.str());
  append_range(Command, clangCommand(Tools, Frontend, Action, Output));
  Expected<ProcessOutput> Run = runProcess(Command);
  if (!Run)
    return Run.takeError();
  EXPECT_EQ(Run->ExitCode, 0) << Run->Text;
  return readFile(Output);
}

} // namespace gpuprune
