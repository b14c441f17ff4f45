//===- Memory.cpp - gpu-memory: which memory an argument or symbol is read from ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Memory.h"
#include "ConstantArgument.h"
#include "Facts/LoadHazards.h"
#include "Kernel/KernelPass.h"
#include "StagedTable.h"
#include "SymbolUses.h"
#include "gpuprune/Analysis/LaunchAttributes.h"
#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/PassDescriptor.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace gpuprune {

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

/// For the launch alone.
static Verdict preferCarveout(Function &F, unsigned Percent) {
  Expected<LaunchContract> Contract = readLaunchContract(F);
  if (!Contract)
    return Refusal::inFunction(RefusalKind::BadLaunchContract, F, toString(Contract.takeError()));
  Contract->SharedCarveout = Percent;
  writeLaunchContract(F, *Contract);
  return std::nullopt;
}

static std::string doneText(const MemoryOptions &Options) {
  if (Options.Carveout)
    return formatv("{0} % of the memory of L1 and shared is preferred as shared", *Options.Carveout);
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
    if (Options.Carveout)
      return preferCarveout(F, *Options.Carveout);
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

/// Whether it says where one thing is to be read from, and all that this needs.
static bool placesOneThing(const MemoryOptions &Options) {
  bool InConstant = Options.Space == Placement::Constant, InShared = Options.Space == Placement::Shared;
  if (!Options.Space || InConstant != (Options.Bytes != 0) ||
      Options.Arg.has_value() != Options.Symbol.empty())
    return false;
  return Options.Arg ? !InShared : !InConstant;
}

static Error checkPlacement(const MemoryOptions &Options) {
  bool PlacesNothing = !Options.Space && !Options.Arg && Options.Symbol.empty() && Options.Bytes == 0;
  if (Options.Carveout ? PlacesNothing : placesOneThing(Options))
    return Error::success();
  return makeError(ErrorKind::Input, "gpu-memory needs one of gpu-memory<arg=N;space=readonly>, "
                                     "gpu-memory<arg=N;space=constant;bytes=B>, "
                                     "gpu-memory<symbol=NAME;space=readonly|shared> and "
                                     "gpu-memory<carveout=P>");
}

static PassOption<MemoryOptions> optionalNumber(OptionForm Form,
                                                std::optional<unsigned> MemoryOptions::*Member,
                                                unsigned Most = std::numeric_limits<unsigned>::max()) {
  return {Form,
          [=](StringRef Value, MemoryOptions &Options) {
            return parseNumber(Form.Key, Value, 0, Most).moveInto((Options.*Member).emplace());
          },
          [=](const MemoryOptions &Options) {
            return Options.*Member ? std::optional(std::to_string(*(Options.*Member))) : std::nullopt;
          }};
}

static PassOption<MemoryOptions> spaceOption() {
  static constexpr OptionForm Form{"space", "readonly|constant|shared"};
  return {Form,
          [](StringRef Value, MemoryOptions &Options) -> Error {
            Expected<unsigned> Space = parseChoice(Form, Value);
            if (!Space)
              return Space.takeError();
            Options.Space = static_cast<Placement>(*Space);
            return Error::success();
          },
          [](const MemoryOptions &Options) {
            return Options.Space ? std::optional(choiceName(Form, unsigned(*Options.Space))) : std::nullopt;
          }};
}

static PassOption<MemoryOptions> symbolOption() {
  return {{"symbol", "NAME", OptionMeaning::Object},
          [](StringRef Value, MemoryOptions &Options) -> Error {
            if (Value.empty())
              return makeError(ErrorKind::Input, "option 'symbol=NAME' needs the name of a variable");
            Options.Symbol = Value.str();
            return Error::success();
          },
          [](const MemoryOptions &Options) {
            return Options.Symbol.empty() ? std::nullopt : std::optional(Options.Symbol);
          }};
}

const OptionTable<MemoryOptions> &MemoryOptions::table() {
  using O = MemoryOptions;
  static const OptionTable<O> Table{MemoryPass::PassName,
                                    {optionalNumber({"arg", "N", OptionMeaning::Object}, &O::Arg),
                                     symbolOption(), spaceOption(),
                                     numberOption({"bytes", "B"}, &O::Bytes, Shown::UnlessDefault),
                                     optionalNumber({"carveout", "P"}, &O::Carveout, 100), kernelOption<O>()},
                                    checkPlacement};
  return Table;
}

PassOffers offerPlacement(ArrayRef<std::string> Large, ArrayRef<UniformTable> Uniform) {
  return atEachStep([&](unsigned) {
    PassOffer Offer;
    for (const std::string &Symbol : Large)
      Offer.Elements.push_back({MemoryPass::PassName, {{"symbol", Symbol}, {"space", "{memory}"}}});
    if (!Large.empty())
      Offer.Choices.push_back({"memory", {"none", "readonly"}});
    for (const UniformTable &Table : Uniform)
      Offer.Elements.push_back({MemoryPass::PassName,
                                {{"arg", std::to_string(Table.Argument)},
                                 {"space", "{table}"},
                                 {"bytes", std::to_string(Table.Bytes)}}});
    if (!Uniform.empty())
      Offer.Choices.push_back({"table", {"none", "constant"}});
    return Offer;
  });
}

/// The variables in constant memory that hold more than its cache.
static std::vector<std::string> largeTables(const Module &M, const OfferContext &Context) {
  std::vector<std::string> Large;
  for (const auto &[Symbol, Bytes] : Context.Symbols)
    if (const GlobalVariable *V = M.getNamedGlobal(Symbol);
        V && V->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST && Bytes > ConstantCacheBytes)
      Large.push_back(Symbol);
  return Large;
}

/// The parameters that are read uniformly, as many as are cached together.
static std::vector<UniformTable> cachedTables(ArrayRef<unsigned> ReadUniformly, const OfferContext &Context) {
  std::vector<UniformTable> Tables;
  uint64_t Bytes = 0;
  for (unsigned Number : ReadUniformly) {
    if (Number >= Context.BufferBytes.size() || !Context.BufferBytes[Number] ||
        Bytes + *Context.BufferBytes[Number] > ConstantCacheBytes)
      continue;
    Bytes += *Context.BufferBytes[Number];
    Tables.push_back({Number, *Context.BufferBytes[Number]});
  }
  return Tables;
}

static PassOffers offerMemory(Function &F, FunctionAnalysisManager &FAM, const OfferContext &Context) {
  return offerPlacement(largeTables(*F.getParent(), Context), cachedTables(uniformTables(F, FAM), Context));
}

const PassDescriptor &memoryDescriptor() {
  static const PassDescriptor D = describe<MemoryPass, MemoryOptions>(
      "something is read from another memory",
      {.ChangesLaunch = [](const MemoryOptions &O) { return O.Space == Placement::Constant || O.Carveout; },
       // A variable moves for all kernels.
       .LooksAtOtherKernels = [](const MemoryOptions &O) { return !O.Symbol.empty(); },
       .Offer = offerMemory});
  return D;
}

} // namespace gpuprune
