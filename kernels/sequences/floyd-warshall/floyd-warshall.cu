// Shortest paths between n nodes by Floyd and Warshall: step k shortens distance[i][j] where going through node k is
// shorter. No distance from a node to itself is negative, so row and column k do not change in step k.
__global__ void shorten(int *distance, int n, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n)
    return;
  int through = distance[i * n + k] + distance[k * n + j];
  if (through < distance[i * n + j])
    distance[i * n + j] = through;
}
