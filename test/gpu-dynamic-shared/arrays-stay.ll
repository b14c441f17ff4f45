; Where the arrays have to stay static, nothing changes.
; RUN: rm -rf %t && split-file %s %t
; RUN: cat %t/head %t/fits.ll > %t/in.ll && %opt -S %t/in.ll -o %t/before && %opt -passes='gpu-dynamic-shared' -S %t/in.ll | diff %t/before -
; RUN: cat %t/head %t/as-author.ll > %t/in.ll && %opt -S %t/in.ll -o %t/before && %opt -passes='gpu-dynamic-shared' -S %t/in.ll | diff %t/before -
; RUN: cat %t/head %t/another-function.ll > %t/in.ll && %opt -S %t/in.ll -o %t/before && %opt -passes='gpu-dynamic-shared' -S %t/in.ll | diff %t/before -
; RUN: cat %t/head %t/dynamic-elsewhere.ll > %t/in.ll && %opt -S %t/in.ll -o %t/before && %opt -passes='gpu-dynamic-shared' -S %t/in.ll | diff %t/before -
; RUN: cat %t/head %t/asks-for-size.ll > %t/in.ll && %opt -S %t/in.ll -o %t/before && %opt -passes='gpu-dynamic-shared' -S %t/in.ll | diff %t/before -
; RUN: cat %t/head %t/assembly.ll > %t/in.ll && %opt -S %t/in.ll -o %t/before && %opt -passes='gpu-dynamic-shared' -S %t/in.ll | diff %t/before -
; RUN: cat %t/head %t/initial-value.ll > %t/in.ll && %opt -S %t/in.ll -o %t/before && %opt -passes='gpu-dynamic-shared' -S %t/in.ll | diff %t/before -
; RUN: cat %t/head %t/too-large.ll > %t/in.ll && %opt -S %t/in.ll -o %t/before && %opt -passes='gpu-dynamic-shared' -S %t/in.ll | diff %t/before -
; The same kernel without any of the reasons moves them, also where constant expressions use them.
; RUN: cat %t/head %t/moves.ll > %t/in.ll && %opt -passes='gpu-dynamic-shared' -S %t/in.ll | FileCheck %s
; RUN: cat %t/head %t/moves-constants.ll > %t/in.ll && %opt -passes='gpu-dynamic-shared' -S %t/in.ll | FileCheck %s
; CHECK: @k_shared = external

;--- head
target triple = "nvptx64-nvidia-cuda"
;--- moves.ll
@a = internal addrspace(3) global [12289 x i32] poison, align 4
define ptx_kernel void @k(i64 %i) "gpuprune-grid-divisor"="2,1,1" {
  %p = getelementptr i32, ptr addrspace(3) @a, i64 %i
  store i32 0, ptr addrspace(3) %p
  ret void
}
;--- moves-constants.ll
@a = internal addrspace(3) global [12289 x i32] poison, align 4
@d = external addrspace(3) global [0 x i32], align 4
define ptx_kernel void @k() "gpuprune-grid-divisor"="2,1,1" {
  store i32 0, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @a, i64 16)
  store i32 0, ptr addrspacecast (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @d, i64 16) to ptr)
  ret void
}
define ptx_kernel void @other() {
  store i32 0, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @d, i64 32)
  ret void
}
;--- initial-value.ll
@a = internal addrspace(3) global [12289 x i32] poison, align 4
@table = internal constant [1 x ptr addrspace(3)] [ptr addrspace(3) @a]
define ptx_kernel void @k(ptr %out, i64 %i) "gpuprune-grid-divisor"="2,1,1" {
  %t = load ptr addrspace(3), ptr @table
  store ptr addrspace(3) %t, ptr %out
  %p = getelementptr i32, ptr addrspace(3) @a, i64 %i
  store i32 0, ptr addrspace(3) %p
  ret void
}
;--- too-large.ll
@a = internal addrspace(3) global [4294967296 x i8] poison, align 4
define ptx_kernel void @k(i64 %i) "gpuprune-grid-divisor"="2,1,1" {
  %p = getelementptr i32, ptr addrspace(3) @a, i64 %i
  store i32 0, ptr addrspace(3) %p
  ret void
}
;--- fits.ll
@a = internal addrspace(3) global [12288 x i32] poison, align 4
define ptx_kernel void @k(i64 %i) "gpuprune-grid-divisor"="2,1,1" {
  %p = getelementptr i32, ptr addrspace(3) @a, i64 %i
  store i32 0, ptr addrspace(3) %p
  ret void
}
;--- as-author.ll
@a = internal addrspace(3) global [12289 x i32] poison, align 4
define ptx_kernel void @k(i64 %i) "gpuprune-pointer-alignment"="16" {
  %p = getelementptr i32, ptr addrspace(3) @a, i64 %i
  store i32 0, ptr addrspace(3) %p
  ret void
}
;--- another-function.ll
@a = internal addrspace(3) global [12289 x i32] poison, align 4
define ptx_kernel void @k(i64 %i) "gpuprune-grid-divisor"="2,1,1" {
  call void @f(i64 %i)
  %p = getelementptr i32, ptr addrspace(3) @a, i64 %i
  store i32 0, ptr addrspace(3) %p
  ret void
}
define void @f(i64 %i) noinline {
  %p = getelementptr i32, ptr addrspace(3) @a, i64 %i
  store i32 0, ptr addrspace(3) %p
  ret void
}
;--- dynamic-elsewhere.ll
@a = internal addrspace(3) global [12289 x i32] poison, align 4
@d = external addrspace(3) global [0 x i32], align 4
define ptx_kernel void @k(i64 %i) "gpuprune-grid-divisor"="2,1,1" {
  call void @f(i64 %i)
  %p = getelementptr i32, ptr addrspace(3) @a, i64 %i
  store i32 0, ptr addrspace(3) %p
  ret void
}
define void @f(i64 %i) noinline {
  %p = getelementptr i32, ptr addrspace(3) @d, i64 %i
  store i32 0, ptr addrspace(3) %p
  ret void
}
;--- asks-for-size.ll
@a = internal addrspace(3) global [12289 x i32] poison, align 4
define ptx_kernel void @k(ptr %out, i64 %i) "gpuprune-grid-divisor"="2,1,1" {
  %n = call i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size()
  store i32 %n, ptr %out
  %p = getelementptr i32, ptr addrspace(3) @a, i64 %i
  store i32 0, ptr addrspace(3) %p
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size()
;--- assembly.ll
@a = internal addrspace(3) global [12289 x i32] poison, align 4
define ptx_kernel void @k(ptr %out, i64 %i) "gpuprune-grid-divisor"="2,1,1" {
  %n = call i32 asm "mov.u32 $0, %total_smem_size;", "=r"()
  store i32 %n, ptr %out
  %p = getelementptr i32, ptr addrspace(3) @a, i64 %i
  store i32 0, ptr addrspace(3) %p
  ret void
}
