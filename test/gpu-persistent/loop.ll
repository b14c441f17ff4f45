; The blocks that are launched do all blocks of the grid in a loop. Indices are counted up digit by digit, and what the
; kernel reads of the grid are the author's extents, hidden parameters.
; RUN: %opt -passes='gpu-persistent<blocks=2>,verify' -S %s | FileCheck %s --check-prefixes=CHECK,STRIDED
; RUN: %opt -passes='gpu-persistent<blocks=2;order=consecutive>,verify' -S %s | FileCheck %s --check-prefixes=CHECK,RANGE
; RUN: %opt -passes='gpu-persistent<blocks=2;order=strided>' -disable-output -debug-pass-manager -print-pipeline-passes %s | FileCheck %s --check-prefix=PRINTED
; RUN: %opt -passes='gpu-persistent<order=consecutive;blocks=32>' -disable-output -debug-pass-manager -print-pipeline-passes %s | FileCheck %s --check-prefix=PRINTED-RANGE
; PRINTED: gpu-persistent<blocks=2>
; PRINTED-RANGE: gpu-persistent<blocks=32;order=consecutive>
target triple = "nvptx64-nvidia-cuda"

; CHECK: define ptx_kernel void @plain(ptr %p, i32 %blocks.x, i32 %blocks.y, i32 %blocks.z) #[[ATTRIBUTES:[0-9]+]]
; CHECK: [[INDEX:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK: [[LAUNCHED:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
; CHECK: [[PLANE:%.*]] = mul nuw nsw i32 %blocks.x, %blocks.y
; CHECK: [[TOTAL:%.*]] = mul nuw nsw i32 [[PLANE]], %blocks.z
; STRIDED: udiv i32 [[INDEX]], %blocks.x
; STRIDED: %x = urem i32 [[INDEX]], %blocks.x
; STRIDED: udiv i32 [[LAUNCHED]], %blocks.x
; STRIDED: [[STEP:%.*]] = urem i32 [[LAUNCHED]], %blocks.x
; STRIDED: icmp ult i32 [[INDEX]], [[TOTAL]]
; RANGE: %each = udiv i32 [[TOTAL]], [[LAUNCHED]]
; RANGE: %left = urem i32 [[TOTAL]], [[LAUNCHED]]
; RANGE: [[LONGER:%.*]] = call i32 @llvm.umin.i32(i32 [[INDEX]], i32 %left)
; RANGE: [[BEFORE:%.*]] = mul i32 [[INDEX]], %each
; RANGE: %first = add i32 [[BEFORE]], [[LONGER]]
; RANGE: %end = add i32
; RANGE: icmp ult i32 %first, %end
; CHECK: block:
; CHECK-NEXT: %number = phi i32
; CHECK-NEXT: [[X:%digit]] = phi i32
; CHECK-NEXT: [[Y:%digit[0-9]+]] = phi i32
; CHECK-NEXT: [[Z:%digit[0-9]+]] = phi i32
; CHECK-NOT: ctaid
; CHECK: [[SLICE:%.*]] = mul i32 [[Z]], %blocks.y
; CHECK-NEXT: [[ROW:%.*]] = add i32 [[SLICE]], [[Y]]
; CHECK-NEXT: [[ROWS:%.*]] = mul i32 [[ROW]], %blocks.x
; CHECK-NEXT: add i32 [[ROWS]], [[X]]
; CHECK: store i32 1
; CHECK-NOT: barrier
; CHECK-NOT: bar.warp
; STRIDED: %sum = add nuw i32 [[X]], [[STEP]]
; RANGE: %sum = add nuw i32 [[X]], 1
; CHECK-NEXT: %wraps = icmp uge i32 %sum, %blocks.x
; STRIDED: %number.next = add nuw i32 %number, [[LAUNCHED]]
; STRIDED-NEXT: %more = icmp ult i32 %number.next, [[TOTAL]]
; RANGE: %number.next = add nuw i32 %number, 1
; RANGE-NEXT: %more = icmp ult i32 %number.next, %end
; CHECK-NEXT: br i1 %more, label %block, {{.*}}!llvm.loop
define ptx_kernel void @plain(ptr %p) {
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %bz = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %gx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %gy = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %slice = mul i32 %bz, %gy
  %row = add i32 %slice, %by
  %before = mul i32 %row, %gx
  %i = add i32 %before, %bx
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 1, ptr %at
  ret void
}

; CHECK: attributes #[[ATTRIBUTES]] = { "gpuprune-hidden-parameters"="blocks.x,blocks.y,blocks.z" "gpuprune-persistent-blocks"="2" }
