; min-blocks has no meaning without a bound on the threads of a block: refused, and max of the same pass with it.
; RUN: %opt -passes=verify -S %s -o %t.before
; RUN: %opt -passes='gpu-registers<max=32;min-blocks=2>' -pass-remarks-missed=gpu-registers -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err
; CHECK: warning: {{.*}}gpu-registers refused 'k' (MissingThreadBound): min-blocks needs a kernel with __launch_bounds__(threads), or threads=
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k() {
  ret void
}
