; What is cut out of an integer wider than 64 bits is no part of an index that is known.
; RUN: %opt -passes='print<gpu-block-shape>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: gpu-block-shape of kernel 'wide':
; CHECK-NEXT: x: not free;
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @wide(ptr %out, i128 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %tid to i128
  %product = mul i128 %wide, %n
  %index = trunc i128 %product to i64
  %at = getelementptr float, ptr %out, i64 %index
  store float 1.0, ptr %at
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
