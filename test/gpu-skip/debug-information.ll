; Where work is skipped a debugger does not know it; a result is that of either way.
; RUN: %opt -passes='gpu-skip<selects=1>,verify' -S %s | FileCheck %s
; RUN: %opt -passes='gpu-skip<selects=1>' %s | %llc -mcpu=sm_80 -o %t.s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @kernel(
; CHECK-NEXT: #dbg_value(float poison, ![[Q:[0-9]+]],
; CHECK: freeze i1 %c, !dbg
; CHECK: br i1 {{.*}}, !dbg
; CHECK: %q = fdiv float %x, %y, !dbg
; CHECK-NEXT: %s = select {{.*}}, !dbg
; CHECK: [[S:%.*]] = phi float [ %s, {{.*}}, !dbg
; CHECK-NEXT: #dbg_value(float [[S]], ![[R:[0-9]+]],
; CHECK: store float [[S]]
; CHECK-DAG: ![[Q]] = !DILocalVariable(name: "quotient"
; CHECK-DAG: ![[R]] = !DILocalVariable(name: "result"
define ptx_kernel void @kernel(ptr %out, float %x, float %y) !dbg !4 {
  %q = fdiv float %x, %y, !dbg !9
    #dbg_value(float %q, !7, !DIExpression(), !9)
  %c = fcmp ogt float %x, %y, !dbg !9
  %s = select i1 %c, float %q, float 1.0, !dbg !9
    #dbg_value(float %s, !8, !DIExpression(), !9)
  store float %s, ptr %out, !dbg !9
  ret void, !dbg !9
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "kernel.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 2, !"Dwarf Version", i32 2}
!4 = distinct !DISubprogram(name: "kernel", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocalVariable(name: "quotient", scope: !4, file: !1, line: 2, type: !10)
!8 = !DILocalVariable(name: "result", scope: !4, file: !1, line: 3, type: !10)
!9 = !DILocation(line: 2, column: 1, scope: !4)
!10 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
