// The block may change where the kernel knows its threads only by their index in the grid, however that is written.
// RUN: %clang_device -emit-llvm -c -gline-tables-only -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,function(print<gpu-block-shape><distinct>)' -disable-output %t.bc 2>&1 | FileCheck %s
#define K extern "C" __global__ void
#define G (blockIdx.x * blockDim.x + threadIdx.x)

// CHECK-LABEL: kernel 'plain'
// CHECK-NEXT: x: free{{$}}
K plain(int n, float a, const float *x, float *y) { int i = G; if (i < n) y[i] = a * x[i]; }
// CHECK-LABEL: kernel 'associated'
// CHECK-NEXT: x: free{{$}}
K associated(int n, int k, float *y) { int i = threadIdx.x + k + 1; i += blockDim.x * blockIdx.x; if (i < n) y[i] = 1; }
// CHECK-LABEL: kernel 'distributed'
// CHECK-NEXT: x: free{{$}}
K distributed(int n, float *y) { int i = G; if (i < n) y[4 * blockIdx.x * blockDim.x + 4 * threadIdx.x + 3] = 1; }
// CHECK-LABEL: kernel 'wide'
// CHECK-NEXT: x: free{{$}}
K wide(size_t n, float *y) { size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 1; }
// CHECK-LABEL: kernel 'widened'
// CHECK-NEXT: x: free{{$}}
K widened(size_t n, float *y) { size_t i = (size_t)(blockIdx.x * blockDim.x) + threadIdx.x; if (i < n) y[i] = 1; }
// CHECK-LABEL: kernel 'two_dimensions'
// CHECK-NEXT: x: free{{$}}
// CHECK-NEXT: y: free{{$}}
K two_dimensions(int w, int h, const float *in, float *out) {
  int x = G, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}
__device__ int index() { return G; }
// CHECK-LABEL: kernel 'called'
// CHECK-NEXT: x: free{{$}}
K called(int n, float *y) { if (index() < n) y[index()] = 1; }

// CHECK-LABEL: kernel 'number'
// CHECK-NEXT: x: not free; BlockIndex: {{.*}}(line [[@LINE+1]]: %{{.*}} = icmp slt
K number(int n, float a, const float *x, float *y) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) y[i] = a * x[i]; }
// CHECK-LABEL: kernel 'two_numbers'
// CHECK-NEXT: x: not free; BlockIndex
// CHECK-NEXT: y: not free; BlockIndex
K two_numbers(int w, int h, float *y) {
  const int BX = 32, BY = 8;
  int i = blockIdx.x * BX + threadIdx.x, j = blockIdx.y * BY + threadIdx.y;
  if (i < w && j < h) y[j * w + i] = 1;
}
constexpr int size() { return 128; }
// CHECK-LABEL: kernel 'constant'
// CHECK-NEXT: x: not free; BlockIndex
K constant(int n, float *y) { constexpr int B = size(); int i = blockIdx.x * B + threadIdx.x; if (i < n) y[i] = 1; }
__device__ int hidden() { return blockIdx.x * 64 + threadIdx.x; }
// CHECK-LABEL: kernel 'in_a_function'
// CHECK-NEXT: x: not free; BlockIndex: {{.*}}(line [[@LINE+1]]:
K in_a_function(int n, float *y) { int i = hidden(); if (i < n) y[i] = 1; }
// CHECK-LABEL: kernel 'switched'
// CHECK-NEXT: x: not free; BlockIndex
K switched(int n, float *y) {
  int i = G;
  switch (blockDim.x) {
  case 128: if (i < n) y[i] = 1; break;
  case 256: if (i < n) y[i] = 2; break;
  default: if (i < n) y[i] = 3;
  }
}
// CHECK-LABEL: kernel 'lane'
// CHECK-NEXT: x: not free; BlockIndex
K lane(int n, float *y) { int i = G; if (i < n) y[i] = threadIdx.x % 32; }
// CHECK-LABEL: kernel 'first_thread'
// CHECK-NEXT: x: not free; BlockIndex
K first_thread(int n, float *y) { int i = G; if (threadIdx.x == 0 && i < n) y[i] = 1; }
// CHECK-LABEL: kernel 'of_block'
// CHECK-NEXT: x: not free; BlockIndex
K of_block(int n, const float *x, float *partial) { int i = G; if (i < n) partial[blockIdx.x] = x[i]; }
// CHECK-LABEL: kernel 'flat'
// CHECK-NEXT: x: not free; BlockIndex
// CHECK-NEXT: y: not free; BlockIndex
K flat(int n, float *y) {
  int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 1;
}
// CHECK-LABEL: kernel 'part_extended'
// CHECK-NEXT: x: not free; BlockIndex
K part_extended(size_t n, unsigned k, float *y) {
  size_t i = (size_t)(blockIdx.x * blockDim.x + k) + threadIdx.x; // The sum in brackets may wrap within a block.
  if (i < n) y[i] = 1;
}
// CHECK-LABEL: kernel 'low_bits'
// CHECK-NEXT: x: free where the grid has as many threads; Unguarded
K low_bits(int n, float *y) { short i = G; if (i < n) y[i & 0xffff] = 1; }
// CHECK-LABEL: kernel 'low_bits_of_thread'
// CHECK-NEXT: x: not free; BlockIndex
K low_bits_of_thread(int n, float *y) { int i = blockIdx.x * blockDim.x + (unsigned char)threadIdx.x; if (i < n) y[i] = 1; }
// One dimension may be free and another not.
// CHECK-LABEL: kernel 'rows'
// CHECK-NEXT: x: free{{$}}
// CHECK-NEXT: y: not free; BlockIndex
K rows(int w, int h, float *y) {
  int i = G, j = blockIdx.y * 8 + threadIdx.y;
  if (i < w && j < h) y[j * w + i] = 1;
}
