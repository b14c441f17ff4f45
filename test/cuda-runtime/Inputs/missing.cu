// Asks for what the runtime does not have: argv[1] says what.
#include <cstdio>
#include <cstring>

__global__ void works(int *p) { *p = 1; }

// Tensor cores are not there.
__global__ void refused(int *p) {
  int a = threadIdx.x, b = 1, c = 0, d = 0, e0, e1;
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0,%1}, {%2}, {%3}, {%4,%5};"
               : "=r"(e0), "=r"(e1) : "r"(a), "r"(b), "r"(c), "r"(d));
  *p = e0 + e1;
}

int main(int argc, char **argv) {
  int *p, value = 0;
  cudaMalloc(&p, 4);
  cudaError_t status = cudaSuccess;
  if (std::strcmp(argv[1], "graph") == 0) {
    cudaGraph_t graph;
    status = cudaGraphCreate(&graph, 0);
  } else if (std::strcmp(argv[1], "cooperative") == 0) {
    void *arguments[] = {&p};
    status = cudaLaunchCooperativeKernel((void *)works, 1, 1, arguments, 0, 0);
  } else if (std::strcmp(argv[1], "kernel") == 0) {
    refused<<<1, 32>>>(p);
    status = cudaGetLastError();
  }
  works<<<1, 1>>>(p);
  cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost);
  printf("%s, then %d\n", cudaGetErrorString(status), value);
  return 0;
}
