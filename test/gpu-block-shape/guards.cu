// Threads that only another shape has must not do anything.
// RUN: %clang_device -emit-llvm -c -gline-tables-only -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,function(print<gpu-block-shape><distinct>)' -disable-output %t.bc 2>&1 | FileCheck %s
#define K extern "C" __global__ void
#define G (blockIdx.x * blockDim.x + threadIdx.x)

// CHECK-LABEL: kernel 'early_return'
// CHECK-NEXT: x: free{{$}}
K early_return(int n, float *y) { int i = G; if (i >= n) return; y[i] = 1; }
// CHECK-LABEL: kernel 'formula'
// CHECK-NEXT: x: free{{$}}
K formula(unsigned n, unsigned m, float *y) { unsigned i = G; if (4 * i + 3 < min(n / 4, m)) y[i] = 1; }
// CHECK-LABEL: kernel 'among_others'
// CHECK-NEXT: x: free{{$}}
K among_others(int n, const float *x, float *y) { int i = G; if (i > 0 && i < n - 1 && x[i] > 0) y[i] = 1; }
// CHECK-LABEL: kernel 'uniform_load'
// CHECK-NEXT: x: free{{$}}
K uniform_load(int n, const float *a, float *y) { int i = G; float b = a[3]; if (i < n) y[i] = b; }
// CHECK-LABEL: kernel 'uniform_loop'
// CHECK-NEXT: x: free{{$}}
K uniform_loop(int n, int m, float *y) { int i = G; for (int j = 0; j < m; j++) if (i < n) y[j * n + i] = 1; }
// CHECK-LABEL: kernel 'one_thread'
// CHECK-NEXT: x: free{{$}}
K one_thread(float *y) { if (G == 5) y[0] = 1; }

struct P { int n; float a; long long m; short s[4]; };
// CHECK-LABEL: kernel 'member'
// CHECK-NEXT: x: free{{$}}
K member(float *y, P p) { int i = G; if (i >= p.n) return; y[i] = p.a; }
// CHECK-LABEL: kernel 'member_formula'
// CHECK-NEXT: x: free{{$}}
K member_formula(float *y, int k, P p) { int i = G; if (i < p.s[1] / 4 + k && i < p.m) y[i] += p.a; }
// CHECK-LABEL: kernel 'member_stride'
// CHECK-NEXT: x: free{{$}}
K member_stride(float *y, P p) { for (int i = G; i < p.n; i += gridDim.x * blockDim.x) y[i] += p.a; }
// CHECK-LABEL: kernel 'member_row'
// CHECK-NEXT: x: free{{$}}
K member_row(float *y, P p) { int i = G, r = blockIdx.y * blockDim.y + threadIdx.y; if (i < p.n) y[i + (size_t)r * p.n] += p.a; }

// CHECK-LABEL: kernel 'member_written'
// CHECK-NEXT: x: free where the grid has as many threads; Unguarded
K member_written(float *y, P p) { int i = G; p.s[i % 4] = 7; if (i < p.s[1]) y[i] = p.a; }
// CHECK-LABEL: kernel 'member_chosen'
// CHECK-NEXT: x: free where the grid has as many threads; Unguarded
K member_chosen(float *y, P p) { int i = G; if (i < p.s[i % 4]) y[i] = p.a; }
// CHECK-LABEL: kernel 'member_real'
// CHECK-NEXT: x: free where the grid has as many threads; Unguarded
K member_real(float *y, P p) { int i = G; if (i < p.a) y[i] = p.a; }

// CHECK-LABEL: kernel 'none'
// CHECK-NEXT: x: free where the grid has as many threads; Unguarded: {{.*}}(line [[@LINE+1]]: store float
K none(float *y) { y[G] = 1; }
// CHECK-LABEL: kernel 'load_outside'
// CHECK-NEXT: x: free where the grid has as many threads; Unguarded: {{.*}} load float
K load_outside(int n, const float *x, float *y) { int i = G; float a = x[i]; if (n == 7) y[3] = a; if (i < n) y[i] = a; }
// CHECK-LABEL: kernel 'decided_outside'
// CHECK-NEXT: x: free where the grid has as many threads; Unguarded: {{.*}} br
K decided_outside(int n, int m, float *y) { int i = G; if (i * i / m == 3) if (i < n) y[i] = 1; }
// CHECK-LABEL: kernel 'one_of_two'
// CHECK-NEXT: x: free where the grid has as many threads; Unguarded
K one_of_two(int n, float *y, float *z) { int i = G; if (i < n) y[i] = 1; z[i] = 2; }
// CHECK-LABEL: kernel 'or_'
// CHECK-NEXT: x: free where the grid has as many threads; Unguarded
K or_(int n, int m, float *y) { int i = G; if (i < n || m == 3) y[i] = 1; }
// CHECK-LABEL: kernel 'from_above'
// CHECK-NEXT: x: free where the grid has as many threads; Unguarded
K from_above(int n, float *y) { int i = G; if (i > n) y[i] = 1; }
// CHECK-LABEL: kernel 'bound_from_memory'
// CHECK-NEXT: x: free where the grid has as many threads; Unguarded
K bound_from_memory(const int *n, float *y) { int i = G; if (i < *n) y[i] = 1; }
// CHECK-LABEL: kernel 'own_bound'
// CHECK-NEXT: x: free where the grid has as many threads; Unguarded
K own_bound(int n, int m, float *y) { int i = G; if (i < i % m + n) y[i] = 1; }
// CHECK-LABEL: kernel 'endless'
// CHECK-NEXT: x: free where the grid has as many threads; Unguarded: {{.*}} br
K endless(int n, float *y) { int i = G; int j = i; while (j != n) j = j * 3 + 1; if (i < n) y[i] = j; }
// CHECK-LABEL: kernel 'assumed'
// CHECK-NEXT: x: free where the grid has as many threads; Unguarded
K assumed(int n, float *y) { int i = G; __builtin_assume(i * 2 < n); if (i < n) y[i] = 1; }
