//===- FillParts.cpp - Readers of the key fill ------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FillNumbers.h"
#include "WorkloadParts.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace gpuprune {

/// A longer list belongs in a file; it would be in every job.
static constexpr size_t MostValues = 4096;

namespace {

/// Reads the fill of elements of one type.
class FillReader {
public:
  /// \p Buffer, without its fill, is the one whose elements, or a field of them, \p Fill is of.
  FillReader(ElementType Type, const BufferSpec &Buffer, FillSpec &Fill, Workload &W)
      : Type(Type), Buffer(Buffer), Fill(Fill), W(W) {}

  Error read(const YamlCursor &At);

private:
  using Kind = FillSpec::Kind;
  struct Row {
    StringLiteral Key;
    Kind FillKind;
    /// \p Value is that of Key in \p At.
    Error (FillReader::*Read)(const YamlCursor &Value, const YamlCursor &At);
    SmallVector<StringRef, 3> Beside; ///< Keys that may stand beside it.
    StringLiteral Form;
  };
  static ArrayRef<Row> rows();

  ElementType Type;
  const BufferSpec &Buffer;
  FillSpec &Fill;
  Workload &W;

  Error readWord(const YamlCursor &At);
  Expected<const Row *> rowOf(const YamlCursor &At);
  Error readBeside(const YamlCursor &At);
  Error number(const YamlCursor &At, FillPart Part);
  Error optionalInteger(const YamlCursor &At, StringRef Key, int64_t FillSpec::*To);
  Error pair(const YamlCursor &At, StringRef What, const FillPart &First, const FillPart &Second);

  Error constant(const YamlCursor &Value, const YamlCursor &At);
  Error uniform(const YamlCursor &Value, const YamlCursor &At);
  Error affine(const YamlCursor &Value, const YamlCursor &At);
  Error shift(const YamlCursor &Value, const YamlCursor &At);
  Error permutation(const YamlCursor &Value, const YamlCursor &At);
  Error clustered(const YamlCursor &Value, const YamlCursor &At);
  Error values(const YamlCursor &Value, const YamlCursor &At);
  Error file(const YamlCursor &Value, const YamlCursor &) { return readFileFill(Value, Type, Fill, W); }
  Error readSorted(const YamlCursor &At);
  Error readZeroDiagonal(const YamlCursor &At);
};

} // namespace

ArrayRef<FillReader::Row> FillReader::rows() {
  static const Row Rows[] = {
      {"constant", Kind::Constant, &FillReader::constant, {"zero-diagonal"}, "{ constant: VALUE }"},
      {"uniform",
       Kind::Uniform,
       &FillReader::uniform,
       {"seed", "sorted", "zero-diagonal"},
       "{ uniform: [LOW, HIGH], seed: NUMBER }"},
      {"affine",
       Kind::Affine,
       &FillReader::affine,
       {"jitter", "seed", "zero-diagonal"},
       "{ affine: [START, STEP], jitter: WIDTH, seed: NUMBER }"},
      {"shift", Kind::Shift, &FillReader::shift, {}, "{ shift: NUMBER }"},
      {"permutation", Kind::Permutation, &FillReader::permutation, {}, "{ permutation: { seed: NUMBER } }"},
      {"clustered",
       Kind::Clustered,
       &FillReader::clustered,
       {"per", "among", "seed"},
       "{ clustered: WINDOW, per: NUMBER, among: NUMBER, seed: NUMBER }"},
      {"values", Kind::Values, &FillReader::values, {}, "{ values: [VALUE, ...] }"},
      {"file", Kind::File, &FillReader::file, {}, "{ file: NAME }"}};
  return Rows;
}

/// Finds the number now or, where it depends on the size, leaves that to resolve().
Error FillReader::number(const YamlCursor &At, FillPart Part) {
  Expected<std::string> Text = At.scalar("a number or an expression");
  if (!Text)
    return Text.takeError();
  auto Placed = [&](Error Wrong) {
    return Wrong ? At.error(takeError(std::move(Wrong)).Text) : Error::success();
  };
  double Literal;
  Arithmetic Kind = arithmeticOf(Part, Type);
  if (Kind == Arithmetic::Reals && !StringRef(*Text).getAsDouble(Literal)) {
    Expected<double> Finite = At.real();
    return Finite ? Placed(setReal(Part, *Finite, Type, Fill)) : Finite.takeError();
  }
  if (Error E = readExpression(At, W, {}, Kind).moveInto(Part.Value))
    return E;
  if (Part.Value.Value.names().empty())
    return Placed(setNumber(Part, {}, Type, Fill));
  Fill.Parts.push_back(std::move(Part));
  return Error::success();
}

Error FillReader::optionalInteger(const YamlCursor &At, StringRef Key, int64_t FillSpec::*To) {
  std::optional<YamlCursor> Found = At.find(Key);
  return Found ? number(*Found, {{}, nullptr, To, false, /*Least=*/1}) : Error::success();
}

Error FillReader::pair(const YamlCursor &At, StringRef What, const FillPart &First, const FillPart &Second) {
  std::vector<YamlCursor> Items = At.itemsOrSelf();
  if (!At.isSequence() || Items.size() != 2)
    return At.error("expected " + What);
  if (Error E = number(Items[0], First))
    return E;
  return number(Items[1], Second);
}

Error FillReader::constant(const YamlCursor &Value, const YamlCursor &) {
  return number(Value, {{}, &FillSpec::Low, &FillSpec::LowInteger, /*IsElement=*/true});
}

Error FillReader::uniform(const YamlCursor &Bounds, const YamlCursor &At) {
  if (Error E = pair(Bounds, "the two bounds [low, high]",
                     {{}, &FillSpec::Low, &FillSpec::LowInteger, /*IsElement=*/true},
                     {{}, &FillSpec::High, &FillSpec::HighInteger, /*IsElement=*/true}))
    return E;
  // What depends on the size is looked at where it is known.
  if (Fill.Parts.empty() && Fill.Low > Fill.High)
    return Bounds.error("the lower bound is above the upper one");
  return readSorted(At);
}

Error FillReader::affine(const YamlCursor &Line, const YamlCursor &At) {
  if (Error E = pair(Line, "the first element and the step, [start, step]", {{}, &FillSpec::Start},
                     {{}, &FillSpec::Step}))
    return E;
  std::optional<YamlCursor> Jitter = At.find("jitter"), Seed = At.find("seed");
  if (Jitter)
    return number(*Jitter, {{}, &FillSpec::Jitter, nullptr, false, /*Least=*/0});
  return Seed ? Seed->error("goes with 'jitter': without it nothing is random") : Error::success();
}

Error FillReader::shift(const YamlCursor &Value, const YamlCursor &) {
  return number(Value, {{}, nullptr, &FillSpec::Shift});
}

Error FillReader::permutation(const YamlCursor &Of, const YamlCursor &) {
  if (!Of.isMapping() || !Of.find("seed"))
    return Of.error("expected { seed: NUMBER }; without a seed of its own it is the word alone, 'fill: "
                    "permutation'");
  if (Error E = Of.checkKeys({"seed"}))
    return E;
  return readBeside(Of);
}

Error FillReader::clustered(const YamlCursor &Window, const YamlCursor &At) {
  if (Error E = number(Window, {{}, nullptr, &FillSpec::Window, false, /*Least=*/0}))
    return E;
  if (Error E = optionalInteger(At, "per", &FillSpec::Per))
    return E;
  return optionalInteger(At, "among", &FillSpec::Among);
}

Error FillReader::values(const YamlCursor &Values, const YamlCursor &) {
  Expected<std::vector<YamlCursor>> Items = Values.items("a list of values such as [1, 4, 6, 4, 1]");
  if (!Items)
    return Items.takeError();
  if (Items->empty() || Items->size() > MostValues)
    return Values.error("expected 1 to " + Twine(MostValues) + " values, found " + Twine(Items->size()) +
                        "; more are taken from a file: { file: NAME }");
  auto List = std::make_shared<std::vector<LocatedExpression>>();
  for (const YamlCursor &Item : *Items)
    if (Error E =
            readExpression(Item, W, {}, isFloatingPoint(Type) ? Arithmetic::Reals : Arithmetic::Integers)
                .moveInto(List->emplace_back()))
      return E;
  Fill.List = std::move(List);
  return Error::success();
}

Error FillReader::readSorted(const YamlCursor &At) {
  std::optional<YamlCursor> Sorted = At.find("sorted");
  if (!Sorted)
    return Error::success();
  Expected<bool> IsSorted = Sorted->boolean();
  if (!IsSorted)
    return IsSorted.takeError();
  if (*IsSorted && At.find("zero-diagonal"))
    return Sorted->error("elements with zeros between them would not be sorted; leave 'sorted' or "
                         "'zero-diagonal' out");
  if (*IsSorted)
    Fill.FillKind = Kind::Sorted;
  return Error::success();
}

Error FillReader::readZeroDiagonal(const YamlCursor &At) {
  Expected<bool> IsZero = At.boolean();
  if (!IsZero)
    return IsZero.takeError();
  if (*IsZero && Buffer.Shape.size() != 2)
    return At.error("the diagonal is that of a square matrix; give the buffer 'shape: [n, n]' in place of "
                    "'count'");
  Fill.ZeroDiagonal = *IsZero;
  return Error::success();
}

/// The keys that several fills have.
Error FillReader::readBeside(const YamlCursor &At) {
  if (std::optional<YamlCursor> Seed = At.find("seed")) {
    Expected<int64_t> Value = Seed->integer();
    if (!Value)
      return Value.takeError();
    Fill.Seed = uint64_t(*Value);
  }
  std::optional<YamlCursor> Zero = At.find("zero-diagonal");
  return Zero ? readZeroDiagonal(*Zero) : Error::success();
}

/// The one kind of fill that \p At has, with no keys but those that go with it.
Expected<const FillReader::Row *> FillReader::rowOf(const YamlCursor &At) {
  const Row *Found = nullptr;
  SmallVector<StringRef> Known;
  std::string Forms;
  for (const Row &R : rows()) {
    if (At.find(R.Key) && Found)
      return At.error("expected one kind of fill, found '" + Found->Key + "' and '" + R.Key + "'");
    if (At.find(R.Key))
      Found = &R;
    Forms += (Twine(Forms.empty() ? "" : &R == &rows().back() ? " or " : ", ") + R.Form).str();
    Known.push_back(R.Key);
    for (StringRef Key : R.Beside)
      if (!is_contained(Known, Key))
        Known.push_back(Key);
  }
  if (Error E = At.checkKeys(Known))
    return std::move(E);
  if (!Found)
    return At.error("expected " + Forms);
  for (StringRef Key : Known)
    if (std::optional<YamlCursor> Other = At.find(Key))
      if (Key != Found->Key && !is_contained(Found->Beside, Key))
        return Other->error("does not go with '" + Found->Key + "'; expected " + Found->Form);
  return Found;
}

Error FillReader::readWord(const YamlCursor &At) {
  static constexpr std::pair<StringLiteral, Kind> Words[] = {
      {"zero", Kind::Zero}, {"iota", Kind::Iota}, {"permutation", Kind::Permutation}};
  Expected<std::string> Word = At.scalar("zero, iota, permutation, or a mapping such as { uniform: [0, 1] }");
  if (!Word)
    return Word.takeError();
  SmallVector<StringRef> Known;
  for (auto [Name, Is] : Words) {
    if (*Word == Name) {
      Fill.FillKind = Is;
      return Error::success();
    }
    Known.push_back(Name);
  }
  for (const Row &R : rows()) {
    if (*Word == R.Key)
      return At.error("expected " + R.Form);
    if (!is_contained(Known, R.Key))
      Known.push_back(R.Key);
  }
  return At.error("unknown fill '" + *Word + "'" + nearestNameHint(*Word, Known));
}

Error FillReader::read(const YamlCursor &At) {
  if (!At.isMapping())
    return readWord(At);
  Expected<const Row *> Found = rowOf(At);
  if (!Found)
    return Found.takeError();
  Fill.FillKind = (*Found)->FillKind;
  if (Error E = readBeside(At))
    return E;
  return (this->*(*Found)->Read)(*At.find((*Found)->Key), At);
}

/// A fill for each field of the structure, zero, or a file with structures as they are in memory.
static Error readFills(const YamlCursor &At, BufferSpec &Buffer, Workload &W) {
  const ElementLayout &Type = Buffer.Type;
  FillSpec &Fill = Buffer.Fill;
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
    if (Error E = FillReader(Field.Type, Buffer, Own, W).read(*Of))
      return E;
  }
  return Error::success();
}

Error readFill(const YamlCursor &At, BufferSpec &Buffer, Workload &W) {
  if (std::optional<ElementType> Scalar = Buffer.Type.scalar())
    return FillReader(*Scalar, Buffer, Buffer.Fill, W).read(At);
  return readFills(At, Buffer, W);
}

} // namespace gpuprune
