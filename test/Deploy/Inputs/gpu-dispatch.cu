// What surrounds a launch on a real GPU: stream capture, errors that are pending, shared memory that has to be
// allowed, a reset device, threads that launch first at once. Prints a line a case and exits with the failures.
#include <cstdio>
#include <thread>
#include <vector>

#ifndef STEP
#define STEP 1
#endif

__global__ void add(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += STEP;
}

__global__ void reverse(float *a) {
  extern __shared__ float tile[];
  for (int i = threadIdx.x; i < 16384; i += blockDim.x)
    tile[i] = a[blockIdx.x * 16384 + i];
  __syncthreads();
  for (int i = threadIdx.x; i < 16384; i += blockDim.x)
    a[blockIdx.x * 16384 + i] = tile[16383 - i];
}

static int failures = 0;

static void expect(const char *what, bool holds) {
  printf("%s: %s\n", what, holds ? "ok" : "FAILED");
  failures += !holds;
}

static const int n = 1000003;

static bool allAre(int *device, int value) {
  std::vector<int> host(n);
  if (cudaMemcpy(host.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess)
    return false;
  for (int each : host)
    if (each != value)
      return false;
  return true;
}

static int *zeros() {
  int *a = nullptr;
  cudaMalloc(&a, n * sizeof(int));
  cudaMemset(a, 0, n * sizeof(int));
  return a;
}

static void launchAdd(int *a, cudaStream_t stream = nullptr) { add<<<(n + 255) / 256, 256, 0, stream>>>(a, n); }

static void firstInCapture() {
  int *a = zeros();
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaDeviceSynchronize();
  expect("capture begins", cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  launchAdd(a, stream);
  launchAdd(a, stream);
  expect("launches in a capture", cudaGetLastError() == cudaSuccess);
  expect("capture ends", cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  expect("graph", cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  cudaGraphLaunch(executable, stream);
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  expect("graph's result", allAre(a, 4 * STEP));
}

static void plain() {
  int *a = zeros();
  for (int k = 0; k != 10; ++k)
    launchAdd(a);
  expect("no error", cudaGetLastError() == cudaSuccess);
  expect("result", allAre(a, 10 * STEP));
}

static void pendingError() {
  int *a = zeros();
  void *huge = nullptr;
  cudaError_t wrong = cudaMalloc(&huge, size_t(1) << 50);
  launchAdd(a);
  expect("pending error stays", wrong != cudaSuccess && cudaPeekAtLastError() == wrong);
  expect("and is taken once", cudaGetLastError() == wrong && cudaGetLastError() == cudaSuccess);
  expect("result beside it", allAre(a, STEP));
}

static bool reversed() {
  const int count = 64 * 16384;
  std::vector<float> host(count);
  for (int i = 0; i != count; ++i)
    host[i] = float(i);
  float *a = nullptr;
  cudaMalloc(&a, count * sizeof(float));
  cudaMemcpy(a, host.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  reverse<<<64, 256, 65536>>>(a);
  if (cudaGetLastError() != cudaSuccess)
    return false;
  cudaMemcpy(host.data(), a, count * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i != count; ++i)
    if (host[i] != float(i / 16384 * 16384 + 16383 - i % 16384))
      return false;
  return true;
}

static void sharedThatIsNotAllowed() {
  expect("64 KiB are not allowed", !reversed());
  expect("no error is left", cudaGetLastError() == cudaSuccess);
}

static void allowedShared() {
  cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  expect("64 KiB are allowed", reversed());
}

static void threads() {
  std::vector<std::thread> all;
  std::vector<int *> arrays;
  for (int t = 0; t != 8; ++t)
    arrays.push_back(zeros());
  cudaDeviceSynchronize();
  for (int t = 0; t != 8; ++t)
    all.emplace_back([a = arrays[t]] {
      for (int k = 0; k != 100; ++k)
        launchAdd(a);
      cudaDeviceSynchronize();
    });
  for (std::thread &each : all)
    each.join();
  bool good = true;
  for (int *a : arrays)
    good = good && allAre(a, 100 * STEP);
  expect("eight threads", good);
}

int main(int argc, char **) {
  if (argc > 1)
    threads();
  firstInCapture();
  plain();
  pendingError();
  sharedThatIsNotAllowed();
  allowedShared();
  threads();
  expect("reset", cudaDeviceReset() == cudaSuccess);
  plain();
  allowedShared();
  firstInCapture();
  return failures;
}
