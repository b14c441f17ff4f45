//===- Memory.cpp - gpu-memory: which memory an argument or symbol is read from ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Memory.h"
#include "ConstantArgument.h"
#include "KernelPass.h"
#include "LoadHazards.h"
#include "StagedTable.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/PassOptions.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace gpuprune {

static void markInvariant(LoadInst &Load) {
  Load.setMetadata(LLVMContext::MD_invariant_load, MDNode::get(Load.getContext(), {}));
}

static Verdict readArgument(Function &F, unsigned Number, FunctionAnalysisManager &FAM) {
  if (Verdict Refused = checkPointerArgument(F, Number))
    return Refused;
  SmallVector<LoadInst *, 8> Loads;
  LoadHazards Hazards(F, nullptr, FAM);
  for (Instruction &I : instructions(F)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    auto IsArgument = [&](const Value *Object) { return Object == F.getArg(Number); };
    if (!Load || !all_of(objectsOf(*Load->getPointerOperand()), IsArgument))
      continue;
    if (!Load->isSimple())
      return Refusal::at(RefusalKind::Volatile, I, "volatile and atomic loads are not read-only");
    if (Verdict Refused = Hazards.check(*Load))
      return Refused;
    Loads.push_back(Load);
  }
  if (Loads.empty())
    return Refusal::inFunction(RefusalKind::NothingRead, F,
                               formatv("nothing is read through parameter {0}", Number));
  for (LoadInst *Load : Loads)
    markInvariant(*Load);
  return std::nullopt;
}

namespace {

/// Everything that is computed from the address of a variable, in all functions or in one.
class SymbolUses {
public:
  explicit SymbolUses(const Function *Only = nullptr) : Only(Only) {}
  Verdict collect(GlobalVariable &Symbol);
  bool empty() const { return Loads.empty() && Copies.empty(); }
  void moveTo(GlobalVariable &Old, GlobalVariable &New);

private:
  const Function *Only;
  SetVector<Instruction *> Pointers;
  SmallVector<LoadInst *, 16> Loads;
  SmallVector<MemTransferInst *, 2> Copies;

  bool isElsewhere(const User &U) const {
    const auto *I = dyn_cast<Instruction>(&U);
    return Only && (!I || I->getFunction() != Only);
  }
};

} // namespace

static bool pointsLike(const Value &V, const GlobalVariable &Symbol) {
  return V.getType() == Symbol.getType();
}

Verdict SymbolUses::collect(GlobalVariable &Symbol) {
  SmallVector<Value *, 16> Worklist{&Symbol};
  while (!Worklist.empty()) {
    Value *Pointer = Worklist.pop_back_val();
    for (User *U : Pointer->users()) {
      if (isElsewhere(*U))
        continue;
      auto *I = cast<Instruction>(U); // Constants have been made instructions.
      auto *Load = dyn_cast<LoadInst>(I);
      auto *Copy = dyn_cast<MemTransferInst>(I);
      if (Load && Load->isSimple()) {
        Loads.push_back(Load);
      } else if (Copy && Copy->getRawSource() == Pointer) {
        Copies.push_back(Copy);
      } else if (isa<AddrSpaceCastInst>(I) && !Only) {
        // A generic pointer it stays, whatever it points to.
      } else if (isa<GetElementPtrInst, PHINode, SelectInst>(I) && pointsLike(*I, Symbol)) {
        if (Pointers.insert(I))
          Worklist.push_back(I);
      } else if (!isa<AssumeInst>(I)) {
        return Refusal::at(
            RefusalKind::PointerEscapes, *I,
            formatv("the address of '{0}' goes where it cannot be followed", Symbol.getName()));
      }
    }
  }
  for (Instruction *I : Pointers)
    for (Value *Operand : I->operands())
      if (pointsLike(*Operand, Symbol) && Operand != &Symbol &&
          !(isa<Instruction>(Operand) && Pointers.contains(cast<Instruction>(Operand))))
        return Refusal::at(RefusalKind::MixedSymbols, *I,
                           formatv("a pointer into '{0}' may also point elsewhere", Symbol.getName()));
  return std::nullopt;
}

void SymbolUses::moveTo(GlobalVariable &Old, GlobalVariable &New) {
  for (Use &U : make_early_inc_range(Old.uses()))
    if (!isElsewhere(*U.getUser()) && (!Only || !isa<AssumeInst>(U.getUser())))
      U.set(&New);
  for (Instruction *I : Pointers)
    I->mutateType(New.getType());
  for (LoadInst *Load : Loads)
    if (New.isConstant())
      markInvariant(*Load);
    else
      Load->setMetadata(LLVMContext::MD_invariant_load, nullptr); // It holds nothing when the kernel begins.
  for (MemTransferInst *Copy : Copies) { // The intrinsic's name has the address spaces.
    IRBuilder<> Builder(Copy);
    CallInst *Moved = Builder.CreateMemTransferInst(
        Copy->getIntrinsicID(), Copy->getRawDest(), Copy->getDestAlign(), Copy->getRawSource(),
        Copy->getSourceAlign(), Copy->getLength(), Copy->isVolatile());
    Moved->setAAMetadata(Copy->getAAMetadata());
    Copy->eraseFromParent();
  }
}

static GlobalVariable *createInGlobalMemory(GlobalVariable &Old) {
  auto *New = new GlobalVariable(*Old.getParent(), Old.getValueType(), /*isConstant=*/true, Old.getLinkage(),
                                 Old.getInitializer(), "", &Old, Old.getThreadLocalMode(),
                                 NVPTXAS::ADDRESS_SPACE_GLOBAL, Old.isExternallyInitialized());
  New->copyAttributesFrom(&Old);
  New->copyMetadata(&Old, 0);
  New->takeName(&Old);
  return New;
}

/// Takes \p Symbol out of the list \p List of what must stay; returns whether it was there.
static bool removeFrom(StringRef List, GlobalVariable &Symbol) {
  GlobalVariable *Used = Symbol.getParent()->getNamedGlobal(List);
  auto IsSymbol = [&](const Value *V) { return V->stripPointerCasts() == &Symbol; };
  if (!Used || none_of(Used->getInitializer()->operand_values(), IsSymbol))
    return false;
  removeFromUsedLists(*Symbol.getParent(), IsSymbol);
  return true;
}

/// Refuses, or collects the uses of \p Symbol, all of which are instructions then.
static Verdict collectSymbol(const Function &F, GlobalVariable &Symbol, SymbolUses &Uses) {
  convertUsersOfConstantsToInstructions({&Symbol}, nullptr, /*RemoveDeadConstants=*/false);
  Symbol.removeDeadConstantUsers();
  if (any_of(Symbol.users(), [](const User *U) { return !isa<Instruction>(U); }))
    return Refusal::inFunction(
        RefusalKind::PointerEscapes, F,
        formatv("another variable's initial value holds the address of '{0}'", Symbol.getName()));
  return Uses.collect(Symbol);
}

static Verdict moveSymbol(const Function &F, Module &M, StringRef Name) {
  GlobalVariable *Symbol = M.getNamedGlobal(Name);
  if (!Symbol)
    return Refusal::inFunction(RefusalKind::NoSuchSymbol, F,
                               formatv("the module has no variable '{0}'", Name));
  if (Symbol->getAddressSpace() != NVPTXAS::ADDRESS_SPACE_CONST)
    return Refusal::inFunction(RefusalKind::NotConstantMemory, F,
                               formatv("'{0}' is no __constant__ variable", Name));
  if (Symbol->isDeclaration())
    return Refusal::inFunction(RefusalKind::DeclaredElsewhere, F,
                               formatv("'{0}' is defined in another file", Name));
  bool CompilerUsed = removeFrom("llvm.compiler.used", *Symbol);
  bool Used = removeFrom("llvm.used", *Symbol);
  SymbolUses Uses;
  Verdict Refused = collectSymbol(F, *Symbol, Uses);
  if (!Refused) {
    GlobalVariable *New = createInGlobalMemory(*Symbol);
    Uses.moveTo(*Symbol, *New);
    Symbol->eraseFromParent();
    Symbol = New;
  }
  if (CompilerUsed)
    appendToCompilerUsed(M, {Symbol});
  if (Used)
    appendToUsed(M, {Symbol});
  return Refused;
}

/// Reads \p Name, which goes to global memory, from a tile of shared memory in \p F.
static Verdict stageSymbol(Function &F, Module &M, StringRef Name) {
  GlobalVariable *Symbol = M.getNamedGlobal(Name);
  bool IsMoved = Symbol && Symbol->isConstant() &&
                 Symbol->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_GLOBAL && !Symbol->isDeclaration();
  if (Symbol && (IsMoved || Symbol->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST)) {
    if (Verdict Refused = checkFitsShared(F, *Symbol))
      return Refused;
    convertUsersOfConstantsToInstructions({Symbol}, nullptr, /*RemoveDeadConstants=*/false);
    SymbolUses Uses(&F);
    if (Verdict Refused = Uses.collect(*Symbol))
      return Refused;
    if (Uses.empty())
      return Refusal::inFunction(RefusalKind::NothingRead, F, formatv("nothing is read from '{0}'", Name));
  }
  if (!IsMoved)
    if (Verdict Refused = moveSymbol(F, M, Name))
      return Refused;
  Symbol = M.getNamedGlobal(Name);
  SymbolUses Uses(&F);
  if (Verdict Refused = Uses.collect(*Symbol))
    return Refused;
  GlobalVariable *Tile = createTile(*Symbol);
  Uses.moveTo(*Symbol, *Tile);
  fillAtEntry(F, *Symbol, *Tile);
  return std::nullopt;
}

static std::string doneText(const MemoryOptions &Options) {
  if (Options.Space == Placement::Shared)
    return formatv("'{0}' is read from a tile of shared memory", Options.Symbol);
  if (!Options.Arg)
    return formatv("'{0}' is in read-only global memory", Options.Symbol);
  if (Options.Space == Placement::Constant)
    return formatv("parameter {0} is read from constant memory", *Options.Arg);
  return formatv("parameter {0} is read as read-only memory", *Options.Arg);
}

PreservedAnalyses MemoryPass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  bool Moved = false; // Once for all kernels.
  auto Place = [&](Function &F) -> Verdict {
    if (Options.Space == Placement::Constant)
      return readFromConstantMemory(F, *Options.Arg, Options.Bytes, FAM);
    if (Options.Space == Placement::Shared)
      return stageSymbol(F, M, Options.Symbol);
    if (Options.Arg)
      return readArgument(F, *Options.Arg, FAM);
    Verdict Refused = Moved ? std::nullopt : moveSymbol(F, M, Options.Symbol);
    Moved |= !Refused;
    return Refused;
  };
  bool Ran = transformKernels(M, PassName, Options.Kernel, "Placed", doneText(Options), std::nullopt, Place);
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

static std::optional<Placement> parsePlacement(StringRef Name) {
  return StringSwitch<std::optional<Placement>>(Name)
      .Case("readonly", Placement::ReadOnly)
      .Case("constant", Placement::Constant)
      .Case("shared", Placement::Shared)
      .Default(std::nullopt);
}

/// False for a key that is not gpu-memory's.
static Expected<bool> takeOption(StringRef Key, StringRef Value, MemoryOptions &Options) {
  if (Key == "space") {
    std::optional<Placement> Space = parsePlacement(Value);
    if (!Space)
      return makeError(ErrorKind::Input,
                       formatv("option 'space={0}' needs readonly, constant or shared", Value));
    Options.Space = *Space;
    return true;
  }
  if (Key == "symbol") {
    if (Value.empty())
      return makeError(ErrorKind::Input, "option 'symbol=NAME' needs the name of a variable");
    Options.Symbol = Value.str();
    return true;
  }
  if (Key != "arg" && Key != "bytes")
    return false;
  Expected<unsigned> Number = parseNumber(Key, Value, Key == "arg" ? 0 : 1);
  if (!Number)
    return Number.takeError();
  if (Key == "arg")
    Options.Arg = *Number;
  else
    Options.Bytes = *Number;
  return true;
}

Expected<MemoryOptions> MemoryOptions::parse(StringRef Text) {
  MemoryOptions Options;
  bool HasSpace = false;
  auto Take = [&](StringRef Key, StringRef Value) {
    HasSpace |= Key == "space";
    return takeOption(Key, Value, Options);
  };
  StringRef Known = "arg=N, symbol=NAME, space=readonly|constant|shared, bytes=B, kernel=NAME";
  if (Error E = parsePassOptions(MemoryPass::PassName, Text, Known, Options.Kernel, Take))
    return std::move(E);
  bool InConstant = Options.Space == Placement::Constant;
  bool OneThing = Options.Arg.has_value() == Options.Symbol.empty() && (!InConstant || Options.Arg) &&
                  (Options.Space != Placement::Shared || !Options.Arg);
  if (!HasSpace || !OneThing || InConstant != (Options.Bytes != 0))
    return makeError(ErrorKind::Input, "gpu-memory needs one of gpu-memory<arg=N;space=readonly>, "
                                       "gpu-memory<arg=N;space=constant;bytes=B> and "
                                       "gpu-memory<symbol=NAME;space=readonly|shared>");
  return Options;
}

void MemoryOptions::print(raw_ostream &OS) const {
  if (Arg)
    OS << "arg=" << *Arg;
  else
    OS << "symbol=" << Symbol;
  if (Space == Placement::Constant)
    OS << ";space=constant;bytes=" << Bytes;
  else
    OS << (Space == Placement::Shared ? ";space=shared" : ";space=readonly");
  printKernelOption(OS, Kernel);
}

void MemoryPass::printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)> Map) {
  printPass(OS, PassName, Options);
}

} // namespace gpuprune
