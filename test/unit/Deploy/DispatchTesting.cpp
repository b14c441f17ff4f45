//===- DispatchTesting.cpp - A kernel with tuning records to launch -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DispatchTesting.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

extern "C" {
int gpuprune_launch(const GpuPruneKernel *Kernel, decltype(&fakeLaunchKernel) Function, uint64_t GridXY,
                    uint32_t GridZ, uint64_t BlockXY, uint32_t BlockZ, void **Arguments, size_t Shared,
                    void *Stream);
int gpuprune_launch_config(const GpuPruneKernel *Kernel, decltype(&fakeLaunchKernelExC) Function,
                           const FakeConfig *Config, void **Arguments);
int gpuprune_set_attribute(const GpuPruneKernel *Kernel, int Attribute, int Value);
}

static void copyExtents(const Dim3 &From, uint32_t (&To)[3]) {
  for (unsigned D = 0; D != Dim3::size(); ++D)
    To[D] = uint32_t(From[D]);
}

DispatchedKernel::DispatchedKernel(const std::vector<TuningRecord> &Records) {
  std::map<std::string, size_t> Known;
  for (const auto &[R, Symbol] : zip(Records, tunedSymbols(Records, "kernel"))) {
    auto [At, IsNew] = Known.try_emplace(Symbol, Tuned.size());
    if (IsNew) {
      Tuned.emplace_back();
      States.emplace_back();
    }
    Tables.push_back(table(R, Tuned[At->second]));
    Tables.back().state = &States[At->second];
  }
  Kernel = {&Original, "kernel", Tables.data(), Counts, &Listed, Records.size()};
}

GpuPruneTuned DispatchedKernel::table(const TuningRecord &R, FakeKernel &Handle) {
  std::vector<GpuPrunePointer> &Places = Pointers.emplace_back();
  for (const PointerPlace &P : R.Arguments.Pointers)
    Places.push_back({P.Argument, P.Offset});
  std::vector<uint32_t> &Numbers = Hidden.emplace_back();
  GpuPruneTuned T = {};
  for (HiddenParameter P : R.Contract.Hidden)
    Numbers.push_back(uint32_t(P));
  for (unsigned D = 0; D != Dim3::size(); ++D)
    T.anyGrid |= uint32_t(R.Contract.takesAnyGrid(D)) << D;
  T.handle = &Handle;
  T.pointers = Places.data();
  T.pointerCount = Places.size();
  T.hidden = Numbers.data();
  T.hiddenCount = Numbers.size();
  T.leastBlocks = R.Conditions.LeastBlocks;
  T.mostBlocks = R.Conditions.MostBlocks.value_or(UINT64_MAX);
  if (const std::optional<LeastLoopEnd> &End = R.Conditions.LoopEnd) {
    T.loopEndArgument = End->Argument;
    T.loopEndBits = End->Bits;
    T.loopEndSigned = End->Signed;
    T.leastLoopEnd = End->Least;
  }
  T.sharedArrays = R.Contract.SharedArrays;
  T.argumentCount = R.Arguments.Count;
  T.pointerAlignment = R.Contract.PointerAlignment;
  copyExtents(R.Conditions.Block, T.block);
  copyExtents(R.ownBlock(), T.ownBlock);
  copyExtents(R.Contract.GridDivisor, T.gridDivisor);
  copyExtents(R.Contract.BlockDivisor, T.blockDivisor);
  T.sharedCopies = R.Contract.SharedCopies;
  T.sharedCopyAlignment = SharedCopyAlignment;
  T.carveout = R.Contract.SharedCarveout ? int32_t(*R.Contract.SharedCarveout) : -1;
  to_integer(StringRef(R.Arch).drop_front(3), T.architecture);
  T.registers = R.Registers;
  T.gridBlocks = uint32_t(R.Contract.GridBlocks);
  if (const std::optional<GridBound> &Bound = R.Contract.GridEnd) {
    T.boundArgument = Bound->Argument;
    T.boundBits = Bound->Bits;
    T.boundSigned = Bound->Signed;
    T.boundStride = Bound->strideIn(R.ownBlock());
  }
  T.persistentBlocks = uint32_t(R.Contract.PersistentBlocks);
  Handle.Registers = R.Registers;
  Handle.Architecture = int(T.architecture);
  Handle.Arguments = R.Arguments.Count;
  Handle.Hidden = Numbers.size();
  return T;
}

int DispatchedKernel::launch(const AuthorLaunch &Author, void **Arguments, void *Stream) {
  const auto &[Grid, Block, Shared] = Author;
  return gpuprune_launch(&Kernel, &fakeLaunchKernel, uint64_t(Grid.Y) << 32 | uint32_t(Grid.X),
                         uint32_t(Grid.Z), uint64_t(Block.Y) << 32 | uint32_t(Block.X), uint32_t(Block.Z),
                         Arguments, Shared, Stream);
}

FakeDim3 gpuprune::test::fakeExtents(const Dim3 &D) { return {unsigned(D.X), unsigned(D.Y), unsigned(D.Z)}; }

int DispatchedKernel::launchConfigured(const AuthorLaunch &Author, void **Arguments, unsigned Attributes) {
  FakeConfig Config = {
      fakeExtents(Author.Grid), fakeExtents(Author.Block), Author.SharedBytes, nullptr, nullptr, Attributes};
  return gpuprune_launch_config(&Kernel, &fakeLaunchKernelExC, &Config, Arguments);
}

int DispatchedKernel::setAttribute(int Attribute, int Value) {
  return gpuprune_set_attribute(&Kernel, Attribute, Value);
}

void DispatchedKernel::resetDevice() {
  Original.reset();
  for (FakeKernel &T : Tuned)
    T.reset();
}
