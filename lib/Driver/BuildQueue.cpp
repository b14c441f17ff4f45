//===- BuildQueue.cpp - From variants to cubins ------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/BuildQueue.h"
#include "gpuprune/Support/Background.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/CpuTime.h"
#include "gpuprune/Variant/KeptBuilds.h"
#include "gpuprune/Variant/SameProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

/// Variants in one run of ptxas: enough that its start is paid once for many,
/// few enough that all cores have some.
static constexpr size_t LargestBatch = 20;

/// Variants of a space that is one portion.
static constexpr size_t SmallSpace = 64;

/// Of the portion behind the first \p Built variants of a larger space, whatever the machine, since which of
/// equal programs counts depends on it. The first are smaller, so that something can be measured soon.
static size_t portionBehind(size_t Built) { return Built == 0 ? 16 : Built < SmallSpace ? 48 : 256; }

std::vector<std::vector<BuiltVariant *>> familiesOf(ArrayRef<BuiltVariant *> Variants) {
  std::vector<std::vector<BuiltVariant *>> Families;
  StringMap<size_t> ByStem;
  for (BuiltVariant *V : Variants) {
    Variant Stem = V->parts();
    erase_if(Stem.Pipeline, actsBehindO3);
    auto [Known, IsNew] = ByStem.try_emplace(printVariant(Stem), Families.size());
    if (IsNew)
      Families.emplace_back();
    Families[Known->second].push_back(V);
  }
  return Families;
}

BuildQueue::BuildQueue(const VariantBuilder &Builder, Plan Asked)
    : Builder(Builder), Asked(std::move(Asked)), ChildrenCpuBefore(childrenCpuMs()),
      NextNumber(this->Asked.FirstNumber) {}

BuildQueue::~BuildQueue() {
  Stopped = true;
  if (Thread.joinable())
    Thread.join();
}

unsigned BuildQueue::threads() const {
  return hardware_concurrency(Behind ? threadsBehind(Asked.Jobs) : Asked.Jobs).compute_thread_count();
}

bool BuildQueue::over(bool (Budget::*What)() const) const { return Stopped || (Asked.Limit->*What)(); }

void BuildQueue::skip(BuiltVariant &V) const {
  V.Row.Status = VariantStatus::Skipped;
  V.Row.Message = formatv("not compiled: the budget of {0} s left no time for it", Asked.Limit->seconds());
}

void BuildQueue::compileFamily(ArrayRef<BuiltVariant *> Family) {
  if (Behind)
    runBehind();
  double Before = threadCpuMs();
  for (BuiltVariant *V : Family) {
    if (over(&Budget::compilingOver))
      skip(*V);
    else
      Builder.compile(*V, &Known);
    Asked.OnStep();
  }
  ThreadCpuUs += int64_t((threadCpuMs() - Before) * 1e3);
}

void BuildQueue::compileOn(ThreadPoolTaskGroup &Tasks, ArrayRef<BuiltVariant *> Variants) {
  for (std::vector<BuiltVariant *> &Family : familiesOf(Variants))
    Tasks.async([this, Family = std::move(Family)] { compileFamily(Family); });
}

void BuildQueue::compile(ArrayRef<BuiltVariant *> Variants) {
  DefaultThreadPool Pool(hardware_concurrency(Asked.Jobs));
  ThreadPoolTaskGroup Tasks(Pool);
  compileOn(Tasks, Variants);
  Tasks.wait();
  findTwinsByPtx(Builder, Variants, ByPtx);
}

void BuildQueue::assembleBatch(ArrayRef<Assembling> Batch) {
  if (Behind)
    runBehind();
  double Before = threadCpuMs();
  if (over(&Budget::assemblingOver)) {
    for (const Assembling &Each : Batch)
      skip(*Each.V);
  } else {
    std::vector<BuiltVariant *> Variants;
    std::vector<size_t> Numbers;
    for (const Assembling &Each : Batch) {
      Variants.push_back(Each.V);
      Numbers.push_back(Each.Number);
    }
    SmallString<128> Path = StringRef(Asked.CubinFolder);
    sys::path::append(Path, formatv("from{0}.cubin", Numbers.front()).str());
    Builder.assembleBatch(Variants, std::string(Path), Numbers);
  }
  for (size_t I = 0; I < Batch.size(); ++I)
    Asked.OnStep();
  ThreadCpuUs += int64_t((threadCpuMs() - Before) * 1e3);
}

/// In a batch each variant has variables of its own, but for those that the host sees by name; what one
/// launch leaves in them another should not find.
static bool hasOwnVariables(const BuiltVariant &V) { return StringRef(V.Ptx).contains("\n.global "); }

void BuildQueue::assembleOn(ThreadPoolTaskGroup &Tasks, ArrayRef<BuiltVariant *> Variants) {
  for (BuiltVariant *V : Variants) {
    if (!V->alive() || V->Row.isDuplicate())
      continue;
    auto [Known, IsNew] = OfTexts.try_emplace(contentHash(V->Symbol + "\n" + V->Ptx));
    (IsNew || hasOwnVariables(*V) ? New : Alike).push_back({V, NextNumber++, &Known->second});
  }
  size_t BatchSize = std::clamp<size_t>(divideCeil(New.size(), threads()), 1, LargestBatch);
  for (size_t Begin = 0; Begin < New.size(); Begin += BatchSize)
    Tasks.async(
        [this, Batch = ArrayRef(New).slice(Begin).take_front(BatchSize).vec()] { assembleBatch(Batch); });
}

/// What of \p V is so for all of its PTX; nothing where the machine, or the time that was left, made it so.
static std::optional<Assembled> assembledOf(const BuiltVariant &V) {
  if (V.Code)
    return Assembled{V.Code, std::nullopt};
  if (!V.FailedAs)
    return std::nullopt;
  TakenError Failure{*V.FailedAs, V.Row.Message, V.Row.Refusal};
  return isLasting(Failure) ? std::optional(Assembled{std::nullopt, std::move(Failure)}) : std::nullopt;
}

void BuildQueue::assembleAlike() {
  for (const Assembling &Each : New)
    *Each.OfText = assembledOf(*Each.V);
  for (const Assembling &Each : Alike)
    if (*Each.OfText) {
      Builder.takeAssembled(*Each.V, **Each.OfText);
      Asked.OnStep();
    } else {
      assembleBatch(Each);
      *Each.OfText = assembledOf(*Each.V);
    }
  New.clear();
  Alike.clear();
}

void BuildQueue::assemble(ArrayRef<BuiltVariant *> Variants) {
  DefaultThreadPool Pool(hardware_concurrency(Asked.Jobs));
  ThreadPoolTaskGroup Tasks(Pool);
  assembleOn(Tasks, Variants);
  Tasks.wait();
  assembleAlike();
  findTwinsByCode(Variants);
}

void BuildQueue::findTwinsByCode(ArrayRef<BuiltVariant *> Variants) {
  if (!Asked.KeepsTwins)
    gpuprune::findTwinsByCode(Builder, Variants, ByCode);
}

void BuildQueue::begin(std::vector<BuiltVariant *> Variants) {
  if (Thread.joinable())
    Thread.join();
  Behind = true;
  Finished = false;
  Thread = llvm::thread([this, Variants = std::move(Variants)] { buildAll(Variants); });
}

void BuildQueue::buildAll(ArrayRef<BuiltVariant *> Variants) {
  DefaultThreadPool Pool(hardware_concurrency(threads()));
  struct PortionOf {
    std::vector<BuiltVariant *> Variants;
    std::unique_ptr<ThreadPoolTaskGroup> Assembling;
  };
  std::optional<PortionOf> Before;
  auto Release = [&](bool IsLast) {
    if (Before) {
      Before->Assembling->wait();
      assembleAlike();
      findTwinsByCode(Before->Variants);
      release(Before->Variants, IsLast);
    }
  };
  bool IsSmall = Variants.size() <= SmallSpace;
  for (size_t Done = 0; Done < Variants.size();) {
    std::vector<BuiltVariant *> Now =
        Variants.drop_front(Done).take_front(IsSmall ? SmallSpace : portionBehind(Done)).vec();
    Done += Now.size();
    ThreadPoolTaskGroup Compiling(Pool);
    compileOn(Compiling, Now);
    llvm::sort(Now); // As the rows stand, for those that read the table: see findTwinsByPtx().
    Release(/*IsLast=*/false);
    Compiling.wait();
    findTwinsByPtx(Builder, Now, ByPtx);
    Before = {Now, std::make_unique<ThreadPoolTaskGroup>(Pool)};
    assembleOn(*Before->Assembling, Now);
  }
  Release(/*IsLast=*/true);
}

void BuildQueue::release(ArrayRef<BuiltVariant *> Variants, bool IsLast) {
  std::lock_guard<std::mutex> Guard(Lock);
  Finished = IsLast;
  Ready.insert(Ready.end(), Variants.begin(), Variants.end());
  Built.notify_all();
}

std::vector<BuiltVariant *> BuildQueue::takeBuilt() {
  std::lock_guard<std::mutex> Guard(Lock);
  std::vector<BuiltVariant *> Taken(Ready.begin(), Ready.end());
  Ready.clear();
  return Taken;
}

bool BuildQueue::isFinished() {
  std::lock_guard<std::mutex> Guard(Lock);
  return Finished;
}

bool BuildQueue::awaitBuilt() {
  std::unique_lock<std::mutex> Guard(Lock);
  Built.wait(Guard, [this] { return Finished || !Ready.empty(); });
  return !Ready.empty();
}

double BuildQueue::cpuMs() const { return double(ThreadCpuUs) * 1e-3 + childrenCpuMs() - ChildrenCpuBefore; }

} // namespace gpuprune
