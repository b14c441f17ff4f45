; Products are fused into sums in source order, the left one first; what does not contract is left alone.
; RUN: %opt -passes='gpu-prepare,verify' -S %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @sum_of_products(
; CHECK: %b = fmul float %z, %w
; CHECK-NEXT: %[[S:.*]] = call float @llvm.fma.f32(float %x, float %y, float %b)
; CHECK-NEXT: store float %[[S]]
define ptx_kernel void @sum_of_products(float %x, float %y, float %z, float %w, ptr %p) {
  %a = fmul contract float %x, %y
  %b = fmul contract float %z, %w
  %s = fadd contract float %a, %b
  store float %s, ptr %p
  ret void
}

; x*y - z
; CHECK-LABEL: @left_of_difference(
; CHECK: %[[N:.*]] = fneg double %z
; CHECK-NEXT: call double @llvm.fma.f64(double %x, double %y, double %[[N]])
define ptx_kernel void @left_of_difference(double %x, double %y, double %z, ptr %p) {
  %a = fmul contract double %x, %y
  %s = fsub contract double %a, %z
  store double %s, ptr %p
  ret void
}

; z - x*y
; CHECK-LABEL: @right_of_difference(
; CHECK: %[[N:.*]] = fneg float %x
; CHECK-NEXT: call float @llvm.fma.f32(float %[[N]], float %y, float %z)
define ptx_kernel void @right_of_difference(float %x, float %y, float %z, ptr %p) {
  %a = fmul contract float %x, %y
  %s = fsub contract float %z, %a
  store float %s, ptr %p
  ret void
}

; A product that others use as well is fused and stays; so is its negation.
; CHECK-LABEL: @product_used_twice(
; CHECK: %a = fmul float %x, %y
; CHECK: %n = fneg float %a
; CHECK: %[[X:.*]] = fneg float %x
; CHECK-NEXT: %[[Z:.*]] = fneg float %z
; CHECK-NEXT: call float @llvm.fma.f32(float %[[X]], float %y, float %[[Z]])
define ptx_kernel void @product_used_twice(float %x, float %y, float %z, ptr %p) {
  %a = fmul contract float %x, %y
  %n = fneg contract float %a
  %s = fsub contract float %n, %z
  store float %s, ptr %p
  %q = getelementptr float, ptr %p, i64 1
  store float %n, ptr %q
  %r = getelementptr float, ptr %p, i64 2
  store float %a, ptr %r
  ret void
}

; CHECK-LABEL: @muladd(
; CHECK: call <2 x half> @llvm.fma.v2f16(<2 x half> %x, <2 x half> %y, <2 x half> %z)
define ptx_kernel void @muladd(<2 x half> %x, <2 x half> %y, <2 x half> %z, ptr %p) {
  %s = call <2 x half> @llvm.fmuladd.v2f16(<2 x half> %x, <2 x half> %y, <2 x half> %z)
  store <2 x half> %s, ptr %p
  ret void
}

; CHECK-LABEL: @does_not_contract(
; CHECK: fmul float %x, %y
; CHECK-NEXT: fadd float
; CHECK-NOT: fma
; CHECK: ret void
define ptx_kernel void @does_not_contract(float %x, float %y, float %z, ptr %p) {
  %a = fmul float %x, %y
  %s = fadd contract float %a, %z
  store float %s, ptr %p
  ret void
}

; Other fast-math flags stay.
; CHECK-LABEL: @other_flags(
; CHECK: fdiv arcp float
define ptx_kernel void @other_flags(float %x, float %y, ptr %p) {
  %s = fdiv arcp contract float %x, %y
  store float %s, ptr %p
  ret void
}
