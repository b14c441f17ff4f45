//===- RecordingsFolder.cpp - All recordings of a folder -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Record/RecordingsFolder.h"
#include "CodeFolder.h"
#include "gpuprune/Record/Recording.h"
#include "gpuprune/Support/Counted.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

namespace {
struct FoundRecording {
  std::string Folder;
  Recording Read;
  std::string Problem; ///< Why it cannot be used; else empty.
};
} // namespace

/// "sm_90" as the two numbers of a compute capability.
static std::pair<int, int> capabilityOf(StringRef Arch) {
  int Number = 0;
  Arch.consume_front("sm_");
  (void)Arch.consumeInteger(10, Number);
  return {Number / 10, Number % 10};
}

static std::string problemOf(const std::string &Folder, const Recording &R, const CodeFolder &Code) {
  if (Error E = checkContents(Folder, R))
    return takeError(std::move(E)).Text;
  std::string Why;
  auto [Major, Minor] = capabilityOf(R.Arch);
  const CodeKernel *K = Code.find(R.Kernel, Major, Minor, Why);
  return K ? bitcodeProblem(*K) : Why;
}

static bool isNamed(const Recording &R, StringRef Text) {
  return StringRef(R.Kernel).contains(Text) || StringRef(demangle(R.Kernel)).contains(Text);
}

/// Those that are selected; what cannot be read belongs to no kernel. \p Checked: with all their contents.
static std::vector<FoundRecording> find(const RecordingSelection &Selected, bool Checked) {
  CodeFolder Code(Selected.Directory);
  std::vector<FoundRecording> All;
  for (std::string &Folder : listRecordings(Selected.Directory)) {
    Expected<Recording> R = readRecording(Folder);
    if (!R) {
      std::string Problem = takeError(R.takeError()).Text;
      if (Selected.Kernel.empty())
        All.push_back({std::move(Folder), {}, std::move(Problem)});
      continue;
    }
    if (!isNamed(*R, Selected.Kernel))
      continue;
    std::string Problem = Checked ? problemOf(Folder, *R, Code) : "";
    All.push_back({std::move(Folder), std::move(*R), std::move(Problem)});
  }
  return All;
}

static Error none(const RecordingSelection &Selected) {
  return makeError(
      ErrorKind::Input,
      formatv("there is no recording{0} in '{1}'; 'gpuprune record --dir={1} -- COMMAND' makes some",
              Selected.Kernel.empty() ? "" : " of such a kernel", Selected.Directory));
}

static uint64_t bytesOf(const Recording &R) {
  uint64_t Sum = 0;
  for (const RecordedAllocation &A : R.Allocations)
    Sum += A.Bytes;
  for (const RecordedVariable &V : R.Variables)
    Sum += V.Bytes;
  return Sum;
}

Error showRecordings(const RecordingSelection &Selected, raw_ostream &OS) {
  std::vector<FoundRecording> All = find(Selected, /*Checked=*/false);
  if (All.empty())
    return none(Selected);
  stable_sort(All, [](const auto &A, const auto &B) { return A.Read.GpuMs > B.Read.GpuMs; });
  OS << "    GPU ms  launches        MiB  grid, block, dynamic shared memory: kernel (recording)\n";
  for (const auto &[Folder, R, Problem] : All) {
    if (!Problem.empty()) {
      OS << "  " << Problem << '\n';
      continue;
    }
    OS << format("%10.3f %9llu %10.1f  ", R.GpuMs, (unsigned long long)R.Launches,
                 double(bytesOf(R)) / (1 << 20));
    OS << formatv("{0}, {1}, {2}: {3} ({4})\n", R.Grid.text('x'), R.Block.text('x'), R.DynamicShared,
                  demangle(R.Kernel), sys::path::filename(Folder));
  }
  return Error::success();
}

Error checkRecordings(const RecordingSelection &Selected, raw_ostream &OS) {
  std::vector<FoundRecording> All = find(Selected, /*Checked=*/true);
  if (All.empty())
    return none(Selected);
  size_t Wrong = 0;
  for (const FoundRecording &Each : All) {
    if (Each.Problem.empty())
      continue;
    ++Wrong;
    OS << sys::path::filename(Each.Folder) << ": " << Each.Problem << '\n';
  }
  if (Wrong == 0) {
    OS << counted(All.size(), "recording") << ", all complete\n";
    return Error::success();
  }
  return makeError(ErrorKind::Input,
                   formatv("{0} of {1} cannot be used; 'gpuprune record prune {2}' removes them", Wrong,
                           counted(All.size(), "recording"), Selected.Directory));
}

Error pruneRecordings(const RecordingSelection &Selected, raw_ostream &OS) {
  unsigned Unfinished = removeUnfinished(Selected.Directory);
  bool Damaged = !Selected.All && Selected.Kernel.empty();
  size_t Removed = 0;
  for (const FoundRecording &Each : find(Selected, /*Checked=*/Damaged)) {
    if (Damaged && Each.Problem.empty())
      continue;
    if (std::error_code EC = sys::fs::remove_directories(Each.Folder, /*IgnoreErrors=*/false))
      return makeError(ErrorKind::Io, formatv("cannot remove '{0}': {1}", Each.Folder, EC.message()));
    ++Removed;
  }
  OS << "removed " << counted(Removed, "recording");
  if (Unfinished > 0)
    OS << ", and " << Unfinished << " that were not finished";
  OS << '\n';
  return Error::success();
}

} // namespace gpuprune
