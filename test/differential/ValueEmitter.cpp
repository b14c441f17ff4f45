//===- ValueEmitter.cpp - The expressions and addresses of a kernel tree ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Emitter.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace gpuprune::differential {

llvm::Type *Emitter::typeOf(Type T) {
  switch (T) {
  case Type::I32:
    return B.getInt32Ty();
  case Type::I64:
    return B.getInt64Ty();
  case Type::F32:
    return B.getFloatTy();
  case Type::F64:
    return B.getDoubleTy();
  }
  llvm_unreachable("every type is covered");
}

MDNode *Emitter::tbaa(StringRef Name) {
  MDBuilder Builder(M->getContext());
  MDNode *Char = Builder.createTBAAScalarTypeNode("omnipotent char", TbaaRoot);
  MDNode *Scalar = Name == "char" ? Char : Builder.createTBAAScalarTypeNode(Name, Char);
  return Builder.createTBAAStructTagNode(Scalar, Scalar, 0);
}

Value *Emitter::load(llvm::Type *Ty, Value *Pointer, StringRef Tbaa) {
  LoadInst *L = B.CreateLoad(Ty, Pointer);
  L->setMetadata(LLVMContext::MD_tbaa, tbaa(Tbaa));
  return L;
}

void Emitter::store(Value *V, Value *Pointer, StringRef Tbaa) {
  B.CreateStore(V, Pointer)->setMetadata(LLVMContext::MD_tbaa, tbaa(Tbaa));
}

Value *Emitter::parameter(Parameter P) { return B.CreateLoad(F->getArg(P)->getType(), Parameters[P]); }

Value *Emitter::special(int64_t Which) {
  static constexpr Intrinsic::ID Registers[] = {
      Intrinsic::nvvm_read_ptx_sreg_tid_x,    Intrinsic::nvvm_read_ptx_sreg_tid_y,
      Intrinsic::nvvm_read_ptx_sreg_tid_z,    Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
      Intrinsic::nvvm_read_ptx_sreg_ctaid_y,  Intrinsic::nvvm_read_ptx_sreg_ctaid_z,
      Intrinsic::nvvm_read_ptx_sreg_ntid_x,   Intrinsic::nvvm_read_ptx_sreg_ntid_y,
      Intrinsic::nvvm_read_ptx_sreg_ntid_z,   Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
      Intrinsic::nvvm_read_ptx_sreg_nctaid_y, Intrinsic::nvvm_read_ptx_sreg_nctaid_z};
  if (Which == 13)
    return B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size, ArrayRef<Value *>());
  return Which == 12 ? threadOfGrid() : B.CreateIntrinsic(Registers[Which], ArrayRef<Value *>());
}

Value *Emitter::threadOfBlock() {
  Value *Plane = B.CreateAdd(B.CreateMul(special(2), special(7)), special(1));
  return B.CreateAdd(B.CreateMul(Plane, special(6)), special(0));
}

Value *Emitter::threadOfGrid() {
  // One dimension reads as everybody writes it.
  if (Tree.Grid.Y == 1 && Tree.Grid.Z == 1 && Tree.Block.Y == 1 && Tree.Block.Z == 1)
    return B.CreateAdd(B.CreateMul(special(3), special(6)), special(0));
  Value *Block = B.CreateAdd(
      B.CreateMul(B.CreateAdd(B.CreateMul(special(5), special(10)), special(4)), special(9)), special(3));
  Value *Threads = B.CreateMul(B.CreateMul(special(6), special(7)), special(8));
  return B.CreateAdd(B.CreateMul(Block, Threads), threadOfBlock());
}

Value *Emitter::element(Value *Array, llvm::Type *Ty, Value *Index, unsigned Count) {
  Value *Cut = B.CreateAnd(Index, Count - 1);
  return B.CreateInBoundsGEP(
      Ty, Array, Tree.SignedIndex ? B.CreateSExt(Cut, B.getInt64Ty()) : B.CreateZExt(Cut, B.getInt64Ty()));
}

/// Element \p Which of the \p Each that a thread has in \p Buffer.
Value *Emitter::own(Parameter Buffer, unsigned Each, Value *Which) {
  Value *Cut = B.CreateAnd(Which, Each - 1);
  Value *Index = B.CreateAdd(B.CreateMul(threadOfGrid(), B.getInt32(Each), "", false, Tree.SignedIndex), Cut,
                             "", false, Tree.SignedIndex);
  llvm::Type *Ty = Buffer == OutI32 ? B.getInt32Ty() : B.getFloatTy();
  Value *Wide = Tree.SignedIndex ? B.CreateSExt(Index, B.getInt64Ty()) : B.CreateZExt(Index, B.getInt64Ty());
  return B.CreateInBoundsGEP(Ty, parameter(Buffer), Wide);
}

Value *Emitter::sharedElement(unsigned Array, Value *Index) {
  GlobalVariable *G = Shared[Array];
  Value *Generic = B.CreateAddrSpaceCast(G, B.getPtrTy());
  Value *Cut = B.CreateAnd(Index, unsigned(Tree.threads() - 1));
  Value *Zero = B.getInt64(0);
  if (Tree.Form == SharedForm::Dynamic)
    return B.CreateInBoundsGEP(
        Array == 2 ? B.getInt32Ty() : B.getFloatTy(), Generic,
        B.CreateZExt(B.CreateAdd(Cut, B.getInt32(Array * Tree.threads())), B.getInt64Ty()));
  if (Tree.Form == SharedForm::Fields && Array != 2)
    return B.CreateInBoundsGEP(G->getValueType(), Generic,
                               {Zero, B.CreateZExt(Cut, B.getInt64Ty()), B.getInt32(Array)});
  if (!Tree.Is2D)
    return B.CreateInBoundsGEP(G->getValueType(), Generic, {Zero, B.CreateZExt(Cut, B.getInt64Ty())});
  Value *Row = B.CreateUDiv(Cut, B.getInt32(Tree.Block.X)),
        *Column = B.CreateURem(Cut, B.getInt32(Tree.Block.X));
  return B.CreateInBoundsGEP(G->getValueType(), Generic,
                             {Zero, B.CreateZExt(Row, B.getInt64Ty()), B.CreateZExt(Column, B.getInt64Ty())});
}

Value *Emitter::convert(Value *V, Type From, Type To) {
  llvm::Type *Ty = typeOf(To);
  if (From == To)
    return V;
  if (!isFloat(From))
    return isFloat(To) ? B.CreateSIToFP(V, Ty) : B.CreateSExtOrTrunc(V, Ty);
  if (isFloat(To))
    return B.CreateFPCast(V, Ty);
  // The plain conversion is undefined outside of the integer's range.
  return B.CreateIntrinsic(Intrinsic::fptosi_sat, {Ty, V->getType()}, {V});
}

Value *Emitter::binary(const Node &E) {
  Value *L = value(E.Kids[0]), *R = value(E.Kids[1]);
  unsigned Bits = E.Ty == Type::I64 ? 64 : 32;
  auto Nonzero = [&](Value *V) { return B.CreateOr(V, ConstantInt::get(V->getType(), 1)); };
  auto Amount = [&](Value *V) { return B.CreateAnd(V, ConstantInt::get(V->getType(), Bits - 1)); };
  if (isFloat(E.Ty))
    switch (E.Value) {
    case 0:
      return B.CreateFAdd(L, R);
    case 1:
      return B.CreateFSub(L, R);
    case 2:
      return B.CreateFMul(L, R);
    case 3:
      return B.CreateFDiv(L, R);
    case 4: // minnum may take either zero, so as written in C.
      return B.CreateSelect(B.CreateFCmpOLT(L, R), L, R);
    default:
      return B.CreateSelect(B.CreateFCmpOGT(L, R), L, R);
    }
  switch (E.Value) {
  case 0:
    return B.CreateAdd(L, R);
  case 1:
    return B.CreateSub(L, R);
  case 2:
    return B.CreateMul(L, R);
  case 3:
    return B.CreateAnd(L, R);
  case 4:
    return B.CreateOr(L, R);
  case 5:
    return B.CreateXor(L, R);
  case 6:
    return B.CreateShl(L, Amount(R));
  case 7:
    return B.CreateLShr(L, Amount(R));
  case 8:
    return B.CreateAShr(L, Amount(R));
  case 9:
    return B.CreateUDiv(L, Nonzero(R));
  case 10:
    return B.CreateURem(L, Nonzero(R));
  case 11:
    return B.CreateBinaryIntrinsic(Intrinsic::smin, L, R);
  default:
    return B.CreateBinaryIntrinsic(Intrinsic::smax, L, R);
  }
}

Value *Emitter::unary(const Node &E) {
  Value *V = value(E.Kids[0]);
  if (isFloat(E.Ty))
    switch (E.Value) {
    case 0:
      return B.CreateFNeg(V);
    case 1:
      return B.CreateUnaryIntrinsic(Intrinsic::fabs, V);
    case 2:
      return B.CreateUnaryIntrinsic(Intrinsic::sqrt, B.CreateUnaryIntrinsic(Intrinsic::fabs, V));
    default:
      return B.CreateUnaryIntrinsic(Intrinsic::floor, V);
    }
  switch (E.Value) {
  case 0:
    return B.CreateNeg(V);
  case 1:
    return B.CreateNot(V);
  case 2:
    return B.CreateBinaryIntrinsic(Intrinsic::abs, V, B.getFalse());
  default:
    return B.CreateUnaryIntrinsic(Intrinsic::ctpop, V);
  }
}

Value *Emitter::compare(const Node &E) {
  static constexpr CmpInst::Predicate Integers[] = {CmpInst::ICMP_EQ,  CmpInst::ICMP_NE,  CmpInst::ICMP_SLT,
                                                    CmpInst::ICMP_SGT, CmpInst::ICMP_ULT, CmpInst::ICMP_SGE};
  static constexpr CmpInst::Predicate Floats[] = {CmpInst::FCMP_OEQ, CmpInst::FCMP_UNE, CmpInst::FCMP_OLT,
                                                  CmpInst::FCMP_OGT, CmpInst::FCMP_OLE, CmpInst::FCMP_OGE};
  Value *L = value(E.Kids[0]), *R = value(E.Kids[1]);
  CmpInst::Predicate P = isFloat(E.Kids[0].Ty) ? Floats[E.Value] : Integers[E.Value];
  return B.CreateZExt(B.CreateCmp(P, L, R), B.getInt32Ty());
}

Value *Emitter::loadInput(const Node &E) {
  static constexpr Parameter Buffers[] = {InI32, InI64, InF32, InF64};
  llvm::Type *Ty = typeOf(E.Ty);
  Value *Pointer = element(parameter(Buffers[size_t(E.Ty)]), Ty, value(E.Kids[0]), InputElements);
  LoadInst *L = B.CreateLoad(Ty, Pointer);
  L->setMetadata(LLVMContext::MD_tbaa, tbaa(E.Ty));
  return L;
}

/// The pointer is chosen before it goes on: what it goes on by is one step for both.
Value *Emitter::loadEither(const Node &E) {
  Value *First = truth(E.Kids[0]), *Index = value(E.Kids[1]);
  if (Tree.Is2D || Tree.Form == SharedForm::Fields) {
    Value *Other = E.Value == 0 ? sharedElement(1, Index)
                                : element(parameter(InF32), B.getFloatTy(), Index, InputElements);
    return load(B.getFloatTy(), B.CreateSelect(First, sharedElement(0, Index), Other), "float");
  }
  Value *Other = E.Value == 0 ? sharedElement(1, B.getInt32(0)) : parameter(InF32);
  Value *Chosen = B.CreateSelect(First, sharedElement(0, B.getInt32(0)), Other);
  return load(B.getFloatTy(), element(Chosen, B.getFloatTy(), Index, unsigned(Tree.threads())), "float");
}

Value *Emitter::shuffle(const Node &E) {
  static constexpr Intrinsic::ID Ids[2][4] = {
      {Intrinsic::nvvm_shfl_sync_idx_i32, Intrinsic::nvvm_shfl_sync_up_i32,
       Intrinsic::nvvm_shfl_sync_down_i32, Intrinsic::nvvm_shfl_sync_bfly_i32},
      {Intrinsic::nvvm_shfl_sync_idx_f32, Intrinsic::nvvm_shfl_sync_up_f32,
       Intrinsic::nvvm_shfl_sync_down_f32, Intrinsic::nvvm_shfl_sync_bfly_f32}};
  unsigned Mode = E.Value % 4, Lane = unsigned(E.Value / 4) % 32;
  Value *V = value(E.Kids[0]);
  return B.CreateIntrinsic(Ids[isFloat(E.Ty)][Mode], {},
                           {B.getInt32(~0u), V, B.getInt32(Lane), B.getInt32(Mode == 1 ? 0 : 31)});
}

Value *Emitter::reduceBlock(const Node &E) {
  static constexpr Intrinsic::ID Ids[] = {Intrinsic::nvvm_barrier_cta_red_and_aligned_all,
                                          Intrinsic::nvvm_barrier_cta_red_or_aligned_all,
                                          Intrinsic::nvvm_barrier_cta_red_popc_aligned_all};
  Value *Reduced = B.CreateIntrinsic(Ids[E.Value], {}, {B.getInt32(0), truth(E.Kids[0])});
  return B.CreateZExt(Reduced, B.getInt32Ty());
}

Value *Emitter::value(const Node &E) {
  llvm::Type *Ty = typeOf(E.Ty);
  switch (E.Kind) {
  case Op::Constant:
    return isFloat(E.Ty) ? ConstantFP::get(Ty, double(E.Value) / 16) : ConstantInt::getSigned(Ty, E.Value);
  case Op::Special:
    return special(E.Value);
  case Op::Scalar:
    return parameter(E.Ty == Type::F32 ? S : E.Value == 0 ? N : Parameter::M);
  case Op::LoopIndex:
    if (Loops.empty())
      return B.getInt32(0);
    return B.CreateLoad(B.getInt32Ty(), Loops[size_t(E.Value) % Loops.size()].Index);
  case Op::Variable:
    return B.CreateLoad(Ty, Variables[size_t(E.Ty)][E.Value]);
  case Op::Binary:
    return binary(E);
  case Op::Unary:
    return unary(E);
  case Op::Compare:
    return compare(E);
  case Op::Select: {
    Value *If = truth(E.Kids[0]), *Then = value(E.Kids[1]);
    return B.CreateSelect(If, Then, value(E.Kids[2]));
  }
  case Op::Convert:
    return convert(value(E.Kids[0]), E.Kids[0].Ty, E.Ty);
  case Op::LoadInput:
    return loadInput(E);
  case Op::LoadNarrow: {
    Value *Pointer = element(parameter(InI8), B.getInt8Ty(), value(E.Kids[0]), InputElements);
    return B.CreateSExt(load(B.getInt8Ty(), Pointer, "char"), Ty);
  }
  case Op::LoadShared:
    return load(Ty, sharedElement(unsigned(E.Value), value(E.Kids[0])), E.Value == 2 ? "int" : "float");
  case Op::LoadEither:
    return loadEither(E);
  case Op::LoadLocal:
    return load(Ty, element(Local, Ty, value(E.Kids[0]), LocalElements), "float");
  case Op::LoadOwn:
    return load(Ty, own(Own, 2, B.getInt32(E.Value)), "float");
  case Op::LoadField:
    return loadField(E);
  case Op::LoadConfig:
    return loadConfig(E);
  case Op::Shuffle:
    return shuffle(E);
  case Op::Ballot:
    return B.CreateIntrinsic(Intrinsic::nvvm_vote_ballot_sync, {}, {B.getInt32(~0u), truth(E.Kids[0])});
  case Op::ReduceBlock:
    return reduceBlock(E);
  default:
    llvm_unreachable("a statement is no value");
  }
}

} // namespace gpuprune::differential
