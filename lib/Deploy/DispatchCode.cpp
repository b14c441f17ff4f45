//===- DispatchCode.cpp - The code in the host that chooses a kernel -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DispatchCode.h"
#include "DispatchBitcode.h"
#include "dispatch/Dispatch.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gpuprune {

/// \p Name, or one like it that \p M has no use for: the program may have that of its own.
static std::string unusedName(const Module &M, StringRef Name) {
  std::string Unused = Name.str();
  while (M.getNamedValue(Unused))
    Unused += ".own";
  return Unused;
}

static constexpr StringLiteral EntryPoints[] = {"gpuprune_launch", "gpuprune_launch_config",
                                                "gpuprune_set_attribute"};

/// Adds the code to \p M. The names that its entry points have there.
static Expected<std::vector<std::string>> addBitcode(Module &M) {
  StringRef Bitcode(reinterpret_cast<const char *>(DispatchBitcode), sizeof(DispatchBitcode));
  Expected<std::unique_ptr<Module>> Code =
      parseBitcodeFile(MemoryBufferRef(Bitcode, "dispatch"), M.getContext());
  if (!Code)
    return makeError(ErrorKind::Internal, toString(Code.takeError()));
  if (M.getTargetTriple().getArch() != (*Code)->getTargetTriple().getArch() ||
      M.getTargetTriple().getOS() != (*Code)->getTargetTriple().getOS() ||
      M.getDataLayout() != (*Code)->getDataLayout())
    return makeError(ErrorKind::Input, "this gpuprune launches kernels from programs for " +
                                           (*Code)->getTargetTriple().str() + ", not for " +
                                           M.getTargetTriple().str());
  for (NamedMDNode &Table : make_early_inc_range((*Code)->named_metadata()))
    Table.eraseFromParent();
  (*Code)->setTargetTriple(M.getTargetTriple());
  for (GlobalObject &G : (*Code)->global_objects())
    G.setComdat(nullptr);
  std::vector<std::string> Names;
  for (StringRef Name : EntryPoints) {
    Names.push_back(unusedName(M, Name));
    (*Code)->getFunction(Name)->setName(Names.back());
  }
  if (Linker::linkModules(M, std::move(*Code)))
    return makeError(ErrorKind::Internal, "the code that launches tuned kernels cannot be linked");
  return Names;
}

/// One of its entry points, which other files have, too.
static Function *takeFunction(Module &M, StringRef Name) {
  Function *F = M.getFunction(Name);
  F->setLinkage(GlobalValue::InternalLinkage);
  F->setDSOLocal(true);
  return F;
}

Expected<DispatchCode> DispatchCode::addTo(Module &M) {
  Expected<std::vector<std::string>> Names = addBitcode(M);
  if (!Names)
    return Names.takeError();
  DispatchCode Code;
  Code.M = &M;
  Code.Launch = takeFunction(M, (*Names)[0]);
  Code.LaunchConfig = takeFunction(M, (*Names)[1]);
  Code.SetAttribute = takeFunction(M, (*Names)[2]);
  return Code;
}

Function *DispatchCode::specialize(Function &EntryPoint, GlobalVariable &Table,
                                   FunctionAnalysisManager &FAM) const {
  ValueToValueMapTy Map;
  Map[EntryPoint.getArg(0)] = &Table;
  Function *Own = CloneFunction(&EntryPoint, Map);
  FunctionPassManager Fold;
  Fold.addPass(SCCPPass());
  Fold.addPass(InstCombinePass());
  Fold.addPass(SimplifyCFGPass());
  Fold.addPass(SROAPass(SROAOptions::ModifyCFG));
  Fold.run(*Own, FAM);
  return Own;
}

GlobalVariable *DispatchCode::add(Constant *Initial, bool IsConstant, StringRef Name) {
  auto *V = new GlobalVariable(*M, Initial->getType(), IsConstant, GlobalValue::InternalLinkage, Initial,
                               "gpuprune." + Name);
  V->setAlignment(Align(offsetof(GpuPruneState, on[1]))); // What a launch reads lies in one cache line.
  return V;
}

GlobalVariable *DispatchCode::addZeros(uint64_t Bytes, StringRef Name) {
  Type *T = ArrayType::get(Type::getInt8Ty(M->getContext()), Bytes);
  return add(Constant::getNullValue(T), false, Name);
}

static Constant *array(LLVMContext &Context, ArrayRef<uint32_t> Values) {
  return ConstantDataArray::get(Context, Values);
}

static SmallVector<uint32_t, 3> extents(const Dim3 &D) {
  return {uint32_t(D.X), uint32_t(D.Y), uint32_t(D.Z)};
}

/// struct GpuPruneTuned.
Constant *DispatchCode::table(const RegisteredRecord &R, GlobalVariable *State) {
  LLVMContext &Context = M->getContext();
  const TuningRecord &Record = *R.Record;
  const LaunchContract &Contract = Record.Contract;
  const GridBound Bound = Contract.GridEnd.value_or(GridBound());
  const std::optional<LeastLoopEnd> &Least = Record.Conditions.LoopEnd;
  const LeastLoopEnd LoopEnd = Least.value_or(LeastLoopEnd());
  auto Word = [&](uint32_t Value) { return ConstantInt::get(Type::getInt32Ty(Context), Value); };
  auto Long = [&](uint64_t Value) { return ConstantInt::get(Type::getInt64Ty(Context), Value); };
  std::vector<uint32_t> Pointers, Hidden;
  for (const PointerPlace &P : Record.Arguments.Pointers)
    Pointers.insert(Pointers.end(), {P.Argument, P.Offset});
  for (HiddenParameter P : Contract.Hidden)
    Hidden.push_back(uint32_t(P));
  uint32_t AnyGrid = 0, Architecture = 0;
  for (unsigned D = 0; D != Dim3::size(); ++D)
    AnyGrid |= uint32_t(Contract.takesAnyGrid(D)) << D;
  [[maybe_unused]] bool NoNumber = StringRef(Record.Arch).drop_front(3).getAsInteger(10, Architecture);
  assert(!NoNumber && "a checked record");
  return ConstantStruct::getAnon({R.Handle,
                                  State,
                                  add(array(Context, Pointers), true, "pointers"),
                                  add(array(Context, Hidden), true, "hidden"),
                                  Long(Record.Conditions.LeastBlocks),
                                  Long(Record.Conditions.MostBlocks.value_or(UINT64_MAX)),
                                  Long(LoopEnd.Least),
                                  Long(Contract.SharedArrays),
                                  Word(Record.Arguments.Pointers.size()),
                                  Word(Hidden.size()),
                                  Word(Record.Arguments.Count),
                                  Word(Contract.PointerAlignment),
                                  array(Context, extents(Record.Conditions.Block)),
                                  array(Context, extents(Record.ownBlock())),
                                  array(Context, extents(Contract.GridDivisor)),
                                  array(Context, extents(Contract.BlockDivisor)),
                                  Word(AnyGrid),
                                  Word(Contract.SharedCopies),
                                  Word(SharedCopyAlignment),
                                  Word(Contract.SharedCarveout ? int32_t(*Contract.SharedCarveout) : -1),
                                  Word(Architecture),
                                  Word(Record.Registers),
                                  Word(Contract.PersistentBlocks),
                                  Word(Contract.GridBlocks),
                                  Word(Bound.Argument),
                                  Word(Contract.GridEnd ? Bound.Bits : 0),
                                  Word(Bound.Signed),
                                  Word(Bound.strideIn(Record.ownBlock())),
                                  Word(LoopEnd.Argument),
                                  Word(Least ? LoopEnd.Bits : 0),
                                  Word(LoopEnd.Signed)});
}

GlobalVariable *DispatchCode::addKernel(GlobalValue *Original, StringRef Name,
                                        ArrayRef<RegisteredRecord> Records) {
  LLVMContext &Context = M->getContext();
  SmallVector<Constant *, 2> Tables;
  DenseMap<GlobalVariable *, GlobalVariable *> States; // What the device says of a kernel is asked for once.
  for (const RegisteredRecord &R : Records) {
    GlobalVariable *&State = States[R.Handle];
    if (!State)
      State = addZeros(sizeof(GpuPruneState), "state");
    Tables.push_back(table(R, State));
  }
  assert(M->getDataLayout().getTypeAllocSize(Tables.front()->getType()) == sizeof(GpuPruneTuned));
  Constant *Demangled = ConstantDataArray::getString(Context, demangle(Name));
  auto *TableArray = ConstantArray::get(ArrayType::get(Tables.front()->getType(), Tables.size()), Tables);
  return add(ConstantStruct::getAnon({Original, add(Demangled, true, "name"), add(TableArray, true, "tuned"),
                                      addZeros(sizeof(uint64_t) * GPUPRUNE_COUNTS, "counts"),
                                      addZeros(sizeof(GpuPruneListed), "listed"),
                                      ConstantInt::get(Type::getInt64Ty(Context), Records.size())}),
             true, "kernel");
}

} // namespace gpuprune
