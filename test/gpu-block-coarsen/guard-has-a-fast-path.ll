; A guard is asked once for all replicas; where all pass it they run jammed, else one after another, each with its own guard.
; RUN: %opt -passes='gpu-block-coarsen<x=2>,verify' -S %s | FileCheck %s
; RUN: %opt -passes='gpu-block-coarsen<y=2>,verify' -S %s | FileCheck %s --check-prefix=OTHER
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @early_exit(
; CHECK: %i = add nsw i32 %block.first{{.*}}, %t
; CHECK: %i.r1 = add nsw i32 %block.replica{{.*}}, %t
; CHECK: %out = icmp sge i32 %i, %n
; CHECK: %out.r1 = icmp sge i32 %i.r1, %n
; CHECK: %passes = xor i1 %out, true
; CHECK: %passes.r1 = xor i1 %out.r1, true
; CHECK: %inside = and i1 %passes, %passes.r1
; CHECK: br i1 %inside, label %[[FAST:.*]], label %[[SLOW:.*]], !prof
; CHECK: [[FAST]]:
; CHECK-NOT: br i1
; CHECK: load i32, ptr %at
; CHECK-NEXT: load i32, ptr %at.r1
; CHECK: store i32 %w, ptr %at
; CHECK-NEXT: store i32 %w.r1, ptr %at.r1
; CHECK-NEXT: br label %exit
; CHECK: replica.end:
; CHECK-NEXT: %number.next = add nuw nsw i32 %number, 1
; CHECK-NEXT: %more = icmp ult i32 %number.next, 2
; CHECK-NEXT: br i1 %more, label %replica, label %exit.loopexit, !llvm.loop ![[LOOP:[0-9]+]]
; CHECK: [[SLOW]]:
; CHECK: %number = phi i32 [ 0, {{.*}} ], [ %number.next, %replica.end ]
; CHECK: %block.replica{{.*}} = add nuw nsw i32 {{.*}}, %number
; CHECK: %[[OUT:out.slow.*]] = icmp sge
; CHECK: br i1 %[[OUT]], label %replica.end, label %[[WORK:.*]]
; CHECK: [[WORK]]:
; CHECK: store i32
; CHECK: br label %replica.end
; OTHER-LABEL: @early_exit(
; OTHER-NOT: number
; OTHER: ret void
; OTHER-LABEL: @chain(
define ptx_kernel void @early_exit(ptr %p, i32 %n) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add nsw i32 %b, %t
  %out = icmp sge i32 %i, %n
  br i1 %out, label %exit, label %work
work:
  %at = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %at
  %w = add i32 %v, 1
  store i32 %w, ptr %at
  br label %exit
exit:
  ret void
}

; Guards in a chain and joined by "and" are asked together, each for the replicas of its own dimension alone. What was
; behind another condition is computed without its flags.
; CHECK-LABEL: @chain(
; CHECK: %j = sub nsw i32 [[FIRST:%block.first.*]], 5
; CHECK: [[M:%.*]] = sub i32 %n, 1
; CHECK: icmp slt i32 [[FIRST]], [[M]]
; CHECK: %inside{{[0-9]*}} = and
; CHECK: br i1 {{.*}}, label %{{.*}}, label %{{.*}}, !prof
; CHECK-NOT: br i1
; CHECK: store i32
; CHECK-NEXT: store i32
; CHECK: %number
define ptx_kernel void @chain(ptr %p, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %j = sub nsw i32 %x, 5
  %positive = icmp sgt i32 %j, 0
  br i1 %positive, label %second, label %exit
second:
  %m = sub nsw i32 %n, 1
  %x.in = icmp slt i32 %x, %m
  %y.in = icmp slt i32 %y, %m
  %in = select i1 %x.in, i1 %y.in, i1 false
  br i1 %in, label %work, label %exit
work:
  %at = getelementptr i32, ptr %p, i32 %j
  store i32 1, ptr %at
  br label %exit
exit:
  ret void
}

; What few replicas pass, or what depends on data, is no guard of a fast path: replica by replica.
; CHECK-LABEL: @first_block(
; CHECK-NOT: number
; CHECK: br i1 %first, label %then, label %[[NEXT:.*]]
; CHECK: store i32 7
; CHECK: br i1 %first.r1, label %then.r1
; CHECK: store i32 7
; CHECK: ret void
define ptx_kernel void @first_block(ptr %p) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %b, 0
  br i1 %first, label %then, label %exit
then:
  store i32 7, ptr %p
  br label %exit
exit:
  ret void
}
; CHECK: ![[LOOP]] = distinct !{![[LOOP]], ![[DISABLE:[0-9]+]]}
; CHECK: ![[DISABLE]] = !{!"llvm.loop.unroll.disable"}
