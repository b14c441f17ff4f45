//===- ThreadCoarsen.cpp - gpu-thread-coarsen: one thread does the work of several ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/ThreadCoarsen.h"
#include "Coarsening.h"
#include "KernelPass.h"
#include "gpuprune/Analysis/LaunchAttributes.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/PassOptions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuprune {

/// The widest access of the hardware, and what the check on the CPU grants buffers.
static constexpr unsigned MostAlignment = 16;

Coarsening coarseningOf(const ThreadCoarsenOptions &Options) {
  Coarsening C;
  C.Unit = CoarseUnit::Thread;
  C.Noun = "thread";
  C.Factor[Options.Dimension] = Options.Factor;
  C.JamLoops = Options.JamLoops;
  C.Order = Options.Stride == ThreadStride::Block ? ReplicaOrder::Strided : ReplicaOrder::Neighbours;
  return C;
}

/// What a pointer that is computed from a parameter is aligned to, if the
/// parameter is to \p Promised.
static Align alignmentOf(const Value *Pointer, Align Promised, const DataLayout &DL) {
  Align Known = Promised;
  while (true) {
    if (const auto *Cast = dyn_cast<AddrSpaceCastOperator>(Pointer)) {
      Pointer = Cast->getPointerOperand();
      continue;
    }
    const auto *GEP = dyn_cast<GEPOperator>(Pointer);
    if (!GEP)
      break;
    SmallMapVector<Value *, APInt, 4> Variable;
    APInt Constant(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
    if (!GEP->collectOffset(DL, Constant.getBitWidth(), Variable, Constant))
      return Align(1);
    Known = commonAlignment(Known, Constant.getZExtValue());
    for (const auto &[Index, Scale] : Variable) {
      unsigned Zeros = computeKnownBits(Index, DL).countMinTrailingZeros() + Scale.countr_zero();
      Known = std::min(Known, Align(uint64_t(1) << std::min(Zeros, Log2(Promised))));
    }
    Pointer = GEP->getPointerOperand();
  }
  const auto *Parameter = dyn_cast<Argument>(Pointer);
  return Parameter && !Parameter->hasByValAttr() ? Known : Align(1);
}

/// LLVM does not follow a parameter's alignment through a cast to global memory
/// to where it matters.
static void raiseAlignments(Function &F, Align Promised) {
  for (Instruction &I : instructions(F)) {
    if (!isa<LoadInst, StoreInst>(I))
      continue;
    Align Known = std::max(getLoadStoreAlignment(&I),
                           alignmentOf(getLoadStorePointerOperand(&I), Promised, F.getDataLayout()));
    if (auto *Load = dyn_cast<LoadInst>(&I))
      Load->setAlignment(Known);
    else
      cast<StoreInst>(I).setAlignment(Known);
  }
}

/// Of each parameter that is a pointer, the host promises it.
static Verdict promiseAlignment(Function &F, unsigned Bytes) {
  Expected<LaunchContract> Contract = readLaunchContract(F);
  if (!Contract)
    return Refusal::inFunction(RefusalKind::BadLaunchContract, F, toString(Contract.takeError()));
  Contract->PointerAlignment = std::max<int64_t>(Contract->PointerAlignment, Bytes);
  writeLaunchContract(F, *Contract);
  for (Argument &Parameter : F.args()) {
    if (!Parameter.getType()->isPointerTy() || Parameter.hasByValAttr())
      continue;
    Align Known = std::max(Align(Bytes), Parameter.getParamAlign().valueOrOne());
    Parameter.removeAttr(Attribute::Alignment);
    Parameter.addAttr(Attribute::getWithAlignment(F.getContext(), Known));
  }
  raiseAlignments(F, Align(Bytes));
  return std::nullopt;
}

static Verdict coarsen(Function &F, const ThreadCoarsenOptions &Options) {
  if (Verdict Refused = coarsenKernel(F, coarseningOf(Options)))
    return Refused;
  return Options.Align > 1 ? promiseAlignment(F, Options.Align) : std::nullopt;
}

PreservedAnalyses ThreadCoarsenPass::run(Module &M, ModuleAnalysisManager &MAM) {
  std::string Done =
      formatv("a thread does the work of {0} in {1}", Options.Factor, "xyz"[Options.Dimension]);
  bool Ran = transformKernels(M, PassName, Options.Kernel, "Coarsened", Done, std::nullopt,
                              [&](Function &F) { return coarsen(F, Options); });
  forgetAssumptions(M, MAM);
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

static Expected<bool> takeOption(StringRef Key, StringRef Value, ThreadCoarsenOptions &Options) {
  if (Key == "dim") {
    size_t Dimension = StringRef("xyz").find(Value);
    if (Value.size() != 1 || Dimension == StringRef::npos)
      return makeError(ErrorKind::Input, formatv("option 'dim={0}' needs x, y or z", Value));
    Options.Dimension = Dimension;
    return true;
  }
  if (Key == "stride") {
    if (Value != "block" && Value != "consecutive")
      return makeError(ErrorKind::Input, formatv("option 'stride={0}' needs block or consecutive", Value));
    Options.Stride = Value == "block" ? ThreadStride::Block : ThreadStride::Consecutive;
    return true;
  }
  if (Key == "loops")
    return parseLoops(Value, Options.JamLoops);
  if (Key != "factor" && Key != "align")
    return false;
  Expected<unsigned> Number =
      Key == "align" ? parseNumber(Key, Value, 1, MostAlignment) : parseNumber(Key, Value, 1);
  if (!Number)
    return Number.takeError();
  if (Key == "align" && !isPowerOf2_32(*Number))
    return makeError(ErrorKind::Input, formatv("option 'align={0}' needs a power of two", Value));
  (Key == "align" ? Options.Align : Options.Factor) = *Number;
  return true;
}

Expected<ThreadCoarsenOptions> ThreadCoarsenOptions::parse(StringRef Text) {
  ThreadCoarsenOptions Options;
  StringRef Known = "dim=x|y|z, factor=F, stride=block|consecutive, align=A, loops=jam|apart, kernel=NAME";
  if (Error E =
          parsePassOptions(ThreadCoarsenPass::PassName, Text, Known, Options.Kernel,
                           [&](StringRef Key, StringRef Value) { return takeOption(Key, Value, Options); }))
    return std::move(E);
  return Options;
}

void ThreadCoarsenOptions::print(raw_ostream &OS) const {
  OS << "dim=" << "xyz"[Dimension] << ";factor=" << Factor
     << ";stride=" << (Stride == ThreadStride::Block ? "block" : "consecutive");
  if (Align > 1)
    OS << ";align=" << Align;
  if (!JamLoops)
    OS << ";loops=apart";
  printKernelOption(OS, Kernel);
}

void ThreadCoarsenPass::printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)> Map) {
  printPass(OS, PassName, Options);
}

} // namespace gpuprune
