//===- Toolchain.cpp - The programs of other people that are run ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/Toolchain.h"
#include "CudaToolkit.h"
#include "gpuprune/CodeGen/ClangOutput.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Support/RegularFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace gpuprune {

/// \p Name as a path if it can be run: itself, or on the PATH.
static std::optional<std::string> findProgram(const Twine &Name) {
  std::string Text = Name.str();
  // A name with a slash is returned as it is, whether or not it is there.
  ErrorOr<std::string> Path = sys::findProgramByName(Text);
  if (Path && sys::fs::can_execute(*Path) && !sys::fs::is_directory(*Path))
    return *Path;
  return std::nullopt;
}

/// The program that an environment variable names; set to one that cannot be
/// run is an error rather than a reason to look elsewhere.
static Expected<std::optional<std::string>> fromEnvironment(const char *Variable) {
  std::optional<std::string> Value = sys::Process::GetEnv(Variable);
  if (!Value || Value->empty())
    return std::nullopt;
  if (std::optional<std::string> Found = findProgram(*Value))
    return Found;
  return makeError(ErrorKind::Toolchain,
                   formatv("{0} names '{1}', which is no program that can be run; correct it or unset it",
                           Variable, *Value));
}

Expected<std::string> findClang() {
  Expected<std::optional<std::string>> Named = fromEnvironment("GPUPRUNE_CLANG");
  if (!Named)
    return Named.takeError();
  if (*Named)
    return **Named;
  std::string Versioned = formatv("clang++-{0}", LLVM_VERSION_MAJOR);
  std::string Beside = formatv("/usr/lib/llvm-{0}/bin/clang++", LLVM_VERSION_MAJOR);
  for (StringRef Candidate : {StringRef(Versioned), StringRef(Beside), StringRef("clang++")})
    if (std::optional<std::string> Found = findProgram(Candidate))
      return *Found;
  return makeError(ErrorKind::Toolchain,
                   formatv("no clang++ of LLVM {0} found on the PATH or as {1}; install clang-{0} or set "
                           "GPUPRUNE_CLANG",
                           LLVM_VERSION_MAJOR, Beside));
}

Expected<std::string> findPtxas() {
  Expected<std::optional<std::string>> Named = fromEnvironment("GPUPRUNE_PTXAS");
  if (!Named)
    return Named.takeError();
  if (*Named)
    return **Named;
  Expected<std::optional<CudaToolkit>> Toolkit = findCudaToolkit();
  if (!Toolkit)
    return Toolkit.takeError();
  if (*Toolkit)
    return (*Toolkit)->ptxas();
  // Without headers beside it a ptxas still serves for what is no CUDA source.
  SmallVector<std::string, 3> Candidates;
  if (std::optional<std::string> Home = sys::Process::GetEnv("CUDA_HOME"))
    Candidates.push_back(*Home + "/bin/ptxas");
  Candidates.push_back("ptxas");
  Candidates.push_back("/usr/local/cuda/bin/ptxas");
  for (const std::string &Candidate : Candidates)
    if (std::optional<std::string> Found = findProgram(Candidate))
      return *Found;
  return makeError(
      ErrorKind::Toolchain,
      "no ptxas found in CUDA_HOME/bin, on the PATH or in /usr/local/cuda/bin; install the CUDA toolkit, "
      "or fetch what is needed of it with tools/cuda-toolkit fetch (gpuprune-cuda-toolkit fetch where "
      "GpuPrune is installed), or set GPUPRUNE_PTXAS");
}

Expected<Toolchain> findToolchain() {
  Expected<std::string> Clang = findClang();
  if (!Clang)
    return Clang.takeError();
  Expected<std::string> Ptxas = findPtxas();
  if (!Ptxas)
    return Ptxas.takeError();
  Expected<std::optional<CudaToolkit>> Toolkit = findCudaToolkit();
  if (!Toolkit)
    return Toolkit.takeError();
  std::string CudaPath = *Toolkit && !(*Toolkit)->ClangLooksThere ? (*Toolkit)->Root : "";
  std::string Libraries = *Toolkit ? (*Toolkit)->libraryHeaders() : "";
  return Toolchain{std::move(*Clang), std::move(*Ptxas), std::move(CudaPath), std::move(Libraries)};
}

Expected<Toolchain> findAssembler() {
  Expected<std::string> Ptxas = findPtxas();
  if (!Ptxas)
    return Ptxas.takeError();
  return Toolchain{"", std::move(*Ptxas), ""};
}

Expected<std::string> clangVersion(const Toolchain &Tools) {
  Expected<ProcessOutput> Result = runProcess({Tools.Clang, "--version"});
  if (!Result)
    return Result.takeError();
  StringRef Line = StringRef(Result->Text).split('\n').first.trim();
  if (Result->ExitCode != 0 || Line.empty())
    return makeError(ErrorKind::Toolchain,
                     formatv("'{0} --version' failed: {1}", Tools.Clang, failureText(*Result)));
  return Line.str();
}

bool fusesMultiplyAdds(ArrayRef<std::string> Flags) {
  bool Fuses = true;
  for (StringRef Flag : Flags)
    if (Flag.consume_front("-ffp-contract="))
      Fuses = Flag == "fast";
  return Fuses;
}

std::vector<std::string> clangCommand(const Toolchain &Tools, const FrontendRequest &Request,
                                      ArrayRef<std::string> Action, StringRef Output) {
  std::vector<std::string> Command{Tools.Clang,
                                   "-x",
                                   "cuda",
                                   "--cuda-device-only",
                                   "--cuda-gpu-arch=" + Request.Arch,
                                   "-O3",
                                   "-Wno-unknown-cuda-version"};
  if (!Tools.CudaPath.empty())
    Command.push_back("--cuda-path=" + Tools.CudaPath);
  if (!Tools.LibraryHeaders.empty())
    Command.insert(Command.end(), {"-isystem", Tools.LibraryHeaders});
  Command.insert(Command.end(), Action.begin(), Action.end());
  for (const std::string &Define : Request.Defines)
    Command.push_back("-D" + Define);
  Command.insert(Command.end(), Request.Flags.begin(), Request.Flags.end());
  Command.insert(Command.end(), {Request.Source, "-o", Output.str()});
  return Command;
}

/// Of another LLVM's clang++; empty where it is of this one, or does not say.
static std::string otherVersion(const std::string &Clang) {
  Expected<ProcessOutput> Said = runProcess({Clang, "--version"});
  if (!Said) {
    consumeError(Said.takeError());
    return "";
  }
  StringRef Version = StringRef(Said->Text).split("clang version ").second.take_until(isSpace);
  return Version.split('.').first == Twine(LLVM_VERSION_MAJOR).str() ? "" : Version.str();
}

static Error wrongClang(StringRef Clang, StringRef Version) {
  return makeError(ErrorKind::Toolchain,
                   formatv("'{0}' is of LLVM {1}; expected clang++ of LLVM {2}: install clang-{2}, or let "
                           "GPUPRUNE_CLANG name its clang++",
                           Clang, Version, LLVM_VERSION_MAJOR));
}

static Error frontendFailed(const Toolchain &Tools, const FrontendRequest &Request,
                            const ProcessOutput &Output) {
  if (std::string Version = otherVersion(Tools.Clang); !Version.empty())
    return wrongClang(Tools.Clang, Version);
  bool IsOfMachine = ranOutOfDisk(Output) || wasKilled(Output); // The source may be all right.
  return makeError(IsOfMachine ? ErrorKind::Io : ErrorKind::Frontend,
                   formatv("clang++ could not compile '{0}' for {1}:\n{2}", Request.Source, Request.Arch,
                           errorsFirst(failureText(Output))));
}

/// Other versions' bitcode is read, or not, as if it were this one's.
static Error checkProducer(const Toolchain &Tools, StringRef Bitcode) {
  Expected<std::string> Producer = getBitcodeProducerString(MemoryBufferRef(Bitcode, "device bitcode"));
  if (!Producer)
    return makeError(ErrorKind::Toolchain,
                     formatv("'{0}' wrote no bitcode that can be read ({1}); it is no clang++", Tools.Clang,
                             toString(Producer.takeError())));
  StringRef Version = *Producer;
  Version.consume_front("LLVM");
  if (Version.split('.').first == Twine(LLVM_VERSION_MAJOR).str())
    return Error::success();
  return wrongClang(Tools.Clang, Version);
}

Error checkSource(StringRef Source) {
  if (sys::fs::is_directory(Source))
    return makeError(ErrorKind::Io,
                     formatv("cannot read '{0}': is a directory; expected a CUDA source", Source));
  if (Error E = sizeOfRegularFile(Source).takeError())
    return makeError(ErrorKind::Io, formatv("cannot read '{0}': {1}", Source, toString(std::move(E))));
  Expected<sys::fs::file_t> File = sys::fs::openNativeFileForRead(Source);
  if (!File)
    return makeError(ErrorKind::Io, formatv("cannot read '{0}': {1}", Source, toString(File.takeError())));
  if (std::error_code Code = sys::fs::closeFile(*File))
    return makeError(ErrorKind::Io, formatv("cannot read '{0}': {1}", Source, Code.message()));
  return Error::success();
}

static std::vector<std::string> warningsIn(StringRef Output) {
  std::vector<std::string> Warnings;
  for (ClangDiagnostic &D : clangDiagnostics(Output))
    Warnings.push_back(std::move(D.Text));
  return Warnings;
}

std::vector<std::string> bitcodeCommand(const Toolchain &Tools, const FrontendRequest &Request,
                                        StringRef Output) {
  return clangCommand(Tools, Request, {"-emit-llvm", "-c", "-Xclang", "-disable-llvm-passes", "-Rpass=gpu-"},
                      Output);
}

Expected<std::string> compileToBitcode(const Toolchain &Tools, const FrontendRequest &Request,
                                       std::vector<std::string> *Warnings, std::string *RuleOfFiles) {
  if (Error E = checkSource(Request.Source))
    return std::move(E);
  Expected<TemporaryDirectory> Directory = TemporaryDirectory::create();
  if (!Directory)
    return Directory.takeError();
  std::string Output = Directory->file("device.bc");
  std::vector<std::string> Command = bitcodeCommand(Tools, Request, Output);
  std::string Rule = Directory->file("device.d");
  if (RuleOfFiles)
    Command.insert(Command.end(), {"-MD", "-MF", Rule});
  Expected<ProcessOutput> Result = runProcess(Command);
  if (!Result)
    return Result.takeError();
  if (RuleOfFiles && Result->ExitCode >= 0 && sys::fs::exists(Rule))
    if (Error E = readFile(Rule).moveInto(*RuleOfFiles))
      return std::move(E);
  if (Result->ExitCode != 0)
    return frontendFailed(Tools, Request, *Result);
  if (Warnings)
    *Warnings = warningsIn(Result->Text);
  if (!sys::fs::exists(Output))
    return makeError(ErrorKind::Toolchain, formatv("'{0}' compiled '{1}' and wrote nothing; it is no clang++",
                                                   Tools.Clang, Request.Source));
  Expected<std::string> Bitcode = readFile(Output);
  if (Bitcode)
    if (Error E = checkProducer(Tools, *Bitcode))
      return std::move(E);
  return Bitcode;
}

} // namespace gpuprune
