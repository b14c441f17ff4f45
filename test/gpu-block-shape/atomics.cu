// Atomic operations may come in any order where nobody sees that order.
// RUN: %clang_device -emit-llvm -c -gline-tables-only -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,function(print<gpu-block-shape><distinct>)' -disable-output %t.bc 2>&1 | FileCheck %s
#define K extern "C" __global__ void
#define G (blockIdx.x * blockDim.x + threadIdx.x)

// CHECK-LABEL: kernel 'histogram'
// CHECK-NEXT: x: free{{$}}
// CHECK-NOT: round
K histogram(int n, const unsigned char *x, unsigned *counts) { int i = G; if (i < n) atomicAdd(counts + x[i], 1u); }
// CHECK-LABEL: kernel 'others'
// CHECK-NEXT: x: free{{$}}
K others(int n, const int *x, int *a, int *b, unsigned *c, int *d) {
  int i = G;
  if (i < n) { atomicMin(a, x[i]); atomicMax(b, x[i]); atomicXor(c, 7u); atomicAdd(d, 2); atomicSub(d, x[i]); }
}
// CHECK-LABEL: kernel 'relaxed'
// CHECK-NEXT: x: free{{$}}
K relaxed(int n, int *a) { int i = G; if (i < n) __atomic_fetch_add(a, 1, __ATOMIC_RELAXED); }
// CHECK-LABEL: kernel 'reals'
// CHECK-NEXT: x: free{{$}}
// CHECK: floating-point additions may round differently
K reals(int n, const float *x, float *sum) { int i = G; if (i < n) atomicAdd(sum, x[i]); }

// CHECK-LABEL: kernel 'unguarded'
// CHECK-NEXT: x: free where the grid has as many threads; Unguarded: {{.*}} atomicrmw
K unguarded(int *a) { atomicAdd(a, 1); }
// CHECK-LABEL: kernel 'slots'
// CHECK-NEXT: x: not free; Atomic: {{.*}}(line [[@LINE+1]]: %{{.*}} = atomicrmw add
K slots(int n, const float *x, unsigned *count, float *y) { int i = G; if (i < n && x[i] > 0) y[atomicAdd(count, 1u)] = x[i]; }
// CHECK-LABEL: kernel 'of_block'
// CHECK-NEXT: x: not free; Atomic
K of_block(int n, int *a) { int i = G; if (i < n) atomicAdd_block(a, 1); }
// CHECK-LABEL: kernel 'exchange'
// CHECK-NEXT: x: not free; Atomic
K exchange(int n, int *a) { int i = G; if (i < n) atomicExch(a, i); }
// CHECK-LABEL: kernel 'compare_and_swap'
// CHECK-NEXT: x: not free; Atomic
K compare_and_swap(int n, int *a) { int i = G; if (i < n) atomicCAS(a, 0, i); }
// CHECK-LABEL: kernel 'two_operations'
// CHECK-NEXT: x: not free; Atomic
K two_operations(int n, int *a) { int i = G; if (i < n) { atomicAdd(a, 1); atomicMax(a, i); } }
// CHECK-LABEL: kernel 'read_besides'
// CHECK-NEXT: x: not free; Communication: {{.*}} load i32
K read_besides(int n, int *a, int *y) { int i = G; if (i < n) { atomicAdd(a + i, 1); y[i] = a[i + 1]; } }
// CHECK-LABEL: kernel 'written_besides'
// CHECK-NEXT: x: not free; Communication
K written_besides(int n, int *a) { int i = G; if (i < n) { a[i] = 0; atomicAdd(a + i / 2, 1); } }
