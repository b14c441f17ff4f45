//===- Constants.cpp - gpu-constants: tables that nobody writes -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Constants.h"
#include "Kernel/KernelCopy.h"
#include "Kernel/KernelPass.h"
#include "SymbolUses.h"
#include "gpuprune/Analysis/LaunchAttributes.h"
#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/PassDescriptor.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

static bool isInConstantMemory(const GlobalVariable &V) {
  return V.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST;
}

static uint64_t allocatedBytes(const GlobalVariable &V) {
  return V.getDataLayout().getTypeAllocSize(V.getValueType());
}

/// Why \p V is none whose initial value only the host could change.
static Verdict checkVariable(const Function &F, const GlobalVariable &V) {
  auto Refuse = [&](RefusalKind Kind, const char *Why) {
    return Refusal::inFunction(Kind, F, formatv(Why, V.getName()));
  };
  if (!isInConstantMemory(V))
    return Refuse(RefusalKind::NotConstantMemory, "'{0}' is no __constant__ variable");
  if (V.isDeclaration())
    return Refuse(RefusalKind::DeclaredElsewhere, "'{0}' is defined in another file");
  if (V.isInterposable())
    return Refuse(RefusalKind::DeclaredElsewhere,
                  "'{0}' is weak: the linker may take another file's in its place");
  const Constant *Initial = V.getInitializer();
  if (!V.isExternallyInitialized())
    return Refuse(RefusalKind::NothingRead, "the value of '{0}' is known as it is: only this file has it");
  if (Initial->isNullValue() || isa<UndefValue>(Initial))
    return Refuse(RefusalKind::NothingRead, "'{0}' has no initial value but zeros");
  if (Initial->needsRelocation())
    return Refuse(RefusalKind::NothingRead, "the initial value of '{0}' holds addresses");
  return std::nullopt;
}

/// Refuses where a device may not have room for a second \p V.
static Verdict checkRoom(const Function &F, const GlobalVariable &V) {
  uint64_t Bytes = allocatedBytes(V);
  for (const GlobalVariable &Other : F.getParent()->globals())
    if (isInConstantMemory(Other))
      Bytes = SaturatingAdd(Bytes, allocatedBytes(Other));
  if (Bytes <= ConstantMemoryBytes)
    return std::nullopt;
  return Refusal::inFunction(
      RefusalKind::TooLarge, F,
      formatv("with a copy of '{0}' the module would have {1} bytes of constant memory, and a device has {2}",
              V.getName(), Bytes, ConstantMemoryBytes));
}

/// Refuses, or collects what \p F does with \p V.
static Verdict collectUses(Function &F, GlobalVariable &V, SymbolUses &Uses) {
  if (Verdict Refused = checkVariable(F, V))
    return Refused;
  convertUsersOfConstantsToInstructions({&V}, &F, /*RemoveDeadConstants=*/false);
  if (Verdict Refused = Uses.collect(V))
    return Refused;
  if (Uses.empty())
    return Refusal::inFunction(RefusalKind::NothingRead, F,
                               formatv("nothing is read from '{0}'", V.getName()));
  return checkRoom(F, V);
}

static GlobalVariable &createCopy(const Function &F, GlobalVariable &V) {
  auto *Copy =
      new GlobalVariable(*V.getParent(), V.getValueType(), /*isConstant=*/true, GlobalValue::InternalLinkage,
                         V.getInitializer(), "__gpuprune_initial_" + F.getName() + "_" + V.getName(), nullptr,
                         GlobalValue::NotThreadLocal, V.getAddressSpace());
  Copy->setAlignment(V.getAlign());
  Copy->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return *Copy;
}

/// The promise that the host makes for \p V.
static Verdict addToContract(Function &F, StringRef Symbol) {
  Expected<LaunchContract> Contract = readLaunchContract(F);
  if (!Contract)
    return Refusal::inFunction(RefusalKind::BadLaunchContract, F, toString(Contract.takeError()));
  if (!is_contained(Contract->UnwrittenVariables, Symbol))
    Contract->UnwrittenVariables.push_back(Symbol.str());
  writeLaunchContract(F, *Contract);
  return std::nullopt;
}

static Verdict readInitialValue(Function &F, GlobalVariable &V) {
  SymbolUses Uses(&F);
  if (Verdict Refused = collectUses(F, V, Uses))
    return Refused;
  if (Verdict Refused = addToContract(F, V.getName()))
    return Refused;
  Uses.moveTo(V, createCopy(F, V));
  return std::nullopt;
}

static Verdict readNamed(Function &F, StringRef Name) {
  if (GlobalVariable *V = F.getParent()->getNamedGlobal(Name))
    return readInitialValue(F, *V);
  return Refusal::inFunction(RefusalKind::NoSuchSymbol, F, formatv("the module has no variable '{0}'", Name));
}

/// Those in constant memory that \p F does something with.
static SmallVector<GlobalVariable *, 8> constantVariables(Function &F) {
  SmallVector<GlobalVariable *, 8> Found;
  for (GlobalVariable &V : F.getParent()->globals()) {
    if (!isInConstantMemory(V))
      continue;
    convertUsersOfConstantsToInstructions({&V}, &F, /*RemoveDeadConstants=*/false);
    if (any_of(V.users(), [&](const User *U) {
          const auto *I = dyn_cast<Instruction>(U);
          return I && I->getFunction() == &F;
        }))
      Found.push_back(&V);
  }
  return Found;
}

static Verdict readAll(Function &F) {
  bool IsDone = false;
  SmallVector<Refusal, 4> Left;
  for (GlobalVariable *V : constantVariables(F)) {
    Verdict Refused = readInitialValue(F, *V);
    IsDone |= !Refused;
    if (Refused && Refused->Kind != RefusalKind::NothingRead)
      Left.push_back(*Refused);
  }
  if (!IsDone)
    return Left.empty() ? Refusal::inFunction(RefusalKind::NothingRead, F,
                                              "it reads no __constant__ variable with an initial value")
                        : Left.front();
  for (const Refusal &R : Left)
    reportLeft(ConstantsPass::PassName, "Left", F, R.Message, R.Where);
  return std::nullopt;
}

PreservedAnalyses ConstantsPass::run(Module &M, ModuleAnalysisManager &) {
  std::string Done = Options.Symbol.empty() ? "__constant__ variables are read as their initial values"
                                            : "'" + Options.Symbol + "' is read as its initial value";
  bool Ran = transformKernels(M, PassName, Options.Kernel, "Constant", Done, std::nullopt, [&](Function &F) {
    return Options.Symbol.empty() ? readAll(F) : readNamed(F, Options.Symbol);
  });
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

/// "symbol=NAME" or "symbol=all".
static PassOption<ConstantsOptions> variableOption() {
  static constexpr StringLiteral All = "all";
  return {{"symbol", "NAME|all", OptionMeaning::Object},
          [](StringRef Value, ConstantsOptions &Options) -> Error {
            if (Value.empty())
              return makeError(ErrorKind::Input,
                               "option 'symbol=NAME|all' needs the name of a variable, or all");
            Options.Symbol = Value == All ? "" : Value.str();
            return Error::success();
          },
          [](const ConstantsOptions &Options) -> std::optional<std::string> {
            return Options.Symbol.empty() ? All.str() : Options.Symbol;
          }};
}

const OptionTable<ConstantsOptions> &ConstantsOptions::table() {
  using O = ConstantsOptions;
  static const OptionTable<O> Table{ConstantsPass::PassName, {variableOption(), kernelOption<O>()}};
  return Table;
}

/// The variables that symbol=all would take.
static SmallVector<std::string, 4> readVariables(Function &F, FunctionAnalysisManager &FAM) {
  Function &Copy = copyKernel(F, ".constants");
  SmallVector<std::string, 4> Found;
  for (GlobalVariable *V : constantVariables(Copy)) {
    SymbolUses Uses(&Copy);
    if (!collectUses(Copy, *V, Uses))
      Found.push_back(V->getName().str());
  }
  FAM.clear(Copy, Copy.getName());
  Copy.eraseFromParent();
  return Found;
}

/// Where the launch leaves all of them as they were initialised.
static PassOffers offerConstants(Function &F, FunctionAnalysisManager &FAM, const OfferContext &Context) {
  SmallVector<std::string, 4> Read = readVariables(F, FAM);
  bool IsOffered = !Read.empty() && none_of(Context.Symbols, [&](const auto &Filled) {
    return is_contained(Read, Filled.first);
  });
  return atEachStep([&](unsigned Step) {
    PassOffer Offer;
    if (!IsOffered)
      return Offer;
    Offer.Elements.push_back({ConstantsPass::PassName, {{"symbol", "{constants}"}}});
    Offer.Choices.push_back(
        {"constants", Step == 0 ? std::vector<std::string>{"none", "all"} : std::vector<std::string>{"all"}});
    return Offer;
  });
}

const PassDescriptor &constantsDescriptor() {
  static const PassDescriptor D = describe<ConstantsPass, ConstantsOptions>(
      "variables in constant memory that nobody writes are read as their initial values",
      {.ChangesLaunch = [](const ConstantsOptions &) { return true; }, .Offer = offerConstants});
  return D;
}

} // namespace gpuprune
