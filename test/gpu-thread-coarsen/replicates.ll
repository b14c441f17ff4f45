; A thread does the work of several: what depends on its index is replicated, what does not, and barriers, stay single.
; blockDim reads as the author's, shared arrays stay the block's.
; RUN: %opt -passes='gpu-thread-coarsen<dim=x;factor=2>,verify' -S %s | FileCheck %s --check-prefixes=CHECK,BLOCK
; RUN: %opt -passes='gpu-thread-coarsen<dim=x;factor=2;stride=consecutive>,verify' -S %s | FileCheck %s --check-prefixes=CHECK,CONSECUTIVE
; RUN: %opt -passes='gpu-thread-coarsen<dim=y;factor=2>,verify' -S %s | FileCheck %s --check-prefix=OTHER
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [256 x i32] undef, align 4

; CHECK-LABEL: @k(
; BLOCK: [[T:%t]] = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; BLOCK: [[N:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
; BLOCK: [[D:%.*]] = mul nuw nsw i32 1, [[N]]
; BLOCK: [[T1:%.*]] = add nuw nsw i32 %t, [[D]]
; CONSECUTIVE: [[P:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CONSECUTIVE: [[T:%.*]] = mul nuw nsw i32 [[P]], 2
; CONSECUTIVE: [[T1:%.*]] = add nuw nsw i32 [[T]], 1
; CHECK: %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
; CHECK: [[SIZE:%.*]] = mul nuw nsw i32 %n, 2
; CHECK: %at = getelementptr i32, ptr addrspace(3) @tile, i32 [[T]]
; CHECK: %at.r1 = getelementptr i32, ptr addrspace(3) @tile, i32 [[T1]]
; CHECK: %v = load i32, ptr %p
; CHECK-NOT: load
; CHECK: store i32 %v, ptr addrspace(3) %at
; CHECK-NEXT: store i32 %v, ptr addrspace(3) %at.r1
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: barrier
; CHECK: %w = load i32, ptr addrspace(3) %other
; CHECK-NEXT: %w.r1 = load i32, ptr addrspace(3) %other.r1
; CHECK: atomicrmw add ptr %p, i32 1
; CHECK-NEXT: atomicrmw add ptr %p, i32 1
; CHECK: attributes #0 = { {{.*}}"gpuprune-block-divisor"="2,1,1" {{.*}}"nvvm.maxntid"="128" "nvvm.reqntid"="64,2,1"
; OTHER: attributes #0 = { {{.*}}"gpuprune-block-divisor"="1,2,1" {{.*}}"nvvm.reqntid"="128,1,1"
define ptx_kernel void @k(ptr %p) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %at = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  %v = load i32, ptr %p
  store i32 %v, ptr addrspace(3) %at
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %last = sub i32 %n, %t
  %other = getelementptr i32, ptr addrspace(3) @tile, i32 %last
  %w = load i32, ptr addrspace(3) %other
  %to = getelementptr i32, ptr %p, i32 %t
  store i32 %w, ptr %to
  %count = atomicrmw add ptr %p, i32 1 monotonic
  ret void
}
attributes #0 = { "nvvm.maxntid"="256" "nvvm.reqntid"="128,2,1" }
