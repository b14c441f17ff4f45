; Once the test before it has gone outside, the outer loop's iterations all come to an inner loop that nobody may come to: it
; is no loop any more. (Once a crash.)
; RUN: %opt -passes=verify -S %s -o %t.before
; RUN: %opt -passes='gpu-unroll-and-jam<loop=0;factor=2>' -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err
; CHECK: gpu-unroll-and-jam refused 'never' (DependentControl): an iteration that comes to its inner loops is its last one
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @never(ptr addrspace(1) noalias %out, i1 %c, i32 %n) {
entry:
  br label %outer

outer:                                            ; preds = %latch, %entry
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br i1 %c, label %preheader, label %latch

preheader:                                        ; preds = %outer
  br label %inner

inner:                                            ; preds = %inner, %preheader
  %j = phi i32 [ 0, %preheader ], [ %j.next, %inner ]
  store i32 %j, ptr addrspace(1) poison, align 4
  %j.next = add i32 %j, 1
  %more = icmp ult i32 %j.next, 8
  br i1 %more, label %inner, label %behind, !llvm.loop !0

behind:                                           ; preds = %inner
  br label %latch

latch:                                            ; preds = %behind, %outer
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %outer, label %end, !llvm.loop !2

end:                                              ; preds = %latch
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"gpuprune.loop", i32 1}
!2 = distinct !{!2, !3}
!3 = !{!"gpuprune.loop", i32 0}
