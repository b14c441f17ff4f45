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
/// of the same kind of GPU: the job as the runner gets it, without its id, the names
/// of rivals and limits of time, each launch's cubin and symbol replaced by
/// Launch::Code, expected outputs by their hashes; then
/// the protocol, and of the GPU what the hello line says. Input error for a job
/// with a launch that has no Code.
llvm::Expected<std::string> keyText(const protocol::Job &Job, const protocol::Hello &Gpu);

/// SHA-256 of keyText, 64 hexadecimal digits.
llvm::Expected<std::string> jobKey(const protocol::Job &Job, const protocol::Hello &Gpu);

/// Whether \p Result says something of the candidate of \p Job that will be so the next
/// time, too. No such thing is a failure of the runner, of a runner that was killed, or
/// of any of several rivals.
bool isFinal(const protocol::Job &Job, const protocol::Result &Result);

/// A result that was stored under the key of a job.
struct KnownResult {
  protocol::Result Result;
  std::optional<double> TimeLimitSeconds; ///< What the job had then.
};

/// \p Known as the result of \p Job, whose key it has. Nothing where it does not
/// answer: a result is slow only while the job's own limits call it that, and a
/// timeout only where the job is given no more than it had then.
std::optional<protocol::Result> answerTo(const protocol::Job &Job, KnownResult Known,
                                         double TimeLimitSeconds);

} // namespace gpuprune

#endif // GPUPRUNE_DATABASE_JOBKEY_H
