; Where shared memory is used, a barrier separates two blocks that one does, and copies to it have arrived; where lanes of
; a warp do something together, they begin the next block together.
; RUN: %opt -passes='gpu-persistent<blocks=1>,verify' -S %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x i32] undef, align 4
@dynamic = external addrspace(3) global [0 x i32], align 4

; CHECK-LABEL: @static_array(
; CHECK: %v = load i32
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK: br i1 %more
define ptx_kernel void @static_array(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %x, ptr addrspace(3) @tile
  %v = load i32, ptr addrspacecast (ptr addrspace(3) getelementptr (i32, ptr addrspace(3) @tile, i32 3) to ptr)
  %at = getelementptr i32, ptr %p, i32 %x
  store i32 %v, ptr %at
  ret void
}

; CHECK-LABEL: @generic_pointer(
; CHECK: store i32 %digit, ptr %{{.*}}
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK: br i1 %more
define ptx_kernel void @generic_pointer(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %x, ptr addrspacecast (ptr addrspace(3) @dynamic to ptr)
  ret void
}

; CHECK-LABEL: @copies(
; CHECK: call void @llvm.nvvm.cp.async.ca.shared.global.4
; CHECK: call void @llvm.nvvm.cp.async.wait.all()
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK: br i1 %more
define ptx_kernel void @copies(ptr addrspace(1) %p) {
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) @tile, ptr addrspace(1) %p)
  ret void
}

; CHECK-LABEL: @lanes(
; CHECK: call i32 @llvm.nvvm.shfl.sync.down.i32
; CHECK-NOT: barrier.cta
; CHECK: call void @llvm.nvvm.bar.warp.sync(i32 -1)
; CHECK: br i1 %more
define ptx_kernel void @lanes(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr %p, i32 %x
  %v = load i32, ptr %at
  %other = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %v, i32 1, i32 31)
  store i32 %other, ptr %at
  ret void
}
