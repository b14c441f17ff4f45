; Of a device function nothing is printed.
; RUN: %opt -passes='print<gpu-metrics>' -disable-output %s 2>&1 | FileCheck %s --implicit-check-not='gpu-metrics of'
; CHECK: gpu-metrics of kernel 'k', one thread:
; CHECK-NEXT: instructions: {{[0-9]+}} (exact
target triple = "nvptx64-nvidia-cuda"
define i32 @not_a_kernel() {
  ret i32 0
}
define ptx_kernel void @k(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  ret void
}
