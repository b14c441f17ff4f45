//===- Refusal.cpp - Why a pass left a kernel as it was ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Refusal.h"
#include "gpuprune/Support/NearestName.h"
#include "gpuprune/Transforms/Kernels.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;

namespace gpuprune {

StringRef whyRefused(StringRef Name) {
  static constexpr std::pair<StringLiteral, StringLiteral> Known[] = {
#define GPUPRUNE_REFUSAL(NAME, WRONG) {#NAME, WRONG},
#include "gpuprune/Transforms/Refusals.def"
  };
  const auto *Found = find_if(Known, [&](const auto &Row) { return Row.first == Name; });
  return Found == std::end(Known) ? StringRef() : StringRef(Found->second);
}

/// \p I without its metadata.
static std::string printed(const Instruction &I) {
  std::string Text;
  raw_string_ostream OS(Text);
  I.print(OS);
  return StringRef(Text).split(", !").first.trim().str();
}

Refusal Refusal::at(StringLiteral Name, const Instruction &I, const Twine &Message) {
  return {Name, (Message + ": " + printed(I)).str(), I.getDebugLoc(), I.getParent()};
}

Refusal Refusal::inLoop(StringLiteral Name, const Loop &L, const Twine &Message) {
  return {Name, Message.str(), L.getStartLoc(), L.getHeader()};
}

Refusal Refusal::inFunction(StringLiteral Name, const Function &F, const Twine &Message) {
  return {Name, Message.str(), DebugLoc(), &F.getEntryBlock()};
}

void reportRefusal(const char *PassName, const Function &F, const Refusal &R) {
  OptimizationRemarkEmitter ORE(&F);
  ORE.emit([&] {
    return OptimizationRemarkMissed(PassName, R.Name, R.Where, R.Region)
           << "refused (" << R.Name << "): " << R.Message;
  });
  F.getContext().diagnose(DiagnosticInfoOptimizationFailure(F, DiagnosticLocation(R.Where),
                                                            Twine(PassName) + " refused '" + F.getName() +
                                                                "' (" + R.Name + "): " + R.Message));
}

void reportNoSuchKernel(const char *PassName, Module &M, StringRef Kernel) {
  SmallVector<Function *, 4> All = selectKernels(M, "");
  std::vector<std::string> Names;
  for (Function *F : All)
    if (std::string Name = kernelSourceName(F->getName()); !is_contained(Names, Name))
      Names.push_back(std::move(Name));
  std::string Message =
      formatv("no kernel is called '{0}'{1}", Kernel,
              Names.empty() ? "; the module has none"
                            : nearestNameHint(Kernel, SmallVector<StringRef>(Names.begin(), Names.end())));
  if (!All.empty())
    return reportRefusal(PassName, *All.front(), Refusal::inFunction("NoSuchKernel", *All.front(), Message));
  M.getContext().diagnose(
      DiagnosticInfoGeneric(Twine(PassName) + " refused (NoSuchKernel): " + Message, DS_Warning));
}

void reportDone(const char *PassName, StringRef Name, const Function &F, const Twine &Message) {
  OptimizationRemarkEmitter ORE(&F);
  ORE.emit([&] {
    return OptimizationRemark(PassName, Name, DiagnosticLocation(), &F.getEntryBlock()) << Message.str();
  });
}

} // namespace gpuprune
