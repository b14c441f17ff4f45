; A pointer that may be into one array or another, or into other memory: it is another pointer in each replica, from where
; the arrays begin.
; RUN: %opt -passes='gpu-block-coarsen<x=2>,verify' -S %s | FileCheck %s
; Such arrays lie one copy after another in all layouts: after the choice a step is one of both.
; RUN: %opt -passes='gpu-block-coarsen<x=2;shared=interleaved>,verify' -S %s | FileCheck %s
; RUN: %opt -passes='gpu-block-coarsen<x=2;shared=grouped>,verify' -S %s | FileCheck %s
; RUN: %opt -passes='gpu-block-coarsen<x=2>,gpu-block-coarsen<x=2>,verify' -S %s | FileCheck %s --check-prefix=TWICE
target triple = "nvptx64-nvidia-cuda"

; CHECK: @tile.coarse = internal addrspace(3) global [2 x [64 x i32]] undef, align 4
@tile = internal addrspace(3) global [64 x i32] undef, align 4
@other = internal addrspace(3) global [32 x i32] undef, align 4
@uniform = internal addrspace(3) global [64 x i32] undef, align 4

; CHECK-LABEL: define ptx_kernel void @written(
; CHECK-DAG: %[[TILE:.*]] = getelementptr inbounds i8, ptr addrspace(3) @tile.coarse{{.*}}, i32 256
; CHECK-DAG: %[[OTHER:.*]] = getelementptr inbounds i8, ptr addrspace(3) @other.coarse{{.*}}, i32 128
; CHECK: %s = select i1 %c, ptr addrspace(3) @tile.coarse{{.*}}, ptr addrspace(3) @other.coarse
; CHECK: %s.r1 = select i1 %c, ptr addrspace(3) %[[TILE]], ptr addrspace(3) %[[OTHER]]
; CHECK: %at = getelementptr i32, ptr addrspace(3) %s, i32 %t
; CHECK: %at.r1 = getelementptr i32, ptr addrspace(3) %s.r1, i32 %t
; CHECK: store i32 %block.first, ptr addrspace(3) %at,
; CHECK: store i32 %block.replica, ptr addrspace(3) %at.r1,
; TWICE-LABEL: define ptx_kernel void @written(
; TWICE-COUNT-4: store i32 {{.*}}addrspace(3)
define ptx_kernel void @written(i1 %c, i32 %t) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %s = select i1 %c, ptr addrspace(3) @tile, ptr addrspace(3) @other
  %at = getelementptr i32, ptr addrspace(3) %s, i32 %t
  store i32 %b, ptr addrspace(3) %at
  ret void
}

; Only one of the two depends on the block; the other stays one.
; CHECK-LABEL: define ptx_kernel void @one_depends(
; CHECK: %s = select i1 %c, ptr addrspace(3) @tile.coarse{{.*}}, ptr addrspace(3) @uniform
; CHECK: %s.r1 = select i1 %c, ptr addrspace(3) %base, ptr addrspace(3) @uniform
; CHECK: load i32, ptr addrspace(3) %s,
; CHECK: load i32, ptr addrspace(3) %s.r1,
define ptx_kernel void @one_depends(i1 %c, ptr %p) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %b, ptr addrspace(3) @tile
  store i32 7, ptr addrspace(3) @uniform
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %s = select i1 %c, ptr addrspace(3) @tile, ptr addrspace(3) @uniform
  %v = load i32, ptr addrspace(3) %s
  %to = getelementptr i32, ptr %p, i32 %b
  store i32 %v, ptr %to
  ret void
}

; Shared or global memory, and a loop that walks over either; the walk is jammed: how far it goes is the same for both.
; CHECK-LABEL: define ptx_kernel void @shared_or_global(
; CHECK: %walk = phi ptr [ %from, %
; CHECK-NEXT: %walk.r1 = phi ptr [ %from.r1, %
; CHECK: %v = load i32, ptr %walk
; CHECK: %v.r1 = load i32, ptr %walk.r1
; CHECK: %more = icmp ne ptr %next, %end
; CHECK-NOT: icmp
; CHECK: br i1 %more
define ptx_kernel void @shared_or_global(i1 %c, ptr %p, ptr %q) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %b, ptr addrspace(3) @tile
  %generic = addrspacecast ptr addrspace(3) @tile to ptr
  %from = select i1 %c, ptr %generic, ptr %q
  %end = getelementptr i32, ptr %from, i32 64
  br label %loop
loop:
  %walk = phi ptr [ %from, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %plus, %loop ]
  %v = load i32, ptr %walk
  %plus = add i32 %sum, %v
  %next = getelementptr i32, ptr %walk, i32 1
  %more = icmp ne ptr %next, %end
  br i1 %more, label %loop, label %exit
exit:
  %to = getelementptr i32, ptr %p, i32 %b
  store i32 %plus, ptr %to
  ret void
}
