; An operation of a warp does not wait for lanes that have ended. Where such a lane would go on with the next replica, and
; might come to the operation there, it is refused; who is left out for all later replicas, too, is none of those.
; RUN: %opt -passes='gpu-block-coarsen<x=2>,verify' -S %s 2> %t.jam | FileCheck %s --check-prefixes=CHECK,JAM
; RUN: FileCheck %s --check-prefix=BOTH --implicit-check-not=refused --input-file=%t.jam
; RUN: %opt -passes='gpu-block-coarsen<x=2;mode=sequential>,verify' -S %s 2> %t.seq | FileCheck %s --check-prefixes=CHECK,SEQ
; RUN: FileCheck %s --check-prefixes=BOTH,SEQUENTIAL --implicit-check-not=refused --input-file=%t.seq
; RUN: %opt -passes='gpu-block-coarsen<x=2;y=2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLANE
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x i32] undef, align 4

; BOTH: gpu-block-coarsen refused 'by_data' (DependentBarrier): some lanes of a warp may have ended before this operation
define ptx_kernel void @by_data(ptr noalias %a, ptr noalias %p) {
entry:
  %i = call i32 @index()
  %at = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %at
  %out = icmp slt i32 %v, 0
  br i1 %out, label %leave, label %work
work:
  %w = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %v, i32 1, i32 31)
  %to = getelementptr i32, ptr %p, i32 %i
  store i32 %w, ptr %to
  br label %leave
leave:
  ret void
}

; Its other lanes have the same data for all replicas.
; SEQUENTIAL: gpu-block-coarsen refused 'by_data_of_all' (DependentBarrier)
; CHECK-LABEL: @by_data_of_all(
; JAM: load i32
; JAM: br i1
; JAM-COUNT-2: shfl.sync.down
define ptx_kernel void @by_data_of_all(ptr noalias %a, ptr noalias %p) {
entry:
  %i = call i32 @index()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %a, i32 %t
  %v = load i32, ptr %at
  %out = icmp slt i32 %v, 0
  br i1 %out, label %leave, label %work
work:
  %w = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %i, i32 1, i32 31)
  %to = getelementptr i32, ptr %p, i32 %i
  store i32 %w, ptr %to
  br label %leave
leave:
  ret void
}

; SEQUENTIAL: gpu-block-coarsen refused 'at_the_end' (DependentBarrier)
; PLANE: gpu-block-coarsen refused 'at_the_end' (DependentBarrier)
; CHECK-LABEL: @at_the_end(
; JAM-COUNT-2: shfl.sync.down
define ptx_kernel void @at_the_end(ptr noalias %p, i32 %n) {
entry:
  %i = call i32 @index()
  %out = icmp sge i32 %i, %n
  br i1 %out, label %leave, label %work
work:
  %w = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %i, i32 1, i32 31)
  %to = getelementptr i32, ptr %p, i32 %i
  store i32 %w, ptr %to
  br label %leave
leave:
  ret void
}

; A later replica has all of its lanes there.
; BOTH: gpu-block-coarsen refused 'at_the_beginning' (DependentBarrier)
define ptx_kernel void @at_the_beginning(ptr noalias %p, i32 %n) {
entry:
  %i = call i32 @index()
  %out = icmp slt i32 %i, %n
  br i1 %out, label %leave, label %work
work:
  %w = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %i, i32 1, i32 31)
  %to = getelementptr i32, ptr %p, i32 %i
  store i32 %w, ptr %to
  br label %leave
leave:
  ret void
}

; The distance may be negative.
; BOTH: gpu-block-coarsen refused 'any_distance' (DependentBarrier)
define ptx_kernel void @any_distance(ptr noalias %p, i32 %n, i32 %d) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %b, %d
  %i = add i32 %first, %t
  %in = icmp slt i32 %i, %n
  br i1 %in, label %work, label %leave
work:
  %w = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %i, i32 1, i32 31)
  %to = getelementptr i32, ptr %p, i32 %i
  store i32 %w, ptr %to
  br label %leave
leave:
  ret void
}

; A later replica is in the first iteration again.
; BOTH: gpu-block-coarsen refused 'in_a_loop' (DependentBarrier)
define ptx_kernel void @in_a_loop(ptr noalias %p, i32 %n) {
entry:
  %i = call i32 @index()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %work ]
  %end = sub i32 %n, %k
  %in = icmp slt i32 %i, %end
  br i1 %in, label %work, label %leave
work:
  %w = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %i, i32 1, i32 31)
  %to = getelementptr i32, ptr %p, i32 %i
  store i32 %w, ptr %to
  %next = add i32 %k, 1
  br label %loop
leave:
  ret void
}

; The mask names those that come. In a loop over replicas lanes wait for each other.
; CHECK-LABEL: @those_that_come(
; JAM-COUNT-2: shfl.sync.down
; SEQ: shfl.sync.down
; SEQ: replica.end:
; SEQ-NEXT: call void @llvm.nvvm.bar.warp.sync(i32 -1)
define ptx_kernel void @those_that_come(ptr noalias %a, ptr noalias %p) {
entry:
  %i = call i32 @index()
  %at = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %at
  %in = icmp sge i32 %v, 0
  %mask = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %in)
  br i1 %in, label %work, label %leave
work:
  %w = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %v, i32 1, i32 31)
  %to = getelementptr i32, ptr %p, i32 %i
  store i32 %w, ptr %to
  br label %leave
leave:
  ret void
}

; Some of those have ended.
; BOTH: gpu-block-coarsen refused 'those_that_would_come' (DependentBarrier)
define ptx_kernel void @those_that_would_come(ptr noalias %a, ptr noalias %p) {
entry:
  %i = call i32 @index()
  %at = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %at
  %in = icmp sge i32 %v, 0
  %mask = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %in)
  br i1 %in, label %some, label %leave
some:
  %few = icmp ult i32 %v, 7
  br i1 %few, label %work, label %leave
work:
  %w = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %v, i32 1, i32 31)
  %to = getelementptr i32, ptr %p, i32 %i
  store i32 %w, ptr %to
  br label %leave
leave:
  ret void
}

; No slow path with barriers between replicas, which ended lanes do not come to.
; SEQUENTIAL: gpu-block-coarsen refused 'behind_a_tile' (DependentBarrier)
; CHECK-LABEL: @behind_a_tile(
; JAM-NOT: replica:
; JAM-COUNT-2: shfl.sync.down
; JAM-NOT: replica:
; JAM: ret void
define ptx_kernel void @behind_a_tile(ptr noalias %a, ptr noalias %p, i32 %n) {
entry:
  %i = call i32 @index()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %slot = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  %at = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %at
  store i32 %v, ptr addrspace(3) %slot
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %in = icmp slt i32 %i, %n
  br i1 %in, label %loop, label %leave
loop:
  %k = phi i32 [ 1, %entry ], [ %double, %loop ]
  %s = phi i32 [ 0, %entry ], [ %sum, %loop ]
  %w = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %s, i32 %k, i32 31)
  %r = load i32, ptr addrspace(3) %slot
  %part = add i32 %w, %r
  %sum = add i32 %s, %part
  %double = shl i32 %k, 1
  %more = icmp ult i32 %double, 32
  br i1 %more, label %loop, label %done
done:
  %to = getelementptr i32, ptr %p, i32 %i
  store i32 %sum, ptr %to
  br label %leave
leave:
  ret void
}

define internal i32 @index() {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %b, %d
  %i = add i32 %first, %t
  ret i32 %i
}
