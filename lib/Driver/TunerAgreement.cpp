//===- TunerAgreement.cpp - What the GPU is asked to agree with -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"

using namespace llvm;

namespace gpuprune {

/// Bytes of an output up to which the runner gets it as a file even where a hash would
/// do, so that it can say by how much the GPU's differs.
static constexpr size_t SmallOutput = size_t(1) << 20;

/// All of Report.Agreement but what the GPU says.
void Tuner::runReferencesOnCpu() {
  if (!checksOnCpu() || Limit->assemblingOver())
    return;
  std::vector<std::vector<CpuOutputs>> Found(References.size());
  DefaultThreadPool Pool(hardware_concurrency(Options.Jobs));
  for (size_t I = 1; I < References.size(); ++I)
    if (References[I].alive() && !References[I].Stock)
      Pool.async([this, I, &Found] { Found[I] = Oracle->outputsOf(References[I], checkDepth()); });
  Pool.wait();
  for (size_t I = 1; I < References.size(); ++I)
    for (CpuOutputs &One : Found[I]) {
      SizeAgreement &Size = Report.Agreement.emplace_back();
      Size.Variant = References[I].Row.text();
      Size.Size = One.Size;
      Size.Approximate.assign(One.Freedom.Approximate.begin(), One.Freedom.Approximate.end());
      Size.Relative = Target.W.Tolerance.Relative;
      Size.Absolute = Target.W.Tolerance.Absolute;
      Size.Note = One.Failure;
      for (const CpuOutputs::Buffer &B : One.Buffers)
        Size.Outputs.push_back({B.Name, contentHash(B.Bytes), "", std::nullopt});
      OnCpu.emplace_back(References[I].Row.text(), std::move(One));
    }
}

/// Tells the runner what the CPU computed of the prepared kernel \p Variant.
Error Tuner::addExpected(protocol::Job &Job, StringRef Variant) {
  StringRef Home = cubinFolder();
  for (protocol::Problem &Problem : Job.Checks)
    for (const auto &[Number, Known] : llvm::enumerate(OnCpu)) {
      const auto &[Of, Outputs] = Known;
      if (Of != Variant || Outputs.Size != Problem.Name)
        continue;
      for (const CpuOutputs::Buffer &B : Outputs.Buffers) {
        protocol::ExpectedOutput &Expected = Problem.Expected.emplace_back();
        Expected.Buffer = B.Index;
        Expected.Hash = contentHash(B.Bytes);
        if (!Outputs.Freedom.betweenMachines() && B.Bytes.size() > SmallOutput)
          continue;
        Expected.File = formatv("expected{0}-{1}.bin", Number, B.Index);
        SmallString<128> Path = Home;
        sys::path::append(Path, Expected.File);
        if (Error E = writeFile(Path, toStringRef(B.Bytes)))
          return E;
      }
    }
  return Error::success();
}

} // namespace gpuprune
