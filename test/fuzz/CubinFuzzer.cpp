//===- CubinFuzzer.cpp - Any bytes as a cubin ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Fuzzing.h"
#include "gpuprune/CodeGen/Cubin.h"
#include "gpuprune/MachineCode/CodeDigest.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::fuzz;

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  for (uint64_t Reserved : {uint64_t(0), uint64_t(1024)}) {
    auto Kernels = readCubin(asText(Data, Size), Reserved);
    if (!Kernels) {
      refusal(Kernels.takeError(), ErrorKind::CodeGen);
      continue;
    }
    std::vector<std::string> Names;
    for (const auto &[Name, Kernel] : *Kernels)
      Names.push_back(Name);
    auto Codes = machineCodes(asText(Data, Size), Names);
    if (!Codes)
      refusal(Codes.takeError(), ErrorKind::CodeGen);
  }
  return 0;
}
