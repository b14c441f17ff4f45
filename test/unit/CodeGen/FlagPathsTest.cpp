//===- FlagPathsTest.cpp - Flags of clang++ seen from another folder ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/FlagPaths.h"
#include "../ExpectedTesting.h"
#include "gpuprune/Support/Process.h"

using namespace llvm;
using namespace gpuprune;

using Flags = std::vector<std::string>;

static Flags from(StringRef Folder, const Flags &Written) {
  return test::valueOf(flagsFrom(Folder, Written));
}

TEST(FlagPaths, JoinedAndSeparate) {
  EXPECT_EQ(from("k", {"-Iinc"}), (Flags{"-Ik/inc"}));
  EXPECT_EQ(from("k", {"-I", "inc"}), (Flags{"-I", "k/inc"}));
  EXPECT_EQ(from("k", {"-I inc"}), (Flags{"-Ik/inc"}));
  EXPECT_EQ(from("k", {"--include-directory=inc", "--include-directory", "inc"}),
            (Flags{"--include-directory=k/inc", "--include-directory", "k/inc"}));
  EXPECT_EQ(from("k", {"-isystem", "a", "-isystemb", "-iquote", "c", "-idirafterd"}),
            (Flags{"-isystem", "k/a", "-isystemk/b", "-iquote", "k/c", "-idirafterk/d"}));
  EXPECT_EQ(from("k", {"--sysroot=root", "-include-pch", "x.pch"}),
            (Flags{"--sysroot=k/root", "-include-pch", "k/x.pch"}));
}

TEST(FlagPaths, OthersStayAsTheyAre) {
  Flags Others{"-DX=inc", "-O2", "-std=c++20", "-D", "I", "-I/usr/include", "-I", "/opt", "-I=inc", "-I-"};
  EXPECT_EQ(from("k", Others), Others);
  EXPECT_EQ(from("", {"-Iinc", "-I", "inc"}), (Flags{"-Iinc", "-I", "inc"}));
}

TEST(FlagPaths, BehindXclang) {
  EXPECT_EQ(from("k", {"-Xclang", "-I", "-Xclang", "inc", "x"}),
            (Flags{"-Xclang", "-I", "-Xclang", "k/inc", "x"}));
}

TEST(FlagPaths, WhatIsLookedForElsewhereIsRewrittenWhereItLies) {
  TemporaryDirectory Folder = cantFail(TemporaryDirectory::create());
  ASSERT_FALSE(errorToBool(writeFile(Folder.file("here.h"), "")));
  EXPECT_EQ(from(Folder.path(), {"-include", "here.h", "-include", "stddef.h"}),
            (Flags{"-include", Folder.file("here.h"), "-include", "stddef.h"}));
}

TEST(FlagPaths, ResponseFiles) {
  TemporaryDirectory Folder = cantFail(TemporaryDirectory::create());
  ASSERT_FALSE(errorToBool(writeFile(Folder.file("flags.rsp"), "-Iinc -DA='b c'\n@more.rsp")));
  ASSERT_FALSE(errorToBool(writeFile(Folder.file("more.rsp"), "-I /abs")));
  EXPECT_EQ(from(Folder.path(), {"-O1", "@flags.rsp", "-O2"}),
            (Flags{"-O1", "-I" + Folder.file("inc"), "-DA=b c", "-I", "/abs", "-O2"}));
  EXPECT_EQ(from(Folder.path(), {"@none.rsp"}), (Flags{"@none.rsp"})) << "clang++ says that it is missing";
  ASSERT_FALSE(errorToBool(writeFile(Folder.file("more.rsp"), "@flags.rsp")));
  EXPECT_NE(test::inputErrorOf(flagsFrom(Folder.path(), {"@flags.rsp"}).takeError()).find("flags: "),
            std::string::npos);
}
