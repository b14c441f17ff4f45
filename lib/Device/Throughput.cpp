//===- Throughput.cpp - How many results a multiprocessor makes a cycle ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Device/Throughput.h"

using namespace llvm;

namespace gpuprune {

namespace {
struct KindOfThroughput {
  const char *Name, *What;
  unsigned Throughputs::*Rate;
};
} // namespace

static constexpr KindOfThroughput Kinds[] = {
#define THROUGHPUT(Enumerator, Name, What) {Name, What, &Throughputs::Enumerator},
#include "gpuprune/Device/Throughputs.def"
};

static const KindOfThroughput &kind(Throughput Kind) { return Kinds[static_cast<unsigned>(Kind)]; }

StringRef throughputName(Throughput Kind) { return kind(Kind).Name; }

StringRef throughputDescription(Throughput Kind) { return kind(Kind).What; }

unsigned Throughputs::operator[](Throughput Kind) const { return this->*kind(Kind).Rate; }

} // namespace gpuprune
