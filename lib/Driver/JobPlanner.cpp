//===- JobPlanner.cpp - A run's jobs for the runner -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/JobPlanner.h"
#include "ResultJoin.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace gpuprune {

/// The same for the same code, launches, sizes, contents, comparison and timing, on every machine. The last
/// four are those of \p StockJob.
std::string JobPlanner::fingerprint(const protocol::Job &StockJob) const {
  std::string Parts = Report.Device + ";" + Report.Size + ";" + protocol::toLine(StockJob);
  for (const BuiltVariant &V : Of.Compared.all())
    Parts += formatv(";{0}:{1:x}:{2}", V.Row.text(), xxh3_64bits(V.Ptx), launchKey(V.Row.Launch));
  // What is built while others are measured goes to no other process.
  for (const auto &[Row, V] : zip_equal(Report.Variants, Variants)) {
    Parts += ";" + Row.text();
    if (!Of.BuildsBeside)
      Parts += formatv(":{0:x}:{1}", xxh3_64bits(V.Ptx), launchKey(V.Row.Launch));
  }
  return formatv("{0:x-16}", xxh3_64bits(Parts));
}

Expected<protocol::Job> JobPlanner::jobFor(const BuiltVariant &V, const BuiltVariant &Reference,
                                           std::string Id) const {
  return makeJob(V, std::move(Id),
                 {Of.W, Of.Builder, Of.Compared.stock(), Reference, Of.Compared.author(),
                  Of.Compared.stockFor(V), Of.Measuring, Of.Earlier});
}

Expected<std::vector<PlannedJob>> JobPlanner::references() {
  const BuiltVariant &Stock = Of.Compared.stock(), &Author = Of.Compared.author();
  for (const BuiltVariant *Needed : {&Stock, &Author})
    if (!Needed->alive())
      return makeError(*Needed->FailedAs, "the kernel as written cannot be run: " + Needed->Row.Message);
  std::vector<PlannedJob> Jobs;
  Expected<protocol::Job> StockJob = jobFor(Stock, Author, "stock");
  if (!StockJob)
    return StockJob.takeError();
  Report.Fingerprint = fingerprint(*StockJob);
  StockJob->Id = stockJobId(Report);
  for (protocol::Problem &Each : StockJob->Checks)
    addExpected(Report.Reproduced, Each);
  Jobs.push_back({std::move(*StockJob), std::nullopt, /*IsGate=*/true});
  for (const BuiltVariant &R : Of.Compared.all()) {
    if (!R.alive() || R.Stock)
      continue;
    Expected<protocol::Job> Job = jobFor(R, R, referenceJobId(Report, R.Row.text()));
    if (!Job)
      return Job.takeError();
    Job->Timing.reset();
    if (Error E = Of.Expected.addTo(*Job, R.Row.text(), Of.Folder))
      return std::move(E);
    Jobs.push_back({std::move(*Job), std::nullopt, /*IsGate=*/&R == &Author});
  }
  return Jobs;
}

Error JobPlanner::add(ArrayRef<size_t> Batch, FinalRounds &Final, std::vector<PlannedJob> &Jobs) {
  for (size_t Row : Batch) {
    const BuiltVariant *Reference = Of.Compared.preparedFor(Variants[Row]);
    if (!Reference) {
      Report.Variants[Row].Status = VariantStatus::Runner;
      Report.Variants[Row].Message = "the prepared kernel with these defines cannot be compiled, so there is "
                                     "nothing to check against";
      continue;
    }
    Expected<protocol::Job> Job = jobFor(Variants[Row], *Reference, variantJobId(Report, Row));
    if (!Job)
      return Job.takeError();
    Job->Timing->Watchdog = Of.Measuring.Watchdog;
    Job->Timing->ClearlySlower = Of.Measuring.ClearlySlower;
    if (Report.Variants[Row].mayWin()) {
      Job->Timing->Contests = {"all"};
      if (Report.hasAuthorDefines(Report.Variants[Row]))
        Job->Timing->Contests.push_back("author");
    }
    Final.add(*Job);
    Jobs.push_back({std::move(*Job), Row});
  }
  return Error::success();
}

} // namespace gpuprune
