//===- KernelData.cpp - A workload's buffers for its reference ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelData.h"
#include "gpuprune/Driver/MeasurePlan.h"
#include "gpuprune/Runtime/Compare.h"
#include "gpuprune/Runtime/Fill.h"
#include "gpuprune/Variant/ProtocolBuffers.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace llvm;

namespace gpuprune::test {

static const std::string KernelsFolder = GPUPRUNE_SOURCE_DIR "/kernels";

/// Of \p Folder of kernels/, each with \p Folder in front.
static std::vector<std::string> workloadsIn(const std::string &Folder) {
  std::vector<std::string> Names;
  std::error_code Failed;
  for (sys::fs::directory_iterator At(KernelsFolder + ("/" + Folder), Failed), End; !Failed && At != End;
       At.increment(Failed))
    if (sys::fs::exists(At->path() + "/workload.yaml"))
      Names.push_back(Folder + sys::path::filename(At->path()).str());
  std::sort(Names.begin(), Names.end());
  return Names;
}

std::vector<std::string> kernelFolders() { return workloadsIn(""); }

std::vector<std::string> sequenceFolders() { return workloadsIn("sequences/"); }

Expected<Workload> loadKernel(const std::string &Folder) {
  return loadWorkload(KernelsFolder + "/" + Folder);
}

std::string kernelTestName(const testing::TestParamInfo<std::string> &Folder) {
  std::string Name = Folder.param;
  std::replace_if(Name.begin(), Name.end(), [](char C) { return C == '-' || C == '/'; }, '_');
  return Name;
}

static kernels::BufferData bufferData(const protocol::Buffer &B) {
  kernels::BufferData Data;
  Data.Bytes.resize(B.bytes());
  Data.ElementBytes = B.Type.bytes();
  Data.IsOut = B.Role == BufferRole::Out;
  Data.Written.resize(B.Count);
  if (!Data.IsOut)
    cantFail(fillBuffer(B.Type, B.Contents, Data.Bytes)); // Resolved, so it can be filled.
  return Data;
}

kernels::Problem kernelProblem(const Workload &W, const ResolvedProblem &Resolved, const SizeEnv &Sizes) {
  kernels::Problem P;
  for (const auto &Value : environmentOf(Sizes, cantFail(completeDefines(W, {}))))
    P.Sizes[Value.first().str()] = Value.second;
  // Of a sequence those of its last launch.
  for (const auto &[Position, Argument] : enumerate(Resolved.tuned().Arguments))
    if (!Argument.Buffer)
      P.Scalars[Position] = Argument.bytes();
  // What is filled has the names from before the first step.
  for (const auto &[Shape, B] : zip_equal(Resolved.Buffers, protocolBuffers(Resolved)))
    P.Buffers[Shape.FirstName] = bufferData(B);
  return P;
}

std::string firstDifference(const ResolvedBuffer &Shape, const kernels::BufferData &Expected,
                            ArrayRef<uint8_t> Got, kernels::Tolerance Allowed, uint8_t Pattern) {
  protocol::Comparison Compare{protocol::CompareMode::Tolerance, Allowed.Relative, Allowed.Absolute};
  unsigned Bytes = Expected.ElementBytes;
  std::vector<uint8_t> Untouched(Bytes, Pattern);
  std::string First;
  forEachField(Shape.Type, 0, Shape.Bytes, [&](uint64_t At, size_t Index) {
    const auto &[Name, Type, Offset] = Shape.Type.fields()[Index];
    bool MustStay = Expected.IsOut && !Expected.Written[At / Bytes];
    const uint8_t *Wanted = MustStay ? Untouched.data() : Expected.Bytes.data() + At;
    uint64_t Right = loadElement(Type, Wanted), Found = loadElement(Type, Got.data() + At);
    bool Same = Right == Found ||
                (!MustStay && isFloatingPoint(Type) && withinTolerance(Type, Right, Found, Compare));
    if (!Same && First.empty())
      First = formatv("{0}[{1}]{2}{3}: the reference {4} {5}, the kernel left {6}", Shape.Name, At / Bytes,
                      Name.empty() ? "" : ".", Name, MustStay ? "leaves what was there," : "has",
                      describeElement(Type, Right), describeElement(Type, Found));
  });
  return First;
}

} // namespace gpuprune::test
