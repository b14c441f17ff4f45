//===- WarpCost.cpp - What one warp takes of a multiprocessor ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Model/WarpCost.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// The clock of a warp and its six counters.
class WarpClock {
public:
  WarpClock(const ModelRates &Rates, const GlobalLatencies &Global) : Rates(Rates), Global(Global) {}

  void step(const DecodedInstruction &I);
  double now() const { return Now; }

private:
  const ModelRates &Rates;
  const GlobalLatencies &Global;
  double Now = 0;
  std::array<double, ControlBits::NumBarriers> Counters{};

  double latencyOf(const DecodedInstruction &I) const;
};

} // namespace

double WarpClock::latencyOf(const DecodedInstruction &I) const {
  if (I.isNamed("LDG") || I.isNamed("LD"))
    return Global.Load;
  if (I.isNamed("ATOM") || I.isNamed("ATOMG"))
    return Global.Atomic;
  return variableLatency(I.Opcode->Name, Rates);
}

void WarpClock::step(const DecodedInstruction &I) {
  for (unsigned Barrier = 0; Barrier != ControlBits::NumBarriers; ++Barrier)
    if (I.Control.waitsOn(Barrier))
      Now = std::max(Now, Counters[Barrier]);
  if (I.CountedWait && I.CountedWait->Count == 0 && I.CountedWait->Barrier < Counters.size())
    Now = std::max(Now, Counters[I.CountedWait->Barrier]);
  auto Raise = [&](uint8_t Barrier, double Until) {
    if (Barrier < Counters.size())
      Counters[Barrier] = std::max(Counters[Barrier], Until);
  };
  if (I.Control.WriteBarrier != ControlBits::NoBarrier)
    Raise(I.Control.WriteBarrier, Now + latencyOf(I));
  Raise(I.Control.ReadBarrier, Now + SourceReadCycles);
  if (I.isNamed("BAR"))
    Now += variableLatency("BAR", Rates);
  Now += std::max<double>(1, I.Control.Stall);
}

namespace {

class WarpCoster {
public:
  WarpCoster(const KernelCode &Code, const FlowGraph &Machine, const MachineExecutions &Executions,
             const DeviceInfo &Device, const ModelRates &Rates, const GlobalLatencies &Global)
      : Code(Code), Machine(Machine), Executions(Executions), Device(Device), Rates(Rates), Global(Global) {}
  WarpCost run();

private:
  const KernelCode &Code;
  const FlowGraph &Machine;
  const MachineExecutions &Executions;
  const DeviceInfo &Device;
  const ModelRates &Rates;
  const GlobalLatencies &Global;
  WarpCost Cost;

  ArrayRef<DecodedInstruction> instructionsOf(size_t Block) const {
    const FlowBlock &B = Machine.Blocks[Block];
    return ArrayRef(Code.Instructions).slice(B.Begin, B.End - B.Begin);
  }
  double walk(ArrayRef<size_t> Blocks, unsigned Times) const;
  void addLevel(std::optional<size_t> Loop, double Iterations);
  void count(const DecodedInstruction &I, double Times);
};

} // namespace

/// Cycles of the last of \p Times walks.
double WarpCoster::walk(ArrayRef<size_t> Blocks, unsigned Times) const {
  WarpClock Clock(Rates, Global);
  double Before = 0;
  for (unsigned Round = 0; Round != Times; ++Round) {
    Before = Clock.now();
    for (size_t Block : Blocks)
      for (const DecodedInstruction &I : instructionsOf(Block))
        if (!I.isNamed("NOP"))
          Clock.step(I);
  }
  return Clock.now() - Before;
}

void WarpCoster::addLevel(std::optional<size_t> Loop, double Iterations) {
  if (Iterations <= 0)
    return;
  std::vector<size_t> Usual;
  for (size_t Block = 0; Block != Machine.Blocks.size(); ++Block) {
    double Times = Executions.OfBlock[Block];
    if (Executions.Innermost[Block] != Loop || Times <= 0)
      continue;
    if (Times >= Iterations / 2)
      Usual.push_back(Block);
    else
      Cost.Alone += Times * walk(Block, 1);
  }
  Cost.Alone += Iterations * walk(Usual, Loop && Iterations >= 2 ? 3 : 1);
}

/// Cycles a scheduler's unit takes for a warp where the SM makes \p Results a cycle.
static double cyclesOf(const DeviceInfo &Device, unsigned Results) {
  return Results ? double(Device.WarpSize) * Device.SchedulersPerSM / Results : 1;
}

void WarpCoster::count(const DecodedInstruction &I, double Times) {
  const Throughputs &Rate = Device.Throughput;
  Cost.Issue += Times;
  switch (I.Opcode->Pipe) {
  case Pipe::Fma:
    Cost.Fma += Times * cyclesOf(Device, Rate.Fp32);
    if (I.Opcode->Class == InstructionClass::IntMul)
      Cost.FmaHeavy += Times * cyclesOf(Device, Rate.IntMul);
    break;
  case Pipe::Alu:
    Cost.Alu += Times * cyclesOf(Device, Rate.Logic);
    break;
  case Pipe::Xu:
    Cost.Xu += Times * cyclesOf(Device, Rate.Special);
    break;
  case Pipe::Fp64:
    Cost.Fp64 += Times * cyclesOf(Device, Rate.Fp64);
    break;
  default:
    break;
  }
  if (I.isNamed("LDL") || I.isNamed("STL"))
    Cost.LocalBytes += Times * I.AccessBytes;
  if (I.isNamed("SHFL"))
    Cost.Shuffles += Times;
}

WarpCost WarpCoster::run() {
  addLevel(std::nullopt, 1);
  for (size_t Loop = 0; Loop != Machine.Loops.size(); ++Loop)
    addLevel(Loop, Executions.Iterations[Loop]);
  for (size_t Block = 0; Block != Machine.Blocks.size(); ++Block)
    for (const DecodedInstruction &I : instructionsOf(Block))
      if (!I.isNamed("NOP"))
        count(I, Executions.OfBlock[Block]);
  return Cost;
}

WarpCost warpCost(const KernelCode &Code, const FlowGraph &Machine, const MachineExecutions &Executions,
                  const DeviceInfo &Device, const ModelRates &Rates, const GlobalLatencies &Global) {
  return WarpCoster(Code, Machine, Executions, Device, Rates, Global).run();
}

} // namespace gpuprune
