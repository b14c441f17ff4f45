target triple = "x86_64-unknown-linux-gnu"

define void @host(ptr %x, ptr %y) {
  %v = load float, ptr %y
  store float %v, ptr %x
  ret void
}
