// What ties threads to their block, warp or place on the device.
// RUN: %clang_device -emit-llvm -c -gline-tables-only -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,function(print<gpu-block-shape><distinct>)' -disable-output %t.bc 2>&1 | FileCheck %s
#define K extern "C" __global__ void
#define G (blockIdx.x * blockDim.x + threadIdx.x)

// CHECK-LABEL: kernel 'arithmetic'
// CHECK-NEXT: x: free{{$}}
K arithmetic(int n, float *y) {
  int i = G, p;
  asm("popc.b32 %0, %1;" : "=r"(p) : "r"(i));
  if (i < n) y[i] = sinf(y[i]) + __expf(y[i]) + p + warpSize;
}
// CHECK-LABEL: kernel 'array'
// CHECK-NEXT: x: not free; SharedMemory: {{.*}}(line [[@LINE+1]]:
K array(int n, float *y) { __shared__ float a[1024]; int i = G; if (i < n) { a[i & 1023] = 1; y[i] = a[i & 1023]; } }
extern __shared__ float dynamic[];
// CHECK-LABEL: kernel 'dynamic_array'
// CHECK-NEXT: x: not free; SharedMemory
K dynamic_array(int n, float *y) { int i = G; if (i < n) { dynamic[i & 63] = 1; y[i] = dynamic[i & 63]; } }
// CHECK-LABEL: kernel 'barrier'
// CHECK-NEXT: x: not free; Synchronisation: {{.*}} @llvm.nvvm.barrier
K barrier(int n, float *y) { int i = G; __syncthreads(); if (i < n) y[i] = 1; }
// CHECK-LABEL: kernel 'fence'
// CHECK-NEXT: x: not free; Synchronisation
K fence(int n, float *y) { int i = G; if (i < n) y[i] = 1; __threadfence(); }
// CHECK-LABEL: kernel 'warp_barrier'
// CHECK-NEXT: x: not free; {{WarpOperation|Synchronisation}}
K warp_barrier(int n, float *y) { int i = G; __syncwarp(); if (i < n) y[i] = 1; }
// CHECK-LABEL: kernel 'shuffle'
// CHECK-NEXT: x: not free; WarpOperation: {{.*}} @llvm.nvvm.shfl
K shuffle(int n, float *y) { int i = G; float a = __shfl_down_sync(~0u, i, 1); if (i < n) y[i] = a; }
// CHECK-LABEL: kernel 'vote'
// CHECK-NEXT: x: not free; WarpOperation
K vote(int n, float *y) { int i = G; if (i < n) y[i] = __ballot_sync(~0u, i & 1); }
// CHECK-LABEL: kernel 'active'
// CHECK-NEXT: x: not free; {{SpecialRegister|WarpOperation}}
K active(int n, float *y) { int i = G; if (i < n) y[i] = __activemask(); }
// CHECK-LABEL: kernel 'lane_register'
// CHECK-NEXT: x: not free; {{SpecialRegister|InlineAsm}}
K lane_register(int n, float *y) { int i = G, l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); if (i < n) y[i] = l; }
// A name that a statement declares is its own up to the brace.
// CHECK-LABEL: kernel 'own_register'
// CHECK-NEXT: x: free{{$}}
K own_register(int n, float *y) {
  int i = G, l;
  asm("{ .reg .u32 %%laneid; { .reg .b16 a, b; mov.b32 {a, b}, %1; cvt.u32.u16 %%laneid, b; } mov.u32 %0, %%laneid; }" : "=r"(l) : "r"(n));
  if (i < n) y[i] = l;
}
// CHECK-LABEL: kernel 'shadowed_register'
// CHECK-NEXT: x: not free; InlineAsm
K shadowed_register(int n, float *y) { int i = G, l; asm("{ .reg .u32 %%laneid; } mov.u32 %0, %%laneid;" : "=r"(l)); if (i < n) y[i] = l; }
// CHECK-LABEL: kernel 'unopened'
// CHECK-NEXT: x: not free; InlineAsm
K unopened(int n, float *y) { int i = G, l; asm("} mov.u32 %0, 1; {" : "=r"(l)); if (i < n) y[i] = l; }
// CHECK-LABEL: kernel 'trap'
// CHECK-NEXT: x: not free; Trap: {{.*}}(line [[@LINE+1]]:
K trap(int n, float *y) { int i = G; if (i >= n) __trap(); y[i] = 1; }
// CHECK-LABEL: kernel 'processor'
// CHECK-NEXT: x: not free; InlineAsm
K processor(int n, float *y) { int i = G, l; asm volatile("mov.u32 %0, %%smid;" : "=r"(l)); if (i < n) y[i] = l; }
// CHECK-LABEL: kernel 'time_'
// CHECK-NEXT: x: not free; SpecialRegister
K time_(int n, float *y) { int i = G; if (i < n) y[i] = clock64(); }
__device__ __noinline__ float apart(float x) { return x * threadIdx.x; }
// CHECK-LABEL: kernel 'call'
// CHECK-NEXT: x: not free; Call
K call(int n, float *y) { int i = G; if (i < n) y[i] = apart(i); }
// CHECK-LABEL: kernel 'prints'
// CHECK-NEXT: x: not free; Call
K prints(int n, float *y) { int i = G; if (i < n) printf("%d\n", i); }
// CHECK-LABEL: kernel 'allocates'
// CHECK-NEXT: x: not free; Call
K allocates(int n, float **y) { int i = G; if (i < n) y[i] = (float *)malloc(4); }
// CHECK-LABEL: kernel 'waits'
// CHECK-NEXT: x: not free; Volatile: {{.*}} load volatile
K waits(int n, volatile int *flag, float *y) { int i = G; if (i < n) y[i] = *flag; }
// CHECK-LABEL: kernel 'atomic_load'
// CHECK-NEXT: x: not free; AtomicAccess
K atomic_load(int n, int *flag, float *y) { int i = G; if (i < n) y[i] = __atomic_load_n(flag, __ATOMIC_RELAXED); }
