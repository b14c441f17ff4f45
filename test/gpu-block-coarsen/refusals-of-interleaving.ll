; Copies are interleaved only where every access is to one whole element; the same kernels can be privatised block by block.
; RUN: %opt -passes=verify -S %s -o %t.before
; RUN: %opt -passes='gpu-block-coarsen<x=2;shared=interleaved>' -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err
; RUN: %opt -passes='gpu-block-coarsen<x=2;shared=blocked>,verify' -S %s 2>&1 | FileCheck %s --check-prefix=BLOCKED --implicit-check-not=refused
; BLOCKED-COUNT-4: define ptx_kernel {{.*}} #[[COARSENED:[0-9]+]]
; BLOCKED: attributes #[[COARSENED]] = { {{.*}}"gpuprune-grid-divisor"="2,1,1"
target triple = "nvptx64-nvidia-cuda"

%pair = type { float, float }
@tile = internal addrspace(3) global [64 x float] undef, align 16
@triples = internal addrspace(3) global [64 x <3 x float>] undef, align 16
@vectors = internal addrspace(3) global [64 x <4 x float>] undef, align 16
@pairs = internal addrspace(3) global [64 x %pair] undef, align 8

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

; CHECK: 'vector_element' (StructLayout): copies of 'vectors' cannot be interleaved: it holds structures or vectors: %at = getelementptr
define ptx_kernel void @vector_element(i32 %t) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %f = uitofp i32 %b to float
  %at = getelementptr [64 x <4 x float>], ptr addrspace(3) @vectors, i32 0, i32 %t, i32 2
  store float %f, ptr addrspace(3) %at
  ret void
}

; CHECK: 'struct_field' (StructLayout): copies of 'pairs'
define ptx_kernel void @struct_field(i32 %t) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %f = uitofp i32 %b to float
  %at = getelementptr [64 x %pair], ptr addrspace(3) @pairs, i32 0, i32 %t, i32 1
  store float %f, ptr addrspace(3) %at
  ret void
}
