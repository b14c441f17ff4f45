; RUN: %opt -S -passes=gpu-isolate-kernels %s | FileCheck %s
; With one kernel nothing is shared: a function that others may call as well, and that it calls, is there whenever it is.

target triple = "nvptx64-nvidia-cuda"

; CHECK: @weights = dso_local addrspace(4) externally_initialized constant [4 x float] zeroinitializer, align 4
; CHECK-NOT: llvm.compiler.used
@weights = dso_local addrspace(4) externally_initialized constant [4 x float] zeroinitializer, align 4

; CHECK: define internal float @helper(
define internal float @helper(float %x) {
  %w = load float, ptr addrspace(4) @weights
  %y = fmul float %x, %w
  ret float %y
}

define float @visible(float %x) {
  %y = call float @helper(float %x)
  ret float %y
}

; CHECK: define ptx_kernel void @k(
; CHECK: call float @helper(
define ptx_kernel void @k(ptr %p) {
  %x = load float, ptr %p
  %y = call float @visible(float %x)
  %z = call float @helper(float %y)
  store float %z, ptr %p
  ret void
}
