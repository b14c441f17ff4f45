//===- Refusal.cpp - Why a pass left a kernel as it was ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Refusal.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "gpuprune/Transforms/KernelNames.h"
#include "gpuprune/Transforms/Kernels.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;

namespace gpuprune {

/// \p I without its metadata.
static std::string printed(const Instruction &I) {
  std::string Text;
  raw_string_ostream OS(Text);
  I.print(OS);
  return StringRef(Text).split(", !").first.trim().str();
}

Refusal Refusal::at(RefusalKind Kind, const Instruction &I, const Twine &Message) {
  return {Kind, (Message + ": " + printed(I)).str(), I.getDebugLoc()};
}

Refusal Refusal::inLoop(RefusalKind Kind, const Loop &L, const Twine &Message) {
  return {Kind, Message.str(), L.getStartLoc()};
}

Refusal Refusal::inFunction(RefusalKind Kind, const Function &F, const Twine &Message) {
  return {Kind, Message.str(), DebugLoc()};
}

DebugLoc outermost(const DebugLoc &Where) {
  const DILocation *Place = Where.get();
  while (Place && Place->getInlinedAt())
    Place = Place->getInlinedAt();
  return Place;
}

static DiagnosticLocation locationOf(const DebugLoc &Where, const Function &F) {
  if (!Where)
    return F.getSubprogram();
  return outermost(Where);
}

/// " (inlined from helper.h:12:3)", where the code is not the kernel's own.
static std::string inlinedFrom(const DebugLoc &Where) {
  if (!Where || !Where.getInlinedAt())
    return "";
  return formatv(" (inlined from {0}:{1}:{2})", Where->getFilename(), Where.getLine(), Where.getCol());
}

/// Names of what a refusal's diagnostic consists of, in optimization records, too.
static constexpr StringLiteral KernelKey = "Kernel", RefusalKey = "Refusal", ReasonKey = "Reason";

/// What refusalText() writes, piece by piece.
static void describe(DiagnosticInfoOptimizationBase &D, StringRef PassName, StringRef Kernel,
                     RefusalKind Kind, const std::string &Reason) {
  D << PassName << " refused ";
  if (!Kernel.empty())
    D << "'" << ore::NV(KernelKey, Kernel) << "' ";
  D << "(" << ore::NV(RefusalKey, refusalName(Kind)) << "): " << ore::NV(ReasonKey, Reason);
}

void reportRefusal(const char *PassName, const Function &F, const Refusal &R) {
  DiagnosticInfoOptimizationFailure Warning(PassName, refusalName(R.Kind), locationOf(R.Where, F),
                                            &F.getEntryBlock());
  describe(Warning, PassName, F.getName(), R.Kind, R.Message + inlinedFrom(R.Where));
  F.getContext().diagnose(Warning);
}

std::unique_ptr<RefusalError> refusalIn(const DiagnosticInfo &Info) {
  const auto *Said = dyn_cast<DiagnosticInfoIROptimization>(&Info);
  if (!Said)
    return nullptr;
  // A diagnostic of another pass may happen to have the name of one of ours, but not our string.
  std::optional<RefusalKind> Kind = parseRefusalKind(Said->getRemarkName());
  if (!Kind || refusalName(*Kind).data() != Said->getRemarkName().data())
    return nullptr;
  auto ValueOf = [&](StringRef Key) -> StringRef {
    const auto *Found = find_if(Said->getArgs(), [&](const auto &Arg) { return Arg.Key == Key; });
    return Found == Said->getArgs().end() ? StringRef() : StringRef(Found->Val);
  };
  return std::make_unique<RefusalError>(*Kind, Said->getPassName(), ValueOf(KernelKey), ValueOf(ReasonKey));
}

void reportNoSuchKernel(const char *PassName, Module &M, StringRef Kernel) {
  SmallVector<Function *, 4> All = selectKernels(M, "");
  std::vector<std::string> Symbols;
  for (Function *F : All)
    Symbols.push_back(F->getName().str());
  std::vector<std::string> Names = distinctKernelNames(Symbols);
  std::string Message =
      formatv("no kernel is called '{0}'{1}", Kernel,
              Names.empty() ? "; the module has none"
                            : nearestNameHint(Kernel, SmallVector<StringRef>(Names.begin(), Names.end())));
  auto HasBody = [](const Function &F) { return !F.isDeclaration(); };
  auto Any = find_if(M, HasBody);
  if (Any == M.end())
    return;
  const Function &Shown = All.empty() ? *Any : *All.front();
  OptimizationRemarkMissed Remark(PassName, refusalName(RefusalKind::NoSuchKernel), locationOf({}, Shown),
                                  &Shown.getEntryBlock());
  describe(Remark, PassName, "", RefusalKind::NoSuchKernel, Message);
  M.getContext().diagnose(Remark); // Also where no remarks are asked for: refusalIn().
}

void reportDone(const char *PassName, StringRef Name, const Function &F, const Twine &Message,
                const DebugLoc &Where) {
  OptimizationRemarkEmitter ORE(&F);
  ORE.emit([&] {
    return OptimizationRemark(PassName, Name, locationOf(Where, F), &F.getEntryBlock())
           << Message.str() << inlinedFrom(Where);
  });
}

void reportLeft(const char *PassName, StringRef Name, const Function &F, const Twine &Message,
                const DebugLoc &Where) {
  OptimizationRemarkEmitter ORE(&F);
  ORE.emit([&] {
    return OptimizationRemarkMissed(PassName, Name, locationOf(Where, F), &F.getEntryBlock())
           << Message.str() << inlinedFrom(Where);
  });
}

} // namespace gpuprune
