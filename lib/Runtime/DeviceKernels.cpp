//===- DeviceKernels.cpp - The runner's own kernels -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceKernels.h"
#include "FillIndices.h"
#include "KernelImages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

static constexpr const char *Names[] = {"gpuprune_fill",
                                        "gpuprune_fill_zones",
                                        "gpuprune_check_fill",
                                        "gpuprune_check_involved_fill",
                                        "gpuprune_find_unwritten",
                                        "gpuprune_compare",
                                        "gpuprune_compare_structures",
                                        "gpuprune_hash",
                                        "gpuprune_magnitudes",
                                        "gpuprune_fill_shared"};
static constexpr unsigned ThreadsOfBlock = 256;
/// Enough to hide the latency of memory; each thread then has more than one element.
static constexpr unsigned BlocksOfMultiprocessor = 8;
/// A block that fills shared memory stays this long.
static constexpr uint64_t SharedCycles = 20000;
/// Findings that are fetched together: whole batches.
static constexpr size_t MostFindings = 256;

kernels::Elements elementsAt(CUdeviceptr At, ElementType Type, uint64_t Count) {
  uint32_t Mantissa = Type == ElementType::F16    ? 10
                      : Type == ElementType::BF16 ? 7
                      : Type == ElementType::F32  ? 23
                                                  : 52;
  kernels::Number Kind = isFloatingPoint(Type)   ? kernels::Number::Floating
                         : isSignedInteger(Type) ? kernels::Number::Signed
                                                 : kernels::Number::Unsigned;
  uint32_t Bytes = elementBytes(Type);
  return {At, Count, Bytes, Bytes, Kind, Mantissa};
}

kernels::Elements elementsAt(CUdeviceptr At, const ElementLayout &Type, size_t Field, uint64_t Count) {
  const ElementField &Of = Type.fields()[Field];
  kernels::Elements Elements = elementsAt(At + Of.Offset, Of.Type, Count);
  Elements.Stride = Type.bytes();
  return Elements;
}

kernels::FillCheck bytesOf(CUdeviceptr At, uint64_t Bytes, uint8_t Byte) {
  kernels::FillRule F = {};
  F.Kind = kernels::Rule::Constant;
  F.Bits = Byte;
  return {elementsAt(At, ElementType::U8, Bytes), F};
}

static uint64_t integerBits(ElementType Type, double Value) {
  uint64_t Bits = *encodeExactly(Type, Value);
  return isSignedInteger(Type) ? static_cast<uint64_t>(toInteger(Type, Bits)) : Bits;
}

kernels::FillRule fillRule(ElementType Type, const Fill &Contents) {
  kernels::FillRule F = {};
  F.Seed = Contents.Seed;
  F.ZeroEvery = Contents.zeroEvery();
  bool Floating = isFloatingPoint(Type);
  switch (Contents.Kind) {
  case FillKind::Zero:
    F.Kind = kernels::Rule::Constant;
    break;
  case FillKind::Constant:
    F.Kind = kernels::Rule::Constant;
    F.Bits = *encodeExactly(Type, Contents.Value);
    break;
  case FillKind::Iota:
    F.Kind = kernels::Rule::Iota;
    break;
  case FillKind::Uniform:
    F.Kind = kernels::Rule::Uniform;
    F.Low = Contents.Low;
    F.Width = Contents.High - Contents.Low;
    if (!Floating) {
      F.LowBits = integerBits(Type, Contents.Low);
      F.Spread = integerBits(Type, Contents.High) - F.LowBits;
    }
    break;
  case FillKind::Sorted:
    F.Kind = kernels::Rule::Sorted;
    F.Low = Contents.Low;
    F.Width = Contents.High - Contents.Low;
    F.Count = Contents.Count;
    if (!Floating) {
      F.LowBits = integerBits(Type, Contents.Low);
      F.Between = sortedStep(integerBits(Type, Contents.High) - F.LowBits, Contents.Count);
    }
    break;
  case FillKind::Shift:
  case FillKind::Permutation:
  case FillKind::Clustered:
    return indexRule(Contents);
  case FillKind::Fields:
  case FillKind::File:
  case FillKind::Values:
    llvm_unreachable("each field has a rule of its own, and what is stored has none");
  case FillKind::Affine:
    F.Kind = kernels::Rule::Affine;
    F.Start = Contents.Start;
    F.Step = Contents.Step;
    F.Jitter = Contents.Jitter;
    if (!Floating) {
      F.StartBits = static_cast<uint64_t>(static_cast<int64_t>(Contents.Start));
      F.StepBits = static_cast<uint64_t>(static_cast<int64_t>(Contents.Step));
      F.Spread = static_cast<uint64_t>(Contents.Jitter);
    }
    break;
  }
  return F;
}

DeviceKernels::DeviceKernels(const Gpu &G) : Owner(G) {
  Error E = load();
  if (!E)
    E = fillShared(SharedPatterns[0]);
  if (!E)
    E = G.synchronize();
  if (E)
    Problem = toString(std::move(E));
}

DeviceKernels::~DeviceKernels() {
  if (Module)
    Owner.driver().ModuleUnload(Module);
}

/// What the driver compiles, where it takes no cubin: another device's, or of a newer toolkit.
Error DeviceKernels::loadModule() {
  const CudaDriver &D = Owner.driver();
  const Hello &Device = Owner.description();
  if (sizeof(KernelsCubin) > 1 && Device.Major == 9 && Device.Minor == 0 &&
      D.ModuleLoadData(&Module, KernelsCubin) == cuda::Success)
    return Error::success();
  return Owner.check(D.ModuleLoadData(&Module, KernelsPtx), "cuModuleLoadData of the runner's own kernels");
}

Error DeviceKernels::load() {
  const CudaDriver &D = Owner.driver();
  if (Error E = loadModule())
    return E;
  for (auto [Name, Function] : zip_equal(Names, Functions))
    if (Error E = Owner.check(D.ModuleGetFunction(&Function, Module, Name),
                              "cuModuleGetFunction of the runner's own kernels"))
      return E;
  Expected<int> Most = Owner.attribute(cuda::MaxSharedMemoryPerBlockOptin);
  if (!Most)
    return Most.takeError();
  SharedBytes = *Most;
  for (DeviceMemory *Memory : {&Results, &Enqueued}) {
    Expected<DeviceMemory> Allocated =
        DeviceMemory::allocate(Owner, MostFindings * sizeof(kernels::Findings));
    if (!Allocated)
      return Allocated.takeError();
    *Memory = std::move(*Allocated);
  }
  return Owner.check(D.FuncSetAttribute(Functions[FillShared], cuda::MaxDynamicSharedSizeBytes, SharedBytes),
                     "asking for all shared memory for the runner's own kernel");
}

uint64_t DeviceKernels::mostThreads() const {
  return uint64_t(Owner.description().SmCount) * BlocksOfMultiprocessor * ThreadsOfBlock;
}

Error DeviceKernels::launch(Kernel K, uint64_t Blocks, unsigned Rows, unsigned DynamicShared,
                            ArrayRef<const void *> Params) const {
  CUresult Code =
      Owner.driver().LaunchKernel(Functions[K], static_cast<unsigned>(Blocks), Rows, 1, ThreadsOfBlock, 1, 1,
                                  DynamicShared, nullptr, const_cast<void **>(Params.data()), nullptr);
  return Owner.check(Code, "cuLaunchKernel of the runner's own kernel");
}

Error DeviceKernels::launchOver(Kernel K, uint64_t Elements, ArrayRef<const void *> Params,
                                unsigned Rows) const {
  uint64_t Most = mostThreads() / ThreadsOfBlock;
  return launch(K, std::clamp<uint64_t>(divideCeil(Elements, ThreadsOfBlock), 1, Most), Rows, 0, Params);
}

template <typename T> Error DeviceKernels::fetch(T *To, CUdeviceptr From, size_t Count) const {
  return Owner.check(Owner.driver().MemcpyDtoH(To, From, Count * sizeof(T)), "cuMemcpyDtoH",
                     ResultStatus::Fault);
}

Error DeviceKernels::fillShared(uint8_t Pattern) const {
  if (!areLoaded())
    return Error::success();
  uint32_t Word = Pattern * 0x01010101U, Bytes = SharedBytes;
  uint64_t Cycles = SharedCycles;
  // A block takes more than half of what a multiprocessor has, so that each gets one.
  return launch(FillShared, Owner.description().SmCount, 1, Bytes, {&Word, &Bytes, &Cycles});
}

Error DeviceKernels::fill(const kernels::Elements &E, const kernels::FillRule &F) const {
  return launchOver(Fill, E.Count, {&E, &F});
}

/// Enqueues what is to be done with each of \p All, of which a launch does a batch. What it finds, \p
/// FoundBytes of each, is written to \p To.
template <typename Given, typename Size>
Error DeviceKernels::launchBatches(Kernel K, ArrayRef<Given> All, CUdeviceptr To, size_t FoundBytes,
                                   Size ElementsOf) const {
  while (!All.empty()) {
    kernels::Batch<Given> B = {};
    size_t Count = std::min<size_t>(All.size(), B.Most);
    uint64_t Longest = 0;
    for (size_t I = 0; I != Count; ++I) {
      B.Each[I] = All[I];
      Longest = std::max<uint64_t>(Longest, ElementsOf(All[I]));
    }
    if (Error E = launchOver(K, Longest, {&B, &To}, static_cast<unsigned>(Count)))
      return E;
    To += Count * FoundBytes;
    All = All.drop_front(Count);
  }
  return Error::success();
}

Error DeviceKernels::fillZones(ArrayRef<kernels::Zone> Zones) const {
  return launchBatches(FillZones, Zones, /*To=*/0, /*FoundBytes=*/0,
                       [](const kernels::Zone &Z) { return Z.Bytes; });
}

/// What \p K finds of each of \p All.
template <typename Given, typename Found, typename Size>
Expected<std::vector<Found>> DeviceKernels::inBatches(Kernel K, ArrayRef<Given> All, Size ElementsOf) const {
  static_assert(MostFindings % kernels::Batch<Given>::Most == 0 &&
                sizeof(Found) <= sizeof(kernels::Findings));
  std::vector<Found> Results(All.size());
  for (size_t Done = 0; Done < All.size(); Done += MostFindings) {
    ArrayRef<Given> Fetched = All.slice(Done, std::min(MostFindings, All.size() - Done));
    if (Error E = Owner.set(this->Results.address(), 0, Fetched.size() * sizeof(Found)))
      return E;
    if (Error E = launchBatches(K, Fetched, this->Results.address(), sizeof(Found), ElementsOf))
      return E;
    if (Error E = fetch(&Results[Done], this->Results.address(), Fetched.size()))
      return E;
  }
  return Results;
}

static uint64_t elementsOf(const kernels::FillCheck &C) { return C.Where.Count; }
static uint64_t wordsOf(const kernels::Range &R) { return divideCeil(R.Bytes, 8); }

/// Where \p Count more findings lie together.
Expected<CUdeviceptr> Looks::roomFor(size_t Count) {
  if (Pending + Count > MostFindings)
    if (Error E = fetch())
      return E;
  CUdeviceptr All = Kernels.Enqueued.address();
  if (Pending == 0)
    if (Error E = Kernels.Owner.set(All, 0, MostFindings * sizeof(kernels::Findings)))
      return E;
  return All + std::exchange(Pending, Pending + Count) * sizeof(kernels::Findings);
}

Error Looks::checkFills(ArrayRef<kernels::FillCheck> Checks) {
  for (ArrayRef<kernels::FillCheck> Some; !Checks.empty(); Checks = Checks.drop_front(Some.size())) {
    Some = Checks.take_front(MostFindings);
    Expected<CUdeviceptr> To = roomFor(Some.size());
    if (!To)
      return To.takeError();
    if (Error E =
            Kernels.launchBatches(DeviceKernels::CheckFill, Some, *To, sizeof(kernels::Findings), elementsOf))
      return E;
  }
  return Error::success();
}

Error Looks::compare(const kernels::CompareRule &C) {
  Expected<CUdeviceptr> To = roomFor(1);
  if (!To)
    return To.takeError();
  return Kernels.launchOver(DeviceKernels::Compare, C.Got.Count, {&C, &*To});
}

Error Looks::compare(const kernels::StructuresRule &C) {
  Expected<CUdeviceptr> To = roomFor(1);
  if (!To)
    return To.takeError();
  return Kernels.launchOver(DeviceKernels::CompareStructures, C.Bytes / sizeof(kernels::Piece), {&C, &*To});
}

Error Looks::hash(const kernels::Range &R) {
  Expected<CUdeviceptr> To = roomFor(1);
  if (!To)
    return To.takeError();
  return Kernels.launchBatches(DeviceKernels::Hash, ArrayRef(R), *To + offsetof(kernels::Findings, Hash),
                               sizeof(kernels::Findings), wordsOf);
}

Error Looks::fetch() {
  if (Pending == 0)
    return Kernels.Owner.synchronize();
  size_t Before = Found.size();
  Found.resize(Before + Pending);
  return Kernels.fetch(Found.data() + Before, Kernels.Enqueued.address(), std::exchange(Pending, 0));
}

Expected<std::vector<kernels::Findings>> Looks::findings() {
  if (Error E = fetch())
    return E;
  return std::move(Found);
}

Expected<std::vector<kernels::Findings>>
DeviceKernels::checkFills(ArrayRef<kernels::FillCheck> Checks) const {
  std::vector<kernels::Findings> All(Checks.size());
  for (Kernel K : {CheckFill, CheckInvolvedFill}) {
    std::vector<kernels::FillCheck> Own;
    for (const kernels::FillCheck &C : Checks)
      if (kernels::isSimple(C.What) == (K == CheckFill))
        Own.push_back(C);
    Expected<std::vector<kernels::Findings>> Found =
        inBatches<kernels::FillCheck, kernels::Findings>(K, Own, elementsOf);
    if (!Found)
      return Found;
    auto Next = Found->begin();
    for (const auto &[C, F] : zip_equal(Checks, All))
      if (kernels::isSimple(C.What) == (K == CheckFill))
        F = *Next++;
  }
  return All;
}

Expected<std::vector<uint64_t>> DeviceKernels::hash(ArrayRef<kernels::Range> Ranges) const {
  return inBatches<kernels::Range, uint64_t>(Hash, Ranges, wordsOf);
}

/// A kernel of a structure and its findings.
Expected<kernels::Findings> DeviceKernels::findOne(Kernel K, uint64_t Elements, const void *Rule) const {
  kernels::Findings Found;
  CUdeviceptr Result = Results.address();
  if (Error E = Owner.set(Result, 0, sizeof(Found)))
    return E;
  if (Error E = launchOver(K, Elements, {Rule, &Result}))
    return E;
  if (Error E = fetch(&Found, Result, 1))
    return E;
  return Found;
}

Expected<kernels::Findings> DeviceKernels::findUnwritten(const kernels::Runs &R) const {
  return findOne(FindUnwritten, R.First.Count, &R);
}

Expected<kernels::Findings> DeviceKernels::compare(const kernels::CompareRule &C) const {
  return findOne(Compare, C.Got.Count, &C);
}

Expected<DeviceKernels::StepCounts> DeviceKernels::countMagnitudes(const kernels::Elements &E,
                                                                   CUdeviceptr Unwritten, uint32_t First,
                                                                   uint32_t Width) const {
  StepCounts Below;
  CUdeviceptr Result = Results.address();
  if (Error Failed = Owner.set(Result, 0, sizeof(Below)))
    return Failed;
  if (Error Failed = launchOver(Magnitudes, E.Count, {&E, &Unwritten, &First, &Width, &Result}))
    return Failed;
  if (Error Failed = fetch(Below.data(), Result, Below.size()))
    return Failed;
  return Below;
}

/// Each launch finds the sixteenth of the steps left in which the median is.
Expected<double> DeviceKernels::medianMagnitude(const kernels::Elements &E, CUdeviceptr Unwritten) const {
  uint32_t First = 0;
  std::optional<uint64_t> Rank;
  for (uint32_t Width = kernels::MagnitudeSteps / kernels::StepLimits; Width != 0;
       Width /= kernels::StepLimits) {
    Expected<StepCounts> Below = countMagnitudes(E, Unwritten, First, Width);
    if (!Below)
      return Below.takeError();
    if (!Rank) {
      if (Below->back() == 0)
        return 0;
      Rank = (Below->back() - 1) / 2;
    }
    auto Holds = find_if(*Below, [&](uint64_t Count) { return Count > *Rank; });
    First += Width * static_cast<uint32_t>(Holds - Below->begin());
  }
  return kernels::magnitudeOf(First);
}

} // namespace gpuprune
