; A kernel that cannot be coarsened soundly is refused by name and stays as it was.
; RUN: %opt -passes=verify -S %s -o %t.before
; RUN: %opt -passes='gpu-block-coarsen<x=2>' -pass-remarks-missed=gpu-block-coarsen -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --implicit-check-not='{{warning|remark}}:'
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [64 x i32] undef, align 4
@other = internal addrspace(3) global [64 x i32] undef, align 4
@dynamic = external addrspace(3) global [0 x i32], align 4

; CHECK: remark: {{.*}}refused (DependentControl): which way this goes depends on the block index: br i1 %first
; CHECK: warning: {{.*}}gpu-block-coarsen refused 'control' (DependentControl): which way this goes depends on the block index: br i1 %first
define ptx_kernel void @control(ptr %p) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %b, 0
  br i1 %first, label %then, label %exit
then:
  store i32 1, ptr %p
  br label %exit
exit:
  ret void
}

; Ticket of the last block: an atomic's result differs between blocks even where its operands do not.
; CHECK: remark: {{.*}}refused (DependentControl)
; CHECK: warning: {{.*}}'last_block' (DependentControl)
define ptx_kernel void @last_block(ptr %p) {
entry:
  %ticket = atomicrmw add ptr %p, i32 1 monotonic
  %last = icmp eq i32 %ticket, 7
  br i1 %last, label %then, label %exit
then:
  store i32 1, ptr %p
  br label %exit
exit:
  ret void
}

; CHECK: remark: {{.*}}refused (DependentBarrier)
; CHECK: warning: {{.*}}'barrier' (DependentBarrier): an operand of this synchronisation depends on the block index: {{.*}}barrier.cta.sync.all(i32 %b)
define ptx_kernel void @barrier(ptr %p) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void @llvm.nvvm.barrier.cta.sync.all(i32 %b)
  ret void
}

; CHECK: remark: {{.*}}refused (Call)
; CHECK: warning: {{.*}}'call' (Call): a call that was not inlined {{.*}}: call void @opaque()
define ptx_kernel void @call() {
  call void @opaque()
  ret void
}

; CHECK: remark: {{.*}}refused (InlineAsm)
; CHECK: warning: {{.*}}'assembly' (InlineAsm): what inline assembly does is not known: %b = call i32 asm "mov.u32 $0, %ctaid.x;"
define ptx_kernel void @assembly(ptr %p) {
  %b = call i32 asm "mov.u32 $0, %ctaid.x;", "=r"()
  store i32 %b, ptr %p
  ret void
}

; CHECK: remark: {{.*}}refused (UnsupportedIntrinsic)
; CHECK: warning: {{.*}}'intrinsic' (UnsupportedIntrinsic)
define ptx_kernel void @intrinsic(ptr addrspace(3) %s, ptr addrspace(1) %p) {
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %s, ptr addrspace(1) %p)
  ret void
}

; CHECK: remark: {{.*}}refused (Volatile)
; CHECK: warning: {{.*}}'volatile_load' (Volatile): volatile accesses may wait for another block: %v = load volatile i32
define ptx_kernel void @volatile_load(ptr %p) {
  %v = load volatile i32, ptr %p
  ret void
}

; CHECK: remark: {{.*}}refused (AtomicAccess)
; CHECK: warning: {{.*}}'atomic_load' (AtomicAccess): atomic loads and stores may wait for another block
define ptx_kernel void @atomic_load(ptr %p) {
  %v = load atomic i32, ptr %p acquire, align 4
  ret void
}

; CHECK: remark: {{.*}}refused (Cluster)
; CHECK: warning: {{.*}}'cluster_launch' (Cluster): the kernel is launched in thread block clusters
define ptx_kernel void @cluster_launch() "nvvm.cluster_dim"="2,1,1" {
  ret void
}

; CHECK: remark: {{.*}}refused (Cluster)
; CHECK: warning: {{.*}}'cluster_index' (Cluster): thread block clusters tie a block to its neighbours
define ptx_kernel void @cluster_index(ptr %p) {
  %c = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.x()
  store i32 %c, ptr %p
  ret void
}

; CHECK: remark: {{.*}}refused (PointerEscapes)
; CHECK: warning: {{.*}}'escape' (PointerEscapes): the address of 'tile' goes where it cannot be followed: store ptr addrspace(3) @tile
define ptx_kernel void @escape(ptr %p) {
  store ptr addrspace(3) @tile, ptr %p
  ret void
}

; The address is exchanged into itself: it is an operand twice.
; CHECK: remark: {{.*}}refused (PointerEscapes)
; CHECK: warning: {{.*}}'escape_by_exchange' (PointerEscapes)
define ptx_kernel void @escape_by_exchange(ptr %p) {
  %old = atomicrmw xchg ptr addrspace(3) @tile, ptr addrspace(3) @tile monotonic
  ret void
}

; CHECK: remark: {{.*}}refused (DynamicShared)
; CHECK: warning: {{.*}}'dynamic_shared' (DynamicShared): 'dynamic' is dynamic shared memory {{.*}}known only at launch: store i32 %b
define ptx_kernel void @dynamic_shared(ptr %p) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %b, ptr addrspace(3) @dynamic
  ret void
}

; CHECK: remark: {{.*}}refused (MixedArrays)
; CHECK: warning: {{.*}}'mixed_arrays' (MixedArrays): a pointer into '{{tile|other}}' may also point elsewhere: %s = select
define ptx_kernel void @mixed_arrays(i1 %c) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %s = select i1 %c, ptr addrspace(3) @tile, ptr addrspace(3) @other
  store i32 %b, ptr addrspace(3) %s
  ret void
}

; CHECK: remark: {{.*}}refused (MemoryIntrinsic)
; CHECK: warning: {{.*}}'copy' (MemoryIntrinsic): 'tile' is privatised and copied or filled as a whole
define ptx_kernel void @copy(ptr %p) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr %p, i32 %b
  call void @llvm.memcpy.p3.p0.i64(ptr addrspace(3) align 4 @tile, ptr align 4 %from, i64 64, i1 false)
  ret void
}

; The kernel's own copy of a parameter is memory of the block.
; CHECK: remark: {{.*}}refused (ParameterWritten)
; CHECK: warning: {{.*}}'parameter' (ParameterWritten): the kernel changes its copy of a parameter differently in each block: store i32 %b
define ptx_kernel void @parameter(ptr byval([4 x i32]) %s, i64 %i, ptr %p) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr %s, i64 %i
  store i32 %b, ptr %at
  %v = load i32, ptr %s
  store i32 %v, ptr %p
  ret void
}

; CHECK: remark: {{.*}}refused (UnknownObject)
; CHECK: warning: {{.*}}'unknown' (UnknownObject): it is not known which shared or local variable this writes: store i32 %b
define ptx_kernel void @unknown(ptr addrspace(3) %s) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %b, ptr addrspace(3) %s
  ret void
}

declare void @opaque()
