; A shared array that is reached through generic pointers and constant expressions is privatised all the same.
; RUN: %opt -passes='gpu-block-coarsen<x=2>,verify' -S %s | FileCheck %s
; CHECK: @tile.coarse = internal addrspace(3) global [2 x [64 x i32]]
; CHECK-NOT: @tile{{[^.]}}
; CHECK-COUNT-2: store i32
; CHECK: %p = phi ptr
; CHECK: load i32, ptr %p
; CHECK: %copy{{.*}} = getelementptr inbounds i8, ptr %p, i64 256
; CHECK-NEXT: load i32, ptr %copy
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x i32] undef, align 4
define ptx_kernel void @k(ptr %out) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %b, ptr getelementptr inbounds (i8, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 16)
  br label %loop
loop:
  %p = phi ptr [ addrspacecast (ptr addrspace(3) @tile to ptr), %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %v = load i32, ptr %p
  %o = getelementptr i32, ptr %out, i32 %b
  store i32 %v, ptr %o
  %next = getelementptr i32, ptr %p, i64 1
  %j = add i32 %i, 1
  %c = icmp eq i32 %j, 64
  br i1 %c, label %exit, label %loop
exit:
  ret void
}
