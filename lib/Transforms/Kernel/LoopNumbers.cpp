//===- LoopNumbers.cpp - Loops numbered in source order ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/LoopNumbers.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace gpuprune {

static constexpr StringLiteral NumberProperty = "gpuprune.loop";
static constexpr StringLiteral LibdeviceProperty = "gpuprune.libdevice";

static void setProperty(Loop &L, StringRef Name, unsigned Value) {
  LLVMContext &C = L.getHeader()->getContext();
  MDNode *Property = MDNode::get(
      C, {MDString::get(C, Name), ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), Value))});
  L.setLoopID(makePostTransformationMetadata(C, L.getLoopID(), {Name}, {Property}));
}

void markLibdeviceLoops(Function &F, LoopInfo &LI) {
  if (!F.getName().starts_with("__nv_") && !F.getName().starts_with("__internal_"))
    return;
  for (Loop *L : LI.getLoopsInPreorder())
    setProperty(*L, LibdeviceProperty, 1);
}

void numberLoops(LoopInfo &LI) {
  unsigned Next = 0;
  for (Loop *L : LI.getLoopsInPreorder())
    if (!getOptionalIntLoopAttribute(L, LibdeviceProperty))
      setProperty(*L, NumberProperty, Next++);
}

void forgetLoopNumber(Instruction &Latch) {
  if (MDNode *Id = Latch.getMetadata(LLVMContext::MD_loop))
    Latch.setMetadata(LLVMContext::MD_loop,
                      makePostTransformationMetadata(Latch.getContext(), Id, {NumberProperty}, {}));
}

SmallVector<Loop *, 2> findLoops(LoopInfo &LI, unsigned Number) {
  SmallVector<Loop *, 2> Found;
  for (Loop *L : LI.getLoopsInPreorder())
    if (loopNumber(*L) == Number)
      Found.push_back(L);
  return Found;
}

/// "its loops are 0 (line 16), 1 (line 20)": those there are to name.
static std::string loopsOf(const LoopInfo &LI) {
  std::map<unsigned, unsigned> LineOf; // By number; an earlier pass may have copied a loop.
  for (Loop *L : LI.getLoopsInPreorder())
    if (std::optional<unsigned> Number = loopNumber(*L)) {
      DebugLoc Where = outermost(L->getStartLoc());
      LineOf.try_emplace(*Number, Where ? Where.getLine() : 0);
    }
  if (LineOf.empty())
    return LI.empty() ? "it has none"
                      : "its loops have no numbers, which gpu-prepare gives them: let it run first";
  std::string Text;
  for (auto [Number, Line] : LineOf)
    Text += (Text.empty() ? "" : ", ") + std::to_string(Number) +
            (Line ? formatv(" (line {0})", Line).str() : "");
  return (LineOf.size() == 1 ? "its loop is " : "its loops are ") + Text;
}

Refusal noSuchLoop(const Function &F, unsigned Number, const LoopInfo &LI) {
  return Refusal::inFunction(RefusalKind::NoSuchLoop, F,
                             formatv("the kernel has no loop {0}; {1}", Number, loopsOf(LI)));
}

} // namespace gpuprune
