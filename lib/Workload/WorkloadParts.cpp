//===- WorkloadParts.cpp - Readers of the keys of a workload --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WorkloadParts.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "gpuprune/Workload/Problem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cmath>
#include <limits>

using namespace llvm;

namespace gpuprune {

static const StringRef BlockNames[] = {"block.x", "block.y", "block.z"};

static const DefineSpec *findDefine(const Workload &W, StringRef Name) {
  auto Found = find_if(W.Defines, [&](const DefineSpec &D) { return D.Name == Name; });
  return Found == W.Defines.end() ? nullptr : &*Found;
}

static Error checkName(const Workload &W, const LocatedExpression &E, StringRef Name,
                       ArrayRef<StringRef> Others) {
  if (is_contained(Others, Name) || is_contained(W.SizeNames, Name))
    return Error::success();
  if (const DefineSpec *Define = findDefine(W, Name)) {
    for (const std::string &Value : Define->Values)
      if (!integerValueOf(Value))
        return W.errorAt(E.Where, "'" + Name + "' has the value '" + Value +
                                      "', which is no integer; it cannot be used in an expression");
    return Error::success();
  }
  SmallVector<StringRef> Known(W.SizeNames.begin(), W.SizeNames.end());
  for (const DefineSpec &Define : W.Defines)
    Known.push_back(Define.Name);
  append_range(Known, Others);
  return W.errorAt(E.Where, "unknown name '" + Name + "'" + nearestNameHint(Name, Known));
}

Error checkNames(const Workload &W, const LocatedExpression &E, ArrayRef<StringRef> Others) {
  for (const std::string &Name : E.Value.names())
    if (Error Failed = checkName(W, E, Name, Others))
      return Failed;
  return Error::success();
}

Expected<LocatedExpression> readExpression(const YamlCursor &At, const Workload &W,
                                           ArrayRef<StringRef> Others, Arithmetic Kind) {
  Expected<LocatedExpression> Read = At.expression(Kind);
  if (!Read)
    return Read;
  if (Error E = checkNames(W, *Read, Others))
    return std::move(E);
  return Read;
}

static Error readDefine(const YamlCursor &At, Workload &W) {
  if (!isIdentifier(At.name()))
    return At.error("'" + At.name() + "' cannot be the name of a macro");
  DefineSpec Define;
  Define.Name = At.name().str();
  Expected<YamlCursor> Values = At;
  if (At.isMapping()) {
    if (Error E = At.checkKeys({"values", "same-result"}))
      return E;
    Values = At.require("values");
    if (!Values)
      return Values.takeError();
    if (std::optional<YamlCursor> Same = At.find("same-result"))
      if (Error E = Same->boolean().moveInto(Define.SameResult))
        return E;
  }
  for (const YamlCursor &Item : Values->itemsOrSelf()) {
    Expected<std::string> Value = Item.scalar("a value");
    if (!Value)
      return Value.takeError();
    if (StringRef(*Value).find_first_of(" \t\r\n") != StringRef::npos)
      return Item.error("a value of a define cannot hold white space; typedef it in the source");
    if (is_contained(Define.Values, *Value))
      return Item.error("the value '" + *Value + "' appears twice");
    Define.Values.push_back(std::move(*Value));
  }
  if (Define.Values.empty())
    return At.error("expected at least one value, the author's first");
  W.Defines.push_back(std::move(Define));
  return Error::success();
}

Error readEach(Expected<std::vector<YamlCursor>> Entries, Error (*Read)(const YamlCursor &, Workload &),
               Workload &W) {
  if (!Entries)
    return Entries.takeError();
  for (const YamlCursor &Entry : *Entries)
    if (Error E = Read(Entry, W))
      return E;
  return Error::success();
}

Error readDefines(const YamlCursor &At, Workload &W) {
  return readEach(At.entries("a mapping of macro to values"), readDefine, W);
}

/// One assignment of all sizes; \p W.SizeNames are those of the first one read.
static Expected<Environment> readSize(const YamlCursor &At, Workload &W) {
  Expected<std::vector<YamlCursor>> Entries = At.entries("a mapping of size to value, such as { n: 4096 }");
  if (!Entries)
    return Entries.takeError();
  bool First = W.SizeNames.empty();
  Environment Result;
  for (const YamlCursor &Entry : *Entries) {
    SmallVector<StringRef> Known(W.SizeNames.begin(), W.SizeNames.end());
    if (!First && !is_contained(Known, Entry.name()))
      return Entry.error("not a size of 'tune'" + nearestNameHint(Entry.name(), Known));
    if (!isIdentifier(Entry.name()))
      return Entry.error("'" + Entry.name() + "' cannot be the name of a size");
    if (findDefine(W, Entry.name()))
      return Entry.error("'" + Entry.name() + "' is a define already");
    Expected<int64_t> Value = Entry.integer();
    if (!Value)
      return Value.takeError();
    Result[Entry.name()] = *Value;
    if (First)
      W.SizeNames.push_back(Entry.name().str());
  }
  for (const std::string &Name : W.SizeNames)
    if (!Result.contains(Name))
      return At.error("the size '" + Name + "' is missing");
  return Result;
}

Error readSizes(const YamlCursor &At, Workload &W) {
  if (Error E = At.checkKeys({"tune", "check"}))
    return E;
  Expected<YamlCursor> Tune = At.require("tune");
  if (!Tune)
    return Tune.takeError();
  Expected<Environment> TuneSize = readSize(*Tune, W);
  if (!TuneSize)
    return TuneSize.takeError();
  W.TuneSize = std::move(*TuneSize);
  Expected<YamlCursor> Check = At.require("check");
  if (!Check)
    return Check.takeError();
  for (const YamlCursor &Item : Check->itemsOrSelf()) {
    Expected<Environment> Size = readSize(Item, W);
    if (!Size)
      return Size.takeError();
    W.CheckSizes.push_back(std::move(*Size));
  }
  if (W.CheckSizes.empty())
    return Check->error("expected at least one small size to check results with");
  return Error::success();
}

static Expected<ArgumentSpec> readBufferArgument(const YamlCursor &At, const Workload &W) {
  Expected<std::string> Name = At.scalar("the name of a buffer or a scalar such as { i32: n }");
  if (!Name)
    return Name.takeError();
  SmallVector<StringRef> Known;
  for (const auto &[Index, Buffer] : enumerate(W.Buffers)) {
    if (Buffer.Name == *Name) {
      if (!Buffer.Symbol.empty())
        return At.error("the buffer '" + *Name + "' is copied to the variable '" + Buffer.Symbol +
                        "' and has no address to pass");
      ArgumentSpec Argument;
      Argument.Where = At.place();
      Argument.Buffer = Index;
      return Argument;
    }
    Known.push_back(Buffer.Name);
  }
  if (W.TuneSize.contains(*Name))
    return At.error("'" + *Name +
                    "' is a size and no buffer; an integer argument is written { i32: " + *Name + " }");
  return At.error("no buffer '" + *Name + "'" + nearestNameHint(*Name, Known));
}

/// { buffer: A, offset: n }
static Expected<ArgumentSpec> readPartOfBuffer(const YamlCursor &At, const Workload &W) {
  if (Error E = At.checkKeys({"buffer", "offset"}))
    return std::move(E);
  Expected<YamlCursor> Buffer = At.require("buffer");
  if (!Buffer)
    return Buffer.takeError();
  Expected<ArgumentSpec> Argument = readBufferArgument(*Buffer, W);
  if (!Argument)
    return Argument;
  Argument->Where = At.place();
  if (std::optional<YamlCursor> Offset = At.find("offset"))
    if (Error E = readExpression(*Offset, W).moveInto(Argument->Offset.emplace()))
      return std::move(E);
  return Argument;
}

/// What YAML 1.2.2, section 10.3.2, calls numbers that are not finite, and NaN with a sign.
static std::optional<double> readNotFinite(StringRef Text) {
  double Sign = Text.consume_front("-") ? -1 : 1;
  if (Text == ".inf")
    return std::copysign(std::numeric_limits<double>::infinity(), Sign);
  return Text == ".nan" ? std::optional(std::copysign(std::numeric_limits<double>::quiet_NaN(), Sign))
                        : std::nullopt;
}

/// A type and its value.
static Expected<ArgumentSpec> readScalar(const YamlCursor &At, const Workload &W) {
  Expected<std::vector<YamlCursor>> Found = At.entries("one type and its value, such as { i32: n }");
  if (!Found)
    return Found.takeError();
  const std::vector<YamlCursor> &Entries = *Found;
  if (Entries.size() != 1)
    return At.error("expected one type and its value, such as { i32: n }, or a part of a buffer, such as { "
                    "buffer: A, offset: n }");
  const YamlCursor &Value = Entries.front();
  Expected<ElementType> Type = parseElementType(Value.name());
  if (!Type)
    return At.error(takeError(Type.takeError()).Text);
  ArgumentSpec Argument;
  Argument.Where = At.place();
  Argument.Type = *Type;
  double Literal;
  Expected<std::string> Text = Value.scalar("a value");
  if (!Text)
    return Text.takeError();
  bool IsReal = isFloatingPoint(*Type);
  if (std::optional<double> NotFinite = readNotFinite(*Text); IsReal && NotFinite) {
    Argument.Real = *NotFinite;
    return Argument;
  }
  if (IsReal && !StringRef(*Text).getAsDouble(Literal)) {
    if (Error E = Value.real().moveInto(Argument.Real))
      return std::move(E);
    if (!holdsReal(*Type, Argument.Real))
      return Value.error("the value does not fit in " + elementTypeName(*Type));
    return Argument;
  }
  Expected<LocatedExpression> Read =
      readExpression(Value, W, BlockNames, IsReal ? Arithmetic::Reals : Arithmetic::Integers);
  if (!Read)
    return Read.takeError();
  Argument.Value = std::move(*Read);
  return Argument;
}

/// A structure with a scalar for each field.
static Expected<ArgumentSpec> readStructure(const YamlCursor &At, const YamlCursor &Structure,
                                            const Workload &W) {
  if (Error E = At.checkKeys({"struct", "align"}))
    return std::move(E);
  Expected<std::vector<YamlCursor>> Entries =
      Structure.entries("the fields of a structure, such as { low: { f32: 0.5 }, count: { i32: n } }");
  if (!Entries)
    return Entries.takeError();
  ArgumentSpec Argument;
  Argument.Where = At.place();
  ElementLayout::FieldList Fields;
  for (const YamlCursor &Entry : *Entries) {
    if (!Entry.isMapping() || Entry.find("buffer") || Entry.find("struct"))
      return Entry.error(
          "expected one type and its value, such as { i32: n }: buffers and structures in a structure "
          "are not supported. Pass a buffer as an argument of its own; a null pointer is { u64: 0 }, "
          "and members of a structure are written as so many fields");
    Expected<ArgumentSpec> Field = readScalar(Entry, W);
    if (!Field)
      return Field.takeError();
    Fields.push_back({Entry.name().str(), Field->Type});
    Argument.Fields.push_back(std::move(*Field));
  }
  Expected<ElementLayout> Layout = layoutOf(Structure, std::move(Fields), At.find("align"));
  if (!Layout)
    return Layout.takeError();
  Argument.Structure = std::move(*Layout);
  return Argument;
}

static Expected<ArgumentSpec> readArgument(const YamlCursor &At, const Workload &W) {
  if (!At.isMapping())
    return readBufferArgument(At, W);
  if (std::optional<YamlCursor> Structure = At.find("struct"))
    return readStructure(At, *Structure, W);
  if (At.find("buffer") || At.find("offset"))
    return readPartOfBuffer(At, W);
  return readScalar(At, W);
}

static Error readExtent(const YamlCursor &Launch, StringRef Key, const Workload &W,
                        ArrayRef<StringRef> Others, std::vector<LocatedExpression> &Extent) {
  Expected<YamlCursor> At = Launch.require(Key);
  if (!At)
    return At.takeError();
  std::vector<YamlCursor> Items = At->itemsOrSelf();
  if (Items.empty() || Items.size() > 3)
    return At->error("expected one to three expressions: [x], [x, y] or [x, y, z]; found " +
                     Twine(Items.size()) + (Items.empty() ? "" : ": one with a comma has to be in quotes"));
  for (const YamlCursor &Item : Items) {
    Expected<LocatedExpression> Read = readExpression(Item, W, Others);
    if (!Read)
      return Read.takeError();
    Extent.push_back(std::move(*Read));
  }
  return Error::success();
}

Error readLaunch(const YamlCursor &At, Workload &W) {
  LaunchSpec Launch;
  Expected<YamlCursor> Kernel = At.require("kernel");
  if (!Kernel)
    return Kernel.takeError();
  Expected<std::string> Name = Kernel->scalar("the name of a kernel");
  if (!Name)
    return Name.takeError();
  Launch.Kernel = std::move(*Name);
  Launch.KernelWhere = Kernel->place();
  if (Error E = readExtent(At, "grid", W, BlockNames, Launch.Grid))
    return E;
  if (Error E = readExtent(At, "block", W, {}, Launch.Block))
    return E;
  if (std::optional<YamlCursor> Shared = At.find("shared")) {
    Expected<LocatedExpression> Bytes = readExpression(*Shared, W, BlockNames);
    if (!Bytes)
      return Bytes.takeError();
    Launch.Shared = std::move(*Bytes);
  }
  Expected<YamlCursor> Arguments = At.require("arguments");
  if (!Arguments)
    return Arguments.takeError();
  Launch.ArgumentsWhere = Arguments->place();
  Expected<std::vector<YamlCursor>> Items = Arguments->items("a list such as [ A, B, { i32: n } ]");
  if (!Items)
    return Items.takeError();
  for (const YamlCursor &Item : *Items) {
    Expected<ArgumentSpec> Argument = readArgument(Item, W);
    if (!Argument)
      return Argument.takeError();
    Launch.Arguments.push_back(std::move(*Argument));
  }
  W.Launches.push_back(std::move(Launch));
  return Error::success();
}

Error readTolerance(const YamlCursor &At, Workload &W) {
  if (Error E = At.checkKeys({"relative", "absolute"}))
    return E;
  std::optional<double> Relative;
  for (auto [Key, Target] : {std::pair{"relative", &Relative}, {"absolute", &W.Tolerance.Absolute}}) {
    std::optional<YamlCursor> Found = At.find(Key);
    if (!Found)
      continue;
    Expected<double> Value = Found->real();
    if (!Value)
      return Value.takeError();
    if (*Value < 0)
      return Found->error("a tolerance cannot be negative");
    *Target = *Value;
  }
  if (Relative)
    W.Tolerance.Relative = *Relative;
  return Error::success();
}

Error readWork(const YamlCursor &At, Workload &W) {
  Expected<std::vector<YamlCursor>> Entries =
      At.entries("one unit and its amount, such as { flop: 2*n*n*n }");
  if (!Entries)
    return Entries.takeError();
  if (Entries->size() != 1)
    return At.error("expected exactly one unit");
  Expected<LocatedExpression> Amount = readExpression(Entries->front(), W);
  if (!Amount)
    return Amount.takeError();
  W.Work = WorkSpec{Entries->front().name().str(), std::move(*Amount)};
  return Error::success();
}

} // namespace gpuprune
