; A host module is none of the pass's business; kernels that are called by another name neither.
; RUN: %opt -passes='gpu-thread-coarsen<factor=2>' -S < %s | FileCheck %s
; RUN: %opt -passes='gpu-thread-coarsen<dim=z;factor=4;stride=consecutive;align=8;kernel=k>' -disable-output -print-pipeline-passes %s | FileCheck %s --check-prefix=PRINTED
; CHECK-NOT: gpuprune
; PRINTED: gpu-thread-coarsen<dim=z;factor=4;stride=consecutive;align=8;kernel=k>
target triple = "x86_64-pc-linux-gnu"
define void @k(ptr %p) {
  store i32 1, ptr %p
  ret void
}
