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

#include <string>

namespace llvm {
class PassBuilder;
}

namespace gpuprune {

struct RecordOptions {
  std::string Folder; ///< Of the records.
  /// A warning where it is not theirs (recordsDigest()): the build system does not know them. Empty: nobody
  /// has asked.
  std::string Digest;
  bool BitwiseOnly = false; ///< Only variants known to have stock clang's results bit by bit.
  bool MustExist = false;   ///< A warning where there is no such folder.
};

/// Schedules it for the records that \p Options name.
void scheduleRecords(llvm::PassBuilder &PB, const RecordOptions &Options);

} // namespace gpuprune

#endif // GPUPRUNE_DEPLOY_SCHEDULE_H
