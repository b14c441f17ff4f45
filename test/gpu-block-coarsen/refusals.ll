; A kernel that cannot be coarsened soundly is refused by name and stays as it was.
; RUN: %opt -passes=verify -S %s -o %t.before
; RUN: %opt -passes='gpu-block-coarsen<x=2>' -pass-remarks-missed=gpu-block-coarsen -S %s -o %t.after 2> %t.err
; RUN: diff %t.before %t.after
; RUN: FileCheck %s --input-file=%t.err --implicit-check-not='{{warning|remark}}:'
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [64 x i32] undef, align 4

; A replica that never returns leaves nothing for the next one.
; CHECK: warning: {{.*}}gpu-block-coarsen refused 'endless' (DependentControl): this branch depends on the block index and may lead into a loop without an exit, {{.*}}: br i1 %first
define ptx_kernel void @endless(ptr %p) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %b, 0
  br i1 %first, label %loop, label %exit
loop:
  store i32 1, ptr %p
  br label %loop
exit:
  ret void
}

; A lock: replica 1 would wait for what replica 0 does after it.
; CHECK: warning: {{.*}}'lock' (InterBlockWait): a loop goes on until this finds what another thread may have yet to write, {{.*}}: %pair = cmpxchg ptr %lock, i32 0, i32 1
define ptx_kernel void @lock(ptr %lock, ptr %p) {
entry:
  br label %try
try:
  %pair = cmpxchg ptr %lock, i32 0, i32 1 monotonic monotonic
  %got = extractvalue { i32, i1 } %pair, 1
  br i1 %got, label %inside, label %try
inside:
  %v = load i32, ptr %p
  %w = add i32 %v, 1
  store i32 %w, ptr %p
  %released = atomicrmw xchg ptr %lock, i32 0 monotonic
  ret void
}

; A flag that another block sets, asked for by an atomic operation, through control alone.
; CHECK: warning: {{.*}}'flag' (InterBlockWait): {{.*}}: %seen = atomicrmw add ptr %flag, i32 0
define ptx_kernel void @flag(ptr %flag) {
entry:
  br label %ask
ask:
  %seen = atomicrmw add ptr %flag, i32 0 monotonic
  %set = icmp eq i32 %seen, 1
  br i1 %set, label %yes, label %again
yes:
  br label %again
again:
  %done = phi i1 [ true, %yes ], [ false, %ask ]
  br i1 %done, label %exit, label %ask
exit:
  ret void
}

; Thread 0 of a logical block leaves early, the others meet at a barrier. Replica by replica, thread 0 would come to
; the next replica's barrier while the others are at this one's.
; CHECK: warning: {{.*}}'some_threads_leave' (DependentBarrier): a barrier under control that differs between replicas and is not proved to be the same for all threads of a block: {{.*}}barrier.cta.sync.aligned.all(i32 0)
define ptx_kernel void @some_threads_leave(ptr %p) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %b, %t
  %stays = icmp sgt i32 %i, 7
  br i1 %stays, label %work, label %exit
work:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %exit
exit:
  ret void
}

; How often threads come to the barrier differs between them, if not by the branch right before it.
; CHECK: warning: {{.*}}'some_threads_repeat' (DependentBarrier)
define ptx_kernel void @some_threads_repeat(ptr %p) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ %b, %entry ], [ %next, %latch ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %latch
latch:
  %next = add i32 %i, 1
  %limit = add i32 %t, 9
  %more = icmp slt i32 %next, %limit
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK: warning: {{.*}}'barrier' (DependentBarrier): an operand of this synchronisation depends on the block index: {{.*}}barrier.cta.sync.all(i32 %b)
define ptx_kernel void @barrier(ptr %p) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void @llvm.nvvm.barrier.cta.sync.all(i32 %b)
  ret void
}

; CHECK: warning: {{.*}}'call' (Call): a call that was not inlined {{.*}}: call void @opaque()
define ptx_kernel void @call() {
  call void @opaque()
  ret void
}

; CHECK: warning: {{.*}}'assembly' (InlineAsm): what inline assembly does is not known: %b = call i32 asm "mov.u32 $0, %ctaid.x;"
define ptx_kernel void @assembly(ptr %p) {
  %b = call i32 asm "mov.u32 $0, %ctaid.x;", "=r"()
  store i32 %b, ptr %p
  ret void
}

; CHECK: warning: {{.*}}'intrinsic' (UnsupportedIntrinsic)
define ptx_kernel void @intrinsic(ptr addrspace(3) %s, ptr addrspace(1) %p) {
  call void @llvm.nvvm.mbarrier.inval.shared(ptr addrspace(3) %s)
  ret void
}

; CHECK: warning: {{.*}}'volatile_load' (Volatile): volatile accesses may wait for another block: %v = load volatile i32
define ptx_kernel void @volatile_load(ptr %p) {
  %v = load volatile i32, ptr %p
  ret void
}

; CHECK: warning: {{.*}}'atomic_load' (AtomicAccess): atomic loads and stores may wait for another block
define ptx_kernel void @atomic_load(ptr %p) {
  %v = load atomic i32, ptr %p acquire, align 4
  ret void
}

; CHECK: warning: {{.*}}'cluster_launch' (Cluster): the kernel is launched in thread block clusters
define ptx_kernel void @cluster_launch() "nvvm.cluster_dim"="2,1,1" {
  ret void
}

; CHECK: warning: {{.*}}'cluster_index' (Cluster): thread block clusters tie a block to its neighbours
define ptx_kernel void @cluster_index(ptr %p) {
  %c = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.x()
  store i32 %c, ptr %p
  ret void
}

; Another block's shared memory; its intrinsic does not name clusters.
; CHECK: warning: {{.*}}'cluster_address' (Cluster): thread block clusters tie a block to its neighbours: %there = call ptr @llvm.nvvm.mapa(ptr %p, i32 1)
define ptx_kernel void @cluster_address(ptr %p) {
  %there = call ptr @llvm.nvvm.mapa(ptr %p, i32 1)
  store i32 0, ptr %there
  ret void
}

; CHECK: warning: {{.*}}'cluster_rank' (Cluster): thread block clusters tie a block to its neighbours: %rank = call i32 @llvm.nvvm.getctarank(ptr %p)
define ptx_kernel void @cluster_rank(ptr %p) {
  %rank = call i32 @llvm.nvvm.getctarank(ptr %p)
  store i32 %rank, ptr %p
  ret void
}

; CHECK: warning: {{.*}}'escape' (PointerEscapes): the address of 'tile' goes where it cannot be followed: store ptr addrspace(3) @tile
define ptx_kernel void @escape(ptr %p) {
  store ptr addrspace(3) @tile, ptr %p
  ret void
}

; The address is exchanged into itself: it is an operand twice.
; CHECK: warning: {{.*}}'escape_by_exchange' (PointerEscapes)
define ptx_kernel void @escape_by_exchange(ptr %p) {
  %old = atomicrmw xchg ptr addrspace(3) @tile, ptr addrspace(3) @tile monotonic
  ret void
}

; A size that is none of the author's launch.
; CHECK: warning: {{.*}}'shared_size' (UnsupportedIntrinsic): the shared memory of a block, static and dynamic together, is that of all replicas: %all = call i32 @llvm.nvvm.read.ptx.sreg.total_smem_size
define ptx_kernel void @shared_size(ptr %p) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %all = call i32 @llvm.nvvm.read.ptx.sreg.total_smem_size()
  store i32 %b, ptr addrspace(3) @tile
  store i32 %all, ptr %p
  ret void
}

; The kernel's own copy of a parameter is memory of the block.
; CHECK: warning: {{.*}}'parameter' (ParameterWritten): the kernel changes its copy of a parameter differently in each block: store i32 %b
define ptx_kernel void @parameter(ptr byval([4 x i32]) %s, i64 %i, ptr %p) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr %s, i64 %i
  store i32 %b, ptr %at
  %v = load i32, ptr %s
  store i32 %v, ptr %p
  ret void
}

; CHECK: warning: {{.*}}'unknown' (UnknownObject): it is not known which shared or local variable this writes: store i32 %b
define ptx_kernel void @unknown(ptr addrspace(3) %s) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %b, ptr addrspace(3) %s
  ret void
}

declare void @opaque()
