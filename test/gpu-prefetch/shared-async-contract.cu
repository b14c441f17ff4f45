// Where a thread copies neighbours, copies are 16 bytes wide as far as buffers are known to be aligned so: `align=16` puts it
// into the launch contract, and the tile is aligned for it. Without it they have 4.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-thread-coarsen<dim=x;factor=4;stride=consecutive;align=16>,gpu-prefetch<loop=0;to=shared-async>'
// RUN: FileCheck %s --input-file=%t.s --check-prefix=WIDE
// RUN: %ptxas %t.s -o %t.cubin
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-thread-coarsen<dim=x;factor=4;stride=consecutive>,gpu-prefetch<loop=0;to=shared-async>'
// RUN: FileCheck %s --input-file=%t.s --check-prefix=NARROW
// RUN: %ptxas %t.s -o %t.cubin
// WIDE: .shared .align 16
// WIDE: cp.async.cg.shared.global {{.*}}, 16;
// WIDE: bar.sync
// WIDE: cp.async.cg.shared.global {{.*}}, 16;
// WIDE-NOT: {{cp.async.ca|ld.global|st.shared}}
// WIDE: ret;
// NARROW: .shared .align 4
// NARROW-COUNT-4: cp.async.ca.shared.global {{.*}}, 4;
// NARROW: bar.sync
// NARROW-COUNT-4: cp.async.ca.shared.global {{.*}}, 4;
// NARROW-NOT: {{cp.async.c[ag].shared|ld.global|st.shared}}
// NARROW: ret;
extern "C" __global__ void k(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float tile[128];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; ++k) {
    tile[t] = a[k * 128 + t];
    __syncthreads();
    s += tile[127 - t];
    __syncthreads();
  }
  out[t] = s;
}
