//===- WatchedLaunch.cpp - What a kernel reads and writes wrongly ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/HostExecution/WatchedLaunch.h"
#include "gpuprune/Support/Error.h"

using namespace llvm;

namespace gpuprune {

bool isMemoryFault(FaultKind Kind) {
  switch (Kind) {
  case FaultKind::Memory:
  case FaultKind::Guard:
  case FaultKind::Unwritten:
  case FaultKind::Misaligned:
    return true;
  default:
    return false;
  }
}

Expected<std::optional<HostFault>> findMemoryFault(const HostProgram &Program, HostLaunch Launch,
                                                   GuardedMemory &Memory,
                                                   ArrayRef<const GuardedBuffer *> Outputs) {
  if (!Program.watchesMemory())
    return makeError(ErrorKind::Input, "the program is not made with HostOptions::WatchMemory");
  for (const GuardedBuffer *Output : Outputs)
    Memory.markUnwritten(*Output);
  Launch.Memory = &Memory;
  Expected<LaunchReport> Report = Program.launch(Launch);
  if (!Report)
    return Report.takeError();
  return std::move(Report->Fault);
}

} // namespace gpuprune
