// Kernels whose replicas add to one array, run on the CPU, in grids that the factors divide and in others: whole numbers come to the same
// bits, floating-point sums to the same within the tolerance of atomic additions.
// RUN: echo '{ source: "%s", kernel: KERNEL, sizes: { tune: { n: 2048 }, check: [ { n: 1024 }, { n: 1000 }, { n: 700 } ] },' > %t.launch
// RUN: echo 'grid: [ "cdiv(n, 128)", 2 ], block: [ 128 ], shared: 512, arguments: [ x, y, z, { i32: n } ], buffers: {' >> %t.launch
// RUN: echo 'x: { type: u32, count: 2*n, fill: { uniform: [0, 999], seed: 1 }, role: in },' >> %t.launch
// RUN: echo 'y: { type: TYPE, count: 128, fill: { uniform: [0, 999], seed: 2 }, role: inout },' >> %t.launch
// RUN: echo 'z: { type: u32, count: n + 128, fill: zero, role: inout } },' >> %t.launch
// RUN: echo 'space: { pipeline: "gpu-block-coarsen<x={x};y={y};sums={s};shared=grouped;grid=any>", parameters: { x: [2, 3, 8], y: [1, 2], s: [joint] } } }' >> %t.launch
// DEFINE: %{kernel} =
// DEFINE: %{type} = u32
// DEFINE: %{compared} = bitwise
// DEFINE: %{check} = sed 's/KERNEL/%{kernel}/; s/TYPE/%{type}/' %t.launch > %t.yaml && \
// DEFINE:   %gpuprune tune %t.yaml --quiet --jobs 1 --stop-after check --check=all --format json --all -o %t.json && \
// DEFINE:   %check_report %t.json "len(status['ok']) == 6" "all(r['cpu_check'] == '%{compared}' for r in status['ok'])"
// REDEFINE: %{kernel} = histogram
// RUN: %{check}
// REDEFINE: %{kernel} = equal
// RUN: %{check}
// REDEFINE: %{kernel} = channels
// RUN: %{check}
// REDEFINE: %{kernel} = strided
// RUN: %{check}
// REDEFINE: %{kernel} = bits
// RUN: %{check}
// REDEFINE: %{kernel} = extremes
// RUN: %{check}
// REDEFINE: %{kernel} = tiles
// RUN: %{check}
// REDEFINE: %{kernel} = dynamic
// RUN: %{check}
// REDEFINE: %{kernel} = zeroOfOneThread
// RUN: %{check}
// REDEFINE: %{kernel} = warps
// RUN: %{check}
// REDEFINE: %{kernel} = someBlocks
// RUN: %{check}
// REDEFINE: %{kernel} = own
// RUN: %{check}
// REDEFINE: %{kernel} = last
// RUN: %{check}
// REDEFINE: %{kernel} = sums
// REDEFINE: %{type} = f32
// REDEFINE: %{compared} = tolerance
// RUN: %{check}
#define KERNEL(NAME)                                                                                                                       \
  extern "C" __global__ void NAME(const unsigned *x, unsigned *y, unsigned *z, int n)
#define INDEX int t = threadIdx.x, i = blockIdx.x * blockDim.x + t

KERNEL(histogram) {
  __shared__ unsigned s[64];
  INDEX;
  if (t < 64)
    s[t] = 0;
  __syncthreads();
  if (i < n)
    atomicAdd(&s[x[i] & 63], x[i] << 24);
  __syncthreads();
  if (t >= 64)
    return;
  if (unsigned v = s[t]) {
    atomicAdd(&y[t], v);
    atomicAdd(&z[t], v);
  }
}

KERNEL(equal) {
  __shared__ unsigned s[64];
  INDEX;
  if (t < 64)
    s[t] = 0;
  __syncthreads();
  atomicAdd(&s[t & 63], 3u);
  __syncthreads();
  if (t < 64)
    atomicAdd(&y[t], s[t]);
}

// In y, where blocks do not add to the same elements, each replica has its own.
KERNEL(channels) {
  __shared__ unsigned s[64];
  INDEX;
  if (t < 64)
    s[t] = 0;
  __syncthreads();
  if (i < n)
    atomicAdd(&s[x[blockIdx.y * n + i] & 63], 1u);
  __syncthreads();
  if (t < 64)
    atomicAdd(&y[blockIdx.y * 64 + t], s[t]);
}

// Loops that the replicas leave at different times.
KERNEL(strided) {
  __shared__ unsigned s[64];
  INDEX;
  if (t < 64)
    s[t] = 0;
  __syncthreads();
  for (; i < n; i += 3 * blockDim.x)
    atomicAdd(&s[x[i] & 63], x[i]);
  __syncthreads();
  for (int k = t; k < 64; k += 32)
    if (t < 32)
      atomicAdd(&y[k], s[k]);
}

KERNEL(bits) {
  __shared__ unsigned ors[64], ands[64], xors[64];
  INDEX;
  if (t < 64) {
    ors[t] = 5;
    ands[t] = ~0u;
    xors[t] = 0;
  }
  __syncthreads();
  if (i < n) {
    atomicOr(&ors[x[i] & 63], x[i]);
    atomicAnd(&ands[x[i] & 63], x[i] | 3);
    atomicXor(&xors[x[i] & 63], x[i]);
  }
  __syncthreads();
  if (t < 64) {
    atomicOr(&y[t], ors[t]);
    atomicAnd(&y[64 + t], ands[t]);
    if (xors[t])
      atomicXor(&z[t], xors[t]);
  }
}

KERNEL(extremes) {
  __shared__ int most[64];
  __shared__ unsigned least;
  INDEX;
  if (t < 64)
    most[t] = -5;
  if (t == 0)
    least = x[7];
  __syncthreads();
  if (i < n) {
    atomicMax(&most[x[i] & 63], (int)x[i] * (i & 1 ? 2 : -1));
    atomicMin(&least, x[i] + 1);
  }
  __syncthreads();
  if (t < 64)
    atomicMax((int *)&y[t], most[t]);
  if (t == 0)
    atomicMin(&y[64], least);
}

KERNEL(tiles) {
  __shared__ unsigned s[64], tile[128];
  INDEX;
  if (t < 64)
    s[t] = 0;
  tile[t] = i < n ? x[i] : 0;
  __syncthreads();
  atomicAdd(&s[t & 63], tile[127 - t]);
  __syncthreads();
  if (t < 64)
    atomicAdd(&y[t], s[t]);
  if (i < n && blockIdx.y == 0)
    z[i] = tile[t ^ 1];
}

// Two arrays of one kind.
KERNEL(dynamic) {
  extern __shared__ unsigned d[];
  unsigned *e = d + 64;
  INDEX;
  if (t < 64)
    d[t] = e[t] = 0;
  __syncthreads();
  if (i < n) {
    atomicAdd(&d[x[i] & 63], 1u);
    atomicAdd(&e[x[i] >> 1 & 63], x[i]);
  }
  __syncthreads();
  if (t < 64) {
    atomicAdd(&y[t], d[t]);
    atomicAdd(&z[t], e[t]);
  }
}

KERNEL(zeroOfOneThread) {
  __shared__ __align__(16) unsigned s[64], r[64];
  INDEX;
  if (t == 0)
    for (int k = 0; k < 64; ++k)
      s[k] = 0;
  if (t < 16)
    ((uint4 *)r)[t] = make_uint4(0, 0, 0, 0);
  __syncthreads();
  if (i < n) {
    atomicAdd(&s[x[i] & 63], 1u);
    atomicAdd(&r[x[i] >> 2 & 63], 1u);
  }
  __syncthreads();
  if (t < 64) {
    atomicAdd(&y[t], s[t]);
    atomicAdd(&z[t], r[t]);
  }
}

KERNEL(warps) {
  __shared__ unsigned s[4];
  INDEX;
  if (t < 4)
    s[t] = 0;
  __syncthreads();
  unsigned v = i < n ? x[i] : 0;
  for (int k = 16; k; k >>= 1)
    v += __shfl_xor_sync(~0u, v, k);
  if ((t & 31) == 0)
    atomicAdd(&s[v & 3], v);
  __syncthreads();
  if (t < 4)
    atomicAdd(&y[t], s[t]);
}

// A region of each replica that has barriers.
KERNEL(someBlocks) {
  __shared__ unsigned s[64], tile[128];
  INDEX;
  if (t < 64)
    s[t] = 0;
  __syncthreads();
  for (int b = blockIdx.x; b < 9; b += 3) {
    tile[t] = x[(b * 128 + t) % n];
    __syncthreads();
    atomicAdd(&s[t & 63], tile[127 - t]);
    __syncthreads();
  }
  if (t < 64)
    atomicAdd(&y[t], s[t]);
}

KERNEL(own) {
  __shared__ unsigned s[128];
  INDEX;
  s[t] = 0;
  if (i < n)
    for (int k = 0; k < 4; ++k)
      atomicAdd(&s[t], x[(i + k) % n]);
  atomicAdd(&y[t], s[t]);
}

// The last block to add reads what all have added.
KERNEL(last) {
  __shared__ unsigned s[64];
  __shared__ bool isLast;
  INDEX;
  if (t < 64)
    s[t] = 0;
  __syncthreads();
  if (i < n)
    atomicAdd(&s[x[i] & 63], 1u);
  __syncthreads();
  if (t < 64)
    atomicAdd(&y[t], s[t]);
  __threadfence();
  __syncthreads();
  if (t == 0)
    isLast = atomicAdd(&z[n + 64], 1u) == gridDim.x * gridDim.y - 1;
  __syncthreads();
  if (isLast && t < 64)
    z[t] = atomicAdd(&y[t], 0u) * 2;
}

KERNEL(sums) {
  __shared__ float s[64];
  INDEX;
  for (int k = t; k < 64; k += blockDim.x)
    s[k] = 0;
  __syncthreads();
  if (i < n)
    for (int k = 0; k < 4; ++k)
      atomicAdd(&s[(x[i] + k) & 63], x[i] * 0.1f);
  __syncthreads();
  for (int k = t; k < 64; k += blockDim.x)
    atomicAdd(&((float *)y)[k], s[k]);
}
