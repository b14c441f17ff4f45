//===- MachineCounting.cpp - Counting in the NVPTX code generator ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/MachineCounting.h"
#include "MachineFlow.h"
#include "MachineInstructions.h"
#include "gpuprune/Analysis/RegionCounter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Function.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetMachine.h"
#include <mutex>
#include <set>

using namespace llvm;
using namespace gpuprune;

namespace {

/// One machine function: its own counts, and whom it calls how often.
struct FunctionCounts {
  KernelCounts Own;
  std::map<std::string, double> Calls;
  bool IsKernel = false;
};

} // namespace

namespace gpuprune {

/// Where the pass of this thread puts what it counts.
class MachineCountSink {
public:
  explicit MachineCountSink(const FrequencyMap &Frequencies) : Frequencies(Frequencies) {}

  const FrequencyMap &Frequencies;
  std::map<std::string, FunctionCounts> Functions;

  std::map<std::string, KernelCounts> takeKernels();

private:
  KernelCounts withCallees(const FunctionCounts &F, std::set<std::string> &Active) const;
};

} // namespace gpuprune

static thread_local MachineCountSink *ActiveSink = nullptr;

KernelCounts MachineCountSink::withCallees(const FunctionCounts &F, std::set<std::string> &Active) const {
  KernelCounts Result = F.Own;
  for (auto &[Name, Executions] : F.Calls) {
    auto Callee = Functions.find(Name);
    if (Callee == Functions.end()) {
      Result.estimate("instructions of the called function '" + Name + "' are not counted");
      continue;
    }
    if (!Active.insert(Name).second) {
      Result.estimate("the function '" + Name + "' calls itself: counted once a call from outside");
      continue;
    }
    KernelCounts OfCallee = withCallees(Callee->second, Active);
    Active.erase(Name);
    Result.StaticInstr += OfCallee.StaticInstr;
    Result.addCall(OfCallee, Executions);
  }
  return Result;
}

std::map<std::string, KernelCounts> MachineCountSink::takeKernels() {
  std::map<std::string, KernelCounts> Result;
  for (auto &[Name, F] : Functions) {
    if (!F.IsKernel)
      continue;
    std::set<std::string> Active{Name};
    Result.emplace(Name, withCallees(F, Active));
  }
  Functions.clear();
  return Result;
}

namespace {

/// Counts one machine function into \p Result.
class FunctionCounter {
public:
  FunctionCounter(const MachineFunction &MF, const MachineLoopInfo &Loops, const MachineFlow &Flow,
                  FunctionCounts &Result)
      : MF(MF), Loops(Loops), Flow(Flow), Table(OpcodeTable::get(MF.getTarget())), Result(Result) {}
  void run();

private:
  BlockUnits countBlock(const MachineBasicBlock &Block);
  PtxBlockExecutions executionsOf(const MachineBasicBlock &Block) const;
  void countInstruction(const MachineInstr &MI, double Executions, RegionCounter &Regions);
  void countCall(const MachineInstr &MI, double Executions);
  double falling(const MachineInstr &Branch, double Executions) const;

  const MachineFunction &MF;
  const MachineLoopInfo &Loops;
  const MachineFlow &Flow;
  const OpcodeTable &Table;
  FunctionCounts &Result;
};

class MachineCountPass : public MachineFunctionPass {
public:
  static char ID;
  MachineCountPass() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "GpuPrune instruction counts"; }
  void getAnalysisUsage(AnalysisUsage &Usage) const override {
    Usage.addRequired<MachineLoopInfoWrapperPass>();
    Usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(Usage);
  }
  bool runOnMachineFunction(MachineFunction &MF) override;
};

} // namespace

char MachineCountPass::ID = 0;

/// The executions that are left after the conditional \p Branch.
double FunctionCounter::falling(const MachineInstr &Branch, double Executions) const {
  for (const MachineOperand &Operand : Branch.operands())
    if (Operand.isMBB())
      return std::max(0.0, Executions - Flow.Edges.lookup({Branch.getParent(), Operand.getMBB()}));
  return Executions;
}

void FunctionCounter::countCall(const MachineInstr &MI, double Executions) {
  for (const MachineOperand &Operand : MI.operands()) {
    if (Operand.isGlobal()) {
      Result.Calls[Operand.getGlobal()->getName().str()] += Executions;
      return;
    }
    if (Operand.isSymbol()) {
      Result.Calls[Operand.getSymbolName()] += Executions;
      return;
    }
  }
  Result.Own.estimate("instructions of a function called through a pointer are not counted");
}

void FunctionCounter::countInstruction(const MachineInstr &MI, double Executions, RegionCounter &Regions) {
  SmallVector<uint64_t, 4> Reads, Defines;
  bool UsesResult = false;
  for (const MachineOperand &Operand : MI.operands()) {
    if (!Operand.isReg() || !Operand.getReg().isVirtual())
      continue;
    (Operand.isDef() ? Defines : Reads).push_back(Operand.getReg().id());
    UsesResult |= Operand.isDef() && !MF.getRegInfo().use_nodbg_empty(Operand.getReg());
  }
  bool Invariant = MI.isDereferenceableInvariantLoad() ||
                   (!MI.memoperands_empty() && all_of(MI.memoperands(), [](const MachineMemOperand *Access) {
                     return Access->isInvariant();
                   }));
  for (const PtxInstruction &Instruction : Table.print(MI)) {
    ++Result.Own.StaticInstr;
    Result.Own.add(Instruction.Class, Executions);
    Result.Own.addBytes(Instruction.Class, Executions, accessBytes(MI));
    Regions.step({Instruction.Class, Instruction.Blocks, UsesResult, Invariant || Instruction.ReadOnly, Reads,
                  Defines});
  }
  if (MI.isCall() && !MI.isInlineAsm())
    countCall(MI, Executions);
}

BlockUnits FunctionCounter::countBlock(const MachineBasicBlock &Block) {
  double Executions = Flow.Blocks.lookup(&Block);
  BlockUnits Result;
  Result.Executions = Executions;
  RegionCounter Regions;
  for (const MachineInstr &MI : Block) {
    countInstruction(MI, Executions, Regions);
    if (MI.isConditionalBranch())
      Executions = falling(MI, Executions);
  }
  Result.Units = Regions.units();
  Result.SpecialUnits = Regions.specialUnits();
  for (const MachineLoop *L = Loops.getLoopFor(&Block); L; L = L->getParentLoop())
    Result.Loops.insert(Result.Loops.begin(), L->getHeader()->getNumber());
  return Result;
}

PtxBlockExecutions FunctionCounter::executionsOf(const MachineBasicBlock &Block) const {
  PtxBlockExecutions Result;
  Result.Number = unsigned(Block.getNumber());
  Result.Executions = Flow.Blocks.lookup(&Block);
  for (const MachineBasicBlock *Successor : Block.successors())
    Result.Successors.push_back({unsigned(Successor->getNumber()), Flow.Edges.lookup({&Block, Successor})});
  return Result;
}

void FunctionCounter::run() {
  std::vector<BlockUnits> Blocks;
  for (const MachineBasicBlock &Block : MF) {
    Blocks.push_back(countBlock(Block));
    Result.Own.Blocks.push_back(executionsOf(Block));
  }
  Result.Own.Regions = countRegions(Blocks);
}

bool MachineCountPass::runOnMachineFunction(MachineFunction &MF) {
  if (!ActiveSink)
    return false;
  FunctionCounts &Result = ActiveSink->Functions[MF.getName().str()];
  Result = {};
  Result.IsKernel = MF.getFunction().getCallingConv() == CallingConv::PTX_Kernel;
  const FrequencyMap::Entry *Known = ActiveSink->Frequencies.find(MF.getName());
  if (!Known)
    Result.Own.estimate("nothing is known of how often the blocks of '" + MF.getName().str() +
                        "' are executed");
  else {
    Result.Own.Source = Known->Source;
    Result.Own.Warps = Known->Warps;
  }
  MachineFlow Flow = computeMachineFlow(MF, Known ? *Known : FrequencyMap::Entry{});
  if (Known && !Known->Exact)
    for (const std::string &Reason : Known->Reasons)
      Result.Own.estimate(Reason);
  if (Known && !Flow.Exact)
    Result.Own.estimate("the code generator changed the control flow of '" + MF.getName().str() +
                        "' beyond what its blocks' executions can be followed through");
  FunctionCounter(MF, getAnalysis<MachineLoopInfoWrapperPass>().getLI(), Flow, Result).run();
  return false;
}

void gpuprune::installMachineCounting() {
  static std::once_flag Once;
  std::call_once(Once, [] {
    static RegisterTargetPassConfigCallback Callback(
        [](TargetMachine &Machine, PassManagerBase &, TargetPassConfig *Config) {
          if (Machine.getTargetTriple().isNVPTX())
            Config->insertPass(&MachineBlockPlacementID, new MachineCountPass());
        });
  });
}

MachineCountScope::MachineCountScope(const FrequencyMap &Frequencies)
    : Sink(std::make_unique<MachineCountSink>(Frequencies)), Outer(ActiveSink) {
  ActiveSink = Sink.get();
}

MachineCountScope::~MachineCountScope() { ActiveSink = Outer; }

std::map<std::string, KernelCounts> MachineCountScope::take() { return Sink->takeKernels(); }
