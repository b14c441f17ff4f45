// Reads of memory that nothing writes, and hints, do no harm twice or earlier; other reads and what writes may.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare' -S %t.bc -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll
// RUN: %opt -passes='gpu-block-coarsen<x=2>' -S %t.ll -o %t.coarse.ll 2>%t.err
// RUN: FileCheck %s --check-prefix=COARSE --input-file=%t.coarse.ll
// RUN: FileCheck %s --check-prefix=REFUSED --implicit-check-not=refused --input-file=%t.err
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=2;kernel=constant>,gpu-block-coarsen<x=2;kernel=hint>,gpu-unroll-and-jam<loop=0;factor=2;kernel=nest>'
// RUN: %ptxas %t.s -o %t.cubin
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.s

// CHECK: define {{.*}}@constant(
// CHECK: call {{.*}} asm sideeffect "ld.global.nc{{.*}} #[[VOLATILE:[0-9]+]]
// COARSE: define {{.*}}@constant(
// COARSE-COUNT-2: asm sideeffect "ld.global.nc
// PTX: .entry constant(
// PTX-COUNT-2: ld.global.nc.L1::no_allocate.L2::128B.v4.f32
extern "C" __global__ void constant(const float4 *a, float *b) {
  float x, y, z, w;
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
               : "l"(a + blockIdx.x * blockDim.x + threadIdx.x));
  b[blockIdx.x * blockDim.x + threadIdx.x] = x + y + z + w;
}

// With a clobber LLVM is told nothing new.
// CHECK: define {{.*}}@clobbers(
// CHECK: call {{.*}} asm sideeffect "{ .reg .pred{{.*}} #[[CLOBBERS:[0-9]+]]
// COARSE: define {{.*}}@clobbers(
// COARSE-COUNT-2: asm sideeffect "{ .reg .pred
extern "C" __global__ void clobbers(const int *a, int *b) {
  int x;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; mov.b32 %0, 0; @p ld.global.nc.b32 %0, [%1]; }"
               : "=r"(x)
               : "l"(a + blockIdx.x), "r"(threadIdx.x)
               : "memory");
  b[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

// COARSE: define {{.*}}@hint(
// COARSE-COUNT-2: asm sideeffect "prefetch.global.L2
// PTX: .entry hint(
// PTX-COUNT-2: prefetch.global.L2 [
extern "C" __global__ void hint(const float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("prefetch.global.L2 [%0];" ::"l"(a + i + 4096));
  b[i] = a[i];
}

// Read when the compiler likes, says the author.
// COARSE: define {{.*}}@anytime(
// COARSE-COUNT-2: asm "ld.global.cg
extern "C" __global__ void anytime(const int *a, int *b) {
  int x;
  asm("ld.global.cg.s32 %0, [%1];" : "=r"(x) : "l"(a + blockIdx.x));
  b[blockIdx.x] = x;
}

// PTX: .entry nest(
// PTX: ld.global.nc
// PTX: ld.global.nc
extern "C" __global__ void nest(const float *a, float *b, int n) {
  for (int i = 0; i < 64; ++i) {
    float s = 0;
    for (int j = 0; j < n; ++j) {
      float x;
      asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(x) : "l"(a + i * n + j));
      s += x;
    }
    b[(blockIdx.x * blockDim.x + threadIdx.x) * 64 + i] = s;
  }
}

// Waits, perhaps.
// REFUSED: gpu-block-coarsen refused 'waits' (InlineAsm)
extern "C" __global__ void waits(const int *a, int *b) {
  int x;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(a) : "memory");
  b[blockIdx.x] = x;
}

// REFUSED: gpu-block-coarsen refused 'acquires' (InlineAsm)
extern "C" __global__ void acquires(const int *a, int *b) {
  int x;
  asm("ld.global.acquire.gpu.u32 %0, [%1];" : "=r"(x) : "l"(a));
  b[blockIdx.x] = x;
}

// REFUSED: gpu-block-coarsen refused 'discards' (InlineAsm)
extern "C" __global__ void discards(int *b) { asm volatile("discard.global.L2 [%0], 128;" ::"l"(b + blockIdx.x * 32)); }

// REFUSED: gpu-block-coarsen refused 'reads_and_writes' (InlineAsm)
extern "C" __global__ void reads_and_writes(const int *a, int *b) {
  asm volatile("{ .reg .b32 t; ld.global.nc.b32 t, [%0]; st.global.b32 [%1], t; }" ::"l"(a + blockIdx.x), "l"(b + blockIdx.x));
}

// REFUSED: gpu-block-coarsen refused 'label' (InlineAsm)
extern "C" __global__ void label(const int *a, int *b) {
  int x;
  asm volatile("{ AGAIN: ld.global.nc.L2::128B.b32 %0, [%1]; }" : "=r"(x) : "l"(a));
  b[blockIdx.x] = x;
}

// CHECK: attributes #[[VOLATILE]] = { nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
// CHECK: attributes #[[CLOBBERS]] = { nofree nosync nounwind willreturn }
