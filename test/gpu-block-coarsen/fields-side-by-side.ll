; Copies of structures and vectors lie side by side field by field: offsets are scaled in bytes.
; RUN: %opt -passes='gpu-block-coarsen<x=2;shared=interleaved>,verify' -S %s | FileCheck %s
; RUN: %opt -passes='gpu-block-coarsen<x=2;shared=grouped>,verify' -S %s | FileCheck %s
; Blocked they need not be taken apart.
; RUN: %opt -passes='gpu-block-coarsen<x=2;shared=blocked>,verify' -S %s | FileCheck %s --check-prefix=BLOCKED
; A second pass scales what the first one laid out.
; RUN: %opt -passes='gpu-block-coarsen<x=2;shared=interleaved>,gpu-block-coarsen<y=2;shared=interleaved>,function(instcombine),verify' -S %s | FileCheck %s --check-prefix=TWICE
; BLOCKED: getelementptr [64 x <4 x float>], ptr addrspace(3) @vectors.coarse, i32 0, i32 %t, i32 2
; BLOCKED: getelementptr [64 x %pair], ptr addrspace(3) @pairs.coarse, i32 0, i32 %t, i32 1
target triple = "nvptx64-nvidia-cuda"

%pair = type { float, float }
; CHECK: @vectors.coarse = internal addrspace(3) global [64 x [2 x <4 x float>]] undef, align 16
@vectors = internal addrspace(3) global [64 x <4 x float>] undef, align 16
; CHECK: @pairs.coarse = internal addrspace(3) global [64 x [2 x %pair]] undef, align 16
@pairs = internal addrspace(3) global [64 x %pair] undef, align 8

; The third field of vector t begins at byte 16 * t + 8; here at twice that.
; CHECK-LABEL: define ptx_kernel void @vector_element(
; CHECK: %at.idx = mul i64 %{{.*}}, 16
; CHECK: %at.offs = add i64 %at.idx, 8
; CHECK: %at = getelementptr [2 x i8], ptr addrspace(3) @vectors.coarse, i64 %at.offs
; CHECK: store float %f, ptr addrspace(3) %at, align 4
; CHECK: %[[COPY:.*]] = getelementptr inbounds i8, ptr addrspace(3) %at, i64 4
; CHECK: store float %f.r1, ptr addrspace(3) %[[COPY]], align 4
define ptx_kernel void @vector_element(i32 %t) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %f = uitofp i32 %b to float
  %at = getelementptr [64 x <4 x float>], ptr addrspace(3) @vectors, i32 0, i32 %t, i32 2
  store float %f, ptr addrspace(3) %at
  ret void
}

; 8 * t + 4, four times: 16 bytes hold a field of all four replicas.
; TWICE-LABEL: define ptx_kernel void @struct_field(
; TWICE: %[[T:.*]] = sext i32 %t to i64
; TWICE: %.idx = shl nsw i64 %[[T]], 5
; TWICE: %[[PAIR:.*]] = getelementptr i8, ptr addrspace(3) @pairs.coarse.coarse, i64 %.idx
; TWICE: %at = getelementptr i8, ptr addrspace(3) %[[PAIR]], i64 16
; TWICE: getelementptr i8, ptr addrspace(3) %[[PAIR]], i64 20
; TWICE: getelementptr i8, ptr addrspace(3) %[[PAIR]], i64 24
; TWICE: getelementptr i8, ptr addrspace(3) %[[PAIR]], i64 28
; CHECK-LABEL: define ptx_kernel void @struct_field(
; CHECK: %at.idx = mul i64 %{{.*}}, 8
; CHECK: %at.offs = add i64 %at.idx, 4
; CHECK: getelementptr [2 x i8], ptr addrspace(3) @pairs.coarse, i64 %at.offs
define ptx_kernel void @struct_field(i32 %t) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %s = add i32 %b, %y
  %f = uitofp i32 %s to float
  %at = getelementptr [64 x %pair], ptr addrspace(3) @pairs, i32 0, i32 %t, i32 1
  store float %f, ptr addrspace(3) %at
  ret void
}
