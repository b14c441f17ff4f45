; A thread that returns, or ends by exit, goes on with the next block; local variables stay outside of the loop.
; RUN: %opt -passes='gpu-persistent<blocks=1>,verify' -S %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @guarded(
; CHECK: block:
; CHECK: br i1 %out, label %leave, label %work
; CHECK: leave:
; CHECK-NEXT: br label %block.end
; CHECK: work:
; CHECK: store i32 1
; CHECK: br label %block.end
; CHECK: block.end:
; CHECK: br i1 %more, label %block
define ptx_kernel void @guarded(ptr %p, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %x, %t
  %out = icmp sge i32 %i, %n
  br i1 %out, label %leave, label %work
leave:
  ret void
work:
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 1, ptr %at
  ret void
}

; CHECK-LABEL: @exits(
; CHECK-NOT: exit
; CHECK: br i1 %out, label %leave, label %work
; CHECK: leave:
; CHECK-NEXT: br label %block.end
; CHECK-NOT: exit
; CHECK: br i1 %more, label %block
define ptx_kernel void @exits(ptr %p, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %x, %t
  %out = icmp sge i32 %i, %n
  br i1 %out, label %leave, label %work
leave:
  call void @llvm.nvvm.exit()
  br label %work
work:
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 1, ptr %at
  ret void
}

; CHECK-LABEL: @local(
; CHECK-NEXT: %v = alloca i32
; CHECK: block:
; CHECK-NOT: alloca
; CHECK: br i1 %more
define ptx_kernel void @local(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = alloca i32
  store volatile i32 %x, ptr %v
  %w = load volatile i32, ptr %v
  store i32 %w, ptr %p
  ret void
}
