//===- OpenBuffers.cpp - Buffers whose bits are left open -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Check/OpenBuffers.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

/// Where \p Argument is a buffer whose bits may be open, its entry of \p Buffers.
static BufferFreedom *openable(const ResolvedArgument &Argument, const ResolvedProblem &Problem,
                               MutableArrayRef<BufferFreedom> Buffers) {
  if (!Argument.Buffer)
    return nullptr;
  const ResolvedBuffer &Shape = Problem.Buffers[*Argument.Buffer];
  bool Fixed = Shape.Role == BufferRole::In || !Shape.Type.hasFloatingPoint();
  return Fixed ? nullptr : &Buffers[*Argument.Buffer];
}

/// Keeps the first reason: a buffer may be passed twice.
static void keepFirst(std::string &Known, const std::string &Reason) {
  if (Known.empty())
    Known = Reason;
}

std::vector<BufferFreedom> bufferFreedom(const FloatingPointFreedom &Kernel,
                                         const FloatingPointFreedom &Author, const ResolvedProblem &Problem) {
  std::vector<BufferFreedom> Buffers(Problem.Buffers.size());
  ArrayRef<ResolvedArgument> Arguments = Problem.tuned().Arguments;
  for (const auto &[Argument, Freedom] : zip(Arguments, Kernel.Arguments))
    if (BufferFreedom *Of = openable(Argument, Problem, Buffers)) {
      keepFirst(Of->BetweenVariants, Freedom.BetweenVariants);
      keepFirst(Of->BetweenLaunches, Freedom.BetweenLaunches);
    }
  for (const auto &[Argument, Freedom] : zip(Arguments, Author.Arguments))
    if (BufferFreedom *Of = openable(Argument, Problem, Buffers))
      keepFirst(Of->BetweenLaunches, Freedom.BetweenLaunches);
  return Buffers;
}

void openAll(std::vector<BufferFreedom> &Buffers, const std::string &Why, const ResolvedProblem &Problem) {
  for (auto [Of, Shape] : zip_equal(Buffers, Problem.Buffers))
    if (Shape.Role != BufferRole::In && Shape.Type.hasFloatingPoint()) {
      keepFirst(Of.BetweenVariants, Why);
      keepFirst(Of.BetweenLaunches, Why);
    }
}

std::vector<protocol::OpenBuffer> openBuffers(ArrayRef<BufferFreedom> Buffers) {
  std::vector<protocol::OpenBuffer> Open;
  for (const auto &[Index, Freedom] : enumerate(Buffers)) {
    bool Variants = !Freedom.BetweenVariants.empty(), Launches = !Freedom.BetweenLaunches.empty();
    if (Variants || Launches)
      Open.push_back({uint32_t(Index), Variants, Launches,
                      Variants ? Freedom.BetweenVariants : Freedom.BetweenLaunches});
  }
  return Open;
}

} // namespace gpuprune
