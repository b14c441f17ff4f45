; mode=sequential runs logical blocks one after another, with a barrier between them where they use shared memory; it
; takes what jamming does not, and refuses where threads of a block do not come to all barriers alike.
; RUN: %opt -passes='gpu-block-coarsen<x=2;y=3;mode=sequential>,verify' -S %s 2> %t.err | FileCheck %s
; RUN: FileCheck %s --check-prefix=REFUSED --input-file=%t.err
; RUN: %opt -passes='gpu-block-coarsen<x=2;mode=sequential>' -disable-output -debug-pass-manager -print-pipeline-passes %s | FileCheck %s --check-prefix=PRINTED
; PRINTED: gpu-block-coarsen<x=2;y=1;z=1;shared=blocked;mode=sequential>
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x i32] undef, align 4
@dynamic = external addrspace(3) global [0 x i32], align 4

; CHECK-LABEL: @plain(
; CHECK: %grid.size = mul nuw nsw i32 %g, 2
; CHECK: replica:
; CHECK: %number = phi i32 [ 0, %{{.*}} ], [ %number.next, %{{.*}} ]
; CHECK: %place = urem i32 %number, 2
; CHECK: %rest = udiv i32 %number, 2
; CHECK: [[X:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK: [[XF:%.*]] = mul nuw nsw i32 [[X]], 2
; CHECK: add nuw nsw i32 [[XF]], %place
; CHECK: [[Y:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
; CHECK: [[YF:%.*]] = mul nuw nsw i32 [[Y]], 3
; CHECK: add nuw nsw i32 [[YF]], %rest
; CHECK: mul i32 %{{.*}}, %grid.size
; CHECK-NOT: barrier
; CHECK: icmp ult i32 %number.next, 6
define ptx_kernel void @plain(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %row = mul i32 %y, %g
  %i = add i32 %row, %x
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 1, ptr %at
  ret void
}

; Dynamic shared memory, a vector copied as a whole, a pointer to either of two arrays: all of no concern here.
; CHECK-LABEL: @shared_memory(
; CHECK: store i32 %{{.*}}, ptr addrspace(3) @dynamic
; CHECK: call void @llvm.memcpy
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK: br i1 %more, label
define ptx_kernel void @shared_memory(ptr %p, i1 %c) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %x, ptr addrspace(3) @dynamic
  call void @llvm.memcpy.p3.p0.i64(ptr addrspace(3) align 4 @tile, ptr align 4 %p, i64 64, i1 false)
  %s = select i1 %c, ptr addrspace(3) @tile, ptr addrspace(3) @dynamic
  %v = load i32, ptr addrspace(3) %s
  %at = getelementptr i32, ptr %p, i32 %x
  store i32 %v, ptr %at
  ret void
}

; REFUSED: gpu-block-coarsen refused 'some_threads' (DependentBarrier): this barrier is not proved to be reached by all threads of a block alike, and one that passes it by would meet the others at the next replica's: {{.*}}barrier
define ptx_kernel void @some_threads(ptr %p) {
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

; REFUSED: gpu-block-coarsen refused 'parameter' (ParameterWritten): the kernel changes its copy of a parameter differently in each block
define ptx_kernel void @parameter(ptr byval([4 x i32]) %s) {
  store i32 1, ptr %s
  ret void
}

; REFUSED: gpu-block-coarsen refused 'lock' (InterBlockWait)
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
