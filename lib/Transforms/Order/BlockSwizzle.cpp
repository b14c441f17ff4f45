//===- BlockSwizzle.cpp - gpu-block-swizzle: blocks in another order ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/BlockSwizzle.h"
#include "Coarsen/Coarsening.h"
#include "Kernel/KernelPass.h"
#include "gpuprune/Analysis/LaunchAttributes.h"
#include "gpuprune/Transforms/PassDescriptor.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// The indices of the block that is computed in place of the one that runs.
struct BlockIndices {
  Value *X, *Y;
};

} // namespace

static BlockIndices swizzled(IRBuilder<> &B, unsigned Group) {
  auto Read = [&](Intrinsic::ID Register) { return B.CreateIntrinsic(Register, {}); };
  Value *X = Read(Intrinsic::nvvm_read_ptx_sreg_ctaid_x), *Y = Read(Intrinsic::nvvm_read_ptx_sreg_ctaid_y);
  Value *Columns = Read(Intrinsic::nvvm_read_ptx_sreg_nctaid_x);
  Value *AllRows = Read(Intrinsic::nvvm_read_ptx_sreg_nctaid_y);
  Value *InBand = B.CreateURem(Y, B.getInt32(Group)), *First = B.CreateSub(Y, InBand, "band");
  Value *Rows = B.CreateBinaryIntrinsic(Intrinsic::umin, B.getInt32(Group), B.CreateSub(AllRows, First));
  Value *Place = B.CreateAdd(B.CreateMul(InBand, Columns), X, "place");
  Value *Fits = B.CreateICmpULE(Columns, B.getInt32(std::numeric_limits<uint32_t>::max() / Group), "fits");
  return {B.CreateSelect(Fits, B.CreateUDiv(Place, Rows), X, "block.x"),
          B.CreateSelect(Fits, B.CreateAdd(First, B.CreateURem(Place, Rows)), Y, "block.y")};
}

static bool reads(const Instruction &I, Intrinsic::ID Register) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && Call->getIntrinsicID() == Register;
}

static Verdict swizzle(Function &F, unsigned Group) {
  Expected<LaunchContract> Contract = readLaunchContract(F);
  if (!Contract)
    return Refusal::inFunction(RefusalKind::BadLaunchContract, F, toString(Contract.takeError()));
  if (Contract->PersistentBlocks)
    return Refusal::inFunction(RefusalKind::BadLaunchContract, F,
                               "its blocks are launched in x alone and do all others; write gpu-persistent "
                               "behind this pass");
  if (Verdict Refused = checkLegality(F, Coarsening()))
    return Refused;
  SmallVector<Instruction *, 8> OfX, OfY;
  for (Instruction &I : instructions(F)) {
    if (reads(I, Intrinsic::nvvm_read_ptx_sreg_ctaid_x))
      OfX.push_back(&I);
    if (reads(I, Intrinsic::nvvm_read_ptx_sreg_ctaid_y))
      OfY.push_back(&I);
  }
  if (Group == 1 || (OfX.empty() && OfY.empty()))
    return std::nullopt;
  IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  BlockIndices Computed = swizzled(B, Group);
  for (auto [Reads, Index] : {std::pair(&OfX, Computed.X), std::pair(&OfY, Computed.Y)})
    for (Instruction *Read : *Reads) {
      Read->replaceAllUsesWith(Index);
      Read->eraseFromParent();
    }
  return std::nullopt;
}

PreservedAnalyses BlockSwizzlePass::run(Module &M, ModuleAnalysisManager &) {
  std::string Done = formatv("blocks are computed in bands of {0} rows", Options.Group);
  bool Ran = transformKernels(M, PassName, Options.Kernel, "Swizzled", Done, std::nullopt,
                              [&](Function &F) { return swizzle(F, Options.Group); });
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

const OptionTable<BlockSwizzleOptions> &BlockSwizzleOptions::table() {
  using O = BlockSwizzleOptions;
  static const OptionTable<O> Table{BlockSwizzlePass::PassName,
                                    {numberOption({.Key = "group", .Values = "G", .Required = true},
                                                  &O::Group, Shown::Always, 1, MostGroup),
                                     kernelOption<O>()}};
  return Table;
}

/// Bands of one row are the order as it is.
static bool normaliseSwizzle(PassElement &Element) { return Element.value("group") != "1"; }

const PassDescriptor &blockSwizzleDescriptor() {
  static const PassDescriptor D = describe<BlockSwizzlePass, BlockSwizzleOptions>(
      "blocks are computed in another order", {.Normalise = normaliseSwizzle});
  return D;
}

} // namespace gpuprune
