//===- JsonFields.h - Field helpers of the protocol -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_JSONFIELDS_H
#define GPUPRUNE_LIB_RUNTIME_JSONFIELDS_H

#include "gpuprune/Support/EnumNames.h"
#include "gpuprune/Support/JsonUnsigned.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace gpuprune::protocol {

/// A double as a JSON number, or "nan", "inf", "-inf", which JSON has no number for.
llvm::json::Value numberToJSON(double Value);
std::optional<double> numberFromJSON(const llvm::json::Value &V);

/// The following leave Out alone when an optional key is missing, as mapUnsigned does.
bool mapNumber(const llvm::json::Object &O, llvm::StringRef Key, double &Out, Presence Need,
               llvm::json::Path P);
/// Bytes, at least one, each as two hexadecimal digits. \p V may be null: nothing is there.
bool hexFromJSON(const llvm::json::Value *V, std::vector<uint8_t> &Out, llvm::json::Path P);
/// The names of an enumeration, and what to say when a text is none of them.
template <typename Enum> struct FieldNames : EnumNames<Enum> {
  llvm::StringLiteral Expected;
};

template <typename Enum>
bool mapEnum(const llvm::json::Object &O, llvm::StringRef Key, const FieldNames<Enum> &Names, Enum &Out,
             Presence Need, llvm::json::Path P) {
  const llvm::json::Value *V = O.get(Key);
  if (!V && Need == Presence::Optional)
    return true;
  if (V)
    if (auto Text = V->getAsString())
      if (auto Found = Names.find(*Text)) {
        Out = *Found;
        return true;
      }
  P.field(Key).report(Names.Expected);
  return false;
}

} // namespace gpuprune::protocol

#endif // GPUPRUNE_LIB_RUNTIME_JSONFIELDS_H
