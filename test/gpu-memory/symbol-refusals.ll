; A variable whose address cannot be followed stays, and so does what is no __constant__ variable of this module.
; RUN: %opt -passes='gpu-memory<symbol=missing;space=readonly>' -S %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=MISSING
; RUN: %opt -passes=verify -S %s -o %t.before
; RUN: diff %t.before %t.ll
; MISSING: gpu-memory refused 'k' (NoSuchSymbol): the module has no variable 'missing'
; RUN: %opt -passes='gpu-memory<symbol=global;space=readonly>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=GLOBAL
; GLOBAL: (NotConstantMemory): 'global' is no __constant__ variable
; RUN: %opt -passes='gpu-memory<symbol=elsewhere;space=readonly>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
; ELSEWHERE: (DeclaredElsewhere): 'elsewhere' is defined in another file
; RUN: %opt -passes='gpu-memory<symbol=escapes;space=readonly>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=ESCAPES
; ESCAPES: (PointerEscapes): the address of 'escapes' goes where it cannot be followed: %number = ptrtoint
; RUN: %opt -passes='gpu-memory<symbol=pointed;space=readonly>' -S %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=POINTED
; RUN: diff %t.before %t.ll
; POINTED: (PointerEscapes): another variable's initial value holds the address of 'pointed'
; RUN: %opt -passes='gpu-memory<symbol=one;space=readonly>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=MIXED
; MIXED: (MixedSymbols): a pointer into 'one' may also point elsewhere: %either = select
; RUN: not %opt -passes='gpu-memory<space=readonly>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=TEXT
; TEXT: gpu-memory needs one of gpu-memory<arg=N;space=readonly>, gpu-memory<arg=N;space=constant;bytes=B>, gpu-memory<symbol=NAME;space=readonly|shared> and gpu-memory<carveout=P>
target triple = "nvptx64-nvidia-cuda"
@global = addrspace(1) global i32 0
@elsewhere = external addrspace(4) constant i32
@escapes = addrspace(4) externally_initialized constant i32 0
@pointed = addrspace(4) externally_initialized constant i32 0
@pointer = addrspace(1) global ptr addrspace(4) @pointed
@one = addrspace(4) externally_initialized constant i32 0
@other = addrspace(4) externally_initialized constant i32 0
define ptx_kernel void @k(ptr addrspace(1) %p, i1 %c) {
  %number = ptrtoint ptr addrspace(4) @escapes to i64
  store i64 %number, ptr addrspace(1) %p
  %either = select i1 %c, ptr addrspace(4) @one, ptr addrspace(4) @other
  %v = load i32, ptr addrspace(4) %either
  store i32 %v, ptr addrspace(1) %p
  ret void
}
