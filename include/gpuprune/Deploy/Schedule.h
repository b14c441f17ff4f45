//===- Schedule.h - Where a build applies tuning records -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -mllvm -gpuprune-records=DIR, or GPUPRUNE_DIR: in the device compile, the tuned kernel of each record is
// put beside the author's; in the host compile, launches choose between the two at run time. Without a record
// that is about the file, nothing changes. A record that does not fit is a warning, and the author's kernel
// is launched.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DEPLOY_SCHEDULE_H
#define GPUPRUNE_DEPLOY_SCHEDULE_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class PassBuilder;
}

namespace gpuprune {

/// Schedules it for the records in \p Folder. A warning where \p Digest is not theirs (recordsDigest()): the
/// build system does not know them. Empty: nobody has asked. \p BitwiseOnly: only for variants whose results
/// are known to be those of stock clang's code bit by bit.
void scheduleRecords(llvm::PassBuilder &PB, llvm::StringRef Folder, llvm::StringRef Digest, bool BitwiseOnly);

} // namespace gpuprune

#endif // GPUPRUNE_DEPLOY_SCHEDULE_H
