//===- KernelEmitter.cpp - A kernel tree as clang would emit it ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Emitter.h"
#include "Records.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace gpuprune::differential {

Emitter::Emitter(const KernelTree &Tree, LLVMContext &Context)
    : Tree(Tree), M(std::make_unique<Module>("random", Context)), B(Context) {
  M->setTargetTriple(Triple("nvptx64-nvidia-cuda"));
  M->setDataLayout(M->getTargetTriple().computeDataLayout());
  TbaaRoot = MDBuilder(Context).createTBAARoot("Simple C++ TBAA");
}

void Emitter::declareKernel() {
  llvm::Type *Ptr = B.getPtrTy(), *I32 = B.getInt32Ty();
  std::vector<llvm::Type *> Types(ParameterCount, Ptr);
  Types[N] = Types[Parameter::M] = I32;
  Types[S] = B.getFloatTy();
  F = Function::Create(FunctionType::get(B.getVoidTy(), Types, false), GlobalValue::ExternalLinkage,
                       KernelName, *M);
  F->setCallingConv(CallingConv::PTX_Kernel);
  for (Attribute::AttrKind Kind : {Attribute::Convergent, Attribute::MustProgress, Attribute::NoInline,
                                   Attribute::NoRecurse, Attribute::NoUnwind})
    F->addFnAttr(Kind);
  F->addFnAttr("target-cpu", "sm_90");
  F->addFnAttr("target-features", "+ptx88,+sm_90");
  for (Argument &A : F->args()) {
    A.addAttr(Attribute::NoUndef);
    if (A.getArgNo() == Config) {
      A.addAttr(Attribute::getWithByValType(M->getContext(), structure(configLayout())));
      A.addAttr(Attribute::getWithAlignment(M->getContext(), Align(configLayout().alignment())));
      continue;
    }
    if (Tree.Restrict && A.getType() == Ptr)
      A.addAttr(Attribute::NoAlias);
  }
  B.SetInsertPoint(block("entry"));
  Return = block("return");
}

/// As clang does at the start of a function: everything has a place in memory.
void Emitter::declareVariables() {
  for (Argument &A : F->args())
    Parameters.push_back(B.CreateAlloca(A.getType()));
  for (Type T : {Type::I32, Type::I64, Type::F32, Type::F64})
    for (AllocaInst *&V : Variables[size_t(T)])
      V = B.CreateAlloca(typeOf(T));
  Local = B.CreateAlloca(ArrayType::get(B.getFloatTy(), LocalElements));
  for (Argument &A : F->args())
    if (A.getArgNo() != Config) // It lies in memory as it is.
      B.CreateStore(&A, Parameters[A.getArgNo()]);
  for (Type T : {Type::I32, Type::I64, Type::F32, Type::F64})
    for (unsigned V = 0; V < VariablesOfType; ++V)
      B.CreateStore(convert(B.getInt32(V + 1), Type::I32, T), Variables[size_t(T)][V]);
  B.CreateStore(threadOfGrid(), Variables[size_t(Type::I32)][0]);
  for (unsigned I = 0; I < LocalElements; ++I)
    B.CreateStore(ConstantFP::get(B.getFloatTy(), I),
                  element(Local, B.getFloatTy(), B.getInt32(I), LocalElements));
}

bool Emitter::uses(const std::vector<Node> &List, Op Kind, int64_t Array) const {
  return any_of(List, [&](const Node &E) {
    bool Stores = Kind == Op::StoreShared || Kind == Op::ReduceShared;
    return (E.Kind == Kind && (Stores ? E.Value % 4 : E.Value) == Array) || uses(E.Kids, Kind, Array);
  });
}

GlobalVariable *Emitter::declareShared(unsigned Array) {
  llvm::Type *Ty = Array == 2 ? B.getInt32Ty() : B.getFloatTy();
  if (Array == 1 && Tree.Form != SharedForm::Arrays && Shared[0])
    return Shared[0];
  bool Dynamic = Tree.Form == SharedForm::Dynamic;
  llvm::Type *Whole = ArrayType::get(Ty, 0);
  if (Tree.Form == SharedForm::Fields && Array != 2) {
    Whole = ArrayType::get(StructType::get(Ty, Ty), Tree.threads());
  } else if (!Dynamic) {
    llvm::Type *Row = ArrayType::get(Ty, Tree.Is2D ? Tree.Block.X : Tree.threads());
    Whole = Tree.Is2D ? ArrayType::get(Row, Tree.Block.Y) : Row;
  }
  auto *Variable = new GlobalVariable(
      *M, Whole, false, Dynamic ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage,
      Dynamic ? nullptr : UndefValue::get(Whole), "shared", nullptr, GlobalValue::NotThreadLocal, 3);
  Variable->setAlignment(Align(4));
  return Variable;
}

/// Reading what nobody wrote is undefined, so arrays in use are filled first.
void Emitter::prepareShared() {
  bool Any = false;
  for (unsigned A = 0; A < 3; ++A) {
    bool Chosen = A == 0 ? uses(Tree.Body, Op::LoadEither, 0) || uses(Tree.Body, Op::LoadEither, 1)
                         : A == 1 && uses(Tree.Body, Op::LoadEither, 0);
    if (!Chosen && !uses(Tree.Body, Op::LoadShared, A) && !uses(Tree.Body, Op::StoreShared, A) &&
        !uses(Tree.Body, Op::ReduceShared, A))
      continue;
    Shared[A] = declareShared(A);
    Value *Thread = threadOfBlock();
    store(convert(Thread, Type::I32, A == 2 ? Type::I32 : Type::F32), sharedElement(A, Thread),
          A == 2 ? "int" : "float");
    Any = true;
  }
  if (Any)
    barrier();
}

void Emitter::barrier() {
  B.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all, {}, {B.getInt32(0)});
}

void Emitter::statements(ArrayRef<Node> List) {
  for (const Node &S : List)
    statement(S);
}

void Emitter::emitIf(const Node &S) {
  BasicBlock *Then = block("if.then"), *Else = block("if.else"), *End = block("if.end");
  B.CreateCondBr(truth(S.Kids[0]), Then, Else);
  ArrayRef<Node> Inner = ArrayRef(S.Kids).drop_front();
  size_t InThen = std::min<size_t>(S.Value, Inner.size());
  B.SetInsertPoint(Then);
  statements(Inner.take_front(InThen));
  B.CreateBr(End);
  B.SetInsertPoint(Else);
  statements(Inner.drop_front(InThen));
  B.CreateBr(End);
  B.SetInsertPoint(End);
}

void Emitter::closeLoop(BasicBlock *Header) {
  Instruction *Branch = B.CreateBr(Header);
  LLVMContext &C = M->getContext();
  MDNode *Progress = MDNode::get(C, MDString::get(C, "llvm.loop.mustprogress"));
  MDNode *Id = MDNode::getDistinct(C, {nullptr, Progress});
  Id->replaceOperandWith(0, Id);
  Branch->setMetadata(LLVMContext::MD_loop, Id);
}

void Emitter::emitFor(const Node &S) {
  enum Form { Signed, Unsigned, Down, ByTwo, DoWhile };
  llvm::Type *I32 = B.getInt32Ty();
  const Node &Trips = S.Kids[0];
  Value *Count = value(Trips);
  if (Trips.Kind != Op::Constant && Trips.Kind != Op::Scalar)
    Count = B.CreateAnd(Count, 7);
  else if (Trips.Kind == Op::Scalar && Trips.Value == 0)
    Count = B.CreateAnd(Count, 15); // N is for grid strides.
  AllocaInst *Index = B.CreateAlloca(I32), *Limit = B.CreateAlloca(I32);
  Index->moveBefore(F->getEntryBlock().begin());
  Limit->moveBefore(F->getEntryBlock().begin());
  B.CreateStore(Count, Limit);
  B.CreateStore(S.Value == Down ? Count : B.getInt32(0), Index);
  BasicBlock *Header = block("for.cond"), *Body = block("for.body"), *Latch = block("for.inc"),
             *End = block("for.end");
  B.CreateBr(S.Value == DoWhile ? Body : Header);
  auto test = [&] {
    Value *I = B.CreateLoad(I32, Index);
    Value *More = S.Value == Down       ? B.CreateICmpSGT(I, B.getInt32(0))
                  : S.Value == Unsigned ? B.CreateICmpULT(I, B.CreateLoad(I32, Limit))
                                        : B.CreateICmpSLT(I, B.CreateLoad(I32, Limit));
    B.CreateCondBr(More, Body, End);
  };
  B.SetInsertPoint(Header);
  if (S.Value != DoWhile)
    test();
  B.SetInsertPoint(Body);
  Loops.push_back({Index, Latch, End});
  statements(ArrayRef(S.Kids).drop_front());
  Loops.pop_back();
  B.CreateBr(Latch);
  B.SetInsertPoint(Latch);
  Value *Next = B.CreateAdd(B.CreateLoad(I32, Index),
                            B.getInt32(S.Value == Down    ? -1
                                       : S.Value == ByTwo ? 2
                                                          : 1),
                            "", false, S.Value != Unsigned);
  B.CreateStore(Next, Index);
  closeLoop(Header);
  if (S.Value == DoWhile) {
    B.SetInsertPoint(Header);
    test();
  }
  B.SetInsertPoint(End);
}

/// for (i = thread of the grid; i < N; i += threads of the grid) Strided[i] = value;
void Emitter::emitGridStride(const Node &S) {
  llvm::Type *I32 = B.getInt32Ty();
  AllocaInst *Index = B.CreateAlloca(I32);
  Index->moveBefore(F->getEntryBlock().begin());
  B.CreateStore(threadOfGrid(), Index);
  BasicBlock *Header = block("stride.cond"), *Body = block("stride.body"), *Latch = block("stride.inc"),
             *End = block("stride.end");
  B.CreateBr(Header);
  B.SetInsertPoint(Header);
  B.CreateCondBr(B.CreateICmpSLT(B.CreateLoad(I32, Index), parameter(N)), Body, End);
  B.SetInsertPoint(Body);
  Loops.push_back({Index, Latch, End});
  statements(ArrayRef(S.Kids).drop_front());
  Value *V = value(S.Kids[0]);
  store(V, element(parameter(Strided), B.getFloatTy(), B.CreateLoad(I32, Index), StridedElements), "float");
  Loops.pop_back();
  B.CreateBr(Latch);
  B.SetInsertPoint(Latch);
  Value *Blocks = B.CreateMul(B.CreateMul(special(9), special(10)), special(11));
  Value *Threads = B.CreateMul(B.CreateMul(special(6), special(7)), special(8));
  B.CreateStore(B.CreateAdd(B.CreateLoad(I32, Index), B.CreateMul(Blocks, Threads)), Index);
  closeLoop(Header);
  B.SetInsertPoint(End);
}

void Emitter::emitStoreShared(const Node &S) {
  unsigned Array = unsigned(S.Value) % 4;
  Value *V = value(S.Kids[0]);
  Value *If = S.Kids.size() > 1 ? truth(S.Kids[1]) : nullptr;
  BasicBlock *Store = If ? block("shared.store") : nullptr, *End = If ? block("shared.end") : nullptr;
  barrier();
  if (If) {
    B.CreateCondBr(If, Store, End);
    B.SetInsertPoint(Store);
  }
  Value *Place = B.CreateXor(threadOfBlock(), unsigned(S.Value / 4) & unsigned(Tree.threads() - 1));
  store(V, sharedElement(Array, Place), Array == 2 ? "int" : "float");
  if (If) {
    B.CreateBr(End);
    B.SetInsertPoint(End);
  }
  barrier();
}

/// for (s = threads / 2; s > 0; s >>= 1) { barrier; if (t < s) a[t] += a[t + s]; } barrier;
void Emitter::emitReduceShared(const Node &S) {
  llvm::Type *I32 = B.getInt32Ty();
  AllocaInst *Half = B.CreateAlloca(I32);
  Half->moveBefore(F->getEntryBlock().begin());
  B.CreateStore(B.getInt32(unsigned(Tree.threads() / 2)), Half);
  BasicBlock *Header = block("reduce.cond"), *Body = block("reduce.body"), *Add = block("reduce.add"),
             *Latch = block("reduce.inc"), *End = block("reduce.end");
  B.CreateBr(Header);
  B.SetInsertPoint(Header);
  B.CreateCondBr(B.CreateICmpSGT(B.CreateLoad(I32, Half), B.getInt32(0)), Body, End);
  B.SetInsertPoint(Body);
  barrier();
  B.CreateCondBr(B.CreateICmpSLT(threadOfBlock(), B.CreateLoad(I32, Half)), Add, Latch);
  B.SetInsertPoint(Add);
  unsigned Array = unsigned(S.Value);
  Value *Mine = sharedElement(Array, threadOfBlock());
  Value *Other = sharedElement(Array, B.CreateAdd(threadOfBlock(), B.CreateLoad(I32, Half)));
  Value *Sum = B.CreateFAdd(load(B.getFloatTy(), Mine, "float"), load(B.getFloatTy(), Other, "float"));
  store(Sum, Mine, "float");
  B.CreateBr(Latch);
  B.SetInsertPoint(Latch);
  B.CreateStore(B.CreateAShr(B.CreateLoad(I32, Half), 1), Half);
  closeLoop(Header);
  B.SetInsertPoint(End);
  barrier();
}

static constexpr AtomicRMWInst::BinOp CountingOperations[] = {AtomicRMWInst::Add, AtomicRMWInst::Max,
                                                              AtomicRMWInst::Or, AtomicRMWInst::Xor};

/// The order of threads does not show in what these leave; each has counters of its own.
void Emitter::emitCount(const Node &S) {
  unsigned Operation = unsigned(S.Value) % 4, Each = CountsOfOperation;
  Value *Index = B.CreateAnd(value(S.Kids[0]), Each - 1), *Pointer = nullptr;
  if (GlobalVariable *OfBlock = BlockCounts[Operation])
    Pointer = element(B.CreateAddrSpaceCast(OfBlock, B.getPtrTy()), B.getInt32Ty(), Index, Each);
  else
    Pointer = element(parameter(Counts), B.getInt32Ty(), B.CreateAdd(Index, B.getInt32(Operation * Each)),
                      Counters);
  B.CreateAtomicRMW(CountingOperations[Operation], Pointer, value(S.Kids[1]), Align(4),
                    AtomicOrdering::Monotonic);
}

/// The first threads set an element each to zero.
void Emitter::prepareCounts() {
  if (!Tree.SharedCounts)
    return;
  BasicBlock *First = block("zero"), *All = block("zeroed");
  B.CreateCondBr(B.CreateICmpULT(threadOfBlock(), B.getInt32(CountsOfOperation)), First, All);
  B.SetInsertPoint(First);
  llvm::Type *Whole = ArrayType::get(B.getInt32Ty(), CountsOfOperation);
  for (auto [Operation, OfBlock] : enumerate(BlockCounts)) {
    if (!uses(Tree.Body, Op::Count, Operation))
      continue;
    OfBlock = new GlobalVariable(*M, Whole, false, GlobalValue::InternalLinkage, UndefValue::get(Whole),
                                 "counts", nullptr, GlobalValue::NotThreadLocal, 3);
    OfBlock->setAlignment(Align(4));
    Value *Generic = B.CreateAddrSpaceCast(OfBlock, B.getPtrTy());
    store(B.getInt32(0), element(Generic, B.getInt32Ty(), threadOfBlock(), CountsOfOperation), "int");
  }
  B.CreateBr(All);
  B.SetInsertPoint(All);
  barrier();
}

/// And add an element each in the end; zero, which changes no sum, only with restrict.
void Emitter::addCounts() {
  if (!Tree.SharedCounts)
    return;
  barrier();
  BasicBlock *First = block("add"), *End = block("added");
  B.CreateCondBr(B.CreateICmpULT(threadOfBlock(), B.getInt32(CountsOfOperation)), First, End);
  B.SetInsertPoint(First);
  for (auto [Operation, OfBlock] : enumerate(BlockCounts)) {
    if (!OfBlock)
      continue;
    Value *Generic = B.CreateAddrSpaceCast(OfBlock, B.getPtrTy());
    Value *Sum =
        load(B.getInt32Ty(), element(Generic, B.getInt32Ty(), threadOfBlock(), CountsOfOperation), "int");
    BasicBlock *Next = block("next");
    if (!Tree.Restrict && CountingOperations[Operation] != AtomicRMWInst::Max) {
      BasicBlock *Some = block("some");
      B.CreateCondBr(B.CreateICmpNE(Sum, B.getInt32(0)), Some, Next);
      B.SetInsertPoint(Some);
    }
    Value *Index = B.CreateAdd(threadOfBlock(), B.getInt32(unsigned(Operation) * CountsOfOperation));
    B.CreateAtomicRMW(CountingOperations[Operation],
                      element(parameter(Counts), B.getInt32Ty(), Index, Counters), Sum, Align(4),
                      AtomicOrdering::Monotonic);
    B.CreateBr(Next);
    B.SetInsertPoint(Next);
  }
  B.CreateBr(End);
  B.SetInsertPoint(End);
}

void Emitter::leaveIf(const Node &S, BasicBlock *Where) {
  BasicBlock *Stay = block("stay");
  B.CreateCondBr(truth(S.Kids[0]), Where, Stay);
  B.SetInsertPoint(Stay);
}

void Emitter::statement(const Node &S) {
  switch (S.Kind) {
  case Op::Assign:
    B.CreateStore(value(S.Kids[0]), Variables[size_t(S.Ty)][S.Value]);
    return;
  case Op::StoreOutput: {
    Value *V = value(S.Kids[0]), *Which = B.CreateAdd(value(S.Kids[1]), B.getInt32(S.Value));
    bool Float = S.Ty == Type::F32;
    return store(V, own(Float ? OutF32 : OutI32, ElementsOfThread, Which), Float ? "float" : "int");
  }
  case Op::StoreOwn: {
    Value *V = value(S.Kids[0]);
    return store(V, own(Own, 2, B.getInt32(S.Value)), "float");
  }
  case Op::StoreLocal: {
    Value *Index = value(S.Kids[0]), *V = value(S.Kids[1]);
    return store(V, element(Local, B.getFloatTy(), Index, LocalElements), "float");
  }
  case Op::Count:
    return emitCount(S);
  case Op::StoreField:
    return emitStoreField(S);
  case Op::CopyRecord:
    return emitCopyRecord(S);
  case Op::If:
  case Op::UniformIf:
    return emitIf(S);
  case Op::For:
  case Op::UniformFor:
    return emitFor(S);
  case Op::BreakIf:
    return Loops.empty() ? void() : leaveIf(S, Loops.back().Break);
  case Op::ContinueIf:
    return Loops.empty() ? void() : leaveIf(S, Loops.back().Continue);
  case Op::GridStride:
    return emitGridStride(S);
  case Op::ReturnIf:
    return leaveIf(S, Return);
  case Op::StoreShared:
    return emitStoreShared(S);
  case Op::ReduceShared:
    return emitReduceShared(S);
  default:
    llvm_unreachable("a value is no statement");
  }
}

std::unique_ptr<Module> Emitter::run() {
  declareKernel();
  declareVariables();
  // As clang marks the operations of CUDA code.
  FastMathFlags Contract;
  Contract.setAllowContract(Tree.Contract);
  B.setFastMathFlags(Contract);
  prepareShared();
  prepareCounts();
  statements(Tree.Body);
  addCounts();
  B.CreateBr(Return);
  Return->moveAfter(&F->back());
  B.SetInsertPoint(Return);
  B.CreateRetVoid();
  return std::move(M);
}

std::unique_ptr<Module> emitKernel(const KernelTree &Tree, LLVMContext &Context) {
  return Emitter(Tree, Context).run();
}

} // namespace gpuprune::differential
