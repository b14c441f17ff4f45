//===- FillProtocol.cpp - Fills as JSON -------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FillProtocol.h"
#include "JsonFields.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuprune::protocol {

static constexpr EnumName<FillKind> FillRows[] = {
    {FillKind::Zero, "zero"},           {FillKind::Constant, "constant"},
    {FillKind::Uniform, "uniform"},     {FillKind::Sorted, "sorted"},
    {FillKind::Iota, "iota"},           {FillKind::Affine, "affine"},
    {FillKind::Shift, "shift"},         {FillKind::Permutation, "permutation"},
    {FillKind::Clustered, "clustered"}, {FillKind::Values, "values"},
    {FillKind::File, "file"},           {FillKind::Fields, "fields"}};
static const FieldNames<FillKind> FillNames{
    {FillRows},
    "expected one of zero, constant, uniform, sorted, iota, affine, shift, permutation, clustered, values, "
    "file, fields"};

namespace {

/// A number of a fill, its key, and the kinds that have it.
template <typename T> struct NumberRow {
  StringLiteral Key;
  T Fill::*Member;
  SmallVector<FillKind, 4> Kinds;
  Presence Need = Presence::Required;

  bool isOf(FillKind Kind) const { return is_contained(Kinds, Kind); }
};

using Kind = FillKind;

ArrayRef<NumberRow<double>> reals() {
  static const NumberRow<double> Rows[] = {{"value", &Fill::Value, {Kind::Constant}},
                                           {"low", &Fill::Low, {Kind::Uniform, Kind::Sorted}},
                                           {"high", &Fill::High, {Kind::Uniform, Kind::Sorted}},
                                           {"start", &Fill::Start, {Kind::Affine}},
                                           {"step", &Fill::Step, {Kind::Affine}},
                                           {"jitter", &Fill::Jitter, {Kind::Affine}, Presence::Optional}};
  return Rows;
}

ArrayRef<NumberRow<uint64_t>> integers() {
  static const NumberRow<uint64_t> Rows[] = {
      {"seed",
       &Fill::Seed,
       {Kind::Uniform, Kind::Sorted, Kind::Affine, Kind::Permutation, Kind::Clustered},
       Presence::Optional},
      {"count", &Fill::Count, {Kind::Sorted, Kind::Shift, Kind::Permutation, Kind::Clustered}},
      {"by", &Fill::By, {Kind::Shift}},
      {"window", &Fill::Window, {Kind::Clustered}},
      {"per", &Fill::Per, {Kind::Clustered}, Presence::Optional},
      {"zero_diagonal",
       &Fill::ZeroDiagonal,
       {Kind::Constant, Kind::Uniform, Kind::Affine},
       Presence::Optional},
      {"offset", &Fill::Offset, {Kind::File}, Presence::Optional}};
  return Rows;
}

} // namespace

json::Value toJSON(const Fill &F) {
  json::Object O{{"kind", FillNames.nameOf(F.Kind)}};
  for (const NumberRow<double> &Row : reals())
    if (Row.isOf(F.Kind))
      O[Row.Key] = numberToJSON(F.*Row.Member);
  for (const NumberRow<uint64_t> &Row : integers())
    if (Row.isOf(F.Kind) && (Row.Member != &Fill::ZeroDiagonal || F.ZeroDiagonal != 0))
      O[Row.Key] = F.*Row.Member;
  if (F.Kind == FillKind::File) {
    O["file"] = F.File;
    O["xxh3"] = F.Hash;
  }
  if (F.Kind == FillKind::Values)
    O["bytes"] = toHex(F.Bytes, /*LowerCase=*/true);
  if (F.Kind == FillKind::Fields) {
    json::Array Fields;
    for (const Fill &Of : F.Fields)
      Fields.push_back(toJSON(Of));
    O["fields"] = std::move(Fields);
  }
  return O;
}

bool fromJSON(const json::Value &V, Fill &Out, json::Path P) {
  const json::Object *O = V.getAsObject();
  if (!O) {
    P.report("expected an object whose kind is that of a fill, such as zero or uniform");
    return false;
  }
  if (!mapEnum(*O, "kind", FillNames, Out.Kind, Presence::Required, P))
    return false;
  for (const NumberRow<double> &Row : reals())
    if (Row.isOf(Out.Kind) && !mapNumber(*O, Row.Key, Out.*Row.Member, Row.Need, P))
      return false;
  for (const NumberRow<uint64_t> &Row : integers())
    if (Row.isOf(Out.Kind) && !mapUnsigned(*O, Row.Key, Out.*Row.Member, Row.Need, P))
      return false;
  json::ObjectMapper M(V, P);
  if (Out.Kind == FillKind::File)
    return M.map("file", Out.File) && M.map("xxh3", Out.Hash);
  if (Out.Kind == FillKind::Values)
    return hexFromJSON(O->get("bytes"), Out.Bytes, P.field("bytes"));
  return Out.Kind != FillKind::Fields || M.map("fields", Out.Fields);
}

} // namespace gpuprune::protocol
