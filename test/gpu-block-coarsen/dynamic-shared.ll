; Dynamic shared memory that depends on the block: the launch gives room for a copy each, and where one ends is known at
; the launch only.
; RUN: %opt -passes='gpu-block-coarsen<x=3>,verify' -S %s | FileCheck %s --check-prefixes=BLOCKED,ALL
; RUN: %opt -passes='gpu-block-coarsen<x=8;shared=grouped>,verify' -S %s | FileCheck %s --check-prefixes=GROUPED,ALL
; RUN: %opt -passes='gpu-block-coarsen<x=2;shared=interleaved>,verify' -S %s | FileCheck %s --check-prefixes=SIDE,ALL
; Repeated, the copies of the second pass are as large as all that the first one made; one parameter serves both.
; RUN: %opt -passes='gpu-block-coarsen<x=2>,gpu-block-coarsen<x=3>,verify' -S %s | FileCheck %s --check-prefix=TWICE
; RUN: %opt -passes='gpu-block-coarsen<x=2;shared=interleaved>,gpu-block-coarsen<x=3>,verify' -S %s | FileCheck %s --check-prefix=SIDE-FIRST
; RUN: %opt -passes='gpu-block-coarsen<x=2>,gpu-block-coarsen<x=4;shared=interleaved>,verify' -S %s | FileCheck %s --check-prefix=SIDE-LAST
; One after another there is one copy, and the author's launch has room for it.
; RUN: %opt -passes='gpu-block-coarsen<x=2;mode=sequential>,verify' -S %s | FileCheck %s --check-prefix=SEQUENTIAL
; With grid=any its parameter comes first; the slow path uses the first copy.
; RUN: %opt -passes='gpu-block-coarsen<x=2;grid=any>,verify' -S %s | FileCheck %s --check-prefix=ANY
target triple = "nvptx64-nvidia-cuda"

; ALL: @dynamic = external addrspace(3) global [0 x i32], align 16
@dynamic = external addrspace(3) global [0 x i32], align 4
@other = external addrspace(3) global [0 x i32], align 8

; ALL-LABEL: define ptx_kernel void @k(
; BLOCKED-SAME: ptr %p, i32 %t, i32 %shared.bytes) #[[K:[0-9]+]]
; BLOCKED: %[[END:.*]] = add nuw i32 %shared.bytes, 15
; BLOCKED: %shared.copy = and i32 %[[END]], -16
; BLOCKED: %shared.group = mul nuw nsw i32 %shared.copy, 1
; BLOCKED: %[[ONE:.*]] = mul nuw nsw i32 %shared.group, 1
; BLOCKED: %base = getelementptr inbounds i8, ptr addrspace(3) @dynamic, i32 %[[ONE]]
; BLOCKED: %[[TWO:.*]] = mul nuw nsw i32 %shared.group, 2
; BLOCKED: %base1 = getelementptr inbounds i8, ptr addrspace(3) @dynamic, i32 %[[TWO]]
; BLOCKED: %at = getelementptr i32, ptr addrspace(3) @dynamic, i32 %t
; BLOCKED: %at.r1 = getelementptr i32, ptr addrspace(3) %base, i32 %t
; BLOCKED: %at.r2 = getelementptr i32, ptr addrspace(3) %base1, i32 %t
; BLOCKED: store i32 %block.first, ptr addrspace(3) %at,
; BLOCKED: store i32 %block.replica, ptr addrspace(3) %at.r1,
; BLOCKED: store i32 %{{.*}}, ptr addrspace(3) %at.r2,
; The other array is the same memory.
; BLOCKED: load i32, ptr addrspace(3) @dynamic,
; BLOCKED: load i32, ptr addrspace(3) %base,
; BLOCKED: load i32, ptr addrspace(3) %base1,
; GROUPED-SAME: ptr %p, i32 %t, i32 %shared.bytes) #[[K:[0-9]+]]
; GROUPED: %shared.group = mul nuw nsw i32 %shared.copy, 4
; GROUPED: %base = getelementptr inbounds i8, ptr addrspace(3) @dynamic, i32
; GROUPED-NOT: %base1
; GROUPED: %at = getelementptr [4 x i32], ptr addrspace(3) @dynamic, i32 %t
; GROUPED: %at.r3 = getelementptr [4 x i32], ptr addrspace(3) @dynamic, i32 %t
; GROUPED: %at.r4 = getelementptr [4 x i32], ptr addrspace(3) %base, i32 %t
; GROUPED: %at.r7 = getelementptr [4 x i32], ptr addrspace(3) %base, i32 %t
; GROUPED: getelementptr inbounds i8, ptr addrspace(3) %at.r3, i64 12
; GROUPED: store i32 %{{.*}}, ptr addrspace(3) %at.r4,
; GROUPED: getelementptr inbounds i8, ptr addrspace(3) %at.r5, i64 4
; Side by side everything is known when compiling.
; SIDE-SAME: ptr %p, i32 %t) #[[K:[0-9]+]]
; SIDE: %at = getelementptr [2 x i32], ptr addrspace(3) @dynamic, i32 %t
; SIDE: getelementptr inbounds i8, ptr addrspace(3) %at, i64 4
; TWICE: define ptx_kernel void @k(ptr %p, i32 %t, i32 %shared.bytes) #[[K:[0-9]+]]
; TWICE: %shared.group{{.*}} = mul nuw nsw i32 %shared.copy{{.*}}, 2
; SIDE-FIRST: define ptx_kernel void @k(ptr %p, i32 %t, i32 %shared.bytes) #[[K:[0-9]+]]
; SIDE-FIRST: %shared.group{{.*}} = mul nuw nsw i32 %shared.copy{{.*}}, 2
; SIDE-FIRST: getelementptr [2 x i32], ptr addrspace(3) %base, i32 %t
; SIDE-LAST: %base = getelementptr inbounds [4 x i8], ptr addrspace(3) @dynamic, i32
; SIDE-LAST: getelementptr [4 x i32], ptr addrspace(3) %base, i32 %t
; SEQUENTIAL: define ptx_kernel void @k(ptr %p, i32 %t) #[[K:[0-9]+]]
; ANY: define ptx_kernel void @k(ptr %p, i32 %t, i32 %grid.x, i32 %shared.bytes) #[[K:[0-9]+]]
define ptx_kernel void @k(ptr %p, i32 %t) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr addrspace(3) @dynamic, i32 %t
  store i32 %b, ptr addrspace(3) %at
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load i32, ptr addrspace(3) @other
  %to = getelementptr i32, ptr %p, i32 %b
  store i32 %v, ptr %to
  ret void
}

; What does not depend on the block has no copies, and the launch stays.
; ALL-LABEL: define ptx_kernel void @uniform(
; ALL-SAME: ptr %p, i32 %t) #[[UNIFORM:[0-9]+]]
define ptx_kernel void @uniform(ptr %p, i32 %t) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %t, ptr addrspace(3) @dynamic
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load i32, ptr addrspace(3) @dynamic
  %size = call i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size()
  %sum = add i32 %v, %size
  %to = getelementptr i32, ptr %p, i32 %b
  store i32 %sum, ptr %to
  ret void
}

; The size reads as the author's, whatever the layout.
; ALL-LABEL: define ptx_kernel void @size(
; ALL-SAME: ptr %p, i32 %t, i32 %shared.bytes) #[[SIZE:[0-9]+]]
; ALL-NOT: dynamic_smem_size
; ALL: store i32 %shared.bytes, ptr %p
define ptx_kernel void @size(ptr %p, i32 %t) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %b, ptr addrspace(3) @dynamic
  %size = call i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size()
  store i32 %size, ptr %p
  ret void
}

; BLOCKED-DAG: attributes #[[K]] = { "gpuprune-grid-divisor"="3,1,1" "gpuprune-hidden-parameters"="shared.bytes" "gpuprune-shared-copies"="3" }
; BLOCKED-DAG: attributes #[[UNIFORM]] = { "gpuprune-grid-divisor"="3,1,1" }
; GROUPED-DAG: attributes #[[K]] = { "gpuprune-grid-divisor"="8,1,1" "gpuprune-hidden-parameters"="shared.bytes" "gpuprune-shared-copies"="8" }
; SIDE-DAG: attributes #[[K]] = { "gpuprune-grid-divisor"="2,1,1" "gpuprune-shared-copies"="2" }
; SIDE-DAG: attributes #[[SIZE]] = { "gpuprune-grid-divisor"="2,1,1" "gpuprune-hidden-parameters"="shared.bytes" "gpuprune-shared-copies"="2" }
; TWICE: attributes #[[K]] = { "gpuprune-grid-divisor"="6,1,1" "gpuprune-hidden-parameters"="shared.bytes" "gpuprune-shared-copies"="6" }
; SIDE-FIRST: attributes #[[K]] = { "gpuprune-grid-divisor"="6,1,1" "gpuprune-hidden-parameters"="shared.bytes" "gpuprune-shared-copies"="6" }
; SEQUENTIAL: attributes #[[K]] = { "gpuprune-grid-divisor"="2,1,1" }
; ANY: attributes #[[K]] = { "gpuprune-grid-divisor"="2,1,1" "gpuprune-hidden-parameters"="grid.x,shared.bytes" "gpuprune-shared-copies"="2" }
