//===- InlinePtx.cpp - Inline PTX as IR of this machine ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InlinePtx.h"
#include "PtxLowering.h"
#include "PtxText.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// One call of inline PTX.
class InlinePtx {
public:
  InlinePtx(CallBase &Call, ThreadAccess &Threads) : Call(Call), B(&Call), Ptx(B, Threads) {}
  Error run();

private:
  CallBase &Call;
  IRBuilder<> B;
  PtxLowering Ptx;
  StringMap<Value *> Registers; ///< By name, "$0" for an operand of the call.
  SmallVector<std::string> Outputs;

  void bindOperands(const InlineAsm &Asm);
  Error lower(const PtxStatement &Statement);
  bool lowerPlain(const PtxStatement &Statement);
  bool lowerPredicated(const PtxStatement &Statement);
  bool readAll(StringRef Operand, PtxLowering::Values &Into);
  Value *read(StringRef Operand);
  Value *readLiteral(StringRef Text);
  Value *readAddress(StringRef Text);
  Value *pack(StringRef Elements, PtxType T);
  bool write(StringRef Operand, const PtxLowering::Values &Results, PtxType T);
  void replaceCall();
};

} // namespace

/// Outputs come first in the constraints, then inputs, each with the next number.
void InlinePtx::bindOperands(const InlineAsm &Asm) {
  unsigned Number = 0, Argument = 0;
  for (const InlineAsm::ConstraintInfo &Info : Asm.ParseConstraints()) {
    if (Info.Type == InlineAsm::isClobber)
      continue;
    std::string Name = "$" + std::to_string(Number++);
    if (Info.Type == InlineAsm::isOutput)
      Outputs.push_back(Name);
    else
      Registers[Name] = Call.getArgOperand(Argument++);
    // An input tied to an output is what that register holds at first.
    if (Info.Type == InlineAsm::isInput)
      for (const std::string &Code : Info.Codes)
        if (unsigned Tied; !StringRef(Code).getAsInteger(10, Tied) && Tied < Outputs.size())
          Registers[Outputs[Tied]] = Registers[Name];
  }
}

static bool isName(StringRef Text) {
  return !Text.empty() && (isAlpha(Text.front()) || Text.front() == '_' || Text.front() == '$');
}

Value *InlinePtx::readLiteral(StringRef Text) {
  if (Text == "WARP_SZ")
    return B.getInt32(32);
  uint64_t Bits;
  if (Text.starts_with_insensitive("0f") && !Text.drop_front(2).getAsInteger(16, Bits))
    return B.getInt32(uint32_t(Bits));
  if (Text.starts_with_insensitive("0d") && !Text.drop_front(2).getAsInteger(16, Bits))
    return B.getInt64(Bits);
  StringRef Number = Text;
  Number.consume_back("U");
  int64_t Signed;
  if (!Number.getAsInteger(0, Signed))
    return B.getInt64(Signed);
  if (!Number.getAsInteger(0, Bits))
    return B.getInt64(Bits);
  double Real;
  if (!Text.getAsDouble(Real))
    return ConstantFP::get(B.getDoubleTy(), Real);
  return nullptr;
}

/// "reg", "reg+8", within brackets.
Value *InlinePtx::readAddress(StringRef Text) {
  auto [Base, Offset] = Text.split('+');
  Value *Address = read(Base.trim());
  int64_t Distance;
  if (!Address || Offset.trim().empty())
    return Address;
  if (Offset.trim().getAsInteger(0, Distance))
    return nullptr;
  Type *Word =
      B.getIntNTy(Address->getType()->isPointerTy() ? 64 : Address->getType()->getPrimitiveSizeInBits());
  return B.CreateAdd(Ptx.as(Address, Word), ConstantInt::get(Word, Distance, true));
}

Value *InlinePtx::read(StringRef Operand) {
  if (Operand.starts_with("[") && Operand.ends_with("]"))
    return readAddress(Operand.drop_front().drop_back().trim());
  if (Operand.consume_front("!")) {
    Value *V = read(Operand.trim());
    return V ? B.CreateNot(Ptx.as(V, B.getInt1Ty())) : nullptr;
  }
  if (auto It = Registers.find(Operand); It != Registers.end())
    return It->second;
  if (StringRef Special = Operand; Special.consume_front("%"))
    return Ptx.specialRegister(Special);
  return readLiteral(Operand);
}

/// One operand, or the elements of a vector.
bool InlinePtx::readAll(StringRef Operand, PtxLowering::Values &Into) {
  if (Operand.starts_with("{") && Operand.ends_with("}")) {
    for (StringRef Element : splitPtxOperands(Operand.drop_front().drop_back()))
      if (!readAll(Element, Into))
        return false;
    return true;
  }
  Into.push_back(read(Operand));
  return Into.back();
}

/// mov.b64 d, {a, b}: the first element in the lower bits.
Value *InlinePtx::pack(StringRef Elements, PtxType T) {
  PtxLowering::Values Parts;
  if (!readAll(Elements, Parts) || T.bits() % Parts.size())
    return nullptr;
  unsigned Width = T.bits() / Parts.size();
  Type *Whole = B.getIntNTy(T.bits());
  Value *Result = ConstantInt::get(Whole, 0);
  for (unsigned I = 0; I < Parts.size(); ++I)
    Result =
        B.CreateOr(Result, B.CreateShl(B.CreateZExt(Ptx.as(Parts[I], B.getIntNTy(Width)), Whole), I * Width));
  return Result;
}

/// Gives the registers of a destination "d", "d|p" or "{a, b}" their values; one
/// value for a vector is taken apart, as mov does.
bool InlinePtx::write(StringRef Operand, const PtxLowering::Values &Results, PtxType T) {
  SmallVector<StringRef, 4> Names;
  bool IsVector = Operand.starts_with("{") && Operand.ends_with("}");
  if (IsVector)
    Names = splitPtxOperands(Operand.drop_front().drop_back());
  else
    Operand.split(Names, '|');
  PtxLowering::Values Elements = Results;
  if (IsVector && Results.size() == 1 && Names.size() > 1) {
    unsigned Width = T.bits() / Names.size();
    Value *Whole = Ptx.as(Results.front(), B.getIntNTy(T.bits()));
    Elements.clear();
    for (unsigned I = 0; I < Names.size(); ++I)
      Elements.push_back(B.CreateTrunc(B.CreateLShr(Whole, I * Width), B.getIntNTy(Width)));
  }
  if (Elements.size() < Names.size())
    return false;
  for (unsigned I = 0; I < Names.size(); ++I) {
    StringRef Name = Names[I].trim();
    if (!isName(Name))
      return false;
    if (Name != "_")
      Registers[Name] = Elements[I];
  }
  return true;
}

static bool hasDestination(StringRef Opcode) {
  for (StringRef Without :
       {"st.", "red.", "bar.sync", "bar.arrive", "bar.warp", "barrier.sync", "barrier.cta.sync",
        "barrier.arrive", "barrier.cta.arrive", "barrier.cluster", "membar", "fence", "cp.async", "prefetch",
        "nanosleep", "griddepcontrol", "trap", "exit", "brkpt"})
    if (Opcode.starts_with(Without))
      return false;
  return true;
}

bool InlinePtx::lowerPlain(const PtxStatement &Statement) {
  if (StringRef(Statement.Opcode).starts_with(".reg"))
    return true; // A register is there once it is written.
  if (Statement.Opcode == ".pragma")
    return true; // For ptxas.
  ArrayRef<std::string> Operands = Statement.Operands;
  bool Writes = hasDestination(Statement.Opcode);
  if (Writes && Operands.empty())
    return false;
  PtxType T = PtxOperation(Statement.Opcode).type();
  PtxLowering::Values Sources;
  bool IsMove = StringRef(Statement.Opcode).starts_with("mov.");
  for (StringRef Operand : Operands.drop_front(Writes)) {
    if (!IsMove || !Operand.starts_with("{")) {
      if (!readAll(Operand, Sources))
        return false;
    } else if (Value *Packed = pack(Operand, T))
      Sources.push_back(Packed);
    else
      return false;
  }
  std::optional<PtxLowering::Values> Results = Ptx.lower(Statement.Opcode, Sources);
  return Results && (!Writes || write(Operands.front(), *Results, T));
}

/// The statement in a block of its own; its registers keep their values elsewhere.
bool InlinePtx::lowerPredicated(const PtxStatement &Statement) {
  Value *Condition = read(Statement.Predicate);
  if (!Condition)
    return false;
  StringMap<Value *> Before = Registers;
  BasicBlock *Head = Call.getParent();
  Instruction *Then = SplitBlockAndInsertIfThen(Ptx.as(Condition, B.getInt1Ty()), &Call, false);
  B.SetInsertPoint(Then);
  if (!lowerPlain(Statement))
    return false;
  BasicBlock *End = B.GetInsertBlock();
  B.SetInsertPoint(&Call);
  for (auto &Register : Registers) {
    Value *Old = Before.lookup(Register.first());
    if (Register.second == Old)
      continue;
    IRBuilder<> Join(&*Call.getParent()->begin());
    PHINode *Phi = Join.CreatePHI(Register.second->getType(), 2);
    IRBuilder<> Early(Head->getTerminator());
    Phi->addIncoming(Register.second, End);
    Value *Kept =
        Old ? PtxLowering(Early, Ptx.threads()).as(Old, Phi->getType()) : PoisonValue::get(Phi->getType());
    Phi->addIncoming(Kept, Head);
    Register.second = Phi;
  }
  return true;
}

Error InlinePtx::lower(const PtxStatement &Statement) {
  if (Statement.Predicate.empty() ? lowerPlain(Statement) : lowerPredicated(Statement))
    return Error::success();
  return makeError(ErrorKind::Refused, Statement.Text);
}

void InlinePtx::replaceCall() {
  Type *Result = Call.getType();
  auto Final = [&](unsigned I, Type *T) -> Value * {
    Value *V = Registers.lookup(Outputs[I]);
    return V ? Ptx.as(V, T) : PoisonValue::get(T);
  };
  if (auto *Struct = dyn_cast<StructType>(Result)) {
    Value *All = PoisonValue::get(Struct);
    for (unsigned I = 0; I < Outputs.size(); ++I)
      All = B.CreateInsertValue(All, Final(I, Struct->getElementType(I)), I);
    Call.replaceAllUsesWith(All);
  } else if (!Result->isVoidTy())
    Call.replaceAllUsesWith(Final(0, Result));
  Call.eraseFromParent();
}

Error InlinePtx::run() {
  const auto &Asm = *cast<InlineAsm>(Call.getCalledOperand());
  bindOperands(Asm);
  for (const PtxStatement &Statement : parsePtx(Asm.getAsmString()))
    if (Error E = lower(Statement))
      return E;
  replaceCall();
  return Error::success();
}

Error lowerInlinePtx(CallBase &Call, ThreadAccess &Threads) { return InlinePtx(Call, Threads).run(); }

} // namespace gpuprune
