; A shared variable that is accessed without address computation and depends on both coarsened dimensions has a copy
; a replica of each: the second dimension must see the accesses that the first one made.
; RUN: %opt -passes='gpu-block-coarsen<x=2;y=2>,verify' -S %s | FileCheck %s --check-prefixes=CHECK,BLOCKED
; RUN: %opt -passes='gpu-block-coarsen<x=2;y=2;shared=interleaved>,verify' -S %s | FileCheck %s --check-prefixes=CHECK,INTERLEAVED
; BLOCKED: @flag.coarse.coarse = internal addrspace(3) global [2 x [2 x i32]] undef, align 4
; INTERLEAVED: @flag.coarse.coarse = internal addrspace(3) global [2 x [2 x i32]] undef, align 16
; CHECK-NOT: @flag =
target triple = "nvptx64-nvidia-cuda"
@flag = internal addrspace(3) global i32 undef, align 4
define ptx_kernel void @k(ptr %p) {
; CHECK-LABEL: @k(
; CHECK: store i32 %v, ptr addrspace(3) @flag.coarse.coarse
; BLOCKED: %[[X:.*]] = getelementptr inbounds i8, ptr addrspace(3) @flag.coarse.coarse, i64 8
; BLOCKED-NEXT: store i32 %v.r1{{[0-9]*}}, ptr addrspace(3) %[[X]], align 4
; BLOCKED: %[[Y:.*]] = getelementptr inbounds i8, ptr addrspace(3) @flag.coarse.coarse, i64 4
; BLOCKED: store i32 %v.r1{{[0-9]*}}, ptr addrspace(3) %[[Y]], align 4
; BLOCKED: %[[XY:.*]] = getelementptr inbounds i8, ptr addrspace(3) %[[Y]], i64 8
; BLOCKED-NEXT: store i32 %v.r1{{.*}}, ptr addrspace(3) %[[XY]], align 4
; INTERLEAVED: %[[X:.*]] = getelementptr inbounds i8, ptr addrspace(3) @flag.coarse.coarse, i64 4
; INTERLEAVED-NEXT: store i32 %v.r1{{[0-9]*}}, ptr addrspace(3) %[[X]], align 4
; INTERLEAVED: %[[Y:.*]] = getelementptr inbounds [2 x i8], ptr addrspace(3) @flag.coarse.coarse, i64 4
; INTERLEAVED: store i32 %v.r1{{[0-9]*}}, ptr addrspace(3) %[[Y]], align 4
; INTERLEAVED: %[[XY:.*]] = getelementptr inbounds i8, ptr addrspace(3) %[[Y]], i64 4
; INTERLEAVED-NEXT: store i32 %v.r1{{.*}}, ptr addrspace(3) %[[XY]], align 4
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %v = sub i32 %x, %y
  store i32 %v, ptr addrspace(3) @flag
  ret void
}
