//===- TunerCompile.cpp - From variants to cubins -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"

using namespace llvm;

namespace gpuprune {

/// Variants in one run of ptxas: enough that its start is paid once for many,
/// few enough that all cores have some.
static constexpr size_t LargestBatch = 20;

void Tuner::compileReferences() {
  DefaultThreadPool Pool(hardware_concurrency(Options.Jobs));
  for (BuiltVariant &V : References)
    Pool.async([this, &V] { Builder->compile(V); });
  Pool.wait();
}

void Tuner::compileAll() {
  Shown.begin(phaseName(Phase::CodeGen), Variants.size());
  DefaultThreadPool Pool(hardware_concurrency(Options.Jobs));
  for (size_t I : variantOrder())
    Pool.async([this, V = &Variants[I]] {
      if (Limit->compilingOver())
        skip(*V);
      else
        Builder->compile(*V);
      Shown.step();
    });
  Pool.wait();
  Shown.end();
}

/// Before anything is compiled in vain: where the author's own launch is wrong, nothing can be right.
Error Tuner::checkAuthor() {
  if (!Oracle)
    return Error::success();
  Shown.begin(phaseName(Phase::Check), 1);
  Error Failure = Oracle->checkAuthor(checkDepth());
  Shown.step();
  Shown.end();
  return Failure;
}

/// What of a variant's launch beside its shape decides what it computes: the arguments and the buffers.
static std::string problemKey(const VariantBuilder &Builder, const BuiltVariant &V) {
  // All variants of a choice have one problem; the author's results are those of other choices, too.
  const LaunchChoice &Choice = Builder.choiceOf(V.Parts);
  return Choice.OwnResult.empty() ? "" : Choice.Text;
}

/// Variants with the same PTX and the same launch are one: the first.
void Tuner::findTwins() {
  StringMap<const BuiltVariant *> First;
  for (BuiltVariant &V : Variants) {
    if (!V.alive())
      continue;
    auto Key = [](const Dim3 &D) { return formatv("{0},{1},{2};", D.X, D.Y, D.Z).str(); };
    auto [Entry, IsNew] =
        First.try_emplace(Key(V.Row.Grid) + Key(V.Row.Block) + std::to_string(V.Row.DynamicShared) + ";" +
                              problemKey(*Builder, V) + ";" + V.Ptx,
                          &V);
    if (IsNew)
      continue;
    V.Row.Twin = Entry->second->Row.Variant;
    V.FinalBitcode = SmallString<0>(); // There may be thousands.
  }
}

std::vector<BuiltVariant *> Tuner::live() {
  std::vector<BuiltVariant *> Live;
  auto Add = [&](BuiltVariant &V) {
    if (V.alive() && !V.Row.isDuplicate())
      Live.push_back(&V);
  };
  for_each(References, Add);
  for (size_t I : variantOrder())
    Add(Variants[I]);
  return Live;
}

Error Tuner::assembleAll() {
  std::vector<BuiltVariant *> Live = live();
  StringRef Home = Options.BundleDirectory.empty() ? CubinHome->path() : StringRef(Options.BundleDirectory);
  Shown.begin(phaseName(Phase::Assemble), Live.size());
  size_t PerThread = divideCeil(Live.size(), threads());
  size_t BatchSize = std::clamp<size_t>(PerThread, 1, LargestBatch);
  DefaultThreadPool Pool(hardware_concurrency(Options.Jobs));
  for (size_t Begin = 0; Begin < Live.size(); Begin += BatchSize) {
    MutableArrayRef<BuiltVariant *> Batch =
        MutableArrayRef(Live).slice(Begin, std::min(BatchSize, Live.size() - Begin));
    SmallString<128> Path = Home;
    sys::path::append(Path, formatv("batch{0}.cubin", Begin / BatchSize).str());
    Pool.async([this, Batch, Path = std::string(Path)] {
      if (Limit->assemblingOver() && none_of(Batch, [&](BuiltVariant *V) { return isReference(*V); }))
        for_each(Batch, [&](BuiltVariant *V) { skip(*V); });
      else
        Builder->assembleBatch(Batch, Path);
      for (size_t I = 0; I < Batch.size(); ++I)
        Shown.step();
    });
  }
  Pool.wait();
  Shown.end();
  return checkTools();
}

/// A tool that cannot be run is no property of the variants.
Error Tuner::checkTools() const {
  const BuiltVariant &Stock = References.front();
  if (Stock.FailedAs == ErrorKind::Toolchain || Stock.FailedAs == ErrorKind::Io)
    return makeError(*Stock.FailedAs, Stock.Row.Message);
  return Error::success();
}

} // namespace gpuprune
