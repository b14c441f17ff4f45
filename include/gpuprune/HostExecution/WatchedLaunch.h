//===- WatchedLaunch.h - What a kernel reads and writes wrongly -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a launch to find out whether the kernel's results depend on what nobody has
// written, or on what lies beside its buffers:
//
//   HostOptions Options;
//   Options.Kernels = {Symbol};
//   Options.WatchMemory = true;
//   auto Program = cantFail(HostProgram::create(Bitcode, Options));
//   if (auto Fault = cantFail(findMemoryFault(*Program, Launch, Memory, {&Out})))
//     errs() << Fault->Message;   // "kernel 'k' at k.cu:12, block …, thread …: reads byte …"
//
// The fault has a line where the bitcode has debug locations (the front end writes them).
// Seen exactly: the first read of a byte of shared memory, static or dynamic, that no
// thread of the block has written, of the target of a cp.async that its thread has not
// waited for, and of a buffer in Outputs that nothing has written (one declared out
// whose contents matter; an atomic reads, too); any access one byte or more beside a
// buffer, a __device__ or __constant__ variable, or the block's shared memory, or outside of a
// structure that is passed by value; addresses that are not a multiple of the access's size.
//
// Not seen: an index that leaves one shared array, or one member of a structure, for another; a race (threads
// run in an order of their own, of which HostLaunch::ScheduleSeed makes another); local arrays. What the
// optimiser loads early and then does not use counts as read, which it does where the address is a constant.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_HOSTEXECUTION_WATCHEDLAUNCH_H
#define GPUPRUNE_HOSTEXECUTION_WATCHEDLAUNCH_H

#include "gpuprune/HostExecution/HostProgram.h"

namespace gpuprune {

/// Whether \p Kind is one that findMemoryFault() looks for; a launch may end for others.
bool isMemoryFault(FaultKind Kind);

/// Runs \p Launch over \p Memory; no byte of \p Outputs, buffers of it, counts as written
/// before. The fault of the first block that has one, of any kind; none where all is well.
/// Launch.Memory is not looked at. Errors: those of HostProgram::launch(), and Input
/// where \p Program does not watch memory.
llvm::Expected<std::optional<HostFault>> findMemoryFault(const HostProgram &Program, HostLaunch Launch,
                                                         GuardedMemory &Memory,
                                                         llvm::ArrayRef<const GuardedBuffer *> Outputs);

} // namespace gpuprune

#endif // GPUPRUNE_HOSTEXECUTION_WATCHEDLAUNCH_H
