; grid=any: the author's grid need not be a multiple of the factors. The kernel gets its extents as further parameters, asks
; once whether the whole block is in the grid, and else runs the replicas that are, one after another.
; RUN: %opt -passes='gpu-block-coarsen<x=4;grid=any>,verify' -S %s | FileCheck %s
; RUN: %opt -passes='gpu-block-coarsen<x=4;grid=any>' -disable-output -print-pipeline-passes %s | FileCheck %s --check-prefix=PRINTED
; RUN: %opt -passes='gpu-block-coarsen<x=2;y=2;grid=any>,verify' -S %s | FileCheck %s --check-prefix=BOTH
; RUN: %opt -passes='gpu-block-coarsen<x=2;grid=any;mode=sequential>,verify' -S %s | FileCheck %s --check-prefix=SEQ
; PRINTED: gpu-block-coarsen<x=4;y=1;z=1;shared=blocked;grid=any>
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x i32] undef, align 4

; CHECK-LABEL: define ptx_kernel void @scale(ptr %p, i32 %n, i32 %grid.x)
; CHECK-SAME: !mark
; CHECK-NOT: nctaid
; CHECK: [[B:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK: %whole.blocks = udiv i32 %grid.x, 4
; CHECK: %all.in.grid = icmp ult i32 %{{.*}}, %whole.blocks
; CHECK: br i1 %all.in.grid, label %[[FAST:.*]], label %[[SLOW:.*]], !prof
; CHECK: [[FAST]]:
; CHECK-NOT: br i1
; CHECK: mul i32 %{{.*}}, %grid.x
; CHECK-COUNT-4: store i32 %n
; CHECK-NOT: store
; CHECK: br label %return
; CHECK: icmp ult i32 %number.next, 4
; CHECK: [[SLOW]]:
; CHECK: icmp ult i32 %{{.*}}, %grid.x
; CHECK: br i1
; CHECK: store i32 %n
; CHECK-NOT: store

; BOTH-LABEL: define ptx_kernel void @scale(ptr %p, i32 %n, i32 %grid.x, i32 %grid.y)
; BOTH-DAG: %[[WX:.*]] = udiv i32 %grid.x, 2
; BOTH-DAG: %[[WY:.*]] = udiv i32 %grid.y, 2
; BOTH: br i1
; BOTH: "gpuprune-grid-divisor"="2,2,1" "gpuprune-hidden-parameters"="grid.x,grid.y"

; SEQ-LABEL: define ptx_kernel void @scale(ptr %p, i32 %n, i32 %grid.x)
; SEQ-NOT: whole.blocks
; SEQ: replica:
; SEQ: %in.grid = icmp ult i32 %{{.*}}, %grid.x
; SEQ: br i1 %in.grid
; SEQ: store i32 %n
; SEQ-NOT: store
; SEQ: ret void
define ptx_kernel void @scale(ptr %p, i32 %n) !mark !0 {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %row = mul i32 %n, %g
  %i = add i32 %row, %b
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 %n, ptr %at
  ret void
}

; Barriers: the question is the same for all threads of a block and needs no barrier of its own; author's guards, which are
; not, are asked together with it.
; CHECK-LABEL: define ptx_kernel void @tiled(ptr %p, i32 %grid.x)
; CHECK-NOT: red.and
; CHECK: br i1 %all.in.grid
; CHECK: barrier.cta.sync.aligned.all
; CHECK: barrier.cta.sync.aligned.all
; CHECK: ret void
define ptx_kernel void @tiled(ptr %p) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %to = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  store i32 %b, ptr addrspace(3) %to
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load i32, ptr addrspace(3) @tile
  %i = add i32 %b, %t
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 %v, ptr %at
  ret void
}

; CHECK-LABEL: define ptx_kernel void @guarded(ptr %p, i32 %n, i32 %grid.x)
; CHECK: %inside = and i1
; CHECK: and i1 %{{.*}}, %all.in.grid
; CHECK: br i1
; CHECK: "gpuprune-grid-divisor"="4,1,1" "gpuprune-hidden-parameters"="grid.x"
define ptx_kernel void @guarded(ptr %p, i32 %n) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %b, %t
  %in = icmp slt i32 %i, %n
  br i1 %in, label %work, label %exit
work:
  %at = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %at
  store i32 %n, ptr %at
  br label %exit
exit:
  ret void
}
!0 = !{!"kept"}
