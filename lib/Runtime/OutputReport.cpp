//===- OutputReport.cpp - What a candidate left in memory -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OutputReport.h"
#include "gpuprune/Runtime/Compare.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/RegularFile.h"

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

static Expected<Difference> differenceFrom(const std::string &Path, const Buffer &Shape,
                                           ArrayRef<uint8_t> Found, const Comparison &Tolerance) {
  Expected<std::string> Content = readRegularFile(Path);
  if (!Content)
    return make_error<JobFailure>(ResultStatus::Error, "expected output: " + toString(Content.takeError()));
  ArrayRef<uint8_t> Wanted = arrayRefFromStringRef(*Content);
  if (Wanted.size() != Found.size())
    return make_error<JobFailure>(ResultStatus::Error,
                                  formatv("expected output {0} has {1} bytes, but the buffer {2} has {3}",
                                          Path, Wanted.size(), Shape.Name, Found.size()));
  return compareWithExpected(Shape.Type, Tolerance, Wanted, Found);
}

Expected<std::vector<Output>> reportOutputs(const Gpu &G, const ModuleCache &Files, const Problem &P,
                                            const Comparison &Tolerance, const BufferSet &Buffers) {
  std::vector<Output> Outputs;
  for (const ExpectedOutput &Expected : P.Expected) {
    const Buffer &Shape = P.Buffers[Expected.Buffer];
    llvm::Expected<std::vector<uint8_t>> Found =
        G.downloadAll(Buffers.buffers()[Expected.Buffer]->address(), Shape.bytes());
    if (!Found)
      return Found.takeError();
    clearPadding(Shape.Type, *Found);
    Output &Out = Outputs.emplace_back(Output{Shape.Name, contentHash(*Found), std::nullopt});
    if (Out.Hash == Expected.Hash || Expected.File.empty())
      continue;
    llvm::Expected<Difference> Apart = differenceFrom(Files.locate(Expected.File), Shape, *Found, Tolerance);
    if (!Apart)
      return Apart.takeError();
    Out.Apart = std::move(*Apart);
  }
  return Outputs;
}

} // namespace gpuprune
