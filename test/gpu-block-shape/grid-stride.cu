// A loop that strides by the threads of the grid makes each iteration once, whatever the grid; other uses of that
// number take a grid of as many threads.
// RUN: %clang_device -emit-llvm -c -gline-tables-only -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,function(print<gpu-block-shape><distinct>)' -disable-output %t.bc 2>&1 | FileCheck %s
#define K extern "C" __global__ void
#define G (blockIdx.x * blockDim.x + threadIdx.x)
#define S (blockDim.x * gridDim.x)

// CHECK-LABEL: kernel 'elements'
// CHECK-NEXT: x: free{{$}}
K elements(int n, const float *x, float *y) { for (int i = G; i < n; i += S) y[i] = 2 * x[i] + y[i]; }
// CHECK-LABEL: kernel 'wide'
// CHECK-NEXT: x: free{{$}}
K wide(size_t n, float *y) {
  size_t s = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += s) y[i] *= 2;
}
// CHECK-LABEL: kernel 'inner_points'
// CHECK-NEXT: x: free{{$}}
K inner_points(int n, const float *x, float *y) { for (int i = G + 1; i < n - 1; i += S) y[i] = x[i - 1] + x[i + 1]; }
// CHECK-LABEL: kernel 'two_dimensions'
// CHECK-NEXT: x: free{{$}}
// CHECK-NEXT: y: free{{$}}
K two_dimensions(int w, int h, const float *x, float *y) {
  for (int j = blockIdx.y * blockDim.y + threadIdx.y; j < h; j += gridDim.y * blockDim.y)
    for (int i = G; i < w; i += S) y[j * w + i] = x[j * w + i];
}
// CHECK-LABEL: kernel 'guarded_inside'
// CHECK-NEXT: x: free{{$}}
K guarded_inside(int n, const float *x, float *y) { for (int i = G; i < n; i += S) if (x[i] > 0) y[i] = 1; }

// CHECK-LABEL: kernel 'own_array'
// CHECK-NEXT: x: free{{$}}
K own_array(int n, const int *x, float *y) {
  for (int i = G; i < n; i += S) {
    float a[8];
    for (int j = 0; j < 8; j++) a[j] = j * x[i];
    y[i] = a[x[i] & 7];
  }
}
// CHECK-LABEL: kernel 'array_of_all'
// CHECK-NEXT: x: free where the grid has as many threads; GridExtent: {{.*}} load float
K array_of_all(int n, const int *x, float *y) {
  float a[8] = {};
  for (int i = G; i < n; i += S) {
    a[x[i] & 7] += 1;
    y[i] = a[x[i] & 3];
  }
}
// CHECK-LABEL: kernel 'row_stride'
// CHECK-NEXT: x: free where the grid has as many threads; GridExtent: {{.*}}(line [[@LINE+1]]:
K row_stride(int n, float *y) { int i = G, j = blockIdx.y * blockDim.y + threadIdx.y; if (i < n && j < n) y[j * gridDim.x * blockDim.x + i] = 1; }
// CHECK-LABEL: kernel 'sum'
// CHECK-NEXT: x: free where the grid has as many threads; GridExtent: {{.*}}phi float
K sum(int n, const float *x, float *out) { float s = 0; for (int i = G; i < n; i += S) s += x[i]; out[G] = s; }
// CHECK-LABEL: kernel 'last'
// CHECK-NEXT: x: free where the grid has as many threads; GridExtent
K last(int n, const float *x, float *out) { int i; for (i = G; i < n; i += S) out[i] = x[i]; if (i < n + 3) out[0] = i; }
// CHECK-LABEL: kernel 'own_slot'
// CHECK-NEXT: x: free where the grid has as many threads; GridExtent
K own_slot(int n, const float *x, float *out) { for (int i = G; i < n; i += S) out[G] = x[i]; }
// CHECK-LABEL: kernel 'own_slot_before'
// CHECK-NEXT: x: free where the grid has as many threads; GridExtent
K own_slot_before(int n, const float *x, float *out) { float a = x[G]; for (int i = G; i < n; i += S) out[i] = a; }
// CHECK-LABEL: kernel 'some_threads'
// CHECK-NEXT: x: free where the grid has as many threads; GridExtent
K some_threads(int n, int k, float *y) { if (G < k) for (int i = G; i < n; i += S) y[i] = 1; }
// CHECK-LABEL: kernel 'breaks'
// CHECK-NEXT: x: free where the grid has as many threads; GridExtent
K breaks(int n, const float *x, float *y) { for (int i = G; i < n; i += S) { if (x[i] < 0) break; y[i] = 1; } }
// CHECK-LABEL: kernel 'bound_of_block'
// CHECK-NEXT: x: not free; BlockIndex
K bound_of_block(int n, float *y) { for (int i = G; i < n - (int)blockIdx.x; i += S) y[i] = 1; }
// CHECK-LABEL: kernel 'bound_read'
// CHECK-NEXT: x: free where the grid has as many threads; GridExtent
K bound_read(const int *n, float *y) { for (int i = G; i < n[i & 1]; i += S) y[i] = 1; }
// CHECK-LABEL: kernel 'other_stride'
// CHECK-NEXT: x: free where the grid has as many threads; GridExtent
K other_stride(int n, float *y) { for (int i = G; i < n; i += 2 * S) y[i] = 1; }
// CHECK-LABEL: kernel 'do_while'
// CHECK-NEXT: x: free where the grid has as many threads; GridExtent
K do_while(int n, float *y) { int i = G; do { y[i] = 1; i += S; } while (i < n); }
// Of 1024 threads each has elements of its own, of more two may store to one.
// CHECK-LABEL: kernel 'ring'
// CHECK-NEXT: x: free where the grid has as many threads; Communication: {{.*}}store float
K ring(int n, const float *x, float *y) { for (int i = G; i < n; i += S) y[i & 1023] = x[i]; }
// CHECK-LABEL: kernel 'two_elements'
// CHECK-NEXT: x: free{{$}}
K two_elements(int n, const float *x, float *y) { for (int i = G; i < n; i += S) { y[2 * i] = x[i]; y[2 * i + 1] = -x[i]; } }
