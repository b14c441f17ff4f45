; What is cut to a few bits and extended again is not what it was.
; RUN: %opt -passes='print<gpu-block-shape>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
; CHECK: kernel 'thread':
; CHECK-NEXT: x: not free; BlockIndex: {{.*}} zext i8
define ptx_kernel void @thread(ptr addrspace(1) %y, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %ctaid, %ntid
  %few = trunc i32 %tid to i8
  %low = zext i8 %few to i32
  %i = add i32 %first, %low
  %p = getelementptr float, ptr addrspace(1) %y, i32 %i
  store float 1.0, ptr addrspace(1) %p
  ret void
}
; The index itself may be cut; what it guards then are other threads.
; CHECK: kernel 'index':
; CHECK-NEXT: x: free where the grid has as many threads; Unguarded
define ptx_kernel void @index(ptr addrspace(1) %y, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %ctaid, %ntid
  %i = add i32 %first, %tid
  %few = trunc i32 %i to i8
  %low = zext i8 %few to i32
  %in = icmp slt i32 %low, %n
  %p = getelementptr float, ptr addrspace(1) %y, i32 %low
  store float 1.0, ptr addrspace(1) %p
  ret void
}
