// Calls with arguments that cannot be right, and the statuses that they return.
#include <cstdio>

__global__ void plain(int *p) { p[threadIdx.x] = threadIdx.x; }
__global__ void __launch_bounds__(128) bounded(int *p) { p[threadIdx.x] = 0; }
__global__ void dynamicShared(int *p) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  *p = s[threadIdx.x];
}
// Registered by the host's code, but the device code lacks it.
__global__ void hostOnly(int *p)
#ifdef __CUDA_ARCH__
    ;
#else
{
}
#endif
__device__ int variable[4];
int ordinary;

static void tell(const char *what, cudaError_t status) {
  printf("%s: %s\n", what, cudaGetErrorName(status));
  cudaGetLastError();
}

static void tellLaunch(const char *what) {
  printf("%s: %s\n", what, cudaGetErrorName(cudaGetLastError()));
  if (cudaError_t status = cudaGetLastError())
    tell("  again", status);
}

static void kernels(int *p) {
  cudaFuncAttributes attributes;
  void *arguments[] = {&p}, *noArgument[] = {nullptr};
  tell("attributes of a kernel", cudaFuncGetAttributes(&attributes, plain));
  printf("  registers %d, threads %d, binary %d\n", attributes.numRegs, attributes.maxThreadsPerBlock,
         attributes.binaryVersion);
  tell("attributes of a bounded kernel", cudaFuncGetAttributes(&attributes, bounded));
  printf("  threads %d\n", attributes.maxThreadsPerBlock);
  tell("attributes of a kernel not in the device code", cudaFuncGetAttributes(&attributes, (void *)hostOnly));
  tell("attributes of a function", cudaFuncGetAttributes(&attributes, (void *)tellLaunch));
  tell("attributes of null", cudaFuncGetAttributes(&attributes, (void *)nullptr));
  hostOnly<<<1, 1>>>(p);
  tellLaunch("launch of a kernel not in the device code");
  tell("launch of a function", cudaLaunchKernel((void *)tellLaunch, 1, 1, arguments, 0, 0));
  tell("launch without arguments", cudaLaunchKernel((void *)plain, 1, 1, nullptr, 0, 0));
  tell("launch with a null argument", cudaLaunchKernel((void *)plain, 1, 1, noArgument, 0, 0));
  tell("launch in no stream", cudaLaunchKernel((void *)plain, 1, 1, arguments, 0, (cudaStream_t)&ordinary));
}

static void geometry(int *p) {
  plain<<<1, 1025>>>(p);
  tellLaunch("1025 threads");
  plain<<<1, dim3(1, 1, 65)>>>(p);
  tellLaunch("65 threads in z");
  plain<<<0, 1>>>(p);
  tellLaunch("no block");
  plain<<<dim3(1, 65536), 1>>>(p);
  tellLaunch("65536 blocks in y");
  bounded<<<1, 256>>>(p);
  tellLaunch("256 threads beyond the launch bounds");
  dynamicShared<<<1, 1, 49153>>>(p);
  tellLaunch("49153 bytes of shared memory");
  tell("allow 100000", cudaFuncSetAttribute(dynamicShared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  dynamicShared<<<1, 1, 100000>>>(p);
  tellLaunch("100000 bytes of shared memory");
  tell("allow 300000", cudaFuncSetAttribute(dynamicShared, cudaFuncAttributeMaxDynamicSharedMemorySize, 300000));
  plain<<<1, 64>>>(p);
  tellLaunch("64 threads");
}

static void memory(int *p) {
  int host[64] = {}, *q = nullptr;
  tell("copy beyond the buffer", cudaMemcpy(p, host, 260, cudaMemcpyHostToDevice));
  tell("copy in the wrong direction", cudaMemcpy(host, p, 4, cudaMemcpyHostToDevice));
  tell("copy within the device from the host", cudaMemcpy(p, host, 4, cudaMemcpyDeviceToDevice));
  tell("copy by address", cudaMemcpy(host, p, 4, cudaMemcpyDefault));
  tell("fill the host", cudaMemset(host, 0, 4));
  tell("free within the buffer", cudaFree(p + 1));
  tell("free host memory", cudaFree(host));
  tell("free null", cudaFree(nullptr));
  tell("too much", cudaMalloc(&q, size_t(1) << 60));
  tell("copy to a variable", cudaMemcpyToSymbol(variable, host, 16));
  tell("copy beyond a variable", cudaMemcpyToSymbol(variable, host, 16, 4));
  tell("copy to no variable", cudaMemcpyToSymbol(&ordinary, host, 4));
}

int main() {
  int *p, device;
  tell("malloc", cudaMalloc(&p, 256));
  kernels(p);
  geometry(p);
  memory(p);
  tell("device 7", cudaSetDevice(7));
  cudaEvent_t event;
  float ms;
  cudaEventCreate(&event);
  tell("time of what was not recorded", cudaEventElapsedTime(&ms, event, event));
  tell("device", cudaGetDevice(&device));
  return 0;
}
