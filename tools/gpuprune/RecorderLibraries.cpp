//===- RecorderLibraries.cpp - Where plugin, recorder and CUPTI are ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RecorderLibraries.h"
#include "gpuprune/Report/TuneReport.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace gpuprune {

static constexpr StringLiteral CuptiNames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};

static std::string environment(StringRef Name) { return sys::Process::GetEnv(Name).value_or(""); }

/// The real path of the first of \p Files that exists; empty if there is none.
static std::string firstOf(ArrayRef<std::string> Files) {
  for (const std::string &File : Files) {
    SmallString<256> Real;
    if (sys::fs::exists(File) && !sys::fs::is_directory(File) && !sys::fs::real_path(File, Real))
      return std::string(Real);
  }
  return "";
}

/// Where a library of ours may be: beside the bin of this program.
static std::vector<std::string> placesOf(StringRef Name, const char *Argv0) {
  std::string Self = sys::fs::getMainExecutable(Argv0, reinterpret_cast<void *>(&findRecorder));
  std::string Folder = sys::path::parent_path(Self).str();
  return {(Folder + "/../lib/" + Name).str(), (Folder + "/../" GPUPRUNE_LIBRARY_FOLDER "/" + Name).str(),
          (Folder + "/" + Name).str()};
}

std::string findPlugin() {
  std::string Found = firstOf(placesOf(PluginName, nullptr));
  return Found.empty() ? PluginName : Found;
}

Expected<std::string> findRecorder(const char *Argv0) {
  std::string Named = environment("GPUPRUNE_RECORDER_LIBRARY");
  std::vector<std::string> Files = placesOf("libGpuPruneRecord.so", Argv0);
  if (!Named.empty())
    Files.assign(1, Named);
  std::string Found = firstOf(Files);
  if (!Found.empty())
    return Found;
  return makeError(
      ErrorKind::Toolchain,
      formatv("the recorder is missing: there is no '{0}'; it belongs in the folder lib beside the bin of "
              "this program, or name it in GPUPRUNE_RECORDER_LIBRARY",
              join(Files, "', '")));
}

/// libcupti in one of \p Folders, the newest version first.
static std::string cuptiIn(ArrayRef<std::string> Folders) {
  std::vector<std::string> Files;
  for (StringRef Name : CuptiNames)
    for (const std::string &Folder : Folders)
      Files.push_back(Folder + "/" + Name.str());
  return firstOf(Files);
}

/// The folders of CUDA toolkits, complete or not, in the order in which gpuprune looks for one.
static std::vector<std::string> toolkits() {
  std::vector<std::string> Roots;
  if (std::string Home = environment("CUDA_HOME"); !Home.empty())
    Roots.push_back(Home);
  SmallString<128> Real;
  if (ErrorOr<std::string> Ptxas = sys::findProgramByName("ptxas");
      Ptxas && !sys::fs::real_path(*Ptxas, Real))
    Roots.push_back(sys::path::parent_path(sys::path::parent_path(Real)).str());
  Roots.push_back("/usr/local/cuda");
  std::string Data = environment("XDG_DATA_HOME");
  Roots.push_back((sys::path::is_absolute(Data) ? Data : environment("HOME") + "/.local/share") +
                  "/gpuprune/cuda-13.0");
  return Roots;
}

static std::vector<std::string> toolkitFolders() {
  std::vector<std::string> Folders;
  for (const std::string &Root : toolkits())
    for (StringRef Below : {"/extras/CUPTI/lib64", "/lib64", "/lib", "/targets/x86_64-linux/lib"})
      Folders.push_back(Root + Below.str());
  return Folders;
}

/// Where the packages of the python3 on the PATH have libraries: that of an active environment, too.
static std::vector<std::string> pythonFolders() {
  ErrorOr<std::string> Python = sys::findProgramByName("python3");
  if (!Python)
    return {};
  Expected<ProcessOutput> Said = runProcess({*Python, "-c", "import sys; print('\\n'.join(sys.path))"});
  if (!Said) {
    consumeError(Said.takeError());
    return {};
  }
  std::vector<std::string> Folders;
  for (StringRef Line : split(Said->Text, '\n'))
    if (sys::path::is_absolute(Line))
      for (StringRef Below : {"/nvidia/cu13/lib", "/nvidia/cuda_cupti/lib"})
        Folders.push_back((Line + Below).str());
  return Folders;
}

Expected<std::string> findCupti() {
  if (std::string Named = environment("GPUPRUNE_CUPTI"); !Named.empty()) {
    std::string Found = sys::fs::is_directory(Named) ? cuptiIn({Named}) : firstOf({Named});
    if (!Found.empty())
      return Found;
    return makeError(
        ErrorKind::Toolchain,
        formatv("GPUPRUNE_CUPTI is '{0}'; there is no libcupti. It names the library or its folder", Named));
  }
  for (auto *Folders : {toolkitFolders, pythonFolders})
    if (std::string Found = cuptiIn(Folders()); !Found.empty())
      return Found;
  std::vector<std::string> System = {"/usr/lib/x86_64-linux-gnu", "/usr/lib64"};
  for (StringRef Folder : split(environment("LD_LIBRARY_PATH"), ':'))
    if (!Folder.empty())
      System.push_back(Folder.str());
  if (std::string Found = cuptiIn(System); !Found.empty())
    return Found;
  return makeError(
      ErrorKind::Toolchain,
      formatv("recording needs NVIDIA's CUPTI (libcupti.so.13 or .12), which is in none of the CUDA "
              "toolkits '{0}' and not among python3's packages; 'pip install nvidia-cuda-cupti' installs it, "
              "tools/cuda-toolkit fetch has it, and GPUPRUNE_CUPTI names the library",
              join(toolkits(), "', '")));
}

} // namespace gpuprune
