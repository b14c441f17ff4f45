; A loop that replicas leave at different times: jammed while all go on, then the rest of each by itself.
; RUN: %opt -passes='gpu-block-coarsen<x=2>,verify' -S %s | FileCheck %s
; RUN: %opt -passes='gpu-block-coarsen<x=2;loops=apart>,verify' -S %s | FileCheck %s --check-prefix=APART
; RUN: %opt -passes='gpu-block-coarsen<x=2;y=2>,verify' -S %s -o /dev/null
; RUN: %opt -passes='gpu-thread-coarsen<factor=2>,gpu-block-coarsen<x=2>,verify' -S %s -o /dev/null
target triple = "nvptx64-nvidia-cuda"

; The rest of a replica begins with the values that the jammed loop left, and only where its own condition holds.
; CHECK-LABEL: @at_the_end(
; CHECK: loop:
; CHECK-NEXT: %i = phi i32 [ 0, %entry ], [ %next, %loop ]
; CHECK-NEXT: %square = mul
; CHECK-NEXT: %next = add i32 %i, 1
; CHECK-NEXT: %more = icmp ult i32 %square, %limit
; CHECK-NEXT: %more.r1 = icmp ult i32 %square, %limit.r1
; CHECK-NEXT: %[[ALL:.*]] = and i1 %more, %more.r1
; CHECK-NEXT: br i1 %[[ALL]], label %loop, label %[[REST:.*]], !llvm.loop ![[NUMBERED:.*]]
; CHECK: br i1 %[[C0:.*]], label %{{.*}}, label %{{.*}}, !prof
; CHECK: loop.rest{{.*}}:
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %{{.*}}, !llvm.loop ![[WITHOUT:.*]]
; CHECK: br i1 %[[C1:.*]], label %{{.*}}, label %{{.*}}, !prof
; CHECK: store i32 %{{.*}}, ptr %at
; CHECK-NEXT: store i32 %{{.*}}, ptr %at.r1
; APART-LABEL: @at_the_end(
; APART: loop:
; APART: br i1 %more, label %loop
; APART: loop.r1:
; APART: br i1 %more.r1, label %loop.r1
define ptx_kernel void @at_the_end(ptr %p) {
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
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
  store i32 %next, ptr %at
  ret void
}

; A guard that differs is asked for all, too; a replica that passes it goes to its rest with the first values.
; CHECK-LABEL: @guarded(
; CHECK: %double = mul i32 %from, 2
; CHECK: %inside = and i1 %any, %any.r1
; CHECK-NEXT: br i1 %inside, label %before, label %[[REST:.*]]
; CHECK: [[REST]]:
; CHECK-NEXT: phi i1 [ %any, %entry ]
; CHECK-NEXT: phi i1 [ %any.r1, %entry ]
; CHECK-NEXT: phi i1 [ true, %entry ]
; CHECK-NEXT: phi i32 [ %from, %entry ]
; CHECK-NEXT: phi i32 [ %from.r1, %entry ]
define ptx_kernel void @guarded(ptr %p, i32 %n) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr %p, i32 %b
  %from = load i32, ptr %at
  %any = icmp slt i32 %from, %n
  br i1 %any, label %before, label %exit
before:
  %double = mul nsw i32 %from, 2
  br label %body
body:
  %i = phi i32 [ %from, %before ], [ %next, %body ]
  %next = add i32 %i, %double
  %to = getelementptr i32, ptr %p, i32 %next
  store i32 %i, ptr %to
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %after
after:
  store i32 %next, ptr %at
  br label %exit
exit:
  ret void
}

; Left at the beginning of an iteration, which the rest begins again, for nothing has happened in it.
; CHECK-LABEL: @at_the_beginning(
; CHECK: head:
; CHECK: %inside = and i1 %more, %more.r1
; CHECK: br i1 %inside, label %body, label %
; CHECK: body:
; CHECK: store i32 %i, ptr %to
; CHECK: br label %head
; CHECK: head.rest
define ptx_kernel void @at_the_beginning(ptr %p) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr %p, i32 %b
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %here = getelementptr i32, ptr %at, i32 %i
  %v = load i32, ptr %here
  %more = icmp ult i32 %i, %v
  br i1 %more, label %body, label %exit
body:
  %to = getelementptr i32, ptr %here, i32 99
  store i32 %i, ptr %to
  %next = add i32 %i, 1
  br label %head
exit:
  store i32 %i, ptr %p
  ret void
}

; Two ways out, to different places.
; CHECK-LABEL: @two_exits(
; CHECK: and i1
; CHECK: loop.rest
; CHECK: loop.rest{{.*}}.r1
define ptx_kernel void @two_exits(ptr %p, i32 %n) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr %p, i32 %b
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %here = getelementptr i32, ptr %at, i32 %i
  %v = load i32, ptr %here
  %found = icmp eq i32 %v, 7
  br i1 %found, label %yes, label %latch
latch:
  store i32 %v, ptr %p
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %no
yes:
  store i32 %i, ptr %at
  br label %exit
no:
  store i32 %v, ptr %at
  br label %exit
exit:
  ret void
}

; A loop within the loop, differing as well, is jammed in the jammed one.
; CHECK-LABEL: @nested(
; CHECK: inner:
; CHECK: %j = phi
; CHECK: %inside{{.*}} = and i1 %again, %again.r1
; CHECK: %inside{{.*}} = and i1 %more, %more.r1
define ptx_kernel void @nested(ptr %p) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr %p, i32 %b
  %limit = load i32, ptr %at
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ %i, %outer ], [ %j.next, %inner ]
  %j.next = add i32 %j, 3
  %again = icmp slt i32 %j.next, %limit
  br i1 %again, label %inner, label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %limit
  br i1 %more, label %outer, label %exit
exit:
  store i32 %j.next, ptr %at
  ret void
}

; Barriers that all threads of the block come to alike: one for all replicas while all go on.
; CHECK-LABEL: @blocks_meet(
; CHECK: loop:
; CHECK-NEXT: phi
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: barrier
; CHECK: and i1 %more, %more.r1
define ptx_kernel void @blocks_meet(ptr %p) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %b
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Left alone, run replica by replica: the lanes of a warp exchange values in a loop that they leave one by one. Those in
; the jammed loop would wait for those in the rest.
; CHECK-LABEL: @lanes_meet(
; CHECK-NOT: loop.rest
; CHECK: ret void
define ptx_kernel void @lanes_meet(ptr %p) convergent {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %limit = add i32 %b, %t
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %i, i32 1, i32 31)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %limit
  br i1 %more, label %loop, label %exit
exit:
  store i32 %v, ptr %p
  ret void
}

; Left alone: the way out is in the middle, behind a store that must not be made twice.
; CHECK-LABEL: @in_the_middle(
; CHECK-NOT: loop.rest
; CHECK: ret void
define ptx_kernel void @in_the_middle(ptr %p) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr %p, i32 %b
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  store i32 %i, ptr %at
  %sum = load i32, ptr %p
  %limit = add i32 %sum, %b
  %more = icmp ult i32 %i, %limit
  br i1 %more, label %latch, label %exit
latch:
  %next = add i32 %i, 1
  store i32 %i, ptr %at
  br label %loop
exit:
  ret void
}

; The loop itself does not differ, only the way to it: it is run replica by replica.
; CHECK-LABEL: @same_loop(
; CHECK-NOT: loop.rest
; CHECK: ret void
define ptx_kernel void @same_loop(ptr %p, i32 %n) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr %p, i32 %b
  %v = load i32, ptr %at
  %on = icmp sgt i32 %v, 0
  br i1 %on, label %before, label %exit
before:
  br label %loop
loop:
  %i = phi i32 [ 0, %before ], [ %next, %loop ]
  %next = add i32 %i, 1
  %to = getelementptr i32, ptr %at, i32 %i
  store i32 %v, ptr %to
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %after
after:
  br label %exit
exit:
  ret void
}

; CHECK: ![[NUMBERED]] = distinct !{![[NUMBERED]], ![[NUMBER:.*]]}
; CHECK: ![[NUMBER]] = !{!"gpuprune.loop", i32 4}
; CHECK-NOT: ![[NUMBER]]}
!0 = distinct !{!0, !1}
!1 = !{!"gpuprune.loop", i32 4}
