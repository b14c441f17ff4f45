//===- RowJson.cpp - Rows of a report as JSON -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RowJson.h"
#include "EnumJson.h"
#include "gpuprune/Search/ResultFields.h"
#include "gpuprune/Search/Significance.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

static constexpr StringLiteral VariantKey = "variant", TwinKey = "duplicate_of", TwinByKey = "duplicate_by";

std::optional<InstrSource> parseInstrSource(StringRef Name) {
  for (InstrSource S :
       {InstrSource::ExactStatic, InstrSource::ExactRun, InstrSource::Sampled, InstrSource::Estimated})
    if (instrSourceName(S) == Name)
      return S;
  return std::nullopt;
}

std::optional<OccupancyLimiter> parseLimiter(StringRef Name) {
  for (OccupancyLimiter L :
       {OccupancyLimiter::Warps, OccupancyLimiter::Blocks, OccupancyLimiter::Registers,
        OccupancyLimiter::Shared, OccupancyLimiter::Barriers, OccupancyLimiter::Impossible})
    if (limiterName(L) == Name)
      return L;
  return std::nullopt;
}

namespace {

/// Writes fields into an object.
class FieldWriter {
public:
  FieldWriter(json::Object &Out, ArrayRef<VariantResult> Rows) : Out(Out), Rows(Rows) {}

  template <typename T>
  void operator()(StringLiteral Key, const T &Field, Presence /*Need*/ = Presence::Required) {
    Out[Key] = valueOf(Field);
  }
  void operator()(StringLiteral /*Keys*/, const std::optional<TwinRow> &Twin) {
    Out[TwinKey] = Twin ? json::Value(Rows[Twin->Row].text()) : nullptr;
    Out[TwinByKey] = Twin ? json::Value(twinKindName(Twin->By)) : nullptr;
  }
  void operator()(StringLiteral /*Keys*/, const PhysicalLaunch &Launch) { writeLaunch(Out, Launch); }

private:
  json::Object &Out;
  ArrayRef<VariantResult> Rows;

  template <typename T> static json::Value valueOf(const T &Field) {
    if constexpr (std::is_enum_v<T>)
      return TextOf<T>.NameOf(Field);
    else
      return Field;
  }
  template <typename T> static json::Value valueOf(const std::optional<T> &Field) {
    return Field ? valueOf(*Field) : nullptr;
  }
  static json::Value valueOf(const Variant &Field) { return printVariant(Field); }
};

/// Reads fields of an object, up to the first that is missing or of another type.
class FieldReader {
public:
  FieldReader(const json::Value &Value, json::Path Path)
      : Value(Value), Path(Path), Map(Value, Path), Good(bool(Map)) {}
  bool isGood() const { return Good; }

  template <typename T> void operator()(StringLiteral Key, T &Field, Presence Need = Presence::Required) {
    Good = Good && read(Key, Field, Need);
  }
  void operator()(StringLiteral /*Keys*/, std::optional<TwinRow> &Twin) {
    std::optional<std::string> Text;
    TwinRow Read;
    Good = Good && Map.map(TwinKey, Text) && read(TwinByKey, Read.By, Presence::Optional);
    if (Text)
      Twin = Read;
  }
  void operator()(StringLiteral /*Keys*/, PhysicalLaunch &Launch) {
    Good = Good && readLaunch(Value, Launch, Path);
  }

private:
  const json::Value &Value;
  json::Path Path;
  json::ObjectMapper Map;
  bool Good;

  template <typename T> bool read(StringLiteral Key, T &Field, Presence Need) {
    if constexpr (std::is_enum_v<T>)
      return mapEnum(Map, Key, Field, Need, Path);
    else
      return Need == Presence::Required ? Map.map(Key, Field) : Map.mapOptional(Key, Field);
  }
  template <typename T> bool read(StringLiteral Key, std::optional<T> &Field, Presence /*Need*/) {
    if constexpr (std::is_enum_v<T>)
      return mapEnum(Map, Key, Field, Path);
    else
      return Map.map(Key, Field);
  }
  bool read(StringLiteral Key, Variant & /*Field*/, Presence /*Need*/) {
    std::string Text;
    return Map.map(Key, Text);
  }
};

} // namespace

json::Object rowToJSON(const VariantResult &Row, ArrayRef<VariantResult> Rows) {
  json::Object Out;
  FieldWriter Write(Out, Rows);
  mapFields(Write, Row);
  if (!Row.Instr)
    Out["instr_source"] = nullptr; // Of nothing.
  std::optional<double> Spread = medianDeviation(Row.OnGpu.SamplesMs);
  Out["spread_ms"] = Spread ? json::Value(*Spread) : nullptr;
  return Out;
}

bool fromJSON(const json::Value &Value, VariantResult &Row, json::Path Path) {
  FieldReader Read(Value, Path);
  mapFields(Read, Row);
  return Read.isGood();
}

static Expected<Variant> variantIn(const json::Object &Written, StringRef Key) {
  return parseVariant(*Written.getString(Key)); // fromJSON() has seen that it is there.
}

Error readTexts(ArrayRef<ReadRow> Rows, ArrayRef<VariantResult> Table) {
  for (const ReadRow &Each : Rows)
    if (Error E = variantIn(Each.Written, VariantKey).moveInto(Each.Row.Parts))
      return E;
  DenseMap<Variant, size_t> ByParts;
  for (const auto &[Index, Row] : enumerate(Table))
    ByParts.try_emplace(Row.Parts, Index);
  for (const ReadRow &Each : Rows) {
    if (!Each.Row.Twin)
      continue;
    Variant Twin;
    if (Error E = variantIn(Each.Written, TwinKey).moveInto(Twin))
      return E;
    auto Known = ByParts.find(Twin);
    if (Known == ByParts.end())
      return makeError(ErrorKind::Input,
                       formatv("the variant '{0}' is a duplicate of '{1}', which is none of the report",
                               Each.Row.text(), printVariant(Twin)));
    Each.Row.Twin->Row = Known->second;
  }
  return Error::success();
}

} // namespace gpuprune
