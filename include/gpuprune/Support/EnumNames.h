//===- EnumNames.h - Enumerators and their names --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_ENUMNAMES_H
#define GPUPRUNE_SUPPORT_ENUMNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace gpuprune {

template <typename Enum> struct EnumName {
  Enum Value;
  llvm::StringLiteral Name;
};

/// The names of an enumeration, one row an enumerator.
template <typename Enum> struct EnumNames {
  llvm::ArrayRef<EnumName<Enum>> Rows;

  llvm::StringRef nameOf(Enum Value) const {
    for (const auto &Row : Rows)
      if (Row.Value == Value)
        return Row.Name;
    return "";
  }
  std::optional<Enum> find(llvm::StringRef Name) const {
    for (const auto &Row : Rows)
      if (Row.Name == Name)
        return Row.Value;
    return std::nullopt;
  }
};

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_ENUMNAMES_H
