//===- TuneCommand.cpp - gpuprune tune --------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TuneCommand.h"
#include "gpuprune/Support/Error.h"

using namespace llvm;

namespace gpuprune {

/// 0 where one launch is asked for, or there is no sequence; else as many as the workload has. Where only the
/// front end runs, \p Options asks for the last one.
static Expected<size_t> launchesToTune(TuneOptions &Options) {
  if (Options.Launch)
    return 0;
  Expected<size_t> All = launchesOfSequence(Options.Workload);
  if (!All) {
    consumeError(All.takeError()); // Said where the workload is read to be tuned.
    return 0;
  }
  if (*All > 0 && Options.StopAfter == Phase::Frontend)
    Options.Launch = *All; // The bitcode is that of all kernels of the file.
  if (*All == 0 || Options.Launch)
    return 0;
  if (!Options.BundleDirectory.empty())
    return makeError(ErrorKind::Usage,
                     "--bundle: of a sequence, the bundle of one launch can be written: --launch=N; "
                     "or with --stop-after=frontend that of all");
  return *All;
}

/// Known to the report, and worth an exit code.
static Error problemOf(const TuneReport &Report) {
  if (!Report.AuthorFailure.empty())
    return makeError(ErrorKind::Input, Report.AuthorFailure);
  return Report.RunnerFailed ? makeError(ErrorKind::Runner, Report.NotMeasured) : Error::success();
}

static Error problemOf(const SequenceReport &Report) {
  for (const TuneReport &Each : Report.Launches)
    if (Error E = problemOf(Each))
      return E;
  const WholeSequence &Whole = Report.Whole;
  if (Whole.Check == CheckOutcome::Wrong)
    return makeError(ErrorKind::Internal,
                     "the choices together compute something else than the source as written: " +
                         Whole.Problem);
  if (Whole.HasRun && !Whole.Problem.empty())
    return makeError(ErrorKind::Runner, "the whole sequence: " + Whole.Problem);
  return Error::success();
}

template <typename R> static Error finish(Expected<R> Report, function_ref<Error(const R &)> Write) {
  if (!Report)
    return Report.takeError();
  if (Error E = Write(*Report))
    return E;
  return problemOf(*Report);
}

Error runTune(TuneOptions Options, Progress &Shown, function_ref<Error(const TuneReport &)> Write,
              function_ref<Error(const SequenceReport &)> WriteSequence) {
  Expected<size_t> Launches = launchesToTune(Options);
  if (!Launches)
    return Launches.takeError();
  if (*Launches > 0)
    return finish(tuneSequence(Options, *Launches, Shown), WriteSequence);
  return finish(Tuner(std::move(Options), Shown).run(), Write);
}

} // namespace gpuprune
