; RUN: %opt -S -passes=gpu-isolate-kernels %s | FileCheck %s --check-prefix=MARKED
; RUN: %opt -S -passes='gpu-isolate-kernels,function(infer-alignment)' %s | FileCheck %s
; RUN: %opt -S -passes='gpu-isolate-kernels' %s | %llc | FileCheck %s --check-prefix=PTX
; The alignment of a variable that kernels share is not raised by one's accesses, that of a kernel's own is. What lies in constant memory, and
; dynamic shared memory, stays however little a kernel makes of it.

target triple = "nvptx64-nvidia-cuda"

; CHECK: @shared = {{.*}} align 4
; CHECK: @own = {{.*}} align 8
@shared = dso_local addrspace(1) global [8 x float] zeroinitializer, align 4
@own = dso_local addrspace(1) global [8 x float] zeroinitializer, align 4
@table = internal addrspace(4) constant [2 x float] [float 1.0, float 2.0], align 4
@dynamic = external addrspace(3) global [0 x float], align 4

; Equal strings become one, with the alignment of the other.
; MARKED: @text.a = {{.*}}, section ".gpuprune.constant"
; MARKED: @text.b = {{.*}}, section ".gpuprune.constant"
; MARKED: @llvm.compiler.used = {{.*}}@table{{.*}}@dynamic
@text.a = private unnamed_addr constant [3 x i8] c"ab\00", align 1
@text.b = private unnamed_addr constant [3 x i8] c"ab\00", align 1
declare void @print(ptr)

; PTX: .visible .global .align 4 .b8 shared[32];
; PTX: .const .align 4 .b8 table[8]

define ptx_kernel void @a(ptr %p) {
  %x = load float, ptr addrspace(1) @shared, align 4
  store float %x, ptr %p
  call void @print(ptr @text.a)
  ret void
}

define ptx_kernel void @b(ptr %p) {
  %x = load double, ptr addrspace(1) @shared, align 4
  %y = load double, ptr addrspace(1) @own, align 4
  %z = fadd double %x, %y
  store double %z, ptr %p
  call void @print(ptr @text.b)
  ret void
}
