// A sum by cub: its shuffles are inline assembly, which the same lanes make once a replica.
// RUN: echo '{ source: "%s", kernel: sum, sizes: { tune: { n: 4096 }, check: [ { n: 1024 }, { n: 1000 } ] },' > %t.yaml
// RUN: echo 'grid: [ "cdiv(n, 64)" ], block: [ 64 ], arguments: [ { i32: n }, a, b ], buffers: {' >> %t.yaml
// RUN: echo 'a: { type: i32, count: n, fill: iota, role: in }, b: { type: i32, count: "cdiv(n, 64)", role: out } },' >> %t.yaml
// RUN: echo 'space: { pipeline: "gpu-block-coarsen<x={x};grid=any;mode={mode}>", parameters: { x: [1, 2, 4], mode: [jam, sequential] } } }' >> %t.yaml
// RUN: %gpuprune tune %t.yaml --quiet --jobs 1 --stop-after check --check=all --format json --all -o %t.json
// RUN: %check_report %t.json "len(status['ok']) == 5" "all(r['cpu_check'] == 'bitwise' for r in status['ok'])"
#include <cub/block/block_reduce.cuh>

extern "C" __global__ void sum(int n, const int *a, int *b) {
  using Reduce = cub::BlockReduce<int, 64, cub::BLOCK_REDUCE_RAKING>;
  __shared__ typename Reduce::TempStorage storage;
  int i = blockIdx.x * 64 + threadIdx.x;
  int all = Reduce(storage).Sum(i < n ? a[i] : 0);
  if (threadIdx.x == 0)
    b[blockIdx.x] = all;
}
