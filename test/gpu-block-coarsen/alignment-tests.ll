; A test of how an address into a shared array is aligned has one answer for all copies: each begins where as much is known.
; RUN: split-file %s %t
; RUN: %opt -passes='gpu-block-coarsen<x=2>,verify' -S %t/tested.ll | FileCheck %s
; RUN: %opt -passes='gpu-block-coarsen<x=2;shared=grouped>,verify' -S %t/tested.ll | FileCheck %s
; RUN: %opt -passes='gpu-block-coarsen<x=2;shared=interleaved>' -disable-output %t/tested.ll 2>&1 | FileCheck %s --check-prefix=INTERLEAVED
; RUN: %opt -passes='gpu-block-coarsen<x=2>' -disable-output %t/refused.ll 2>&1 | FileCheck %s --check-prefix=REFUSED --implicit-check-not=refused

; 20 bytes a copy, and the test asks for 16:
; CHECK: @buffer.coarse = internal addrspace(3) global [64 x i8] undef, align 16
; CHECK: define ptx_kernel void @tested(
; CHECK-COUNT-2: store float
; INTERLEAVED: refused 'tested' (PointerEscapes): copies of 'buffer' would not all be aligned as this asks

; REFUSED: refused 'stored' (PointerEscapes)
; REFUSED: refused 'pages' (PointerEscapes)
; REFUSED: refused 'hashed' (PointerEscapes)
; REFUSED: refused 'dynamic' (PointerEscapes): copies of 'unsized' would not all be aligned as this asks

;--- tested.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@buffer = internal addrspace(3) global [5 x float] undef, align 4

define ptx_kernel void @tested(ptr addrspace(1) %out, i32 %offset, i64 %other) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %p = getelementptr inbounds float, ptr addrspace(3) @buffer, i32 %offset
  %v = sitofp i32 %b to float
  store float %v, ptr addrspace(3) %p
  %address = ptrtoint ptr addrspace(3) %p to i64
  %both = or i64 %address, %other
  %short = trunc i64 %both to i32
  %low = and i32 %short, 15
  %aligned = icmp eq i32 %low, 0
  %factor = select i1 %aligned, float 2.0, float 3.0
  %w = load float, ptr addrspace(3) %p
  %product = fmul float %w, %factor
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i32 %b
  store float %product, ptr addrspace(1) %to
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

;--- refused.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@buffer = internal addrspace(3) global [5 x float] undef, align 4
@unsized = external addrspace(3) global [0 x float], align 4

define ptx_kernel void @stored(ptr addrspace(1) %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %b, ptr addrspace(3) @buffer
  %address = ptrtoint ptr addrspace(3) @buffer to i64
  store i64 %address, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @pages(ptr addrspace(1) %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %b, ptr addrspace(3) @buffer
  %address = ptrtoint ptr addrspace(3) @buffer to i64
  %low = and i64 %address, 4095
  store i64 %low, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @hashed(ptr addrspace(1) %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %b, ptr addrspace(3) @buffer
  %address = ptrtoint ptr addrspace(3) @buffer to i64
  %line = lshr i64 %address, 2
  %low = and i64 %line, 3
  store i64 %low, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @dynamic(ptr addrspace(1) %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %b, ptr addrspace(3) @unsized
  %address = ptrtoint ptr addrspace(3) @unsized to i64
  %low = and i64 %address, 31
  store i64 %low, ptr addrspace(1) %out
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
