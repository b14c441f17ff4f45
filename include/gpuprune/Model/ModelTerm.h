//===- ModelTerm.h - What can bound a kernel's time -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MODEL_MODELTERM_H
#define GPUPRUNE_MODEL_MODELTERM_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace gpuprune {

enum class ModelTerm : uint8_t {
#define MODEL_TERM(Enumerator, Name, What) Enumerator,
#include "gpuprune/Model/ModelTerms.def"
};
inline constexpr size_t NumModelTerms = size_t(ModelTerm::Dram) + 1;

/// "latency", "issue", ...
llvm::StringRef modelTermName(ModelTerm Term);
std::optional<ModelTerm> parseModelTerm(llvm::StringRef Name);
/// What the term stands for, for a person.
llvm::StringRef modelTermDescription(ModelTerm Term);

} // namespace gpuprune

#endif // GPUPRUNE_MODEL_MODELTERM_H
