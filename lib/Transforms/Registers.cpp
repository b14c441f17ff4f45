//===- Registers.cpp - gpu-registers: what ptxas may use for a kernel -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Registers.h"
#include "KernelPass.h"
#include "gpuprune/Analysis/LaunchAttributes.h"
#include "gpuprune/Device/DeviceInfo.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/KernelBounds.h"
#include "gpuprune/Transforms/PassOptions.h"
#include "gpuprune/Transforms/PlaceValues.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace gpuprune {

/// The most threads that "nvvm.maxntid" lets a block have; nothing where it says nothing.
static std::optional<uint64_t> mostThreads(const Function &F) {
  std::optional<LaunchBound> Bound = launchBound(F);
  return Bound && !Bound->Exact ? std::optional(Bound->threads()) : std::nullopt;
}

/// The block that is launched where the author launches one of \p Author threads.
static Expected<Dim3> launchedBlock(const Function &F, const Dim3 &Author) {
  Expected<LaunchContract> Contract = readLaunchContract(F);
  if (!Contract)
    return Contract.takeError();
  return Contract->physicalBlock(Author);
}

/// Makes \p Block the block that \p Options says is launched; nothing where they do not say.
static Verdict decideBlock(const Function &F, const RegistersOptions &Options, std::optional<Dim3> &Block) {
  if (Options.ThreadsOfLaunch)
    return Refusal::inFunction(RefusalKind::MissingThreadBound, F,
                               "threads=launch is known only where a workload says how the kernel is "
                               "launched; write threads=XxYxZ");
  if (!Options.Threads)
    return std::nullopt;
  Expected<Dim3> Launched = launchedBlock(F, *Options.Threads);
  if (!Launched)
    return Refusal::inFunction(RefusalKind::BadLaunchContract, F, toString(Launched.takeError()));
  Block = *Launched;
  if (std::optional<uint64_t> Most = mostThreads(F); Most && Block->volume() > double(*Most))
    return Refusal::inFunction(RefusalKind::BadLaunchContract, F,
                               formatv("threads= makes blocks of {0} threads, __launch_bounds__ allows {1}",
                                       Block->volume(), *Most));
  return std::nullopt;
}

/// PTX ISA 9.0, the pragma enable_smem_spilling.
static constexpr unsigned FirstWithSharedSpilling = 75;

static Verdict decide(const Function &F, const RegistersOptions &Options, std::optional<Dim3> &Block) {
  if (Verdict Refused = decideBlock(F, Options, Block))
    return Refused;
  if (Options.MinBlocks && !Block && !launchBound(F))
    return Refusal::inFunction(
        RefusalKind::MissingThreadBound, F,
        "min-blocks needs a kernel with __launch_bounds__(threads), or threads=: without "
        "the bound ptxas does not know how many registers a block takes");
  if (Options.SharedSpilling && computeCapability(F) < FirstWithSharedSpilling)
    return Refusal::inFunction(
        RefusalKind::NoSharedSpilling, F,
        formatv("ptxas spills to shared memory from sm_{0} on", FirstWithSharedSpilling));
  return std::nullopt;
}

static Verdict bound(Function &F, const RegistersOptions &Options) {
  std::optional<Dim3> Block;
  if (Verdict Refused = decide(F, Options, Block))
    return Refused;
  if (Options.Max)
    F.addFnAttr(PtxasBounds[0], std::to_string(Options.Max));
  if (Options.MinBlocks)
    F.addFnAttr(PtxasBounds[1], std::to_string(Options.MinBlocks));
  if (Block) { // ptxas takes one of the two.
    F.removeFnAttr("nvvm.maxntid");
    F.addFnAttr("nvvm.reqntid", Block->text());
  }
  if (Options.placesValues())
    requestPlacement(F, Options);
  return std::nullopt;
}

/// What was done, for the remark.
static std::string describe(const RegistersOptions &Options) {
  SmallVector<std::string, 4> Parts;
  if (Options.Max)
    Parts.push_back(formatv("at most {0} registers", Options.Max));
  if (Options.MinBlocks)
    Parts.push_back(formatv("at least {0} blocks", Options.MinBlocks));
  if (Options.Threads)
    Parts.push_back("a launch of these threads only");
  if (Options.placesValues())
    Parts.push_back("values to be placed after the pipeline");
  return join(Parts, ", ");
}

PreservedAnalyses RegistersPass::run(Module &M, ModuleAnalysisManager &) {
  transformKernels(M, PassName, Options.Kernel, "Bounded", describe(Options), std::nullopt,
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

static Error takeThreads(StringRef Value, RegistersOptions &Options) {
  if (Value == "launch") {
    Options.ThreadsOfLaunch = true;
    return Error::success();
  }
  unsigned Most = mostOf(&DeviceInfo::ThreadsPerBlock);
  Options.Threads = Dim3::parse(Value, 'x', Most);
  if (!Options.Threads)
    return makeError(ErrorKind::Input,
                     formatv("option 'threads={0}' needs launch, X, XxY or XxYxZ with numbers from 1 to {1}",
                             Value, Most));
  return Error::success();
}

/// As many 32-bit words a thread as the smallest block with a full warp could spill to shared memory.
static constexpr unsigned MostSpilledWords = 128;

static Error takeNumber(StringRef Key, StringRef Value, unsigned Most, unsigned &Number) {
  return parseNumber(Key, Value, 1, Most).moveInto(Number);
}

static Error takePlace(StringRef Value, RegistersOptions &Options) {
  if (Value != "shared" && Value != "local")
    return makeError(ErrorKind::Input, formatv("option 'spill-to={0}' needs shared or local", Value));
  Options.SpillTo = Value == "shared" ? RegistersOptions::Place::Shared : RegistersOptions::Place::Local;
  return Error::success();
}

static bool *flagOf(StringRef Key, RegistersOptions &Options) {
  return StringSwitch<bool *>(Key)
      .Case("remat", &Options.Rematerialise)
      .Case("sink", &Options.Sink)
      .Case("hoist", &Options.Hoist)
      .Case("smem-spilling", &Options.SharedSpilling)
      .Default(nullptr);
}

static Expected<bool> takeOption(StringRef Key, StringRef Value, RegistersOptions &Options) {
  auto Taken = [](Error E) -> Expected<bool> {
    if (E)
      return std::move(E);
    return true;
  };
  if (Key == "max")
    return Taken(takeNumber(Key, Value, mostOf(&DeviceInfo::RegistersPerThread), Options.Max));
  if (Key == "min-blocks")
    return Taken(takeNumber(Key, Value, mostOf(&DeviceInfo::BlocksPerSM), Options.MinBlocks));
  if (Key == "spill")
    return Taken(takeNumber(Key, Value, MostSpilledWords, Options.Spill));
  if (Key == "threads")
    return Taken(takeThreads(Value, Options));
  if (Key == "spill-to")
    return Taken(takePlace(Value, Options));
  bool *Flag = flagOf(Key, Options);
  if (!Flag)
    return false;
  if (!Value.empty())
    return makeError(ErrorKind::Input, formatv("option '{0}' takes no value", Key));
  return *Flag = true;
}

Expected<RegistersOptions> RegistersOptions::parse(StringRef Text) {
  RegistersOptions Options;
  bool HasPlace = false;
  auto Take = [&](StringRef Key, StringRef Value) {
    HasPlace |= Key == "spill-to";
    return takeOption(Key, Value, Options);
  };
  if (Error E = parsePassOptions(RegistersPass::PassName, Text,
                                 "max=R, min-blocks=B, threads=XxYxZ|launch, spill=N, spill-to=shared|local, "
                                 "remat, sink, hoist, smem-spilling, kernel=NAME",
                                 Options.Kernel, Take))
    return std::move(E);
  if (HasPlace && !Options.Spill)
    return makeError(ErrorKind::Input, "gpu-registers: spill-to= says where, spill=N how much; give both");
  if (!Options.Max && !Options.MinBlocks && !Options.Threads && !Options.ThreadsOfLaunch &&
      !Options.placesValues())
    return makeError(ErrorKind::Input, "gpu-registers needs max=R, min-blocks=B or another of its options");
  return Options;
}

static void printThreads(raw_ostream &OS, const Dim3 &Threads) {
  OS << "threads=" << Threads.X;
  if (Threads.Y > 1 || Threads.Z > 1)
    OS << 'x' << Threads.Y;
  if (Threads.Z > 1)
    OS << 'x' << Threads.Z;
}

void RegistersOptions::print(raw_ostream &OS) const {
  ListSeparator Separator(";");
  if (Max)
    OS << Separator << "max=" << Max;
  if (MinBlocks)
    OS << Separator << "min-blocks=" << MinBlocks;
  if (ThreadsOfLaunch)
    OS << Separator << "threads=launch";
  if (Threads) {
    OS << Separator;
    printThreads(OS, *Threads);
  }
  if (Spill)
    OS << Separator << "spill=" << Spill << ";spill-to=" << (SpillTo == Place::Shared ? "shared" : "local");
  for (auto [Flag, Name] : {std::pair(Rematerialise, "remat"),
                            {Sink, "sink"},
                            {Hoist, "hoist"},
                            {SharedSpilling, "smem-spilling"}})
    if (Flag)
      OS << Separator << Name;
  printKernelOption(OS, Kernel);
}

void RegistersPass::printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)> Map) {
  printPass(OS, PassName, Options);
}

} // namespace gpuprune
