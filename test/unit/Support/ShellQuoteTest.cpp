//===- ShellQuoteTest.cpp - Arguments as a command line has them --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/ShellQuote.h"
#include "gpuprune/Support/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

static const char *const Hard[] = {"",  "a b", "it's", "\"", "\\", "a\\\"b",  "$HOME",    "`ls`",
                                   "*", "a;b", "(x)",  "~",  "#",  "<x=1;y>", "tab\there"};

TEST(ShellQuote, PlainArgumentsStayAsTheyAre) {
  for (StringRef Plain : {"a.cu", "-DTILE=16", "/usr/bin/x", "a,b:c@d%e+f_g"})
    EXPECT_EQ(shellQuoted(Plain), Plain);
}

TEST(ShellQuote, AShellReadsOneWord) {
  for (const char *Argument : Hard) {
    Expected<ProcessOutput> Output = runProcess({"/bin/sh", "-c", "printf '[%s]' " + shellQuoted(Argument)});
    ASSERT_TRUE(bool(Output)) << toString(Output.takeError());
    EXPECT_EQ(Output->Text, "[" + std::string(Argument) + "]");
  }
}

TEST(ShellQuote, SoDoesTheRunnersCommandLine) {
  for (const char *Argument : drop_begin(Hard)) { // LLVM's tokenizer knows no empty words.
    BumpPtrAllocator Memory;
    StringSaver Saver(Memory);
    SmallVector<const char *, 2> Words;
    cl::TokenizeGNUCommandLine(shellQuoted(Argument), Saver, Words);
    ASSERT_EQ(Words.size(), 1u) << Argument;
    EXPECT_STREQ(Words.front(), Argument);
  }
}
