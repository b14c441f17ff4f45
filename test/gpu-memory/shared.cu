// A __constant__ table becomes a variable of global memory that all threads of a block copy to a shared tile, in the widest
// words that its size and alignment allow; a barrier follows, and the kernel reads the tile.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-memory<symbol=table;space=shared;kernel=reads>,gpu-memory<symbol=odd;space=shared;kernel=reads>,verify' -pass-remarks=gpu-memory -S %t.bc -o %t.ll 2> %t.err
// RUN: FileCheck %s --input-file=%t.err --check-prefix=DONE
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=OPT
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-memory<symbol=table;space=shared;kernel=reads>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
// DONE: remark: {{.*}}'table' is read from a tile of shared memory
// OPT-DAG: @table = dso_local addrspace(1) externally_initialized constant [64 x %struct.float4] zeroinitializer, align 16
// OPT-DAG: @table.tile = internal addrspace(3) global [64 x %struct.float4] undef, align 16
// OPT-DAG: @odd.tile = internal addrspace(3) global [7 x i8] undef, align 16
// OPT-LABEL: @reads(
// OPT: load i8, ptr addrspace(1) {{.*}}, align 1, !invariant.load
// OPT: store i8 {{.*}}, ptr addrspace(3) {{.*}}, align 1
// OPT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
// OPT: load <4 x i32>, ptr addrspace(1) {{.*}}, align 16, !invariant.load
// OPT: store <4 x i32> {{.*}}, ptr addrspace(3) {{.*}}, align 16
// OPT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
// OPT: load float, ptr addrspace(3)
// OPT-NOT: invariant.load
// OPT-LABEL: @others(
// OPT: load float, ptr addrspace(1) {{.*}}!invariant.load
// CHECK: .entry reads(
// CHECK: .shared .align 16 .b8 table_$_tile[1024];
// CHECK: ld.global.nc.v4.b32
// CHECK: st.shared.v4.b32
// CHECK: {{bar.sync|barrier.sync.aligned}}
// CHECK: ld.shared.v4.b32
// CHECK: .entry others(
// CHECK-NOT: ld.shared
// CHECK: ld.global.nc

// What does not fit, or is not read from the variable alone, stays where it is.
// RUN: %opt -passes='gpu-prepare,gpu-memory<symbol=large;space=shared;kernel=others>' -S %t.bc -o %t.large 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: FileCheck %s --input-file=%t.large --check-prefix=STAYS
// LARGE: gpu-memory refused 'others' (TooLarge): with 'large' a block would have 64000 bytes of static shared memory, and 49152 can be declared
// RUN: %opt -passes='gpu-prepare,gpu-memory<symbol=table;space=shared;kernel=passes>' -S %t.bc -o %t.passes 2>&1 | FileCheck %s --check-prefix=PASSES
// RUN: FileCheck %s --input-file=%t.passes --check-prefix=STAYS
// PASSES: gpu-memory refused 'passes' (PointerEscapes): the address of 'table' goes where it cannot be followed
// RUN: %opt -passes='gpu-prepare,gpu-memory<symbol=odd;space=shared;kernel=others>' -S %t.bc -o %t.unread 2>&1 | FileCheck %s --check-prefix=UNREAD
// RUN: FileCheck %s --input-file=%t.unread --check-prefix=STAYS
// UNREAD: gpu-memory refused 'others' (NothingRead): nothing is read from 'odd'
// STAYS-DAG: @table = dso_local addrspace(4)
// STAYS-DAG: @odd = dso_local addrspace(4)
// STAYS-DAG: @large = dso_local addrspace(4)
// STAYS-NOT: .tile
// RUN: not %opt -passes='gpu-memory<arg=0;space=shared>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: gpu-memory needs one of
__constant__ float4 table[64];
__constant__ char odd[7];
__constant__ float4 large[4000];
extern "C" __global__ void reads(float *out, int n) {
  float s = odd[n % 7];
  for (int i = 0; i < n; ++i)
    s += table[i].x + table[i].y + table[i].z + table[i].w;
  out[threadIdx.x] = s;
}
extern "C" __global__ void others(float *out, int n) { out[threadIdx.x] = table[n].x + large[n].y; }
extern "C" __global__ void passes(const float4 **out, int n) { out[threadIdx.x] = &table[n]; }
