//===- StoredResults.cpp - A tuning run's use of the database ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/StoredResults.h"
#include "ResultJoin.h"
#include "gpuprune/Database/JobKey.h"
#include "gpuprune/Support/Counted.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/UniqueFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <chrono>

using namespace llvm;

namespace gpuprune {

/// Once: what is wrong with a database is mostly wrong with every row.
void StoredResults::note(const Twine &Text) {
  std::string Note = Text.str();
  if (is_contained(Report.Database.Notes, Note))
    return;
  Shown.warn("gpuprune: warning: " + Note);
  Report.Database.Notes.push_back(std::move(Note));
}

Error StoredResults::open() {
  std::vector<std::string> Notes;
  Expected<ResultDatabase> Opened = ResultDatabase::open(Options.Path, Notes);
  for (const std::string &Note : Notes)
    note(Note);
  if (!Opened)
    return Opened.takeError();
  Database.emplace(std::move(*Opened));
  Report.Database.Path = Options.Path;
  return Error::success();
}

/// Why \p Path cannot be written. Its folders may be missing: then the nearest one that exists has
/// to take a file.
static std::error_code whyUnwritable(StringRef Path) {
  if (sys::fs::exists(Path))
    return sys::fs::access(Path, sys::fs::AccessMode::Write);
  StringRef Folder = Path;
  while (!Folder.empty() && !sys::fs::exists(Folder))
    Folder = sys::path::parent_path(Folder);
  SmallString<128> Prefix(Folder);
  sys::path::append(Prefix, "gpuprune-");
  std::string Made;
  if (std::error_code EC = createUniqueFile(Prefix, Made))
    return EC;
  return sys::fs::remove(Made);
}

Error StoredResults::openDemanded() {
  if (Options.Path.empty())
    return Error::success();
  if (!Options.Demanded) { // Made only once there is something to store.
    if (std::error_code EC = whyUnwritable(Options.Path))
      Shown.warn(
          formatv("gpuprune: warning: results will not be stored: database '{0}' cannot be written: {1}; "
                  "--db names another file",
                  Options.Path, EC.message())
              .str());
    return Error::success();
  }
  Error E = open();
  if (!E)
    return E;
  TakenError Taken = takeError(std::move(E));
  return makeError(Taken.Kind, Taken.Text + "; --db names another file, --no-db goes on without");
}

void StoredResults::begin(const protocol::Hello &OfGpu, double OfJobs, StringRef OfTools) {
  Gpu = OfGpu;
  TimeLimitSeconds = OfJobs;
  Tools = OfTools.str();
  if (Options.Path.empty() || Database)
    return;
  if (Error E = open())
    note("results are not stored: " + toString(std::move(E)) + "; --db names another file");
}

std::optional<std::string> StoredResults::keyOf(const protocol::Job &J) {
  Expected<std::string> Key = jobKey(J, Gpu);
  if (Key)
    return std::move(*Key);
  // The same for all jobs: ptxas did not tell its version.
  consumeError(Key.takeError());
  note("results are not stored, since the version of ptxas is not known");
  return std::nullopt;
}

std::optional<protocol::Result> StoredResults::find(const protocol::Job &J) {
  if (!Database || Options.Fresh)
    return std::nullopt;
  std::optional<std::string> Key = keyOf(J);
  if (!Key || OwnKeys.contains(*Key))
    return std::nullopt;
  uint64_t DamagedBefore = Database->damagedRows();
  Expected<std::optional<KnownResult>> Found = Database->find(*Key);
  if (!Found) {
    note("a stored result could not be read: " + toString(Found.takeError()));
    return std::nullopt;
  }
  if (Database->damagedRows() != DamagedBefore)
    note(formatv("the database '{0}' has rows that are damaged; they are measured again", Options.Path));
  if (!*Found)
    return std::nullopt;
  std::optional<protocol::Result> Answer = answerTo(J, std::move(**Found), TimeLimitSeconds);
  Report.Database.Taken += Answer.has_value();
  return Answer;
}

/// From an id as ResultJoin.h describes it.
JobFacts StoredResults::factsOf(const protocol::Job &J) const {
  JobFacts Facts;
  Facts.Workload = Report.Workload;
  Facts.Kernel = Report.Kernel;
  auto [Head, Text] = StringRef(J.Id).split(' ');
  Facts.Kind = Head.take_until([](char C) { return C == ':' || C == '@'; }).str();
  Facts.Variant = Text.str();
  Facts.Target = Report.Device;
  Facts.Size = Report.Size;
  Facts.Tools = Tools;
  if (std::optional<size_t> Row = rowOfJob(Report, J.Id))
    Facts.MachineCode = Report.Variants[*Row].MachineCode;
  else if (J.Id == stockJobId(Report))
    Facts.MachineCode = Report.Stock.MachineCode;
  return Facts;
}

void StoredResults::keep(const protocol::Job &J, const protocol::Result &R) {
  if (!Database || !isFinal(J, R))
    return;
  std::optional<std::string> Key = keyOf(J);
  if (!Key)
    return;
  OwnKeys.insert(*Key);
  StoredResult Row;
  Row.Key = std::move(*Key);
  Row.Result = R;
  Row.Facts = factsOf(J);
  Row.Gpu = Gpu.Device;
  Row.Driver = Gpu.DriverVersion;
  Row.MeasuredAt =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  Row.TimeLimitSeconds = TimeLimitSeconds;
  Waiting.push_back(std::move(Row));
  storeWaiting();
}

void StoredResults::storeWaiting() {
  if (Error E = Database->store(Waiting)) {
    note("a result could not be stored: " + toString(std::move(E)) + "; it is tried again with the next one");
    return;
  }
  Report.Database.Stored += Waiting.size();
  Waiting.clear();
}

void StoredResults::finish() {
  if (!Waiting.empty())
    storeWaiting();
  if (!Waiting.empty())
    note(counted(Waiting.size(), "result is", "results are") +
         " in this report only and not in the database");
  Database.reset();
}

} // namespace gpuprune
