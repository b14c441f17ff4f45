//===- TunedKernels.cpp - Tuned kernels beside the author's in device code ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TunedKernels.h"
#include "Messages.h"
#include "TunedModule.h"
#include "gpuprune/CodeGen/BlockShapes.h"
#include "gpuprune/CodeGen/DeviceDescription.h"
#include "gpuprune/CodeGen/FirstBlocks.h"
#include "gpuprune/CodeGen/KernelAlone.h"
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "gpuprune/Deploy/KernelArguments.h"
#include "gpuprune/Deploy/KernelDigest.h"
#include "gpuprune/Deploy/SeparableKernel.h"
#include "gpuprune/Passes/Registry.h"
#include "gpuprune/Search/Variant.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/Kernels.h"
#include "gpuprune/Transforms/Refusal.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprune {

static Error unfit(const Twine &Why) { return makeError(ErrorKind::Input, Why); }

static StringRef archOf(const Function &F) { return F.getFnAttribute("target-cpu").getValueAsString(); }

/// A record of another architecture, where this one has none.
static void noteOtherArch(const RecordFolder &Records, const RecordFile &File, const Function &F) {
  StringRef Arch = archOf(F);
  if (none_of(Records.Files,
              [&](const RecordFile &Other) { return Other.Kernel == File.Kernel && Other.Arch == Arch; }))
    reportLeft(DeployName, "OtherArch", F,
               formatv("'{0}' is not used for {1}: it is for {2}", File.Name, Arch, File.Arch), {});
}

void TunedKernels::findKernels(Module &M, const RecordFile &File) {
  SmallVector<Function *, 2> Named;
  for (Function *F : selectKernels(M, "")) {
    if (stableSymbol(F->getName()) != File.Kernel)
      continue;
    if (archOf(*F) == File.Arch)
      Named.push_back(F);
    else
      noteOtherArch(Records, File, *F);
  }
  if (Named.size() > 1)
    return warnOfRecord(M, File.Name, "two kernels of this file have its name");
  if (Named.empty())
    return;
  for (const std::string &Why : File.NotBitwise)
    reportLeft(DeployName, "NotBitwise", *Named.front(), Why, {});
  if (!File.Variants.empty())
    Sources.push_back({&File, Named.front()->getName().str()});
}

void TunedKernels::takeSources(Module &M) {
  Sources.clear();
  Bitcode.clear();
  Variables.clear();
  for (const RecordFile &File : Records.Files)
    findKernels(M, File);
  if (Sources.empty())
    return;
  raw_string_ostream OS(Bitcode);
  WriteBitcodeToFile(M, OS);
  erase_if(Sources, [&](const Source &S) {
    Expected<std::string> Digest = kernelDigest(Bitcode, S.Symbol);
    if (!Digest)
      warnOfRecord(M, S.File->Name, toString(Digest.takeError()));
    else if (*Digest != S.File->Variants.front().Digest)
      warnOfRecord(M, S.File->Name,
                   "'" + kernelSourceName(S.Symbol) +
                       "', or something that it uses, is no longer what was tuned, or "
                       "is compiled with other flags; tune it anew");
    else if (Error E = checkSeparable(M, S.Symbol))
      warnOfRecord(M, S.File->Name, toString(std::move(E)));
    else
      return false;
    return true;
  });
  for (const GlobalVariable &V : M.globals())
    Variables.insert(V.getName());
}

void TunedKernels::addTo(Module &M) {
  StringSet<> Added;
  for (const Source &From : Sources) {
    const std::vector<TuningRecord> &Variants = From.File->Variants;
    for (const auto &[Record, Name] : zip(Variants, tunedSymbols(Variants, From.Symbol)))
      if (Added.insert(Name).second)
        if (Error E = add(M, From, Record, Name))
          warnOfRecord(M, From.File->Name,
                       (Variants.size() > 1 ? "its variant '" + Record.name() + "': " : std::string()) +
                           toString(std::move(E)));
  }
}

/// As the tuner asks for the variant, VariantBuilder::requestFor().
static Expected<VariantRequest> requestFor(const TuningRecord &Record, StringRef Symbol) {
  Expected<std::vector<PassElement>> Passes = parsePipeline(Record.Variant);
  if (!Passes)
    return Passes.takeError();
  VariantRequest Request;
  Request.Pipeline = printPipeline(withKernel(std::move(*Passes), Symbol));
  Request.Kernel = Symbol.str();
  Request.Launch.Block = Record.ownBlock();
  return Request;
}

/// A record may be of a version that has proved more, and a program launches it at any size.
static Error proveBlock(const TuningRecord &Record, StringRef Source, StringRef Symbol) {
  std::optional<BlockChange> Change = Record.blockChange();
  if (!Change)
    return Error::success();
  Expected<std::optional<ShapeObstacle>> Why = whyNotChangeBlock(Source, Symbol, *Change);
  if (!Why)
    return Why.takeError();
  if (!*Why)
    return Error::success();
  return unfit(formatv("blocks of {0} threads in place of {1} are not proved to compute the same: {2}",
                       Change->To.text('x'), Change->From.text('x'), (*Why)->message()));
}

/// Whether the host reads an integer of that size where the record has one.
static Error checkLoopEnd(const TuningRecord &Record, StringRef Source, StringRef Symbol) {
  if (!Record.Conditions.LoopEnd)
    return Error::success();
  const LeastLoopEnd &Least = *Record.Conditions.LoopEnd;
  Expected<std::optional<GridBound>> End = loopEndOf(Source, Symbol);
  if (!End)
    return End.takeError();
  if (*End && Least == LeastLoopEnd{(*End)->Argument, (*End)->Bits, (*End)->Signed, Least.Least})
    return Error::success();
  return unfit(formatv("the kernel's loops over the grid do not end at argument {0}, as loop-end says",
                       Least.Argument));
}

/// What a record says of its kernel and can be seen here.
static Error checkAgainst(const TuningRecord &Record, StringRef Source, StringRef Symbol,
                          const OptimizedVariant &Made) {
  Expected<DeviceDescription> Known = describeDevice(Source, Symbol);
  if (!Known)
    return Known.takeError();
  if (kernelArguments(Known->Parameters) != Record.Arguments)
    return unfit("the kernel's parameters are not those of the record");
  if (Made.Contract != Record.Contract)
    return unfit("the variant has to be launched in another way than the record says; tune it anew");
  return Error::success();
}

Error TunedKernels::add(Module &M, const Source &From, const TuningRecord &Record, StringRef Name) {
  Expected<LoneKernel> Alone = kernelAlone(Bitcode, From.Symbol, {});
  if (!Alone)
    return Alone.takeError();
  Expected<VariantRequest> Request = requestFor(Record, From.Symbol);
  if (!Request)
    return Request.takeError();
  Expected<bool> NeedsFile = looksAtOtherKernels(Request->Pipeline);
  if (!NeedsFile)
    return NeedsFile.takeError();
  Request->Bitcode = *NeedsFile || Alone->Bitcode.empty() ? StringRef(Bitcode) : StringRef(Alone->Bitcode);
  Expected<OptimizedVariant> Made = optimizeVariant(*Request);
  if (!Made)
    return Made.takeError();
  if (Error E = checkAgainst(Record, Bitcode, From.Symbol, *Made))
    return E;
  if (Error E = checkLoopEnd(Record, Request->Bitcode, From.Symbol))
    return E;
  if (Error E = proveBlock(Record, Request->Bitcode, From.Symbol))
    return E;
  Expected<std::unique_ptr<Module>> Tuned =
      parseBitcodeFile(MemoryBufferRef(Made->Bitcode, "tuned kernel"), M.getContext());
  if (!Tuned)
    return Tuned.takeError();
  unsigned Instructions = 0;
  if (Error E = addTunedKernel(
          M, std::move(*Tuned), From.Symbol, Name, [&](StringRef V) { return Variables.contains(V); },
          Instructions))
    return E;
  if (Function *Authors = M.getFunction(From.Symbol))
    reportDone(DeployName, "Tuned", *Authors,
               formatv("'{0}' has the tuned kernel '{1}' of '{2}' beside it, {3} instructions: {4}",
                       kernelSourceName(From.Symbol), Name, From.File->Name, Instructions, Record.name()));
  return Error::success();
}

} // namespace gpuprune
