; A restrict parameter that was inlined holds within one logical block: each replica has scopes of its own.
; RUN: %opt -passes='gpu-block-coarsen<x=2>,verify' -S %s | FileCheck %s
; CHECK: call void @llvm.experimental.noalias.scope.decl(metadata ![[FIRST:[0-9]+]])
; CHECK: call void @llvm.experimental.noalias.scope.decl(metadata ![[SECOND:[0-9]+]])
; CHECK: store i32 1, {{.*}}, !alias.scope ![[FIRST]]
; CHECK: store i32 1, {{.*}}, !alias.scope ![[SECOND]]
; CHECK: load i32, {{.*}}, !noalias ![[FIRST]]
; CHECK: load i32, {{.*}}, !noalias ![[SECOND]]
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.experimental.noalias.scope.decl(metadata)
define ptx_kernel void @k(ptr %p, ptr %q) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %to = getelementptr i32, ptr %p, i32 %b
  store i32 1, ptr %to, !alias.scope !0
  %from = getelementptr i32, ptr %q, i32 %b
  %v = load i32, ptr %from, !noalias !0
  store i32 %v, ptr %from
  ret void
}
!0 = !{!1}
!1 = distinct !{!1, !2, !"callee: %p"}
!2 = distinct !{!2, !"callee"}
