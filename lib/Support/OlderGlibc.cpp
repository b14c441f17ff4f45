//===- OlderGlibc.cpp - What a C library before 2.36 lacks ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's static libraries name temporary files with arc4random, the one function
// that would keep programs made on Debian 12 from starting with glibc 2.35, which
// many machines with GPUs have. A program that links this takes it from here.
//
//===----------------------------------------------------------------------===//
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <sys/random.h>

extern "C" uint32_t arc4random() noexcept {
  uint32_t Number;
  while (getrandom(&Number, sizeof(Number), 0) != sizeof(Number))
    if (errno != EINTR)
      abort(); // As glibc's own does.
  return Number;
}
