; An atomic operation on global memory happens once a logical block even where its operands are the same; one on a shared
; array whose contents do not depend on the block index stays single.
; RUN: %opt -passes='gpu-block-coarsen<x=3>,verify' -S %s | FileCheck %s
; CHECK-COUNT-3: atomicrmw add ptr addrspace(1) %counter, i32 1
; CHECK: atomicrmw add ptr addrspace(3) @histogram, i32 1
; CHECK-NOT: addrspace(3) @histogram
; CHECK-COUNT-3: cmpxchg ptr addrspace(1)
; CHECK: atomicrmw add ptr addrspace(3) @private.coarse, i32 %b
; CHECK-COUNT-2: atomicrmw add ptr addrspace(3) %copy
; CHECK: ret void
target triple = "nvptx64-nvidia-cuda"
@histogram = internal addrspace(3) global i32 undef, align 4
@private = internal addrspace(3) global i32 undef, align 4
define ptx_kernel void @k(ptr addrspace(1) %counter) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = atomicrmw add ptr addrspace(1) %counter, i32 1 monotonic
  %2 = atomicrmw add ptr addrspace(3) @histogram, i32 1 monotonic
  %3 = cmpxchg ptr addrspace(1) %counter, i32 1, i32 2 monotonic monotonic
  %4 = atomicrmw add ptr addrspace(3) @private, i32 %b monotonic
  ret void
}
