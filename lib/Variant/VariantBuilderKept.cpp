//===- VariantBuilderKept.cpp - Steps of a variant, made or taken -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each step looks for what an earlier run has kept, and else is made and kept.
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/CodeRecords.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Variant/KeptBuilds.h"
#include "gpuprune/Variant/VariantBuilder.h"
#include "gpuprune/Workload/Identity.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <chrono>

using namespace llvm;

namespace gpuprune {

namespace {

struct KeptFrontend {
  FrontendInputs Inputs;
  std::string Bitcode;
  std::optional<TakenError> Failure;
  std::vector<std::string> Warnings;
};

template <typename R> void mapRecord(R &Record, KeptFrontend &F) {
  auto &[Inputs, Bitcode, Failure, Warnings] = F;
  Record(Inputs, Bitcode, Failure, Warnings);
}

struct KeptKernel {
  std::optional<TakenError> Failure;
  DeviceDescription Description;
  LoneKernel Alone;
};

template <typename R> void mapRecord(R &Record, KeptKernel &K) {
  auto &[Failure, Description, Alone] = K;
  Record(Failure, Description, Alone);
}

struct KeptCode {
  std::optional<TakenError> Failure;
  std::string Ptx, Symbol;
  SmallString<0> FinalBitcode;
  VariantKernel Kernel;
};

template <typename R> void mapRecord(R &Record, KeptCode &C) {
  auto &[Failure, Ptx, Symbol, FinalBitcode, Kernel] = C;
  Record(Failure, Ptx, Symbol, FinalBitcode, Kernel);
}

struct KeptAssembly {
  std::optional<TakenError> Failure;
  AssembledKernel Code;
  std::string CubinHash; ///< Of the file that holds it; empty where it failed.
};

template <typename R> void mapRecord(R &Record, KeptAssembly &A) {
  auto &[Failure, Code, CubinHash] = A;
  Record(Failure, Code, CubinHash);
}

} // namespace

static std::string hashOf(StringRef Text) {
  return toHex(BLAKE3::hash<32>(arrayRefFromStringRef(Text)), /*LowerCase=*/true);
}

//===----------------------------------------------------------------------===//
// The workload
//===----------------------------------------------------------------------===//

const std::string &VariantBuilder::problemIdentity() const {
  std::call_once(ProblemAsked, [this] {
    std::string Text = (W.Here + "\n" + Twine(W.Tuned + 1) + "\n" + identityWithoutSpace(WorkloadText)).str();
    for (const NamedFile &Named : W.Files)
      Text += "\n" + Named.Written + "\n" + Named.File->Hash;
    Problem = hashOf(Text);
  });
  return Problem;
}

//===----------------------------------------------------------------------===//
// The front end
//===----------------------------------------------------------------------===//

static FrontendOutput compileSourceAnew(const Toolchain &Tools, const FrontendRequest &Request,
                                        std::string *RuleOfFiles = nullptr) {
  FrontendOutput Output;
  if (Error E = compileToBitcode(Tools, Request, &Output.Warnings, RuleOfFiles).moveInto(Output.Bitcode))
    Output.Failure = takeError(std::move(E));
  return Output;
}

/// What clang++ makes of the source with the defines of \p V.
FrontendOutput VariantBuilder::compileSource(const Variant &V) const {
  FrontendRequest Request{W.Source, Flags, {}, Device.Arch};
  DefineValues Values = definesOf(V);
  for (const DefineSpec &D : W.Defines)
    Request.Defines.push_back(D.Name + "=" + Values.lookup(D.Name));
  if (!Kept)
    return compileSourceAnew(Tools, Request);
  InputFiles &Files = Kept->inputs();
  std::call_once(CommandAsked, [&] { Command = Files.commandOf(Tools, Request); });
  if (!Command)
    return compileSourceAnew(Tools, Request);
  std::string Key = Command->Identity + toRecord(Request.Defines);
  auto Unchanged = [&Files](const KeptFrontend &F) { return Files.areUnchanged(F.Inputs); };
  if (auto Found = Kept->find<KeptFrontend>(KeptStep::Frontend, Key, Unchanged))
    return {std::move(Found->Bitcode), std::move(Found->Failure), std::move(Found->Warnings)};
  std::string RuleOfFiles;
  auto Started = std::chrono::system_clock::now();
  FrontendOutput Output = compileSourceAnew(Tools, Request, &RuleOfFiles);
  if (Output.Failure && !isLasting(*Output.Failure))
    return Output;
  if (auto Inputs = Files.inputsOf(filesInRule(RuleOfFiles), Command->Folders, Started))
    Kept->keep(KeptStep::Frontend, Key,
               KeptFrontend{std::move(*Inputs), Output.Bitcode, Output.Failure, Output.Warnings});
  return Output;
}

/// Describes the device code, and what of it a variant needs.
Error VariantBuilder::takeApart(FrontendOutput &Output) const {
  // Messages have lines of the workload.
  std::string Key =
      Kept ? hashOf((W.Here + "\n" + Twine(W.Tuned + 1) + "\n" + WorkloadText).str()) + hashOf(Output.Bitcode)
           : "";
  std::optional<KeptKernel> Found;
  if (Kept)
    Found = Kept->find<KeptKernel>(KeptStep::Kernel, Key);
  if (!Found) {
    Found.emplace();
    if (Error E = takeApartAnew(Output))
      Found->Failure = takeError(std::move(E));
    Found->Description = Output.Description;
    Found->Alone = Output.Alone;
    if (Kept && (!Found->Failure || isLasting(*Found->Failure)))
      Kept->keep(KeptStep::Kernel, Key, *Found);
  }
  if (Found->Failure)
    return makeError(Found->Failure->Kind, Found->Failure->Text);
  Output.Description = std::move(Found->Description);
  Output.Alone = std::move(Found->Alone);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// From bitcode to PTX
//===----------------------------------------------------------------------===//

/// CountByRunning knows the problem at the size to tune, with the variant's defines and block.
std::string VariantBuilder::codeKey(const VariantRequest &Request, const BuiltVariant &V) const {
  return hashOf(toRecord(Request) + problemIdentity() + definesText(V.parts()) +
                toRecord(V.parts().Block.value_or(Dim3{0, 0, 0})));
}

static KeptCode compileAnew(const VariantRequest &Request, CompileReuse *Known) {
  KeptCode Made;
  Expected<VariantCode> Code = compileVariant(Request, Known);
  if (!Code) {
    Made.Failure = takeError(Code.takeError());
    return Made;
  }
  Made.Ptx = std::move(Code->Ptx);
  Made.Symbol = std::move(Code->Symbol);
  Made.FinalBitcode = std::move(Code->FinalBitcode);
  if (!Made.Symbol.empty())
    Made.Kernel = std::move(Code->Kernels[Made.Symbol]);
  return Made;
}

/// Compiles and puts into \p V what is the kernel's own; else why not.
std::optional<TakenError> VariantBuilder::compileRequest(const VariantRequest &Request, BuiltVariant &V,
                                                         CompileReuse *Known) const {
  std::optional<KeptCode> Code;
  if (Kept) {
    V.CodeKey = codeKey(Request, V);
    Code = Kept->find<KeptCode>(KeptStep::Code, V.CodeKey);
  }
  if (!Code) {
    Code = compileAnew(Request, Known);
    if (Kept && (!Code->Failure || isLasting(*Code->Failure)))
      Kept->keep(KeptStep::Code, V.CodeKey, *Code);
  }
  if (Code->Failure)
    return std::move(Code->Failure);
  if (Code->Symbol.empty())
    return TakenError{ErrorKind::Frontend,
                      formatv("with the defines of '{0}' the source does not have exactly one kernel '{1}'",
                              V.Row.text(), Request.Kernel)};
  V.Ptx = std::move(Code->Ptx);
  V.Symbol = std::move(Code->Symbol);
  V.FinalBitcode = std::move(Code->FinalBitcode);
  V.Kernel = std::move(Code->Kernel);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// From PTX to cubins
//===----------------------------------------------------------------------===//

/// Empty where it is not known what ptxas is.
std::string VariantBuilder::assemblyKey(const BuiltVariant &V) const {
  if (!Kept || assembler().empty())
    return "";
  // A program of the same version may be another.
  sys::fs::file_status Status;
  if (sys::fs::status(Tools.Ptxas, Status))
    return "";
  return hashOf(toRecord(V.Ptx) + toRecord(V.Symbol) + toRecord(Tools.Ptxas) + toRecord(Device.Arch) +
                formatv("{0};{1};{2}", Status.getSize(),
                        Status.getLastModificationTime().time_since_epoch().count(), assembler())
                    .str());
}

static constexpr StringLiteral KeptCubinPrefix = "kept-";

static std::string keptCubinIn(StringRef Folder, StringRef Hash) {
  SmallString<256> Path(Folder);
  sys::path::append(Path, KeptCubinPrefix + Hash.take_front(32) + ".cubin");
  return std::string(Path);
}

/// Whether an earlier run has assembled \p V; the file is in \p Folder then, or \p V has failed.
bool VariantBuilder::takeAssembly(BuiltVariant &V, StringRef Folder) const {
  std::string Key = assemblyKey(V);
  if (Key.empty())
    return false;
  std::string Path;
  auto HasCubin = [&](const KeptAssembly &A) {
    if (A.Failure)
      return true;
    Path = keptCubinIn(Folder, A.CubinHash);
    std::lock_guard<std::mutex> Guard(CubinsLock);
    if (KeptCubins.contains(Path))
      return true;
    std::optional<std::string> Image = Kept->find<std::string>(KeptStep::Cubin, A.CubinHash);
    if (!Image)
      return false;
    if (Error E = writeFile(Path, *Image)) {
      consumeError(std::move(E)); // Said where ptxas is to write there.
      return false;
    }
    KeptCubins.insert(Path);
    return true;
  };
  auto Found = Kept->find<KeptAssembly>(KeptStep::Assembly, Key, HasCubin);
  if (!Found)
    return false;
  if (Found->Failure) {
    V.fail(std::move(*Found->Failure));
    return true;
  }
  V.Code = std::move(Found->Code);
  V.Code->Cubin = std::move(Path);
  return true;
}

void VariantBuilder::keepAssembly(const BuiltVariant &V) const {
  std::string Key = assemblyKey(V);
  if (Key.empty())
    return;
  if (!V.alive()) {
    if (TakenError Failure{*V.FailedAs, V.Row.Message, V.Row.Refusal}; isLasting(Failure))
      Kept->keep(KeptStep::Assembly, Key, KeptAssembly{std::move(Failure), {}, ""});
    return;
  }
  Expected<std::string> Image = readFile(V.Code->Cubin);
  if (!Image)
    return consumeError(Image.takeError()); // Said where it is used.
  std::string Hash = hashOf(*Image);
  {
    std::lock_guard<std::mutex> Guard(CubinsLock);
    if (KeptCubins.insert(V.Code->Cubin).second)
      Kept->keep(KeptStep::Cubin, Hash, *Image);
  }
  Kept->keep(KeptStep::Assembly, Key, KeptAssembly{std::nullopt, *V.Code, Hash});
}

} // namespace gpuprune
