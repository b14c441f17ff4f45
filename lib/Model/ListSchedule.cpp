//===- ListSchedule.cpp - Cycles of one thread by list scheduling -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Model/ListSchedule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <queue>

using namespace llvm;

namespace gpuprune {

double scheduledLatency(const DecodedInstruction &I, const ScheduleLatencies &Latencies) {
  using Class = InstructionClass;
  const ModelRates &Rates = Latencies.Rates;
  switch (I.Opcode->Class) {
  case Class::LoadGlobal:
  case Class::LoadGeneric:
  case Class::LoadTexture:
  case Class::StoreGlobal:
  case Class::StoreGeneric:
  case Class::StoreTexture:
    return Latencies.Global.Load;
  case Class::AsyncCopy:
    return I.isNamed("LDGSTS") ? Latencies.Global.Load : 1;
  case Class::Atomic:
    return I.isNamed("ATOMS") ? variableLatency("ATOMS", Rates) : Latencies.Global.Atomic;
  case Class::LoadShared:
  case Class::StoreShared:
    return Rates.SharedLatency;
  case Class::LoadLocal:
  case Class::StoreLocal:
    return Rates.L1Latency;
  case Class::Branch:
  case Class::Barrier:
  case Class::Fence:
  case Class::Other:
    return 1;
  default:
    return I.Opcode->Latency == LatencyKind::Variable ? variableLatency(I.Opcode->Name, Rates)
                                                      : fixedLatency(*I.Opcode);
  }
}

namespace {

/// An instruction of the block that is scheduled.
struct ScheduleNode {
  double Latency = 1;
  double ToEnd = 0; ///< From when it is scheduled to the end of the block, by dependences alone.
  double Earliest = 0;
  unsigned Waits = 0; ///< Instructions that have to be scheduled before.
  /// Later instructions, and how many cycles after this one they are ready.
  SmallVector<std::pair<unsigned, double>, 4> After;
};

/// One basic block.
class BlockScheduler {
public:
  BlockScheduler(ArrayRef<DecodedInstruction> Block, const ScheduleLatencies &Latencies);
  double run();

private:
  struct RegisterUse {
    std::optional<unsigned> Writer;
    SmallVector<unsigned, 4> Readers; ///< Since then.
  };
  static constexpr size_t RegistersOfFile = 256, Files = 4;

  std::vector<ScheduleNode> Nodes;
  std::vector<RegisterUse> Registers{RegistersOfFile * Files};

  void depend(std::optional<unsigned> Earlier, unsigned Later, double Delay);
  void addDependences(unsigned Node, const DecodedInstruction &I);
  template <typename Visitor> void forEachRegister(ArrayRef<RegisterRange> Ranges, Visitor Visit) {
    for (const RegisterRange &Range : Ranges)
      for (unsigned Number = Range.First; Number != unsigned(Range.First) + Range.Count; ++Number)
        if (Number < RegistersOfFile)
          Visit(Registers[size_t(Range.File) * RegistersOfFile + Number]);
  }
};

} // namespace

void BlockScheduler::depend(std::optional<unsigned> Earlier, unsigned Later, double Delay) {
  if (!Earlier || *Earlier == Later)
    return;
  Nodes[*Earlier].After.push_back({Later, Delay});
  ++Nodes[Later].Waits;
}

void BlockScheduler::addDependences(unsigned Node, const DecodedInstruction &I) {
  static constexpr double AfterReader = 1;
  auto LatencyOf = [&](std::optional<unsigned> Of) { return Of ? Nodes[*Of].Latency : 0; };
  forEachRegister(I.Reads, [&](RegisterUse &Use) { depend(Use.Writer, Node, LatencyOf(Use.Writer)); });
  forEachRegister(I.Writes, [&](RegisterUse &Use) {
    depend(Use.Writer, Node, LatencyOf(Use.Writer));
    for (unsigned Reader : Use.Readers)
      depend(Reader, Node, AfterReader);
  });
  forEachRegister(I.Reads, [&](RegisterUse &Use) { Use.Readers.push_back(Node); });
  forEachRegister(I.Writes, [&](RegisterUse &Use) { Use = {Node, {}}; });
}

BlockScheduler::BlockScheduler(ArrayRef<DecodedInstruction> Block, const ScheduleLatencies &Latencies) {
  for (const DecodedInstruction &I : Block) {
    if (I.isNamed("NOP") || I.Guard.isNever())
      continue;
    Nodes.emplace_back().Latency = scheduledLatency(I, Latencies);
    addDependences(unsigned(Nodes.size() - 1), I);
  }
  for (ScheduleNode &Node : reverse(Nodes)) {
    Node.ToEnd = Node.Latency;
    for (auto [Later, Delay] : Node.After)
      Node.ToEnd = std::max(Node.ToEnd, Delay + Nodes[Later].ToEnd);
  }
}

double BlockScheduler::run() {
  // Those with nothing left to wait for: by when they are ready, and of the ready ones the most urgent.
  using Entry = std::pair<double, unsigned>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> Coming;
  auto IsLessUrgent = [&](unsigned A, unsigned B) {
    return std::pair(Nodes[A].ToEnd, B) < std::pair(Nodes[B].ToEnd, A);
  };
  std::priority_queue<unsigned, std::vector<unsigned>, decltype(IsLessUrgent)> Ready(IsLessUrgent);
  for (const auto &[Index, Node] : enumerate(Nodes))
    if (Node.Waits == 0)
      Coming.push({0, unsigned(Index)});
  double Now = 0, End = 0;
  while (!Coming.empty() || !Ready.empty()) {
    if (Ready.empty())
      Now = std::max(Now, Coming.top().first);
    for (; !Coming.empty() && Coming.top().first <= Now; Coming.pop())
      Ready.push(Coming.top().second);
    const ScheduleNode &Node = Nodes[Ready.top()];
    Ready.pop();
    End = std::max(End, Now + Node.Latency);
    for (auto [Later, Delay] : Node.After) {
      Nodes[Later].Earliest = std::max(Nodes[Later].Earliest, Now + Delay);
      if (--Nodes[Later].Waits == 0)
        Coming.push({Nodes[Later].Earliest, Later});
    }
    ++Now;
  }
  return End;
}

double scheduledCycles(ArrayRef<DecodedInstruction> Block, const ScheduleLatencies &Latencies) {
  return BlockScheduler(Block, Latencies).run();
}

ThreadCycles threadCycles(const KernelCode &Code, const FlowGraph &Ptx, ArrayRef<PtxBlockExecutions> Counts,
                          const ScheduleLatencies &Latencies) {
  FlowGraph Machine = machineFlow(Code);
  MachineExecutions Executions = machineExecutions(Code, Machine, Ptx, Counts);
  ThreadCycles Result;
  for (const auto &[Block, Times] : zip_equal(Machine.Blocks, Executions.OfBlock))
    if (Times > 0)
      Result.Cycles +=
          Times *
          scheduledCycles(ArrayRef(Code.Instructions).slice(Block.Begin, Block.End - Block.Begin), Latencies);
  Result.Assumed = std::move(Executions.Assumed);
  for (const auto &[Name, Number] : Code.Estimated)
    Result.Assumed.push_back(Name + " is not modelled");
  return Result;
}

} // namespace gpuprune
