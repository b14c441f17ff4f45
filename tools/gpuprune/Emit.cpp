//===- Emit.cpp - gpuprune emit ---------------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Output.h"
#include "gpuprune/CodeGen/Cubin.h"
#include "gpuprune/Device/Occupancy.h"
#include "gpuprune/Driver/LaunchHeader.h"
#include "gpuprune/Driver/MakeRecord.h"
#include "gpuprune/Driver/MeasurePlan.h"
#include "gpuprune/Report/TuneReport.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Transforms/KernelNames.h"
#include "gpuprune/Variant/LaunchCheck.h"
#include "gpuprune/Variant/ProvedBlock.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprune {

/// On standard error, so that the code is byte for byte what the compiler makes of the variant.
static void printContract(const VariantCode &Code, const VariantResult &Row, StringRef Size) {
  errs() << "gpuprune: kernel " << Code.Symbol << '\n';
  for (const std::string &Line : launchLines(Row.Launch, Size))
    errs() << "gpuprune: " << Line << '\n';
}

/// What a program launches of another block alone was proved. Results are not: a pass may rest on what its
/// options promise.
static void printUnchecked(const EmitOptions &Options, const VariantBuilder &Builder, const Variant &V) {
  bool IsForProgram = Options.To == EmitKind::Header || Options.To == EmitKind::Record;
  bool IsProved = IsForProgram && Builder.definesText(V) == Builder.definesText(Variant());
  if (IsForProgram && V != Variant())
    errs() << "gpuprune: results are checked by 'gpuprune tune' with --variant, and not here\n";
  if (const LaunchChoice &Choice = Builder.choiceOf(V); !Choice.IsAuthors && !IsProved)
    errs() << formatv(
        "gpuprune: whether the kernel computes with {0} what it does at its author's launch is not checked "
        "here, but by 'gpuprune tune' with --variant\n",
        Choice.Text);
}

static void warnOfName(const EmitOptions &Options) {
  if (Options.To == EmitKind::Record && !Options.Output.empty() &&
      !StringRef(Options.Output).ends_with(RecordSuffix))
    errs() << formatv(
        "gpuprune: warning: a build reads files whose names end in {0} alone, and this one is '{1}'\n",
        RecordSuffix, Options.Output);
}

/// Each launch of a block that does not fit on an SM fails, and a program would run the author's kernel.
static Error checkResources(const DeviceInfo &Device, StringRef Cubin, StringRef Symbol,
                            const PhysicalLaunch &Launch) {
  auto Kernels = readCubin(Cubin, Device.SharedReserved);
  if (!Kernels)
    return Kernels.takeError();
  const CubinKernel &Kernel = (*Kernels)[Symbol.str()];
  KernelResources Needs;
  Needs.Registers = Kernel.Registers;
  Needs.StaticShared = Kernel.StaticShared;
  Needs.DynamicShared = Launch.SharedBytes;
  Needs.ThreadsPerBlock = uint64_t(Launch.Block.volume());
  Needs.Barriers = Kernel.Barriers;
  Occupancy Fits = computeOccupancy(Device, Needs);
  if (Fits.BlocksPerSM)
    return Error::success();
  return makeRefusal(RefusalKind::TooLarge,
                     formatv("no block of {0} threads fits on an SM of {1}: {2}; launches would all fail",
                             Launch.Block.text('x'), Device.Arch, Fits.Reason));
}

/// What --to asks for of \p Code, the variant \p Parts.
static Expected<std::string> contentOf(const EmitOptions &Options, const TuningTarget &Target,
                                       const VariantBuilder &Builder, const VariantRequest &Request,
                                       VariantCode &Code, const BuiltVariant &Built) {
  const Variant &Parts = Built.parts();
  if (Options.To == EmitKind::IR)
    return std::move(Code.IR);
  if (Options.To == EmitKind::Ptx)
    return std::move(Code.Ptx);
  Expected<std::string> Cubin = assembleImage(Target.Tools, *Target.Device, Code.Ptx);
  if (!Cubin || Options.To == EmitKind::Cubin)
    return Cubin;
  if (Error E = checkResources(*Target.Device, *Cubin, Code.Symbol, Built.Row.Launch))
    return std::move(E);
  if (Options.To == EmitKind::Record) {
    Expected<TuningRecord> Record = makeRecord({Target, Builder, Parts, Request, Code, *Cubin});
    return Record ? Expected<std::string>(printTuningRecord(*Record)) : Record.takeError();
  }
  Expected<std::optional<BlockChange>> Block = provedBlock(Target.W, Builder, Parts, Request.Bitcode);
  if (!Block)
    return Block.takeError();
  Expected<DeviceDescription> Known = describeDevice(Request.Bitcode, Request.Kernel);
  if (!Known)
    return Known.takeError();
  return launchHeader({headerNamespace(Request.Kernel, Options.Launch), kernelFullName(Code.Symbol),
                       Code.Symbol, Target.W.Source, printVariant(Parts), Target.Device->Arch, *Cubin,
                       Code.Kernels[Code.Symbol].Contract, std::move(Known->Parameters),
                       std::move(Known->Variables), *Block});
}

Error emitVariant(const EmitOptions &Options, raw_ostream &OS) {
  if (Options.To == EmitKind::Cubin && OS.is_displayed())
    return makeError(
        ErrorKind::Usage,
        "--to cubin writes machine code, which a terminal cannot show; name a file with -o FILE");
  Expected<TuningTarget> Target = loadTarget(Options.Workload, Options.Device, Options.Launch);
  if (!Target)
    return Target.takeError();
  Expected<Variant> Parts = parseVariant(Options.Variant);
  if (!Parts)
    return Parts.takeError();
  VariantBuilder Builder(*Target);
  BuiltVariant Built(std::move(*Parts));
  if (Error E = Builder.runFrontends(Built, 1))
    return E;
  printWarnings(Builder.takeWarnings());
  // A header holds what was timed, which is the kernel alone.
  auto Scope = Options.To == EmitKind::Header ? VariantBuilder::Scope::Kernel : VariantBuilder::Scope::File;
  Expected<VariantRequest> Request = Builder.requestFor(Built, Scope);
  if (!Request)
    return Request.takeError();
  Request->KeepIR = Options.To == EmitKind::IR;
  Expected<VariantCode> Code = compileVariant(*Request);
  if (!Code)
    return Code.takeError();
  const VariantKernel &Kernel = Code->Kernels[Code->Symbol];
  PhysicalLaunch &Launch = Built.Row.Launch;
  if (Error E = Kernel.launchFor(Request->Launch.author(), Target->Device->SMCount).moveInto(Launch))
    return E;
  if (Error E = checkLaunchLimits(*Target->Device, Launch.Grid, Launch.Block))
    return E;
  Expected<ResolvedProblem> Problem =
      resolve(Target->W, Target->W.TuneSize, Builder.definesOf(Built.parts()), Built.parts().Block);
  if (!Problem)
    return Problem.takeError();
  if (Error E = checkBufferArguments(Kernel.Contract, *Problem))
    return E;
  if (Error E = checkPointers(Kernel.Contract, *Problem, Request->Bitcode))
    return E;
  if (Error E = checkEachIteration(Target->W, Builder.definesOf(Built.parts()), Built.parts().Block, Kernel))
    return E;
  Expected<std::string> Content = contentOf(Options, *Target, Builder, *Request, *Code, Built);
  if (!Content)
    return Content.takeError();
  for (const std::string &Line : Kernel.Placed)
    errs() << "gpuprune: " << Line << '\n';
  printContract(*Code, Built.Row, sizeName(Target->W, Target->W.TuneSize));
  printUnchecked(Options, Builder, Built.parts());
  warnOfName(Options);
  OS << *Content;
  return Error::success();
}

} // namespace gpuprune
