//===- PipelineTextTest.cpp - Pipelines of passes as text ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/PipelineText.h"
#include "gpuprune/Support/Error.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace gpuprune;

/// "NAME[OPTIONS] ..." of what \p Pipeline names, or the error.
static std::string named(StringRef Pipeline) {
  Expected<SmallVector<PassMention, 4>> Passes = passesNamedIn(Pipeline);
  if (!Passes)
    return takeError(Passes.takeError()).Text;
  std::string Result;
  for (const PassMention &Pass : *Passes)
    Result += (Result.empty() ? "" : " ") + Pass.Name.str() + "[" + Pass.Options.str() + "]";
  return Result;
}

TEST(PipelineText, PassesInsideAdaptorsAreNamed) {
  EXPECT_EQ(named(""), "");
  EXPECT_EQ(named("  "), "");
  EXPECT_EQ(named("a,b<x=1;y>"), "a[] b[x=1;y]");
  EXPECT_EQ(named("module(a<x=2>,repeat<2>(function(b , c<y>)),d)"),
            "module[] a[x=2] repeat[2] function[] b[] c[y] d[]");
  EXPECT_EQ(named("cgscc(devirt<4>(inline)),default<O3>"), "cgscc[] devirt[4] inline[] default[O3]");
}

TEST(PipelineText, OptionsOfOthersArePassedOnAsWritten) {
  EXPECT_EQ(named("a<>,b<x=;>"), "a[] b[x=;]");
  EXPECT_EQ(named("p<a,b;f(x)>,q"), "p[a,b;f(x)] q[]");
  EXPECT_EQ(named("print<stack-lifetime><may>"), "print[stack-lifetime><may]");
  EXPECT_EQ(named("p<q<r>;s>(t)"), "p[q<r>;s] t[]");
}

TEST(PipelineText, ErrorsGiveTheColumn) {
  EXPECT_EQ(named("p<x=2"),
            "pipeline 'p<x=2', column 6: expected the '>' for the '<' at column 2, found the end");
  EXPECT_EQ(named(")"), "pipeline ')', column 1: expected the name of a pass, found ')'");
  EXPECT_EQ(named("p)"), "pipeline 'p)', column 2: expected ',' after a pass, found ')'");
  EXPECT_EQ(named("p,"), "pipeline 'p,', column 3: expected the name of a pass, found the end");
  EXPECT_EQ(named("m("), "pipeline 'm(', column 3: expected the name of a pass, found the end");
  EXPECT_EQ(named("m(p"), "pipeline 'm(p', column 4: expected ')', found the end");
  EXPECT_EQ(named("m(p q)"), "pipeline 'm(p q)', column 5: expected ',' or ')' after a pass, found 'q'");
  EXPECT_EQ(named("m(p)q"), "pipeline 'm(p)q', column 5: expected ',' after a pass, found 'q'");
}

TEST(PipelineText, AWholeVariantIsNoPipeline) {
  auto Message = [](StringRef Text) { return takeError(checkNoVariant(Text)).Text; };
  for (StringRef Pipeline : {"", "  ", "p", "module(p<x=-D>)", "blocks", "-X=1 p"})
    EXPECT_FALSE(errorToBool(checkNoVariant(Pipeline))) << Pipeline.str();
  EXPECT_EQ(Message(" -DX=1\t-DY p<a;b>,q "),
            "this is the text of a whole variant, not only its pipeline: give "
            "'-DX=1 -DY' to clang++, and begin the pipeline at 'p<a;b>,q'");
  EXPECT_EQ(Message("block=32"),
            "this is the text of a whole variant, not only its pipeline: launch the kernel "
            "with 'block=32', and use no pipeline");
}

TEST(PipelineText, AVariantsPipelineIsOneOfLLVMs) {
  StringRef Text = "gpu-block-coarsen<x=8;shared=interleaved>,gpu-unroll<loop=1;full>";
  std::vector<PassElement> Pipeline = cantFail(parsePipeline(Text));
  EXPECT_EQ(printPipeline(Pipeline), Text);
  EXPECT_EQ(named(Text), "gpu-block-coarsen[x=8;shared=interleaved] gpu-unroll[loop=1;full]");
}

TEST(PipelineText, AValueMayBeTheNameOfATemplatesInstance) {
  StringRef Text = "p<x=2;kernel=ax<2>>,q<kernel=ns::k<a<b>,4>;y>";
  std::vector<PassElement> Pipeline = cantFail(parsePipeline(Text));
  ASSERT_EQ(Pipeline.size(), 2u);
  EXPECT_EQ(Pipeline[0].value("kernel"), "ax<2>");
  EXPECT_EQ(Pipeline[1].value("kernel"), "ns::k<a<b>,4>");
  EXPECT_EQ(printPipeline(Pipeline), Text);
  for (auto [Wrong, Message] :
       {std::pair("p<k=a<b>", "expected ';' or the '>' for the '<' at column 2, found the end"),
        {"p<k=a<b", "column 6: expected the '>' for this '<', found the end"},
        {"p<k=a<b;c>>", "column 6: expected the '>' for this '<', found ';'"},
        {"p<k=a>b>", "expected ',' between passes, found 'b'"}}) {
    std::string Error = takeError(parsePipeline(Wrong).takeError()).Text;
    EXPECT_TRUE(StringRef(Error).contains(Message)) << Error;
  }
}

TEST(PipelineText, NoInputCrashes) {
  std::mt19937 Random(3);
  StringRef Alphabet = "(),<>;=p1 \t\xff";
  for (int I = 0; I != 50000; ++I) {
    std::string Text;
    for (unsigned Length = Random() % 20; Length; --Length)
      Text += Alphabet[Random() % Alphabet.size()];
    Expected<SmallVector<PassMention, 4>> Passes = passesNamedIn(Text);
    if (!Passes)
      EXPECT_FALSE(takeError(Passes.takeError()).Text.empty());
    else
      for (const PassMention &Pass : *Passes)
        EXPECT_FALSE(Pass.Name.empty()) << Text;
  }
  EXPECT_FALSE(errorToBool(passesNamedIn(std::string(100000, 'a') + "(b)").takeError()));
  std::string Deep;
  for (int I = 0; I != 100000; ++I)
    Deep += "m(";
  EXPECT_TRUE(errorToBool(passesNamedIn(Deep).takeError()));
}
