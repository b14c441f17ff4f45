//===- TuningRecord.cpp - A winner as a file under version control -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Deploy/TuningRecord.h"
#include "dispatch/Dispatch.h"
#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Passes/Registry.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/JsonUnsigned.h"
#include "gpuprune/Support/PipelineText.h"
#include "gpuprune/Support/Sha256.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace llvm;

namespace gpuprune {

static constexpr uint64_t Schema = 1;

/// What decides on the tuned kernel and on its launch.
static json::Object deployedPart(const TuningRecord &R) {
  json::Array Pointers;
  for (const PointerPlace &P : R.Arguments.Pointers)
    Pointers.push_back(json::Array{P.Argument, P.Offset});
  json::Object Conditions{{"block", toJSON(R.Conditions.Block)}, {"least-blocks", R.Conditions.LeastBlocks}};
  if (R.Conditions.MostBlocks)
    Conditions["most-blocks"] = *R.Conditions.MostBlocks;
  return json::Object{
      {"schema", Schema},
      {"kernel", R.Kernel},
      {"arch", R.Arch},
      {"digest", R.Digest},
      {"variant", R.Variant},
      {"contract", toJSON(R.Contract)},
      {"arguments", json::Object{{"count", R.Arguments.Count}, {"pointers", std::move(Pointers)}}},
      {"conditions", std::move(Conditions)},
      {"registers", R.Registers}};
}

std::string TuningRecord::fileName() const {
  static constexpr size_t MostCharacters = 100;
  std::string Name = Kernel;
  if (Name.size() > MostCharacters)
    Name = Name.substr(0, MostCharacters) + "-" + contentHash(StringRef(Kernel)).substr(0, 16);
  return Name + "." + Arch + RecordSuffix.str();
}

static std::string checksum(const TuningRecord &R) {
  return sha256(formatv("{0}", json::Value(deployedPart(R))).str());
}

std::string TuningRecord::tunedSymbol(StringRef Symbol) const {
  return (Symbol + "$gpuprune$" + checksum(*this).substr(0, 16)).str();
}

std::string printTuningRecord(const TuningRecord &R) {
  json::Object All = deployedPart(R);
  All["checksum"] = checksum(R);
  All["demangled"] = demangle(R.Kernel);
  All["compiled-with"] =
      json::Object{{"clang", R.Tools.Clang}, {"gpuprune", R.Tools.Gpuprune}, {"ptxas", R.Tools.Ptxas}};
  if (R.Times)
    All["times"] =
        json::Object{{"device", R.Times->Device}, {"stock-ms", R.Times->Stock}, {"tuned-ms", R.Times->Tuned}};
  return formatv("{0:2}\n", json::Value(std::move(All)));
}

static bool fromJSON(const json::Value &Value, PointerPlace &Place, json::Path Path) {
  const json::Array *Pair = Value.getAsArray();
  if (!Pair || Pair->size() != 2 || !fromJSON((*Pair)[0], Place.Argument, Path.index(0)) ||
      !fromJSON((*Pair)[1], Place.Offset, Path.index(1))) {
    Path.report("expected an argument's number and an offset in it");
    return false;
  }
  return true;
}

static bool fromJSON(const json::Value &Value, KernelArguments &Arguments, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && mapUnsigned(*Value.getAsObject(), "count", Arguments.Count, Presence::Required, Path) &&
         Map.map("pointers", Arguments.Pointers);
}

static bool readBlock(const json::Object &O, Dim3 &Block, json::Path Path) {
  const json::Array *Extents = O.getArray("block");
  bool Good = Extents && Extents->size() == Dim3::size();
  for (unsigned D = 0; Good && D != Dim3::size(); ++D) {
    std::optional<int64_t> Extent = (*Extents)[D].getAsInteger();
    Good = Extent && *Extent > 0 && isUInt<32>(*Extent);
    Block[D] = Good ? *Extent : 1;
  }
  if (!Good)
    Path.field("block").report("expected an array of three numbers of threads");
  return Good;
}

static bool fromJSON(const json::Value &Value, LaunchConditions &Conditions, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  if (!Map)
    return false;
  const json::Object &O = *Value.getAsObject();
  if (O.get("most-blocks") &&
      !mapUnsigned(O, "most-blocks", Conditions.MostBlocks.emplace(), Presence::Required, Path))
    return false;
  return readBlock(O, Conditions.Block, Path) &&
         mapUnsigned(O, "least-blocks", Conditions.LeastBlocks, Presence::Required, Path);
}

static bool fromJSON(const json::Value &Value, RecordTools &Tools, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("clang", Tools.Clang) && Map.map("gpuprune", Tools.Gpuprune) &&
         Map.map("ptxas", Tools.Ptxas);
}

static bool fromJSON(const json::Value &Value, RecordTimes &Times, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("device", Times.Device) && Map.map("stock-ms", Times.Stock) &&
         Map.map("tuned-ms", Times.Tuned);
}

/// What this version does not know must not be left out of a launch.
static bool knowsAllKeys(const json::Object &O, json::Path Path) {
  static constexpr StringLiteral Known[] = {
      "schema",     "kernel",    "arch",          "digest", "variant",   "contract", "arguments",
      "conditions", "registers", "compiled-with", "times",  "demangled", "checksum"};
  for (const auto &[Key, Value] : O)
    if (!is_contained(Known, StringRef(Key))) {
      Path.field(Key).report("not a key of a tuning record");
      return false;
    }
  return true;
}

/// What was changed by hand, or was damaged, is not what was checked and timed.
static bool hasItsChecksum(json::ObjectMapper &Map, const TuningRecord &R, json::Path Path) {
  std::string Written;
  if (!Map.map("checksum", Written))
    return false;
  if (Written != checksum(R))
    Path.field("checksum").report("not that of this record, which was edited or damaged; tune anew");
  return Written == checksum(R);
}

static bool fromJSON(const json::Value &Value, TuningRecord &R, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  if (!Map)
    return false;
  const json::Object &O = *Value.getAsObject();
  uint64_t Version = 0;
  if (!mapUnsigned(O, "schema", Version, Presence::Required, Path))
    return false;
  if (Version != Schema) {
    Path.field("schema").report("expected 1: another version of gpuprune wrote this record; tune anew");
    return false;
  }
  return knowsAllKeys(O, Path) && Map.map("kernel", R.Kernel) && Map.map("arch", R.Arch) &&
         Map.map("digest", R.Digest) && Map.map("variant", R.Variant) && Map.map("contract", R.Contract) &&
         Map.map("arguments", R.Arguments) && Map.map("conditions", R.Conditions) &&
         mapUnsigned(O, "registers", R.Registers, Presence::Required, Path) &&
         Map.map("compiled-with", R.Tools) && Map.mapOptional("times", R.Times) &&
         hasItsChecksum(Map, R, Path);
}

/// Its own symbols, such as operators of templates, have letters, digits, '_', '$' and '.'.
static bool isSymbol(StringRef Name) {
  return !Name.empty() && all_of(Name, [](char C) { return isAlnum(C) || StringRef("_$.").contains(C); });
}

static Error checkVariant(StringRef Variant) {
  Expected<SmallVector<PassMention, 4>> Passes = passesNamedIn(Variant);
  if (!Passes)
    return Passes.takeError();
  for (const PassMention &Pass : *Passes)
    if (!findPass(Pass.Name))
      return makeError(ErrorKind::Input,
                       "'" + Pass.Name + "' is no pass of gpuprune, and a record names no others");
  return checkPipeline(Variant);
}

static Error checkArguments(const TuningRecord &R) {
  if (R.Arguments.Count + R.Contract.Hidden.size() > GPUPRUNE_MAX_ARGUMENTS)
    return makeError(ErrorKind::Input,
                     formatv("the kernel has {0} parameters; launches with more than {1} are "
                             "not passed on",
                             R.Arguments.Count + R.Contract.Hidden.size(), unsigned(GPUPRUNE_MAX_ARGUMENTS)));
  for (const PointerPlace &P : R.Arguments.Pointers)
    if (P.Argument >= R.Arguments.Count)
      return makeError(ErrorKind::Input, formatv("pointer of argument {0}, of which there are {1}",
                                                 P.Argument, R.Arguments.Count));
  return Error::success();
}

/// An author's block of another size cannot be launched, and what divides it could be.
static Error checkBlock(const TuningRecord &R) {
  const Dim3 &Block = R.Conditions.Block;
  for (unsigned D = 0; D != Dim3::size(); ++D)
    if (Block[D] < 1 || Block[D] > LargestBlock[D] || Block.volume() > MostThreadsPerBlock)
      return makeError(ErrorKind::Input, "the author's block of " + Block.text() + " threads is none");
  if (Expected<Dim3> Launched = R.Contract.physicalBlock(Block); !Launched)
    return makeError(ErrorKind::Input, toString(Launched.takeError()));
  return Error::success();
}

Error checkTuningRecord(const TuningRecord &R) {
  auto Wrong = [](const Twine &What) { return makeError(ErrorKind::Input, What); };
  unsigned Architecture = 0;
  StringRef Number = R.Arch;
  if (!Number.consume_front("sm_") || Number.getAsInteger(10, Architecture))
    return Wrong("arch is '" + R.Arch + "'; expected one such as sm_90");
  if (!isSymbol(R.Kernel))
    return Wrong("the kernel's symbol is '" + R.Kernel + "', which is none");
  if (R.Digest.size() != 64 || !all_of(R.Digest, isHexDigit))
    return Wrong("the digest is '" + R.Digest + "'; expected 64 hexadecimal digits");
  if (R.Registers == 0 || R.Registers > 255)
    return Wrong("registers is " + Twine(R.Registers) + "; expected 1 to 255");
  for (unsigned D = 0; D != Dim3::size(); ++D)
    if (!isUInt<32>(R.Contract.GridDivisor[D]) || !isUInt<32>(R.Contract.BlockDivisor[D]))
      return Wrong("a divisor of the launch contract does not fit 32 bits");
  if (!isUInt<32>(R.Contract.PointerAlignment))
    return Wrong("the pointer alignment of the launch contract does not fit 32 bits");
  if (Error E = checkBlock(R))
    return E;
  if (!R.Contract.ConstantCopies.empty())
    return Wrong(
        "the variant reads a buffer from constant memory, which has to be copied there before each launch, "
        "and a build cannot add that; tune without space=constant");
  if (R.Times && !(std::isfinite(R.Times->Stock) && std::isfinite(R.Times->Tuned)))
    return Wrong("a time is not a finite number");
  if (Error E = checkArguments(R))
    return E;
  return checkVariant(R.Variant);
}

Expected<TuningRecord> parseTuningRecord(StringRef Text) {
  Expected<json::Value> Parsed = json::parse(Text);
  if (!Parsed)
    return makeError(ErrorKind::Input, "not JSON: " + toString(Parsed.takeError()));
  TuningRecord Record;
  json::Path::Root Root("tuning record");
  if (!fromJSON(*Parsed, Record, Root))
    return makeError(ErrorKind::Input, toString(Root.getError()));
  if (Error E = checkTuningRecord(Record))
    return std::move(E);
  return Record;
}

} // namespace gpuprune
