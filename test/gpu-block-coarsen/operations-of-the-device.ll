; Operations other than loads and stores: once a replica where an operand differs, on each replica's own shared memory.
; RUN: %opt -passes='gpu-block-coarsen<x=2>,verify' -S %s | FileCheck %s
; RUN: %opt -passes='gpu-block-coarsen<x=2>' -S %s | %llc -o %t.s
; RUN: %opt -passes='gpu-thread-coarsen<factor=2>' -S %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=THREADS
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x i32] undef, align 4

; The copies of all replicas are one group.
; CHECK: @tile.coarse = internal addrspace(3) global [2 x [64 x i32]] undef, align 16
; CHECK-LABEL: @asynchronous(
; CHECK: call void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3) %at,
; CHECK-NEXT: %copy = getelementptr inbounds i8, ptr addrspace(3) %at, i64 256
; CHECK-NEXT: call void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3) %copy,
; CHECK-NEXT: call void @llvm.nvvm.cp.async.commit.group()
; CHECK-NEXT: call void @llvm.nvvm.cp.async.wait.group(i32 0)
; CHECK-NOT: commit
; CHECK: ret void
define ptx_kernel void @asynchronous(ptr addrspace(1) %p, i32 %t) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %b
  %at = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  call void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3) %at, ptr addrspace(1) %from)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load i32, ptr addrspace(3) %at
  store i32 %v, ptr addrspace(1) %from
  ret void
}

; CHECK-LABEL: @matrix(
; CHECK-COUNT-2: ldmatrix
; THREADS: 'matrix' (WarpOperation)
define ptx_kernel void @matrix(ptr addrspace(1) %p, i32 %t) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %p, i32 %b
  %at = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  store i32 %b, ptr addrspace(3) %at
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %at)
  store i32 %v, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: @texture(
; CHECK-COUNT-2: tex.unified
; CHECK-COUNT-2: sust
define ptx_kernel void @texture(i64 %texture, i64 %surface) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = call { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.1d.v4s32.s32(i64 %texture, i32 %b)
  %x = extractvalue { i32, i32, i32, i32 } %v, 0
  %place = mul i32 %b, 4
  call void @llvm.nvvm.sust.b.1d.i32.trap(i64 %surface, i32 %place, i32 %x)
  ret void
}

; CHECK-LABEL: @prefetched(
; CHECK-COUNT-2: @llvm.nvvm.prefetch.global.L2(
; CHECK-COUNT-2: @llvm.nvvm.prefetchu.L1(
define ptx_kernel void @prefetched(ptr addrspace(1) %p, ptr %q) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %i = getelementptr i32, ptr addrspace(1) %p, i32 %b
  %j = getelementptr i32, ptr %q, i32 %b
  call void @llvm.nvvm.prefetch.global.L2(ptr addrspace(1) %i)
  call void @llvm.nvvm.prefetchu.L1(ptr %j)
  ret void
}

; Not marked as convergent, and yet an operation of the warp.
; CHECK-LABEL: @multiply(
; CHECK-COUNT-2: mma.m8n8k4
; THREADS: 'multiply' (WarpOperation)
define ptx_kernel void @multiply(ptr addrspace(1) %p, double %a) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %x = sitofp i32 %b to double
  %r = call { double, double } @llvm.nvvm.mma.m8n8k4.row.col.f64(double %x, double %a, double %a, double %a)
  %v = extractvalue { double, double } %r, 0
  %to = getelementptr double, ptr addrspace(1) %p, i32 %b
  store double %v, ptr addrspace(1) %to
  ret void
}
