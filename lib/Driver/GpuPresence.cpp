//===- GpuPresence.cpp - Whether there is a GPU to measure on ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/GpuPresence.h"
#include "gpuprune/Runtime/RunnerClient.h"
#include "gpuprune/Support/Error.h"

using namespace llvm;

namespace gpuprune {

Error checkGpu(const std::string &Runner, StringRef Why, StringRef WhatToDo) {
  RunnerOptions Running;
  Running.Commands = {Runner};
  std::unique_ptr<RunnerClient> Client = RunnerClient::begin(Running);
  if (Error E = Client->awaitHellos())
    return E;
  const protocol::Hello Gpu = Client->hellos().front();
  if (Gpu.HasGpu)
    return Error::success();
  return makeError(ErrorKind::Runner,
                   formatv("{0}, and there is no GPU: {1}; {2}", Why, Gpu.Message, WhatToDo));
}

} // namespace gpuprune
