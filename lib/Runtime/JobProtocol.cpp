//===- JobProtocol.cpp - Jobs as JSON -------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FillProtocol.h"
#include "JsonFields.h"
#include "gpuprune/Runtime/Fill.h"
#include "gpuprune/Runtime/Protocol.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuprune::protocol {

const FieldNames<BufferRole> RoleNames{BufferRoleNames, "expected one of in, out, inout"};

constexpr EnumName<CompareMode> CompareRows[] = {{CompareMode::Bitwise, "bitwise"},
                                                 {CompareMode::Tolerance, "tolerance"}};
const FieldNames<CompareMode> CompareNames{{CompareRows}, "expected one of bitwise, tolerance"};

static json::Value valueToJSON(const Argument &A) {
  switch (elementClass(A.Type)) {
  case ElementClass::Signed:
    return toInteger(A.Type, A.Bits);
  case ElementClass::Unsigned:
    return A.Bits;
  case ElementClass::Floating:
    return numberToJSON(toDouble(A.Type, A.Bits));
  }
  llvm_unreachable("a class of elements without values");
}

/// An array, since a job may have tens of thousands of arguments and an object of two keys takes 4 KiB.
static json::Value toJSON(const Argument &A) {
  if (A.Buffer)
    return A.Offset ? json::Array{"buffer", *A.Buffer, A.Offset} : json::Array{"buffer", *A.Buffer};
  if (!A.Structure.empty())
    return json::Array{"structure", toHex(A.Structure, /*LowerCase=*/true)};
  return json::Array{elementTypeName(A.Type), valueToJSON(A)};
}

static json::Value toJSON(const Launch &L) {
  json::Array Args;
  for (const Argument &A : L.Args)
    Args.push_back(toJSON(A));
  json::Object O{{"cubin", L.Cubin}, {"symbol", L.Symbol}, {"args", std::move(Args)}};
  writeLaunch(O, L);
  if (!L.Code.empty())
    O["code"] = L.Code;
  return O;
}

static json::Value toJSON(const ExpectedOutput &E) {
  json::Object O{{"buffer", E.Buffer}, {"xxh3", E.Hash}};
  if (!E.File.empty())
    O["file"] = E.File;
  return O;
}

static json::Value toJSON(const OpenBuffer &B) {
  return json::Object{{"buffer", B.Buffer},
                      {"variants", B.BetweenVariants},
                      {"launches", B.BetweenLaunches},
                      {"reason", B.Reason}};
}

/// A sequence's programs mostly differ in their last launch alone, behind hundreds.
static constexpr size_t FewestAsCandidate = 8;

/// Without the launches at the beginning that \p Candidate has, too, if there are many.
static json::Value toJSON(const Program &P, const Program &Candidate) {
  auto End = std::mismatch(P.Launches.begin(), P.Launches.end(), Candidate.Launches.begin(),
                           Candidate.Launches.end());
  auto Same = static_cast<size_t>(End.first - P.Launches.begin());
  if (Same < FewestAsCandidate)
    return toJSON(P);
  json::Value Rest = toJSON(Program{{End.first, P.Launches.end()}, P.Untimed});
  (*Rest.getAsObject())["as_candidate"] = Same;
  return Rest;
}

static json::Value toJSON(const Problem &P) {
  json::Array Buffers;
  for (const Buffer &B : P.Buffers)
    Buffers.push_back(toJSON(B));
  json::Object O{{"name", P.Name}, {"buffers", std::move(Buffers)}, {"candidate", toJSON(P.Candidate)}};
  if (P.Reference)
    O["reference"] = toJSON(*P.Reference, P.Candidate);
  if (P.Truth)
    O["truth"] = toJSON(*P.Truth, P.Candidate);
  if (P.Stock)
    O["stock"] = toJSON(*P.Stock, P.Candidate);
  json::Array Open;
  for (const OpenBuffer &B : P.Open)
    Open.push_back(toJSON(B));
  if (!P.Open.empty())
    O["open"] = std::move(Open);
  json::Array Expected;
  for (const ExpectedOutput &E : P.Expected)
    Expected.push_back(toJSON(E));
  if (!P.Expected.empty())
    O["expected"] = std::move(Expected);
  return O;
}

static json::Value toJSON(const Rival &R) {
  return json::Object{{"name", R.Name}, {"problem", toJSON(R.Run)}};
}

/// \p Candidate is that of the problem that is timed, if there is one.
static json::Value toJSON(const Measure &M, const Program *Candidate) {
  json::Array Rivals;
  for (const Rival &R : M.Rivals)
    Rivals.push_back(toJSON(R));
  json::Object O{{"problem", M.Problem},
                 {"warmup", M.Warmup},
                 {"stable_within", M.StableWithin},
                 {"max_warmup_ms", M.MaxWarmupMs},
                 {"samples", M.Samples},
                 {"flush_l2", M.FlushL2},
                 {"rotate", M.Rotate},
                 {"restore", M.Restore}};
  if (M.Baseline)
    O["baseline"] = Candidate ? toJSON(*M.Baseline, *Candidate) : toJSON(*M.Baseline);
  if (!M.Rivals.empty())
    O["rivals"] = std::move(Rivals);
  if (!M.Contests.empty())
    O["contests"] = json::Array(M.Contests);
  for (auto [Key, Value] :
       {std::pair("min_sample_ms", M.MinSampleMs), std::pair("limit_ms", M.LimitMs),
        std::pair("max_slowdown", M.MaxSlowdown), std::pair("watchdog", M.Watchdog),
        std::pair("clearly_slower_ms", M.ClearlySlowerMs), std::pair("clearly_slower", M.ClearlySlower)})
    if (Value)
      O[Key] = *Value;
  return O;
}

static json::Value toJSON(const Comparison &C) {
  json::Object O{{"mode", CompareNames.nameOf(C.Mode)}, {"relative", C.Relative}};
  if (C.Absolute)
    O["absolute"] = *C.Absolute;
  return O;
}

static json::Value toJSON(const ElementLayout &Type) {
  if (std::optional<ElementType> Scalar = Type.scalar())
    return elementTypeName(*Scalar);
  json::Array Fields;
  for (const ElementField &Field : Type.fields())
    Fields.push_back(
        json::Object{{"name", Field.Name}, {"type", elementTypeName(Field.Type)}, {"offset", Field.Offset}});
  return json::Object{{"bytes", Type.bytes()}, {"fields", std::move(Fields)}};
}

/// \p V may be null: nothing is there.
static bool typeFromJSON(const json::Value *V, ElementType &Out, json::Path P) {
  if (auto Name = V ? V->getAsString() : std::nullopt) {
    Expected<ElementType> Type = parseElementType(*Name);
    if (Type) {
      Out = *Type;
      return true;
    }
    consumeError(Type.takeError()); // A path takes only messages that are literals.
  }
  P.report("expected an element type such as f32, i32 or u8");
  return false;
}

static bool scalarFromJSON(const json::Value &V, Argument &Out, json::Path P) {
  std::optional<uint64_t> Bits;
  if (isFloatingPoint(Out.Type)) {
    auto Number = numberFromJSON(V);
    if (Number && (!std::isfinite(*Number) || holdsReal(Out.Type, *Number)))
      Bits = encodeReal(Out.Type, *Number);
  } else if (Out.Type == ElementType::U64) {
    Bits = V.getAsUINT64();
  } else if (auto Number = V.getAsInteger(); Number && holdsInteger(Out.Type, *Number)) {
    Bits = encodeInteger(Out.Type, *Number);
  }
  if (!Bits) {
    P.report("expected a value of the argument's type");
    return false;
  }
  Out.Bits = *Bits;
  return true;
}

static bool bufferFromJSON(const json::Array &A, Argument &Out, json::Path P) {
  std::optional<uint64_t> Index = A[1].getAsUINT64(), Offset = 0;
  if (A.size() == 3)
    Offset = A[2].getAsUINT64();
  if (!Index || *Index > UINT32_MAX || !Offset) {
    P.index(Index && *Index <= UINT32_MAX ? 2 : 1).report("expected an integer of at least 0");
    return false;
  }
  Out.Buffer = static_cast<uint32_t>(*Index);
  Out.Offset = *Offset;
  return true;
}

static bool fromJSON(const json::Value &V, Argument &Out, json::Path P) {
  const json::Array *A = V.getAsArray();
  std::optional<StringRef> Kind = A && !A->empty() ? A->front().getAsString() : std::nullopt;
  if (!Kind || (A->size() != 2 && (A->size() != 3 || Kind != "buffer"))) {
    P.report("expected [\"buffer\", index], [\"buffer\", index, offset], [type, value] or "
             "[\"structure\", bytes]");
    return false;
  }
  if (Kind == "buffer")
    return bufferFromJSON(*A, Out, P);
  if (Kind == "structure")
    return hexFromJSON(&(*A)[1], Out.Structure, P.index(1));
  return typeFromJSON(&A->front(), Out.Type, P.index(0)) && scalarFromJSON((*A)[1], Out, P.index(1));
}

static bool fromJSON(const json::Value &V, Launch &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  return M && M.map("cubin", Out.Cubin) && M.map("symbol", Out.Symbol) && readLaunch(V, Out, P) &&
         M.map("args", Out.Args) && M.mapOptional("code", Out.Code);
}

static bool fromJSON(const json::Value &V, Program &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  return M && M.map("launches", Out.Launches) &&
         mapUnsigned(*V.getAsObject(), "untimed", Out.Untimed, Presence::Optional, P);
}

static bool fieldFromJSON(const json::Value &V, ElementField &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  return M && M.map("name", Out.Name) &&
         typeFromJSON(V.getAsObject()->get("type"), Out.Type, P.field("type")) &&
         mapUnsigned(*V.getAsObject(), "offset", Out.Offset, Presence::Required, P);
}

/// A scalar's name, or {"bytes", "fields"}.
static bool layoutFromJSON(const json::Object &O, ElementLayout &Out, json::Path P) {
  const json::Object *Structure = O.getObject("type");
  if (!Structure) {
    ElementType Scalar = ElementType::F32;
    if (!typeFromJSON(O.get("type"), Scalar, P.field("type")))
      return false;
    Out = Scalar;
    return true;
  }
  ElementLayout::FieldList Fields;
  uint64_t Bytes = 0;
  json::Path At = P.field("type");
  if (!mapUnsigned(*Structure, "bytes", Bytes, Presence::Required, At))
    return false;
  if (const json::Array *List = Structure->getArray("fields"))
    for (const json::Value &Each : *List)
      if (!fieldFromJSON(Each, Fields.emplace_back(), At.field("fields").index(Fields.size() - 1)))
        return false;
  Expected<ElementLayout> Placed = ElementLayout::placed(std::move(Fields), Bytes);
  if (!Placed) {
    consumeError(Placed.takeError()); // A path takes only messages that are literals.
    At.report("expected named fields that lie behind each other at multiples of their sizes, and as many "
              "bytes as keep them there in each element");
    return false;
  }
  Out = std::move(*Placed);
  return true;
}

static bool addressFromJSON(const json::Object &O, std::optional<uint64_t> &Out, json::Path P) {
  return !O.get("address") || mapUnsigned(O, "address", Out.emplace(), Presence::Required, P);
}

static bool fromJSON(const json::Value &V, Buffer &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  if (!M)
    return false;
  const json::Object &O = *V.getAsObject();
  return M.map("name", Out.Name) && layoutFromJSON(O, Out.Type, P) &&
         mapUnsigned(O, "count", Out.Count, Presence::Required, P) &&
         mapEnum(O, "role", RoleNames, Out.Role, Presence::Required, P) &&
         M.mapOptional("symbol", Out.Symbol) && M.mapOptional("fill", Out.Contents) &&
         M.mapOptional("compared", Out.Compared) && addressFromJSON(O, Out.Address, P);
}

static bool fromJSON(const json::Value &V, ExpectedOutput &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  return M && mapUnsigned(*V.getAsObject(), "buffer", Out.Buffer, Presence::Required, P) &&
         M.map("xxh3", Out.Hash) && M.mapOptional("file", Out.File);
}

static bool fromJSON(const json::Value &V, OpenBuffer &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  return M && mapUnsigned(*V.getAsObject(), "buffer", Out.Buffer, Presence::Required, P) &&
         M.map("variants", Out.BetweenVariants) && M.map("launches", Out.BetweenLaunches) &&
         M.mapOptional("reason", Out.Reason);
}

/// Puts the launches that \p V leaves out, those of \p Candidate, in front of \p Out's.
static bool addCandidates(const json::Object &O, StringRef Key, const Program &Candidate,
                          std::optional<Program> &Out, json::Path P) {
  const json::Object *Written = O.getObject(Key);
  uint64_t Same = 0;
  if (!Out || !Written)
    return true;
  json::Path At = P.field(Key);
  if (!mapUnsigned(*Written, "as_candidate", Same, Presence::Optional, At))
    return false;
  if (Same > Candidate.Launches.size()) {
    At.field("as_candidate").report("expected at most as many as the candidate has launches");
    return false;
  }
  auto Begin = Candidate.Launches.begin();
  Out->Launches.insert(Out->Launches.begin(), Begin, Begin + static_cast<ptrdiff_t>(Same));
  return true;
}

static bool fromJSON(const json::Value &V, Problem &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  if (!M || !M.map("name", Out.Name) || !M.map("buffers", Out.Buffers) ||
      !M.map("candidate", Out.Candidate) || !M.map("reference", Out.Reference) ||
      !M.map("truth", Out.Truth) || !M.map("stock", Out.Stock))
    return false;
  const json::Object &O = *V.getAsObject();
  return addCandidates(O, "reference", Out.Candidate, Out.Reference, P) &&
         addCandidates(O, "truth", Out.Candidate, Out.Truth, P) &&
         addCandidates(O, "stock", Out.Candidate, Out.Stock, P) && M.mapOptional("open", Out.Open) &&
         M.mapOptional("expected", Out.Expected);
}

static bool fromJSON(const json::Value &V, Rival &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  return M && M.map("name", Out.Name) && M.map("problem", Out.Run);
}

static bool fromJSON(const json::Value &V, Measure &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  if (!M)
    return false;
  const json::Object &O = *V.getAsObject();
  return M.map("problem", Out.Problem) && M.map("baseline", Out.Baseline) &&
         M.mapOptional("rivals", Out.Rivals) && mapUnsigned(O, "warmup", Out.Warmup, Presence::Optional, P) &&
         M.mapOptional("stable_within", Out.StableWithin) &&
         M.mapOptional("max_warmup_ms", Out.MaxWarmupMs) &&
         mapUnsigned(O, "samples", Out.Samples, Presence::Optional, P) &&
         M.map("min_sample_ms", Out.MinSampleMs) && M.mapOptional("flush_l2", Out.FlushL2) &&
         mapUnsigned(O, "rotate", Out.Rotate, Presence::Optional, P) &&
         M.mapOptional("restore", Out.Restore) && M.map("limit_ms", Out.LimitMs) &&
         M.map("max_slowdown", Out.MaxSlowdown) && M.map("watchdog", Out.Watchdog) &&
         M.map("clearly_slower_ms", Out.ClearlySlowerMs) && M.map("clearly_slower", Out.ClearlySlower) &&
         M.mapOptional("contests", Out.Contests);
}

static bool fromJSON(const json::Value &V, Comparison &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  if (!M)
    return false;
  const json::Object &O = *V.getAsObject();
  return mapEnum(O, "mode", CompareNames, Out.Mode, Presence::Required, P) &&
         mapNumber(O, "relative", Out.Relative, Presence::Optional, P) && M.map("absolute", Out.Absolute);
}

json::Value toJSON(const Program &P) {
  json::Array Launches;
  for (const Launch &L : P.Launches)
    Launches.push_back(toJSON(L));
  json::Object O{{"launches", std::move(Launches)}};
  if (P.Untimed)
    O["untimed"] = P.Untimed;
  return O;
}

json::Value toJSON(const Buffer &B) {
  json::Object O{
      {"name", B.Name}, {"type", toJSON(B.Type)}, {"count", B.Count}, {"role", RoleNames.nameOf(B.Role)}};
  if (B.Role != BufferRole::Out)
    O["fill"] = toJSON(B.Contents);
  if (!B.Symbol.empty())
    O["symbol"] = B.Symbol;
  if (!B.Compared)
    O["compared"] = false;
  if (B.Address)
    O["address"] = *B.Address;
  return O;
}

static const Program *timedCandidate(const Job &J) {
  const Problem *Timed = findTimedProblem(J);
  return Timed ? &Timed->Candidate : nullptr;
}

json::Value toJSON(const Job &J) {
  json::Array Checks;
  for (const Problem &P : J.Checks)
    Checks.push_back(toJSON(P));
  json::Object O{
      {"id", J.Id}, {"kind", J.Kind}, {"checks", std::move(Checks)}, {"compare", toJSON(J.Compare)}};
  if (J.Timing)
    O["measure"] = toJSON(*J.Timing, timedCandidate(J));
  return O;
}

bool fromJSON(const json::Value &V, Job &Out, json::Path P) {
  json::ObjectMapper M(V, P);
  if (!M || !M.map("id", Out.Id) || !M.mapOptional("kind", Out.Kind) || !M.map("checks", Out.Checks) ||
      !M.map("measure", Out.Timing) || !M.mapOptional("compare", Out.Compare))
    return false;
  if (!Out.Timing)
    return true;
  static const Program NoCandidate;
  const Program *Candidate = timedCandidate(Out);
  return addCandidates(*V.getAsObject()->getObject("measure"), "baseline",
                       Candidate ? *Candidate : NoCandidate, Out.Timing->Baseline, P.field("measure"));
}

Argument Argument::buffer(uint32_t Index, uint64_t Offset) {
  Argument A;
  A.Buffer = Index;
  A.Offset = Offset;
  return A;
}

Argument Argument::integer(ElementType Type, int64_t Value) {
  Argument A;
  A.Type = Type;
  A.Bits = encodeInteger(Type, Value);
  return A;
}

Argument Argument::floating(ElementType Type, double Value) {
  Argument A;
  A.Type = Type;
  A.Bits = encodeReal(Type, Value);
  return A;
}

} // namespace gpuprune::protocol
