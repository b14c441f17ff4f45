// What shows how many blocks there are, or which of them made an iteration, is refused by name.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-grid<blocks=4>' -Rpass=gpu-grid 2> %t.err
// RUN: FileCheck %s --implicit-check-not=remark: --implicit-check-not=refused --input-file=%t.err
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.s
// PTX-NOT: setp.gt.s32 {{.*}}, %r{{[0-9]+}}, %r
#include "Inputs/device.h"
#define STRIDED for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)

// CHECK: gpu-grid refused 'guarded' (NoGridLoop)
KERNEL guarded(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = 1;
}

// CHECK: gpu-grid refused 'other_step' (NoGridLoop)
KERNEL other_step(int *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * 256)
    atomicAdd(y, i);
}

// CHECK: gpu-grid refused 'far_start' (NoGridLoop)
KERNEL far_start(int *y, int n, int from) {
  for (int i = from + blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(y, i);
}

// CHECK: gpu-grid refused 'partial' (BlockIndex)
KERNEL partial(const int *x, int *y, int n) {
  int sum = 0;
  STRIDED sum += x[i];
  y[blockIdx.x] = sum;
}

// CHECK: gpu-grid refused 'mean' (BlockResult)
KERNEL mean(const int *x, float *y, int n) {
  int sum = 0;
  STRIDED sum += x[i];
  atomicAdd(y, sum / float(gridDim.x));
}

// Zero, which a block without an iteration has, times infinity is no number.
// CHECK: gpu-grid refused 'scaled' (BlockResult)
KERNEL scaled(const float *x, float *y, float a, int n) {
  float sum = 0;
  STRIDED sum += x[i];
  atomicAdd(y, sum * a);
}

// CHECK: gpu-grid refused 'fused' (BlockResult)
KERNEL fused(const float *x, float *y, int n) {
  float sum = 0, more = 0;
  STRIDED {
    sum += x[i];
    more += 2;
  }
  atomicAdd(y, fmaf(x[0], sum, more));
}

// CHECK: gpu-grid refused 'first_block' (BlockIndex)
KERNEL first_block(const int *x, int *y, int n) {
  int sum = 0;
  STRIDED sum += x[i];
  if (blockIdx.x == 0)
    atomicAdd(y, 1);
  atomicAdd(y, sum);
}

// CHECK: gpu-grid refused 'counts_blocks' (BlockResult)
KERNEL counts_blocks(const int *x, int *y, int n) {
  int sum = 0;
  STRIDED sum += x[i];
  atomicAdd(y, sum);
  atomicAdd(y + 1, 1);
}

// CHECK: gpu-grid refused 'starts_with_one' (BlockResult)
KERNEL starts_with_one(const int *x, int *y, int n) {
  int sum = 1;
  STRIDED sum += x[i];
  atomicAdd(y, sum);
}

// CHECK: gpu-grid refused 'shared_starts_with_one' (BlockResult)
KERNEL shared_starts_with_one(const int *x, int *y, int n) {
  __shared__ int bins[64];
  bins[threadIdx.x] = 1;
  __syncthreads();
  STRIDED atomicAdd(&bins[x[i]], 1);
  __syncthreads();
  atomicAdd(&y[threadIdx.x], bins[threadIdx.x]);
}

// CHECK: gpu-grid refused 'squares' (BlockResult)
KERNEL squares(const int *x, int *y, int n) {
  int sum = 0;
  STRIDED sum += x[i];
  atomicAdd(y, sum * sum);
}

// Fused to one operation.
// CHECK: gpu-grid refused 'adds_one_a_block' (BlockResult)
KERNEL adds_one_a_block(const float *x, float *y, float a, float b, int n) {
  float sum = 0;
  STRIDED sum += x[i];
  atomicAdd(y, a * b + sum);
}

// CHECK: gpu-grid refused 'other_sum' (BlockResult)
KERNEL other_sum(const int *x, int *y, int n, int first) {
  int sum = 0, other = first;
  STRIDED {
    sum += x[i];
    other = sum;
  }
  atomicAdd(y, other);
}

// CHECK: gpu-grid refused 'swaps' (BlockResult)
KERNEL swaps(const int *x, int *y, int n) {
  int even = 0, odd = 0;
  STRIDED {
    int next = even + x[i];
    even = odd;
    odd = next;
  }
  atomicAdd(y, even - odd);
}

// CHECK: gpu-grid refused 'saturates' (BlockResult)
KERNEL saturates(const int *x, int *y, int n) {
  int sum = 0;
  STRIDED sum += x[i];
  atomicAdd(y, min(sum, 1000));
}

// CHECK: gpu-grid refused 'positive' (BlockResult)
KERNEL positive(const int *x, int *y, int n) {
  int sum = 0;
  STRIDED sum += x[i];
  if (sum > 0)
    atomicAdd(y, sum);
}

// A sum of 32 bits wraps for each block by itself.
// CHECK: gpu-grid refused 'extended' (BlockResult)
KERNEL extended(const unsigned *x, unsigned long long *y, int n) {
  unsigned sum = 0;
  STRIDED sum += x[i];
  atomicAdd(y, (unsigned long long)sum);
}

// CHECK: gpu-grid refused 'largest' (BlockResult)
KERNEL largest(const int *x, int *y, int n) {
  int most = 0;
  STRIDED most = max(most, x[i]);
  atomicAdd(y, most);
}

// CHECK: gpu-grid refused 'last' (BlockResult)
KERNEL last(const int *x, int *y, int n) {
  int found = 0;
  STRIDED found = x[i];
  atomicAdd(y, found);
}

// CHECK: gpu-grid refused 'doubles' (BlockResult)
KERNEL doubles(const int *x, int *y, int n) {
  int sum = 0;
  STRIDED sum = 2 * sum + x[i];
  atomicAdd(y, sum);
}

// CHECK: gpu-grid refused 'until_full' (BlockResult)
KERNEL until_full(const int *x, int *y, int n) {
  int sum = 0;
  STRIDED if (sum < 100) sum += x[i];
  atomicAdd(y, sum);
}

// CHECK: gpu-grid refused 'bins_until_full' (BlockResult)
KERNEL bins_until_full(const int *x, int *y, int n) {
  __shared__ int bins[64];
  bins[threadIdx.x] = 0;
  __syncthreads();
  STRIDED if (bins[x[i]] < 100) atomicAdd(&bins[x[i]], 1);
  __syncthreads();
  atomicAdd(&y[threadIdx.x], bins[threadIdx.x]);
}

// CHECK: gpu-grid refused 'takes_numbers' (BlockResult)
KERNEL takes_numbers(const int *x, int *y, int *next, int n) {
  STRIDED if (x[i] > 0) y[atomicAdd(next, 1)] = i;
}

// CHECK: gpu-grid refused 'together' (Synchronisation)
KERNEL together(const int *x, int *y, int n) {
  for (int row = blockIdx.x; row < n; row += gridDim.x) {
    __syncthreads();
    atomicAdd(y, x[row * 64 + threadIdx.x]);
  }
}

// CHECK: gpu-grid refused 'stages' (BlockResult)
KERNEL stages(const int *x, int *y, int n) {
  __shared__ int tile[64];
  for (int row = blockIdx.x; row < n; row += gridDim.x) {
    tile[threadIdx.x] = x[row * 64 + threadIdx.x];
    __syncthreads();
    atomicAdd(y, tile[63 - threadIdx.x]);
    __syncthreads();
  }
}

// CHECK: gpu-grid refused 'lanes_together' (WarpOperation)
KERNEL lanes_together(const int *x, int *y, int n) {
  STRIDED if (__any_sync(0xffffffff, x[i] > 0)) atomicAdd(y, 1);
}

// With 1024 threads in the grid the last one of them wins, with more any one.
// CHECK: gpu-grid refused 'ring' (DependentIterations)
KERNEL ring(const int *__restrict__ x, int *__restrict__ y, int n) {
  STRIDED y[i & 1023] = x[i];
}

// CHECK: gpu-grid refused 'fourth' (DependentIterations)
KERNEL fourth(const int *__restrict__ x, int *__restrict__ y, int n) {
  STRIDED y[i * 4] = x[i];
}

// CHECK: gpu-grid refused 'shifts' (DependentIterations)
KERNEL shifts(int *y, int n) {
  STRIDED y[i] = y[i + 1024];
}

// CHECK: gpu-grid refused 'may_be_one_buffer' (DependentIterations)
KERNEL may_be_one_buffer(const int *x, int *y, int n) {
  STRIDED y[i] = x[i];
}

// CHECK: gpu-grid refused 'reads_counts' (DependentIterations)
KERNEL reads_counts(int *y, int n) {
  STRIDED atomicAdd(&y[0], y[1 + i]);
}

// CHECK: gpu-grid refused 'adds_and_ors' (DependentIterations)
KERNEL adds_and_ors(const int *x, int *y, int n) {
  STRIDED {
    atomicAdd(&y[x[i]], 1);
    atomicOr(&y[x[i + n]], 2);
  }
}

// CHECK: gpu-grid refused 'resets' (DependentIterations)
KERNEL resets(const int *x, int *y, int n) {
  int sum = 0;
  y[0] = 0;
  __syncthreads();
  STRIDED sum += x[i];
  atomicAdd(y, sum);
}

// CHECK: gpu-grid refused 'polls' (Volatile)
KERNEL polls(const int *x, volatile int *flag, int *y, int n) {
  STRIDED atomicAdd(y, x[i] + *flag);
}

// CHECK: gpu-grid refused 'block_scope' (UnsupportedIntrinsic)
KERNEL block_scope(const int *x, int *y, int n) {
  STRIDED atomicAdd_block(y, x[i]);
}

// CHECK: gpu-grid refused 'own_array' (UnknownObject)
KERNEL own_array(const int *x, int *y, int n) {
  int sums[16];
  for (int k = 0; k < 16; ++k)
    sums[k] = 0;
  STRIDED sums[x[i]] += 1;
  for (int k = 0; k < 16; ++k)
    atomicAdd(&y[k], sums[k]);
}

// CHECK: gpu-grid refused 'ends_early' (NoGridLoop)
KERNEL ends_early(const int *x, int *y, int n) {
  STRIDED {
    if (x[i] < 0)
      __trap();
    atomicAdd(y, x[i]);
  }
}

// In a grid of 512 threads the thread that stores to a place has stored there before; in another it is another thread.
// CHECK: gpu-grid refused 'again_elsewhere' (DependentIterations)
KERNEL again_elsewhere(int *__restrict__ y, int n, int times) {
  for (int k = 0; k != times; ++k) {
    STRIDED y[i + 512 * k] += 3;
    __syncthreads();
  }
}

// CHECK: gpu-grid refused 'moving_buffer' (DependentIterations)
KERNEL moving_buffer(int *__restrict__ y, int n, int times) {
  for (int k = 0; k != times; ++k, y += 512) {
    STRIDED y[i] += i;
    __syncthreads();
  }
}

// The same, in a cycle that is no loop.
// CHECK: gpu-grid refused 'no_loop' (NoGridLoop)
KERNEL no_loop(int *__restrict__ y, int n, int times) {
  int k = 0;
  if (times & 1)
    goto behind;
again:
  STRIDED y[i + 512 * k] += 3;
  __syncthreads();
behind:
  if (++k != times)
    goto again;
}

// Twice an unsigned index wraps, and two iterations have one place.
// CHECK: gpu-grid refused 'twice_wraps' (DependentIterations)
KERNEL twice_wraps(char *__restrict__ y, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[2 * i] = i >> 5;
}

// In block 65534 the index would begin above 2^31.
// CHECK: gpu-grid refused 'begins_far' (NoGridLoop)
KERNEL begins_far(const int *x, int *y, int n) {
  int sum = 0;
  for (int i = blockIdx.x * 32768 + threadIdx.x * 128; i < n; i += gridDim.x * 32768)
    sum += x[i];
  atomicAdd(y, sum);
}

// CHECK: gpu-grid refused 'prints' (Call)
KERNEL prints(const int *x, int *y, int n) {
  int sum = 0;
  STRIDED sum += x[i];
  vprintf("done\n", nullptr);
  atomicAdd(y, sum);
}

// The bins do not begin with zero.
// CHECK: gpu-grid refused 'copies' (UnsupportedIntrinsic)
KERNEL copies(const int *x, int *y, int n) {
  __shared__ int bins[64];
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(&bins[threadIdx.x])), "l"(x));
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  STRIDED atomicAdd(&bins[x[i]], 1);
  __syncthreads();
  atomicAdd(&y[threadIdx.x], bins[threadIdx.x]);
}

// CHECK: gpu-grid refused 'one_of_two_arrays' (UnknownObject)
KERNEL one_of_two_arrays(const int *x, int *y, int n, bool first) {
  __shared__ int a[64], b[64];
  a[threadIdx.x] = b[threadIdx.x] = 0;
  __syncthreads();
  STRIDED {
    atomicAdd(&a[x[i]], 1);
    atomicAdd(&b[x[i]], 2);
  }
  __syncthreads();
  atomicMax(&y[threadIdx.x], (first ? a : b)[threadIdx.x]);
}

// CHECK: gpu-grid refused 'shared_or_global' (UnknownObject)
KERNEL shared_or_global(const int *x, int *__restrict__ y, int *__restrict__ z, int n, bool shared) {
  __shared__ int bins[64];
  bins[threadIdx.x] = 0;
  __syncthreads();
  int *to = shared ? bins : z;
  STRIDED atomicAdd(&to[x[i]], 1);
  __syncthreads();
  atomicMax(&y[threadIdx.x], bins[threadIdx.x]);
}

// CHECK: gpu-grid refused 'bits_of_sums' (BlockResult)
KERNEL bits_of_sums(const int *x, float *y, int n) {
  __shared__ int bins[64];
  bins[threadIdx.x] = 0;
  __syncthreads();
  STRIDED atomicAdd(&bins[x[i]], 1);
  __syncthreads();
  atomicAdd(&y[threadIdx.x], __int_as_float(bins[threadIdx.x]));
}

// Between the halves nothing is carried.
// CHECK: gpu-grid refused 'two_sums_as_one' (BlockResult)
KERNEL two_sums_as_one(const int *x, unsigned long long *y, int n) {
  __shared__ alignas(8) int bins[128];
  bins[threadIdx.x] = bins[threadIdx.x + 64] = 0;
  __syncthreads();
  STRIDED atomicAdd(&bins[x[i]], -1);
  __syncthreads();
  atomicAdd(&y[threadIdx.x], reinterpret_cast<unsigned long long *>(bins)[threadIdx.x]);
}

struct Counts {
  int of[4];
};
// CHECK: gpu-grid refused 'own_parameter' (UnknownObject)
KERNEL own_parameter(Counts counts, const int *x, int *y, int n) {
  STRIDED {
    counts.of[x[i] & 3] += 1;
    atomicAdd(&y[i & 15], counts.of[x[i] & 3]);
  }
}
