// Cooperative groups of a block or a part of a warp need headers that nvcc knows by itself, and hold inline assembly
// whose results nobody uses.
// RUN: echo '{ source: "%s", kernel: sums, sizes: { tune: { n: 4096 }, check: [ { n: 1024 }, { n: 1000 } ] },' > %t.yaml
// RUN: echo 'grid: [ "cdiv(n, 64)" ], block: [ 64 ], arguments: [ { i32: n }, a, b ], buffers: {' >> %t.yaml
// RUN: echo 'a: { type: i32, count: n, fill: iota, role: in }, b: { type: i32, count: n, role: out } },' >> %t.yaml
// RUN: echo 'space: { pipeline: "gpu-block-coarsen<x={x};grid=any;mode={mode}>", parameters: { x: [1, 2, 4], mode: [jam, sequential] } } }' >> %t.yaml
// RUN: %gpuprune tune %t.yaml --quiet --jobs 1 --stop-after check --check=all --format json --all -o %t.json
// RUN: %check_report %t.json "len(status['ok']) == 5" "all(r['cpu_check'] == 'bitwise' for r in status['ok'])"
#include <cooperative_groups.h>

extern "C" __global__ void sums(int n, const int *a, int *b) {
  auto block = cooperative_groups::this_thread_block();
  auto part = cooperative_groups::tiled_partition<16>(block);
  int i = blockIdx.x * blockDim.x + block.thread_rank();
  int v = i < n ? a[i] : 0;
  for (int offset = 8; offset; offset /= 2)
    v += part.shfl_down(v, offset);
  block.sync();
  v = part.shfl(v, 0);
  if (i < n)
    b[i] = v;
}
