//===- Assembler.cpp - PTX to cubins, many variants in one run of ptxas -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/Assembler.h"
#include "gpuprune/MachineCode/CodeDigest.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

/// Characters of an identifier (PTX ISA, section 4.4).
static bool isIdentifierChar(char C) { return isAlnum(C) || C == '_' || C == '$' || C == '%'; }

/// Calls \p Take for each identifier of \p Line with the text before it.
static void forEachToken(StringRef Line, function_ref<void(StringRef Before, StringRef Token)> Take) {
  while (true) {
    size_t Start = 0;
    while (Start < Line.size() && !isIdentifierChar(Line[Start]))
      ++Start;
    size_t End = Start;
    while (End < Line.size() && isIdentifierChar(Line[End]))
      ++End;
    Take(Line.take_front(Start), Line.slice(Start, End));
    if (End == Line.size())
      return;
    Line = Line.drop_front(End);
  }
}

/// The symbol a line at module level defines: the last identifier before its
/// parameters, its array size or its end.
static StringRef definedSymbol(StringRef Line) {
  bool IsDefinition = any_of(ArrayRef<StringRef>{".visible ", ".weak ", ".entry ", ".func ", ".shared ",
                                                 ".global ", ".const ", ".common "},
                             [&](StringRef Directive) { return Line.starts_with(Directive); });
  if (!IsDefinition)
    return "";
  StringRef Head =
      Line.take_until([](char C) { return C == '(' || C == '[' || C == '=' || C == ';'; }).rtrim();
  // A function that returns a value has it in parentheses before its name.
  if (Line.contains(".func") && Line.contains(") "))
    Head = Line.split(") ").second.take_until([](char C) { return C == '(' || C == ';'; }).rtrim();
  return Head.drop_front(Head.find_last_of(" \t") + 1); // All of it where there is no blank.
}

/// The symbols that \p Ptx defines at module level, each with the line that does.
static StringMap<StringRef> definitions(StringRef Ptx) {
  StringMap<StringRef> Symbols;
  unsigned Depth = 0;
  for (StringRef Line : split(Ptx, '\n')) {
    StringRef Code = Line.split("//").first;
    if (Depth == 0)
      if (StringRef Symbol = definedSymbol(Code.trim()); !Symbol.empty())
        Symbols[Symbol] = Code.trim();
    Depth += Code.count('{');
    Depth -= std::min<size_t>(Depth, Code.count('}'));
  }
  return Symbols;
}

/// A variable that the host can find by its name, as __constant__ and __device__ variables are.
static bool isHostVariable(StringRef Definition) {
  return Definition.starts_with(".visible .const ") || Definition.starts_with(".visible .global ");
}

std::string renameSymbols(StringRef Ptx, StringRef Suffix) {
  StringMap<StringRef> Symbols = definitions(Ptx);
  std::string Renamed;
  Renamed.reserve(Ptx.size() + Ptx.size() / 8);
  forEachToken(Ptx, [&](StringRef Before, StringRef Token) {
    Renamed += Before;
    Renamed += Token;
    if (auto Found = Symbols.find(Token); Found != Symbols.end() && !isHostVariable(Found->second))
      Renamed += Suffix;
  });
  return Renamed;
}

/// The directives that may stand only once in a file.
static bool isHeader(StringRef Line) {
  return Line.starts_with(".version") || Line.starts_with(".target") || Line.starts_with(".address_size");
}

static std::string suffixOf(const AssemblyJob &Job, size_t Place) {
  return formatv("_v{0}", Job.Number.value_or(Place));
}

/// Whether a definition mentions another symbol of its module, as an initialiser may.
static bool refersToOthers(StringRef Definition, StringRef Symbol, const StringMap<StringRef> &Symbols) {
  bool Refers = false;
  forEachToken(Definition,
               [&](StringRef, StringRef Token) { Refers |= Token != Symbol && Symbols.contains(Token); });
  return Refers;
}

/// Host variables keep their names, so that all jobs of a file use the same ones; then they
/// must be the same.
static bool canShareFile(ArrayRef<AssemblyJob> Jobs) {
  StringMap<StringRef> Shared;
  for (const AssemblyJob &Job : Jobs) {
    StringMap<StringRef> Symbols = definitions(Job.Ptx);
    for (const auto &[Symbol, Definition] : Symbols) {
      if (!isHostVariable(Definition))
        continue;
      if (refersToOthers(Definition, Symbol, Symbols) ||
          Shared.try_emplace(Symbol, Definition).first->second != Definition)
        return false;
    }
  }
  return true;
}

/// One file with all of \p Jobs, renamed, under the header of the first.
static std::string joinPtx(ArrayRef<AssemblyJob> Jobs) {
  std::string Joined;
  StringSet<> Variables;
  for (size_t I = 0; I < Jobs.size(); ++I) {
    std::string Renamed = renameSymbols(Jobs[I].Ptx, suffixOf(Jobs[I], I));
    for (StringRef Line : split(Renamed, '\n')) {
      if (I > 0 && isHeader(Line))
        continue;
      if (isHostVariable(Line) && !Variables.insert(Line.split("//").first.trim()).second)
        continue;
      Joined += Line;
      Joined += '\n';
    }
  }
  return Joined;
}

static std::vector<std::string> ptxasOptions(const DeviceInfo &Device) {
  return {"-m64", "-O3", "--gpu-name", Device.Arch};
}

Expected<std::string> assembleImage(const Toolchain &Tools, const DeviceInfo &Device, StringRef Ptx) {
  Expected<TemporaryDirectory> Directory = TemporaryDirectory::create();
  if (!Directory)
    return Directory.takeError();
  std::string Path = Directory->file("variant.cubin");
  Expected<std::string> Log = runPtxas(Tools, Device, Ptx, Path);
  if (!Log)
    return Log.takeError();
  Expected<std::string> Image = readFile(Path);
  if (!Image)
    return Image.takeError();
  if (auto Kernels = readCubin(*Image, Device.SharedReserved); !Kernels)
    return Kernels.takeError();
  return Image;
}

std::string assemblerIdentity(const Toolchain &Tools, const DeviceInfo &Device) {
  Expected<ProcessOutput> Output = runProcess({Tools.Ptxas, "--version"});
  if (!Output) {
    consumeError(Output.takeError());
    return "";
  }
  // "Build cuda_13.0.r13.0/compiler.36424714_0", the last line, tells one from all others.
  StringRef Build = StringRef(Output->Text).rtrim().rsplit('\n').second.trim();
  if (Output->ExitCode != 0 || !Build.consume_front("Build "))
    return "";
  return ("ptxas " + Build + " " + join(ptxasOptions(Device), " ")).str();
}

static Error ptxasFailed(const Toolchain &Tools, const DeviceInfo &Device, const ProcessOutput &Output) {
  StringRef Text = Output.Text;
  // It does not know the version of PTX that this LLVM writes, or the device.
  if (Text.contains("Unsupported .version") || Text.contains("is not defined for option 'gpu-name'"))
    return makeError(ErrorKind::Toolchain,
                     formatv("'{0}' is too old for {1} code of this LLVM; expected ptxas of CUDA 13.0 or "
                             "later: install it, or let GPUPRUNE_PTXAS name it. It said: {2}",
                             Tools.Ptxas, Device.Arch, failureText(Output)));
  if (ranOutOfDisk(Output))
    return makeError(ErrorKind::Io, "ptxas: " + failureText(Output));
  bool TooMuch =
      Text.contains("uses too much") || Text.contains("exceeds") || Text.contains("too many resources");
  return makeError(TooMuch ? ErrorKind::Resources : ErrorKind::Ptxas, "ptxas: " + failureText(Output));
}

Expected<std::string> runPtxas(const Toolchain &Tools, const DeviceInfo &Device, StringRef Ptx,
                               const std::string &CubinPath) {
  Expected<TemporaryDirectory> Directory = TemporaryDirectory::create();
  if (!Directory)
    return Directory.takeError();
  std::string Source = Directory->file("variants.ptx");
  if (Error E = writeFile(Source, Ptx))
    return std::move(E);
  std::vector<std::string> Command = {Tools.Ptxas, "-v", "--output-file", CubinPath};
  append_range(Command, ptxasOptions(Device));
  Command.push_back(Source);
  Expected<ProcessOutput> Output = runProcess(Command);
  if (!Output)
    return Output.takeError();
  StringRef Text = Output->Text;
  if (Output->ExitCode != 0)
    return ptxasFailed(Tools, Device, *Output);
  // It ends well even where the disk was full and the cubin is cut off.
  if (ErrorOr<sys::fs::space_info> Disk = sys::fs::disk_space(CubinPath); Disk && Disk->available == 0)
    return makeError(ErrorKind::Io, formatv("cannot write '{0}': {1}", CubinPath,
                                            std::make_error_code(std::errc::no_space_on_device).message()));
  if (!sys::fs::exists(CubinPath))
    return makeError(ErrorKind::Ptxas, formatv("ptxas: '{0}' ended well and wrote no cubin", Tools.Ptxas));
  return std::move(Output->Text);
}

namespace {
struct Spills {
  uint64_t Stores = 0, Loads = 0;
};
} // namespace

/// From "Function properties for NAME" and the line after it.
static StringMap<Spills> parseSpills(StringRef Log) {
  StringMap<Spills> Found;
  StringRef Function;
  for (StringRef Line : split(Log, '\n')) {
    if (Line.contains("Function properties for "))
      Function = Line.split("Function properties for ").second.trim();
    if (!Line.contains("bytes spill stores"))
      continue;
    Spills &S = Found[Function];
    StringRef Stores = Line.split("bytes stack frame,").second.split("bytes spill stores").first.trim();
    StringRef Loads = Line.split("bytes spill stores,").second.split("bytes spill loads").first.trim();
    if (Stores.getAsInteger(10, S.Stores) || Loads.getAsInteger(10, S.Loads))
      S = {};
  }
  return Found;
}

static Expected<AssembledKernel> lookUp(const std::map<std::string, CubinKernel> &Kernels,
                                        const StringMap<Spills> &Spilled, const std::string &CubinPath,
                                        std::string Symbol) {
  auto Found = Kernels.find(Symbol);
  if (Found == Kernels.end())
    return makeError(ErrorKind::Ptxas, formatv("ptxas made no kernel '{0}'", Symbol));
  Spills S = Spilled.lookup(Symbol);
  return AssembledKernel{CubinPath, std::move(Symbol), Found->second, "", S.Stores, S.Loads};
}

using AssemblyResults = std::vector<Expected<AssembledKernel>>;

static Expected<AssemblyResults> assembleTogether(const Toolchain &Tools, const DeviceInfo &Device,
                                                  ArrayRef<AssemblyJob> Jobs, const std::string &CubinPath) {
  Expected<std::string> Log = runPtxas(Tools, Device, joinPtx(Jobs), CubinPath);
  if (!Log)
    return Log.takeError();
  Expected<std::string> Image = readFile(CubinPath);
  if (!Image)
    return Image.takeError();
  Expected<std::map<std::string, CubinKernel>> Kernels = readCubin(*Image, Device.SharedReserved);
  if (!Kernels)
    return Kernels.takeError();
  std::vector<std::string> Symbols;
  for (size_t I = 0; I < Jobs.size(); ++I)
    Symbols.push_back(Jobs[I].Kernel + suffixOf(Jobs[I], I));
  Expected<std::vector<std::string>> MachineCodes = machineCodes(*Image, Symbols);
  if (!MachineCodes)
    return MachineCodes.takeError();
  StringMap<Spills> Spilled = parseSpills(*Log);
  AssemblyResults Results;
  for (auto [Symbol, MachineCode] : zip_equal(Symbols, *MachineCodes)) {
    Results.push_back(lookUp(*Kernels, Spilled, CubinPath, Symbol));
    if (Results.back())
      Results.back()->MachineCode = std::move(MachineCode);
  }
  return Results;
}

AssemblyResults assemble(const Toolchain &Tools, const DeviceInfo &Device, ArrayRef<AssemblyJob> Jobs,
                         const std::string &CubinPath) {
  AssemblyResults Results;
  if (Jobs.size() == 1 || canShareFile(Jobs)) {
    Expected<AssemblyResults> Together = assembleTogether(Tools, Device, Jobs, CubinPath);
    if (Together)
      return std::move(*Together);
    if (Jobs.size() == 1) {
      Results.push_back(Together.takeError());
      return Results;
    }
    consumeError(Together.takeError()); // Each job's own run says what is wrong with it.
  }
  for (size_t I = 0; I < Jobs.size(); ++I) {
    AssemblyJob Alone = Jobs[I];
    Alone.Number = Alone.Number.value_or(I);
    Results.push_back(
        std::move(assemble(Tools, Device, Alone, formatv("{0}.{1}.cubin", CubinPath, I)).front()));
  }
  return Results;
}

} // namespace gpuprune
