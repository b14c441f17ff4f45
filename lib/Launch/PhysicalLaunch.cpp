//===- PhysicalLaunch.cpp - A launch as the driver is given it --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Launch/PhysicalLaunch.h"
#include "gpuprune/Support/EnumNames.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/JsonUnsigned.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

static constexpr EnumName<HiddenParameter> HiddenRows[] = {
    {HiddenParameter::GridX, "grid.x"},     {HiddenParameter::GridY, "grid.y"},
    {HiddenParameter::GridZ, "grid.z"},     {HiddenParameter::SharedBytes, "shared.bytes"},
    {HiddenParameter::BlocksX, "blocks.x"}, {HiddenParameter::BlocksY, "blocks.y"},
    {HiddenParameter::BlocksZ, "blocks.z"}};
static constexpr EnumNames<HiddenParameter> HiddenNames{HiddenRows};

StringRef hiddenParameterName(HiddenParameter Parameter) { return HiddenNames.nameOf(Parameter); }

std::optional<HiddenParameter> parseHiddenParameter(StringRef Name) { return HiddenNames.find(Name); }

Error ConstantCopy::checkBuffer(StringRef Name, uint64_t BufferBytes) const {
  if (BufferBytes <= Bytes)
    return Error::success();
  return makeRefusal(RefusalKind::TooLarge, "buffer '" + Name + "' has " + Twine(BufferBytes) +
                                                " bytes, and the constant memory that parameter " +
                                                Twine(Argument) + " is read from only " + Twine(Bytes) +
                                                "; use a larger bytes= or leave it in global memory");
}

PhysicalLaunch asWritten(const AuthorLaunch &Author) {
  return {Author.Grid, Author.Block, Author.SharedBytes};
}

json::Array toJSON(const Dim3 &D) { return json::Array{D.X, D.Y, D.Z}; }

static json::Value toJSON(const ConstantCopy &Copy) {
  return json::Object{{"argument", Copy.Argument}, {"symbol", Copy.Symbol}, {"bytes", Copy.Bytes}};
}

static json::Value toJSON(const HiddenArgument &A) {
  return json::Object{{"name", hiddenParameterName(A.Parameter)}, {"value", A.Value}};
}

template <typename T> static json::Array arrayOf(const std::vector<T> &Elements) {
  json::Array All;
  for (const T &Element : Elements)
    All.push_back(toJSON(Element));
  return All;
}

void writeLaunch(json::Object &Object, const PhysicalLaunch &Launch) {
  Object["grid"] = toJSON(Launch.Grid);
  Object["block"] = toJSON(Launch.Block);
  Object["dynamic_shared_bytes"] = Launch.SharedBytes;
  Object["hidden_arguments"] = arrayOf(Launch.Hidden);
  Object["constant_copies"] = arrayOf(Launch.ConstantCopies);
  Object["pointer_alignment"] = Launch.PointerAlignment;
  if (Launch.SharedCarveout)
    Object["shared_carveout"] = *Launch.SharedCarveout;
  if (!Launch.UnwrittenVariables.empty())
    Object["unwritten_variables"] = json::Array(Launch.UnwrittenVariables);
}

std::string launchKey(const PhysicalLaunch &Launch) {
  json::Object Fields;
  writeLaunch(Fields, Launch);
  return formatv("{0}", json::Value(std::move(Fields)));
}

static std::string extents(const Dim3 &D) { return formatv("({0}, {1}, {2})", D.X, D.Y, D.Z); }

std::vector<std::string> launchLines(const PhysicalLaunch &Launched, StringRef Size) {
  std::string Launch = formatv("launch it at {0} with grid {1} and block {2}", Size, extents(Launched.Grid),
                               extents(Launched.Block));
  if (Launched.SharedBytes)
    Launch += formatv(", {0} bytes of dynamic shared memory", Launched.SharedBytes);
  StringRef Separator = ", and after the author's arguments the integers ";
  for (const HiddenArgument &A : Launched.Hidden) {
    Launch += formatv("{0}{1} = {2}", Separator, hiddenParameterName(A.Parameter), A.Value);
    Separator = ", ";
  }
  std::vector<std::string> Lines{std::move(Launch)};
  if (Launched.PointerAlignment > 1)
    Lines.push_back(formatv("every buffer that is passed has to begin at a multiple of {0} bytes",
                            Launched.PointerAlignment));
  if (Launched.SharedCarveout)
    Lines.push_back(formatv("set the kernel's preferred shared memory carve-out "
                            "(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) to {0}",
                            *Launched.SharedCarveout));
  for (const ConstantCopy &Copy : Launched.ConstantCopies)
    Lines.push_back(formatv(
        "before each launch, on its stream, copy the buffer of argument {0}, at most {1} bytes, to {2}",
        Copy.Argument, Copy.Bytes, Copy.Symbol));
  if (!Launched.UnwrittenVariables.empty())
    Lines.push_back(formatv("these variables in constant memory have to hold their initial values: {0}",
                            join(Launched.UnwrittenVariables, ", ")));
  return Lines;
}

static bool fromJSON(const json::Value &Value, Dim3 &D, json::Path Path) {
  const json::Array *Extents = Value.getAsArray();
  if (!Extents || Extents->empty() || Extents->size() > Dim3::size()) {
    Path.report("expected an array of one to three integers");
    return false;
  }
  for (unsigned I = 0; I != Extents->size(); ++I) {
    std::optional<int64_t> Extent = (*Extents)[I].getAsInteger();
    if (!Extent) {
      Path.index(I).report("expected an integer");
      return false;
    }
    D[I] = *Extent;
  }
  return true;
}

static bool fromJSON(const json::Value &Value, ConstantCopy &Copy, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("symbol", Copy.Symbol) &&
         mapUnsigned(*Value.getAsObject(), "argument", Copy.Argument, Presence::Required, Path) &&
         mapUnsigned(*Value.getAsObject(), "bytes", Copy.Bytes, Presence::Required, Path);
}

static bool fromJSON(const json::Value &Value, HiddenArgument &A, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  std::string Name;
  if (!Map || !Map.map("name", Name) ||
      !mapUnsigned(*Value.getAsObject(), "value", A.Value, Presence::Required, Path))
    return false;
  std::optional<HiddenParameter> Parameter = parseHiddenParameter(Name);
  if (Parameter)
    A.Parameter = *Parameter;
  else
    Path.field("name").report(
        "expected grid.x, grid.y, grid.z, shared.bytes, blocks.x, blocks.y or blocks.z");
  return Parameter.has_value();
}

bool readLaunch(const json::Value &Value, PhysicalLaunch &Launch, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  if (!Map || !Map.map("grid", Launch.Grid) || !Map.map("block", Launch.Block) ||
      !Map.mapOptional("hidden_arguments", Launch.Hidden) ||
      !Map.mapOptional("constant_copies", Launch.ConstantCopies) ||
      !Map.mapOptional("unwritten_variables", Launch.UnwrittenVariables))
    return false;
  const json::Object &Fields = *Value.getAsObject();
  if (Fields.get("shared_carveout") &&
      !mapUnsigned(Fields, "shared_carveout", Launch.SharedCarveout.emplace(), Presence::Required, Path))
    return false;
  if (Launch.SharedCarveout.value_or(0) > 100) {
    Path.field("shared_carveout").report("expected a percentage from 0 to 100");
    return false;
  }
  return mapUnsigned(Fields, "dynamic_shared_bytes", Launch.SharedBytes, Presence::Optional, Path) &&
         mapUnsigned(Fields, "pointer_alignment", Launch.PointerAlignment, Presence::Optional, Path);
}

} // namespace gpuprune
