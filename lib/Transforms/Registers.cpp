//===- Registers.cpp - gpu-registers: what ptxas may use for a kernel -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Registers.h"
#include "KernelPass.h"
#include "gpuprune/Device/DeviceInfo.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/PassOptions.h"

using namespace llvm;

namespace gpuprune {

static Verdict decide(const Function &F, const RegistersOptions &Options) {
  bool HasThreadBound = F.hasFnAttribute("nvvm.maxntid") || F.hasFnAttribute("nvvm.reqntid");
  if (Options.MinBlocks && !HasThreadBound)
    return Refusal::inFunction("MissingThreadBound", F,
                               "min-blocks needs a kernel with __launch_bounds__(threads): without the bound "
                               "ptxas does not know how many registers a block takes");
  return std::nullopt;
}

static Verdict bound(Function &F, const RegistersOptions &Options) {
  if (Verdict Refused = decide(F, Options))
    return Refused;
  if (Options.Max)
    F.addFnAttr("nvvm.maxnreg", std::to_string(Options.Max));
  if (Options.MinBlocks)
    F.addFnAttr("nvvm.minctasm", std::to_string(Options.MinBlocks));
  return std::nullopt;
}

PreservedAnalyses RegistersPass::run(Module &M, ModuleAnalysisManager &) {
  std::string Done =
      formatv("at most {0} registers, at least {1} blocks (0: not bounded)", Options.Max, Options.MinBlocks);
  transformKernels(M, PassName, Options.Kernel, "Bounded", Done,
                   [&](Function &F) { return bound(F, Options); });
  return PreservedAnalyses::all();
}

/// The most of any device: which one the code is for is not known while options are read.
static unsigned mostOf(unsigned DeviceInfo::*Limit) {
  unsigned Most = 0;
  for (const DeviceInfo &Device : allDevices())
    Most = std::max(Most, Device.*Limit);
  return Most;
}

Expected<RegistersOptions> RegistersOptions::parse(StringRef Text) {
  RegistersOptions Options;
  auto Take = [&](StringRef Key, StringRef Value) -> Expected<bool> {
    if (Key != "max" && Key != "min-blocks")
      return false;
    unsigned Most = mostOf(Key == "max" ? &DeviceInfo::RegistersPerThread : &DeviceInfo::BlocksPerSM);
    Expected<unsigned> Number = parseNumber(Key, Value, 1, Most);
    if (!Number)
      return Number.takeError();
    (Key == "max" ? Options.Max : Options.MinBlocks) = *Number;
    return true;
  };
  if (Error E = parsePassOptions(RegistersPass::PassName, Text, "max=R, min-blocks=B, kernel=NAME",
                                 Options.Kernel, Take))
    return std::move(E);
  if (!Options.Max && !Options.MinBlocks)
    return makeError(ErrorKind::Input, "gpu-registers needs max=R, min-blocks=B or both");
  return Options;
}

void RegistersOptions::print(raw_ostream &OS) const {
  ListSeparator Separator(";");
  if (Max)
    OS << Separator << "max=" << Max;
  if (MinBlocks)
    OS << Separator << "min-blocks=" << MinBlocks;
  printKernelOption(OS, Kernel);
}

void RegistersPass::printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)> Map) {
  printPass(OS, PassName, Options);
}

} // namespace gpuprune
