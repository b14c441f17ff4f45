//===- Emitter.h - One kernel on its way to IR ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_DIFFERENTIAL_EMITTER_H
#define GPUPRUNE_TEST_DIFFERENTIAL_EMITTER_H

#include "KernelEmitter.h"
#include "gpuprune/Support/ElementLayout.h"
#include "llvm/IR/IRBuilder.h"

namespace gpuprune::differential {

using llvm::AllocaInst;
using llvm::BasicBlock;
using llvm::Function;
using llvm::GlobalVariable;
using llvm::MDNode;
using llvm::StringRef;
using llvm::Value;

class Emitter {
public:
  Emitter(const KernelTree &Tree, llvm::LLVMContext &Context);
  std::unique_ptr<llvm::Module> run();

private:
  struct LoopFrame {
    AllocaInst *Index;
    BasicBlock *Continue, *Break;
  };

  const KernelTree &Tree;
  std::unique_ptr<llvm::Module> M;
  llvm::IRBuilder<> B;
  Function *F = nullptr;
  BasicBlock *Return = nullptr;
  std::vector<AllocaInst *> Parameters;
  AllocaInst *Variables[4][VariablesOfType] = {};
  AllocaInst *Local = nullptr;
  GlobalVariable *Shared[3] = {}; ///< 0 and 1 are one where they are fields or dynamic.
  static constexpr unsigned CountsOfOperation = Counters / 4;
  GlobalVariable *BlockCounts[4] = {}; ///< One an operation, where the block counts first.
  std::vector<LoopFrame> Loops;
  MDNode *TbaaRoot = nullptr;

  llvm::Type *typeOf(Type T);
  MDNode *tbaa(StringRef Name);
  MDNode *tbaa(Type T) {
    return tbaa(T == Type::F32 ? "float" : T == Type::F64 ? "double" : T == Type::I32 ? "int" : "long");
  }
  Value *load(llvm::Type *Ty, Value *Pointer, StringRef Tbaa);
  void store(Value *V, Value *Pointer, StringRef Tbaa);
  BasicBlock *block(StringRef Name) { return BasicBlock::Create(M->getContext(), Name, F); }

  void declareKernel();
  void declareVariables();
  void prepareShared();
  void prepareCounts();
  void addCounts();
  bool uses(const std::vector<Node> &List, Op Kind, int64_t Array) const;

  Value *parameter(Parameter P);
  Value *special(int64_t Which);
  Value *threadOfBlock();
  Value *threadOfGrid();
  Value *own(Parameter Buffer, unsigned Each, Value *Which);
  llvm::StructType *structure(const ElementLayout &Layout);
  Value *fieldOf(const ElementLayout &Layout, Value *Structure, unsigned Field);
  Value *loadFieldOf(const ElementLayout &Layout, Value *Structure, unsigned Field);
  Value *tableRecord(const Node &Index);
  Value *ownRecord(Value *Which);
  Value *element(Value *Array, llvm::Type *Ty, Value *Index, unsigned Count);
  GlobalVariable *declareShared(unsigned Array);
  Value *loadEither(const Node &E);
  Value *sharedElement(unsigned Array, Value *Index);

  Value *value(const Node &E);
  Value *truth(const Node &E) { return B.CreateICmpNE(value(E), B.getInt32(0), "tobool"); }
  Value *binary(const Node &E);
  Value *unary(const Node &E);
  Value *compare(const Node &E);
  Value *convert(Value *V, Type From, Type To);
  Value *loadInput(const Node &E);
  Value *loadField(const Node &E);
  Value *loadConfig(const Node &E);
  Value *shuffle(const Node &E);
  Value *reduceBlock(const Node &E);

  void barrier();
  void statements(llvm::ArrayRef<Node> List);
  void statement(const Node &S);
  void emitIf(const Node &S);
  void emitFor(const Node &S);
  void emitGridStride(const Node &S);
  void emitStoreShared(const Node &S);
  void emitReduceShared(const Node &S);
  void emitCount(const Node &S);
  void emitStoreField(const Node &S);
  void emitCopyRecord(const Node &S);
  void leaveIf(const Node &S, BasicBlock *Where);
  void closeLoop(BasicBlock *Header);
};

} // namespace gpuprune::differential

#endif // GPUPRUNE_TEST_DIFFERENTIAL_EMITTER_H
