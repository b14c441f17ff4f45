; What ties a thread to its warp or to its number is refused by name, and the kernel stays as it was.
; RUN: %opt -passes=verify -S %s -o %t.before
; RUN: %opt -passes='gpu-thread-coarsen<dim=x;factor=2>' -pass-remarks-missed=gpu-thread-coarsen -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --implicit-check-not='warning:'
; RUN: %opt -passes='gpu-thread-coarsen<factor=2;kernel=nobody>' -pass-remarks-missed=gpu- -disable-output %s 2>&1 | FileCheck %s --check-prefix=NOBODY
; RUN: not %opt -passes='gpu-thread-coarsen<factor=0>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=ZERO
; RUN: not %opt -passes='gpu-thread-coarsen<align=12>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=POWER
; RUN: not %opt -passes='gpu-thread-coarsen<dim=w>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=DIM
; RUN: not %opt -passes='gpu-thread-coarsen<stride=2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=STRIDE
; NOBODY: remark: {{.*}}gpu-thread-coarsen refused (NoSuchKernel): no kernel is called 'nobody'
; ZERO: option 'factor=0' needs a whole number of at least 1
; POWER: option 'align=12' needs a power of two
; DIM: option 'dim=w' needs x, y or z
; STRIDE: option 'stride=2' needs block or consecutive
target triple = "nvptx64-nvidia-cuda"

; CHECK: warning: {{.*}}gpu-thread-coarsen refused 'shuffle' (WarpOperation): this is an operation of a warp, and coarsened threads make other warps: {{.*}}shfl
define ptx_kernel void @shuffle(ptr %p) {
  %v = load i32, ptr %p
  %w = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %v, i32 1, i32 31)
  store i32 %w, ptr %p
  ret void
}
; CHECK: warning: {{.*}}'lane' (WarpOperation)
define ptx_kernel void @lane(ptr %p) {
  %l = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  store i32 %l, ptr %p
  ret void
}
; CHECK: warning: {{.*}}'vote' (WarpOperation)
define ptx_kernel void @vote(ptr %p, i1 %c) {
  %b = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)
  store i32 %b, ptr %p
  ret void
}
; CHECK: warning: {{.*}}'warp_barrier' (WarpOperation)
define ptx_kernel void @warp_barrier() {
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  ret void
}
; CHECK: warning: {{.*}}'counts' (CountedBarrier): this barrier counts threads, and there will be fewer: {{.*}}popc
define ptx_kernel void @counts(ptr %p, i1 %c) {
  %n = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.count(i32 0, i32 64, i1 %c)
  store i32 %n, ptr %p
  ret void
}
; CHECK: warning: {{.*}}'some' (CountedBarrier): {{.*}}barrier.cta.sync.aligned.count(i32 1, i32 64)
define ptx_kernel void @some() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  ret void
}
; CHECK: warning: {{.*}}'half' (DependentBarrier): a barrier under control that differs between the threads that become one
define ptx_kernel void @half(ptr %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp slt i32 %t, 5
  br i1 %in, label %work, label %exit
work:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %exit
exit:
  ret void
}
; CHECK: warning: {{.*}}'lock' (InterBlockWait)
define ptx_kernel void @lock(ptr %lock) {
entry:
  br label %try
try:
  %old = atomicrmw xchg ptr %lock, i32 1 monotonic
  %got = icmp eq i32 %old, 0
  br i1 %got, label %exit, label %try
exit:
  ret void
}
; CHECK: warning: {{.*}}'odd_block' (BadLaunchContract): the block of "nvvm.reqntid"="33,1,1" cannot be divided by 2,1,1
define ptx_kernel void @odd_block(ptr %p) "nvvm.reqntid"="33,1,1" {
  ret void
}
