; What may be written, what is not only read, and what does not fit constant memory stays in global memory.
; RUN: %opt -passes='gpu-memory<arg=0;space=constant;bytes=64>' -S %s -o %t.ll 2>&1 | FileCheck %s
; RUN: %opt -passes=verify -S %s -o %t.before
; RUN: diff %t.before %t.ll
; CHECK: gpu-memory refused 'written' (MayBeWritten): this may write what is read: store i32 1
; CHECK: gpu-memory refused 'adds' (MayBeWritten): this may write what is read: %old = atomicrmw
; CHECK: gpu-memory refused 'another' (MayBeWritten): this may write what is read: store i32 %v
; CHECK: gpu-memory refused 'waits' (Synchronisation): this may wait for another thread's write of what is read
; CHECK: gpu-memory refused 'volatile' (Volatile): volatile and atomic loads are not read-only
; CHECK: gpu-memory refused 'compares' (PointerEscapes): the address of what is read goes where it cannot be followed: %same = icmp
; CHECK: gpu-memory refused 'stored' (PointerEscapes): the address of what is read goes where it cannot be followed: store ptr
; CHECK: gpu-memory refused 'mixed' (MixedSymbols): a pointer into what parameter 0 points to may also point elsewhere: %either = select
; CHECK: gpu-memory refused 'unread' (NothingRead): nothing is read through parameter 0
; CHECK: gpu-memory refused 'number' (NoSuchArgument): the kernel has 1 parameters, and number 0, counted from 0, is no pointer
; CHECK: gpu-memory refused 'fits' (TooLarge): constant memory would hold 65568 bytes, and there are 65536
; RUN: %opt -passes='gpu-memory<arg=0;space=constant;bytes=32;kernel=fits>' -S %s | FileCheck %s --check-prefix=FITS
; FITS: @__gpuprune_constant_fits_0 = addrspace(4) externally_initialized constant [32 x i8]
; RUN: not %opt -passes='gpu-memory<arg=0;space=constant>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=TEXT
; RUN: not %opt -passes='gpu-memory<arg=0;space=readonly;bytes=4>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=TEXT
; RUN: not %opt -passes='gpu-memory<symbol=s;space=constant;bytes=4>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=TEXT
; TEXT: gpu-memory needs one of gpu-memory<arg=N;space=readonly>, gpu-memory<arg=N;space=constant;bytes=B>, gpu-memory<symbol=NAME;space=readonly|shared> and gpu-memory<carveout=P>
; RUN: not %opt -passes='gpu-memory<arg=0;space=constant;bytes=0>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=ZERO
; ZERO: option 'bytes=0' needs a whole number of at least 1
; RUN: not %opt -passes='gpu-memory<arg=0;space=texture>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=SPACE
; SPACE: option 'space=texture' needs readonly, constant or shared
target triple = "nvptx64-nvidia-cuda"
@large = addrspace(4) externally_initialized constant [65504 x i8] zeroinitializer, align 16
define ptx_kernel void @written(ptr addrspace(1) %t, ptr addrspace(1) noalias %out) {
  %v = load i32, ptr addrspace(1) %t
  store i32 1, ptr addrspace(1) %t
  store i32 %v, ptr addrspace(1) %out
  ret void
}
define ptx_kernel void @adds(ptr addrspace(1) noalias %t, ptr addrspace(1) noalias %out) {
  %v = load i32, ptr addrspace(1) %t
  %old = atomicrmw add ptr addrspace(1) %t, i32 1 monotonic
  store i32 %v, ptr addrspace(1) %out
  ret void
}
define ptx_kernel void @another(ptr addrspace(1) %t, ptr addrspace(1) %out) {
  %v = load i32, ptr addrspace(1) %t
  store i32 %v, ptr addrspace(1) %out
  ret void
}
define ptx_kernel void @waits(ptr addrspace(1) %t, ptr addrspace(3) %lock, ptr addrspace(3) %out) {
  %old = atomicrmw add ptr addrspace(3) %lock, i32 1 monotonic
  %v = load i32, ptr addrspace(1) %t
  store i32 %v, ptr addrspace(3) %out
  ret void
}
define ptx_kernel void @volatile(ptr addrspace(1) noalias %t, ptr addrspace(1) noalias %out) {
  %v = load volatile i32, ptr addrspace(1) %t
  store i32 %v, ptr addrspace(1) %out
  ret void
}
define ptx_kernel void @compares(ptr addrspace(1) noalias %t, ptr addrspace(1) noalias %out) {
  %same = icmp eq ptr addrspace(1) %t, %out
  %v = load i32, ptr addrspace(1) %t
  %chosen = select i1 %same, i32 0, i32 %v
  store i32 %chosen, ptr addrspace(1) %out
  ret void
}
define ptx_kernel void @stored(ptr addrspace(1) noalias %t, ptr addrspace(1) noalias %out) {
  %v = load i32, ptr addrspace(1) %t
  store ptr addrspace(1) %t, ptr addrspace(1) %out
  ret void
}
define ptx_kernel void @mixed(ptr addrspace(1) noalias %t, ptr addrspace(1) noalias %other, ptr addrspace(1) noalias %out, i1 %c) {
  %either = select i1 %c, ptr addrspace(1) %t, ptr addrspace(1) %other
  %v = load i32, ptr addrspace(1) %either
  store i32 %v, ptr addrspace(1) %out
  ret void
}
define ptx_kernel void @unread(ptr addrspace(1) noalias %t) {
  ret void
}
define ptx_kernel void @number(i32 %n) {
  ret void
}
define ptx_kernel void @fits(ptr addrspace(1) noalias %t, ptr addrspace(1) noalias %out) {
  %v = load i32, ptr addrspace(1) %t
  store i32 %v, ptr addrspace(1) %out
  ret void
}
