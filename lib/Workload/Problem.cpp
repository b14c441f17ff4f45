//===- Problem.cpp - A workload with all numbers known --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Workload/Problem.h"
#include "Resolver.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

std::vector<uint8_t> ResolvedArgument::bytes() const {
  return Structure ? Structure->bytes() : StructureValue{ElementLayout(Type), {Bits}}.bytes();
}

double ResolvedLaunch::threads() const { return Grid.volume() * Block.volume(); }

std::optional<int64_t> integerValueOf(StringRef Text) {
  int64_t Value;
  if (Text.getAsInteger(0, Value))
    return std::nullopt;
  return Value;
}

Environment environmentOf(const SizeEnv &Sizes, const DefineValues &Defines) {
  Environment Result = Sizes;
  for (const auto &Define : Defines)
    if (std::optional<int64_t> Value = integerValueOf(Define.second))
      Result[Define.first()] = *Value;
  return Result;
}

Expected<DefineValues> completeDefines(const Workload &W, const DefineValues &Defines) {
  DefineValues Result;
  SmallVector<StringRef> Known;
  for (const DefineSpec &Define : W.Defines) {
    Result[Define.Name] = Define.Values.front();
    Known.push_back(Define.Name);
  }
  for (const auto &Define : Defines) {
    if (!is_contained(Known, Define.first()))
      return makeError(ErrorKind::Input, W.Path + ": the workload has no define '" + Define.first() + "'" +
                                             nearestNameHint(Define.first(), Known));
    Result[Define.first()] = Define.second;
  }
  return Result;
}

/// Adds the values the expression saw: the same key is evaluated for many sizes.
Error Resolver::errorAt(const LocatedExpression &E, const Twine &Message) const {
  std::string With;
  for (const std::string &Name : E.Value.names()) {
    auto Found = Values.find(Name);
    if (Found != Values.end())
      With += (With.empty() ? " (with " : ", ") + Name + " = " + std::to_string(Found->second);
  }
  return W.errorAt(E.Where, Message + With + (With.empty() ? "" : ")"));
}

Expected<int64_t> Resolver::evaluate(const LocatedExpression &E) const {
  for (const std::string &Name : E.Value.names())
    if (auto Define = Defines.find(Name); Define != Defines.end() && !Values.contains(Name))
      return errorAt(E,
                     "the define '" + Name + "' has the value '" + Define->second + "', which is no integer");
  Expected<int64_t> Value = E.Value.evaluate(Values);
  if (!Value)
    return errorAt(E, takeError(Value.takeError()).Text);
  return Value;
}

Expected<int64_t> Resolver::evaluateAtLeast(int64_t Least, const LocatedExpression &E) const {
  Expected<int64_t> Value = evaluate(E);
  if (Value && *Value < Least)
    return errorAt(E, "'" + E.Value.text() + "' is " + Twine(*Value) + "; expected at least " + Twine(Least));
  return Value;
}

/// Row pointers and the like that wrap around would be taken for good ones.
Error Resolver::checkLastElement(const BufferSpec &Spec, ElementType Type, const FillSpec &Fill,
                                 int64_t Count) const {
  if (Fill.FillKind != FillSpec::Kind::Affine || isFloatingPoint(Type))
    return Error::success();
  std::optional<int64_t> Last = checkedMulAdd<int64_t>(int64_t(Fill.Step), Count - 1, int64_t(Fill.Start));
  std::optional<int64_t> Highest = Last ? checkedAdd<int64_t>(*Last, int64_t(Fill.Jitter)) : std::nullopt;
  std::optional<int64_t> First = checkedAdd<int64_t>(int64_t(Fill.Start), int64_t(Fill.Jitter));
  if (!First || !holdsInteger(Type, int64_t(Fill.Start)) || !holdsInteger(Type, *First))
    return errorAt(Spec.Count, "the first element of the fill does not fit in " + elementTypeName(Type));
  if (Highest && holdsInteger(Type, *Last) && holdsInteger(Type, *Highest))
    return Error::success();
  return errorAt(Spec.Count, "the last of " + Twine(Count) + " elements of the fill does not fit in " +
                                 elementTypeName(Type));
}

/// \p Part, which is \p Value, as a number of a fill of \p Type.
Error Resolver::setPart(const FillPart &Part, int64_t Value, ElementType Type, FillSpec &Fill) const {
  // Beyond, the runner's JSON does not have all integers.
  if (Value > int64_t(1) << 53 || Value < -(int64_t(1) << 53))
    return errorAt(Part.Value, Twine(Value) + "; expected an integer of at most 2^53 in magnitude");
  bool IsValue = Part.Real == &FillSpec::Low || Part.Real == &FillSpec::High;
  bool Fits = isFloatingPoint(Type) ? holdsReal(Type, double(Value)) : holdsInteger(Type, Value);
  if (IsValue && !Fits)
    return errorAt(Part.Value, Twine(Value) + " does not fit in " + elementTypeName(Type));
  if (Part.Real == &FillSpec::Jitter && Value < 0)
    return errorAt(Part.Value, Twine(Value) + "; a jitter cannot be negative");
  Fill.*Part.Real = double(Value);
  if (Part.Integer)
    Fill.*Part.Integer = Value;
  return Error::success();
}

/// With all its numbers.
Expected<FillSpec> Resolver::fill(const FillSpec &Spec, const ElementLayout &Type) const {
  FillSpec Fill = Spec;
  Fill.Parts.clear();
  for (const FillPart &Part : Spec.Parts) {
    Expected<int64_t> Value = evaluate(Part.Value);
    if (!Value)
      return Value.takeError();
    if (Error E = setPart(Part, *Value, *Type.scalar(), Fill))
      return std::move(E);
  }
  bool IsUniform = Fill.FillKind == FillSpec::Kind::Uniform && !Spec.Parts.empty();
  if (IsUniform && Fill.Low > Fill.High)
    return errorAt(Spec.Parts.front().Value, "the lower bound is above the upper one");
  for (const auto &[Field, Of] : zip(Type.fields(), Fill.Fields)) {
    Expected<FillSpec> Known = fill(Of, Field.Type);
    if (!Known)
      return Known;
    Of = std::move(*Known);
  }
  return Fill;
}

/// A buffer may take a file's first elements, and not more than it has.
Error Resolver::checkFile(const BufferSpec &Spec, const FillSpec &Fill, unsigned Each, int64_t Count) const {
  if (Fill.FillKind != FillSpec::Kind::File)
    return Error::success();
  uint64_t There = Fill.File->from(Fill.FileOffset).size() / Each;
  if (uint64_t(Count) <= There)
    return Error::success();
  return errorAt(Spec.Count, "the buffer has " + Twine(Count) + " elements, but the file '" +
                                 Fill.File->Path + "' only " + Twine(There));
}

Expected<ResolvedBuffer> Resolver::buffer(const BufferSpec &Spec) const {
  Expected<int64_t> Count = evaluateAtLeast(1, Spec.Count);
  if (!Count)
    return Count.takeError();
  unsigned Each = Spec.Type.bytes();
  if (uint64_t(*Count) > LargestBufferBytes / Each)
    return errorAt(Spec.Count, Twine(*Count) + " elements of " + Twine(Each) + " bytes are more than the 2^" +
                                   Twine(Log2_64(LargestBufferBytes)) + " bytes that a buffer may have");
  Expected<FillSpec> Contents = fill(Spec.Fill, Spec.Type);
  if (!Contents)
    return Contents.takeError();
  if (Error E = checkFile(Spec, *Contents, Each, *Count))
    return std::move(E);
  for (const auto &[Index, Field] : enumerate(Spec.Type.fields())) {
    bool OfFields = Contents->FillKind == FillSpec::Kind::Fields;
    const FillSpec &Fill = OfFields ? Contents->Fields[Index] : *Contents;
    if (Error E = checkLastElement(Spec, Field.Type, Fill, *Count))
      return std::move(E);
    if (Error E = OfFields ? checkFile(Spec, Fill, elementBytes(Field.Type), *Count) : Error::success())
      return std::move(E);
  }
  return ResolvedBuffer{
      Spec.Name,   Spec.Type,      uint64_t(*Count), uint64_t(*Count) * Each, std::move(*Contents), Spec.Role,
      Spec.Symbol, Spec.Temporary, Spec.Name};
}

Expected<Dim3> Resolver::extent(ArrayRef<LocatedExpression> Expressions) const {
  Dim3 Result;
  for (const auto &[Dimension, E] : enumerate(Expressions)) {
    Expected<int64_t> Value = evaluateAtLeast(1, E);
    if (!Value)
      return Value.takeError();
    Result[Dimension] = *Value;
  }
  return Result;
}

/// In bytes.
Expected<uint64_t> Resolver::offset(const LocatedExpression &Element, const ResolvedBuffer &Buffer) const {
  Expected<int64_t> Value = evaluateAtLeast(0, Element);
  if (!Value)
    return Value.takeError();
  if (uint64_t(*Value) >= Buffer.Count)
    return errorAt(Element, "'" + Element.Value.text() + "' is " + Twine(*Value) + ", and the buffer '" +
                                Buffer.Name + "' has " + Twine(Buffer.Count) +
                                " elements; expected at most " + Twine(Buffer.Count - 1));
  return uint64_t(*Value) * Buffer.Type.bytes();
}

Expected<ResolvedArgument> Resolver::argument(const ArgumentSpec &Spec,
                                              ArrayRef<ResolvedBuffer> Buffers) const {
  ResolvedArgument Result{Spec.Buffer, Spec.Type};
  if (Spec.Buffer) {
    if (Spec.Offset)
      if (Error E = offset(*Spec.Offset, Buffers[*Spec.Buffer]).moveInto(Result.Offset))
        return std::move(E);
    return Result;
  }
  if (Spec.Structure) {
    Result.Structure = StructureValue{*Spec.Structure, {}};
    for (const ArgumentSpec &Field : Spec.Fields) {
      Expected<ResolvedArgument> Value = argument(Field, Buffers);
      if (!Value)
        return Value.takeError();
      Result.Structure->Bits.push_back(Value->Bits);
    }
    return Result;
  }
  if (!Spec.Value) {
    Result.Bits = encodeReal(Spec.Type, Spec.Real);
    return Result;
  }
  Expected<int64_t> Value = evaluate(*Spec.Value);
  if (!Value)
    return Value.takeError();
  bool Real = isFloatingPoint(Spec.Type);
  if (Real ? !holdsReal(Spec.Type, double(*Value)) : !holdsInteger(Spec.Type, *Value))
    return errorAt(*Spec.Value, Twine(*Value) + " does not fit in " + elementTypeName(Spec.Type));
  Result.Bits = Real ? encodeReal(Spec.Type, double(*Value)) : encodeInteger(Spec.Type, *Value);
  return Result;
}

Expected<ResolvedLaunch> Resolver::launch(const LaunchSpec &Spec, std::optional<Dim3> BlockOverride,
                                          ArrayRef<ResolvedBuffer> Buffers) {
  ResolvedLaunch Result;
  Result.Spec = unsigned(&Spec - W.Launches.data());
  Result.Kernel = Spec.Kernel;
  Expected<Dim3> Block = BlockOverride ? Expected<Dim3>(*BlockOverride) : extent(Spec.Block);
  if (!Block)
    return Block.takeError();
  Result.Block = *Block;
  Values["block.x"] = Block->X;
  Values["block.y"] = Block->Y;
  Values["block.z"] = Block->Z;
  Expected<Dim3> Grid = extent(Spec.Grid);
  if (!Grid)
    return Grid.takeError();
  Result.Grid = *Grid;
  if (Spec.Shared) {
    Expected<int64_t> Bytes = evaluateAtLeast(0, *Spec.Shared);
    if (!Bytes)
      return Bytes.takeError();
    Result.SharedBytes = *Bytes;
  }
  for (const ArgumentSpec &Argument : Spec.Arguments) {
    Expected<ResolvedArgument> Resolved = argument(Argument, Buffers);
    if (!Resolved)
      return Resolved.takeError();
    Result.Arguments.push_back(*Resolved);
  }
  return Result;
}

std::string sizeName(const Workload &W, const Environment &Sizes) {
  std::vector<std::string> Parts;
  for (const std::string &Name : W.SizeNames)
    Parts.push_back(formatv("{0}={1}", Name, Sizes.lookup(Name)));
  return join(Parts, ",");
}

std::vector<Environment> distinctSizes(const Workload &W) {
  std::vector<Environment> Sizes;
  StringSet<> Seen{sizeName(W, W.TuneSize)};
  for (const Environment &Size : W.CheckSizes)
    if (Seen.insert(sizeName(W, Size)).second)
      Sizes.push_back(Size);
  Sizes.push_back(W.TuneSize);
  return Sizes;
}

} // namespace gpuprune
