// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing but barriers.
extern "C" __global__ void barriers(int n) {
  for (int i = 0; i < n; ++i)
    __syncthreads();
}
