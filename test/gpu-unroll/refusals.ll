; A loop that cannot be unrolled as asked is refused by name and the kernel stays as it was.
; RUN: %opt -passes=verify -S %s -o %t.before
; RUN: %opt -passes='gpu-unroll<loop=7;factor=2;kernel=constant>' -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=NOLOOP
; NOLOOP: gpu-unroll refused 'constant' (NoSuchLoop): the kernel has no loop 7; it has 
; RUN: %opt -passes='gpu-unroll<loop=0;factor=full;kernel=runtime>' -pass-remarks-missed=gpu-unroll -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=UNKNOWN
; UNKNOWN: remark: {{.*}}refused (UnknownTripCount): loop 0 has no constant trip count
; UNKNOWN: gpu-unroll refused 'runtime' (UnknownTripCount)
; RUN: %opt -passes='gpu-unroll<loop=0;factor=1000000;kernel=runtime>' -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=LARGE
; LARGE: gpu-unroll refused 'runtime' (TooLarge): 1000000 copies of {{[0-9]+}} instructions are more than 100000
; RUN: %opt -passes='gpu-unroll<loop=0;factor=2;kernel=nobody>' -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=NOKERNEL
; NOKERNEL: refused {{.*}}(NoSuchKernel): no kernel is called 'nobody'; known: constant, runtime, barrier, two_latches
; RUN: %opt -passes='gpu-unroll<loop=0;factor=2;kernel=barrier>' -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=BARRIER
; BARRIER: gpu-unroll refused 'barrier' (ConvergentRemainder): factor 2 is not proved to divide the trip count of loop 0, {{.*}}: call void @llvm.nvvm.barrier
; RUN: %opt -passes='gpu-unroll<loop=0;factor=2;kernel=two_latches>' -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=FORM
; FORM: gpu-unroll refused 'two_latches' (NotUnrolled): LLVM's unroller does not take loop 0
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @constant(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %p
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 10
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define ptx_kernel void @runtime(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %p
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define ptx_kernel void @barrier(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define ptx_kernel void @two_latches(ptr %p, i32 %n, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %one ], [ %next, %two ]
  store volatile i32 %i, ptr %p
  %next = add nuw nsw i32 %i, 1
  br i1 %c, label %one, label %two
one:
  %x = icmp ult i32 %next, %n
  br i1 %x, label %loop, label %exit, !llvm.loop !0
two:
  %y = icmp ult i32 %next, 100
  br i1 %y, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"gpuprune.loop", i32 0}
