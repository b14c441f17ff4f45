; What a number has behind its floor, where the floor is needed as an integer otherwise: from the integer.
; RUN: %opt -passes='gpu-math<arguments=any>' -S %s -o %t.ll 2> %t.err
; RUN: FileCheck %s --input-file=%t.ll
; RUN: FileCheck %s --input-file=%t.err --check-prefix=REFUSED --implicit-check-not=refused
; No fold of LLVM brings the floor back, or drops the zero:
; RUN: %opt -passes='gpu-math<arguments=any>,default<O3>' -S %s 2> %t.err | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

declare float @llvm.floor.f32(float)
declare float @llvm.fma.f32(float, float, float)
declare void @llvm.nvvm.barrier0()

; CHECK-LABEL: @address(
; CHECK: [[K:%.*]] = fptosi float %below to i32
; CHECK: [[BACK:%.*]] = sitofp i32 [[K]] to float
; CHECK: [[NEGATED:%.*]] = fsub float 0.000000e+00, [[BACK]]
; CHECK: %fraction = fadd float {{.*}}[[NEGATED]]
; CHECK: ret void
define ptx_kernel void @address(ptr addrspace(1) %p, ptr addrspace(1) %out, float %x) {
  %below = call float @llvm.floor.f32(float %x)
  %k = fptosi float %below to i32
  %at = getelementptr inbounds float, ptr addrspace(1) %p, i32 %k
  %v = load float, ptr addrspace(1) %at
  %fraction = fsub float %x, %below
  %r = fmul float %fraction, %v
  store float %r, ptr addrspace(1) %out
  ret void
}

; The conversion is moved to the floor, with nothing between that may not return.
; CHECK-LABEL: @converted_later(
; CHECK: %k = fptosi float %below to i32
; CHECK-NOT: fsub float %x
; CHECK: %fraction = fadd float
; CHECK: ret void
define ptx_kernel void @converted_later(ptr addrspace(1) %p, ptr addrspace(1) %out, float %x) {
  %below = call float @llvm.floor.f32(float %x)
  %fraction = fsub float %x, %below
  store float %fraction, ptr addrspace(1) %out
  %k = fptosi float %below to i32
  %at = getelementptr inbounds float, ptr addrspace(1) %p, i32 %k
  store float 0.0, ptr addrspace(1) %at
  ret void
}

; gpu-prepare makes x * y - floor(x * y) this.
; CHECK-LABEL: @of_product(
; CHECK: [[BACK:%.*]] = sitofp i32 %k to float
; CHECK: [[NEGATED:%.*]] = fsub float 0.000000e+00, [[BACK]]
; CHECK-NOT: fneg
; CHECK: %fraction = {{(tail )?}}call float @llvm.fma.f32(float %y, float %x, float [[NEGATED]])
; CHECK: ret void
define ptx_kernel void @of_product(ptr addrspace(1) %p, ptr addrspace(1) %out, float %x, float %y) {
  %product = fmul float %x, %y
  %below = call float @llvm.floor.f32(float %product)
  %k = fptosi float %below to i32
  %at = getelementptr inbounds float, ptr addrspace(1) %p, i32 %k
  store float 0.0, ptr addrspace(1) %at
  %negated = fneg float %below
  %fraction = call float @llvm.fma.f32(float %y, float %x, float %negated)
  store float %fraction, ptr addrspace(1) %out
  ret void
}

; Behind the conversion, in another block:
; CHECK-LABEL: @behind(
; CHECK-NOT: fsub float %x
; CHECK: %fraction = fadd float
; CHECK: ret void
define ptx_kernel void @behind(ptr addrspace(1) %p, ptr addrspace(1) %out, float %x, i1 %c) {
  %below = call float @llvm.floor.f32(float %x)
  %k = fptosi float %below to i32
  %at = getelementptr inbounds float, ptr addrspace(1) %p, i32 %k
  store float 0.0, ptr addrspace(1) %at
  br i1 %c, label %then, label %end
then:
  %fraction = fsub float %x, %below
  store float %fraction, ptr addrspace(1) %out
  br label %end
end:
  ret void
}

; The rest is left as it is. A number out of the range of int may be an index that is not used:
; CHECK-LABEL: @used_by_some(
; CHECK: fsub float %x, %below
; REFUSED: gpu-math refused 'used_by_some' (NothingDecided)
define ptx_kernel void @used_by_some(ptr addrspace(1) %p, ptr addrspace(1) %out, float %x, i1 %c) {
  %below = call float @llvm.floor.f32(float %x)
  %k = fptosi float %below to i32
  %fraction = fsub float %x, %below
  store float %fraction, ptr addrspace(1) %out
  br i1 %c, label %then, label %end
then:
  %at = getelementptr inbounds float, ptr addrspace(1) %p, i32 %k
  store float 0.0, ptr addrspace(1) %at
  br label %end
end:
  ret void
}

; What is clamped, or tested, may rely on what the device makes of a number that is too large.
; CHECK-LABEL: @clamped(
; CHECK: fsub float %x, %below
; REFUSED: gpu-math refused 'clamped' (NothingDecided)
define ptx_kernel void @clamped(ptr addrspace(1) %p, ptr addrspace(1) %out, float %x) {
  %below = call float @llvm.floor.f32(float %x)
  %k = fptosi float %below to i32
  %least = call i32 @llvm.smax.i32(i32 %k, i32 0)
  %at = getelementptr inbounds float, ptr addrspace(1) %p, i32 %least
  %v = load float, ptr addrspace(1) %at
  %fraction = fsub float %x, %below
  %r = fmul float %fraction, %v
  store float %r, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: @tested(
; CHECK: fsub float %x, %below
; REFUSED: gpu-math refused 'tested' (NothingDecided)
define ptx_kernel void @tested(ptr addrspace(1) %p, ptr addrspace(1) %out, float %x, i32 %n) {
  %below = call float @llvm.floor.f32(float %x)
  %k = fptosi float %below to i32
  %fraction = fsub float %x, %below
  store float %fraction, ptr addrspace(1) %out
  %inside = icmp ult i32 %k, %n
  br i1 %inside, label %then, label %end
then:
  %at = getelementptr inbounds float, ptr addrspace(1) %p, i32 %k
  store float 0.0, ptr addrspace(1) %at
  br label %end
end:
  ret void
}

; CHECK-LABEL: @no_address(
; CHECK: fsub float %x, %below
; REFUSED: gpu-math refused 'no_address' (NothingDecided)
define ptx_kernel void @no_address(ptr addrspace(1) %p, float %x) {
  %below = call float @llvm.floor.f32(float %x)
  %k = fptosi float %below to i32
  %fraction = fsub float %x, %below
  store i32 %k, ptr addrspace(1) %p
  %next = getelementptr inbounds float, ptr addrspace(1) %p, i32 1
  store float %fraction, ptr addrspace(1) %next
  ret void
}

; The conversion is in one of two blocks that use the fraction:
; CHECK-LABEL: @converted_by_some(
; CHECK: fsub float %x, %below
; REFUSED: gpu-math refused 'converted_by_some' (NothingDecided)
define ptx_kernel void @converted_by_some(ptr addrspace(1) %p, ptr addrspace(1) %out, float %x, i1 %c) {
  %below = call float @llvm.floor.f32(float %x)
  %fraction = fsub float %x, %below
  store float %fraction, ptr addrspace(1) %out
  br i1 %c, label %then, label %end
then:
  %k = fptosi float %below to i32
  %at = getelementptr inbounds float, ptr addrspace(1) %p, i32 %k
  store float 0.0, ptr addrspace(1) %at
  br label %end
end:
  ret void
}

; Threads may wait for ever in between:
; CHECK-LABEL: @barrier(
; CHECK: fsub float %x, %below
; REFUSED: gpu-math refused 'barrier' (NothingDecided)
define ptx_kernel void @barrier(ptr addrspace(1) %p, ptr addrspace(1) %out, float %x) {
  %below = call float @llvm.floor.f32(float %x)
  %fraction = fsub float %x, %below
  store float %fraction, ptr addrspace(1) %out
  call void @llvm.nvvm.barrier0()
  %k = fptosi float %below to i32
  %at = getelementptr inbounds float, ptr addrspace(1) %p, i32 %k
  store float 0.0, ptr addrspace(1) %at
  ret void
}

; CHECK-LABEL: @other_number(
; CHECK: fsub float %y, %below
; REFUSED: gpu-math refused 'other_number' (NothingDecided)
define ptx_kernel void @other_number(ptr addrspace(1) %p, ptr addrspace(1) %out, float %x, float %y) {
  %below = call float @llvm.floor.f32(float %x)
  %k = fptosi float %below to i32
  %at = getelementptr inbounds float, ptr addrspace(1) %p, i32 %k
  store float 0.0, ptr addrspace(1) %at
  %fraction = fsub float %y, %below
  store float %fraction, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: @other_product(
; CHECK: fneg float %below
; REFUSED: gpu-math refused 'other_product' (NothingDecided)
define ptx_kernel void @other_product(ptr addrspace(1) %p, ptr addrspace(1) %out, float %x, float %y) {
  %product = fmul float %x, %y
  %below = call float @llvm.floor.f32(float %product)
  %k = fptosi float %below to i32
  %at = getelementptr inbounds float, ptr addrspace(1) %p, i32 %k
  store float 0.0, ptr addrspace(1) %at
  %negated = fneg float %below
  %fraction = call float @llvm.fma.f32(float %y, float %y, float %negated)
  store float %fraction, ptr addrspace(1) %out
  ret void
}

; The floor is needed itself, too:
; CHECK-LABEL: @needed(
; CHECK: fsub float %x, %below
; REFUSED: gpu-math refused 'needed' (NothingDecided)
define ptx_kernel void @needed(ptr addrspace(1) %p, ptr addrspace(1) %out, float %x) {
  %below = call float @llvm.floor.f32(float %x)
  %k = fptosi float %below to i32
  %at = getelementptr inbounds float, ptr addrspace(1) %p, i32 %k
  store float %below, ptr addrspace(1) %at
  %fraction = fsub float %x, %below
  store float %fraction, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: @loose(
; CHECK: fsub contract float %x, %below
; REFUSED: gpu-math refused 'loose' (NothingDecided)
define ptx_kernel void @loose(ptr addrspace(1) %p, ptr addrspace(1) %out, float %x) {
  %below = call float @llvm.floor.f32(float %x)
  %k = fptosi float %below to i32
  %at = getelementptr inbounds float, ptr addrspace(1) %p, i32 %k
  store float 0.0, ptr addrspace(1) %at
  %fraction = fsub contract float %x, %below
  store float %fraction, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: @flushed(
; CHECK: fsub float %x, %below
; REFUSED: gpu-math refused 'flushed' (NothingDecided)
define ptx_kernel void @flushed(ptr addrspace(1) %p, ptr addrspace(1) %out, float %x) "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  %below = call float @llvm.floor.f32(float %x)
  %k = fptosi float %below to i32
  %at = getelementptr inbounds float, ptr addrspace(1) %p, i32 %k
  store float 0.0, ptr addrspace(1) %at
  %fraction = fsub float %x, %below
  store float %fraction, ptr addrspace(1) %out
  ret void
}

; Before sm_86 the same unit converts integers and rounds.
; CHECK-LABEL: @older(
; CHECK: fsub float %x, %below
; REFUSED: gpu-math refused 'older' (NothingDecided)
define ptx_kernel void @older(ptr addrspace(1) %p, ptr addrspace(1) %out, float %x) "target-cpu"="sm_80" {
  %below = call float @llvm.floor.f32(float %x)
  %k = fptosi float %below to i32
  %at = getelementptr inbounds float, ptr addrspace(1) %p, i32 %k
  store float 0.0, ptr addrspace(1) %at
  %fraction = fsub float %x, %below
  store float %fraction, ptr addrspace(1) %out
  ret void
}

; More than 32 bits are not what the unit of 64 lanes converts.
; CHECK-LABEL: @long_index(
; CHECK: fsub float %x, %below
; REFUSED: gpu-math refused 'long_index' (NothingDecided)
define ptx_kernel void @long_index(ptr addrspace(1) %p, ptr addrspace(1) %out, float %x) {
  %below = call float @llvm.floor.f32(float %x)
  %k = fptosi float %below to i64
  %at = getelementptr inbounds float, ptr addrspace(1) %p, i64 %k
  store float 0.0, ptr addrspace(1) %at
  %fraction = fsub float %x, %below
  store float %fraction, ptr addrspace(1) %out
  ret void
}
