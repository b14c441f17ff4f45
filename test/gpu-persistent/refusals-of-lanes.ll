; An operation of a warp waits for the lanes in its mask unless they have ended. A lane that would go on with the next
; block in place of ending must not be among them.
; RUN: %opt -passes='gpu-persistent<blocks=1>' -S %s 2> %t.err | FileCheck %s
; RUN: FileCheck %s --check-prefix=REFUSED --implicit-check-not=refused --input-file=%t.err
target triple = "nvptx64-nvidia-cuda"

; REFUSED: gpu-persistent refused 'after_a_guard' (DependentBarrier): some lanes of a warp may have ended before this operation
; CHECK-LABEL: define ptx_kernel void @after_a_guard(ptr %p, i32 %n)
define ptx_kernel void @after_a_guard(ptr %p, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %out = icmp sge i32 %t, %n
  br i1 %out, label %leave, label %work
leave:
  ret void
work:
  %v = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %t, i32 1, i32 31)
  store i32 %v, ptr %p
  ret void
}

; REFUSED: gpu-persistent refused 'half_a_warp' (DependentBarrier)
define ptx_kernel void @half_a_warp(ptr %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp ult i32 %t, 16
  br i1 %in, label %work, label %leave
work:
  %v = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %t, i32 1, i32 31)
  store i32 %v, ptr %p
  br label %leave
leave:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @whole_warps(ptr %p, i32 %blocks.x
define ptx_kernel void @whole_warps(ptr %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp ult i32 %t, 32
  br i1 %in, label %work, label %leave
work:
  %v = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %t, i32 1, i32 31)
  store i32 %v, ptr %p
  br label %leave
leave:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @first_warp(ptr %p, i32 %blocks.x
define ptx_kernel void @first_warp(ptr %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = lshr i32 %t, 5
  %in = icmp eq i32 %w, 0
  br i1 %in, label %work, label %leave
work:
  %v = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %t, i32 1, i32 31)
  store i32 %v, ptr %p
  br label %leave
leave:
  ret void
}

; In a block of several rows a warp may have parts of two.
; REFUSED: gpu-persistent refused 'rows' (DependentBarrier)
define ptx_kernel void @rows(ptr %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %in = icmp ult i32 %t, 32
  br i1 %in, label %work, label %leave
work:
  %v = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %row, i32 1, i32 31)
  store i32 %v, ptr %p
  br label %leave
leave:
  ret void
}

; Who is waited for at the barrier has not ended before it.
; CHECK-LABEL: define ptx_kernel void @before_a_barrier(ptr %p, i32 %blocks.x
define ptx_kernel void @before_a_barrier(ptr %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp ult i32 %t, 16
  br i1 %in, label %work, label %leave
work:
  %v = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 65535, i32 %t, i32 1, i32 31)
  store i32 %v, ptr %p
  br label %leave
leave:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @those_that_are_active(ptr %p, i32 %n, i32 %blocks.x
define ptx_kernel void @those_that_are_active(ptr %p, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp ult i32 %t, %n
  br i1 %in, label %work, label %leave
work:
  %mask = call i32 @llvm.nvvm.activemask()
  %v = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %t, i32 1, i32 31)
  store i32 %v, ptr %p
  br label %leave
leave:
  ret void
}

; Those that were active somewhere else may have ended since.
; REFUSED: gpu-persistent refused 'those_that_were_active' (DependentBarrier)
define ptx_kernel void @those_that_were_active(ptr %p, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mask = call i32 @llvm.nvvm.activemask()
  %in = icmp ult i32 %t, %n
  br i1 %in, label %work, label %leave
work:
  %v = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %t, i32 1, i32 31)
  store i32 %v, ptr %p
  br label %leave
leave:
  ret void
}

; One answer for all lanes.
; CHECK-LABEL: define ptx_kernel void @voted(ptr %p, i32 %n, i32 %blocks.x
define ptx_kernel void @voted(ptr %p, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp ult i32 %t, %n
  %in = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %some)
  br i1 %in, label %work, label %leave
work:
  %v = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %t, i32 1, i32 31)
  store i32 %v, ptr %p
  br label %leave
leave:
  ret void
}

; Another operand tells nothing of who takes part.
; REFUSED: gpu-persistent refused 'value_of_active' (DependentBarrier)
define ptx_kernel void @value_of_active(ptr %p, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp ult i32 %t, %n
  br i1 %in, label %work, label %leave
work:
  %value = call i32 @llvm.nvvm.activemask()
  %v = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %value, i32 1, i32 31)
  store i32 %v, ptr %p
  br label %leave
leave:
  ret void
}

; REFUSED: gpu-persistent refused 'sum_of_active' (DependentBarrier)
define ptx_kernel void @sum_of_active(ptr %p, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp ult i32 %t, %n
  br i1 %in, label %work, label %leave
work:
  %value = call i32 @llvm.nvvm.activemask()
  %v = call i32 @llvm.nvvm.redux.sync.add(i32 %value, i32 -1)
  store i32 %v, ptr %p
  br label %leave
leave:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @sum_among_active(ptr %p, i32 %n, i32 %blocks.x
define ptx_kernel void @sum_among_active(ptr %p, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp ult i32 %t, %n
  br i1 %in, label %work, label %leave
work:
  %mask = call i32 @llvm.nvvm.activemask()
  %v = call i32 @llvm.nvvm.redux.sync.add(i32 %t, i32 %mask)
  store i32 %v, ptr %p
  br label %leave
leave:
  ret void
}

; The mask names those that come.
; CHECK-LABEL: define ptx_kernel void @voted_mask(ptr %p, i32 %n, i32 %blocks.x
define ptx_kernel void @voted_mask(ptr %p, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp ult i32 %t, %n
  %mask = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %in)
  br i1 %in, label %work, label %leave
work:
  %v = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %t, i32 1, i32 31)
  store i32 %v, ptr %p
  br label %leave
leave:
  ret void
}

; REFUSED: gpu-persistent refused 'other_vote' (DependentBarrier)
define ptx_kernel void @other_vote(ptr %p, i32 %n, i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %other = icmp ult i32 %t, %m
  %mask = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %other)
  %in = icmp ult i32 %t, %n
  br i1 %in, label %work, label %leave
work:
  %v = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %t, i32 1, i32 31)
  store i32 %v, ptr %p
  br label %leave
leave:
  ret void
}

; All that were active come, whatever some of them do in between.
; CHECK-LABEL: define ptx_kernel void @active_and_back(ptr %p, i32 %n, i32 %blocks.x
define ptx_kernel void @active_and_back(ptr %p, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp ult i32 %t, %n
  br i1 %in, label %work, label %leave
work:
  %mask = call i32 @llvm.nvvm.activemask()
  %some = icmp eq i32 %t, 0
  br i1 %some, label %first, label %all
first:
  %old = atomicrmw add ptr %p, i32 1 monotonic
  br label %all
all:
  %v = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %t, i32 1, i32 31)
  store i32 %v, ptr %p
  br label %leave
leave:
  ret void
}

; Those that leave the loop are waited for in no later iteration.
; REFUSED: gpu-persistent refused 'active_before_a_loop' (DependentBarrier)
define ptx_kernel void @active_before_a_loop(ptr %p, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mask = call i32 @llvm.nvvm.activemask()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %t, i32 1, i32 31)
  store i32 %v, ptr %p
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %t
  br i1 %more, label %loop, label %leave
leave:
  ret void
}
