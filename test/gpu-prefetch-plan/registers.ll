; Which loads go ahead, under which conditions, and which stay; a kernel of which none does is refused. Nothing is changed.
; RUN: %opt -passes='print<gpu-prefetch-plan><loop=0;distance=2>' -pass-remarks-missed=gpu- -S %s -o %t.ll 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: FileCheck %s --check-prefix=SAME --implicit-check-not=.ahead < %t.ll
; RUN: %opt -passes='print<gpu-prefetch-plan><loop=3;kernel=reads>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=LOOP --implicit-check-not=ahead:
; RUN: not %opt -passes='print<gpu-prefetch-plan><distance=2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OPTION
; RUN: %opt -passes='print<gpu-prefetch-plan><loop=0;kernel=other>' -disable-output %s 2>&1 | FileCheck %s --allow-empty --check-prefix=KERNEL
; RUN: sed s/nvptx64-nvidia-cuda/x86_64-linux-gnu/ %s | %opt -passes='print<gpu-prefetch-plan><loop=0>' -disable-output 2>&1 | FileCheck %s --allow-empty --check-prefix=KERNEL
target triple = "nvptx64-nvidia-cuda"

; CHECK: gpu-prefetch-plan of kernel 'reads', gpu-prefetch<loop=0;distance=2;to=register>:
; CHECK-NEXT: loop %loop:
; CHECK-NEXT: state: %i = phi
; CHECK-NEXT: another iteration follows if %more
; CHECK-NEXT: ahead: %v = load
; CHECK-NEXT: ahead: %w = load
; CHECK-NEXT: if %even is false
; CHECK-NEXT: made at the head of the iteration
; CHECK-NEXT: stays (AddressNotAhead): the address of a load is not known ahead of this: %v = load
; CHECK-NOT: refused
; LOOP: gpu-prefetch-plan of kernel 'reads'
; LOOP-NEXT: refused (NoSuchLoop): the kernel has no loop 3; its loop{{.*}} 0
; OPTION: gpu-prefetch needs loop=N
; KERNEL-NOT: gpu-prefetch-plan of
; SAME-LABEL: define ptx_kernel void @reads(
; SAME: ret void
define ptx_kernel void @reads(ptr addrspace(1) noalias readonly %p, ptr addrspace(1) noalias %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %more.sum, %latch ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %at
  %even = trunc i32 %i to i1
  br i1 %even, label %latch, label %odd
odd:
  %behind = getelementptr i32, ptr addrspace(1) %at, i32 %n
  %w = load i32, ptr addrspace(1) %behind
  br label %latch
latch:
  %o = phi i32 [ 0, %loop ], [ %w, %odd ]
  %found = getelementptr i32, ptr addrspace(1) %p, i32 %v
  %x = load i32, ptr addrspace(1) %found
  %some = add i32 %sum, %x
  %more.sum = add i32 %some, %o
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
  store i32 %more.sum, ptr addrspace(1) %out
  ret void
}

; CHECK: gpu-prefetch-plan of kernel 'chases'
; CHECK-NEXT: loop %loop:
; CHECK-NEXT: stays (AddressNotAhead)
; CHECK-NEXT: refused (AddressNotAhead): the address of a load is not known ahead of this: %v = load
; CHECK-NOT: ahead:
define ptx_kernel void @chases(ptr addrspace(1) noalias readonly %p, ptr addrspace(1) noalias %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %place = phi i32 [ 0, %entry ], [ %v, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %place
  %v = load i32, ptr addrspace(1) %at
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !2
exit:
  store i32 %v, ptr addrspace(1) %out
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"gpuprune.loop", i32 0}
!2 = distinct !{!2, !1}
