//===- RecordEmitter.cpp - The structures of a kernel tree -------------------- ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Emitter.h"
#include "Records.h"

using namespace llvm;

namespace gpuprune::differential {

static llvm::Type *typeIn(IRBuilder<> &B, ElementType T) {
  switch (T) {
  case ElementType::F32:
    return B.getFloatTy();
  case ElementType::F64:
    return B.getDoubleTy();
  default:
    return B.getIntNTy(8 * elementBytes(T));
  }
}

static StringRef tbaaNameOf(ElementType T) {
  switch (T) {
  case ElementType::F32:
    return "float";
  case ElementType::F64:
    return "double";
  case ElementType::I64:
    return "long";
  case ElementType::I16:
    return "short";
  case ElementType::I8:
    return "char";
  default:
    return "int";
  }
}

StructType *Emitter::structure(const ElementLayout &Layout) {
  SmallVector<llvm::Type *, 8> Fields;
  for (const ElementField &Field : Layout.fields())
    Fields.push_back(typeIn(B, Field.Type));
  return StructType::get(M->getContext(), Fields);
}

Value *Emitter::fieldOf(const ElementLayout &Layout, Value *Structure, unsigned Field) {
  return B.CreateStructGEP(structure(Layout), Structure, Field);
}

/// As an expression has it: integers of 8 and 16 bits as I32.
Value *Emitter::loadFieldOf(const ElementLayout &Layout, Value *Structure, unsigned Field) {
  ElementType T = Layout.fields()[Field].Type;
  Value *V = load(typeIn(B, T), fieldOf(Layout, Structure, Field), tbaaNameOf(T));
  return V->getType()->isIntegerTy() && elementBytes(T) < 4 ? B.CreateSExt(V, B.getInt32Ty()) : V;
}

Value *Emitter::tableRecord(const Node &Index) {
  return element(parameter(Table), structure(recordLayout()), value(Index), TableElements);
}

Value *Emitter::ownRecord(Value *Which) {
  Value *Cut = B.CreateAnd(Which, RecordsOfThread - 1);
  Value *First = B.CreateMul(threadOfGrid(), B.getInt32(RecordsOfThread), "", false, Tree.SignedIndex);
  Value *Index = B.CreateAdd(First, Cut, "", false, Tree.SignedIndex);
  Value *Wide = Tree.SignedIndex ? B.CreateSExt(Index, B.getInt64Ty()) : B.CreateZExt(Index, B.getInt64Ty());
  return B.CreateInBoundsGEP(structure(recordLayout()), parameter(Records), Wide);
}

Value *Emitter::loadField(const Node &E) {
  Value *Record = E.Value >= 8 ? ownRecord(value(E.Kids[0])) : tableRecord(E.Kids[0]);
  return loadFieldOf(recordLayout(), Record, unsigned(E.Value % 8));
}

Value *Emitter::loadConfig(const Node &E) {
  return loadFieldOf(configLayout(), F->getArg(Config), unsigned(E.Value));
}

void Emitter::emitStoreField(const Node &S) {
  unsigned Field = unsigned(S.Value % 8);
  ElementType T = recordLayout().fields()[Field].Type;
  Value *V = value(S.Kids[0]);
  if (V->getType()->isIntegerTy())
    V = B.CreateTrunc(V, typeIn(B, T));
  store(V, fieldOf(recordLayout(), ownRecord(B.getInt32(unsigned(S.Value / 8))), Field), tbaaNameOf(T));
}

/// As clang assigns structures: all bytes, with those of the padding.
void Emitter::emitCopyRecord(const Node &S) {
  Value *From = tableRecord(S.Kids[0]), *To = ownRecord(B.getInt32(unsigned(S.Value)));
  Align Aligned(recordLayout().alignment());
  B.CreateMemCpy(To, Aligned, From, Aligned, recordLayout().bytes());
}

} // namespace gpuprune::differential
