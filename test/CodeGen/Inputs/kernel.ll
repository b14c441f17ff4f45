target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %a) {
  store i32 1, ptr %a
  ret void
}
