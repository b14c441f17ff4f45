; Shared arrays whose contents differ between blocks get copies; dimensions have a plan each.
; RUN: %opt -passes='print<gpu-coarsening-plan><block;x=4;y=2>' -disable-output %s 2>&1 | FileCheck %s --check-prefixes=CHECK,BLOCKED
; RUN: %opt -passes='print<gpu-coarsening-plan><block;x=4;y=2;shared=interleaved>' -disable-output %s 2>&1 | FileCheck %s --check-prefixes=CHECK,INTERLEAVED
; RUN: %opt -passes='print<gpu-coarsening-plan><block;x=4;mode=sequential>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=SEQUENTIAL
; RUN: not %opt -passes='print<gpu-coarsening-plan><warp;x=2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=UNIT
; RUN: not %opt -passes='print<gpu-coarsening-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=UNIT
; RUN: not %opt -passes='print<gpu-coarsening-plan><block;dim=x>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OPTION
; RUN: %opt -passes='print<gpu-coarsening-plan><block;x=2;kernel=other>' -disable-output %s 2>&1 | FileCheck %s --allow-empty --check-prefix=KERNEL
; RUN: sed s/nvptx64-nvidia-cuda/x86_64-linux-gnu/ %s | %opt -passes='print<gpu-coarsening-plan><block;x=2>' -disable-output 2>&1 | FileCheck %s --allow-empty --check-prefix=KERNEL
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [256 x i32] undef, align 4
@same = internal addrspace(3) global [256 x i32] undef, align 4

; CHECK: gpu-coarsening-plan of kernel 'k', gpu-block-coarsen<x=4;y=2;z=1;
; CHECK-NEXT: y: 2 replicas; replicated: 0 of {{[0-9]+}} instructions
; CHECK-NOT: privatised
; CHECK: x: 4 replicas
; CHECK-NEXT: privatised:
; BLOCKED-NEXT: @tile: 4 copies, one after the other
; INTERLEAVED-NEXT: @tile: 4 copies, in groups of 4 side by side
; CHECK-NOT: @same:
; CHECK: index %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK: 4x store i32 %c, ptr addrspace(3) %at
; CHECK: 1x store i32 %n, ptr addrspace(3) %one
; CHECK: 1x call void @llvm.nvvm.barrier
; CHECK: 4x %w = load
; SEQUENTIAL: one replica runs the whole kernel after the other
; SEQUENTIAL-NEXT: x: 4 replicas; replicated: 0 of {{[0-9]+}} instructions
; SEQUENTIAL: replica by replica already:
; UNIT: print<gpu-coarsening-plan> needs <block;...> or <thread;...>
; OPTION: gpu-block-coarsen: {{.*}}dim
; KERNEL-NOT: gpu-coarsening-plan of
define ptx_kernel void @k(ptr %p, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  store i32 %c, ptr addrspace(3) %at
  %one = getelementptr i32, ptr addrspace(3) @same, i32 %t
  store i32 %n, ptr addrspace(3) %one
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %w = load i32, ptr addrspace(3) %at
  %v = load i32, ptr addrspace(3) %one
  %to = getelementptr i32, ptr %p, i32 %c
  %sum = add i32 %w, %v
  store i32 %sum, ptr %to
  ret void
}
