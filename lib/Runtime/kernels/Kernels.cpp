//===- Kernels.cpp - The runner's own kernels -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled to PTX when the runner is built, and to a cubin where there is ptxas; elsewhere the driver
// compiles them when the runner starts. DeviceKernels.h calls them.
//
//===----------------------------------------------------------------------===//
#include "Structures.h"

using namespace gpuprune::kernels;

#define KERNEL extern "C" __attribute__((nvptx_kernel)) void

static Threads threads() {
  uint64_t Size = __nvvm_read_ptx_sreg_ntid_x();
  return {__nvvm_read_ptx_sreg_ctaid_x() * Size + __nvvm_read_ptx_sreg_tid_x(),
          __nvvm_read_ptx_sreg_nctaid_x() * Size};
}

KERNEL gpuprune_fill(Elements E, FillRule F) { fill(threads(), E, F); }

KERNEL gpuprune_fill_zones(Batch<Zone> B) {
  Zone Own = B.Each[__nvvm_read_ptx_sreg_ctaid_y()];
  fillZone(threads(), Own);
}

KERNEL gpuprune_check_fill(Batch<FillCheck> B, Findings *Found) {
  unsigned Row = __nvvm_read_ptx_sreg_ctaid_y();
  FillCheck Own = B.Each[Row];
  checkFill(threads(), Own, Found + Row);
}

KERNEL gpuprune_check_involved_fill(Batch<FillCheck> B, Findings *Found) {
  unsigned Row = __nvvm_read_ptx_sreg_ctaid_y();
  FillCheck Own = B.Each[Row];
  checkInvolvedFill(threads(), Own, Found + Row);
}

KERNEL gpuprune_find_unwritten(Runs R, Findings *Found) { findUnwritten(threads(), R, Found); }

KERNEL gpuprune_compare(CompareRule C, Findings *Found) { compare(threads(), C, Found); }

KERNEL gpuprune_compare_structures(StructuresRule C, Findings *Found) {
  compareStructures(threads(), C, Found);
}

KERNEL gpuprune_hash(Batch<Range> B, uint64_t *Sums) {
  unsigned Row = __nvvm_read_ptx_sreg_ctaid_y();
  Range Own = B.Each[Row];
  hash(threads(), Own, Sums + Row);
}

KERNEL gpuprune_magnitudes(Elements E, uint64_t Unwritten, uint32_t First, uint32_t Width, uint64_t *Below) {
  countMagnitudes(threads(), E, Unwritten, First, Width, Below);
}

extern "C" __attribute__((address_space(3))) uint32_t gpuprune_shared[];

/// A block stays for \p Cycles, so that the next one finds its multiprocessor taken and goes to another.
KERNEL gpuprune_fill_shared(uint32_t Word, uint32_t Bytes, uint64_t Cycles) {
  uint64_t Begin = __nvvm_read_ptx_sreg_clock64();
  for (uint32_t I = __nvvm_read_ptx_sreg_tid_x(); I < Bytes / 4; I += __nvvm_read_ptx_sreg_ntid_x())
    *const_cast<volatile __attribute__((address_space(3))) uint32_t *>(&gpuprune_shared[I]) = Word;
  while (__nvvm_read_ptx_sreg_clock64() - Begin < Cycles) {
  }
}
