// Threads with elements of shared memory of their own meet nowhere, but the path of single replicas has a barrier between them: all
// threads of a block take one path, also in the last block.
// RUN: echo '{ source: "%s", kernel: own, sizes: { tune: { n: 4096 }, check: [ { n: 1000 }, { n: 700 } ] },' > %t.yaml
// RUN: echo 'grid: [ "cdiv(n, 128)" ], block: [ 128 ], arguments: [ x, y, { i32: n } ], buffers: {' >> %t.yaml
// RUN: echo 'x: { type: u32, count: n, fill: iota, role: in }, y: { type: u32, count: n, role: out } },' >> %t.yaml
// RUN: echo 'space: { pipeline: "gpu-block-coarsen<x={x};grid=any>", parameters: { x: [2, 8] } } }' >> %t.yaml
// RUN: %gpuprune tune %t.yaml --quiet --jobs 1 --stop-after check --check=all --format json --all -o %t.json
// RUN: %check_report %t.json "len(status['ok']) == 2" "all(r['cpu_check'] == 'bitwise' for r in status['ok'])"
extern "C" __global__ void own(const unsigned *x, unsigned *y, int n) {
  __shared__ unsigned mine[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  mine[threadIdx.x] = 0;
  if (i < n) {
    for (int k = 0; k < 5; ++k)
      atomicAdd(&mine[threadIdx.x], x[(i + k) % n]);
    y[i] = mine[threadIdx.x];
  }
}
