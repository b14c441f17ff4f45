//===- MetricsPrinter.cpp - print<gpu-metrics> ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/MetricsPrinter.h"
#include "IRInstructions.h"
#include "gpuprune/Analysis/RegionCounter.h"
#include "gpuprune/Analysis/SharedMemory.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;
using namespace gpuprune;

static uint64_t valueNumber(const Value *V) { return reinterpret_cast<uintptr_t>(V); }

static void countInlineAsm(const CallBase &Call, double Executions, KernelCounts &Counts) {
  auto *Assembly = cast<InlineAsm>(Call.getCalledOperand());
  for (const std::string &Mnemonic : splitPtx(Assembly->getAsmString())) {
    ++Counts.StaticInstr;
    Counts.add(classifyPtx(Mnemonic), Executions);
  }
}

static void countInstruction(const Instruction &I, double Executions, KernelCounts &Counts,
                             RegionCounter &Regions) {
  std::optional<InstructionClass> Class = classifyIR(I);
  auto *Call = dyn_cast<CallBase>(&I);
  bool IsAssembly = Call && Call->isInlineAsm();
  if (IsAssembly) {
    countInlineAsm(*Call, Executions, Counts);
  } else if (Class) {
    ++Counts.StaticInstr;
    Counts.add(*Class, Executions);
    Counts.addBytes(*Class, Executions, accessBytes(I));
  }
  SmallVector<uint64_t, 4> Reads;
  for (const Value *Operand : I.operands())
    Reads.push_back(valueNumber(Operand));
  uint64_t Defined = valueNumber(&I);
  RegionInstruction Step;
  Step.Class = Class.value_or(InstructionClass::Move);
  Step.Blocks = Class && isBlocking(I, *Class);
  Step.UsesResult = !I.use_empty();
  Step.Invariant = I.hasMetadata(LLVMContext::MD_invariant_load);
  Step.Reads = Reads;
  Step.Defines = ArrayRef(Defined);
  Regions.step(Step);
}

KernelCounts gpuprune::countIR(const Function &F, const LoopInfo &Loops,
                               const BlockFrequencies &Frequencies) {
  KernelCounts Counts;
  std::vector<BlockUnits> Blocks;
  DenseMap<const Loop *, unsigned> Number;
  for (const BasicBlock &Block : F) {
    BlockUnits Units;
    Units.Executions = Frequencies.of(&Block);
    RegionCounter Regions;
    for (const Instruction &I : Block)
      countInstruction(I, Units.Executions, Counts, Regions);
    Units.Units = Regions.units();
    Units.SpecialUnits = Regions.specialUnits();
    for (const Loop *L = Loops.getLoopFor(&Block); L; L = L->getParentLoop())
      Units.Loops.insert(Units.Loops.begin(), Number.try_emplace(L, Number.size()).first->second);
    Blocks.push_back(std::move(Units));
  }
  Counts.Regions = countRegions(Blocks);
  if (!Frequencies.Exact)
    for (const std::string &Reason : Frequencies.Reasons)
      Counts.estimate(Reason);
  return Counts;
}

/// Whole numbers without a fraction, others with two digits of it.
static void printNumber(raw_ostream &Out, double Value) {
  if (Value == std::floor(Value) && std::abs(Value) < 1e15)
    Out << int64_t(Value);
  else
    Out << format("%.2f", Value);
}

static void printBytes(raw_ostream &Out, StringRef Memory, const BytesMoved &Bytes) {
  Out << "  " << Memory << " bytes: ";
  printNumber(Out, Bytes.Loaded);
  Out << " loaded, ";
  printNumber(Out, Bytes.Stored);
  Out << " stored\n";
}

static void printLoop(raw_ostream &Out, const LoopTrips &Trips) {
  Out << "  loop ";
  if (Trips.Number)
    Out << *Trips.Number;
  else
    Out << "without a number";
  Out << ": depth " << Trips.Depth << ", ";
  if (Trips.Line)
    Out << "line " << Trips.Line << ", ";
  Out << "trip count ";
  if (Trips.Exact && Trips.Entries > 0)
    printNumber(Out, Trips.tripCount());
  else
    Out << "unknown";
  Out << '\n';
}

static void printCounts(raw_ostream &Out, const KernelCounts &Counts) {
  Out << "  instructions: ";
  printNumber(Out, Counts.Instr);
  Out << " (" << instrSourceName(Counts.Source) << "), " << Counts.StaticInstr << " in the text\n";
  for (unsigned Class = 0; Class != NumInstructionClasses; ++Class) {
    if (Counts.ByClass[Class] == 0)
      continue;
    Out << "    " << instructionClassName(static_cast<InstructionClass>(Class)) << ": ";
    printNumber(Out, Counts.ByClass[Class]);
    Out << '\n';
  }
  Out << "  regions: ";
  printNumber(Out, Counts.Regions);
  Out << '\n';
  printBytes(Out, "global", Counts.Global);
  printBytes(Out, "shared", Counts.Shared);
  printBytes(Out, "local", Counts.Local);
}

PreservedAnalyses GpuMetricsPrinterPass::run(Function &F, FunctionAnalysisManager &Analyses) {
  if (F.getCallingConv() != CallingConv::PTX_Kernel)
    return PreservedAnalyses::all();
  LoopInfo &Loops = Analyses.getResult<LoopAnalysis>(F);
  BlockFrequencies Frequencies =
      computeBlockFrequencies(F, Loops, Analyses.getResult<ScalarEvolutionAnalysis>(F), LaunchContext{});
  KernelCounts Counts = countIR(F, Loops, Frequencies);
  *Out << "gpu-metrics of kernel '" << F.getName() << "', one thread:\n";
  printCounts(*Out, Counts);
  *Out << "  static shared memory: " << sharedBytes(F) << " bytes\n";
  for (const LoopTrips &Trips : Frequencies.Loops)
    printLoop(*Out, Trips);
  for (const std::string &Reason : Counts.Reasons)
    *Out << "  assumed: " << Reason << '\n';
  return PreservedAnalyses::all();
}
