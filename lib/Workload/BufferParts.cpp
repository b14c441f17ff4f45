//===- BufferParts.cpp - Readers of the key buffers -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NpyHeader.h"
#include "WorkloadParts.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

static Error readInteger(const YamlCursor &At, ElementType Type, int64_t &Value) {
  Expected<int64_t> Read = At.integer();
  if (!Read)
    return Read.takeError();
  if (!holdsInteger(Type, *Read))
    return At.error(Twine(*Read) + " does not fit in " + elementTypeName(Type));
  Value = *Read;
  return Error::success();
}

Error readValue(const YamlCursor &At, ElementType Type, double &Real, int64_t &Integer) {
  if (!isFloatingPoint(Type)) {
    Error E = readInteger(At, Type, Integer);
    Real = Integer;
    return E;
  }
  Expected<double> Read = At.real();
  if (!Read)
    return Read.takeError();
  if (!holdsReal(Type, *Read))
    return At.error("the value does not fit in " + elementTypeName(Type));
  Real = *Read;
  return Error::success();
}

/// Takes \p At up where it is an expression with names: its value is known once the size is.
static Expected<bool> takesSizes(const YamlCursor &At, FillPart To, FillSpec &Fill, const Workload &W) {
  double Literal;
  Expected<std::string> Text = At.scalar("a number or an expression");
  if (!Text)
    return Text.takeError();
  if (!StringRef(*Text).getAsDouble(Literal))
    return false;
  Expected<LocatedExpression> Read = At.expression();
  if (!Read)
    return Read.takeError();
  if (Read->Value.names().empty())
    return false;
  if (Error E = checkNames(W, *Read))
    return std::move(E);
  To.Value = std::move(*Read);
  Fill.Parts.push_back(std::move(To));
  return true;
}

/// A bound or a constant, perhaps one that depends on the size.
static Error readFillValue(const YamlCursor &At, ElementType Type, double FillSpec::*Real,
                           int64_t FillSpec::*Integer, FillSpec &Fill, const Workload &W) {
  Expected<bool> Taken = takesSizes(At, {{}, Real, isFloatingPoint(Type) ? nullptr : Integer}, Fill, W);
  if (!Taken || *Taken)
    return Taken.takeError();
  return readValue(At, Type, Fill.*Real, Fill.*Integer);
}

static Error readUniform(const YamlCursor &At, ElementType Type, FillSpec &Fill, const Workload &W) {
  std::vector<YamlCursor> Bounds = At.itemsOrSelf();
  if (!At.isSequence() || Bounds.size() != 2)
    return At.error("expected the two bounds [low, high]");
  if (Error E = readFillValue(Bounds[0], Type, &FillSpec::Low, &FillSpec::LowInteger, Fill, W))
    return E;
  if (Error E = readFillValue(Bounds[1], Type, &FillSpec::High, &FillSpec::HighInteger, Fill, W))
    return E;
  if (!Fill.Parts.empty())
    return Error::success(); // Their order is looked at where they are known.
  bool Ordered = isFloatingPoint(Type) ? Fill.Low <= Fill.High : Fill.LowInteger <= Fill.HighInteger;
  return Ordered ? Error::success() : At.error("the lower bound is above the upper one");
}

/// Integers up to here are exact in the JSON of the runner.
static constexpr int64_t MaxAffinePart = int64_t(1) << 53;

/// A part of an affine fill: any finite number, or for integer types an integer
/// that a double holds exactly.
static Error readAffinePart(const YamlCursor &At, ElementType Type, double FillSpec::*Real, FillSpec &Fill,
                            const Workload &W) {
  double &Part = Fill.*Real;
  Expected<bool> Taken = takesSizes(At, {{}, Real}, Fill, W);
  if (!Taken || *Taken)
    return Taken.takeError();
  if (isFloatingPoint(Type)) {
    Expected<double> Read = At.real();
    return Read ? (Part = *Read, Error::success()) : Read.takeError();
  }
  Expected<int64_t> Read = At.integer();
  if (!Read)
    return Read.takeError();
  if (*Read > MaxAffinePart || *Read < -MaxAffinePart)
    return At.error("expected an integer of at most 2^53 in magnitude");
  Part = double(*Read);
  return Error::success();
}

static Error readAffine(const YamlCursor &At, std::optional<YamlCursor> Jitter, ElementType Type,
                        FillSpec &Fill, const Workload &W) {
  Fill.FillKind = FillSpec::Kind::Affine;
  std::vector<YamlCursor> Parts = At.itemsOrSelf();
  if (!At.isSequence() || Parts.size() != 2)
    return At.error("expected the first element and the step, [start, step]");
  if (Error E = readAffinePart(Parts[0], Type, &FillSpec::Start, Fill, W))
    return E;
  if (Error E = readAffinePart(Parts[1], Type, &FillSpec::Step, Fill, W))
    return E;
  if (!Jitter)
    return Error::success();
  if (Error E = readAffinePart(*Jitter, Type, &FillSpec::Jitter, Fill, W))
    return E;
  return Fill.Jitter < 0 ? Jitter->error("a jitter cannot be negative") : Error::success();
}

static Error readSeed(const YamlCursor &At, uint64_t &Seed) {
  Expected<int64_t> Value = At.integer();
  if (!Value)
    return Value.takeError();
  Seed = *Value;
  return Error::success();
}

/// The file that \p At names, which is read once.
static Expected<std::shared_ptr<const DataFile>> namedFile(const YamlCursor &At, Workload &W) {
  Expected<std::string> Written = At.scalar("the path of a file");
  if (!Written)
    return Written.takeError();
  for (const NamedFile &Known : W.Files)
    if (Known.Written == *Written)
      return Known.File;
  Expected<DataFile> Read = readDataFile(besideWorkload(*Written, W));
  if (!Read)
    return At.error(takeError(Read.takeError()).Text);
  W.Files.push_back({std::move(*Written), std::make_shared<const DataFile>(std::move(*Read))});
  return W.Files.back().File;
}

/// Elements of \p Type from a file of NumPy's or, with another extension, of their bytes alone.
static Error readFileFill(const YamlCursor &At, const ElementLayout &Type, FillSpec &Fill, Workload &W) {
  Expected<std::shared_ptr<const DataFile>> File = namedFile(At, W);
  if (!File)
    return File.takeError();
  Fill.FillKind = FillSpec::Kind::File;
  Fill.File = std::move(*File);
  const auto &[Path, Content, Hash] = *Fill.File;
  auto Wrong = [&, &Path = Path](const Twine &Why) { return At.error("the file '" + Path + "': " + Why); };
  if (sys::path::extension(Path) == ".npy") {
    if (Type.isStructure())
      return Wrong(
          "NumPy's files are of one type; give one for each field, or the structures as they are in a "
          "file with another extension");
    Expected<uint64_t> Begin = npyElements(Content, *Type.scalar());
    if (!Begin)
      return Wrong(takeError(Begin.takeError()).Text);
    Fill.FileOffset = *Begin;
    return Error::success();
  }
  if (StringRef(Content).starts_with(NpyMagic))
    return Wrong(
        "it is one of NumPy's, whose header would be taken for elements; give it the extension .npy");
  if (Content.size() % Type.bytes() != 0)
    return Wrong(Twine(Content.size()) + " bytes are no whole number of elements of " + Twine(Type.bytes()));
  return Error::success();
}

static Error readFillMapping(const YamlCursor &At, ElementType Type, FillSpec &Fill, Workload &W) {
  if (std::optional<YamlCursor> File = At.find("file")) {
    if (Error E = At.checkKeys({"file"}))
      return E;
    return readFileFill(*File, Type, Fill, W);
  }
  if (Error E = At.checkKeys({"constant", "uniform", "affine", "jitter", "seed", "file"}))
    return E;
  std::optional<YamlCursor> Constant = At.find("constant"), Uniform = At.find("uniform");
  std::optional<YamlCursor> Affine = At.find("affine"), Jitter = At.find("jitter"), Seed = At.find("seed");
  bool OneKind = int(Constant.has_value()) + Uniform.has_value() + Affine.has_value() == 1;
  if (!OneKind || (Jitter && !Affine) || (Seed && !Uniform && !Jitter))
    return At.error("expected { constant: VALUE }, { uniform: [LOW, HIGH], seed: NUMBER }, { affine: "
                    "[START, STEP], jitter: WIDTH, seed: NUMBER } or { file: NAME }");
  if (Seed)
    if (Error E = readSeed(*Seed, Fill.Seed))
      return E;
  if (Affine)
    return readAffine(*Affine, Jitter, Type, Fill, W);
  if (Uniform) {
    Fill.FillKind = FillSpec::Kind::Uniform;
    return readUniform(*Uniform, Type, Fill, W);
  }
  Fill.FillKind = FillSpec::Kind::Constant;
  return readFillValue(*Constant, Type, &FillSpec::Low, &FillSpec::LowInteger, Fill, W);
}

static Error readFill(const YamlCursor &At, ElementType Type, FillSpec &Fill, Workload &W) {
  if (At.isMapping())
    return readFillMapping(At, Type, Fill, W);
  Expected<std::string> Word =
      At.scalar("zero, iota, { constant: ... }, { uniform: ... }, { affine: ... } or { file: ... }");
  if (!Word)
    return Word.takeError();
  if (*Word == "zero")
    Fill.FillKind = FillSpec::Kind::Zero;
  else if (*Word == "iota")
    Fill.FillKind = FillSpec::Kind::Iota;
  else
    return At.error("unknown fill '" + *Word + "'" +
                    nearestNameHint(*Word, {"zero", "iota", "constant", "uniform", "affine", "file"}));
  return Error::success();
}

/// A fill for each field of the structure \p Type, zero, or a file with structures as they are in memory.
static Error readFill(const YamlCursor &At, const ElementLayout &Type, FillSpec &Fill, Workload &W) {
  if (std::optional<ElementType> Scalar = Type.scalar())
    return readFill(At, *Scalar, Fill, W);
  if (!At.isMapping()) {
    Expected<std::string> Word = At.scalar("zero, or a fill for each field such as { x: iota }");
    if (!Word)
      return Word.takeError();
    Fill.FillKind = FillSpec::Kind::Zero;
    return *Word == "zero" ? Error::success()
                           : At.error("expected zero, { file: NAME }, or a fill for each field such as { " +
                                      Type.fields().front().Name + ": " + *Word + " }");
  }
  SmallVector<StringRef> Names;
  for (const ElementField &Field : Type.fields())
    Names.push_back(Field.Name);
  if (std::optional<YamlCursor> File = At.find("file"); File && !is_contained(Names, "file")) {
    if (Error E = At.checkKeys({"file"}))
      return E;
    return readFileFill(*File, Type, Fill, W);
  }
  if (Error E = At.checkKeys(Names))
    return E;
  uint64_t Seed = Fill.Seed;
  Fill.FillKind = FillSpec::Kind::Fields;
  for (const auto &[Index, Field] : enumerate(Type.fields())) {
    Expected<YamlCursor> Of = At.require(Field.Name);
    if (!Of)
      return Of.takeError();
    FillSpec &Own = Fill.Fields.emplace_back();
    Own.Seed = Seed + (uint64_t(Index) << 32); // That of no other buffer.
    if (Error E = readFill(*Of, Field.Type, Own, W))
      return E;
  }
  return Error::success();
}

static Error readRole(const YamlCursor &At, BufferSpec &Buffer) {
  Expected<YamlCursor> Value = At.require("role");
  if (!Value)
    return Value.takeError();
  Expected<std::string> Role = Value->scalar("in, out, inout or temp");
  if (!Role)
    return Role.takeError();
  Buffer.Temporary = *Role == "temp";
  std::optional<BufferRole> Known = Buffer.Temporary ? BufferRole::Out : BufferRoleNames.find(*Role);
  if (!Known)
    return Value->error("unknown role '" + *Role + "'; expected in, out, inout or temp");
  Buffer.Role = *Known;
  return Error::success();
}

static Error readBufferFill(const YamlCursor &At, BufferSpec &Buffer, Workload &W) {
  std::optional<YamlCursor> Fill = At.find("fill");
  if (Buffer.Role == BufferRole::Out)
    return Fill ? Fill->error(Twine("a buffer with the role '") + (Buffer.Temporary ? "temp" : "out") +
                              "' has no fill: the check fills it itself, so that elements nobody writes are "
                              "seen; use 'inout' for a kernel that reads it")
                : Error::success();
  if (!Fill)
    return At.error("the key 'fill' is missing: the kernel reads this buffer");
  return readFill(*Fill, Buffer.Type, Buffer.Fill, W);
}

static Error readSymbol(const YamlCursor &At, BufferSpec &Buffer) {
  Expected<std::string> Symbol = At.scalar("the name of a __constant__ or __device__ variable");
  if (!Symbol)
    return Symbol.takeError();
  if (Symbol->empty())
    return At.error("expected the name of a __constant__ or __device__ variable");
  if (Buffer.Role != BufferRole::In)
    return At.error("a buffer that is copied to a variable has the role 'in'");
  Buffer.Symbol = std::move(*Symbol);
  Buffer.SymbolWhere = At.place();
  return Error::success();
}

static Expected<ElementType> readType(const YamlCursor &At) {
  Expected<std::string> Name = At.scalar("a type such as f32");
  if (!Name)
    return Name.takeError();
  Expected<ElementType> Type = parseElementType(*Name);
  if (!Type)
    return At.error(takeError(Type.takeError()).Text);
  return Type;
}

Expected<ElementLayout> layoutOf(const YamlCursor &At, ElementLayout::FieldList Fields,
                                 std::optional<YamlCursor> Align) {
  for (const ElementField &Field : Fields)
    if (!isIdentifier(Field.Name))
      return At.error("'" + Field.Name + "' cannot be the name of a field");
  int64_t Alignment = 1;
  if (Align)
    if (Error E = Align->integer().moveInto(Alignment))
      return std::move(E);
  Expected<ElementLayout> Layout = ElementLayout::structure(std::move(Fields), uint64_t(Alignment));
  if (!Layout)
    return (Align ? *Align : At).error(takeError(Layout.takeError()).Text);
  return Layout;
}

/// The fields of a structure in the order of the file.
static Expected<ElementLayout> readStructure(const YamlCursor &At, std::optional<YamlCursor> Align) {
  Expected<std::vector<YamlCursor>> Entries =
      At.entries("the fields of a structure and their types, such as { x: f32, id: i32 }");
  if (!Entries)
    return Entries.takeError();
  ElementLayout::FieldList Fields;
  for (const YamlCursor &Entry : *Entries) {
    Expected<ElementType> Type = readType(Entry);
    if (!Type)
      return Type.takeError();
    Fields.push_back({Entry.name().str(), *Type});
  }
  return layoutOf(At, std::move(Fields), std::move(Align));
}

/// What the key type or struct says.
static Expected<ElementLayout> readLayout(const YamlCursor &Buffer) {
  std::optional<YamlCursor> Structure = Buffer.find("struct"), Type = Buffer.find("type");
  std::optional<YamlCursor> Align = Buffer.find("align");
  if (Structure && Type)
    return Type->error(
        "a buffer has either 'type', of a scalar, or 'struct', with the fields of a structure");
  if (Structure)
    return readStructure(*Structure, Align);
  if (Align)
    return Align->error("is for elements that are structures: it goes with 'struct'");
  if (!Type)
    return Buffer.error("the key 'type' or 'struct' is missing");
  Expected<ElementType> Scalar = readType(*Type);
  if (!Scalar)
    return Scalar.takeError();
  return ElementLayout(*Scalar);
}

static Error readBuffer(const YamlCursor &At, Workload &W) {
  if (Error E = At.checkKeys({"type", "struct", "align", "count", "fill", "role", "symbol"}))
    return E;
  BufferSpec Buffer;
  Buffer.Where = At.place();
  Buffer.Name = At.name().str();
  // Two buffers with equal contents would hide that a variant mixes them up.
  Buffer.Fill.Seed = W.Buffers.size() + 1;
  if (!isIdentifier(Buffer.Name))
    return At.error("'" + Buffer.Name + "' cannot be the name of a buffer");
  if (Error E = readLayout(At).moveInto(Buffer.Type))
    return E;
  Expected<YamlCursor> Count = At.require("count");
  if (!Count)
    return Count.takeError();
  Expected<LocatedExpression> CountValue = readExpression(*Count, W);
  if (!CountValue)
    return CountValue.takeError();
  Buffer.Count = std::move(*CountValue);
  if (Error E = readRole(At, Buffer))
    return E;
  if (Error E = readBufferFill(At, Buffer, W))
    return E;
  if (std::optional<YamlCursor> Symbol = At.find("symbol"))
    if (Error E = readSymbol(*Symbol, Buffer))
      return E;
  W.Buffers.push_back(std::move(Buffer));
  return Error::success();
}

Error readBuffers(const YamlCursor &At, Workload &W) {
  return readEach(At.entries("a mapping of name to buffer"), readBuffer, W);
}

} // namespace gpuprune
