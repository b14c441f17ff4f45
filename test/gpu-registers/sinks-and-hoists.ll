; What is used only behind the loop, from operands that live there anyway, is computed there; what ends two values with one is
; computed before the loop.
; RUN: %opt -passes='gpu-registers<sink>,gpu-place-values' -pass-remarks=gpu-registers -S %s -o %t.ll 2> %t.err
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=SINK
; RUN: FileCheck %s --input-file=%t.err --check-prefix=SUNK
; RUN: %opt -passes='gpu-registers<hoist>,gpu-place-values' -pass-remarks=gpu-registers -S %s -o %t.ll 2> %t.err
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=HOIST
; RUN: FileCheck %s --input-file=%t.err --check-prefix=HOISTED
; SUNK: remark: {{.*}}computed after the point where most registers are live: number, 1 word
; SINK-LABEL: define {{.*}} @sinks(
; SINK: br label %loop
; SINK: end:
; SINK: fmul float
; SINK: store float
; HOISTED: remark: {{.*}}computed before where most registers are live: number, 1 word
; HOIST-LABEL: define {{.*}} @hoists(
; HOIST: fsub float
; HOIST: br label %loop
; HOIST: end:
; HOIST-NOT: fsub
; HOIST: store float
target triple = "nvptx64-nvidia-cuda"

; %product is used behind the loop only, %x in it as well.
define ptx_kernel void @sinks(ptr noalias %a, ptr noalias %b, i32 %n) {
entry:
  %x = load float, ptr %b
  %product = fmul float %x, %x
  store volatile float 0.0, ptr %a
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr %b, i32 %i
  %v = load volatile float, ptr %p
  %scaled = fdiv float %v, %x
  %more = fadd float %sum, %scaled
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %all = fadd float %more, %product
  %also = fsub float %x, %all
  store float %also, ptr %a
  ret void
}

; %x and %y live through the loop for their difference alone.
define ptx_kernel void @hoists(ptr noalias %a, ptr noalias %b, i32 %n) {
entry:
  %x = load volatile float, ptr %b
  %y = load volatile float, ptr %b
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr %b, i32 %i
  %v = load volatile float, ptr %p
  %more = fadd float %sum, %v
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %difference = fsub float %x, %y
  %all = fadd float %more, %difference
  store float %all, ptr %a
  ret void
}
