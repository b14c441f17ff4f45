; RUN: %opt -S -passes=gpu-isolate-kernels %s | FileCheck %s
; RUN: %opt -S -passes=gpu-isolate-kernels,gpu-isolate-kernels %s | FileCheck %s
; Each kernel, and each function that stays anyway, calls copies of its own of what is internal and shared. Inline functions are
; copied only where they call such; one that is called by pointer, and what is of one kernel alone, stays.

target triple = "nvptx64-nvidia-cuda"

; CHECK: @table = {{.*}}[ptr @taken]
@table = addrspace(1) global [1 x ptr] [ptr @taken]

; CHECK-NOT: define internal float @shared(
; CHECK: define internal float @"shared$visible"(
; CHECK: define internal float @"shared$a"(
; CHECK: define internal float @"shared$b"(
; CHECK-NOT: define internal float @shared(
define internal float @shared(float %x) {
  %y = fmul float %x, %x
  ret float %y
}

; CHECK: define linkonce_odr float @"between$a"(float %x)
; CHECK: call float @"shared$a"(float %x)
; CHECK: define linkonce_odr float @"between$b"(float %x)
; CHECK: call float @"shared$b"(float %x)
; CHECK-NOT: @between(
define linkonce_odr float @between(float %x) {
  %y = call float @shared(float %x)
  ret float %y
}

; CHECK: define linkonce_odr float @inline(float %x)
define linkonce_odr float @inline(float %x) {
  %y = fadd float %x, 1.0
  ret float %y
}

; CHECK: define internal float @ofOne(float %x)
define internal float @ofOne(float %x) {
  %y = fadd float %x, 2.0
  ret float %y
}

; CHECK: define internal float @taken(float %x)
define internal float @taken(float %x) {
  %y = fadd float %x, 3.0
  ret float %y
}

; CHECK-LABEL: define float @visible(
; CHECK: call float @"shared$visible"(
define float @visible(float %x) {
  %y = call float @shared(float %x)
  ret float %y
}

; CHECK-LABEL: define ptx_kernel void @a(
; CHECK: call float @"between$a"(
; CHECK: call float @inline(
; CHECK: call float @ofOne(
; CHECK: call float @taken(
define ptx_kernel void @a(ptr %p) {
  %x = load float, ptr %p
  %y = call float @between(float %x)
  %z = call float @inline(float %y)
  %w = call float @ofOne(float %z)
  %v = call float @taken(float %w)
  store float %v, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @b(
; CHECK: call float @"between$b"(
; CHECK: call float @"shared$b"(
define ptx_kernel void @b(ptr %p) {
  %x = load float, ptr %p
  %y = call float @between(float %x)
  %z = call float @shared(float %y)
  %w = call float @inline(float %z)
  %v = call float @taken(float %w)
  store float %v, ptr %p
  ret void
}
