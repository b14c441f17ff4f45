//===- AtomicSteps.cpp - What atomic operations leave in memory -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtomicSteps.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace gpuprune {

template <typename T> static uint64_t sumOf(uint64_t A, uint64_t B) {
  return bitsOf<T>(T(valueOf<T>(A) + valueOf<T>(B)));
}

static uint64_t lesser(const TraceAccess &A, uint64_t X, uint64_t Y) {
  unsigned Bits = A.ElementBytes * 8;
  if (A.IsSigned)
    return SignExtend64(X, Bits) < SignExtend64(Y, Bits) ? X : Y;
  return std::min(X, Y);
}

uint64_t afterAtomic(const TraceAccess &A, uint64_t Before, uint64_t X, uint64_t Y) {
  uint64_t Mask = maskTrailingOnes<uint64_t>(A.ElementBytes * 8);
  Before &= Mask;
  X &= Mask;
  switch (A.Atomic) {
  case AtomicOperation::Add:
    if (A.IsFloat)
      return A.ElementBytes == 8 ? sumOf<double>(Before, X) : sumOf<float>(Before, X);
    return (Before + X) & Mask;
  case AtomicOperation::And:
    return Before & X;
  case AtomicOperation::Or:
    return Before | X;
  case AtomicOperation::Xor:
    return Before ^ X;
  case AtomicOperation::Min:
    return lesser(A, Before, X);
  case AtomicOperation::Max:
    return lesser(A, Before, X) == X ? Before : X;
  case AtomicOperation::Exchange:
    return X;
  case AtomicOperation::CompareAndSwap:
    return Before == X ? Y & Mask : Before;
  case AtomicOperation::Increment:
    return Before >= X ? 0 : Before + 1;
  case AtomicOperation::Decrement:
    return Before == 0 || Before > X ? X : Before - 1;
  }
  return Before;
}

} // namespace gpuprune
