; A loop that cannot be unrolled as asked is refused by name and the kernel stays as it was.
; RUN: %opt -passes=verify -S %s -o %t.before
; RUN: %opt -passes='gpu-unroll<loop=7;factor=2;kernel=constant>' -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=NOLOOP
; NOLOOP: gpu-unroll refused 'constant' (NoSuchLoop): the kernel has no loop 7; its loop
; RUN: sed 's/, !llvm.loop ![0-9]*//' %s > %t.ll
; RUN: %opt -passes='gpu-unroll<loop=0;factor=2;kernel=runtime>' -S %t.ll -o %t.after 2>&1 | FileCheck %s --check-prefix=NUMBERS
; NUMBERS: (NoSuchLoop): the kernel has no loop 0; its loops have no numbers, which gpu-prepare gives them: let it run first
; RUN: %opt -passes='gpu-unroll<loop=0;factor=full;kernel=runtime>' -pass-remarks-missed=gpu-unroll -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=UNKNOWN
; UNKNOWN: warning: {{.*}}gpu-unroll refused 'runtime' (UnknownTripCount): loop 0 has no constant trip count
; RUN: %opt -passes='gpu-unroll<loop=0;factor=1000000;kernel=runtime>' -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=LARGE
; LARGE: gpu-unroll refused 'runtime' (TooLarge): 1000000 copies of {{[0-9]+}} instructions are more than 100000
; RUN: %opt -passes='gpu-unroll<loop=0;factor=2;kernel=nobody>' -pass-remarks-missed=gpu- -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=NOKERNEL
; NOKERNEL: remark: {{.*}}gpu-unroll refused (NoSuchKernel): no kernel is called 'nobody'; known: constant, runtime, once
; RUN: %opt -passes='gpu-unroll<loop=0;factor=2;kernel=once>' -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=FORM
; FORM: gpu-unroll refused 'once' (NotUnrolled): loop 0 holds a call that must not be copied, or a jump to a computed address
; RUN: not %opt -passes='gpu-unroll<loop=0;factor=2;remainder=some>' -S %s 2>&1 | FileCheck %s --check-prefix=KIND
; KIND: option 'remainder=some' needs loop, unrolled or none
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
define ptx_kernel void @once(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @only_once() noduplicate
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
declare void @only_once()
!0 = distinct !{!0, !1}
!1 = !{!"gpuprune.loop", i32 0}
