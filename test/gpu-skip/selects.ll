; Work of one side of a select, behind a branch, and what has to stay where it is.
; RUN: %opt -passes='gpu-skip<selects=1>' -S %s 2> %t.err | FileCheck %s --check-prefixes=CHECK,ONE
; RUN: %opt -passes='gpu-skip<selects=8>' -S %s 2> %t.err | FileCheck %s --check-prefixes=CHECK,ALL
; RUN: %opt -passes='gpu-skip<selects=1>,verify' -disable-output %s
; RUN: %opt -passes='gpu-skip<selects=2>,verify' -disable-output %s
; RUN: %opt -passes='gpu-skip<selects=8>,verify' -disable-output %s
; RUN: FileCheck %s --input-file=%t.err --check-prefix=REFUSED --implicit-check-not=refused
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @true_side(
; CHECK-NEXT: %c = fcmp ogt float %x, %y
; CHECK-NEXT: [[C:%.*]] = freeze i1 %c
; CHECK-NEXT: br i1 [[C]], label %[[THEN:.*]], label %[[END:.*]], !prof
; CHECK: [[THEN]]:
; CHECK-NEXT: %q = fdiv float %x, %y
; CHECK-NEXT: %s = select i1 %c, float %q, float 1.000000e+00
; CHECK-NEXT: br label %[[END]]
; CHECK: [[END]]:
; CHECK-NEXT: [[V:%.*]] = phi float [ %s, %[[THEN]] ], [ 1.000000e+00, %0 ]
; CHECK-NEXT: store float [[V]], ptr %out
define ptx_kernel void @true_side(ptr %out, float %x, float %y) {
  %q = fdiv float %x, %y
  %c = fcmp ogt float %x, %y
  %s = select i1 %c, float %q, float 1.0
  store float %s, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @false_side(
; CHECK: [[C:%.*]] = freeze i1 %c
; CHECK-NEXT: [[NOT:%.*]] = xor i1 [[C]], true
; CHECK-NEXT: br i1 [[NOT]]
; CHECK: phi float [ %s, %{{.*}} ], [ %x, %0 ]
define ptx_kernel void @false_side(ptr %out, float %x, float %y) {
  %q = fdiv float %x, %y
  %c = fcmp ogt float %x, %y
  %s = select i1 %c, float %x, float %q
  store float %s, ptr %out
  ret void
}

; A square is not negative, so the quotient need not be known. What loads is not moved.
; CHECK-LABEL: define ptx_kernel void @quotient(
; CHECK: %v = load float
; CHECK-NEXT: %n = fmul
; CHECK-NEXT: %d = fmul float %r, %r
; CHECK-NEXT: [[C:%.*]] = fcmp olt float %n, %d
; CHECK-NEXT: [[F:%.*]] = freeze i1 [[C]]
; CHECK-NEXT: br i1 [[F]]
; CHECK: fdiv
; CHECK-NEXT: fsub
; CHECK-NEXT: fmul
; CHECK-NEXT: select i1 [[C]]
define ptx_kernel void @quotient(ptr %out, ptr %in, float %r) {
  %v = load float, ptr %in
  %n = fmul float %v, %v
  %d = fmul float %r, %r
  %q = fdiv float %n, %d
  %rest = fsub float 1.0, %q
  %c = fcmp ogt float %rest, 0.0
  %square = fmul float %rest, %rest
  %s = select i1 %c, float %square, float 0.0
  store float %s, ptr %out
  ret void
}

; The other comparisons: q <= 1 or no number; q - 1 >= 0 or no number; q > 1.
; CHECK-LABEL: define ptx_kernel void @comparisons(
; CHECK-DAG: fcmp ule float %n, %d
; CHECK-DAG: fcmp uge float %m2, %d
; CHECK-DAG: fcmp ogt float %o, %d
; CHECK: br i1
define ptx_kernel void @comparisons(ptr %out, float %n, float %m, float %o, float %r) {
  %d = fmul float %r, %r
  %q = fdiv float %n, %d
  %c = fcmp ule float %q, 1.0
  %s = select i1 %c, float %q, float 0.0
  store float %s, ptr %out
  %m2 = fmul float %m, %m
  %q2 = fdiv float %m2, %d
  %less = fsub float %q2, 1.0
  %c2 = fcmp uge float %less, 0.0
  %s2 = select i1 %c2, float %less, float 0.0
  store float %s2, ptr %out
  %q3 = fdiv float %o, %d
  %c3 = fcmp ogt float %q3, 1.0
  %s3 = select i1 %c3, float 2.0, float %q3
  store float %s3, ptr %out
  ret void
}

; Sums that follow one another share a branch.
; CHECK-LABEL: define ptx_kernel void @sums(
; ONE: br i1
; ONE: fdiv
; ONE: phi
; ONE: br i1
; ONE: fdiv
; ONE: [[S:%.*]] = phi float [ %s2, %{{.*}} ], [ [[S1:%.*]], %{{.*}} ]
; ALL: [[ANY:%.*]] = or i1
; ALL-NEXT: br i1 [[ANY]]
; ALL: fdiv
; ALL: fdiv
; ALL: [[S:%.*]] = phi float [ %s2, %{{.*}} ], [ %z, %0 ]
; CHECK-NEXT: store float [[S]], ptr %out
define ptx_kernel void @sums(ptr %out, float %x, float %y, float %z) {
  %q1 = fdiv float %x, %y
  %c1 = fcmp olt float %x, %z
  %t1 = fadd float %z, %q1
  %s1 = select i1 %c1, float %t1, float %z
  %q2 = fdiv float %y, %x
  %c2 = fcmp olt float %y, %z
  %t2 = fadd float %s1, %q2
  %s2 = select i1 %c2, float %t2, float %s1
  store float %s2, ptr %out
  ret void
}

; The second condition is that of the first result, which is only known behind its branch.
; CHECK-LABEL: define ptx_kernel void @dependent(
; CHECK: br i1
; CHECK: [[S:%.*]] = phi
; CHECK: %c2 = fcmp olt float [[S]], %z
; CHECK: br i1
define ptx_kernel void @dependent(ptr %out, float %x, float %y, float %z) {
  %q1 = fdiv float %x, %y
  %c1 = fcmp olt float %x, %z
  %s1 = select i1 %c1, float %q1, float %z
  %q2 = fdiv float %y, %x
  %c2 = fcmp olt float %s1, %z
  %s2 = select i1 %c2, float %q2, float %z
  store float %s2, ptr %out
  ret void
}

; Two selects need the same quotient, so that a branch for one of them would not spare it.
; CHECK-LABEL: define ptx_kernel void @shared(
; ONE-NOT: br i1
; ALL: or i1
; ALL-NEXT: br i1
; CHECK: ret void
define ptx_kernel void @shared(ptr %out, float %x, float %y, float %z) {
  %q = fdiv float %x, %y
  %c1 = fcmp olt float %x, %z
  %s1 = select i1 %c1, float %q, float %z
  %c2 = fcmp olt float %y, %z
  %s2 = select i1 %c2, float %q, float %x
  %sum = fadd float %s1, %s2
  store float %sum, ptr %out
  ret void
}

; REFUSED: gpu-skip refused 'negative' (NothingToSkip)
; CHECK-LABEL: define ptx_kernel void @negative(
; CHECK-NOT: br i1
define ptx_kernel void @negative(ptr %out, float %n, float %d) {
  %q = fdiv float %n, %d
  %c = fcmp olt float %q, 1.0
  %s = select i1 %c, float %q, float 0.0
  store float %s, ptr %out
  ret void
}

; n may be the negative infinity and d the positive one, whose quotient is no number; n < d all the same.
; REFUSED: gpu-skip refused 'infinities' (NothingToSkip)
; CHECK-LABEL: define ptx_kernel void @infinities(
define ptx_kernel void @infinities(ptr %out, float %n, float %r) {
  %d = fmul float %r, %r
  %q = fdiv float %n, %d
  %c = fcmp olt float %q, 1.0
  %s = select i1 %c, float %q, float 0.0
  store float %s, ptr %out
  ret void
}

; A positive number is not less than a negative zero, but its quotient by that is less than one.
; REFUSED: gpu-skip refused 'minus_zero' (NothingToSkip)
; CHECK-LABEL: define ptx_kernel void @minus_zero(
define ptx_kernel void @minus_zero(ptr %out, float %n, float %r) {
  %square = fmul float %r, %r
  %minus = fneg float %square
  %d = call float @llvm.fabs.f32(float %minus)
  %zero = fmul float %d, -0.0
  %q = fdiv float %n, %zero
  %c = fcmp olt float %q, 1.0
  %s = select i1 %c, float %q, float 0.0
  store float %s, ptr %out
  ret void
}

; REFUSED: gpu-skip refused 'fast' (NothingToSkip)
; CHECK-LABEL: define ptx_kernel void @fast(
define ptx_kernel void @fast(ptr %out, float %n, float %r) {
  %d = fmul float %r, %r
  %q = fdiv arcp float %n, %d
  %c = fcmp olt float %q, 1.0
  %s = select i1 %c, float %q, float 0.0
  store float %s, ptr %out
  ret void
}

; REFUSED: gpu-skip refused 'flushing' (NothingToSkip)
; CHECK-LABEL: define ptx_kernel void @flushing(
define ptx_kernel void @flushing(ptr %out, float %n, float %r) "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  %d = fmul float %r, %r
  %q = fdiv float %n, %d
  %c = fcmp olt float %q, 1.0
  %s = select i1 %c, float %q, float 0.0
  store float %s, ptr %out
  ret void
}

; The block is a loop: what it carries is of its end, as is the hint of the loop.
; CHECK-LABEL: define ptx_kernel void @loop(
; CHECK: body:
; CHECK-NEXT: %i = phi i32 [ 0, %entry ], [ %next, %[[END:.*]] ]
; CHECK-NEXT: %sum = phi float [ 0.000000e+00, %entry ], [ [[S:%.*]], %[[END]] ]
; CHECK: br i1 {{.*}}, label %[[THEN:.*]], label %[[END]], !prof
; CHECK: [[THEN]]:
; CHECK-NEXT: %q = fdiv float %x, %sum
; CHECK: [[END]]:
; CHECK-NEXT: [[S]] = phi float [ %s, %[[THEN]] ], [ %sum, %body ]
; CHECK: br i1 %again, label %body, label %exit, !llvm.loop
define ptx_kernel void @loop(ptr %out, float %x, i32 %n) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %s, %body ]
  %q = fdiv float %x, %sum
  %c = fcmp ogt float %x, %sum
  %s = select i1 %c, float %q, float %sum
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %exit, !llvm.loop !0
exit:
  store float %s, ptr %out
  ret void
}

; `a && x / y > z`, which then is the condition of another select and of the branch at the end, so that it is
; defined: a branch each.
; CHECK-LABEL: define ptx_kernel void @conditions(
; CHECK: br i1
; CHECK: %q = fdiv
; CHECK: [[BOTH:%.*]] = phi i1 [ %both, %{{.*}} ], [ false, %{{.*}} ]
; CHECK-NEXT: br i1 [[BOTH]]
; CHECK: %r = fdiv
; CHECK: br i1 [[BOTH]], label %yes, label %no
define ptx_kernel void @conditions(ptr %out, i1 %a, float %x, float %y, float %z) {
  %q = fdiv float %x, %y
  %k = fcmp ogt float %q, %z
  %both = select i1 %a, i1 %k, i1 false
  %r = fdiv float %z, %y
  %s = select i1 %both, float %r, float %x
  store float %s, ptr %out
  br i1 %both, label %yes, label %no
yes:
  store float 1.0, ptr %out
  br label %no
no:
  ret void
}

; A vector is chosen as a whole by one condition; by one for each element it may be mixed.
; CHECK-LABEL: define ptx_kernel void @vectors(
; CHECK: br i1
; CHECK: %q = fdiv <2 x float>
; CHECK: phi <2 x float> [ %s, %{{.*}} ], [ %x, %{{.*}} ]
; CHECK: %r = fdiv <2 x float>
; CHECK-NOT: br i1
; CHECK: ret void
define ptx_kernel void @vectors(ptr %out, i1 %a, <2 x i1> %b, <2 x float> %x, <2 x float> %y) {
  %q = fdiv <2 x float> %x, %y
  %s = select i1 %a, <2 x float> %q, <2 x float> %x
  store <2 x float> %s, ptr %out
  %r = fdiv <2 x float> %y, %x
  %t = select <2 x i1> %b, <2 x float> %r, <2 x float> %x
  store <2 x float> %t, ptr %out
  ret void
}

; What a warp does together stays, and what it needs; a division of integers moves.
; CHECK-LABEL: define ptx_kernel void @together(
; CHECK: %q = sdiv i32 %x, %y
; CHECK-NEXT: %v = call i32 @llvm.nvvm.shfl.sync.idx.i32
; CHECK: br i1
; CHECK: %w = udiv i32 %v, %y
define ptx_kernel void @together(ptr %out, i1 %a, i32 %x, i32 %y) {
  %q = sdiv i32 %x, %y
  %v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %q, i32 0, i32 31)
  %w = udiv i32 %v, %y
  %s = select i1 %a, i32 %w, i32 %x
  store i32 %s, ptr %out
  ret void
}
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)

; Between the two, another result is made of the first: each has a branch.
; CHECK-LABEL: define ptx_kernel void @between(
; CHECK: br i1
; CHECK: [[S:%.*]] = phi float
; CHECK: store float [[S]], ptr %out
; CHECK: br i1
; CHECK: phi float [ %s2, %{{.*}} ], [ [[S]], %{{.*}} ]
define ptx_kernel void @between(ptr %out, i1 %a, i1 %b, float %x, float %y) {
  %q1 = fdiv float %x, %y
  %s1 = select i1 %a, float %q1, float %x
  store float %s1, ptr %out
  %q2 = fdiv float %y, %x
  %t2 = fadd float %q2, %s1
  %s2 = select i1 %b, float %t2, float %s1
  store float %s2, ptr %out
  ret void
}

; The work of the second one needs the first one alone, which has a branch of its own or is in that of both.
; CHECK-LABEL: define ptx_kernel void @nested(
; ONE: br i1
; ONE: %s1 = select
; ONE: [[S:%.*]] = phi float [ %s1, %{{.*}} ], [ %x, %0 ]
; ONE: br i1
; ONE: %q2 = fdiv float [[S]], %y
; ALL: or i1
; ALL-NEXT: br i1
; ALL: %s1 = select
; ALL-NEXT: %q2 = fdiv float %s1, %y
; CHECK-NEXT: %s2 = select
; CHECK: phi float [ %s2, %{{.*}} ], [ %y, %{{.*}} ]
define ptx_kernel void @nested(ptr %out, i1 %a, i1 %b, float %x, float %y) {
  %q1 = fdiv float %x, %y
  %s1 = select i1 %a, float %q1, float %x
  %q2 = fdiv float %s1, %y
  %s2 = select i1 %b, float %q2, float %y
  store float %s2, ptr %out
  ret void
}

; REFUSED: gpu-skip refused 'used' (NothingToSkip)
; CHECK-LABEL: define ptx_kernel void @used(
define ptx_kernel void @used(ptr %out, float %x, float %y) {
  %q = fdiv float %x, %y
  %c = fcmp ogt float %x, %y
  %s = select i1 %c, float %q, float 1.0
  %sum = fadd float %s, %q
  store float %sum, ptr %out
  ret void
}

; REFUSED: gpu-skip refused 'cheap' (NothingToSkip)
; CHECK-LABEL: define ptx_kernel void @cheap(
define ptx_kernel void @cheap(ptr %out, float %x, float %y) {
  %p = fmul float %x, %y
  %c = fcmp ogt float %x, %y
  %s = select i1 %c, float %p, float 1.0
  store float %s, ptr %out
  ret void
}

; REFUSED: gpu-skip refused 'both' (NothingToSkip)
; CHECK-LABEL: define ptx_kernel void @both(
define ptx_kernel void @both(ptr %out, float %x, float %y) {
  %q = fdiv float %x, %y
  %c = fcmp ogt float %x, %y
  %s = select i1 %c, float %q, float %q
  store float %s, ptr %out
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}

; Behind its last use a quotient is needed by a comparison alone, which does without it.
; CHECK-LABEL: define ptx_kernel void @dead_difference(
; CHECK: br i1
; CHECK: fdiv
; CHECK-NOT: fadd
; CHECK: fcmp ogt float %n, %y
; CHECK: ret void
define ptx_kernel void @dead_difference(ptr %p, ptr %o, float %n, float %d0, i1 %c) {
  %x = load float, ptr %p
  %d = fmul float %d0, %d0
  %y = fmul float %d, %d
  %q = fdiv float %n, %y
  %w = fmul float %q, %q
  %s = select i1 %c, float %w, float %x
  %r = fadd float %q, -1.0
  %t = fcmp ogt float %r, 0.0
  %u = select i1 %t, float 3.0, float %s
  store float %u, ptr %o
  ret void
}

; The quotient depends on the first select and is tested behind the second one: branches are settled when it
; is known what the test needs.
; CHECK-LABEL: define ptx_kernel void @tested_behind(
; CHECK-NOT: fadd
; CHECK: fcmp ogt float {{.*}}, %y
; CHECK: ret void
define ptx_kernel void @tested_behind(ptr %p, ptr %o, float %n, float %d0, i1 %c, i1 %c2, i1 %c3) {
  %x = load float, ptr %p
  %d = fmul float %d0, %d0
  %y = fmul float %d, %d
  %w1 = fdiv float %x, %n
  %s1 = select i1 %c, float %w1, float %x
  %q = fdiv float %s1, %y
  %w = fdiv float %q, %n
  %s2 = select i1 %c2, float %w, float %x
  %r = fadd float %q, -1.0
  %t = fcmp ogt float %r, 0.0
  %u = select i1 %t, float 3.0, float %s2
  %w3 = fdiv float %n, %x
  %m = fmul float %w3, %u
  store float %s1, ptr %o
  %s3 = select i1 %c3, float %m, float %u
  %o1 = getelementptr float, ptr %o, i64 1
  store float %s3, ptr %o1
  ret void
}
