; Copies are interleaved only where every access is to one whole element; the same kernels can be privatised block by block.
; RUN: %opt -passes=verify -S %s -o %t.before
; RUN: %opt -passes='gpu-block-coarsen<x=2;shared=interleaved>' -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err
; RUN: %opt -passes='gpu-block-coarsen<x=2;shared=blocked>,verify' -S %s 2>&1 | FileCheck %s --check-prefix=BLOCKED --implicit-check-not=refused
; BLOCKED-COUNT-3: define ptx_kernel {{.*}} #[[COARSENED:[0-9]+]]
; In groups of one they are the copies of shared=blocked.
; RUN: %opt -passes='gpu-block-coarsen<x=2;shared=blocked>' -S %s -o %t.blocked
; RUN: %opt -passes='gpu-block-coarsen<x=2;shared=grouped>' -S %s -o %t.grouped
; RUN: diff %t.blocked %t.grouped
; BLOCKED: attributes #[[COARSENED]] = { {{.*}}"gpuprune-grid-divisor"="2,1,1"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [64 x float] undef, align 16
@triples = internal addrspace(3) global [64 x <3 x float>] undef, align 16
@bytes = external addrspace(3) global [0 x i8], align 1
@doubles = external addrspace(3) global [0 x double], align 8

; CHECK: 'two_sizes' (MixedAccessSizes): copies of 'tile' cannot be interleaved: its elements are not all read and written with one naturally aligned size: {{.*}}@tile
define ptx_kernel void @two_sizes(ptr %p) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %f = uitofp i32 %b to float
  store float %f, ptr addrspace(3) @tile
  %v = load <4 x float>, ptr addrspace(3) @tile, align 16
  store <4 x float> %v, ptr %p
  ret void
}

; CHECK: 'odd_size' (MixedAccessSizes): copies of 'triples'
define ptx_kernel void @odd_size(ptr %p, <3 x float> %v) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr <3 x float>, ptr addrspace(3) @triples, i32 %b
  store <3 x float> %v, ptr addrspace(3) %at, align 16
  ret void
}

; Of dynamic shared memory all is one object.
; CHECK: 'two_dynamic' (MixedAccessSizes): copies of 'bytes' cannot be interleaved: its elements are not all read and written with one naturally aligned size
define ptx_kernel void @two_dynamic(i32 %t) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr addrspace(3) @bytes, i32 %t
  store i32 %b, ptr addrspace(3) %at
  %wide = getelementptr double, ptr addrspace(3) @doubles, i32 %t
  store double 0.0, ptr addrspace(3) %wide
  ret void
}
