// The program of docs/tune-your-own-kernel.md around the lines of its last step (body.inc), which launch the variant. Compares with the
// kernel's own launch bit by bit and prints both times.
#include "heat.cu"
#include "heat_tuned.h"

#include <cstdio>
#include <cstring>
#include <vector>

static void tuned(const float *from, float *to, int w, int h, cudaStream_t stream) {
#include "body.inc"
}

static void asWritten(const float *from, float *to, int w, int h, cudaStream_t stream) {
  heat<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16), 0, stream>>>(from, to, 0.1f, w, h);
}

template <typename Function> static float milliseconds(Function Run) {
  cudaEvent_t Begin, End;
  cudaEventCreate(&Begin);
  cudaEventCreate(&End);
  for (int I = 0; I != 10; ++I)
    Run();
  cudaEventRecord(Begin);
  for (int I = 0; I != 100; ++I)
    Run();
  cudaEventRecord(End);
  cudaEventSynchronize(End);
  float Ms = 0;
  cudaEventElapsedTime(&Ms, Begin, End);
  return Ms / 100;
}

int main() {
  int Failures = 0;
  for (int Size : {7, 64, 131, 8192}) {
    int W = Size, H = Size * 3 / 4;
    size_t Bytes = size_t(W) * H * sizeof(float);
    std::vector<float> In(W * H), Own(W * H), Tuned(W * H);
    for (int I = 0; I != W * H; ++I)
      In[I] = float(I * 37 % 1009) / 7;
    float *From, *To;
    cudaMalloc(&From, Bytes);
    cudaMalloc(&To, Bytes);
    cudaMemcpy(From, In.data(), Bytes, cudaMemcpyHostToDevice);
    cudaMemset(To, 0x55, Bytes);
    asWritten(From, To, W, H, 0);
    cudaMemcpy(Own.data(), To, Bytes, cudaMemcpyDeviceToHost);
    cudaMemset(To, 0x55, Bytes);
    tuned(From, To, W, H, 0);
    cudaMemcpy(Tuned.data(), To, Bytes, cudaMemcpyDeviceToHost);
    bool Same = std::memcmp(Own.data(), Tuned.data(), Bytes) == 0;
    Failures += !Same;
    std::printf("%d x %d: %s", W, H, Same ? "the same" : "DIFFERENT");
    if (Size == 8192)
      std::printf(", %.3f ms as written, %.3f ms tuned", milliseconds([&] { asWritten(From, To, W, H, 0); }),
                  milliseconds([&] { tuned(From, To, W, H, 0); }));
    std::printf("\n");
    cudaFree(From);
    cudaFree(To);
  }
  std::printf("%d failures, last error %d\n", Failures, cudaGetLastError());
  return Failures != 0;
}
