// A program that launches four variants of kernels/saxpy by their headers, as its own kernel would be
// launched, and holds the results against the CPU's. Exit code 0: all as it should be; 2: there is no GPU.
#include "saxpy_any.h"
#define gpuprune_tuned whole_grids_only
#include "saxpy_whole.h"
#undef gpuprune_tuned
#define gpuprune_tuned other_blocks
#include "saxpy_block.h"
#undef gpuprune_tuned
#define gpuprune_tuned persistent
#include "saxpy_persistent.h"
#undef gpuprune_tuned

#include <cmath>
#include <cstdio>
#include <vector>

static int Failures = 0;

static void expect(CUresult Got, CUresult Wanted, const char *What) {
  if (Got == Wanted)
    return;
  std::printf("%s: CUresult %d, expected %d\n", What, Got, Wanted);
  ++Failures;
}

template <typename LaunchFunction>
static void check(LaunchFunction Launch, int N, CUresult Wanted, const char *What) {
  std::vector<float> X(N), Y(N), Found(N);
  for (int I = 0; I != N; ++I) {
    X[I] = float(I % 1000) / 8;
    Y[I] = float(I % 77);
  }
  CUdeviceptr OfX, OfY;
  expect(cuMemAlloc(&OfX, N * sizeof(float)), CUDA_SUCCESS, "cuMemAlloc");
  expect(cuMemAlloc(&OfY, N * sizeof(float)), CUDA_SUCCESS, "cuMemAlloc");
  cuMemcpyHtoD(OfX, X.data(), N * sizeof(float));
  cuMemcpyHtoD(OfY, Y.data(), N * sizeof(float));
  // The author's launch: one thread an element, blocks of 256.
  unsigned Blocks = (N + 255) / 256;
  expect(Launch(Blocks, 256, reinterpret_cast<const void *>(OfX), reinterpret_cast<const void *>(OfY)),
         Wanted, What);
  expect(cuCtxSynchronize(), CUDA_SUCCESS, What);
  cuMemcpyDtoH(Found.data(), OfY, N * sizeof(float));
  for (int I = 0; I != N; ++I) {
    float Right = Wanted == CUDA_SUCCESS ? std::fma(2.5f, X[I], Y[I]) : Y[I];
    if (Found[I] == Right)
      continue;
    std::printf("%s: element %d is %g, expected %g\n", What, I, Found[I], Right);
    ++Failures;
    break;
  }
  cuMemFree(OfX);
  cuMemFree(OfY);
}

int main() {
  CUdevice Device;
  CUcontext Context;
  if (cuInit(0) || cuDeviceGet(&Device, 0))
    return 2;
  auto Any = [&](int N) {
    return [N](unsigned Grid, unsigned Block, const void *X, const void *Y) {
      return gpuprune_tuned::saxpy::launch(Grid, Block, 0, nullptr, N, 2.5f, X, Y);
    };
  };
  auto Whole = [&](int N) {
    return [N](unsigned Grid, unsigned Block, const void *X, const void *Y) {
      return whole_grids_only::saxpy::launch(Grid, Block, 0, nullptr, N, 2.5f, X, Y);
    };
  };
  auto Blocks = [&](int N) {
    return [N](unsigned Grid, unsigned Block, const void *X, const void *Y) {
      return other_blocks::saxpy::launch(Grid, Block, 0, nullptr, N, 2.5f, X, Y);
    };
  };
  auto Persistent = [&](int N) {
    return [N](unsigned Grid, unsigned Block, const void *X, const void *Y) {
      return persistent::saxpy::launch(Grid, Block, 0, nullptr, N, 2.5f, X, Y);
    };
  };
  expect(gpuprune_tuned::saxpy::launch(1, 256, 0, nullptr, 0, 1.0f, nullptr, nullptr),
         CUDA_ERROR_INVALID_CONTEXT, "no context");
  // A second context after the first one: the module is loaded again.
  for (int Time = 0; Time != 2; ++Time) {
    expect(cuDevicePrimaryCtxRetain(&Context, Device), CUDA_SUCCESS, "cuDevicePrimaryCtxRetain");
    expect(cuCtxSetCurrent(Context), CUDA_SUCCESS, "cuCtxSetCurrent");
    check(Any(1000003), 1000003, CUDA_SUCCESS, "any grid");
    check(Whole(1 << 20), 1 << 20, CUDA_SUCCESS, "a multiple");
    check(Whole(1000003), 1000003, CUDA_ERROR_INVALID_VALUE, "no multiple");
    check(Blocks(1 << 20), 1 << 20, CUDA_SUCCESS, "other blocks");
    check(Blocks((1 << 20) - 77), (1 << 20) - 77, CUDA_SUCCESS, "other blocks, the last one not full");
    check(Blocks(1000003), 1000003, CUDA_ERROR_INVALID_VALUE, "threads that other blocks do not divide");
    check(Persistent(1000003), 1000003, CUDA_SUCCESS, "more blocks than stay on the device");
    check(Persistent(1000), 1000, CUDA_SUCCESS, "fewer blocks than that");
    expect(gpuprune_tuned::saxpy::launch(4, 0, 0, nullptr, 0, 1.0f, nullptr, nullptr),
           CUDA_ERROR_INVALID_VALUE, "no threads");
    cuDevicePrimaryCtxReset(Device);
  }
  std::printf("%d failures\n", Failures);
  return Failures ? 1 : 0;
}
