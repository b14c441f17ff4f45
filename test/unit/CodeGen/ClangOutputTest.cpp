//===- ClangOutputTest.cpp - What clang++ prints, taken apart -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/ClangOutput.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

static constexpr StringLiteral Said = R"(In file included from w.cu:1:
inc/h.h:2:53: warning: variable 'b' is uninitialized [-Wuninitialized]
    2 | static __device__ int sq(int a) { int b; return a * b; } // error: no
      |                                                     ^
In file included from w.cu:1:
inc/h.h:2:40: note: initialize the variable 'b' to silence this warning
    2 | static __device__ int sq(int a) { int b; return a * b; }
      |                                        ^
      |                                         = 0
w.cu:3:7: error: unknown type name 'foo'
    3 |   foo unused = 3;
      |   ^
w.cu:4:7: warning: unused variable 'y' [-Wunused-variable]
w.cu:5:7: fatal error: too many errors emitted, stopping now [-ferror-limit=]
2 warnings and 2 errors generated when compiling for sm_90.
)";

TEST(ClangOutput, EachDiagnosticHasItsNotes) {
  std::vector<ClangDiagnostic> Found = clangDiagnostics(Said);
  ASSERT_EQ(Found.size(), 4u);
  EXPECT_TRUE(StringRef(Found[0].Text).starts_with("In file included from w.cu:1:\ninc/h.h:2:53: warning: "));
  EXPECT_TRUE(StringRef(Found[0].Text).ends_with("= 0"));
  EXPECT_FALSE(Found[0].IsError);
  EXPECT_TRUE(StringRef(Found[1].Text).starts_with("w.cu:3:7: error: "));
  EXPECT_TRUE(Found[1].IsError);
  EXPECT_EQ(Found[2].Text, "w.cu:4:7: warning: unused variable 'y' [-Wunused-variable]");
  EXPECT_TRUE(Found[3].IsError);
  EXPECT_TRUE(clangDiagnostics("").empty());
  EXPECT_TRUE(clangDiagnostics("something else\n").empty());
}

TEST(ClangOutput, ErrorsComeFirst) {
  std::string Text = errorsFirst(Said);
  EXPECT_TRUE(StringRef(Text).starts_with("w.cu:3:7: error: unknown type name 'foo'\n"));
  EXPECT_LT(Text.find("too many errors"), Text.find("warning: variable 'b'"));
  EXPECT_EQ(errorsFirst("Segmentation fault"), "Segmentation fault");
}

TEST(ClangOutput, TheLineToQuote) {
  EXPECT_EQ(firstErrorLine("clang++ could not compile:\n" + Said.str()),
            "w.cu:3:7: error: unknown type name 'foo'");
  EXPECT_EQ(firstErrorLine("ptxas failed:\nsomething\nelse"), "something");
  EXPECT_EQ(firstErrorLine("one line"), "");
}
