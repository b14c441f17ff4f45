// One step of Floyd and Warshall's shortest paths between n nodes: distance[i][j] is shortened where going through
// node k is shorter. Launched for k = 0, 1, ... n - 1. No distance from a node to itself is negative, so row and column
// k do not change in step k.
__global__ void floyd_warshall_step(int *distance, int n, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;

  if (i < n && j < n) {
    int through = distance[i * n + k] + distance[k * n + j];
    if (through < distance[i * n + j])
      distance[i * n + j] = through;
  }
}
