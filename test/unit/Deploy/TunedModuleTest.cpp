//===- TunedModuleTest.cpp - Tests of putting a tuned kernel into a module ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TunedModule.h"
#include "../ExpectedTesting.h"
#include "DeployTesting.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

namespace {

constexpr char TunedName[] = "kernel$gpuprune$1";

/// What the author's file has: variables of all kinds.
constexpr StringLiteral Author = R"(
%struct.Pair = type { float, ptr }
@last = addrspace(4) externally_initialized global [3 x float] zeroinitializer, align 4
@_ZL5state = internal addrspace(1) global %struct.Pair { float 1.0, ptr addrspacecast (ptr addrspace(1) @counter to ptr) }, align 16
@counter = addrspace(1) global i32 7, align 4
@odr = linkonce_odr hidden unnamed_addr addrspace(4) constant i32 3, align 4
@_ZL5table = internal unnamed_addr addrspace(4) constant [2 x float] [float 1.0, float 2.0], align 4
@tile = internal addrspace(3) global [32 x float] undef, align 4
@dynamic = external addrspace(3) global [0 x float], align 4
@elsewhere = external addrspace(1) global i32
@weak = extern_weak addrspace(1) global i8
@llvm.used = appending global [1 x ptr] [ptr @kernel], section "llvm.metadata"
@llvm.global.annotations = appending global [1 x ptr] [ptr @kernel], section "llvm.metadata"
define ptx_kernel void @kernel(ptr %p) {
  %x = call float @once(float 1.0)
  store float %x, ptr %p
  ret void
}
define float @once(float %x) {
  %w = load float, ptr addrspace(4) @last
  %t = load float, ptr addrspace(4) @_ZL5table
  %s = load float, ptr addrspace(1) @_ZL5state
  %weak = load i8, ptr addrspace(1) @weak
  store float %w, ptr addrspace(3) @tile
  store float %w, ptr addrspace(3) @dynamic
  %n = load i32, ptr addrspace(1) @counter
  %o = load i32, ptr addrspace(4) @odr
  %e = load i32, ptr addrspace(1) @elsewhere
  %a = call float @llvm.nvvm.sqrt.rn.f(float %t)
  %b = call float @theirs(float %s)
  ret float %b
}
declare float @llvm.nvvm.sqrt.rn.f(float)
declare float @theirs(float)
)";

std::string replaced(std::string Text, StringRef From, StringRef To) {
  size_t At = Text.find(From);
  EXPECT_NE(At, std::string::npos) << From.str();
  return At == std::string::npos ? Text : Text.replace(At, From.size(), To);
}

/// Each function and variable, in order, as text.
std::vector<std::string> objectsOf(const Module &M) {
  std::vector<std::string> Texts;
  for (const GlobalVariable &V : M.globals())
    raw_string_ostream(Texts.emplace_back()) << V;
  for (const Function &F : M)
    raw_string_ostream(Texts.emplace_back()) << F;
  return Texts;
}

/// A module of the author's and what becomes of it.
class TunedModuleTest : public testing::Test {
protected:
  LLVMContext Context;
  std::unique_ptr<Module> Into = parseDevice(Context, Author);
  unsigned Instructions = 0;
  StringRef MadeByO3; ///< A variable that the source does not have.

  Error add(StringRef Tuned, StringRef Symbol = "kernel", StringRef Name = TunedName) {
    return addTunedKernel(
        *Into, parseDevice(Context, Tuned), Symbol, Name, [&](StringRef V) { return V != MadeByO3; },
        Instructions);
  }
  /// Of adding what is the author's, \p From in it replaced by \p To. The author's module stays as it was.
  std::string problemOf(StringRef From, StringRef To) {
    std::string Before = textOf(*Into);
    std::string Said = inputErrorOf(add(replaced(Author.str(), From, To)));
    EXPECT_EQ(textOf(*Into), Before);
    return Said;
  }
  GlobalVariable &variable(StringRef Name) {
    GlobalVariable *V = Into->getNamedGlobal(Name);
    EXPECT_NE(V, nullptr) << Name.str() << " in\n" << textOf(*Into);
    return V ? *V : *Into->getNamedGlobal("counter");
  }
  /// Whether the function \p Of names the variable \p Name.
  bool uses(StringRef Of, StringRef Name) {
    return any_of(variable(Name).users(), [&](User *U) {
      auto *I = dyn_cast<Instruction>(U);
      return I && I->getFunction()->getName() == Of;
    });
  }
};

} // namespace

TEST_F(TunedModuleTest, PutsTheKernelBesideTheAuthors) {
  std::string Faster = replaced(Author.str(), "float 1.0)\n  store", "float 2.0)\n  store");
  ASSERT_FALSE(errorToBool(add(Faster)));
  EXPECT_FALSE(verifyModule(*Into, &errs()));
  Function *Tuned = Into->getFunction(TunedName), *Authors = Into->getFunction("kernel");
  ASSERT_TRUE(Tuned && Authors);
  EXPECT_EQ(Tuned->getCallingConv(), CallingConv::PTX_Kernel);
  EXPECT_EQ(Tuned->getLinkage(), Authors->getLinkage());
  EXPECT_NE(textOf(*Into).find("call float @\"once$gpuprune$1\"(float 2"), std::string::npos)
      << textOf(*Into);
  EXPECT_NE(textOf(*Into).find("call float @once(float 1"), std::string::npos);
  EXPECT_EQ(Instructions, Authors->getInstructionCount() + Into->getFunction("once")->getInstructionCount());
  EXPECT_TRUE(Into->getFunction("once$gpuprune$1")->hasInternalLinkage());
}

TEST_F(TunedModuleTest, NothingOfTheAuthorsChanges) {
  std::vector<std::string> Before = objectsOf(*Into);
  size_t Variables = Into->global_size(), Functions = Into->size();
  // Another order, and other properties of what is the same variable.
  std::string Tuned = replaced(Author.str(), "@counter = addrspace(1) global i32 7, align 4\n", "");
  Tuned = "@counter = protected addrspace(1) global i32 7, align 4\n" + Tuned;
  Tuned = replaced(Tuned, "linkonce_odr hidden unnamed_addr", "linkonce_odr");
  Tuned = replaced(Tuned, "global [0 x float], align 4", "global [0 x float], align 16");
  ASSERT_FALSE(errorToBool(add(Tuned)));
  std::vector<std::string> After = objectsOf(*Into);
  ASSERT_EQ(Into->global_size(), Variables + 2) << "tile and dynamic of its own";
  ASSERT_EQ(Into->size(), Functions + 2);
  After.erase(After.begin() + Into->global_size() + Functions, After.end());
  After.erase(After.begin() + Variables, After.begin() + Into->global_size());
  EXPECT_EQ(After, Before);
}

TEST_F(TunedModuleTest, SharesWhatOthersSeeAndCopiesTheRest) {
  ASSERT_FALSE(errorToBool(add(Author)));
  for (StringRef Shared : {"last", "_ZL5state", "_ZL5table", "counter", "odr", "elsewhere", "weak"}) {
    EXPECT_TRUE(uses("once", Shared)) << Shared.str();
    EXPECT_TRUE(uses("once$gpuprune$1", Shared)) << Shared.str();
    EXPECT_EQ(Into->getNamedGlobal((Shared + "$gpuprune$1").str()), nullptr);
  }
  for (StringRef Copied : {"tile", "dynamic"}) {
    std::string Own = (Copied + "$gpuprune$1").str();
    EXPECT_TRUE(uses("once", Copied)) << Copied.str();
    EXPECT_FALSE(uses("once$gpuprune$1", Copied)) << Copied.str();
    EXPECT_TRUE(uses("once$gpuprune$1", Own)) << Own;
    EXPECT_FALSE(variable(Own).hasGlobalUnnamedAddr()) << "the author's may be taken for it";
    if (!variable(Own).isDeclaration())
      EXPECT_EQ(variable(Own).getInitializer(), variable(Copied).getInitializer());
  }
}

TEST_F(TunedModuleTest, DynamicSharedMemoryHasTheAlignmentThatTheTunedKernelNeeds) {
  ASSERT_FALSE(errorToBool(
      add(replaced(Author.str(), "global [0 x float], align 4", "global [0 x float], align 16"))));
  EXPECT_EQ(variable("dynamic").getAlign(), Align(4));
  EXPECT_EQ(variable("dynamic$gpuprune$1").getAlign(), Align(16));
  EXPECT_TRUE(variable("dynamic$gpuprune$1").hasExternalLinkage());
}

TEST_F(TunedModuleTest, ArraysOfItsOwnAreAdded) {
  std::string Tuned = replaced(Author.str(), "store float %w, ptr addrspace(3) @tile",
                               "store float %w, ptr addrspace(3) @tile.coarse");
  Tuned += "@tile.coarse = internal addrspace(3) global [32 x [4 x float]] undef, align 16\n";
  ASSERT_FALSE(errorToBool(add(Tuned)));
  EXPECT_EQ(variable("tile.coarse$gpuprune$1").getAlign(), Align(16));
  EXPECT_EQ(Into->getNamedGlobal("tile$gpuprune$1"), nullptr);
}

TEST_F(TunedModuleTest, SeveralKernelsAreAddedOneAfterTheOther) {
  ASSERT_FALSE(errorToBool(add(Author)));
  ASSERT_FALSE(errorToBool(add(Author, "kernel", "kernel$gpuprune$2")));
  EXPECT_FALSE(verifyModule(*Into, &errs()));
  EXPECT_TRUE(uses("once$gpuprune$2", "counter"));
  EXPECT_TRUE(uses("once$gpuprune$2", "tile$gpuprune$2"));
  std::string Before = textOf(*Into);
  EXPECT_EQ(inputErrorOf(add(Author)), "the file has a symbol 'kernel$gpuprune$1' already");
  EXPECT_EQ(textOf(*Into), Before);
}

TEST_F(TunedModuleTest, HasTheLinkageOfTheAuthorsKernel) {
  for (auto [Written, Linkage] :
       {std::pair<StringRef, GlobalValue::LinkageTypes>{"weak_odr ptx_kernel", GlobalValue::WeakODRLinkage},
        {"internal ptx_kernel", GlobalValue::ExternalLinkage},
        {"ptx_kernel", GlobalValue::ExternalLinkage}}) {
    std::string Text = ("define " + Written + " void @kernel(ptr %p) {\n  ret void\n}\n").str();
    Into = parseDevice(Context, Text);
    ASSERT_FALSE(errorToBool(add(Text)));
    EXPECT_EQ(Into->getFunction(TunedName)->getLinkage(), Linkage) << Written.str();
  }
}

TEST_F(TunedModuleTest, AVariableThatWasMovedOrChangedIsRefused) {
  std::pair<StringRef, StringRef> Changes[] = {
      {"{ float 1.0, ptr addrspacecast (ptr addrspace(1) @counter to ptr) }",
       "{ float 2.0, ptr addrspacecast (ptr addrspace(1) @counter to ptr) }"},
      {"{ float 1.0, ptr addrspacecast (ptr addrspace(1) @counter to ptr) }", "{ float 1.0, ptr null }"},
      {"{ float 1.0, ptr addrspacecast (ptr addrspace(1) @counter to ptr) }",
       "{ float 1.0, ptr addrspacecast (ptr addrspace(1) @elsewhere to ptr) }"},
      {"{ float 1.0, ptr addrspacecast (ptr addrspace(1) @counter to ptr) }", "zeroinitializer"},
      {"@_ZL5state = internal addrspace(1)", "@_ZL5state = internal thread_local addrspace(1)"},
  };
  for (auto [From, To] : Changes)
    EXPECT_EQ(problemOf(From, To), "the tuned kernel has moved or changed the variable '_ZL5state', and what "
                                   "the program does with it would not reach it")
        << To.str();
  EXPECT_NE(problemOf("[3 x float] zeroinitializer", "[4 x float] zeroinitializer").find("variable 'last'"),
            std::string::npos);
  EXPECT_NE(problemOf("addrspace(4) externally_initialized global [3 x float] zeroinitializer",
                      "addrspace(4) externally_initialized global [3 x i32] zeroinitializer")
                .find("variable 'last'"),
            std::string::npos);
  std::string Moved = replaced(replaced(Author.str(), "@counter = addrspace(1)", "@counter = addrspace(4)"),
                               "%n = load i32, ptr addrspace(1)", "%n = load i32, ptr addrspace(4)");
  Moved = replaced(Moved, "ptr addrspacecast (ptr addrspace(1) @counter to ptr)",
                   "ptr addrspacecast (ptr addrspace(4) @counter to ptr)");
  EXPECT_NE(inputErrorOf(add(Moved)).find("has moved or changed the variable"), std::string::npos);
}

TEST_F(TunedModuleTest, AStructureOfAnotherLayoutIsRefused) {
  std::string Initial = "{ float 1.0, ptr addrspacecast (ptr addrspace(1) @counter to ptr) }";
  std::string Zeroed = replaced(Author.str(), Initial, "zeroinitializer");
  Into = parseDevice(Context, Zeroed);
  for (StringRef Layout : {"<{ float, ptr }>", "{ float }", "{ float, i64 }", "{ float, { ptr } }"})
    EXPECT_NE(inputErrorOf(add(replaced(Zeroed, "{ float, ptr }", Layout))).find("variable '_ZL5state'"),
              std::string::npos)
        << Layout.str();
  EXPECT_FALSE(errorToBool(add(Zeroed)));
}

TEST_F(TunedModuleTest, AVariableThatTheAuthorsCodeHasLostIsRefused) {
  std::string Text = replaced(Author.str(), "  %s = load float, ptr addrspace(1) @_ZL5state\n", "");
  Text = replaced(replaced(Text, "float @theirs(float %s)", "float @theirs(float %t)"),
                  "@_ZL5state = internal", "@gone = internal");
  Into = parseDevice(Context, Text);
  EXPECT_NE(inputErrorOf(add(Author)).find("variable '_ZL5state'"), std::string::npos);
  Text = replaced(Author.str(), "@counter = addrspace(1) global i32 7",
                  "@counter = external addrspace(1) global i32");
  Into = parseDevice(Context, Text);
  EXPECT_NE(inputErrorOf(add(Author)).find("variable 'counter'"), std::string::npos);
}

TEST_F(TunedModuleTest, AConstantThatTheAuthorsCodeHasNotIsCopiedUnlessItsAddressMatters) {
  MadeByO3 = "_ZL5table";
  ASSERT_FALSE(errorToBool(add(Author)));
  EXPECT_TRUE(uses("once", "_ZL5table"));
  EXPECT_FALSE(uses("once$gpuprune$1", "_ZL5table"));
  EXPECT_TRUE(uses("once$gpuprune$1", "_ZL5table$gpuprune$1"));
  EXPECT_FALSE(variable("_ZL5table$gpuprune$1").hasGlobalUnnamedAddr()) << "the author's may be taken for it";
  EXPECT_EQ(variable("_ZL5table$gpuprune$1").getInitializer(), variable("_ZL5table").getInitializer());

  Into = parseDevice(Context, Author);
  std::string Loaded = replaced(Author.str(), "internal unnamed_addr addrspace(4)", "internal addrspace(4)");
  EXPECT_FALSE(errorToBool(add(Loaded))) << "loads alone";

  Into = parseDevice(Context, Author);
  std::string Compared =
      replaced(Loaded, "  store float %x, ptr %p\n",
               "  %same = icmp eq ptr %p, addrspacecast (ptr addrspace(4) @_ZL5table to ptr)\n"
               "  %y = select i1 %same, float 1.0, float %x\n  store float %y, ptr %p\n");
  EXPECT_NE(inputErrorOf(add(Compared)).find("variable '_ZL5table'"), std::string::npos);
  MadeByO3 = "";
  Into = parseDevice(Context, Author);
  EXPECT_FALSE(errorToBool(add(Compared))) << "the author's is there";
}

TEST_F(TunedModuleTest, AVariableOfTheNameThatO3HasMadeIsRefused) {
  MadeByO3 = "_ZL5state"; // A part of a structure that was divided; its number may be another's.
  EXPECT_NE(inputErrorOf(add(Author)).find("variable '_ZL5state'"), std::string::npos);
}

TEST_F(TunedModuleTest, AVariableThatIsReadInLargerPiecesIsRefused) {
  EXPECT_EQ(
      problemOf("global i32 7, align 4", "global i32 7, align 8"),
      "the tuned kernel reads the variable 'counter' in larger pieces than it is aligned for in the author's "
      "code");
  EXPECT_FALSE(errorToBool(add(replaced(Author.str(), "global i32 7, align 4", "global i32 7, align 2"))));
}

TEST_F(TunedModuleTest, AFunctionWhoseAddressIsUsedIsRefused) {
  EXPECT_EQ(problemOf("  store float %x, ptr %p\n", "  store ptr @once, ptr %p\n"),
            "the kernel uses the address of 'once', and the tuned one would have another");
}

TEST_F(TunedModuleTest, AVariableThatEachFileHasForItselfIsRefusedInTemplates) {
  // As clang's front end leaves it, and as it is after -O3.
  std::string Weak = replaced(Author.str(), "define ptx_kernel", "define weak_odr ptx_kernel");
  std::string Comdat =
      "$kernel = comdat any\n" + replaced(Author.str(), "@kernel(ptr %p) {", "@kernel(ptr %p) comdat {");
  for (const std::string &Template : {Weak, Comdat}) {
    Into = parseDevice(Context, Template);
    EXPECT_EQ(inputErrorOf(add(Template)),
              "several files may have the kernel, each with a variable '_ZL5state' of its own");
    std::string Inline = replaced(Template, "@_ZL5state = internal", "@_ZL5state = linkonce_odr");
    Into = parseDevice(Context, Inline);
    EXPECT_EQ(inputErrorOf(add(Inline)),
              "several files may have the kernel, each with a variable '_ZL5state' of its own");
    std::string Known = replaced(Template, "@_ZL5state = internal", "@_ZL5state =");
    Into = parseDevice(Context, Known);
    EXPECT_FALSE(errorToBool(add(Known))) << "no two files can have it";
  }
  std::string Fixed =
      "define weak_odr ptx_kernel void @fixed(ptr %p) {\n"
      "  %t = load float, ptr addrspace(4) @_ZL5table\n  store float %t, ptr %p\n  ret void\n}\n";
  Into = parseDevice(Context, Author.str() + Fixed);
  EXPECT_FALSE(errorToBool(add(Author.str() + Fixed, "fixed", "fixed$gpuprune$1"))) << "constants are alike";
}

TEST_F(TunedModuleTest, AKernelThatIsNotThereIsRefused) {
  std::string Before = textOf(*Into);
  EXPECT_EQ(inputErrorOf(add(Author, "other", "other$gpuprune$1")), "the tuned kernel is missing after -O3");
  EXPECT_EQ(inputErrorOf(add(Author.str() + "define ptx_kernel void @other() {\n  ret void\n}\n", "other",
                             "other$gpuprune$1")),
            "the author's kernel is gone after -O3");
  EXPECT_EQ(inputErrorOf(add(Author.str() + "@alias = alias i32, ptr addrspace(1) @counter\n")),
            "the file has an alias or assembly at module level");
  EXPECT_EQ(inputErrorOf(add(Author.str() + "module asm \"// hello\"\n")),
            "the file has an alias or assembly at module level");
  EXPECT_EQ(inputErrorOf(add(Author, "kernel", "counter")), "the file has a symbol 'counter' already");
  EXPECT_EQ(textOf(*Into), Before);
}
