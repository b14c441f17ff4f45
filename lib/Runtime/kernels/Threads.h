//===- Threads.h - How threads of the runner's own kernels share work -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads of a grid, what they add up together, and loops over memory in pieces of sixteen bytes.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_KERNELS_THREADS_H
#define GPUPRUNE_LIB_RUNTIME_KERNELS_THREADS_H

#include "Elements.h"

namespace gpuprune::kernels {

struct Threads {
  uint64_t Index, Count;
};

/// Arguments of a grid whose rows of blocks do one each: so a launch does several.
template <typename T> struct Batch {
  static constexpr unsigned Most = 16;
  T Each[Most];
};

#ifdef __NVPTX__
[[gnu::always_inline]] inline void atomicAdd(uint64_t *To, uint64_t Value) {
  __scoped_atomic_fetch_add(To, Value, 0, __MEMORY_SCOPE_DEVICE);
}
[[gnu::always_inline]] inline void atomicMax(uint64_t *To, uint64_t Value) {
  __scoped_atomic_fetch_max(To, Value, 0, __MEMORY_SCOPE_DEVICE);
}
[[gnu::always_inline]] inline void atomicOr(uint32_t *To, uint32_t Value) {
  __scoped_atomic_fetch_or(To, Value, 0, __MEMORY_SCOPE_DEVICE);
}
/// Of all threads of the warp, which must all be here; in its first one.
[[gnu::always_inline]] inline uint64_t sumOfWarp(uint64_t Value) {
  for (int Distance = 16; Distance != 0; Distance /= 2) {
    auto Low = static_cast<uint32_t>(__nvvm_shfl_sync_down_i32(~0u, static_cast<int>(Value), Distance, 31));
    auto High =
        static_cast<uint32_t>(__nvvm_shfl_sync_down_i32(~0u, static_cast<int>(Value >> 32), Distance, 31));
    Value += uint64_t(High) << 32 | Low;
  }
  return (__nvvm_read_ptx_sreg_tid_x() & 31) == 0 ? Value : 0;
}
#else
[[gnu::always_inline]] inline uint64_t sumOfWarp(uint64_t Value) { return Value; }
[[gnu::always_inline]] inline void atomicAdd(uint64_t *To, uint64_t Value) { *To += Value; }
[[gnu::always_inline]] inline void atomicMax(uint64_t *To, uint64_t Value) {
  *To = *To < Value ? Value : *To;
}
[[gnu::always_inline]] inline void atomicOr(uint32_t *To, uint32_t Value) { *To |= Value; }
#endif

/// Adds \p Value of each thread; one addition a warp, as all go to one place.
[[gnu::always_inline]] inline void addFromAll(uint64_t *To, uint64_t Value) {
  Value = sumOfWarp(Value);
  if (Value != 0)
    atomicAdd(To, Value);
}

//===----------------------------------------------------------------------===//
// Sixteen bytes at a time
//===----------------------------------------------------------------------===//

struct alignas(16) Piece {
  uint64_t Low, High;
};

[[gnu::always_inline]] inline bool sameBytes(Piece A, Piece B) { return A.Low == B.Low && A.High == B.High; }

/// Hands the pieces that are \p T's, of the same index from each of \p From, to \p IsOdd, and the index to
/// \p Look where that says yes. \p AtOnce loads of each source are on their way at a time: one alone does not
/// reach the bandwidth of the memory.
template <unsigned AtOnce, unsigned Sources, typename Odd, typename Close>
[[gnu::always_inline]] inline void forPieces(Threads T, const Piece *const (&From)[Sources], uint64_t Pieces,
                                             Odd IsOdd, Close Look) {
  for (uint64_t First = T.Index; First < Pieces; First += AtOnce * T.Count) {
    Piece Loaded[AtOnce][Sources]; // Stays in registers, as all loops over it are unrolled.
#pragma clang loop unroll(full)
    for (unsigned I = 0; I != AtOnce; ++I) {
      uint64_t Index = First + I * T.Count, Within = Index < Pieces ? Index : Pieces - 1;
      for (unsigned Source = 0; Source != Sources; ++Source)
        Loaded[I][Source] = From[Source][Within];
    }
    uint32_t OddOnes = 0;
#pragma clang loop unroll(full)
    for (unsigned I = 0; I != AtOnce; ++I) {
      uint64_t Index = First + I * T.Count;
      OddOnes |= uint32_t(Index < Pieces && IsOdd(Index, Loaded[I])) << I;
    }
    for (; OddOnes != 0; OddOnes &= OddOnes - 1)
      Look(First + static_cast<unsigned>(__builtin_ctz(OddOnes)) * T.Count);
  }
}

} // namespace gpuprune::kernels

#endif // GPUPRUNE_LIB_RUNTIME_KERNELS_THREADS_H
