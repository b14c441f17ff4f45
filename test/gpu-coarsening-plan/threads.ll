; What differs between threads is replicated, what does not and what all make together is made once; nothing is changed.
; RUN: %opt -passes='print<gpu-coarsening-plan><thread;dim=x;factor=4>' -S %s -o %t.ll 2>&1 | FileCheck %s
; RUN: FileCheck %s --check-prefix=SAME --implicit-check-not=mul < %t.ll
; RUN: %opt -passes='print<gpu-coarsening-plan><thread;dim=y;factor=2;kernel=k>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OTHER
; RUN: %opt -passes='print<gpu-coarsening-plan><thread;kernel=k>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not=1x
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [256 x i32] undef, align 4

; CHECK: gpu-coarsening-plan of kernel 'k', gpu-thread-coarsen<dim=x;factor=4;stride=block>:
; CHECK-NEXT: x: 4 replicas; replicated: {{[0-9]+}} of {{[0-9]+}} instructions
; CHECK-NOT: privatised
; CHECK: index %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: extent %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
; CHECK: 4x %at = getelementptr
; CHECK: 1x %v = load i32, ptr %p
; CHECK: 4x store i32 %v
; CHECK: 1x call void @llvm.nvvm.barrier
; CHECK: 4x %w = load
; CHECK: 4x %count = atomicrmw
; CHECK-NOT: refused
; OTHER: gpu-coarsening-plan of kernel 'k', gpu-thread-coarsen<dim=y;factor=2;stride=block;kernel=k>:
; OTHER-NEXT: y: 2 replicas; replicated: 1 of {{[0-9]+}} instructions
; OTHER: 1x %t = call
; OTHER: 1x store
; OTHER: 2x %count = atomicrmw
; NONE: nothing is replicated: all factors are 1
; SAME-LABEL: define ptx_kernel void @k(ptr %p) {
; SAME: %count = atomicrmw
; SAME-NEXT: ret void
define ptx_kernel void @k(ptr %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %at = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  %v = load i32, ptr %p
  store i32 %v, ptr addrspace(3) %at
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %last = sub i32 %n, %t
  %other = getelementptr i32, ptr addrspace(3) @tile, i32 %last
  %w = load i32, ptr addrspace(3) %other
  %to = getelementptr i32, ptr %p, i32 %t
  store i32 %w, ptr %to
  %count = atomicrmw add ptr %p, i32 1 monotonic
  ret void
}

; CHECK: gpu-coarsening-plan of kernel 'branches'
; CHECK: regions that one replica runs after the other: 1
; CHECK: {{^}}  %{{.*}}, in region 1:
; CHECK-NEXT: 4x br i1 %odd, label %then
; CHECK: {{^}}  %then, in region 1:
; CHECK-NEXT: 4x store i32 1
; CHECK: {{^}}  %end:
; CHECK-NEXT: 1x store i32 2
define ptx_kernel void @branches(ptr %p, ptr %q) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
  br i1 %odd, label %then, label %end
then:
  store i32 1, ptr %p
  br label %end
end:
  store i32 2, ptr %q
  ret void
}

; CHECK: gpu-coarsening-plan of kernel 'shuffles'
; CHECK-NEXT: refused (WarpOperation): this is an operation of a warp
; CHECK-NOT: replicas
define ptx_kernel void @shuffles(ptr %p) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  store i32 %lane, ptr %p
  ret void
}
