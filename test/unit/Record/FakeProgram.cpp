//===- FakeProgram.cpp - A program to record -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints what its kernels compute, and ends with 3. The argument says what else it does.
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

namespace {

struct View {
  int Count;
  float Factor;
  float *Data;
};

/// An allocation each.
struct Node {
  Node *Next;
  float *Data;
};

void smooth(void **Parameters) {
  float *Out = *static_cast<float **>(Parameters[0]);
  int Count = *static_cast<int *>(Parameters[1]);
  for (int I = 0; I < Count; ++I)
    Out[I] += FakeWeights[I % 4];
}
void scale(void **Parameters) {
  auto &V = *static_cast<View *>(Parameters[0]);
  for (int I = 0; I < V.Count; ++I)
    V.Data[I] *= V.Factor;
}
void walk(void **Parameters) {
  for (const Node *N = *static_cast<Node **>(Parameters[0]); N; N = N->Next)
    N->Data[0] += 1;
}
void nothing(void **) {}
void die(void **) { std::raise(SIGKILL); }
void busy(void **) { FakeGpuIsBusy = true; }

FakeKernel Smooth{"_Z6smoothPfi", {8, 4}, smooth};
FakeKernel Scale{"_Z5scale4View", {16}, scale};
FakeKernel Walk{"_Z4walkP4Node", {8}, walk};
FakeKernel NoCode{"_Z6nocodev", {}, nothing};
FakeKernel Fetch{"_Z5fetchyPf", {8, 8}, nothing};
FakeKernel Clustered{"_Z9clusteredv", {}, nothing, 2};
FakeKernel Die{"_Z3diePf", {8}, die};
FakeKernel Busy{"_Z4busyPf", {8}, busy};

constexpr int Count = 1000;

CUresult launch(FakeKernel &Kernel, void **Parameters, unsigned Blocks = 4, CUstream Stream = nullptr,
                unsigned Threads = 256) {
  return cuLaunchKernel(reinterpret_cast<CUfunction>(&Kernel), Blocks, 1, 1, Threads, 1, 1, 0, Stream,
                        Parameters, nullptr);
}

float *allocate() {
  CUdeviceptr Address = 0;
  (void)cuMemAlloc_v2(&Address, Count * sizeof(float));
  return reinterpret_cast<float *>(Address);
}

void print(const char *Name, const float *Data) {
  double Sum = 0;
  for (int I = 0; I < Count; ++I)
    Sum += Data[I] * (I + 1);
  std::printf("%s %.0f\n", Name, Sum);
}

void smoothAll(float *Data, int Times, unsigned Blocks = 4, CUstream Stream = nullptr) {
  int N = Count;
  void *Parameters[] = {&Data, &N};
  for (int I = 0; I < Times; ++I)
    (void)launch(Smooth, Parameters, Blocks, Stream);
}

void plain(float *Data) {
  smoothAll(Data, 5);
  smoothAll(Data, 1, 8);
  View V{Count, 2, Data};
  void *Parameters[] = {&V};
  gpuprune::cupti::LaunchConfig Config{{4, 1, 1}, {256, 1, 1}, 64, nullptr, nullptr, 0};
  for (int I = 0; I < 3; ++I)
    (void)cuLaunchKernelEx(&Config, reinterpret_cast<CUfunction>(&Scale), Parameters, nullptr);
  (void)launch(NoCode, nullptr);
  int N = Count;
  void *Smoothed[] = {&Data, &N};
  std::printf("fails with %d\n", launch(Smooth, Smoothed, 4, nullptr, 2048));
}

/// What is reached from memory alone; one of the arrays is host memory.
void list(float *Data) {
  void *Pinned = nullptr;
  (void)cuMemAllocHost_v2(&Pinned, Count * sizeof(float));
  *static_cast<float *>(Pinned) = 0;
  Node *First = nullptr;
  for (float *Each : {Data, allocate(), static_cast<float *>(Pinned)}) {
    Node *N = reinterpret_cast<Node *>(allocate());
    *N = {First, Each};
    First = N;
  }
  void *Parameters[] = {&First};
  (void)launch(Walk, Parameters);
}

/// What cannot be recorded.
void obstacles(float *Data) {
  uint64_t Texture = 0;
  (void)cuTexObjectCreate(&Texture, nullptr, nullptr, nullptr);
  void *Fetched[] = {&Texture, &Data};
  (void)launch(Fetch, Fetched);
  (void)launch(Clustered, nullptr);
  void *Pinned = nullptr;
  (void)cuMemAllocHost_v2(&Pinned, Count * sizeof(float));
  smoothAll(static_cast<float *>(Pinned), 1);
  View V{Count, 2, Data};
  void *Parameters[] = {&V};
  gpuprune::cupti::LaunchAttribute Cooperative{2, {}, {1}};
  gpuprune::cupti::LaunchConfig Config{{4, 1, 1}, {256, 1, 1}, 0, nullptr, &Cooperative, 1};
  (void)cuLaunchKernelEx(&Config, reinterpret_cast<CUfunction>(&Scale), Parameters, nullptr);
}

/// One thread captures, another one launches.
void threads(float *Data) {
  float *Other = allocate();
  std::thread One([&] {
    for (int I = 0; I < 300; ++I) {
      CUstream Stream = reinterpret_cast<CUstream>(uintptr_t(5));
      (void)cuStreamBeginCapture_v2(Stream, 0);
      smoothAll(Other, 2, 4, Stream);
      (void)cuStreamEndCapture(Stream, nullptr);
    }
  });
  std::thread Two([&] {
    for (unsigned I = 0; I < 300; ++I)
      smoothAll(Data, 1, 1 + I % 8);
  });
  One.join();
  Two.join();
  print("other", Other);
}

/// A kernel that ends only when the program goes on.
void waits(float *Data) {
  void *Parameters[] = {&Data};
  (void)launch(Busy, Parameters);
  FakeGpuIsBusy = false;
}

} // namespace

int main(int Argc, char **Argv) {
  std::string What = Argc > 1 ? Argv[1] : "plain";
  gpuprune::cupti::Subscriber Own = nullptr;
  if (What == "cupti")
    (void)cuptiSubscribe(&Own, [](void *, int, uint32_t, const void *) {}, nullptr);
  (void)cuInit(0);
  float *Data = allocate();
  for (int I = 0; I < Count; ++I)
    Data[I] = float(I);
  plain(Data);
  if (What == "obstacles")
    obstacles(Data);
  if (What == "list")
    list(Data);
  if (What == "threads")
    threads(Data);
  if (What == "waits")
    waits(Data);
  print("data", Data);
  std::fflush(stdout);
  void *Parameters[] = {&Data};
  if (What == "killed")
    (void)launch(Die, Parameters);
  return 3;
}
