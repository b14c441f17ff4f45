// Launches whose kernels find their data in several ways, for gpu-replay.test. Prints "ok" where each computed
// what it should.
#include <cstdio>
#include <vector>

struct View {
  const float *in;
  float *out;
  int n;
};

struct Node {
  Node *next;
  float *values;
  int count;
};

__global__ void plain(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * in[i];
}

__global__ void given(View v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < v.n)
    v.out[i] = 3 * v.in[i];
}

/// The arrays of a list, of which each node is an allocation.
__global__ void walk(Node *first, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (Node *node = first; node; node = node->next)
    if (i < node->count)
      node->values[i] *= factor;
}

/// In no fixed order.
__global__ void sum(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(out, in[i] * 1.37f);
}

static float *onDevice(const std::vector<float> &values) {
  float *memory = nullptr;
  cudaMalloc(&memory, values.size() * sizeof(float));
  cudaMemcpy(memory, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  return memory;
}

static bool holds(const float *memory, const std::vector<float> &in, float factor) {
  std::vector<float> found(in.size());
  cudaMemcpy(found.data(), memory, found.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (size_t i = 0; i != in.size(); ++i)
    if (found[i] != factor * in[i])
      return false;
  return true;
}

int main() {
  constexpr int n = 1 << 20, blocks = n / 256;
  std::vector<float> values(n);
  for (int i = 0; i != n; ++i)
    values[i] = 1.0f / (1 + i % 1000);
  float *in = onDevice(values), *out = onDevice(values), *other = onDevice(values), *total = onDevice({0});
  // Nodes share granules; one array is managed memory and one comes out of a pool.
  float *managed = nullptr, *pooled = nullptr;
  cudaMallocManaged(&managed, n * sizeof(float));
  cudaMallocAsync(&pooled, n * sizeof(float), 0);
  cudaMemcpy(managed, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(pooled, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  Node nodes[2] = {{nullptr, managed, n}, {nullptr, pooled, n}};
  Node *second = nullptr, *first = nullptr;
  cudaMalloc(&second, sizeof(Node));
  cudaMalloc(&first, sizeof(Node));
  nodes[0].next = second;
  cudaMemcpy(first, &nodes[0], sizeof(Node), cudaMemcpyHostToDevice);
  cudaMemcpy(second, &nodes[1], sizeof(Node), cudaMemcpyHostToDevice);

  plain<<<blocks, 256>>>(in, out, n);
  given<<<blocks, 256>>>({in, other, n});
  walk<<<blocks, 256>>>(first, 5);
  sum<<<16, 256>>>(in, total, 16 * 256); // In little time, since kernels under 1 % of it are left alone.
  bool ok = cudaDeviceSynchronize() == cudaSuccess && holds(out, values, 2) && holds(other, values, 3) &&
            holds(managed, values, 5) && holds(pooled, values, 5);
  printf("%s\n", ok ? "ok" : "FAILED");
  return ok ? 0 : 1;
}
