//===- CollectedCode.cpp - Device code kept while a program is built -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Deploy/CollectedCode.h"
#include "LevelMarks.h"
#include "gpuprune/CodeGen/DeviceDescription.h"
#include "gpuprune/CodeGen/VariableWrites.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/ForeignJson.h"
#include "gpuprune/Support/IgnoreFile.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Support/RegularFile.h"
#include "gpuprune/Transforms/Kernels.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

static constexpr int64_t Schema = 1;

static std::string inCode(StringRef Folder, const Twine &Name) {
  SmallString<256> Path(Folder);
  sys::path::append(Path, "code", Name);
  return std::string(Path);
}

/// Whether nobody writes it: no kernel of this file, which alone knows it.
static bool isFileOwnConstant(const Module &M, StringRef Symbol) {
  const GlobalVariable *Variable = M.getNamedGlobal(Symbol);
  return Variable && Variable->hasLocalLinkage() &&
         !mayBeWritten(*Variable, [](const Function &) { return true; });
}

static Expected<json::Object> describeKernel(const Module &M, StringRef Bitcode, StringRef Symbol) {
  Expected<DeviceDescription> Known = describeDevice(Bitcode, Symbol);
  if (!Known)
    return Known.takeError();
  json::Array Variables;
  for (const DeviceVariable &V : Known->Variables)
    if (V.Used && !V.Fixed && !isFileOwnConstant(M, V.Symbol))
      Variables.push_back(json::Object{{"symbol", V.Symbol}, {"bytes", V.Bytes}});
  return json::Object{{"symbol", Symbol}, {"variables", std::move(Variables)}};
}

Error collectCode(Module &M, StringRef Folder) {
  SmallVector<Function *, 4> Kernels = selectKernels(M, "");
  if (Kernels.empty())
    return Error::success();
  std::string Bitcode;
  raw_string_ostream OS(Bitcode);
  WriteBitcodeToFile(M, OS);
  if (std::error_code Failed = sys::fs::create_directories(inCode(Folder, "")))
    return makeError(ErrorKind::Io, "'" + inCode(Folder, "") + "': " + Failed.message());
  if (Error E = writeIgnoreFile(Folder))
    return E;
  std::string Hash = contentHash(StringRef(Bitcode));
  // Code that is there is written again: what was built last is the newest.
  if (Error E = writeFile(inCode(Folder, Hash + ".bc"), Bitcode))
    return E;
  std::string Description = inCode(Folder, Hash + ".json");
  if (sys::fs::exists(Description))
    return Error::success();
  json::Array All;
  for (const Function *F : Kernels) {
    Expected<json::Object> Kernel = describeKernel(M, Bitcode, F->getName());
    if (!Kernel)
      return Kernel.takeError();
    All.push_back(std::move(*Kernel));
  }
  SmallString<256> Source(M.getSourceFileName());
  if (std::error_code Failed = sys::fs::make_absolute(Source)) // Whoever reads it is in another folder.
    return makeError(ErrorKind::Io, "'" + Source + "': " + Failed.message());
  json::Object Described{{"schema", Schema},
                         {"source", json::fixUTF8(Source)},
                         {"arch", Kernels.front()->getFnAttribute("target-cpu").getValueAsString()},
                         {"kernels", std::move(All)}};
  return writeFile(Description, formatv("{0:2}\n", json::Value(std::move(Described))).str());
}

/// Whether the file at \p Path tells of the kernel; then \p Code is what it says of itself.
static Expected<bool> hasKernel(const std::string &Path, StringRef Symbol, StringRef Arch,
                                CollectedCode &Code) {
  Expected<std::string> Text = readRegularFile(Path);
  if (!Text)
    return Text.takeError();
  Expected<json::Value> Parsed = parseForeignJson(*Text);
  const json::Object *O = Parsed ? Parsed->getAsObject() : nullptr;
  const json::Array *Kernels = O ? O->getArray("kernels") : nullptr;
  if (!Kernels || O->getInteger("schema") != Schema || !O->getString("source") || !O->getString("arch")) {
    consumeError(Parsed.takeError());
    return makeError(ErrorKind::Input,
                     "'" + Path + "' does not describe device code; build the program anew");
  }
  Code.Source = O->getString("source")->str();
  Code.Arch = O->getString("arch")->str();
  return Code.Arch == Arch && any_of(*Kernels, [&](const json::Value &K) {
           return K.getAsObject() && K.getAsObject()->getString("symbol") == Symbol;
         });
}

Expected<std::vector<CollectedCode>> findCode(StringRef Folder, StringRef Symbol, StringRef Arch) {
  std::vector<std::pair<sys::TimePoint<>, CollectedCode>> Found;
  std::error_code Failed;
  for (sys::fs::directory_iterator At(inCode(Folder, ""), Failed), End; !Failed && At != End;
       At.increment(Failed)) {
    StringRef Path = At->path();
    if (!Path.ends_with(".json"))
      continue;
    CollectedCode Code;
    Code.Path = (Path.drop_back(StringRef(".json").size()) + ".bc").str();
    Expected<bool> Has = hasKernel(At->path(), Symbol, Arch, Code);
    if (!Has)
      return Has.takeError();
    sys::fs::file_status Status;
    if (*Has && !sys::fs::status(Code.Path, Status))
      Found.push_back({Status.getLastModificationTime(), std::move(Code)});
  }
  if (Failed && Failed != std::errc::no_such_file_or_directory)
    return makeError(ErrorKind::Io, "'" + inCode(Folder, "") + "': " + Failed.message());
  sort(Found, [](const auto &A, const auto &B) {
    return std::tie(B.first, A.second.Path) < std::tie(A.first, B.second.Path);
  });
  std::vector<CollectedCode> Codes;
  for (auto &[Time, Code] : Found)
    Codes.push_back(std::move(Code));
  return Codes;
}

Expected<std::string> readCode(const CollectedCode &Code) {
  Expected<std::string> Bitcode = readRegularFile(Code.Path);
  if (Bitcode && contentHash(StringRef(*Bitcode)) != sys::path::stem(Code.Path))
    return makeError(ErrorKind::Input, "'" + Code.Path +
                                           "' is damaged: its content is not what was written; build the "
                                           "program anew");
  return Bitcode;
}

namespace {

class CollectCode : public PassInfoMixin<CollectCode> {
public:
  CollectCode(std::string Folder, OptimizationLevel Level) : Folder(std::move(Folder)), Level(Level) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    WithoutLevelMarks Without(M, Level);
    if (isDeviceModule(M))
      if (Error E = Level == OptimizationLevel::O0 ? notOptimized(M) : collectCode(M, Folder))
        M.getContext().diagnose(DiagnosticInfoGeneric(
            "gpuprune: device code is not collected: " + toString(std::move(E)), DS_Warning));
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  /// The front end has marked all code as not to be optimised.
  static Error notOptimized(Module &M) {
    if (selectKernels(M, "").empty())
      return Error::success();
    return makeError(ErrorKind::Input, "this is a build with -O0, which applies no tuning records either; "
                                       "compile with -O1 or more");
  }

  std::string Folder;
  OptimizationLevel Level;
};

} // namespace

void scheduleCollecting(PassBuilder &PB, StringRef Folder) {
  PB.registerPipelineStartEPCallback(
      [Folder = Folder.str()](ModulePassManager &MPM, OptimizationLevel Level) {
        MPM.addPass(CollectCode(Folder, Level));
      });
}

} // namespace gpuprune
