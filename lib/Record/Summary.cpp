//===- Summary.cpp - What a run has recorded, for people -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ClassTable.h"
#include "gpuprune/Support/Counted.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprune {

/// Kernels beyond these are only counted.
static constexpr size_t MostRows = 50;

static std::string mebibytes(uint64_t Bytes) { return formatv("{0:F1} MiB", double(Bytes) / (1 << 20)); }

/// What was recorded of a kernel, and why not more.
static std::string outcome(const KernelSummary &K) {
  std::string Text;
  if (K.Recorded > 0)
    Text = formatv("{0} recorded, {1}", K.Recorded, mebibytes(K.RecordedBytes));
  for (const auto &[Why, Launches] : K.Reasons) {
    Text += Text.empty() ? "not recorded: " : "; ";
    if (Launches > 0)
      Text += counted(Launches, "launch", "launches") + ": ";
    Text += Why;
  }
  return Text.empty() ? "not recorded" : Text;
}

/// To the microsecond, of less than one millisecond to a tenth of it.
static std::string milliseconds(double Ms) { return formatv(Ms < 1 ? "{0:F4}" : "{0:F3}", Ms).str(); }

std::string summaryText(const std::vector<KernelSummary> &Kernels, StringRef Directory,
                        const std::vector<std::string> &Notes) {
  std::string Text;
  raw_string_ostream OS(Text);
  uint64_t Launches = 0, Recorded = 0, Bytes = 0;
  double Ms = 0;
  for (const KernelSummary &K : Kernels) {
    Launches += K.Launches;
    Recorded += K.Recorded;
    Bytes += K.RecordedBytes;
    Ms += K.Ms;
  }
  OS << formatv("gpuprune: {0}, {1}, {2} ms on the GPU; recorded {3} ({4}) in {5}\n",
                counted(Kernels.size(), "kernel"), counted(Launches, "launch", "launches"), milliseconds(Ms),
                counted(Recorded, "launch", "launches"), mebibytes(Bytes), Directory);
  if (!Kernels.empty())
    OS << "gpuprune:     GPU ms  launches  classes  kernel\n";
  for (const KernelSummary &K : ArrayRef(Kernels).take_front(MostRows)) {
    OS << format("gpuprune: %10s %9llu %8llu  ", milliseconds(K.Ms).c_str(), (unsigned long long)K.Launches,
                 (unsigned long long)K.Classes);
    OS << demangle(K.Symbol) << ": " << outcome(K) << '\n';
  }
  if (Kernels.size() > MostRows)
    OS << "gpuprune: and " << counted(Kernels.size() - MostRows, "kernel") << " more\n";
  for (const std::string &Note : Notes)
    OS << "gpuprune: " << Note << '\n';
  return Text;
}

} // namespace gpuprune
