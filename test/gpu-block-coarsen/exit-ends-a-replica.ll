; A thread that ends by exit ends for its replica alone, as one that returns does. Asynchronous copies that a block leaves
; on their way have arrived before the next one uses the memory.
; RUN: %opt -passes='gpu-block-coarsen<x=2>,verify' -S %s | FileCheck %s
; RUN: %opt -passes='gpu-block-coarsen<x=2;mode=sequential>,verify' -S %s | FileCheck %s --check-prefixes=CHECK,SEQUENTIAL
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x i32] undef, align 4

; CHECK-LABEL: @exits(
; CHECK-NOT: call void @llvm.nvvm.exit
; SEQUENTIAL: br i1 %more
; CHECK: ret void
define ptx_kernel void @exits(ptr %p, ptr %q) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr %p, i32 %x
  %v = load i32, ptr %at
  %out = icmp eq i32 %v, 0
  br i1 %out, label %leave, label %work
leave:
  call void @llvm.nvvm.exit()
  br label %work
work:
  %to = getelementptr i32, ptr %q, i32 %x
  store i32 1, ptr %to
  ret void
}

; CHECK-LABEL: @copies(
; CHECK: call void @llvm.nvvm.cp.async.ca.shared.global.4
; SEQUENTIAL: call void @llvm.nvvm.cp.async.wait.all()
; SEQUENTIAL-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; SEQUENTIAL: br i1 %more
; CHECK: ret void
define ptx_kernel void @copies(ptr addrspace(1) %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %x
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) @tile, ptr addrspace(1) %from)
  ret void
}
