//===- ExitCode.cpp - What an error makes of the exit code ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExitCode.h"

namespace gpuprune {

int exitCode(ErrorKind Kind) {
  switch (Kind) {
  case ErrorKind::Usage:
    return 2;
  case ErrorKind::Toolchain:
    return 3;
  case ErrorKind::Io:
    return 4;
  case ErrorKind::Refused:
    return 5;
  case ErrorKind::Runner:
    return 6;
  case ErrorKind::Internal:
    return 70;
  default:
    return 1;
  }
}

} // namespace gpuprune
