//===- Fill.h - Deterministic buffer contents -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The initial contents of a buffer, the same on every machine, so that a GPU,
// another GPU and a CPU can be compared.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_RUNTIME_FILL_H
#define GPUPRUNE_RUNTIME_FILL_H

#include "gpuprune/Runtime/Protocol.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuprune {

/// Element \p Index of the splitmix64 stream of \p Seed (Steele, Lea and Flood,
/// OOPSLA'14; constants of Vigna's public-domain splitmix64.c).
uint64_t splitMix64(uint64_t Seed, uint64_t Index);

/// Fills \p Bytes, whole elements of \p Type, little-endian. In a structure each field is filled as a buffer
/// of that field alone would be, and padding is zero. With h = splitMix64(Seed, i):
///   zero      0
///   constant  Value
///   iota      i, modulo 2^bits for integers, rounded for floating types
///   uniform   floating: Low + (High - Low) * ((h >> 11) * 2^-53), each operation in double, then rounded to
///             Type (so High itself may appear); integers: Low + floor(h * (High - Low + 1) / 2^64)
///   sorted    floating: Low + (High - Low) * ((i + (h >> 11) * 2^-53) / Count), each operation in double,
///             then rounded; integers: Low + floor((i + h * 2^-64) * S), where S is (High - Low + 1) / Count
///             rounded down to a multiple of 2^-64. No element is less than the one before it.
///   shift     (i + By) mod Count
///   permutation   kernels::permuted(i): each integer from 0 to Count - 1 once
///   clustered     with m = (i / Per) mod Count, a random integer from max(0, m - Window) to
///             min(Count - 1, m + Window), as for uniform
///   values    the bytes that are given
///   file      what lies in the file, of structures that of their fields
///   affine    floating: (Start + Step * i) + Jitter * ((h >> 11) * 2^-53), each operation in double, then
///             rounded;
///             integers: Start + Step * i + floor(h * (Jitter + 1) / 2^64), modulo 2^bits. Where Jitter is at
///             most Step, no element is less than the one before it.
/// Of constant, uniform and affine, with ZeroDiagonal, elements at multiples of ZeroDiagonal + 1 are zero.
/// Sorted, shift and permutation have Count elements; a shift or permutation is 0 behind them.
/// Error (kind Input): an integer type does not hold Value, Low or High exactly, or Low > High, or a bound of
/// uniform is not finite; a part of affine is not finite, Jitter is negative, or, for an integer type, a part
/// is not an integer of at most 2^53 in magnitude; a structure's contents are neither zero nor of kind Fields
/// with as many fields, or a scalar's are.
llvm::Error fillBuffer(const ElementLayout &Type, const protocol::Fill &Contents,
                       llvm::MutableArrayRef<uint8_t> Bytes);

/// The part of such a buffer that begins at the byte \p Offset, a multiple of 8 or of the element. \p
/// Contents are valid, and \p Bytes end where an element does or at such an offset; takes no locks and no
/// memory.
void fillPart(const ElementLayout &Type, const protocol::Fill &Contents, uint64_t Offset,
              llvm::MutableArrayRef<uint8_t> Bytes);

/// Whether the files of \p Contents have been read, and they and values have as much as \p Count elements
/// need. Error: Input.
llvm::Error checkStored(const ElementLayout &Type, const protocol::Fill &Contents, uint64_t Count);

/// fillBuffer's errors without filling, and without those of files and values.
llvm::Error validateFill(const ElementLayout &Type, const protocol::Fill &Contents);

} // namespace gpuprune

#endif // GPUPRUNE_RUNTIME_FILL_H
