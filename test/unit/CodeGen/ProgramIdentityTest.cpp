//===- ProgramIdentityTest.cpp - Which build of this program runs -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/ProgramIdentity.h"
#include "gpuprune/CodeGen/Toolchain.h"
#include "gpuprune/Support/Process.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <dlfcn.h>

using namespace llvm;
using namespace gpuprune;

namespace {

/// A shared library whose only function returns \p Value.
void *load(const TemporaryDirectory &Home, int Value, StringRef Linker) {
  std::string Source = Home.file(formatv("{0}.c", Value).str()),
              Library = Home.file(formatv("{0}.so", Value).str());
  cantFail(writeFile(Source, formatv("int f(void) {{ return {0}; }", Value).str()));
  ProcessOutput Made = cantFail(runProcess({cantFail(findClang()), "-x", "c", "-shared", "-fPIC", "-nostdlib",
                                            Linker.str(), Source, "-o", Library}));
  EXPECT_EQ(Made.ExitCode, 0) << Made.Text;
  return ::dlopen(Library.c_str(), RTLD_NOW | RTLD_LOCAL);
}

TEST(ProgramIdentity, IsThatOfAllThatIsLoaded) {
  TemporaryDirectory Home = cantFail(TemporaryDirectory::create());
  std::string Before = programIdentity();
  ASSERT_EQ(Before.size(), 64u);
  EXPECT_EQ(programIdentity(), Before);
  for (StringRef Linker : {"-Wl,--build-id=sha1", "-Wl,--build-id=none"}) {
    void *First = load(Home, 1, Linker);
    ASSERT_NE(First, nullptr) << ::dlerror();
    std::string WithFirst = programIdentity();
    EXPECT_NE(WithFirst, Before) << "a plugin was loaded";
    ::dlclose(First);
    EXPECT_EQ(programIdentity(), Before);
    void *Second = load(Home, 2, Linker);
    ASSERT_NE(Second, nullptr) << ::dlerror();
    EXPECT_NE(programIdentity(), WithFirst) << "it was built from something else";
    ::dlclose(Second);
  }
}

} // namespace
