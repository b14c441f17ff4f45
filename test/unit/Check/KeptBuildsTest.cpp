//===- KeptBuildsTest.cpp - What earlier runs have compiled and checked -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/KeptBuilds.h"
#include "ExpectedTesting.h"
#include "OwnClang.h"
#include "gpuprune/Check/CpuCheck.h"
#include "gpuprune/CodeGen/CodeRecords.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Variant/VariantBuilder.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace gpuprune;
using test::valueOf;

namespace {

constexpr const char *Checked = GPUPRUNE_SOURCE_DIR "/test/unit/Check/Inputs/checked";
constexpr const char *Matmul = GPUPRUNE_SOURCE_DIR "/kernels/matmul";

/// Everything that a run knows of a variant once it is built.
struct Built {
  std::string Ptx, Symbol, FinalBitcode, Kernel, CodeIdentity, MachineCode, Resources, Message;
  VariantStatus Status = VariantStatus::Ok;
  std::optional<RefusalKind> Refusal;
  std::optional<double> Instr, Regions, Efficiency, Utilization;
  std::string Cubin; ///< The bytes of the file.

  bool operator==(const Built &) const = default;
};

class KeptBuildsTest : public testing::Test {
protected:
  KeptBuildsTest() { initializeCodeGen(); }

  test::OwnClang Clang;
  TemporaryDirectory Home = cantFail(TemporaryDirectory::create());
  std::string Identity = "this build";
  std::string Ptxas; ///< Empty: the usual one.
  std::string Device = "sm_90";
  std::function<void(std::string &Yaml)> Edit = [](std::string &) {};
  CompileCacheUse Used; ///< By the last run.

  KeptBuilds keptBuilds(bool Fresh = false) {
    return KeptBuilds(Home.file("cache"), CompileCache::DefaultLimit, Fresh, Identity);
  }

  TuningTarget target(StringRef Folder) {
    TuningTarget Target = valueOf(loadTarget(Folder, Device));
    Edit(Target.WorkloadText);
    Target.W = valueOf(parseWorkload(Target.WorkloadText, Target.W.Path));
    if (!Ptxas.empty())
      Target.Tools.Ptxas = Ptxas;
    return Target;
  }

  static Built factsOf(const BuiltVariant &V) {
    Built Facts{V.Ptx,
                V.Symbol,
                V.FinalBitcode.str().str(),
                toRecord(V.Kernel),
                V.CodeIdentity,
                V.Row.MachineCode,
                "",
                V.Row.Message,
                V.Row.Status,
                V.Row.Refusal,
                V.Row.Instr,
                V.Row.Regions,
                V.Row.Efficiency,
                V.Row.Utilization,
                ""};
    if (V.Code) {
      Facts.Resources = toRecord(*V.Code); // Without the path.
      Facts.Cubin = valueOf(readFile(V.Code->Cubin));
    }
    return Facts;
  }

  /// A run of its own over \p Texts. \p Kept may be null.
  std::vector<Built> build(StringRef Folder, ArrayRef<std::string> Texts, KeptBuilds *Kept) {
    TuningTarget Target = target(Folder);
    VariantBuilder Builder(Target);
    Builder.keepFinalBitcode(true);
    Builder.keepIn(Kept);
    std::vector<BuiltVariant> Variants;
    for (const std::string &Text : Texts)
      Variants.emplace_back(valueOf(parseVariant(Text)));
    EXPECT_FALSE(errorToBool(Builder.runFrontends(Variants, 2)));
    std::vector<BuiltVariant *> Live;
    for (BuiltVariant &V : Variants) {
      Builder.compile(V);
      if (V.alive())
        Live.push_back(&V);
    }
    TemporaryDirectory Cubins = cantFail(TemporaryDirectory::create());
    Builder.assembleBatch(Live, Cubins.file("batch.cubin"));
    std::vector<Built> All;
    for (const BuiltVariant &V : Variants)
      All.push_back(factsOf(V));
    if (Kept)
      Used = Kept->use();
    return All;
  }
  std::vector<Built> build(StringRef Folder, ArrayRef<std::string> Texts) {
    KeptBuilds Kept = keptBuilds();
    return build(Folder, Texts, &Kept);
  }
};

const std::vector<std::string> Variants = {
    "",
    "gpu-block-coarsen<x=2;y=2;shared=interleaved>",
    "gpu-block-coarsen<x=2;y=2;shared=interleaved>,gpu-registers<max=32>",
    "gpu-block-coarsen<x=8>,gpu-prefetch<loop=0>,gpu-unroll<loop=1;factor=4>",
    "-DTILE=32 gpu-unroll<loop=1;factor=full>",
    "gpu-block-coarsen<x=3>", // Refused: no divisor of the grid.
    "gpu-unroll<loop=7;factor=2>" /* Refused: no such loop. */};

TEST_F(KeptBuildsTest, WhatIsTakenIsWhatAFreshRunMakesBitForBit) {
  std::vector<Built> Plain = build(Matmul, Variants, nullptr);
  EXPECT_EQ(Plain[5].Status, VariantStatus::Refused);
  EXPECT_TRUE(Plain[6].Refusal.has_value());
  std::vector<Built> First = build(Matmul, Variants);
  EXPECT_EQ(Used.Codes.Taken, 0u);
  EXPECT_EQ(Used.Codes.Kept, Variants.size());
  EXPECT_EQ(Used.Frontends, (CompileCacheUse::Step{0, 2}));
  EXPECT_EQ(Used.Assemblies, (CompileCacheUse::Step{0, 5}));
  std::vector<Built> Second = build(Matmul, Variants);
  EXPECT_EQ(Used.Codes, (CompileCacheUse::Step{Variants.size(), 0}));
  EXPECT_EQ(Used.Frontends, (CompileCacheUse::Step{2, 0}));
  EXPECT_EQ(Used.Assemblies, (CompileCacheUse::Step{5, 0}));
  EXPECT_TRUE(Used.Notes.empty());
  for (size_t I = 0; I != Variants.size(); ++I) {
    EXPECT_TRUE(First[I] == Plain[I]) << Variants[I];
    EXPECT_TRUE(Second[I] == Plain[I]) << Variants[I];
  }
}

TEST_F(KeptBuildsTest, WhatIsNewIsBuiltBesideWhatIsKnown) {
  std::vector<Built> Plain = build(Matmul, Variants, nullptr);
  build(Matmul, ArrayRef(Variants).take_front(2));
  std::vector<Built> Mixed = build(Matmul, Variants);
  EXPECT_EQ(Used.Codes, (CompileCacheUse::Step{2, Variants.size() - 2}));
  for (size_t I = 0; I != Variants.size(); ++I) {
    EXPECT_EQ(Mixed[I].Ptx, Plain[I].Ptx);
    EXPECT_EQ(Mixed[I].MachineCode, Plain[I].MachineCode) << "in another file, by another symbol";
    EXPECT_EQ(Mixed[I].Utilization, Plain[I].Utilization);
  }
}

TEST_F(KeptBuildsTest, FreshTakesNothingAndKeepsAll) {
  build(Matmul, Variants.front());
  KeptBuilds Fresh = keptBuilds(/*Fresh=*/true);
  build(Matmul, Variants.front(), &Fresh);
  EXPECT_EQ(Used.Codes, (CompileCacheUse::Step{0, 1}));
  EXPECT_EQ(Used.Frontends, (CompileCacheUse::Step{0, 1}));
}

TEST_F(KeptBuildsTest, AnotherBuildOfThisProgramTakesNothing) {
  build(Matmul, Variants.front());
  Identity = "another build";
  build(Matmul, Variants.front());
  EXPECT_EQ(Used.Codes.Taken + Used.Frontends.Taken + Used.Assemblies.Taken, 0u);
}

TEST_F(KeptBuildsTest, AnotherDeviceTakesNothing) {
  build(Matmul, Variants.front());
  Device = "sm_80";
  build(Matmul, Variants.front());
  EXPECT_EQ(Used.Codes.Taken + Used.Frontends.Taken + Used.Assemblies.Taken, 0u);
}

TEST_F(KeptBuildsTest, AnotherPtxasAssemblesAnew) {
  build(Matmul, Variants.front());
  Ptxas = Home.file("ptxas");
  cantFail(writeFile(Ptxas, "#!/bin/sh\nexec " + cantFail(findPtxas()) + " \"$@\"\n"));
  ASSERT_FALSE(sys::fs::setPermissions(Ptxas, sys::fs::all_all));
  build(Matmul, Variants.front());
  EXPECT_EQ(Used.Codes.Taken, 1u);
  EXPECT_EQ(Used.Assemblies, (CompileCacheUse::Step{0, 1}));
}

TEST_F(KeptBuildsTest, APtxasThatWasKilledIsAskedAgain) {
  Ptxas = Home.file("ptxas");
  cantFail(writeFile(Ptxas, "#!/bin/sh\ncase $1 in --version) exec " + cantFail(findPtxas()) +
                                " \"$@\";; esac\nkill -9 $$\n"));
  ASSERT_FALSE(sys::fs::setPermissions(Ptxas, sys::fs::all_all));
  EXPECT_EQ(build(Matmul, Variants.front())[0].Status, VariantStatus::Ptxas);
  EXPECT_EQ(Used.Assemblies, CompileCacheUse::Step());
}

void replace(std::string &Text, StringRef What, StringRef By) {
  size_t At = Text.find(What);
  ASSERT_NE(At, std::string::npos) << What.str();
  Text.replace(At, What.size(), By);
}

TEST_F(KeptBuildsTest, AnotherProblemCountsAnewAndAnotherSpaceDoesNot) {
  build(Checked, std::string("gpu-registers<max=64>"));
  Edit = [](std::string &Yaml) {
    Yaml += "space:\n  pipeline: \"gpu-registers<max={m}>\"\n  parameters: { m: [32] }\n";
  };
  build(Checked, std::string("gpu-registers<max=64>"));
  EXPECT_EQ(Used.Codes.Taken, 1u) << "the space says which variants there are, and nothing of one";
  Edit = [](std::string &Yaml) { replace(Yaml, "n: 1536", "n: 3072"); };
  build(Checked, std::string("gpu-registers<max=64>"));
  EXPECT_EQ(Used.Codes.Taken, 0u);
  EXPECT_EQ(Used.Frontends.Taken, 1u);
  Edit = [](std::string &Yaml) { replace(Yaml, "constant: 3", "constant: 4"); };
  build(Checked, std::string("gpu-registers<max=64>"));
  EXPECT_EQ(Used.Codes.Taken, 0u) << "control flow may depend on what is in buffers";
}

TEST_F(KeptBuildsTest, WhatCannotBeKeptIsANoteOnce) {
  cantFail(writeFile(Home.file("cache"), "no folder"));
  std::vector<Built> Plain = build(Matmul, Variants.front(), nullptr);
  EXPECT_TRUE(build(Matmul, Variants.front()) == Plain);
  ASSERT_EQ(Used.Notes.size(), 1u);
  EXPECT_NE(Used.Notes[0].find("what is compiled is not kept: cannot write to '"), std::string::npos)
      << Used.Notes[0];
}

TEST_F(KeptBuildsTest, DamageIsNotedAndMended) {
  build(Matmul, Variants.front());
  std::error_code EC;
  for (sys::fs::directory_iterator I(Home.file("cache"), EC), End; I != End && !EC; I.increment(EC)) {
    std::string Bytes = valueOf(readFile(I->path()));
    if (!Bytes.empty())
      Bytes[Bytes.size() / 2] ^= 1;
    cantFail(writeFile(I->path(), Bytes));
  }
  std::vector<Built> Plain = build(Matmul, Variants.front(), nullptr);
  EXPECT_TRUE(build(Matmul, Variants.front()) == Plain);
  EXPECT_EQ(Used.Codes, (CompileCacheUse::Step{0, 1}));
  ASSERT_EQ(Used.Notes.size(), 1u);
  EXPECT_NE(Used.Notes[0].find("damaged in"), std::string::npos) << Used.Notes[0];
  build(Matmul, Variants.front());
  EXPECT_EQ(Used.Codes, (CompileCacheUse::Step{1, 0}));
}

TEST(KeptBuilds, OnlyWhatWillBeTheSameIsLasting) {
  EXPECT_TRUE(isLasting({ErrorKind::Refused, "gpu-unroll: no such loop"}));
  EXPECT_TRUE(isLasting({ErrorKind::Ptxas, "ptxas: line 5; error: nonsense"}));
  EXPECT_TRUE(isLasting({ErrorKind::Resources, "too much shared memory"}));
  for (ErrorKind Kind : {ErrorKind::Io, ErrorKind::Toolchain, ErrorKind::Internal, ErrorKind::Runner})
    EXPECT_FALSE(isLasting({Kind, "something"}));
  EXPECT_FALSE(isLasting({ErrorKind::Ptxas, "ptxas: ended by a signal: "}));
  EXPECT_FALSE(isLasting({ErrorKind::Ptxas, "ptxas fatal   : Memory allocation failure"}));
  EXPECT_FALSE(isLasting({ErrorKind::Frontend, "fatal error: unable to write: No space left on device"}));
}

//===----------------------------------------------------------------------===//
// Checks on the CPU
//===----------------------------------------------------------------------===//

class KeptChecksTest : public KeptBuildsTest {
protected:
  VariantResult check(StringRef Text, CheckDepth Depth, KeptBuilds *Kept) {
    TuningTarget Target = target(Checked);
    VariantBuilder Builder(Target);
    Builder.keepFinalBitcode(true);
    Builder.keepIn(Kept);
    BuiltVariant Reference{Variant()}, V{valueOf(parseVariant(Text))};
    for (BuiltVariant *Each : {&Reference, &V}) {
      EXPECT_FALSE(errorToBool(Builder.runFrontends(*Each, 1)));
      Builder.compile(*Each);
    }
    CpuCheck Check(Target.W, Builder,
                   {[&] { return &Reference; }, [](const BuiltVariant &) { return nullptr; }});
    EXPECT_TRUE(test::valueOf(Check.checkAuthor(Depth)).empty());
    VariantResult Row = V.Row;
    Check.check(V, Reference, Depth, Row);
    if (Kept)
      Used = Kept->use();
    return Row;
  }
  VariantResult check(StringRef Text, CheckDepth Depth = CheckDepth::All) {
    KeptBuilds Kept = keptBuilds();
    return check(Text, Depth, &Kept);
  }
};

TEST_F(KeptChecksTest, WhatIsTakenIsWhatWasFound) {
  for (StringRef Text : {"gpu-registers<max=64>", "-DMODE=1", "-DMODE=2", "-DMODE=6"}) {
    VariantResult Plain = check(Text, CheckDepth::All, nullptr), First = check(Text);
    EXPECT_GE(Used.Checks.Kept, 1u) << Text.str();
    VariantResult Second = check(Text);
    EXPECT_EQ(Used.Checks, (CompileCacheUse::Step{2, 0})) << "the author's launch, too";
    for (const VariantResult *Row : {&First, &Second}) {
      EXPECT_EQ(Row->Status, Plain.Status) << Text.str();
      EXPECT_EQ(Row->Message, Plain.Message);
      EXPECT_EQ(Row->OnCpu.Outcome, Plain.OnCpu.Outcome);
      EXPECT_EQ(Row->OnCpu.Launch, Plain.OnCpu.Launch);
      EXPECT_EQ(Row->OnCpu.Sizes, Plain.OnCpu.Sizes);
      EXPECT_EQ(Row->OnCpu.Tolerance, Plain.OnCpu.Tolerance);
    }
  }
}

TEST_F(KeptChecksTest, AnotherDepthIsAnotherCheck) {
  EXPECT_EQ(check("gpu-registers<max=64>", CheckDepth::Smallest).OnCpu.Sizes.size(), 1u);
  EXPECT_EQ(check("gpu-registers<max=64>", CheckDepth::All).OnCpu.Sizes.size(), 2u);
  EXPECT_EQ(Used.Checks.Taken, 0u);
}

TEST_F(KeptChecksTest, AnotherToleranceOrSizeIsAnotherCheck) {
  check("gpu-registers<max=64>");
  Edit = [](std::string &Yaml) { replace(Yaml, "relative: 1e-5", "relative: 1e-6"); };
  check("gpu-registers<max=64>");
  EXPECT_EQ(Used.Checks.Taken, 0u);
  Edit = [](std::string &Yaml) { replace(Yaml, "{ n: 192 }, ", ""); };
  EXPECT_EQ(check("gpu-registers<max=64>").OnCpu.Sizes, std::vector<std::string>{"n=64"});
  EXPECT_EQ(Used.Checks.Taken, 0u);
}

TEST_F(KeptChecksTest, WhatCouldNotBeToldIsAskedAgain) {
  EXPECT_NE(check("gpu-block-coarsen<x=2>").OnCpu.Note, "");
  check("gpu-block-coarsen<x=2>");
  EXPECT_EQ(Used.Checks.Taken, 1u) << "of the author's launch alone";
}

} // namespace
