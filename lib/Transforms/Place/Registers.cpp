//===- Registers.cpp - gpu-registers: what ptxas may use for a kernel -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Registers.h"
#include "Kernel/KernelPass.h"
#include "gpuprune/Analysis/LaunchAttributes.h"
#include "gpuprune/Device/DeviceInfo.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/KernelBounds.h"
#include "gpuprune/Transforms/PassDescriptor.h"
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

static std::string threadsText(const Dim3 &Threads) {
  std::string Text = std::to_string(Threads.X);
  if (Threads.Y > 1 || Threads.Z > 1)
    Text += "x" + std::to_string(Threads.Y);
  if (Threads.Z > 1)
    Text += "x" + std::to_string(Threads.Z);
  return Text;
}

static PassOption<RegistersOptions> threadsOption() {
  return {{"threads", "X[xY[xZ]]|launch"},
          [](StringRef Value, RegistersOptions &Options) -> Error {
            Options.ThreadsOfLaunch = Value == "launch";
            if (Options.ThreadsOfLaunch)
              return Error::success();
            unsigned Most = mostOf(&DeviceInfo::ThreadsPerBlock);
            Options.Threads = Dim3::parse(Value, 'x', Most);
            if (Options.Threads)
              return Error::success();
            return makeError(
                ErrorKind::Input,
                formatv("option 'threads={0}' needs launch, X, XxY or XxYxZ with numbers from 1 to {1}",
                        Value, Most));
          },
          [](const RegistersOptions &Options) -> std::optional<std::string> {
            if (Options.ThreadsOfLaunch)
              return "launch";
            return Options.Threads ? std::optional(threadsText(*Options.Threads)) : std::nullopt;
          }};
}

/// Where words are spilled to; of no account where none are.
static PassOption<RegistersOptions> placeOption() {
  static constexpr OptionForm Form{.Key = "spill-to", .Values = "shared|local", .Of = "spill"};
  return {Form,
          [](StringRef Value, RegistersOptions &Options) -> Error {
            Expected<unsigned> Place = parseChoice(Form, Value);
            if (!Place)
              return Place.takeError();
            Options.SpillTo = static_cast<RegistersOptions::Place>(*Place);
            return Error::success();
          },
          [](const RegistersOptions &Options) -> std::optional<std::string> {
            if (!Options.Spill)
              return std::nullopt;
            return choiceName(Form, unsigned(Options.placeOfSpills()));
          }};
}

static Error checkRegisters(const RegistersOptions &Options) {
  if (Options.SpillTo && !Options.Spill)
    return makeError(ErrorKind::Input, "gpu-registers: spill-to= says where, spill=N how much; give both");
  if (!Options.Max && !Options.MinBlocks && !Options.Threads && !Options.ThreadsOfLaunch &&
      !Options.placesValues())
    return makeError(ErrorKind::Input, "gpu-registers needs max=R, min-blocks=B or another of its options");
  return Error::success();
}

/// As many 32-bit words a thread as the smallest block with a full warp could spill to shared memory.
static constexpr unsigned MostSpilledWords = 128;

const OptionTable<RegistersOptions> &RegistersOptions::table() {
  using O = RegistersOptions;
  static const OptionTable<O> Table{
      RegistersPass::PassName,
      {numberOption({"max", "R"}, &O::Max, Shown::UnlessDefault, 1, mostOf(&DeviceInfo::RegistersPerThread)),
       numberOption({"min-blocks", "B"}, &O::MinBlocks, Shown::UnlessDefault, 1,
                    mostOf(&DeviceInfo::BlocksPerSM)),
       threadsOption(), numberOption({"spill", "N"}, &O::Spill, Shown::UnlessDefault, 1, MostSpilledWords),
       placeOption(), wordOption({"remat"}, &O::Rematerialise), wordOption({"sink"}, &O::Sink),
       wordOption({"hoist"}, &O::Hoist), wordOption({"smem-spilling"}, &O::SharedSpilling),
       kernelOption<O>()},
      checkRegisters};
  return Table;
}

/// No words to spill is no spilling, and where to spill then means nothing.
static bool normaliseSpilling(PassElement &Element) {
  bool HadPlace = Element.value("spill-to").has_value();
  erase_if(Element.Parameters, [](const PassParameter &P) { return P == PassParameter{"spill", "0"}; });
  if (!HadPlace || any_of(Element.Parameters, [](const PassParameter &P) { return P.Key == "spill"; }))
    return true;
  erase_if(Element.Parameters, [](const PassParameter &P) { return P.Key == "spill-to"; });
  return !Element.Parameters.empty();
}

static void nameAuthorBlock(PassElement &Element, const Dim3 &Block) {
  for (PassParameter &Parameter : Element.Parameters)
    if (Parameter == PassParameter{"threads", "launch"})
      Parameter.Value = Block.text('x');
}

/// What a plan of another kernel gives, the kernel that is tuned does not have.
static bool spillsToLocal(const PassElement &Element) {
  return Element.value("spill-to") == "local" && !Element.value("kernel");
}

PassOffers offerRegisterCaps() {
  static constexpr unsigned LastStep = 3;
  return atEachStep([](unsigned Step) {
    PassOffer Offer;
    if (Step > LastStep)
      return Offer;
    Offer.Elements.push_back({RegistersPass::PassName, {{"max", "{registers}"}}});
    Offer.Choices.push_back({"registers", {"none", "64", "128"}});
    return Offer;
  });
}

const PassDescriptor &registersDescriptor() {
  static const PassDescriptor D = describe<RegistersPass, RegistersOptions>(
      "what ptxas may use for a kernel, and values kept out of registers",
      {.ActsBehindO3 = true,
       .Normalise = normaliseSpilling,
       .NameBlock = nameAuthorBlock,
       .SpillsToLocal = spillsToLocal,
       .Offer = [](Function &, FunctionAnalysisManager &, const OfferContext &) {
         return offerRegisterCaps();
       }});
  return D;
}

} // namespace gpuprune
