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
#include "llvm/Support/FormatVariadic.h"
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

std::optional<int64_t> constrainedValueOf(StringRef Value) {
  return Value == NoneValue ? 0 : integerValueOf(Value);
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
      return makeError(ErrorKind::Input, W.Here + ": the workload has no define '" + Define.first() + "'" +
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

/// Success where all names of \p E are numbers.
Error Resolver::checkNames(const LocatedExpression &E) const {
  for (const std::string &Name : E.Value.names())
    if (auto Define = Defines.find(Name); Define != Defines.end() && !Values.contains(Name))
      return errorAt(E,
                     "the define '" + Name + "' has the value '" + Define->second + "', which is no integer");
  return Error::success();
}

Expected<int64_t> Resolver::evaluate(const LocatedExpression &E) const {
  if (Error Wrong = checkNames(E))
    return std::move(Wrong);
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

Expected<ResolvedBuffer> Resolver::buffer(const BufferSpec &Spec) const {
  for (const LocatedExpression &Extent : Spec.Shape)
    if (Expected<int64_t> Value = evaluateAtLeast(1, Extent); !Value)
      return Value.takeError();
  Expected<int64_t> Count = evaluateAtLeast(1, Spec.Count);
  if (!Count)
    return Count.takeError();
  unsigned Each = Spec.Type.bytes();
  if (uint64_t(*Count) > LargestBufferBytes / Each)
    return errorAt(Spec.Count, Twine(*Count) + " elements of " + Twine(Each) + " bytes are more than the 2^" +
                                   Twine(Log2_64(LargestBufferBytes)) + " bytes that a buffer may have");
  Expected<FillSpec> Contents = fill(Spec, Spec.Fill, Spec.Type, *Count);
  if (!Contents)
    return Contents.takeError();
  return ResolvedBuffer{Spec.Name,
                        Spec.Type,
                        uint64_t(*Count),
                        uint64_t(*Count) * Each,
                        std::move(*Contents),
                        Spec.Role,
                        Spec.Symbol,
                        Spec.Temporary,
                        Spec.Name,
                        Spec.Address};
}

bool ResolvedProblem::hasAddresses() const {
  return any_of(Buffers, [](const ResolvedBuffer &B) { return B.Address.has_value(); });
}

Error Resolver::checkAddresses(ArrayRef<ResolvedBuffer> Buffers) const {
  for (const auto &[Spec, B] : zip_equal(W.Buffers, Buffers))
    for (const ResolvedBuffer &Other : Buffers)
      if (&Other != &B && B.Address && Other.Address && *Other.Address <= *B.Address &&
          *B.Address - *Other.Address < Other.Bytes)
        return W.errorAt(Spec.AddressWhere,
                         formatv("the buffer begins in '{0}', which has {1} bytes from {2:x} on", Other.Name,
                                 Other.Bytes, *Other.Address));
  return Error::success();
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
  if (Error E = element(*Spec.Value, Spec.Type).moveInto(Result.Bits))
    return std::move(E);
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
