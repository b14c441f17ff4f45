//===- VariableProof.cpp - That a program never writes a variable ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "VariableProof.h"
#include "AssemblyText.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprune {

/// Of __cudaRegisterVar(module, shadow, symbol, symbol again, ...).
enum RegisterArgument { ShadowArgument = 1, SymbolArgument = 3 };

namespace {

struct Registrations {
  SmallVector<CallInst *, 1> OfVariable;
  bool AreKnown = true; ///< Whether all of the module have been read.
};

} // namespace

static Registrations registrationsOf(const Module &M, StringRef Symbol) {
  Registrations Found;
  const Function *Register = M.getFunction("__cudaRegisterVar");
  if (!Register)
    return Found;
  for (const Use &U : Register->uses()) {
    auto *Call = dyn_cast<CallInst>(U.getUser());
    StringRef Name;
    if (!Call || !Call->isCallee(&U) || Call->arg_size() <= SymbolArgument ||
        !getConstantStringInfo(Call->getArgOperand(SymbolArgument), Name))
      Found.AreKnown = false;
    else if (Name == Symbol)
      Found.OfVariable.push_back(Call);
  }
  return Found;
}

/// Whether \p U, a use of a shadow, only keeps it in the file.
static bool isListOfUsed(const Use &U) {
  const auto *List = dyn_cast<ConstantArray>(U.getUser());
  return List && all_of(List->users(), [](const User *Of) {
           return is_contained({"llvm.used", "llvm.compiler.used"}, Of->getName());
         });
}

static std::string placeOf(const User &By) {
  if (const auto *I = dyn_cast<Instruction>(&By))
    return formatv("in '{0}'", demangle(I->getFunction()->getName()));
  return "in a constant";
}

/// Whether \p Assembly may name what its words do not show.
static bool hasHiddenNames(StringRef Assembly) {
  return any_of(ArrayRef<StringRef>{".include", ".macro", ".irp", ".rept", ".altmacro"},
                [&](StringRef Directive) { return Assembly.contains_insensitive(Directive); });
}

/// Whether assembly of the file, which the linker does not see through either, names \p Shadow.
static bool isNamedInAssembly(const Module &M, StringRef Shadow) {
  auto Names = [&](StringRef Assembly) {
    return hasHiddenNames(Assembly) || hasWord(Assembly, [&](StringRef Word) { return Word == Shadow; });
  };
  if (Names(M.getModuleInlineAsm()))
    return true;
  return any_of(M, [&](const Function &F) {
    return any_of(instructions(F), [&](const Instruction &I) {
      const auto *Call = dyn_cast<CallBase>(&I);
      const auto *Asm = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
      return Asm && Names(Asm->getAsmString());
    });
  });
}

static std::string whyShadowMayBeUsed(Module &M, CallInst &Registration) {
  auto *Shadow = dyn_cast<GlobalVariable>(Registration.getArgOperand(ShadowArgument));
  if (!Shadow)
    return "it is registered in a way that is not known";
  if (!Shadow->hasLocalLinkage())
    return "other files can name it";
  if (Shadow->hasSection())
    return "it is in a section of its own, whose start has a name";
  Shadow->removeDeadConstantUsers();
  for (const Use &U : Shadow->uses()) {
    bool Registers = U.getUser() == &Registration && U.getOperandNo() == ShadowArgument;
    if (!Registers && !isListOfUsed(U))
      return "it is used " + placeOf(*U.getUser());
  }
  return isNamedInAssembly(M, Shadow->getName()) ? "assembly of the file names it, or may do so" : "";
}

std::string whyMayBeWritten(Module &M, StringRef Symbol) {
  Registrations Found = registrationsOf(M, Symbol);
  if (!Found.AreKnown)
    return "variables are registered in a way that is not known";
  if (Found.OfVariable.empty())
    return "this file does not register it, so that others may write it";
  for (CallInst *Call : Found.OfVariable)
    if (std::string Why = whyShadowMayBeUsed(M, *Call); !Why.empty())
      return Why;
  return "";
}

} // namespace gpuprune
