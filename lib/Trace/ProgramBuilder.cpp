//===- ProgramBuilder.cpp - A kernel's needed parts as a program for warps --===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProgramBuilder.h"
#include "RegisterMap.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace gpuprune {

namespace {

class ProgramBuilder {
public:
  ProgramBuilder(const PtxKernel &Kernel, const NeededParts &Parts, const FlowGraph &Flow,
                 const TracedLaunch &Launch, const VariableAddresses &Variables,
                 std::vector<std::optional<unsigned>> &Sites)
      : Kernel(Kernel), Parts(Parts), Flow(Flow), Sites(Sites),
        Map(Kernel, Parts, Launch, Variables, Program) {}
  Expected<WarpProgram> build();

private:
  const PtxKernel &Kernel;
  const NeededParts &Parts;
  const FlowGraph &Flow;
  std::vector<std::optional<unsigned>> &Sites;
  WarpProgram Program;
  RegisterMap Map;
  std::optional<unsigned> Number; ///< Of the present block.

  Error addBlock(size_t Index);
  Error addTerminator(size_t Index, const TracedInstruction &I);
  Error addInstruction(uint32_t Place);
  Error addAccesses(uint32_t Place);
  void addCopied(TraceAccess &A, SmallVectorImpl<uint32_t> &Copied);
  Error addValues(const TracedInstruction &I, TraceAccess &A);
  Error addParameters(uint32_t Place);
  Error addCompute(const TracedInstruction &I);
  Error addShuffle(const TracedInstruction &I);
  Error addBarrier(const TracedInstruction &I, uint32_t Place);
  TraceStep stepOf(const TracedInstruction &I, TraceStep::Form Form);
  Expected<uint32_t> placeOf(const PtxOperand &Operand, const TracedInstruction &I);
  void addLoops();
  uint32_t newSite() {
    Sites.push_back(Number);
    return uint32_t(Sites.size() - 1);
  }
};

} // namespace

Expected<uint32_t> ProgramBuilder::placeOf(const PtxOperand &Operand, const TracedInstruction &I) {
  if (std::optional<uint32_t> At = Map.place(Operand))
    return *At;
  return makeError(ErrorKind::Refused, "'" + Operand.Name + "' is not traced ('" + I.Mnemonic + "')");
}

TraceStep ProgramBuilder::stepOf(const TracedInstruction &I, TraceStep::Form Form) {
  TraceStep Step;
  Step.Is = Form;
  if (I.Guard) {
    Step.Guard = Map.place(*I.Guard);
    Step.IsGuardInverted = I.IsGuardInverted;
  }
  return Step;
}

/// What a copy loads, and then stores.
void ProgramBuilder::addCopied(TraceAccess &A, SmallVectorImpl<uint32_t> &Copied) {
  if (A.ElementBytes > sizeof(uint64_t)) {
    A.Elements = A.ElementBytes / unsigned(sizeof(uint64_t));
    A.ElementBytes = sizeof(uint64_t);
  }
  while (Copied.size() < A.Elements)
    Copied.push_back(Map.temporary());
  A.Values.assign(Copied.begin(), Copied.end());
}

Error ProgramBuilder::addValues(const TracedInstruction &I, TraceAccess &A) {
  for (uint32_t Result : I.Results) {
    uint32_t At = Result == TracedInstruction::Unused ? Map.temporary() : Map.place(Result);
    if (A.Kind == AccessKind::Atomic)
      A.Results.push_back(At);
    else
      A.Values.push_back(At);
  }
  for (const PtxOperand &Operand : I.Operands) {
    Expected<uint32_t> Value = placeOf(Operand, I);
    if (!Value)
      return Value.takeError();
    A.Values.push_back(*Value);
  }
  return Error::success();
}

Error ProgramBuilder::addAccesses(uint32_t Place) {
  const TracedInstruction &I = Kernel.Instructions[Place];
  SmallVector<uint32_t, 4> Copied; ///< What a copy has loaded.
  for (auto [Index, Form] : enumerate(Parts.Accesses[Place])) {
    TraceAccess A = Form;
    A.IsRecorded = A.Space != PtxSpace::Local && A.Space != PtxSpace::Parameter;
    A.Moves = Parts.Moves.test(Place);
    if (!A.IsRecorded && !A.Moves)
      continue;
    // A copy names where it writes first and reads first.
    const PtxAddress &At = I.Addresses.size() == 2 ? I.Addresses[1 - Index] : I.Addresses.front();
    Expected<uint32_t> Base = placeOf(At.Base, I);
    if (!Base)
      return Base.takeError();
    A.Base = *Base;
    A.Offset = At.Offset;
    A.Site = newSite();
    if (A.Moves && I.Addresses.size() == 2)
      addCopied(A, Copied);
    else if (Error E = A.Moves ? addValues(I, A) : Error::success())
      return E;
    Program.TakesTurns |= A.Moves && A.Kind != AccessKind::Load && A.Space != PtxSpace::Local;
    TraceStep Step = stepOf(I, TraceStep::Form::Access);
    Step.Access = uint32_t(Program.Accesses.size());
    Program.Accesses.push_back(std::move(A));
    Program.Steps.push_back(Step);
  }
  return Error::success();
}

/// Results that other instructions write, too; those that do not are constants.
Error ProgramBuilder::addParameters(uint32_t Place) {
  const TracedInstruction &I = Kernel.Instructions[Place];
  if (!Parts.Computes.test(Place))
    return Error::success();
  for (auto [Element, Result] : enumerate(I.Results)) {
    if (Result == TracedInstruction::Unused || Map.isConstant(Result))
      continue;
    std::optional<uint64_t> Value = Map.parameter(I, Parts.Accesses[Place].front(), unsigned(Element));
    if (!Value) // An index into a structure.
      return addAccesses(Place);
    TraceStep Step = stepOf(I, TraceStep::Form::Compute);
    Step.Function = findOperation("mov.b64");
    Step.Out = Map.place(Result);
    Step.In[0] = Map.constant(*Value);
    Program.Steps.push_back(Step);
  }
  return Error::success();
}

Error ProgramBuilder::addCompute(const TracedInstruction &I) {
  if (I.Results.size() == 1 && I.Results.front() != TracedInstruction::Unused &&
      Map.isConstant(I.Results.front()))
    return Error::success();
  TraceStep Step = stepOf(I, TraceStep::Form::Compute);
  unsigned Bits = I.Mnemonic == "mov.b64" ? 32 : I.Mnemonic == "mov.b32" ? 16 : 0;
  if (I.Results.size() == 2 && Bits && I.Operands.size() == 1) {
    Step.Is = TraceStep::Form::Split;
    Step.Mode = Bits;
    Step.Out = I.Results[0] == TracedInstruction::Unused ? Map.temporary() : Map.place(I.Results[0]);
    Step.In[1] = I.Results[1] == TracedInstruction::Unused ? Map.temporary() : Map.place(I.Results[1]);
  } else if (I.Results.size() == 1 && Bits && I.Operands.size() == 2) {
    Step.Is = TraceStep::Form::Join;
    Step.Mode = Bits;
    Step.Out = Map.place(I.Results[0]);
  } else {
    Step.Function = findOperation(I.Mnemonic);
    if (!Step.Function || I.Results.size() != 1 || I.Operands.empty() || I.Operands.size() > 3)
      return notTraced(I);
    Step.Out = Map.place(I.Results[0]);
  }
  for (auto [Index, Operand] : enumerate(I.Operands)) {
    Expected<uint32_t> At = placeOf(Operand, I);
    if (!At)
      return At.takeError();
    Step.In[Index] = *At;
  }
  Program.Steps.push_back(Step);
  return Error::success();
}

Error ProgramBuilder::addShuffle(const TracedInstruction &I) {
  std::optional<uint32_t> Mode = StringSwitch<std::optional<uint32_t>>(I.Mnemonic)
                                     .Case("shfl.sync.idx.b32", 0)
                                     .Case("shfl.sync.up.b32", 1)
                                     .Case("shfl.sync.down.b32", 2)
                                     .Case("shfl.sync.bfly.b32", 3)
                                     .Default(std::nullopt);
  if (!Mode || I.Results.size() != 1 || I.Operands.size() != 4)
    return notTraced(I);
  TraceStep Step = stepOf(I, TraceStep::Form::Shuffle);
  Step.Mode = *Mode;
  Step.Out = Map.place(I.Results[0]);
  for (unsigned Index = 0; Index != 3; ++Index) {
    Expected<uint32_t> At = placeOf(I.Operands[Index], I);
    if (!At)
      return At.takeError();
    Step.In[Index] = *At;
  }
  Program.Steps.push_back(Step);
  return Error::success();
}

static std::optional<BarrierResult> barrierResult(StringRef Mnemonic) {
  return StringSwitch<std::optional<BarrierResult>>(Mnemonic)
      .Cases({"bar.red.and.pred", "barrier.cta.red.and.pred", "barrier.cta.red.aligned.and.pred"},
             BarrierResult::All)
      .Cases({"bar.red.or.pred", "barrier.cta.red.or.pred", "barrier.cta.red.aligned.or.pred"},
             BarrierResult::Any)
      .Cases({"bar.red.popc.u32", "barrier.cta.red.popc.u32", "barrier.cta.red.aligned.popc.u32"},
             BarrierResult::Count)
      .Default(std::nullopt);
}

Error ProgramBuilder::addBarrier(const TracedInstruction &I, uint32_t Place) {
  TraceStep Step = stepOf(I, TraceStep::Form::Barrier);
  if (Parts.Computes.test(Place)) {
    std::optional<BarrierResult> Result = barrierResult(I.Mnemonic);
    // "bar.red.and.pred %p1, 0, %p2": of all threads.
    if (!Result || I.Results.size() != 1 || I.Operands.size() != 2)
      return notTraced(I);
    Expected<uint32_t> At = placeOf(I.Operands.back(), I);
    if (!At)
      return At.takeError();
    Step.Mode = uint32_t(*Result);
    Step.Out = Map.place(I.Results.front());
    Step.In[0] = *At;
    Program.TakesTurns = true;
  }
  Program.Steps.push_back(Step);
  return Error::success();
}

Error ProgramBuilder::addInstruction(uint32_t Place) {
  const TracedInstruction &I = Kernel.Instructions[Place];
  StringRef Stem = I.stem();
  if (Stem == "call" || Stem == "brx")
    return notTraced(I);
  if (!Parts.Accesses[Place].empty())
    return Parts.Accesses[Place].front().Space == PtxSpace::Parameter ? addParameters(Place)
                                                                      : addAccesses(Place);
  if ((Stem == "bar" || Stem == "barrier") && !I.Mnemonic.starts_with("bar.warp"))
    return addBarrier(I, Place);
  if (!Parts.Computes.test(Place))
    return Error::success();
  return Stem == "shfl" ? addShuffle(I) : addCompute(I);
}

Error ProgramBuilder::addTerminator(size_t Index, const TracedInstruction &I) {
  TraceBlock &Block = Program.Blocks[Index];
  const std::vector<size_t> &After = Flow.Blocks[Index].Successors;
  if (I.Guard) {
    Block.Condition = Map.place(*I.Guard);
    Block.IsInverted = I.IsGuardInverted;
    Block.Next = uint32_t(Index + 1);
    Block.Site = newSite();
  }
  if (I.stem() == "bra")
    Block.Taken = uint32_t(I.Guard && After.front() == Index + 1 ? After.back() : After.front());
  return Error::success();
}

Error ProgramBuilder::addBlock(size_t Index) {
  const FlowBlock &Of = Flow.Blocks[Index];
  if (Of.Number)
    Number = Of.Number;
  Program.Blocks[Index].Begin = uint32_t(Program.Steps.size());
  bool HasTerminator = false;
  for (size_t Place = Of.Begin; Place != Of.End; ++Place) {
    const TracedInstruction &I = Kernel.Instructions[Place];
    StringRef Stem = I.stem();
    HasTerminator = Stem == "bra" || Stem == "ret" || Stem == "exit" || Stem == "trap";
    if (Error E = HasTerminator ? addTerminator(Index, I) : addInstruction(uint32_t(Place)))
      return E;
  }
  Program.Blocks[Index].End = uint32_t(Program.Steps.size());
  if (!HasTerminator && !Of.Successors.empty())
    Program.Blocks[Index].Next = uint32_t(Of.Successors.front());
  return Error::success();
}

void ProgramBuilder::addLoops() {
  for (const FlowLoop &L : Flow.Loops) {
    TraceLoop &Loop = Program.Loops.emplace_back();
    Loop.Header = uint32_t(L.Header);
    Loop.Contains.resize(Flow.Blocks.size());
    for (size_t Block : L.Blocks)
      Loop.Contains[Block] = true;
    // Mostly there is one exit, at the end.
    for (size_t Block : reverse(L.Blocks))
      for (size_t To : Flow.Blocks[Block].Successors)
        if (!Loop.Contains[To] && !Loop.Exit)
          Loop.Exit = uint32_t(To);
    Program.Blocks[L.Header].Loop = uint32_t(Program.Loops.size() - 1);
  }
}

Expected<WarpProgram> ProgramBuilder::build() {
  if (!Flow.IsComplete)
    return makeError(ErrorKind::Refused, "branches to places that are computed are not traced");
  Program.Blocks.resize(Flow.Blocks.size());
  for (size_t Index = 0; Index != Flow.Blocks.size(); ++Index)
    if (Error E = addBlock(Index))
      return std::move(E);
  for (auto [Block, Meeting] : zip_equal(Program.Blocks, meetingBlocks(Flow)))
    if (Meeting)
      Block.Meeting = uint32_t(*Meeting);
  addLoops();
  return std::move(Program);
}

Expected<WarpProgram> buildProgram(const PtxKernel &Kernel, const NeededParts &Parts, const FlowGraph &Flow,
                                   const TracedLaunch &Launch, const VariableAddresses &Variables,
                                   std::vector<std::optional<unsigned>> &Sites) {
  return ProgramBuilder(Kernel, Parts, Flow, Launch, Variables, Sites).build();
}

} // namespace gpuprune
