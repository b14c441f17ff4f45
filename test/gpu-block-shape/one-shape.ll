; Kernels that say of what blocks they are, without the front end; of a device function nothing is printed.
; RUN: %opt -passes='print<gpu-block-shape>' -disable-output %s 2>&1 | FileCheck %s --implicit-check-not='gpu-block-shape of'
; CHECK: gpu-block-shape of kernel 'exact':
; CHECK-NEXT: x: not free; LaunchBound: {{.*}}(reqntid)
; CHECK: gpu-block-shape of kernel 'cluster':
; CHECK-NEXT: x: not free; Cluster: {{.*}}(cluster_dim)
; CHECK: gpu-block-shape of kernel 'any':
; CHECK-NEXT: x: free
; RUN: not %opt -passes='print<gpu-block-shape><other>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OPTION
; OPTION: no option 'other'; it takes distinct
target triple = "nvptx64-nvidia-cuda"
define i32 @not_a_kernel() {
  ret i32 0
}
define ptx_kernel void @exact() #0 {
  ret void
}
define ptx_kernel void @cluster() #1 {
  ret void
}
define ptx_kernel void @any() {
  ret void
}
attributes #0 = { "nvvm.reqntid"="256" }
attributes #1 = { "nvvm.cluster_dim"="2" }
