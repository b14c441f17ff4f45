//===- ExpectedOutputs.cpp - What the GPU is asked to agree with ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/ExpectedOutputs.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"

using namespace llvm;

namespace gpuprune {

/// Bytes of an output up to which the runner gets it as a file even where a hash would
/// do, so that it can say by how much the GPU's differs.
static constexpr size_t SmallOutput = size_t(1) << 20;

void ExpectedOutputs::run(CpuCheck &Oracle, const References &Compared, CheckDepth Depth, unsigned Jobs,
                          const ToleranceSpec &Tolerance, TuneReport &Report) {
  ArrayRef<BuiltVariant> Kernels = Compared.all();
  std::vector<std::vector<CpuOutputs>> Found(Kernels.size());
  DefaultThreadPool Pool(hardware_concurrency(Jobs));
  for (const auto &[Kernel, Outputs] : zip_equal(Kernels, Found))
    if (Kernel.alive() && !Kernel.Stock)
      Pool.async([&Oracle, Depth, &Kernel, &Outputs] { Outputs = Oracle.outputsOf(Kernel, Depth); });
  Pool.wait();
  for (const auto &[Kernel, Outputs] : zip_equal(Kernels, Found))
    for (CpuOutputs &One : Outputs) {
      SizeAgreement &Size = Report.Agreement.emplace_back();
      Size.Variant = Kernel.Row.text();
      Size.Size = One.Size;
      Size.Approximate.assign(One.Freedom.Approximate.begin(), One.Freedom.Approximate.end());
      Size.Relative = Tolerance.Relative;
      Size.Absolute = Tolerance.Absolute;
      Size.Note = One.Failure;
      for (const CpuOutputs::Buffer &B : One.Buffers)
        Size.Outputs.push_back({B.Name, contentHash(B.Bytes), "", std::nullopt});
      OnCpu.emplace_back(Kernel.Row.text(), std::move(One));
    }
}

Error ExpectedOutputs::addTo(protocol::Job &Job, StringRef Variant, StringRef Folder) const {
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
        SmallString<128> Path = Folder;
        sys::path::append(Path, Expected.File);
        if (Error E = writeFile(Path, toStringRef(B.Bytes)))
          return E;
      }
    }
  return Error::success();
}

} // namespace gpuprune
