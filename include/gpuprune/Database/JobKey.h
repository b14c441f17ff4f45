//===- JobKey.h - Which stored result answers a job -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DATABASE_JOBKEY_H
#define GPUPRUNE_DATABASE_JOBKEY_H

#include "gpuprune/Runtime/Protocol.h"

namespace gpuprune {

/// The text that is the same for two jobs just where they ask for the same thing
/// of the same kind of GPU: the job as the runner gets it, without its id and its
/// limits of time, each launch's cubin and symbol replaced by Launch::Code; then
/// the protocol, and of the GPU what the hello line says. Input error for a job
/// with a launch that has no Code.
llvm::Expected<std::string> keyText(const protocol::Job &Job, const protocol::Hello &Gpu);

/// SHA-256 of keyText, 64 hexadecimal digits.
llvm::Expected<std::string> jobKey(const protocol::Job &Job, const protocol::Hello &Gpu);

/// Whether \p Result says something of the candidate that will be so the next time,
/// too. No such thing is a failure of the runner, or of a runner that was killed.
bool isFinal(const protocol::Result &Result);

/// Whether a stored \p Result is what \p Job would give: a result that is slow is
/// one only while the job's own limits call that slow.
bool answers(const protocol::Result &Result, const protocol::Job &Job);

} // namespace gpuprune

#endif // GPUPRUNE_DATABASE_JOBKEY_H
