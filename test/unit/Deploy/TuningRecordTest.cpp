//===- TuningRecordTest.cpp - Tests of records as text and of their checks ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Deploy/TuningRecord.h"
#include "../ExpectedTesting.h"
#include "DeployTesting.h"
#include <cmath>
#include <functional>
#include <limits>
#include <set>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

namespace {

using Change = std::function<void(TuningRecord &)>;

TuningRecord changed(const Change &How) {
  TuningRecord R = fullRecord();
  How(R);
  return R;
}

/// What decides on the tuned kernel and on its launch.
TuningRecord deployed(TuningRecord R) {
  R.Tools = {};
  R.Times.reset();
  R.Difference.clear();
  return R;
}

/// One of each field that is deployed.
const std::vector<Change> &deployedChanges() {
  static const std::vector<Change> All = {
      [](TuningRecord &R) { R.Kernel = "_Z6smoothPKfPfj"; },
      [](TuningRecord &R) { R.Arch = "sm_80"; },
      [](TuningRecord &R) { R.Digest.back() = 'b'; },
      [](TuningRecord &R) { R.Variant = "gpu-block-coarsen<x=4;grid=any>,gpu-unroll<loop=1;factor=4>"; },
      [](TuningRecord &R) { R.Contract.GridDivisor.Z = 1; },
      [](TuningRecord &R) { R.Contract.BlockDivisor.Y = 1; },
      [](TuningRecord &R) { R.Contract.PointerAlignment = 8; },
      [](TuningRecord &R) { R.Contract.SharedCopies = 4; },
      [](TuningRecord &R) { R.Contract.SharedArrays = 65536 + 16; },
      [](TuningRecord &R) { R.Contract.SharedCarveout = 0; },
      [](TuningRecord &R) { R.Contract.SharedCarveout.reset(); },
      [](TuningRecord &R) { R.Contract.UnwrittenVariables = {"table"}; },
      [](TuningRecord &R) { std::swap(R.Contract.Hidden[0], R.Contract.Hidden[1]); },
      [](TuningRecord &R) { R.Contract.Hidden.pop_back(); },
      [](TuningRecord &R) { R.Block->Z = 2; },
      [](TuningRecord &R) { R.Block.reset(); },
      [](TuningRecord &R) { R.Arguments.Count = 4; },
      [](TuningRecord &R) { R.Arguments.Pointers.pop_back(); },
      [](TuningRecord &R) { R.Arguments.Pointers[1].Argument = 2; },
      [](TuningRecord &R) { R.Arguments.Pointers[1].Offset = 16; },
      [](TuningRecord &R) { R.Conditions.Block.Z = 2; },
      [](TuningRecord &R) { R.Conditions.LeastBlocks = 255; },
      [](TuningRecord &R) { R.Conditions.MostBlocks = 257; },
      [](TuningRecord &R) { R.Conditions.MostBlocks.reset(); },
      [](TuningRecord &R) { R.Registers = 254; },
      [](TuningRecord &R) { R.Bitwise = true; },
      [](TuningRecord &R) { R.Bitwise.reset(); },
  };
  return All;
}

/// Facts about how it was made.
const std::vector<Change> &factChanges() {
  static const std::vector<Change> All = {
      [](TuningRecord &R) { R.Tools.Clang = "another"; },
      [](TuningRecord &R) { R.Tools.Gpuprune = "another"; },
      [](TuningRecord &R) { R.Tools.Ptxas = "another"; },
      [](TuningRecord &R) { R.Times->Device = "another"; },
      [](TuningRecord &R) { R.Times->Stock = 2; },
      [](TuningRecord &R) { R.Times->Tuned = 2; },
      [](TuningRecord &R) { R.Times.reset(); },
      [](TuningRecord &R) { R.Difference = "another"; },
      [](TuningRecord &R) { R.Difference.clear(); },
  };
  return All;
}

/// The variant of a file that has one.
Expected<TuningRecord> parseOne(StringRef Text) {
  Expected<std::vector<TuningRecord>> File = parseTuningRecord(Text);
  if (!File)
    return File.takeError();
  EXPECT_EQ(File->size(), 1u);
  return File->front();
}

/// The file as JSON with another value of a key, which may be one of its first variant's.
std::string withKey(const TuningRecord &R, StringRef Key, json::Value Value) {
  json::Object File = *cantFail(json::parse(printTuningRecord(R))).getAsObject();
  json::Object &Variant = *File.getArray("variants")->front().getAsObject();
  json::Object &Its = Variant.get(Key) ? Variant : File;
  Its[Key] = std::move(Value);
  return formatv("{0}", json::Value(std::move(File)));
}

/// What both checkTuningRecord() and parseTuningRecord() say of it: empty where it can be read.
std::string problemOf(const TuningRecord &R) {
  Expected<TuningRecord> Read = parseOne(printTuningRecord(R));
  Error Said = checkTuningRecord(R);
  EXPECT_EQ(!Read, bool(Said)) << "one of the two refuses it";
  std::string Text = Read ? "" : inputErrorOf(Read.takeError());
  if (Said)
    return inputErrorOf(std::move(Said));
  EXPECT_EQ(Text, "");
  return Text;
}

} // namespace

TEST(TuningRecord, ComesBackFromItsText) {
  std::vector<TuningRecord> Records = {shortRecord(), fullRecord()};
  for (const std::vector<Change> &Changes : {deployedChanges(), factChanges()})
    for (const Change &How : Changes)
      Records.push_back(changed(How));
  Records.push_back(changed(
      [](TuningRecord &R) { R.Conditions.LeastBlocks = R.Conditions.MostBlocks.emplace(UINT64_MAX); }));
  Records.push_back(changed([](TuningRecord &R) { R.Conditions.LeastBlocks = 0; }));
  Records.push_back(changed([](TuningRecord &R) { R.Conditions.LoopEnd = {2, 64, false, UINT64_MAX}; }));
  Records.push_back(
      changed([](TuningRecord &R) { R.Times->Stock = std::numeric_limits<double>::denorm_min(); }));
  for (const TuningRecord &R : Records) {
    std::string Text = printTuningRecord(R);
    TuningRecord Read = valueOf(parseOne(Text));
    EXPECT_EQ(Read, R) << Text;
    EXPECT_EQ(printTuningRecord(Read), Text);
  }
}

// The checksum is SHA-256 of the deployed keys, sorted, without white space.
TEST(TuningRecord, TextIsCanonical) {
  EXPECT_EQ(printTuningRecord(shortRecord()), R"json({
  "arch": "sm_90",
  "arguments": {
    "count": 3,
    "pointers": []
  },
  "checksum": "9881ac2270fa18ddbe0d76fb038d92f4dc922d622df9858c3d6a9324091e850f",
  "compiled-with": {
    "clang": "",
    "gpuprune": "",
    "ptxas": ""
  },
  "demangled": "smooth(float const*, float*, int)",
  "digest": "00000000000000000000000000000000aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  "kernel": "_Z6smoothPKfPfi",
  "schema": 2,
  "variants": [
    {
      "conditions": {
        "block": [
          256,
          1,
          1
        ],
        "least-blocks": 1
      },
      "contract": {},
      "registers": 32,
      "variant": "gpu-block-coarsen<x=4>"
    }
  ]
}
)json");
  // Another order and other spaces are the same record.
  std::string Text = printTuningRecord(fullRecord());
  json::Value Parsed = cantFail(json::parse(Text));
  EXPECT_EQ(valueOf(parseOne(formatv("{0}", Parsed).str())), fullRecord());
}

TEST(TuningRecord, NoChangeOfACharacterChangesWhatIsDeployed) {
  const TuningRecord Record = deployed(fullRecord());
  const std::string Text = printTuningRecord(fullRecord());
  unsigned Refused = 0;
  auto Try = [&](const std::string &Changed, size_t At) {
    Expected<TuningRecord> Read = parseOne(Changed);
    if (Read)
      EXPECT_EQ(deployed(*Read), Record) << "at " << At << ": " << Changed;
    else if (inputErrorOf(Read.takeError()).empty())
      ADD_FAILURE() << "no message at " << At;
    else
      ++Refused;
  };
  for (size_t At = 0; At != Text.size(); ++At) {
    std::string Changed = Text;
    for (char C : {char(Text[At] + 1), char(Text[At] - 1), char(Text[At] ^ 32), '0', '9', 'a', '"', ' ', ',',
                   '\\', '\0'})
      if (C != Text[At]) {
        Changed[At] = C;
        Try(Changed, At);
      }
    Try(Text.substr(0, At), At);
    Try(std::string(Text).erase(At, 1), At);
    Try(std::string(Text).insert(At, 1, Text[At]), At);
  }
  EXPECT_GT(Refused, 5 * Text.size());
}

/// A change of one of \p Object, which \p Print makes a file of, is refused; so is one that lacks it.
static void refuseChanges(const json::Object &Object, function_ref<std::string(json::Object)> Print,
                          ArrayRef<StringRef> Facts, ArrayRef<StringRef> MayLack) {
  for (const auto &[Key, Value] : Object) {
    json::Object Without = Object;
    Without.erase(Key);
    Expected<std::vector<TuningRecord>> Read = parseTuningRecord(Print(std::move(Without)));
    EXPECT_EQ(bool(Read), is_contained(MayLack, StringRef(Key))) << StringRef(Key).str();
    consumeError(Read.takeError());
    std::string Text = formatv("{0}", Value);
    for (size_t At = 0; !is_contained(Facts, StringRef(Key)) && At != Text.size(); ++At) {
      Text[At] = Text[At] == '1' ? '2' : '1';
      Expected<json::Value> Other = json::parse(Text);
      if (Other && *Other != Value) {
        json::Object Edited = Object;
        Edited[Key] = *Other;
        EXPECT_NE(inputErrorOf(parseTuningRecord(Print(std::move(Edited))).takeError()), "");
      }
      consumeError(Other.takeError());
      Text = formatv("{0}", Value);
    }
  }
}

TEST(TuningRecord, EveryChangeOfAValueIsRefused) {
  const json::Object Written = *cantFail(json::parse(printTuningRecord(fullRecord()))).getAsObject();
  refuseChanges(Written, [](json::Object O) { return formatv("{0}", json::Value(std::move(O))).str(); },
                {"compiled-with", "demangled", "variants"}, {"demangled"});
  refuseChanges(*Written.getArray("variants")->front().getAsObject(),
                [&](json::Object O) {
                  json::Object File = Written;
                  File["variants"] = json::Array{json::Value(std::move(O))};
                  return formatv("{0}", json::Value(std::move(File))).str();
                },
                {"times", "difference"}, {"times", "difference"});
}

TEST(TuningRecord, WhatIsNoRecordIsSaid) {
  auto ProblemWith = [](StringRef Key, json::Value Value) {
    return inputErrorOf(parseTuningRecord(withKey(fullRecord(), Key, std::move(Value))).takeError());
  };
  EXPECT_EQ(inputErrorOf(parseTuningRecord("").takeError()).find("not JSON: "), 0u);
  EXPECT_NE(inputErrorOf(parseTuningRecord("[]").takeError()).find("expected object"), std::string::npos);
  std::tuple<StringRef, json::Value, StringRef> Cases[] = {
      {"schema", 1, "expected 2: another version of gpuprune wrote this record"},
      {"variants", json::Array(), "variants: expected an array of 1 to 64 tuned variants"},
      {"variants", 1, "expected an array of 1 to 64 tuned variants"},
      {"variants", json::Array{json::Object{{"plugin", "other.so"}}},
       "variants[0].plugin: not a key of a tuning record"},
      {"bitwise", "yes", "variants[0].bitwise: expected boolean"},
      {"plugin", "other.so", "plugin: not a key of a tuning record"},
      {"checksum", "0", "not that of this record, which was edited or damaged"},
      {"arguments", json::Object{{"count", -1}, {"pointers", json::Array()}}, "arguments.count"},
      {"arguments", json::Object{{"count", 1}, {"pointers", json::Array{json::Array{0}}}},
       "arguments.pointers[0]: expected an argument's number and an offset in it"},
      {"conditions", json::Object{{"block", json::Array{32, 1}}, {"least-blocks", 1}},
       "variants[0].conditions.block: expected an array of three numbers of threads"},
      {"conditions", json::Object{{"block", json::Array{32, 1, 0}}, {"least-blocks", 1}}, "conditions.block"},
      {"conditions", json::Object{{"block", json::Array{32, 1, 1}}, {"least-blocks", -1}}, "least-blocks"},
      {"conditions",
       json::Object{{"block", json::Array{32, 1, 1}}, {"least-blocks", 1}, {"most-blocks", "x"}},
       "most-blocks"},
      {"conditions",
       json::Object{{"block", json::Array{32, 1, 1}},
                    {"least-blocks", 1},
                    {"loop-end", json::Object{{"argument", 0}, {"bits", 32}, {"signed", true}}}},
       "conditions.loop-end.least"},
      {"conditions",
       json::Object{{"block", json::Array{32, 1, 1}}, {"least-blocks", 1}, {"loop-end", json::Array{0}}},
       "conditions.loop-end"},
      {"block", json::Array{32, 1}, "variants[0].block: expected an array of three numbers of threads"},
      {"block", json::Array{32, 1, 0}, "variants[0].block"},
      {"block", nullptr, "variants[0].block"},
      {"conditions", json::Object{{"block", json::Array{32, 1, 1}}, {"least-blocks", 1}, {"tomorrow", 1}},
       "variants[0].conditions.tomorrow: not a key of a tuning record"},
      {"arguments", json::Object{{"count", 1}, {"pointers", json::Array()}, {"tomorrow", 1}},
       "arguments.tomorrow: not a key of a tuning record"},
      {"contract", json::Object{{"tomorrow", "1"}}, "expected a field of a launch contract"},
      {"registers", "many", "registers"},
      {"times", json::Object{{"device", "x"}}, "times.stock-ms"},
  };
  for (const auto &[Key, Value, Said] : Cases)
    EXPECT_NE(ProblemWith(Key, Value).find(Said), std::string::npos) << ProblemWith(Key, Value);
}

TEST(TuningRecord, ChecksHaveTwoSides) {
  EXPECT_EQ(problemOf(fullRecord()), "");
  struct {
    Change Good, Bad;
    StringRef Said;
  } Cases[] = {
      {[](TuningRecord &R) { R.Arch = "sm_120"; }, [](TuningRecord &R) { R.Arch = "sm_90a"; },
       "arch is 'sm_90a'; expected one such as sm_90"},
      {[](TuningRecord &R) { R.Arch = "sm_0"; }, [](TuningRecord &R) { R.Arch = "sm_"; }, "arch is 'sm_'"},
      {[](TuningRecord &R) { R.Kernel = "a.b$c_1"; }, [](TuningRecord &R) { R.Kernel = "a b"; },
       "the kernel's symbol is 'a b'"},
      {[](TuningRecord &R) { R.Kernel = "a"; }, [](TuningRecord &R) { R.Kernel = ""; },
       "the kernel's symbol is ''"},
      {[](TuningRecord &R) { R.Digest = std::string(64, 'F'); },
       [](TuningRecord &R) { R.Digest = std::string(64, 'g'); }, "64 hexadecimal digits"},
      {[](TuningRecord &R) {}, [](TuningRecord &R) { R.Digest.pop_back(); }, "64 hexadecimal digits"},
      {[](TuningRecord &R) { R.Registers = 1; }, [](TuningRecord &R) { R.Registers = 0; },
       "registers is 0; expected 1 to 255"},
      {[](TuningRecord &R) { R.Registers = 255; }, [](TuningRecord &R) { R.Registers = 256; },
       "registers is 256"},
      {[](TuningRecord &R) { R.Contract.GridDivisor.Y = UINT32_MAX; },
       [](TuningRecord &R) { R.Contract.GridDivisor.Y = int64_t(UINT32_MAX) + 1; },
       "a divisor of the launch contract does not fit 32 bits"},
      {[](TuningRecord &R) { R.Contract.BlockDivisor.X = 16; },
       [](TuningRecord &R) { R.Contract.BlockDivisor.X = int64_t(1) << 33; },
       "a divisor of the launch contract does not fit 32 bits"},
      {[](TuningRecord &R) { R.Contract.PointerAlignment = int64_t(1) << 31; },
       [](TuningRecord &R) { R.Contract.PointerAlignment = int64_t(1) << 32; },
       "alignment of the launch contract does not fit 32 bits"},
      {[](TuningRecord &R) { R.Contract.BlockDivisor.X = 2; },
       [](TuningRecord &R) { R.Contract.BlockDivisor.X = 3; }, "block.x = 32 is not a multiple of 3"},
      {[](TuningRecord &R) { R.Block = {16, 8, 2}; }, [](TuningRecord &R) { R.Block = {16, 6, 2}; },
       "block.y = 6 is not a multiple of 4"},
      {[](TuningRecord &R) { R.Block = {16, 64, 1}, R.Contract.BlockDivisor = {1, 1, 1}; },
       [](TuningRecord &R) { R.Block = {32, 64, 1}, R.Contract.BlockDivisor = {1, 1, 1}; },
       "the tuned kernel's block of 32,64,1 threads is none"},
      {[](TuningRecord &R) { R.Block = {1, 1, 64}, R.Contract.BlockDivisor = {1, 1, 1}; },
       [](TuningRecord &R) { R.Block = {1, 1, 65}, R.Contract.BlockDivisor = {1, 1, 1}; },
       "the tuned kernel's block of 1,1,65 threads is none"},
      {[](TuningRecord &R) { R.Block.reset(); }, [](TuningRecord &R) { R.Block = R.Conditions.Block; },
       "the tuned kernel's block is the author's, and is not written then"},
      {[](TuningRecord &R) {
         R.Conditions.Block = {1024, 1, 1};
         R.Contract.BlockDivisor = {1, 1, 1};
       },
       [](TuningRecord &R) {
         R.Conditions.Block = {1024, 2, 1};
         R.Contract.BlockDivisor = {1, 1, 1};
       },
       "the author's block of 1024,2,1 threads is none"},
      {[](TuningRecord &R) {
         R.Conditions.Block = {16, 1, 64};
         R.Contract.BlockDivisor = {1, 1, 1};
       },
       [](TuningRecord &R) {
         R.Conditions.Block = {8, 1, 128};
         R.Contract.BlockDivisor = {1, 1, 1};
       },
       "the author's block of 8,1,128 threads is none"},
      {[](TuningRecord &R) { R.Conditions.LeastBlocks = R.Conditions.MostBlocks.emplace(256); },
       [](TuningRecord &R) { R.Conditions.MostBlocks = 255; },
       "most-blocks is 255, less than least-blocks, 256"},
      {[](TuningRecord &R) { R.Conditions.LoopEnd = {2}; },
       [](TuningRecord &R) { R.Conditions.LoopEnd = {3}; },
       "loop-end names argument 3, of which there are 3"},
      {[](TuningRecord &R) { R.Conditions.LoopEnd = {2, 64}; },
       [](TuningRecord &R) { R.Conditions.LoopEnd = {2, 16}; }, "loop-end has 16 bits, expected 32 or 64"},
      {[](TuningRecord &) {}, [](TuningRecord &R) { R.Conditions.LoopEnd = {0}; },
       "loop-end names argument 0, which is no integer"},
      {[](TuningRecord &R) { R.Conditions.Block = {8, 4, 2}; },
       [](TuningRecord &R) { R.Conditions.Block = {8, 4, -2}; }, ""},
      {[](TuningRecord &R) {}, [](TuningRecord &R) { R.Contract.ConstantCopies = {{0, 64, "table"}}; },
       "tune without space=constant"},
      {[](TuningRecord &R) { R.Times->Stock = 0; }, [](TuningRecord &R) { R.Times->Stock = std::nan(""); },
       ""},
      {[](TuningRecord &R) { R.Times->Tuned = 1e300; }, [](TuningRecord &R) { R.Times->Tuned = HUGE_VAL; },
       ""},
      {[](TuningRecord &R) { R.Arguments.Count = 254; }, [](TuningRecord &R) { R.Arguments.Count = 255; },
       "the kernel has 257 parameters; launches with more than 256"},
      {[](TuningRecord &R) { R.Arguments.Pointers[1].Argument = 2; },
       [](TuningRecord &R) { R.Arguments.Pointers[1].Argument = 3; },
       "pointer of argument 3, of which there are 3"},
      {[](TuningRecord &R) { R.Contract.GridEnd = GridBound{2}; },
       [](TuningRecord &R) { R.Contract.GridEnd = GridBound{3}; },
       "the grid's bound is argument 3, of which there are 3"},
      {[](TuningRecord &R) { R.Variant = ""; }, [](TuningRecord &R) { R.Variant = "loop-unroll"; },
       "'loop-unroll' is no pass of gpuprune"},
      {[](TuningRecord &R) { R.Variant = "gpu-registers<max=64>"; },
       [](TuningRecord &R) { R.Variant = "module(gpu-registers<max=64>)"; },
       "'module' is no pass of gpuprune"},
      {[](TuningRecord &R) {}, [](TuningRecord &R) { R.Variant = "gpu-unroll"; }, "gpu-unroll needs"},
      {[](TuningRecord &R) {}, [](TuningRecord &R) { R.Variant = "gpu-unroll<"; }, ""},
  };
  for (const auto &[Good, Bad, Said] : Cases) {
    EXPECT_EQ(problemOf(changed(Good)), "") << Said.str();
    std::string Problem = problemOf(changed(Bad));
    EXPECT_NE(Problem, "") << Said.str();
    EXPECT_NE(Problem.find(Said), std::string::npos) << Problem;
  }
}

TEST(TuningRecord, FileNamesAreShortAndDiffer) {
  TuningRecord R = shortRecord();
  EXPECT_EQ(R.fileName(), "_Z6smoothPKfPfi.sm_90.gpuprune.json");
  R.Kernel = std::string(100, 'k');
  EXPECT_EQ(R.fileName(), R.Kernel + ".sm_90.gpuprune.json");
  std::set<std::string> Names = {R.fileName()};
  for (const char *End : {"l", "m", "lm"}) {
    TuningRecord Long = R;
    Long.Kernel += End;
    std::string Name = Long.fileName();
    EXPECT_EQ(Name.find(R.Kernel + "-"), 0u) << Name;
    EXPECT_EQ(Name.size(), 100 + 1 + 16 + StringRef(".sm_90.gpuprune.json").size());
    EXPECT_TRUE(StringRef(Name).ends_with(RecordSuffix));
    EXPECT_TRUE(Names.insert(Name).second) << Name;
    EXPECT_EQ(Long.fileName(), Name);
  }
  TuningRecord Other = R;
  Other.Arch = "sm_80";
  EXPECT_TRUE(Names.insert(Other.fileName()).second);
}

TEST(TuningRecord, SymbolsDifferWhereWhatIsDeployedDoes) {
  auto SymbolOf = [](const TuningRecord &R) {
    return tunedSymbols(R, "_Z6smoothPKfPfi__intern__12").front();
  };
  std::set<std::string> Symbols = {SymbolOf(fullRecord())};
  StringRef Begin = "_Z6smoothPKfPfi__intern__12$gpuprune$";
  EXPECT_EQ(Symbols.begin()->find(Begin), 0u);
  EXPECT_EQ(Symbols.begin()->size(), Begin.size() + 16);
  for (const Change &How : deployedChanges())
    EXPECT_TRUE(Symbols.insert(SymbolOf(changed(How))).second) << printTuningRecord(changed(How));
  for (const Change &How : factChanges())
    EXPECT_EQ(SymbolOf(changed(How)), SymbolOf(fullRecord()));
}
