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
#include "gpuprune/Support/ForeignJson.h"
#include "gpuprune/Support/JsonUnsigned.h"
#include "gpuprune/Support/PipelineText.h"
#include "gpuprune/Support/Sha256.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace llvm;

namespace gpuprune {

static constexpr uint64_t Schema = 2;

static json::Value toJSON(const LeastLoopEnd &End) {
  return json::Object{
      {"argument", End.Argument}, {"bits", End.Bits}, {"signed", End.Signed}, {"least", End.Least}};
}

/// What decides on one tuned kernel and on its launch.
static json::Object deployedVariant(const TuningRecord &R) {
  json::Object Conditions{{"block", toJSON(R.Conditions.Block)}, {"least-blocks", R.Conditions.LeastBlocks}};
  if (R.Conditions.MostBlocks)
    Conditions["most-blocks"] = *R.Conditions.MostBlocks;
  if (R.Conditions.LoopEnd)
    Conditions["loop-end"] = toJSON(*R.Conditions.LoopEnd);
  json::Object Deployed{{"variant", R.Variant},
                        {"contract", toJSON(R.Contract)},
                        {"conditions", std::move(Conditions)},
                        {"registers", R.Registers}};
  if (R.Block)
    Deployed["block"] = toJSON(*R.Block);
  if (R.Bitwise)
    Deployed["bitwise"] = *R.Bitwise;
  return Deployed;
}

static json::Object variantPart(const TuningRecord &R) {
  json::Object Variant = deployedVariant(R);
  if (!R.Difference.empty())
    Variant["difference"] = R.Difference;
  if (R.Times)
    Variant["times"] =
        json::Object{{"device", R.Times->Device}, {"stock-ms", R.Times->Stock}, {"tuned-ms", R.Times->Tuned}};
  return Variant;
}

/// What a file says of its kernel, with its variants as \p Print has them.
static json::Object filePart(ArrayRef<TuningRecord> File,
                             function_ref<json::Object(const TuningRecord &)> Print) {
  const TuningRecord &R = File.front();
  json::Array Pointers, Variants;
  for (const PointerPlace &P : R.Arguments.Pointers)
    Pointers.push_back(json::Array{P.Argument, P.Offset});
  for (const TuningRecord &Each : File)
    Variants.push_back(Print(Each));
  return json::Object{
      {"schema", Schema},
      {"kernel", R.Kernel},
      {"arch", R.Arch},
      {"digest", R.Digest},
      {"arguments", json::Object{{"count", R.Arguments.Count}, {"pointers", std::move(Pointers)}}},
      {"variants", std::move(Variants)}};
}

std::string TuningRecord::fileName() const {
  static constexpr size_t MostCharacters = 100;
  std::string Name = Kernel;
  if (Name.size() > MostCharacters)
    Name = Name.substr(0, MostCharacters) + "-" + contentHash(StringRef(Kernel)).substr(0, 16);
  return Name + "." + Arch + RecordSuffix.str();
}

static std::string checksum(ArrayRef<TuningRecord> File) {
  return sha256(formatv("{0}", json::Value(filePart(File, deployedVariant))).str());
}

std::string TuningRecord::text() const {
  if (!Block)
    return Variant;
  return "block=" + Block->text() + (Variant.empty() ? "" : " " + Variant);
}

std::optional<BlockChange> TuningRecord::blockChange() const {
  return Block ? std::optional(BlockChange{Conditions.Block, *Block}) : std::nullopt;
}

Expected<PhysicalLaunch> TuningRecord::launchFor(const AuthorLaunch &Author, int64_t Multiprocessors) const {
  std::optional<BlockChange> Change = blockChange();
  if (!Change)
    return apply(Author, Contract, Multiprocessors);
  Expected<AuthorLaunch> Launch = Change->regrouped(Author);
  return Launch ? apply(*Launch, Contract, Multiprocessors) : Launch.takeError();
}

bool TuningRecord::isSameKernel(const TuningRecord &Other) const {
  return std::tie(Kernel, Arch, Digest, Variant, Contract, Block, Arguments, Conditions.Block, Registers) ==
         std::tie(Other.Kernel, Other.Arch, Other.Digest, Other.Variant, Other.Contract, Other.Block,
                  Other.Arguments, Other.Conditions.Block, Other.Registers);
}

std::vector<std::string> tunedSymbols(ArrayRef<TuningRecord> File, StringRef Symbol) {
  std::vector<std::string> Symbols;
  for (const TuningRecord &R : File) {
    std::vector<TuningRecord> Same;
    copy_if(File, std::back_inserter(Same), [&](const TuningRecord &Other) { return R.isSameKernel(Other); });
    Symbols.push_back((Symbol + "$gpuprune$" + checksum(Same).substr(0, 16)).str());
  }
  return Symbols;
}

std::string printTuningRecord(ArrayRef<TuningRecord> File) {
  const TuningRecord &R = File.front();
  json::Object All = filePart(File, variantPart);
  All["checksum"] = checksum(File);
  All["demangled"] = demangle(R.Kernel);
  All["compiled-with"] =
      json::Object{{"clang", R.Tools.Clang}, {"gpuprune", R.Tools.Gpuprune}, {"ptxas", R.Tools.Ptxas}};
  return formatv("{0:2}\n", json::Value(std::move(All)));
}

/// What this version does not know must not be left out of a launch.
static bool knowsAllKeys(const json::Object &O, ArrayRef<StringLiteral> Known, json::Path Path) {
  for (const auto &[Key, Value] : O)
    if (!is_contained(Known, StringRef(Key))) {
      Path.field(Key).report("not a key of a tuning record");
      return false;
    }
  return true;
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
  return Map && knowsAllKeys(*Value.getAsObject(), {"count", "pointers"}, Path) &&
         mapUnsigned(*Value.getAsObject(), "count", Arguments.Count, Presence::Required, Path) &&
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

static bool fromJSON(const json::Value &Value, LeastLoopEnd &End, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && knowsAllKeys(*Value.getAsObject(), {"argument", "bits", "signed", "least"}, Path) &&
         mapUnsigned(*Value.getAsObject(), "argument", End.Argument, Presence::Required, Path) &&
         mapUnsigned(*Value.getAsObject(), "bits", End.Bits, Presence::Required, Path) &&
         Map.map("signed", End.Signed) &&
         mapUnsigned(*Value.getAsObject(), "least", End.Least, Presence::Required, Path);
}

static bool fromJSON(const json::Value &Value, LaunchConditions &Conditions, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  if (!Map)
    return false;
  const json::Object &O = *Value.getAsObject();
  if (O.get("most-blocks") &&
      !mapUnsigned(O, "most-blocks", Conditions.MostBlocks.emplace(), Presence::Required, Path))
    return false;
  if (const json::Value *End = O.get("loop-end");
      End && !fromJSON(*End, Conditions.LoopEnd.emplace(), Path.field("loop-end")))
    return false;
  return knowsAllKeys(O, {"block", "least-blocks", "most-blocks", "loop-end"}, Path) &&
         readBlock(O, Conditions.Block, Path) &&
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

/// What was changed by hand, or was damaged, is not what was checked and timed.
static bool hasItsChecksum(json::ObjectMapper &Map, ArrayRef<TuningRecord> File, json::Path Path) {
  std::string Written;
  if (!Map.map("checksum", Written))
    return false;
  if (Written != checksum(File))
    Path.field("checksum").report("not that of this record, which was edited or damaged; tune anew");
  return Written == checksum(File);
}

/// \p R has what all variants of the file have.
static bool readVariant(const json::Value &Value, TuningRecord &R, json::Path Path) {
  static constexpr StringLiteral Known[] = {"variant", "contract",   "conditions", "registers",
                                            "bitwise", "difference", "times",      "block"};
  json::ObjectMapper Map(Value, Path);
  if (!Map)
    return false;
  if (const json::Object &O = *Value.getAsObject(); O.get("block") && !readBlock(O, R.Block.emplace(), Path))
    return false;
  return knowsAllKeys(*Value.getAsObject(), Known, Path) && Map.map("variant", R.Variant) &&
         Map.map("contract", R.Contract) && Map.map("conditions", R.Conditions) &&
         mapUnsigned(*Value.getAsObject(), "registers", R.Registers, Presence::Required, Path) &&
         Map.mapOptional("bitwise", R.Bitwise) && Map.mapOptional("difference", R.Difference) &&
         Map.mapOptional("times", R.Times);
}

static bool readVariants(const json::Object &O, const TuningRecord &Common, std::vector<TuningRecord> &File,
                         json::Path Path) {
  const json::Array *Variants = O.getArray("variants");
  if (!Variants || Variants->empty() || Variants->size() > MostVariants) {
    Path.report("expected an array of 1 to 64 tuned variants");
    return false;
  }
  for (const auto &[Index, Value] : enumerate(*Variants))
    if (!readVariant(Value, File.emplace_back(Common), Path.index(Index)))
      return false;
  return true;
}

static bool fromJSON(const json::Value &Value, std::vector<TuningRecord> &File, json::Path Path) {
  static constexpr StringLiteral Known[] = {"schema",   "kernel",        "arch",      "digest",  "arguments",
                                            "variants", "compiled-with", "demangled", "checksum"};
  json::ObjectMapper Map(Value, Path);
  if (!Map)
    return false;
  const json::Object &O = *Value.getAsObject();
  uint64_t Version = 0;
  if (!mapUnsigned(O, "schema", Version, Presence::Required, Path))
    return false;
  if (Version != Schema) {
    Path.field("schema").report("expected 2: another version of gpuprune wrote this record; tune anew");
    return false;
  }
  TuningRecord R;
  return knowsAllKeys(O, Known, Path) && Map.map("kernel", R.Kernel) && Map.map("arch", R.Arch) &&
         Map.map("digest", R.Digest) && Map.map("arguments", R.Arguments) &&
         Map.map("compiled-with", R.Tools) && readVariants(O, R, File, Path.field("variants")) &&
         hasItsChecksum(Map, File, Path);
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

static Error checkNumber(const TuningRecord &R, StringRef What, uint32_t Argument) {
  if (Argument < R.Arguments.Count)
    return Error::success();
  return makeError(ErrorKind::Input,
                   formatv("{0} argument {1}, of which there are {2}", What, Argument, R.Arguments.Count));
}

static Error checkArguments(const TuningRecord &R) {
  if (R.Arguments.Count + R.Contract.Hidden.size() > GPUPRUNE_MAX_ARGUMENTS)
    return makeError(ErrorKind::Input,
                     formatv("the kernel has {0} parameters; launches with more than {1} are "
                             "not passed on",
                             R.Arguments.Count + R.Contract.Hidden.size(), unsigned(GPUPRUNE_MAX_ARGUMENTS)));
  for (const PointerPlace &P : R.Arguments.Pointers)
    if (Error E = checkNumber(R, "pointer of", P.Argument))
      return E;
  const std::optional<GridBound> &Bound = R.Contract.GridEnd;
  return Bound ? checkNumber(R, "the grid's bound is", Bound->Argument) : Error::success();
}

static Error checkLoopEnd(const TuningRecord &R) {
  const std::optional<LeastLoopEnd> &End = R.Conditions.LoopEnd;
  if (!End)
    return Error::success();
  if (Error E = checkNumber(R, "loop-end names", End->Argument))
    return E;
  if (End->Bits != 32 && End->Bits != 64)
    return makeError(ErrorKind::Input, formatv("loop-end has {0} bits, expected 32 or 64", End->Bits));
  if (any_of(R.Arguments.Pointers, [&](const PointerPlace &P) { return P.Argument == End->Argument; }))
    return makeError(ErrorKind::Input,
                     formatv("loop-end names argument {0}, which is no integer", End->Argument));
  return Error::success();
}

static bool canBeLaunched(const Dim3 &Block) {
  for (unsigned D = 0; D != Dim3::size(); ++D)
    if (Block[D] < 1 || Block[D] > LargestBlock[D])
      return false;
  return Block.volume() <= MostThreadsPerBlock;
}

/// An author's block of another size cannot be launched, and what divides it could be.
static Error checkBlock(const TuningRecord &R) {
  const Dim3 &Block = R.Conditions.Block;
  if (!canBeLaunched(Block))
    return makeError(ErrorKind::Input, "the author's block of " + Block.text() + " threads is none");
  if (R.Block && !canBeLaunched(*R.Block))
    return makeError(ErrorKind::Input, "the tuned kernel's block of " + R.Block->text() + " threads is none");
  if (R.Block && *R.Block == Block)
    return makeError(ErrorKind::Input, "the tuned kernel's block is the author's, and is not written then");
  if (Expected<Dim3> Launched = R.Contract.physicalBlock(R.ownBlock()); !Launched)
    return makeError(ErrorKind::Input, toString(Launched.takeError()));
  return Error::success();
}

static Error checkConditions(const TuningRecord &R) {
  if (uint64_t Most = R.Conditions.MostBlocks.value_or(UINT64_MAX); Most < R.Conditions.LeastBlocks)
    return makeError(ErrorKind::Input, formatv("most-blocks is {0}, less than least-blocks, {1}", Most,
                                               R.Conditions.LeastBlocks));
  if (Error E = checkLoopEnd(R))
    return E;
  return checkBlock(R);
}

static Error checkContract(const LaunchContract &Contract) {
  auto Wrong = [](const Twine &What) { return makeError(ErrorKind::Input, What); };
  for (unsigned D = 0; D != Dim3::size(); ++D)
    if (!isUInt<32>(Contract.GridDivisor[D]) || !isUInt<32>(Contract.BlockDivisor[D]))
      return Wrong("a divisor of the launch contract does not fit 32 bits");
  if (!isUInt<32>(Contract.PointerAlignment))
    return Wrong("the pointer alignment of the launch contract does not fit 32 bits");
  if (!Contract.ConstantCopies.empty())
    return Wrong(
        "the variant reads a buffer from constant memory, which has to be copied there before each launch, "
        "and a build cannot add that; tune without space=constant");
  return Error::success();
}

static Error checkVariantOf(const TuningRecord &R) {
  auto Wrong = [](const Twine &What) { return makeError(ErrorKind::Input, What); };
  if (R.Registers == 0 || R.Registers > 255)
    return Wrong("registers is " + Twine(R.Registers) + "; expected 1 to 255");
  if (Error E = checkContract(R.Contract))
    return E;
  if (Error E = checkConditions(R))
    return E;
  if (R.Times && !(std::isfinite(R.Times->Stock) && std::isfinite(R.Times->Tuned)))
    return Wrong("a time is not a finite number");
  if (Error E = checkArguments(R))
    return E;
  return checkVariant(R.Variant);
}

static Error checkKernel(const TuningRecord &R) {
  auto Wrong = [](const Twine &What) { return makeError(ErrorKind::Input, What); };
  unsigned Architecture = 0;
  StringRef Number = R.Arch;
  if (!Number.consume_front("sm_") || Number.getAsInteger(10, Architecture))
    return Wrong("arch is '" + R.Arch + "'; expected one such as sm_90");
  if (!isSymbol(R.Kernel))
    return Wrong("the kernel's symbol is '" + R.Kernel + "', which is none");
  if (R.Digest.size() != 64 || !all_of(R.Digest, isHexDigit))
    return Wrong("the digest is '" + R.Digest + "'; expected 64 hexadecimal digits");
  return Error::success();
}

static bool haveSameHead(const TuningRecord &A, const TuningRecord &B) {
  return std::tie(A.Kernel, A.Arch, A.Digest, A.Arguments, A.Tools) ==
         std::tie(B.Kernel, B.Arch, B.Digest, B.Arguments, B.Tools);
}

Error checkTuningRecord(ArrayRef<TuningRecord> File) {
  if (File.empty() || File.size() > MostVariants)
    return makeError(ErrorKind::Input,
                     formatv("{0} tuned variants; expected 1 to {1}", File.size(), MostVariants));
  if (Error E = checkKernel(File.front()))
    return E;
  for (const auto &[Index, R] : enumerate(File)) {
    if (!haveSameHead(R, File.front()))
      return makeError(ErrorKind::Input, "the variants are not those of one kernel");
    if (Error E = checkVariantOf(R))
      return E;
    if (any_of(File.take_front(Index), [&, &R = R](const TuningRecord &Before) {
          return Before.isSameKernel(R) && Before.Conditions == R.Conditions;
        }))
      return makeError(ErrorKind::Input,
                       "the variant '" + R.name() + "' is there twice under the same conditions");
  }
  return Error::success();
}

/// "WHAT at tuning record.KEY" as "KEY: WHAT", since WHAT may be a sentence.
static std::string keyFirst(StringRef Text) {
  auto [What, Key] = Text.rsplit(" at tuning record.");
  return Key.empty() ? Text.str() : (Key + ": " + What).str();
}

Expected<std::vector<TuningRecord>> parseTuningRecord(StringRef Text) {
  Expected<json::Value> Parsed = parseForeignJson(Text);
  if (!Parsed)
    return Parsed.takeError();
  std::vector<TuningRecord> File;
  json::Path::Root Root("tuning record");
  if (!fromJSON(*Parsed, File, Root))
    return makeError(ErrorKind::Input, keyFirst(toString(Root.getError())));
  if (Error E = checkTuningRecord(File))
    return std::move(E);
  return File;
}

} // namespace gpuprune
