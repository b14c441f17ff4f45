; Absurd factors are refused before anything is built.
; RUN: %opt -passes=verify -S %s -o %t.before
; RUN: %opt -passes='gpu-block-coarsen<x=100000>' -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err
; RUN: %opt -passes='gpu-block-coarsen<x=4000000000;y=4000000000;z=4000000000>' -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err
; CHECK: gpu-block-coarsen refused 'k' (TooLarge): the kernel would have {{[0-9]+}} instructions, more than 100000
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %b, ptr %p
  ret void
}
