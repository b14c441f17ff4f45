// Device variables that two kernels and the host see; ends with 0 if all values are right.
#include <cstdio>

struct Row {
  double weight;
  const int *where;
  short codes[3];
};

__device__ int counter = 5;
static __device__ int hidden = 7;
__constant__ float table[4] = {1, 2, 3, 4};
__device__ int target[3] = {10, 20, 30};
__device__ int *pointer = &target[1];
__constant__ Row rows[2] = {{0.5, target, {1, 2, 3}}, {-0.0, target + 2, {4, 5, 6}}};

__global__ void increment(int by) { atomicAdd(&counter, by); }
__global__ void read(int *out) {
  out[0] = counter;
  out[1] = hidden++;
  out[2] = *pointer;
  out[3] = (int)(table[0] + table[3]);
  out[4] = *rows[1].where + rows[1].codes[1] + (rows[0].weight == 0.5);
  pointer++;
}
__global__ void store(int *where, int value) { *where = value; }

static bool failed = false;
static void expect(const char *what, int value, int expected) {
  if (value == expected)
    return;
  printf("%s is %d, expected %d\n", what, value, expected);
  failed = true;
}

int main() {
  int *out, host[5], *address, value = 0;
  float four = 40;
  size_t bytes = 0;
  cudaMalloc(&out, sizeof(host));
  increment<<<2, 32>>>(3);
  cudaMemcpyToSymbol(table, &four, 4, 12);
  read<<<1, 1>>>(out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  expect("counter", host[0], 5 + 64 * 3);
  expect("hidden", host[1], 7);
  expect("*pointer", host[2], 20);
  expect("table", host[3], 41);
  expect("rows", host[4], 30 + 5 + 1);
  cudaMemcpyFromSymbol(&value, hidden, 4);
  expect("hidden on the host", value, 8);
  cudaGetSymbolSize(&bytes, table);
  expect("bytes", bytes, 16);
  cudaGetSymbolAddress((void **)&address, target);
  store<<<1, 1>>>(address + 2, 99);
  read<<<1, 1>>>(out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  expect("*pointer after it moved", host[2], 99);
  expect("last error", cudaGetLastError(), 0);
  printf("%s\n", failed ? "FAIL" : "PASS");
  return failed;
}
