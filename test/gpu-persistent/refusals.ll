; What cannot be done one block after another is refused by name, and the kernel stays as it was; what is like it, but
; can, is not.
; RUN: %opt -passes='gpu-persistent<blocks=1>' -S %s 2> %t.err | FileCheck %s
; RUN: FileCheck %s --check-prefix=REFUSED --implicit-check-not=refused --input-file=%t.err
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x i32] undef, align 4

; REFUSED: gpu-persistent refused 'some_threads' (DependentBarrier): this barrier is not proved to be reached by all threads of a block alike
; CHECK-LABEL: define ptx_kernel void @some_threads(ptr %p)
define ptx_kernel void @some_threads(ptr %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp slt i32 %t, 5
  br i1 %in, label %work, label %exit
work:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %exit
exit:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @some_blocks(ptr %p, i32 %blocks.x
define ptx_kernel void @some_blocks(ptr %p) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %in = icmp slt i32 %x, 5
  br i1 %in, label %work, label %exit
work:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %exit
exit:
  ret void
}

; REFUSED: gpu-persistent refused 'waits' (InterBlockWait)
define ptx_kernel void @waits(ptr %lock) {
entry:
  br label %try
try:
  %old = atomicrmw xchg ptr %lock, i32 1 monotonic
  %got = icmp eq i32 %old, 0
  br i1 %got, label %exit, label %try
exit:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @counts(ptr %counter, i32 %blocks.x
define ptx_kernel void @counts(ptr %counter) {
  %old = atomicrmw add ptr %counter, i32 1 monotonic
  ret void
}

; REFUSED: gpu-persistent refused 'polls' (Volatile)
define ptx_kernel void @polls(ptr %flag, ptr %p) {
  %v = load volatile i32, ptr %flag
  store i32 %v, ptr %p
  ret void
}

; REFUSED: gpu-persistent refused 'atomic_load' (AtomicAccess)
define ptx_kernel void @atomic_load(ptr %flag, ptr %p) {
  %v = load atomic i32, ptr %flag monotonic, align 4
  store i32 %v, ptr %p
  ret void
}

; REFUSED: gpu-persistent refused 'cluster' (Cluster)
define ptx_kernel void @cluster(ptr %p) "nvvm.cluster_dim"="2,1,1" {
  ret void
}

; REFUSED: gpu-persistent refused 'parameter' (ParameterWritten)
define ptx_kernel void @parameter(ptr byval([4 x i32]) %s) {
  store i32 1, ptr %s
  ret void
}

; CHECK-LABEL: define ptx_kernel void @parameter_read(ptr byval([4 x i32]) %s, ptr %p, i32 %blocks.x
define ptx_kernel void @parameter_read(ptr byval([4 x i32]) %s, ptr %p) {
  %v = load i32, ptr %s
  store i32 %v, ptr %p
  ret void
}

; Its address is in memory, and a pointer from memory is written through.
; REFUSED: gpu-persistent refused 'parameter_by_pointer' (ParameterWritten)
define ptx_kernel void @parameter_by_pointer(ptr byval([4 x i32]) %s, i32 %k) {
  %pointers = alloca [2 x ptr]
  %second = getelementptr i32, ptr %s, i32 1
  store ptr %s, ptr %pointers
  %next = getelementptr ptr, ptr %pointers, i32 1
  store ptr %second, ptr %next
  %at = getelementptr ptr, ptr %pointers, i32 %k
  %to = load ptr, ptr %at
  store i32 1, ptr %to
  ret void
}

; CHECK-LABEL: define ptx_kernel void @pointer_in_parameter(ptr byval([2 x ptr]) %s, i32 %k, i32 %blocks.x
define ptx_kernel void @pointer_in_parameter(ptr byval([2 x ptr]) %s, i32 %k) {
  %at = getelementptr ptr, ptr %s, i32 %k
  %to = load ptr, ptr %at
  store i32 1, ptr %to
  ret void
}

; REFUSED: gpu-persistent refused 'assembly' (InlineAsm)
define ptx_kernel void @assembly() {
  call void asm sideeffect "exit;", ""()
  ret void
}

declare void @elsewhere()
; REFUSED: gpu-persistent refused 'call' (Call)
define ptx_kernel void @call() {
  call void @elsewhere()
  ret void
}

; REFUSED: gpu-persistent refused 'arrivals' (UnsupportedIntrinsic)
define ptx_kernel void @arrivals() {
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @tile, i32 32)
  ret void
}

; REFUSED: gpu-persistent refused 'grows' (TooLarge): each block would take further memory on the stack, of a size known at run time
define ptx_kernel void @grows(i64 %n) {
  %v = alloca i8, i64 %n
  store volatile i8 1, ptr %v
  ret void
}

; REFUSED: gpu-persistent refused 'is_persistent' (BadLaunchContract): its blocks do several of the author's already
define ptx_kernel void @is_persistent(ptr %p, i32 %bx, i32 %by, i32 %bz) "gpuprune-persistent-blocks"="2" "gpuprune-hidden-parameters"="blocks.x,blocks.y,blocks.z" {
  ret void
}

; REFUSED: gpu-persistent refused 'other_contract' (BadLaunchContract): {{.*}}expected a number from 1 to 32
define ptx_kernel void @other_contract(ptr %p) "gpuprune-persistent-blocks"="0" {
  ret void
}
