//===- ProtocolFuzzer.cpp - Any line as a message of the runner's protocol ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is taken is written as a line that is taken, and written the same again. The
// buffers of a job, if small, are filled.
//
//===----------------------------------------------------------------------===//
#include "Fuzzing.h"
#include "gpuprune/Runtime/Fill.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::fuzz;
using namespace gpuprune::protocol;

template <typename T> static void roundTrip(Expected<T> (*Parse)(StringRef), StringRef Line) {
  Expected<T> Message = Parse(Line);
  if (!Message) {
    refusal(Message.takeError());
    return;
  }
  std::string Written = toLine(*Message);
  require(StringRef(Written).count('\n') == 1, "a message of several lines: " + Written);
  Expected<T> Again = Parse(Written);
  if (!Again)
    require(false, "cannot read what was written: " + Written + toString(Again.takeError()));
  require(toLine(*Again) == Written, "another message than was written: " + Written);
}

static void fillBuffers(StringRef Line) {
  Expected<Job> Read = parseJob(Line);
  if (!Read) {
    refusal(Read.takeError());
    return;
  }
  for (const Problem &P : Read->Checks)
    for (const Buffer &B : P.Buffers) {
      if (B.Role == BufferRole::Out || B.Count > 4096 || B.Type.bytes() > 256)
        continue;
      std::vector<uint8_t> Bytes(B.bytes());
      if (Error E = fillBuffer(B.Type, B.Contents, Bytes))
        refusal(std::move(E));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Line = asText(Data, Size);
  roundTrip<Job>(parseJob, Line);
  fillBuffers(Line);
  roundTrip<Result>(parseResult, Line);
  roundTrip<Hello>(parseHello, Line);
  return 0;
}
