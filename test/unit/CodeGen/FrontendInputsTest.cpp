//===- FrontendInputsTest.cpp - What clang++ read, and whether it is so -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/FrontendInputs.h"
#include "../OwnClang.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Support/Record.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
using namespace gpuprune;

namespace {

using Texts = std::vector<std::string>;

TEST(FrontendInputs, NamesOfHeadersAreFound) {
  bool AsksForTime = true;
  EXPECT_EQ(namesAskedFor("#include \"a.h\"\n#  include <b/c.h> // x\n#include MACRO\n"
                          "#if __has_include(<d>)\n#if __has_include( \"e.h\" )\n#include \"open\n\"\n"
                          "#include_next <f.h>\n#embed \"g.bin\"\n#include \"a.h\"\nint included = 3;\n",
                          AsksForTime),
            (Texts{"a.h", "b/c.h", "d", "e.h", "f.h", "g.bin"}));
  EXPECT_FALSE(AsksForTime);
  for (StringRef Macro : {"__DATE__", "__TIME__", "__TIMESTAMP__"}) {
    EXPECT_TRUE(namesAskedFor(("puts(" + Macro + ")").str(), AsksForTime).empty());
    EXPECT_TRUE(AsksForTime);
  }
}

TEST(FrontendInputs, RulesForMakeAreRead) {
  EXPECT_EQ(filesInRule("/tmp/x.bc: a.cu \\\n  /usr/include/b.h my\\ file.h \\\n  a\\#b $$c\n"),
            (Texts{"a.cu", "/usr/include/b.h", "my file.h", "a#b", "$c"}));
  EXPECT_EQ(filesInRule("x.o:"), Texts());
  EXPECT_EQ(filesInRule(""), Texts());
  EXPECT_EQ(filesInRule("x.o: a \\"), Texts{"a"});
}

class InputFilesTest : public testing::Test {
protected:
  test::OwnClang Clang;
  TemporaryDirectory Home = cantFail(TemporaryDirectory::create());
  FrontendRequest Request{
      Home.file("k.cu"), {"-I" + Home.file("first"), "-I" + Home.file("inc")}, {}, "sm_90"};
  Toolchain Tools = cantFail(findToolchain());

  void SetUp() override {
    for (const char *Folder : {"first", "inc"})
      ASSERT_FALSE(sys::fs::create_directory(Home.file(Folder)));
    write("k.cu", "#include \"own.h\"\n__global__ void k(int *p) { *p = OWN; }\n");
    write("inc/own.h", "#if __has_include(\"more.h\")\n#define OWN 2\n#else\n#define OWN 1\n#endif\n");
  }

  void write(StringRef Name, StringRef Content, std::chrono::seconds Ago) {
    cantFail(writeFile(Home.file(Name), Content));
    int File = ::open(Home.file(Name).c_str(), O_RDONLY);
    EXPECT_FALSE(sys::fs::setLastAccessAndModificationTime(File, std::chrono::system_clock::now() - Ago));
    ::close(File);
  }
  /// As if it had been written a while ago, each time at another time.
  void write(StringRef Name, StringRef Content) {
    static int Ago = 10000;
    write(Name, Content, std::chrono::seconds(--Ago));
  }

  FrontendCommand command() {
    std::optional<FrontendCommand> Asked = InputFiles().commandOf(Tools, Request);
    EXPECT_TRUE(Asked.has_value());
    return Asked.value_or(FrontendCommand());
  }

  std::optional<FrontendInputs> compile() {
    std::string Rule;
    FrontendCommand Asked = command();
    auto Started = std::chrono::system_clock::now();
    Expected<std::string> Bitcode = compileToBitcode(Tools, Request, nullptr, &Rule);
    EXPECT_TRUE(bool(Bitcode));
    consumeError(Bitcode.takeError());
    return InputFiles().inputsOf(filesInRule(Rule), Asked.Folders, Started);
  }

  static bool areUnchanged(const FrontendInputs &Inputs) { return InputFiles().areUnchanged(Inputs); }
};

TEST_F(InputFilesTest, NothingIsSeenToHaveChangedWhereNothingHas) {
  std::optional<FrontendInputs> Inputs = compile();
  ASSERT_TRUE(Inputs);
  EXPECT_GT(Inputs->Files.size(), 50u) << "CUDA's headers, too";
  EXPECT_TRUE(areUnchanged(*Inputs));
  write("inc/own.h", cantFail(readFile(Home.file("inc/own.h"))));
  write("unrelated.h", "");
  EXPECT_TRUE(areUnchanged(*Inputs)) << "the same contents";
  EXPECT_EQ(fromRecord<FrontendInputs>(toRecord(*Inputs))->Files, Inputs->Files);
}

TEST_F(InputFilesTest, AChangedFileIsSeen) {
  std::optional<FrontendInputs> Inputs = compile();
  ASSERT_TRUE(Inputs);
  std::string Source = cantFail(readFile(Request.Source));
  write("k.cu", Source + "// more\n");
  EXPECT_FALSE(areUnchanged(*Inputs));
  write("k.cu", Source);
  EXPECT_TRUE(areUnchanged(*Inputs));
  write("inc/own.h", "#define OWN 3\n");
  EXPECT_FALSE(areUnchanged(*Inputs));
  EXPECT_FALSE(sys::fs::remove(Home.file("inc/own.h")));
  EXPECT_FALSE(areUnchanged(*Inputs));
}

TEST_F(InputFilesTest, AHeaderThatWouldBeFoundFirstIsSeen) {
  std::optional<FrontendInputs> Inputs = compile();
  ASSERT_TRUE(Inputs);
  write("first/own.h", "#define OWN 4\n");
  EXPECT_FALSE(areUnchanged(*Inputs));
}

TEST_F(InputFilesTest, AHeaderThatWasOnlyAskedForIsSeen) {
  std::optional<FrontendInputs> Inputs = compile();
  ASSERT_TRUE(Inputs);
  write("inc/more.h", "");
  EXPECT_FALSE(areUnchanged(*Inputs));
}

TEST_F(InputFilesTest, WhatMayDifferThoughItIsTheSameIsNotKept) {
  std::string Source = cantFail(readFile(Request.Source));
  write("k.cu", Source + "__device__ const char *When = __TIME__;\n");
  EXPECT_FALSE(compile());
  write("k.cu", Source);
  EXPECT_TRUE(compile());
  write("k.cu", Source, std::chrono::hours(-1)); // After clang++ has begun to read it.
  EXPECT_FALSE(compile());
}

TEST_F(InputFilesTest, TheCommandTellsWhatDecides) {
  std::string Plain = command().Identity;
  EXPECT_EQ(command().Identity, Plain);
  Request.Defines = {"A=1"};
  EXPECT_EQ(command().Identity, Plain) << "defines are another part of keys";
  Request.Arch = "sm_80";
  EXPECT_NE(command().Identity, Plain) << "another device";
  Request.Arch = "sm_90";
  Request.Flags.push_back("-ffast-math");
  EXPECT_NE(command().Identity, Plain) << "another flag";
  Request.Flags.pop_back();
  ::setenv("CPATH", Home.file("inc").c_str(), 1);
  EXPECT_NE(command().Identity, Plain) << "a folder from the environment";
  ::unsetenv("CPATH");
  EXPECT_EQ(command().Identity, Plain);
}

TEST_F(InputFilesTest, AFileThatTheCommandNamesBelongsToIt) {
  write("list.txt", "fun:none\n");
  Request.Flags.insert(Request.Flags.end(), {"-ivfsoverlay", Home.file("list.txt")});
  std::string Before = command().Identity;
  write("list.txt", "fun:other\n");
  EXPECT_NE(command().Identity, Before);
}

TEST_F(InputFilesTest, AnotherCompilerIsSeen) {
  std::string Wrapper = Home.file("clang++"), Plain = command().Identity;
  cantFail(writeFile(Wrapper, "#!/bin/sh\nexec " + Tools.Clang + " \"$@\"\n"));
  ASSERT_FALSE(sys::fs::setPermissions(Wrapper, sys::fs::all_all));
  Tools.Clang = Wrapper;
  std::string First = command().Identity;
  EXPECT_NE(First, Plain);
  cantFail(writeFile(Wrapper, "#!/bin/sh\n# Another.\nexec " + cantFail(findClang()) + " \"$@\"\n"));
  ASSERT_FALSE(sys::fs::setPermissions(Wrapper, sys::fs::all_all));
  EXPECT_NE(command().Identity, First);
  cantFail(writeFile(Wrapper, "#!/bin/sh\necho no\n"));
  ASSERT_FALSE(sys::fs::setPermissions(Wrapper, sys::fs::all_all));
  EXPECT_FALSE(InputFiles().commandOf(Tools, Request)) << "it does not tell";
}

} // namespace
