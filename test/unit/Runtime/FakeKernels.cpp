//===- FakeKernels.cpp - What the fake driver can run ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeKernels.h"
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace gpuprune::fake {

State S;

size_t environmentNumber(const char *Name, size_t Default) {
  const char *Text = std::getenv(Name);
  return Text ? std::strtoull(Text, nullptr, 10) : Default;
}

namespace {

/// Counts up bytes in the middle of all memory that is not around an argument of \p A: in buffers, not in
/// guard zones, of which there are as many bytes on both sides.
void spoilOthers(const Arguments &A, size_t MostBytes) {
  for (auto [Begin, Bytes] : S.Allocations) {
    auto Holds = [&, Begin = Begin, Bytes = Bytes](float *Pointer) {
      auto At = reinterpret_cast<CUdeviceptr>(Pointer);
      return Begin <= At && At < Begin + Bytes;
    };
    if (Holds(A.In) || Holds(A.Out))
      continue;
    size_t Wild = std::min(MostBytes, Bytes);
    for (size_t I = 0; I != Wild; ++I)
      reinterpret_cast<uint8_t *>(Begin)[(Bytes - Wild) / 2 + I] += 1;
  }
}

bool isLate() {
  static size_t Runs = 0;
  return Runs++ >= environmentNumber("FAKE_CUDA_LATE", 0);
}

/// Without sanitizers, which would take most of their tests' time in this loop; A.Out[A.N] is a guard zone.
__attribute__((no_sanitize("address", "thread", "undefined", "coverage"))) void twice(const Arguments &A) {
  for (int I = 0; I != A.N; ++I)
    A.Out[I] = 2 * A.In[I];
}

/// Structures with two bytes of padding, in which every run leaves something else.
struct Pair {
  float X;
  uint16_t Id, Padding;
};

void copyPairs(const Arguments &A, uint16_t IdOfLast) {
  static uint16_t Runs = 0;
  auto *In = reinterpret_cast<Pair *>(A.In), *Out = reinterpret_cast<Pair *>(A.Out);
  ++Runs;
  for (int I = 0; I != A.N; ++I)
    Out[I] = {2 * In[I].X, uint16_t(In[I].Id + (I + 1 == A.N ? IdOfLast : 0)), Runs};
}

const Kernel Kernels[] = {
    {"pairs", 1.0, Ending::Normal, [](const Arguments &A) { copyPairs(A, 0); }},
    {"wrong_pairs", 1.0, Ending::Normal, [](const Arguments &A) { copyPairs(A, 1); }},
    {"right", 1.0, Ending::Normal, twice},
    {"fast", 0.25, Ending::Normal, twice},
    {"slow", 100.0, Ending::Normal, twice},
    {"other", 1.0, Ending::Normal, twice},
    {"another", 1.0, Ending::Normal, twice},
    {"small_wrong", 0.25, Ending::Normal,
     [](const Arguments &A) {
       twice(A);
       A.Out[0] += A.N < 20000 ? 1.0F : 0.0F;
     }},
    {"wrong", 1.0, Ending::Normal,
     [](const Arguments &A) {
       twice(A);
       A.Out[5] += 1;
       A.Out[7] += 1;
     }},
    {"fickle", 0.25, Ending::Normal,
     [](const Arguments &A) {
       static size_t Runs = 0;
       twice(A);
       A.Out[0] += Runs++ < environmentNumber("FAKE_CUDA_FICKLE", 0) ? 0 : 1;
     }},
    {"close", 1.0, Ending::Normal,
     [](const Arguments &A) {
       twice(A);
       A.Out[5] *= 1.000001f;
     }},
    {"behind", 1.0, Ending::Normal,
     [](const Arguments &A) {
       twice(A);
       A.Out[A.N + 3] = 1;
     }},
    {"before", 1.0, Ending::Normal,
     [](const Arguments &A) {
       twice(A);
       A.In[-2] = 1;
     }},
    {"wild", 1.0, Ending::Normal,
     [](const Arguments &A) {
       twice(A);
       spoilOthers(A, 1);
     }},
    {"wild_mebibyte", 1.0, Ending::Normal,
     [](const Arguments &A) {
       twice(A);
       spoilOthers(A, 1 << 20);
     }},
    // Hits the guard zone on its way.
    {"far_behind", 1.0, Ending::Normal,
     [](const Arguments &A) {
       twice(A);
       A.Out[A.N + 3] = 1;
       spoilOthers(A, 1);
     }},
    {"late_input", 0.5, Ending::Normal,
     [](const Arguments &A) {
       twice(A);
       if (isLate())
         A.In[3] = -1;
     }},
    {"second_input", 0.5, Ending::Normal,
     [](const Arguments &A) {
       static size_t Runs = 0;
       twice(A);
       if (++Runs == 2)
         A.In[3] = -1;
     }},
    {"second_value", 1.0, Ending::Normal,
     [](const Arguments &A) {
       static size_t Runs = 0;
       twice(A);
       A.Out[5] += ++Runs == 2 ? 1 : 0;
     }},
    {"late_guard", 0.5, Ending::Normal,
     [](const Arguments &A) {
       twice(A);
       if (isLate())
         A.Out[A.N + 3] = 1;
     }},
    {"late_wild", 0.5, Ending::Normal,
     [](const Arguments &A) {
       twice(A);
       if (isLate())
         spoilOthers(A, 1);
     }},
    {"leftover", 1.0, Ending::Normal,
     [](const Arguments &A) {
       twice(A);
       A.Out[2] += S.Shared;
     }},
    // What its launch makes of it: wrong from 256 threads on, as a kernel with a fixed tile is.
    {"fixed", 1.0, Ending::Normal,
     [](const Arguments &A) {
       twice(A);
       A.Out[256] += A.Threads >= 256 ? 1 : 0;
     }},
    {"ordered", 1.0, Ending::Normal,
     [](const Arguments &A) {
       twice(A);
       A.Out[5] *= A.Threads >= 256 ? 1.000001f : 1;
     }},
    {"overruns", 1.0, Ending::Normal,
     [](const Arguments &A) {
       twice(A);
       A.Out[A.Threads >= 256 ? A.N + 3 : 0] = 2 * A.In[0];
     }},
    // Close to "right", and every run to another number.
    {"unordered", 1.0, Ending::Normal,
     [](const Arguments &A) {
       static size_t Runs = 0;
       twice(A);
       A.Out[5] *= ++Runs % 2 ? 1.000001f : 1.000002f;
     }},
    {"every_other", 1.0, Ending::Normal,
     [](const Arguments &A) {
       static size_t Runs = 0;
       twice(A);
       A.Out[5] += Runs++ % 2 ? 1 : 0;
     }},
    {"nothing", 1.0, Ending::Normal, [](const Arguments &) {}},
    {"half", 1.0, Ending::Normal, [](const Arguments &A) { twice({A.In, A.Out, A.N / 2}); }},
    {"spoils_input", 1.0, Ending::Normal,
     [](const Arguments &A) {
       twice(A);
       A.In[3] = -1;
     }},
    {"adds", 1.0, Ending::Normal,
     [](const Arguments &A) {
       for (int I = 0; I != A.N; ++I)
         A.Out[I] += A.In[I];
     }},
    {"scales", 1.0, Ending::Normal,
     [](const Arguments &A) {
       for (int I = 0; I != A.N; ++I)
         A.Out[I] = (A.Factors[0] + A.Factors[1]) * A.In[I];
     }},
    {"spoils_symbol", 1.0, Ending::Normal,
     [](const Arguments &A) {
       twice(A);
       A.Factors[0] = 0;
     }},
    {"prints", 1.0, Ending::Normal,
     [](const Arguments &A) {
       twice(A);
       std::printf("{\"id\": \"from a kernel\"}\n");
       std::fflush(stdout);
     }},
    {"crashes", 1.0, Ending::Normal, [](const Arguments &) { std::_Exit(77); }},
    {"refused", 1.0, Ending::Refused, nullptr},
    {"faults", 1.0, Ending::Fault, nullptr},
    {"hangs", 1.0, Ending::Hang, nullptr},
};

} // namespace

const Kernel *findKernel(std::string_view Name) {
  for (const Kernel &K : Kernels)
    if (K.Name == Name)
      return &K;
  return nullptr;
}

} // namespace gpuprune::fake
