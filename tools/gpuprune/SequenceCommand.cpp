//===- SequenceCommand.cpp - gpuprune tune of a sequence --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SequenceCommand.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

Expected<size_t> launchesToTune(TuneOptions &Options) {
  if (Options.Launch)
    return 1;
  Expected<size_t> All = countLaunches(Options.Workload);
  if (!All) {
    consumeError(All.takeError()); // Said where the workload is read to be tuned.
    return 1;
  }
  if (*All > 1 && Options.StopAfter == Phase::Frontend)
    Options.Launch = *All; // The bitcode is that of all kernels of the file.
  if (*All == 1 || Options.Launch)
    return 1;
  if (!Options.BundleDirectory.empty())
    return makeError(ErrorKind::Usage,
                     "--bundle: of a sequence, the bundle of one launch can be written: --launch=N; "
                     "or with --stop-after=frontend that of all");
  return *All;
}

Error runSequence(const TuneOptions &Options, size_t Launches, Progress &Shown, const std::string &JsonFile,
                  function_ref<Error(const SequenceReport &)> Write) {
  Expected<SequenceReport> Found = tuneSequence(Options, Launches, Shown);
  if (!Found)
    return Found.takeError();
  if (Error E = Write(*Found))
    return E;
  if (!JsonFile.empty())
    if (Error E = writeFile(JsonFile, formatv("{0:2}\n", toJSON(*Found)).str()))
      return E;
  for (const TuneReport &Each : Found->Launches) {
    if (!Each.AuthorFailure.empty())
      return makeError(ErrorKind::Input, Each.AuthorFailure);
    if (Each.RunnerFailed)
      return makeError(ErrorKind::Runner, Each.NotMeasured);
  }
  if (Found->Whole.IsWrong)
    return makeError(ErrorKind::Internal,
                     "the choices together compute something else than the source as written: " +
                         Found->Whole.Problem);
  return Error::success();
}

} // namespace gpuprune
