//===- EnumJson.h - Enumerators in JSON, by their names -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_REPORT_ENUMJSON_H
#define GPUPRUNE_LIB_REPORT_ENUMJSON_H

#include "gpuprune/Search/Result.h"
#include "gpuprune/Search/Strategy.h"
#include "gpuprune/Support/JsonUnsigned.h"

namespace gpuprune {

std::optional<InstrSource> parseInstrSource(llvm::StringRef Name);
std::optional<OccupancyLimiter> parseLimiter(llvm::StringRef Name);

/// How the enumerators of an enumeration are written, and found again.
template <typename Enum> struct EnumText {
  llvm::StringRef (*NameOf)(Enum);
  std::optional<Enum> (*Find)(llvm::StringRef);
};
template <typename Enum> inline constexpr std::nullptr_t TextOf = nullptr;
template <> inline constexpr EnumText TextOf<VariantStatus>{variantStatusName, parseVariantStatus};
template <> inline constexpr EnumText TextOf<RefusalKind>{refusalName, parseRefusalKind};
template <> inline constexpr EnumText TextOf<TwinKind>{twinKindName, parseTwinKind};
template <> inline constexpr EnumText TextOf<OccupancyLimiter>{limiterName, parseLimiter};
template <> inline constexpr EnumText TextOf<InstrSource>{instrSourceName, parseInstrSource};
template <> inline constexpr EnumText TextOf<SearchKind>{searchKindName, parseSearchKind};
template <> inline constexpr EnumText TextOf<ModelTerm>{modelTermName, parseModelTerm};
template <> inline constexpr EnumText TextOf<CheckOutcome>{checkOutcomeName, parseCheckOutcome};

/// Nothing for null, or where \p Key is missing.
template <typename Enum>
bool mapEnum(llvm::json::ObjectMapper &Map, llvm::StringLiteral Key, std::optional<Enum> &Out,
             llvm::json::Path Path) {
  std::optional<std::string> Text;
  if (!Map.map(Key, Text))
    return false;
  Out = Text ? TextOf<Enum>.Find(*Text) : std::nullopt;
  if (Text && !Out)
    Path.field(Key).report("is no value that is known");
  return !Text || Out;
}

/// Where it is optional, null and a missing \p Key leave \p Out as it is.
template <typename Enum>
bool mapEnum(llvm::json::ObjectMapper &Map, llvm::StringLiteral Key, Enum &Out, Presence Need,
             llvm::json::Path Path) {
  std::string Text;
  if (Need == Presence::Required && !Map.map(Key, Text)) // Which says what is there instead.
    return false;
  std::optional<Enum> Value;
  if (!mapEnum(Map, Key, Value, Path))
    return false;
  Out = Value.value_or(Out);
  return true;
}

} // namespace gpuprune

#endif // GPUPRUNE_LIB_REPORT_ENUMJSON_H
