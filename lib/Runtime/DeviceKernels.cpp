//===- DeviceKernels.cpp - The runner's own kernels -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceKernels.h"
#include "KernelsPtx.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

static constexpr const char *Names[] = {
    "gpuprune_fill", "gpuprune_check_fill", "gpuprune_find_unwritten", "gpuprune_compare",
    "gpuprune_hash", "gpuprune_magnitudes", "gpuprune_fill_shared"};
static constexpr unsigned ThreadsOfBlock = 256;
/// Enough to hide the latency of memory; each thread then has more than one element.
static constexpr unsigned BlocksOfMultiprocessor = 8;
/// A block that fills shared memory stays this long.
static constexpr uint64_t SharedCycles = 20000;
/// Findings that are fetched together.
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

std::pair<kernels::Elements, kernels::FillRule> bytesOf(CUdeviceptr At, uint64_t Bytes, uint8_t Byte) {
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

Error DeviceKernels::load() {
  const CudaDriver &D = Owner.driver();
  if (Error E =
          Owner.check(D.ModuleLoadData(&Module, KernelsPtx), "cuModuleLoadData of the runner's own kernels"))
    return E;
  for (auto [Name, Function] : zip_equal(Names, Functions))
    if (Error E = Owner.check(D.ModuleGetFunction(&Function, Module, Name),
                              "cuModuleGetFunction of the runner's own kernels"))
      return E;
  Expected<int> Most = Owner.attribute(cuda::MaxSharedMemoryPerBlockOptin);
  if (!Most)
    return Most.takeError();
  SharedBytes = *Most;
  for (auto [Memory, Bytes] : {std::pair(&Results, MostFindings * sizeof(kernels::Findings)),
                               std::pair(&Parts, mostThreads() * sizeof(kernels::MagnitudePart))}) {
    Expected<DeviceMemory> Allocated = DeviceMemory::allocate(Owner, Bytes);
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

Error DeviceKernels::launch(Kernel K, uint64_t Blocks, unsigned DynamicShared,
                            ArrayRef<const void *> Params) const {
  CUresult Code =
      Owner.driver().LaunchKernel(Functions[K], static_cast<unsigned>(Blocks), 1, 1, ThreadsOfBlock, 1, 1,
                                  DynamicShared, nullptr, const_cast<void **>(Params.data()), nullptr);
  return Owner.check(Code, "cuLaunchKernel of the runner's own kernel");
}

Error DeviceKernels::launchOver(Kernel K, uint64_t Elements, ArrayRef<const void *> Params) const {
  uint64_t Most = mostThreads() / ThreadsOfBlock;
  return launch(K, std::clamp<uint64_t>(divideCeil(Elements, ThreadsOfBlock), 1, Most), 0, Params);
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
  return launch(FillShared, Owner.description().SmCount, Bytes, {&Word, &Bytes, &Cycles});
}

Error DeviceKernels::fill(const kernels::Elements &E, const kernels::FillRule &F) const {
  return launchOver(Fill, E.Count, {&E, &F});
}

Expected<std::vector<kernels::Findings>> DeviceKernels::checkFills(ArrayRef<FillCheck> Checks) const {
  std::vector<kernels::Findings> Found(Checks.size());
  for (size_t First = 0; First < Checks.size(); First += MostFindings) {
    size_t Count = std::min(MostFindings, Checks.size() - First);
    if (Error E = Owner.set(Results.address(), 0, Count * sizeof(kernels::Findings)))
      return E;
    for (size_t I = 0; I != Count; ++I) {
      const auto &[Where, What] = Checks[First + I];
      CUdeviceptr Result = Results.address() + I * sizeof(kernels::Findings);
      if (Error E = launchOver(CheckFill, Where.Count, {&Where, &What, &Result}))
        return E;
    }
    if (Error E = fetch(&Found[First], Results.address(), Count))
      return E;
  }
  return Found;
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

Expected<uint64_t> DeviceKernels::hash(CUdeviceptr At, uint64_t Bytes) const {
  uint64_t Sum = 0;
  CUdeviceptr Result = Results.address();
  if (Error E = Owner.set(Result, 0, sizeof(Sum)))
    return E;
  if (Error E = launchOver(Hash, divideCeil(Bytes, 8), {&At, &Bytes, &Result}))
    return E;
  if (Error E = fetch(&Sum, Result, 1))
    return E;
  return Sum;
}

/// The sum of magnitudes times \p Scale, and of how many.
Expected<kernels::MagnitudePart> DeviceKernels::sumMagnitudes(const kernels::Elements &E,
                                                              CUdeviceptr Unwritten, double Scale) const {
  std::vector<kernels::MagnitudePart> Found(mostThreads());
  uint64_t Bytes = Found.size() * sizeof(kernels::MagnitudePart);
  CUdeviceptr Result = Parts.address();
  if (Error Failed = Owner.set(Result, 0, Bytes))
    return Failed;
  if (Error Failed = launchOver(Magnitudes, Found.size(), {&E, &Unwritten, &Scale, &Result}))
    return Failed;
  if (Error Failed = fetch(Found.data(), Result, Found.size()))
    return Failed;
  kernels::MagnitudePart All = {0, 0};
  for (const kernels::MagnitudePart &Part : Found) {
    All.Sum += Part.Sum;
    All.Count += Part.Count;
  }
  return All;
}

Expected<double> DeviceKernels::meanMagnitude(const kernels::Elements &E, CUdeviceptr Unwritten) const {
  Expected<kernels::MagnitudePart> All = sumMagnitudes(E, Unwritten, /*Scale=*/1);
  if (!All || All->Count == 0)
    return All ? Expected<double>(0) : All.takeError();
  if (std::isfinite(All->Sum))
    return All->Sum / static_cast<double>(All->Count);
  // By a power of two, so small that the sum of so many numbers is one itself.
  double Scale = std::ldexp(1.0, -static_cast<int>(Log2_64_Ceil(E.Count) + 1));
  All = sumMagnitudes(E, Unwritten, Scale);
  if (!All)
    return All.takeError();
  double Mean = All->Sum / static_cast<double>(All->Count) / Scale;
  return std::min(Mean, std::numeric_limits<double>::max());
}

} // namespace gpuprune
