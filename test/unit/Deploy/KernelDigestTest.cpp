//===- KernelDigestTest.cpp - Tests of what makes a kernel another one ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Deploy/KernelDigest.h"
#include "../ExpectedTesting.h"
#include "DeployTesting.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

namespace {

constexpr StringLiteral Types = "%struct.Pair = type { float, i32 }\n%struct.Other = type { i32 }\n";
constexpr StringLiteral Variables = R"(
@weights = addrspace(4) externally_initialized global [3 x float] zeroinitializer, align 4
@_ZL5table = internal addrspace(4) constant [2 x float] [float 1.0, float 2.0], align 4
@tile = internal addrspace(3) global [32 x float] undef, align 4
@state = addrspace(1) global %struct.Pair zeroinitializer, align 4
@.str = private unnamed_addr constant [3 x i8] c"%d\00", align 1
)";
constexpr StringLiteral Callee = R"(
define internal float @_ZL4oncef(float %x) #1 {
  %y = fmul contract float %x, 2.0
  ret float %y
}
)";
constexpr StringLiteral Kernel = R"(
define ptx_kernel void @_Z6kernelPfi(ptr %out, i32 %n) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void asm sideeffect "// here", ""(), !srcloc !20
  %weight = load float, ptr addrspace(4) @weights, align 4, !tbaa !3
  %entry2 = load float, ptr addrspace(4) getelementptr inbounds (i8, ptr addrspace(4) @_ZL5table, i64 4), align 4, !tbaa !3
  store float %entry2, ptr addrspace(3) @tile, align 4, !tbaa !3
  %known = load i32, ptr addrspace(1) getelementptr inbounds (%struct.Pair, ptr addrspace(1) @state, i32 0, i32 1), align 4, !tbaa !8
  %said = call i32 @vprintf(ptr @.str, ptr null)
  %sum = fadd contract float %weight, %entry2
  %result = call contract float @_ZL4oncef(float %sum)
  %root = call contract float @llvm.nvvm.sqrt.rn.f(float %result)
  %taken = icmp slt i32 %tid, %n
  br i1 %taken, label %then, label %end
then:
  store float %root, ptr %out, align 4, !tbaa !3
  br label %end
end:
  ret void
}
)";
constexpr StringLiteral Declared = R"(
declare i32 @vprintf(ptr, ptr)
declare float @llvm.nvvm.sqrt.rn.f(float)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { convergent "nvvm.maxntid"="256" "target-cpu"="sm_90" }
attributes #1 = { noinline }
)";
constexpr StringLiteral Facts = R"(
!llvm.module.flags = !{!0, !1}
!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{!4, !4, i64 0}
!4 = !{!"float", !5, i64 0}
!5 = !{!"omnipotent char", !6, i64 0}
!6 = !{!"Simple C++ TBAA"}
!7 = !{!"int", !5, i64 0}
!8 = !{!9, !7, i64 4}
!9 = !{!"_ZTS4Pair", !4, i64 0, !7, i64 4}
!20 = !{i64 1234}
)";

std::string file(std::initializer_list<StringRef> Parts) {
  std::string Text;
  for (StringRef Part : Parts)
    Text += Part;
  return Text;
}

std::string base() { return file({Types, Variables, Callee, Kernel, Declared, Facts}); }

std::string replaced(std::string Text, StringRef From, StringRef To) {
  EXPECT_TRUE(StringRef(Text).contains(From)) << From.str();
  for (size_t At = 0; (At = Text.find(From, At)) != std::string::npos; At += To.size())
    Text.replace(At, From.size(), To);
  return Text;
}

std::string digest(StringRef Text, StringRef Symbol = "_Z6kernelPfi") {
  return valueOf(kernelDigest(deviceBitcode(Text), Symbol));
}

} // namespace

TEST(StableSymbol, DropsWhatMakesAnInternalNameUnique) {
  for (auto [Symbol, Stable] : {std::pair<StringRef, StringRef>{"_Z6kernelPfi", "_Z6kernelPfi"},
                                {"_ZL3ownPf__intern__0123456789abcdef", "_ZL3ownPf"},
                                {"_ZL3ownPf__static__ff", "_ZL3ownPf"},
                                {"_ZL3ownPf__intern__", "_ZL3ownPf__intern__"},
                                {"_ZL3ownPf__intern__xyz", "_ZL3ownPf__intern__xyz"},
                                {"a__intern__1__intern__2", "a__intern__1"},
                                {"__intern__12", "__intern__12"},
                                {"__static__12", "__static__12"},
                                {"", ""}})
    EXPECT_EQ(stableSymbol(Symbol), Stable);
}

TEST(KernelDigest, IsSha256) {
  std::string Digest = digest(base());
  EXPECT_EQ(Digest.size(), 64u);
  EXPECT_TRUE(all_of(Digest, isHexDigit)) << Digest;
  EXPECT_EQ(digest(base()), Digest);
}

TEST(KernelDigest, NamesDoNotCount) {
  std::string Digest = digest(base());
  std::pair<StringRef, StringRef> Renamed[] = {{"%tid", "%thread"},
                                               {"entry:", "begin:"},
                                               {"%then", "%inside"},
                                               {"%struct.Pair", "%struct.Couple"},
                                               {"_ZTS4Pair", "_ZTS6Couple"},
                                               {"@.str", "@.str.7"},
                                               {"@_ZL5table", "@_ZL5table.1"},
                                               {"@_ZL4oncef", "@_ZL5twicef"},
                                               {"@tile", "@tile__2"}};
  for (auto [From, To] : Renamed) {
    std::string Text = replaced(base(), From, To);
    if (From == "%then")
      Text = replaced(Text, "then:", "inside:");
    EXPECT_EQ(digest(Text), Digest) << From.str();
  }
}

TEST(KernelDigest, OrderInTheFileDoesNotCount) {
  std::string Digest = digest(base());
  EXPECT_EQ(digest(file({Types, Kernel, Callee, Variables, Declared, Facts})), Digest);
  EXPECT_EQ(digest(file({Types, Facts, Declared, Variables, Kernel, Callee})), Digest);
  std::string Reversed;
  SmallVector<StringRef, 8> Lines;
  StringRef(Variables).split(Lines, '\n');
  for (StringRef Line : reverse(Lines))
    Reversed += (Line + "\n").str();
  EXPECT_EQ(digest(file({Types, Reversed, Callee, Kernel, Declared, Facts})), Digest);
}

TEST(KernelDigest, WhatElseIsInTheFileDoesNotCount) {
  std::string Digest = digest(base());
  constexpr StringLiteral Others = R"(
%struct.First = type { i64 }
@.str.0 = private unnamed_addr constant [2 x i8] c"a\00", align 1
@other = addrspace(1) global %struct.First zeroinitializer, align 8
@llvm.used = appending global [1 x ptr] [ptr @before], section "llvm.metadata"
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(4) @weights to ptr)], section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @before, ptr @.str.0, ptr @.str.0, i32 7, ptr null }], section "llvm.metadata"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #7
define ptx_kernel void @before(ptr %p) #8 {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %root = call float @llvm.nvvm.sqrt.rn.f(float 2.0)
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %said = call i32 @vprintf(ptr @.str.0, ptr @.str)
  store i32 %block, ptr %p, !tbaa !100
  ret void
}
attributes #7 = { nounwind }
attributes #8 = { "nvvm.maxntid"="1" }
!nvvm.annotations = !{!99}
!99 = !{ptr @before, !"maxnreg", i32 5}
!100 = !{!101, !101, i64 0}
!101 = !{!"_ZTS5First", !5, i64 0}
!llvm.ident = !{!102}
!102 = !{!"another clang"}
)";
  for (const std::string &Text : {file({Others, Types, Variables, Callee, Kernel, Declared, Facts}),
                                  file({Types, Variables, Callee, Kernel, Declared, Facts, Others}),
                                  "source_filename = \"elsewhere.cu\"\n" + base()})
    EXPECT_EQ(digest(Text), Digest);
  std::string Flags =
      replaced(base(), "!{!0, !1}", "!{!1, !120}") + "!120 = !{i32 7, !\"PIC Level\", i32 2}\n";
  EXPECT_EQ(digest(Flags), Digest);
}

TEST(KernelDigest, PlacesDoNotCount) {
  std::string Text = replaced(base(), "i64 1234", "i64 99");
  EXPECT_EQ(digest(Text), digest(base()));
  Text = replaced(base(), "!{!0, !1}", "!{!0, !1, !30}");
  Text = replaced(Text, "i32 %n) #0 {", "i32 %n) #0 !dbg !32 {");
  Text =
      replaced(Text, "%taken = icmp slt i32 %tid, %n",
               "%taken = icmp slt i32 %tid, %n, !dbg !34\n  #dbg_value(i32 %tid, !35, !DIExpression(), !34)");
  Text += R"(
!llvm.dbg.cu = !{!31}
!30 = !{i32 2, !"Debug Info Version", i32 3}
!31 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !33, emissionKind: FullDebug)
!32 = distinct !DISubprogram(name: "kernel", file: !33, line: 3, type: !36, unit: !31, spFlags: DISPFlagDefinition)
!33 = !DIFile(filename: "a.cu", directory: "/home")
!34 = !DILocation(line: 4, scope: !32)
!35 = !DILocalVariable(name: "tid", scope: !32, file: !33, line: 4)
!36 = !DISubroutineType(types: !37)
!37 = !{null}
)";
  EXPECT_EQ(digest(Text), digest(base()));
}

TEST(KernelDigest, UniqueSuffixesDoNotCount) {
  auto Own = [](StringRef Suffix) {
    std::string Text = replaced(base(), "@_Z6kernelPfi", ("@_ZL6kernelPfi" + Suffix).str());
    return digest(replaced(Text, "@state", ("@_ZL5state" + Suffix).str()), ("_ZL6kernelPfi" + Suffix).str());
  };
  EXPECT_EQ(Own("__intern__00ff"), Own("__intern__ff00"));
  EXPECT_EQ(Own("__intern__00ff"), Own("__static__1"));
  EXPECT_EQ(Own("__intern__00ff"), Own(""));
}

TEST(KernelDigest, CodeThatNothingComesToDoesNotCount) {
  // Only where the file names its intrinsics; what is there goes before anything else is done.
  std::string Dead = replaced(base(), "end:\n", R"(dead:
  %second = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %first = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %end
end:
)");
  constexpr StringLiteral X = "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n";
  constexpr StringLiteral Y = "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()\n";
  EXPECT_EQ(digest(file({X, Y, Dead})), digest(base()));
  EXPECT_EQ(digest(file({Y, X, Dead})), digest(base()));
}

TEST(KernelDigest, WhatIsComputedCounts) {
  std::pair<StringRef, StringRef> Changed[] = {
      {"float %x, 2.0", "float %x, 3.0"},                               // A constant, in a callee.
      {"@_ZL5table, i64 4", "@_ZL5table, i64 0"},                       // A constant in an expression.
      {"fmul contract", "fmul"},                                        // Fast-math flags,
      {"call contract float @_ZL4oncef", "call fast float @_ZL4oncef"}, // of a call, too.
      {"{ noinline }", "{ alwaysinline }"},                             // An attribute.
      {"\"target-cpu\"=\"sm_90\"", "\"target-cpu\"=\"sm_80\""},         // The architecture.
      {"\"nvvm.maxntid\"=\"256\"", "\"nvvm.maxntid\"=\"128\""},         // Launch bounds.
      {"@llvm.nvvm.sqrt.rn.f", "@llvm.nvvm.sqrt.approx.f"},             // What is called.
      {"@vprintf", "@__printf"},                                        // Somebody else's.
      {"[float 1.0, float 2.0]", "[float 1.0, float 3.0]"},             // A table.
      {"c\"%d\\00\"", "c\"%u\\00\""},                                   // A text.
      {"@weights", "@weigths"},                                         // What the host writes.
      {"[32 x float]", "[64 x float]"},                                 // Shared memory.
      {"!\"nvvm-reflect-ftz\", i32 0", "!\"nvvm-reflect-ftz\", i32 1"}, // Flags.
      {"!{!0, !1}", "!{!0}"},
      {"ptr %out, align 4", "ptr %out, align 8"},
      {"\"// here\"", "\"// there\""},
      {"i32 0, i32 1), align 4, !tbaa !8", "i32 0, i32 1), align 4"},
      {"type { float, i32 }", "type { float, i64 }"},
      {"icmp slt", "icmp ult"},
      {"externally_initialized global", "externally_initialized constant"},
      {"@tile = internal addrspace(3) global", "@tile = external addrspace(3) global"}};
  std::set<std::string> Digests = {digest(base())};
  for (auto [From, To] : Changed) {
    std::string Text = replaced(base(), From, To);
    if (StringRef(To).contains("external addrspace(3)"))
      Text = replaced(Text, "[32 x float] undef", "[32 x float]");
    EXPECT_TRUE(Digests.insert(digest(Text)).second) << From.str() << " -> " << To.str();
  }
  std::string Annotated =
      base() + "!nvvm.annotations = !{!90}\n!90 = !{ptr @_Z6kernelPfi, !\"maxnreg\", i32 ";
  EXPECT_TRUE(Digests.insert(digest(Annotated + "32}\n")).second);
  EXPECT_TRUE(Digests.insert(digest(Annotated + "64}\n")).second);
}

TEST(KernelDigest, WhatLooksLikeACommentCounts) {
  std::string Text = replaced(base(), "[3 x i8] c\"%d\\00\"", "[23 x i8] c\"0:  ; preds = %d  0123\\00\"");
  EXPECT_NE(digest(Text), digest(replaced(Text, "0123", "0124")));
}

TEST(KernelDigest, WhatTheCompilerHasAnsweredIsAsked) {
  constexpr StringLiteral Asks = R"(
define internal float @_ZL4oncef(float %x) #1 {
  %ftz = call i32 @__nvvm_reflect(ptr @.ask)
  %flushes = icmp ne i32 %ftz, 0
  br i1 %flushes, label %flushing, label %exact
flushing:
  %a = fmul contract float %x, 4.0
  br label %end
exact:
  %b = fmul contract float %x, 2.0
  br label %end
end:
  %y = phi float [ %a, %flushing ], [ %b, %exact ]
  ret float %y
}
@.ask = private unnamed_addr constant [11 x i8] c"__CUDA_FTZ\00", align 1
declare i32 @__nvvm_reflect(ptr)
)";
  std::string Asking = file({Types, Variables, Asks, Kernel, Declared, Facts});
  std::string Knowing = replaced(Asking, R"(
  %ftz = call i32 @__nvvm_reflect(ptr @.ask)
  %flushes = icmp ne i32 %ftz, 0
  br i1 %flushes, label %flushing, label %exact
)",
                                 R"(
  br label %exact
)");
  EXPECT_EQ(digest(Asking), digest(Knowing));
  EXPECT_NE(
      digest(replaced(Asking, "i32 4, !\"nvvm-reflect-ftz\", i32 0", "i32 4, !\"nvvm-reflect-ftz\", i32 1")),
      digest(Knowing));
}

TEST(KernelDigest, TypesOfTheAuthorsThatMayAliasStayApart) {
  auto With = [](StringRef First, StringRef Second) {
    std::string Text = replaced(base(), "store float %entry2, ptr addrspace(3) @tile, align 4, !tbaa !3",
                                "store float %entry2, ptr addrspace(3) @tile, align 4, !tbaa !50");
    return digest(replaced(Text, "_ZTS4Pair", First) + "!50 = !{!51, !4, i64 0}\n!51 = !{!\"" + Second.str() +
                  "\", !4, i64 0, !7, i64 4}\n");
  };
  EXPECT_NE(With("_ZTS4Pair", "_ZTS4Pair"), With("_ZTS4Pair", "_ZTS5Other"));
  EXPECT_EQ(With("_ZTS4Pair", "_ZTS5Other"), With("_ZTS5Other", "_ZTS4Pair"));
}

TEST(KernelDigest, WhatIsNoKernelIsAnError) {
  EXPECT_NE(inputErrorOf(kernelDigest("no bitcode", "_Z6kernelPfi").takeError()).find("cannot read"),
            std::string::npos);
  for (StringRef Symbol : {"_ZL4oncef", "weights", "nothing", "vprintf", ""})
    EXPECT_NE(inputErrorOf(kernelDigest(deviceBitcode(base()), Symbol).takeError()).find("has no kernel"),
              std::string::npos)
        << Symbol.str();
}

TEST(KernelDigest, AFileWithAliasesAndAssemblyHasOne) {
  std::string Digest =
      digest(base() + "module asm \"// hello\"\n@alias = alias float (float), ptr @_ZL4oncef\n@others = "
                      "alias void (), ptr @gone\ndefine void @gone() {\n  ret void\n}\n");
  EXPECT_EQ(Digest.size(), 64u);
}
