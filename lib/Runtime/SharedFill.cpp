//===- SharedFill.cpp - Nothing of earlier kernels in shared memory -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SharedFill.h"

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

/// For the driver's own compiler: of the oldest version that knows the oldest architecture of CUDA 13.
static constexpr char Source[] = R"(.version 6.4
.target sm_75
.address_size 64

.extern .shared .align 16 .b8 gpuprune_shared[];

.visible .entry gpuprune_fill_shared(.param .u32 fill_word, .param .u32 fill_bytes, .param .u64 fill_cycles)
{
  .reg .pred %p<3>;
  .reg .b32 %r<7>;
  .reg .b64 %rd<5>;

  ld.param.u32 %r1, [fill_word];
  ld.param.u32 %r2, [fill_bytes];
  ld.param.u64 %rd1, [fill_cycles];
  mov.u64 %rd2, %clock64;
  mov.u32 %r3, %tid.x;
  shl.b32 %r3, %r3, 2;
  mov.u32 %r4, %ntid.x;
  shl.b32 %r4, %r4, 2;
  mov.u32 %r5, gpuprune_shared;
$fill:
  setp.ge.u32 %p1, %r3, %r2;
  @%p1 bra $wait;
  add.u32 %r6, %r5, %r3;
  st.volatile.shared.u32 [%r6], %r1;
  add.u32 %r3, %r3, %r4;
  bra $fill;
$wait:
  mov.u64 %rd3, %clock64;
  sub.u64 %rd4, %rd3, %rd2;
  setp.lt.u64 %p2, %rd4, %rd1;
  @%p2 bra $wait;
  ret;
}
)";

static constexpr unsigned Threads = 256;
/// A block stays this long, so that the next one finds its multiprocessor taken and goes to another.
static constexpr uint64_t Cycles = 20000;

SharedFill::SharedFill(const Gpu &G) : Owner(G) {
  Error E = load();
  if (!E)
    E = fill(SharedPatterns[0]);
  if (!E)
    E = G.synchronize();
  if (E)
    Problem = toString(std::move(E));
}

SharedFill::~SharedFill() {
  if (Module)
    Owner.driver().ModuleUnload(Module);
}

Error SharedFill::load() {
  const CudaDriver &D = Owner.driver();
  if (Error E = Owner.check(D.ModuleLoadData(&Module, Source), "cuModuleLoadData of the runner's own kernel"))
    return E;
  if (Error E = Owner.check(D.ModuleGetFunction(&Kernel, Module, "gpuprune_fill_shared"),
                            "cuModuleGetFunction of the runner's own kernel"))
    return E;
  Expected<int> Most = Owner.attribute(cuda::MaxSharedMemoryPerBlockOptin);
  if (!Most)
    return Most.takeError();
  Bytes = *Most;
  return Owner.check(D.FuncSetAttribute(Kernel, cuda::MaxDynamicSharedSizeBytes, Bytes),
                     "asking for all shared memory for the runner's own kernel");
}

Error SharedFill::fill(uint8_t Pattern) const {
  if (!Problem.empty())
    return Error::success();
  uint32_t Word = Pattern * 0x01010101U, Wanted = Bytes;
  uint64_t Wait = Cycles;
  void *Params[] = {&Word, &Wanted, &Wait};
  // A block takes more than half of what a multiprocessor has, so that each gets one.
  unsigned Blocks = Owner.description().SmCount;
  return Owner.check(
      Owner.driver().LaunchKernel(Kernel, Blocks, 1, 1, Threads, 1, 1, Wanted, nullptr, Params, nullptr),
      "cuLaunchKernel of the runner's own kernel");
}

} // namespace gpuprune
