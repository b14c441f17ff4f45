; A loop of which nothing can be read ahead is refused by name and the kernel stays as it was. `swaps` reads in one
; iteration what it wrote in the one before through another pointer; `written_before` is ordered by its barrier alone.
; RUN: %opt -passes=verify -S %s -o %t.before
; RUN: %opt -passes='gpu-prefetch<loop=7;kernel=none>' -pass-remarks-missed=gpu-prefetch -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=NOLOOP
; NOLOOP: warning: {{.*}}gpu-prefetch refused 'none' (NoSuchLoop): the kernel has no loop 7; its loop{{.*}} 0
; RUN: %opt -passes='gpu-prefetch<loop=0;kernel=computed_jump>' -pass-remarks-missed=gpu-prefetch -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=COMPUTEDJUMP
; COMPUTEDJUMP: warning: {{.*}}gpu-prefetch refused 'computed_jump' (LoopForm): jumps to computed addresses lead into the loop or out of it: there is no one way to go ahead of
; RUN: %opt -passes='gpu-prefetch<loop=0;kernel=none>' -pass-remarks-missed=gpu-prefetch -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=NONE
; NONE: warning: {{.*}}gpu-prefetch refused 'none' (NoGlobalLoad): the loop itself, outside of loops within it, reads no global memory at an address that changes
; RUN: %opt -passes='gpu-prefetch<loop=0;kernel=ends>' -pass-remarks-missed=gpu-prefetch -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=ENDS
; ENDS: warning: {{.*}}gpu-prefetch refused 'ends' (MayNotReturn): the thread may end here, and the next iteration must not be read ahead then: call void @perhaps()
; RUN: %opt -passes='gpu-prefetch<loop=0;kernel=unknown_end>' -pass-remarks-missed=gpu-prefetch -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=UNKNOWNEND
; UNKNOWNEND: warning: {{.*}}gpu-prefetch refused 'unknown_end' (UnknownNextIteration): whether another iteration follows is not known ahead of this: %v = load i32
; RUN: %opt -passes='gpu-prefetch<loop=0;kernel=chain>' -pass-remarks-missed=gpu-prefetch -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=CHAIN
; CHAIN: warning: {{.*}}gpu-prefetch refused 'chain' (AddressNotAhead): the address of a load is not known ahead of this: %v = load i32
; RUN: %opt -passes='gpu-prefetch<loop=0;kernel=spins>' -pass-remarks-missed=gpu-prefetch -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=SPINS
; SPINS: warning: {{.*}}gpu-prefetch refused 'spins' (Volatile): volatile and atomic loads have their time: %v = load volatile i32
; RUN: %opt -passes='gpu-prefetch<loop=0;kernel=writes>' -pass-remarks-missed=gpu-prefetch -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=WRITES
; WRITES: warning: {{.*}}gpu-prefetch refused 'writes' (MayBeWritten): this may write what is read ahead of it: store i32 %v
; RUN: %opt -passes='gpu-prefetch<loop=0;kernel=swaps>' -pass-remarks-missed=gpu-prefetch -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=SWAPS
; SWAPS: warning: {{.*}}gpu-prefetch refused 'swaps' (MayBeWritten): this may write what is read ahead of it: store i32 %v
; RUN: %opt -passes='gpu-prefetch<loop=0;kernel=written_before>' -pass-remarks-missed=gpu-prefetch -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=WRITTENBEFORE
; WRITTENBEFORE: warning: {{.*}}gpu-prefetch refused 'written_before' (MayBeWritten): this may write what, ordered by a barrier of the loop, is read ahead of it: store i32 1
; RUN: %opt -passes='gpu-prefetch<loop=0;kernel=waits>' -pass-remarks-missed=gpu-prefetch -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=WAITS
; WAITS: warning: {{.*}}gpu-prefetch refused 'waits' (Synchronisation): this may wait for another thread's write of what would be read ahead of it: %t = atomicrmw add
; RUN: %opt -passes='gpu-prefetch<loop=0;kernel=calls>' -pass-remarks-missed=gpu-prefetch -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --check-prefix=CALLS
; CALLS: warning: {{.*}}gpu-prefetch refused 'calls' (MayBeWritten): this may write what is read ahead of it: call void @unknown()
; RUN: %opt -passes='gpu-prefetch<loop=0;kernel=nobody>' -pass-remarks-missed=gpu- -disable-output %s 2>&1 | FileCheck %s --check-prefix=NOBODY
; NOBODY: remark: {{.*}}gpu-prefetch refused (NoSuchKernel): no kernel is called 'nobody'; known: none, 
target triple = "nvptx64-nvidia-cuda"
declare void @perhaps() memory(inaccessiblemem: readwrite)
declare void @unknown() nounwind willreturn

define ptx_kernel void @none(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = load i32, ptr addrspace(1) %p
  store i32 %v, ptr addrspace(3) null
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define ptx_kernel void @ends(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %at
  call void @perhaps()
  store i32 %v, ptr addrspace(3) null
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define ptx_kernel void @unknown_end(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %at
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %v
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define ptx_kernel void @chain(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi i32 [ 0, %entry ], [ %v, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %v = load i32, ptr addrspace(1) %at
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define ptx_kernel void @spins(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %v = load volatile i32, ptr addrspace(1) %at
  store i32 %v, ptr addrspace(3) null
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define ptx_kernel void @writes(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %at
  %to = getelementptr i32, ptr addrspace(1) %at, i32 1
  store i32 %v, ptr addrspace(1) %to
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define ptx_kernel void @swaps(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %from = phi ptr addrspace(1) [ %p, %entry ], [ %to, %loop ]
  %to = phi ptr addrspace(1) [ %q, %entry ], [ %from, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %from, i32 %i
  %v = load i32, ptr addrspace(1) %at
  store i32 %v, ptr addrspace(1) %to
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define ptx_kernel void @written_before(ptr addrspace(1) %p, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr i32, ptr addrspace(1) %p, i32 %t
  store i32 1, ptr addrspace(1) %mine
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %at
  store i32 %v, ptr addrspace(3) null
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define ptx_kernel void @waits(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %t = atomicrmw add ptr addrspace(3) null, i32 1 seq_cst
  %v = load i32, ptr addrspace(1) %at
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define ptx_kernel void @calls(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %at
  call void @unknown()
  store i32 %v, ptr addrspace(3) null
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define ptx_kernel void @computed_jump(ptr addrspace(1) %p, i32 %n, ptr %where) {
entry:
  indirectbr ptr %where, [label %loop, label %over]
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %at
  %next = add i32 %i, 1
  %x = icmp ult i32 %next, %n
  br i1 %x, label %loop, label %exit, !llvm.loop !0
exit:
  br label %over
over:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"gpuprune.loop", i32 0}
