// Launches a kernel of rows.cu at sizes that the block of a tuning record divides, and at others, and holds each element
// against the CPU's.
#define main another_main
#include "rows.cu"
#undef main

#include <vector>

static bool check(int width, int height) {
  size_t count = size_t(width) * height, bytes = count * sizeof(float);
  std::vector<float> from(count), to(count), found(count + 1024);
  for (size_t i = 0; i != count; ++i) {
    from[i] = float(i % 1009) / 8;
    to[i] = found[i] = float(i % 77);
  }
  for (size_t i = count; i != found.size(); ++i)
    found[i] = -1; // Nothing is written behind the last row.
  float *a, *b;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, found.size() * sizeof(float));
  cudaMemcpy(a, from.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, found.data(), found.size() * sizeof(float), cudaMemcpyHostToDevice);
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  rows<<<grid, block>>>(a, b, width, height);
  cudaMemcpy(found.data(), b, found.size() * sizeof(float), cudaMemcpyDeviceToHost);
  bool right = cudaGetLastError() == cudaSuccess;
  for (size_t i = 0; i != found.size(); ++i)
    right &= found[i] == (i < count ? to[i] + 2 * from[i] : -1);
  printf("%d x %d: %s\n", width, height, right ? "right" : "FAILED");
  cudaFree(a);
  cudaFree(b);
  return right;
}

int main() {
  bool right = true;
  for (int width : {640, 633, 656, 1000, 2048})
    right &= check(width, 489);
  return !right;
}
