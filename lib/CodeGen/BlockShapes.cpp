//===- BlockShapes.cpp - Which block shapes the kernel in bitcode may have --===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/BlockShapes.h"
#include "Compilation.h"

using namespace llvm;

namespace gpuprune {

Expected<BlockShapeFreedom> Compilation::blockShapes(const std::optional<ArgumentBuffers> &Buffers) {
  Expected<Function *> Kernel = preparedKernel();
  if (!Kernel)
    return Kernel.takeError();
  return findBlockShapeFreedom(**Kernel, Buffers ? *Buffers : distinctBuffers(**Kernel));
}

static Expected<BlockShapeFreedom> ask(StringRef Bitcode, StringRef Kernel,
                                       const std::optional<ArgumentBuffers> &Buffers) {
  VariantRequest Request;
  Request.Bitcode = Bitcode;
  Request.Kernel = Kernel.str();
  Compilation C(Request);
  if (Error E = C.load())
    return std::move(E);
  return C.blockShapes(Buffers);
}

Expected<BlockShapeFreedom> blockShapesIn(StringRef Bitcode, StringRef Kernel,
                                          const ArgumentBuffers &Buffers) {
  return ask(Bitcode, Kernel, Buffers);
}

Expected<std::optional<ShapeObstacle>> whyNotChangeBlock(StringRef Bitcode, StringRef Kernel,
                                                         const BlockChange &Change) {
  Expected<BlockShapeFreedom> Freedom = ask(Bitcode, Kernel, std::nullopt);
  if (!Freedom)
    return Freedom.takeError();
  return Freedom->whyNotAsManyThreads(Change.From, Change.To);
}

} // namespace gpuprune
