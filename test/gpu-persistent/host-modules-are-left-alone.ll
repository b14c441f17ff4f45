; RUN: %opt -passes='gpu-persistent<blocks=2>' -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
; CHECK: define void @k(ptr %a) {
; CHECK-NEXT: ret void
define void @k(ptr %a) {
  ret void
}
