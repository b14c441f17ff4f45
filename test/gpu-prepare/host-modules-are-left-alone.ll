; Outside NVPTX nothing happens, even to a function that looks like a kernel, whatever the pipeline.
; RUN: %opt -passes=verify -S %s -o %t.before
; RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=2>,gpu-unroll<loop=0;factor=2>,gpu-registers<max=32>' -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: count 0 < %t.err
target triple = "x86_64-pc-linux-gnu"
define ptx_kernel void @k(float %x, float %y, ptr %p) {
  %a = alloca float
  %m = fmul contract float %x, %y
  %s = fadd contract float %m, %x
  store float %s, ptr %a
  ret void
}
