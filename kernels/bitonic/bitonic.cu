// One step of a bitonic sort of n keys, n a power of two and the number of threads: each pair at distance j is put into
// the order that its part of length k asks for. A sort launches this for k = 2, 4, ... n and j = k/2, k/4, ... 1.
__global__ void bitonic_step(unsigned *keys, int j, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int partner = i ^ j;

  if (partner > i) {
    unsigned mine = keys[i];
    unsigned other = keys[partner];
    bool ascending = (i & k) == 0;
    if (ascending ? mine > other : mine < other) {
      keys[i] = other;
      keys[partner] = mine;
    }
  }
}
