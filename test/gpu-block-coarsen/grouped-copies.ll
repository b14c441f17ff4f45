; shared=grouped: as many copies side by side as fill 128 bits, the groups one after another.
; RUN: %opt -passes='gpu-block-coarsen<x=8;shared=grouped>,verify' -S %s | FileCheck %s --check-prefix=EIGHT
; RUN: %opt -passes='gpu-block-coarsen<x=6;shared=grouped>,verify' -S %s | FileCheck %s --check-prefix=SIX
; RUN: %opt -passes='gpu-block-coarsen<x=3;shared=grouped>,verify' -S %s | FileCheck %s --check-prefix=THREE
; Up to four copies of a float, it is shared=interleaved.
; RUN: %opt -passes='gpu-block-coarsen<x=4;shared=grouped>' -S %s -o %t.grouped
; RUN: %opt -passes='gpu-block-coarsen<x=4;shared=interleaved>' -S %s -o %t.interleaved
; RUN: diff %t.grouped %t.interleaved

; Two groups of four: 80 floats take 80 * 4 * 4 = 1280 bytes a group.
; EIGHT: @tile.coarse = internal addrspace(3) global [2 x [80 x [4 x float]]] undef, align 16
; EIGHT: getelementptr [80 x [4 x float]], ptr addrspace(3) @tile.coarse
; EIGHT: getelementptr inbounds i8, ptr addrspace(3) %at, i64 12
; EIGHT: getelementptr inbounds i8, ptr addrspace(3) %at, i64 1280
; EIGHT: getelementptr inbounds i8, ptr addrspace(3) %at, i64 1284
; EIGHT: getelementptr inbounds i8, ptr addrspace(3) %at, i64 1292
; No group is short: three groups of two.
; SIX: @tile.coarse = internal addrspace(3) global [3 x [80 x [2 x float]]] undef, align 16
; SIX: getelementptr inbounds i8, ptr addrspace(3) %at, i64 4
; SIX: getelementptr inbounds i8, ptr addrspace(3) %at, i64 640
; SIX: getelementptr inbounds i8, ptr addrspace(3) %at, i64 644
; SIX: getelementptr inbounds i8, ptr addrspace(3) %at, i64 1280
; THREE: @tile.coarse = internal addrspace(3) global [80 x [3 x float]] undef, align 16

; Sixteen bytes are a group.
; RUN: %opt -passes='gpu-block-coarsen<x=32;shared=grouped>,verify' -S %s | FileCheck %s --check-prefix=BYTES
; BYTES: @bytes.coarse = internal addrspace(3) global [2 x [5 x [16 x i8]]] undef, align 16
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [80 x float] undef, align 4
@bytes = internal addrspace(3) global [5 x i8] undef, align 1

define ptx_kernel void @k(i64 %t, i64 %u) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = uitofp i32 %x to float
  %at = getelementptr [80 x float], ptr addrspace(3) @tile, i64 0, i64 %t
  store float %v, ptr addrspace(3) %at, align 4
  %b = trunc i32 %x to i8
  %byte = getelementptr [5 x i8], ptr addrspace(3) @bytes, i64 0, i64 %u
  store i8 %b, ptr addrspace(3) %byte, align 1
  ret void
}
