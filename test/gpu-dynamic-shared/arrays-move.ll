; Arrays of more than 48 KiB move in front of the author's dynamic shared memory, each where its alignment lets it begin.
; RUN: %opt -passes='gpu-dynamic-shared' -S %s | FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@a = internal addrspace(3) global [4097 x i32] poison, align 4
@b = internal addrspace(3) global [10000 x i32] poison, align 32
@unused = internal addrspace(3) global [20000 x i32] poison, align 4
@author = external addrspace(3) global [0 x double], align 8

; CHECK-NOT: @a =
; CHECK-NOT: @b =
; CHECK-DAG: @unused = internal addrspace(3) global
; CHECK-DAG: @k_shared = external addrspace(3) global [0 x i8], align 32
; CHECK-DAG: @author = external addrspace(3) global [0 x double], align 8

; CHECK-LABEL: @k(
; CHECK: getelementptr i32, ptr addrspace(3) @k_shared, i64 %i
; CHECK: store i32 1, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @k_shared, i64 16416)
; CHECK: load double, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @k_shared, i64 56416)
define ptx_kernel void @k(ptr %out, i64 %i) #0 {
  %p = getelementptr i32, ptr addrspace(3) @a, i64 %i
  store i32 0, ptr addrspace(3) %p
  store i32 1, ptr addrspace(3) @b
  %d = load double, ptr addrspace(3) @author
  store double %d, ptr %out
  ret void
}

; The dynamic shared memory of another kernel begins where it did.
; CHECK-LABEL: @other(
; CHECK: load double, ptr addrspace(3) @author
define ptx_kernel void @other(ptr %out) #0 {
  %d = load double, ptr addrspace(3) @author
  store double %d, ptr %out
  ret void
}

; CHECK: "gpuprune-grid-divisor"="2,1,1" "gpuprune-shared-arrays"="56416"
; CHECK: = { "gpuprune-grid-divisor"="2,1,1" }
attributes #0 = { "gpuprune-grid-divisor"="2,1,1" }
