// A kernel may be compiled for one block or for clusters of blocks.
// RUN: %clang_device -emit-llvm -c -gline-tables-only -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,function(print<gpu-block-shape><distinct>)' -disable-output %t.bc 2>&1 | FileCheck %s
#define K extern "C" __global__ void
#define G (blockIdx.x * blockDim.x + threadIdx.x)

// CHECK-LABEL: kernel 'bounded'
// CHECK-NEXT: x: free{{$}}
K __launch_bounds__(256) bounded(int n, float *y) { int i = G; if (i < n) y[i] = 1; }
// CHECK-LABEL: kernel 'clusters'
// CHECK-NEXT: x: not free; Cluster: {{.*}}(line [[@LINE+1]]:
K clusters(int n, float *y) { int i = G; if (i < n) y[i] = __nvvm_read_ptx_sreg_cluster_ctaid_x(); }
