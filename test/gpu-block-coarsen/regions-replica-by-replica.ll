; What a branch decides that differs between replicas is run replica by replica, in their order: branches, loops, what
; lies in loops; the values that come out are chosen for each replica.
; RUN: %opt -passes='gpu-block-coarsen<x=2;loops=apart>,verify' -S %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x i32] undef, align 4

; CHECK-LABEL: @chosen(
; CHECK: %v = load i32, ptr %at
; CHECK-NEXT: %v.r1 = load i32, ptr %at.r1
; CHECK: br i1 %odd, label %then, label %[[JOIN:.*]]
; CHECK: then:
; CHECK: [[JOIN]]:
; CHECK: %[[R:.*]] = phi i32 [ %v, %entry ], [ %d, %then ]
; CHECK: br i1 %odd.r1, label %then.r1, label %[[JOIN1:.*]]
; CHECK: [[JOIN1]]:
; CHECK: %[[R1:.*]] = phi i32 [ %v.r1, %[[JOIN]] ], [ %d.r1, %then.r1 ]
; CHECK: store i32 %[[R]], ptr %at
; CHECK-NEXT: store i32 %[[R1]], ptr %at.r1
define ptx_kernel void @chosen(ptr %p) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr %p, i32 %b
  %v = load i32, ptr %at
  %odd = trunc i32 %v to i1
  br i1 %odd, label %then, label %exit
then:
  %d = udiv i32 7, %v
  br label %exit
exit:
  %r = phi i32 [ %d, %then ], [ %v, %entry ]
  store i32 %r, ptr %at
  ret void
}

; A loop that goes on as long as data says, where it is not jammed (loops-that-differ-are-jammed.ll).
; CHECK-LABEL: @while_loop(
; CHECK: loop:
; CHECK: br i1 %more, label %loop, label %[[AFTER:.*]]
; CHECK: [[AFTER]]:
; CHECK: loop.r1:
; CHECK: br i1 %more.r1, label %loop.r1, label %
; CHECK: store i32 %{{.*}}, ptr %at
; CHECK-NEXT: store i32 %{{.*}}, ptr %at.r1
define ptx_kernel void @while_loop(ptr %p) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr %p, i32 %b
  %limit = load i32, ptr %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %square = mul i32 %i, %i
  %next = add i32 %i, 1
  %more = icmp ult i32 %square, %limit
  br i1 %more, label %loop, label %exit
exit:
  store i32 %next, ptr %at
  ret void
}

; The loop is the same for all replicas and stays one, what it holds is not.
; CHECK-LABEL: @in_a_loop(
; CHECK: loop:
; CHECK: %sum = phi i32
; CHECK-NEXT: %sum.r1 = phi i32
; CHECK: br i1 %in, label %add
; CHECK: br i1 %in.r1, label %add.r1
; CHECK: br i1 %more, label %loop, label
; CHECK: store
; CHECK-NEXT: store
define ptx_kernel void @in_a_loop(ptr %p, i32 %n) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %latch ]
  %j = add i32 %i, %b
  %in = icmp slt i32 %j, 9
  br i1 %in, label %add, label %latch
add:
  %from = getelementptr i32, ptr %p, i32 %j
  %v = load i32, ptr %from
  %s = add i32 %sum, %v
  br label %latch
latch:
  %sum.next = phi i32 [ %s, %add ], [ %sum, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %to = getelementptr i32, ptr %p, i32 %b
  store i32 %sum.next, ptr %to
  ret void
}

; Whether an array is written differs: the array is private even though what is written does not differ.
; CHECK-LABEL: @maybe_written(
; CHECK: store i32 5, ptr addrspace(3) @tile.coarse
; CHECK: store i32 5, ptr addrspace(3) %copy
; CHECK: load i32, ptr addrspace(3) @tile.coarse
; CHECK: load i32, ptr addrspace(3) %copy
define ptx_kernel void @maybe_written(ptr %p) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %b, 0
  br i1 %first, label %then, label %exit
then:
  store i32 5, ptr addrspace(3) @tile
  br label %exit
exit:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load i32, ptr addrspace(3) @tile
  %to = getelementptr i32, ptr %p, i32 %b
  store i32 %v, ptr %to
  ret void
}

; Threads of a block that all come to a barrier, or all do not, meet there once a replica.
; CHECK-LABEL: @blocks_meet(
; CHECK-COUNT-2: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: barrier
; CHECK: ret void
define ptx_kernel void @blocks_meet(ptr %p) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %b, 0
  br i1 %first, label %then, label %exit
then:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 %t, ptr %p
  br label %exit
exit:
  ret void
}

; An addition built from compare-and-exchange ends without anybody else's help.
; CHECK-LABEL: @atomic_by_exchange(
; CHECK-COUNT-2: cmpxchg
define ptx_kernel void @atomic_by_exchange(ptr %p) {
entry:
  %start = load i32, ptr %p
  br label %try
try:
  %expected = phi i32 [ %start, %entry ], [ %found, %try ]
  %sum = add i32 %expected, 3
  %pair = cmpxchg ptr %p, i32 %expected, i32 %sum monotonic monotonic
  %found = extractvalue { i32, i1 } %pair, 0
  %ok = extractvalue { i32, i1 } %pair, 1
  br i1 %ok, label %exit, label %try
exit:
  ret void
}

; The size of the grid, read in a region, is the author's in all replicas.
; CHECK-LABEL: @grid_size(
; CHECK: %[[G:.*]] = mul nuw nsw i32 %g, 2
; CHECK: store i32 %[[G]]
; CHECK: store i32 %[[G]]
define ptx_kernel void @grid_size(ptr %p) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %b, 0
  br i1 %first, label %then, label %exit
then:
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  store i32 %g, ptr %p
  br label %exit
exit:
  ret void
}
