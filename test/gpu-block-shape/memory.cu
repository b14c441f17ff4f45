// What one thread stores no other may load.
// RUN: %clang_device -emit-llvm -c -gline-tables-only -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,function(print<gpu-block-shape><distinct>)' -disable-output %t.bc 2>&1 | FileCheck %s
// RUN: %opt -passes='gpu-prepare,function(print<gpu-block-shape>)' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=ALIAS
#define K extern "C" __global__ void
#define G (blockIdx.x * blockDim.x + threadIdx.x)
#define H (blockIdx.y * blockDim.y + threadIdx.y)

// Other arguments may point to the same buffer, unless it is known that they do not.
// CHECK-LABEL: kernel 'stencil'
// CHECK-NEXT: x: free{{$}}
// ALIAS-LABEL: kernel 'stencil'
// ALIAS-NEXT: x: not free; Communication: {{.*}}(line [[@LINE+1]]: %{{.*}} = load float
K stencil(int n, const float *x, float *y) { int i = G; if (i > 0 && i < n - 1) y[i] = x[i - 1] + x[i + 1]; }
// CHECK-LABEL: kernel 'restricted'
// ALIAS-LABEL: kernel 'restricted'
// ALIAS-NEXT: x: free{{$}}
K restricted(int n, const float *__restrict__ x, float *__restrict__ y) { int i = G; if (i > 0 && i < n - 1) y[i] = x[i - 1] + x[i + 1]; }
// CHECK-LABEL: kernel 'read_only'
// ALIAS-LABEL: kernel 'read_only'
// ALIAS-NEXT: x: free{{$}}
K read_only(int n, const float *x, float *y) { int i = G; if (i > 0 && i < n) y[i] = __ldg(x + i - 1); }
__constant__ float table[64];
// CHECK-LABEL: kernel 'constants'
// ALIAS-LABEL: kernel 'constants'
// ALIAS-NEXT: x: free{{$}}
K constants(int n, float *y) { int i = G; if (i < n) y[i] = table[i & 63]; }
// CHECK-LABEL: kernel 'own_place'
// ALIAS-LABEL: kernel 'own_place'
// ALIAS-NEXT: x: free{{$}}
K own_place(int n, float *y) { int i = G; if (i < n) y[i] = 2 * y[i]; }
// CHECK-LABEL: kernel 'own_structure'
// CHECK-NEXT: x: free{{$}}
struct Pair { float a, b; };
K own_structure(int n, Pair *y) { int i = G; if (i < n) y[i].a = y[i].b; }
// CHECK-LABEL: kernel 'own_place_of_matrix'
// CHECK-NEXT: x: free{{$}}
// CHECK-NEXT: y: free{{$}}
K own_place_of_matrix(int w, int h, float *y) { int i = G, j = H; if (i < w && j < h) y[j * w + i] += 1; }
// CHECK-LABEL: kernel 'backwards'
// CHECK-NEXT: x: free{{$}}
K backwards(int n, float *y) { int i = G; if (i < n) y[n - 1 - i] += 1; }
// CHECK-LABEL: kernel 'local_array'
// CHECK-NEXT: x: free{{$}}
K local_array(int n, int k, float *y) { float a[8]; int i = G; for (int j = 0; j < 8; j++) a[j] = j + k; if (i < n) y[i] = a[i & 7]; }

// CHECK-LABEL: kernel 'in_place'
// CHECK-NEXT: x: not free; Communication: {{.*}}(line [[@LINE+1]]: %{{.*}} = load float
K in_place(int n, float *y) { int i = G; if (i > 0 && i < n - 1) y[i] = y[i - 1] + y[i + 1]; }
// CHECK-LABEL: kernel 'in_place_rows'
// CHECK-NEXT: x: not free; Communication
// CHECK-NEXT: y: not free; Communication
K in_place_rows(int w, int h, float *y) { int i = G, j = H; if (i < w && j < h - 1) y[j * w + i] = y[(j + 1) * w + i]; }
// CHECK-LABEL: kernel 'shared_place'
// CHECK-NEXT: x: not free; Communication
K shared_place(int n, float *y) { int i = G; if (i < n) y[i / 2] += 1; }
// CHECK-LABEL: kernel 'one_place'
// CHECK-NEXT: x: not free; Communication
K one_place(int n, float *y) { int i = G; if (i < n) y[0] += 1; }
// CHECK-LABEL: kernel 'scattered'
// CHECK-NEXT: x: not free; Communication
K scattered(int n, const int *to, float *y) { int i = G; if (i < n) y[to[i]] += 1; }
// CHECK-LABEL: kernel 'overlapping'
// CHECK-NEXT: x: not free; Communication
K overlapping(int n, char *y) { int i = G; if (i < n) *(short *)(y + i) += 1; }
// CHECK-LABEL: kernel 'through_pointers'
// CHECK-NEXT: x: not free; Communication
K through_pointers(int n, float **p) { int i = G; if (i > 0 && i < n) p[0][i] = p[1][i - 1]; }
// CHECK-LABEL: kernel 'at_another_time'
// CHECK-NEXT: x: not free; Communication
K at_another_time(int n, int m, float *y) { int i = G; if (i < n) for (int j = 0; j < m; j++) y[i + j] += 1; }
