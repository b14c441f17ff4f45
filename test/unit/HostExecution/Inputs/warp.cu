// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every warp operation, each thread writing what it gets; out has a row of threads for each.

extern "C" __global__ void shuffles(const int *in, int *out) {
  int t = threadIdx.x, n = blockDim.x, v = in[t];
  out[0 * n + t] = __shfl_up_sync(0xffffffffu, v, 3);
  out[1 * n + t] = __shfl_down_sync(0xffffffffu, v, 5, 16);
  out[2 * n + t] = __shfl_xor_sync(0xffffffffu, v, 9);
  out[3 * n + t] = __shfl_sync(0xffffffffu, v, t * 7, 8);
  out[4 * n + t] = __float_as_int(__shfl_xor_sync(0xffffffffu, __int_as_float(v), 1));
  double d = __shfl_down_sync(0xffffffffu, double(v) * 0.5, 1);
  out[5 * n + t] = int(d * 2);
}

// The upper half of each warp has other work meanwhile.
extern "C" __global__ void partialMasks(const int *in, int *out) {
  int t = threadIdx.x, lane = t % 32, v = in[t];
  if (lane < 16)
    out[t] = __shfl_xor_sync(0x0000ffffu, v, 1) + __popc(__ballot_sync(0x0000ffffu, v & 1));
  else if (lane < 24)
    out[t] = __reduce_max_sync(0x00ff0000u, v);
  else
    out[t] = __activemask();
  __syncwarp();
  out[t] += __shfl_sync(0xffffffffu, lane, 31 - lane);
}

// Lanes that have ended are not waited for.
extern "C" __global__ void someEnd(const int *in, int *out, int n) {
  int t = threadIdx.x;
  if (t >= n)
    return;
  int v = in[t];
  for (int d = 16; d > 0; d /= 2) {
    int other = __shfl_down_sync(0xffffffffu, v, d);
    if (t + d < n)
      v += other;
  }
  out[t] = v;
}

extern "C" __global__ void votes(const int *in, unsigned *out) {
  int t = threadIdx.x, n = blockDim.x, v = in[t];
  out[0 * n + t] = __ballot_sync(0xffffffffu, v > 10);
  out[1 * n + t] = __any_sync(0xffffffffu, v == 7);
  out[2 * n + t] = __all_sync(0xffffffffu, v >= 0);
  out[3 * n + t] = __match_any_sync(0xffffffffu, v % 4);
  int same = -1;
  out[4 * n + t] = __match_all_sync(0xffffffffu, v / 1000, &same) + same;
  out[5 * n + t] = __match_any_sync(0xffffffffu, (unsigned long long)(v % 3) << 40);
  out[6 * n + t] = __reduce_add_sync(0xffffffffu, v);
  out[7 * n + t] = __reduce_min_sync(0xffffffffu, -v);
  out[8 * n + t] = __reduce_max_sync(0xffffffffu, unsigned(-v));
  out[9 * n + t] = __reduce_xor_sync(0xffffffffu, unsigned(v));
  out[10 * n + t] = __reduce_and_sync(0xffffffffu, unsigned(v)) + __reduce_or_sync(0xffffffffu, unsigned(v));
}
