//===- Operations.h - Instructions that compute, for a warp at once ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRACE_OPERATIONS_H
#define GPUPRUNE_LIB_TRACE_OPERATIONS_H

#include "llvm/ADT/StringMap.h"
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace gpuprune {

inline constexpr unsigned TraceLanes = 32;

/// A register of a warp: the bits of each lane, zeros above those of its type.
using LaneValues = uint64_t[TraceLanes];

/// Computes \p Out of up to three operands; it may be one of them.
using Operation = void (*)(uint64_t *Out, const uint64_t *A, const uint64_t *B, const uint64_t *C);

/// By mnemonic; null for one that is not known.
Operation findOperation(llvm::StringRef Mnemonic);

using OperationTable = llvm::StringMap<Operation>;
void addIntegerOperations(OperationTable &Table);
void addFloatOperations(OperationTable &Table);
void addConversions(OperationTable &Table);

/// \p Bits as a T, and back.
template <typename T> T valueOf(uint64_t Bits) {
  if constexpr (std::is_floating_point_v<T>) {
    T Value;
    std::memcpy(&Value, &Bits, sizeof(T));
    return Value;
  } else
    return static_cast<T>(Bits);
}
template <typename T> uint64_t bitsOf(T Value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<uint32_t>(Value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<uint64_t>(Value);
  else if constexpr (std::is_same_v<T, bool>)
    return Value;
  else
    return static_cast<std::make_unsigned_t<T>>(Value);
}

/// Each lane's result of \p F, of as many operands of type T as it has; \p F is a type without state.
template <typename T, typename F>
void onLanes(uint64_t *Out, const uint64_t *A, const uint64_t *B, const uint64_t *C) {
  for (unsigned Lane = 0; Lane != TraceLanes; ++Lane) {
    if constexpr (std::is_invocable_v<F, T, T, T>)
      Out[Lane] = bitsOf(F()(valueOf<T>(A[Lane]), valueOf<T>(B[Lane]), valueOf<T>(C[Lane])));
    else if constexpr (std::is_invocable_v<F, T, T>)
      Out[Lane] = bitsOf(F()(valueOf<T>(A[Lane]), valueOf<T>(B[Lane])));
    else
      Out[Lane] = bitsOf(F()(valueOf<T>(A[Lane])));
  }
}

/// The operation that \p Function, a lambda without captures, is on lanes.
template <typename T, typename F> Operation onLanesOf(F) { return onLanes<T, F>; }

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRACE_OPERATIONS_H
