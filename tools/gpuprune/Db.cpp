//===- Db.cpp - gpuprune db -------------------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "gpuprune/Database/CompileCache.h"
#include "gpuprune/Database/ResultDatabase.h"
#include "gpuprune/Support/Counted.h"
#include "gpuprune/Support/EnumNames.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace llvm;

namespace gpuprune {

static constexpr EnumName<DbAction> ActionRows[] = {{DbAction::List, "list"},
                                                    {DbAction::Show, "show"},
                                                    {DbAction::Prune, "prune"},
                                                    {DbAction::Export, "export"}};

Expected<DbAction> parseDbAction(StringRef Name) {
  if (std::optional<DbAction> Found = EnumNames<DbAction>{ActionRows}.find(Name))
    return *Found;
  SmallVector<StringRef, 4> Known;
  for (const auto &Row : ActionRows)
    Known.push_back(Row.Name);
  return makeError(ErrorKind::Usage,
                   formatv("db: there is no action '{0}'{1}", Name, nearestNameHint(Name, Known)));
}

/// What of a key is shown in lists; enough to tell millions apart.
static constexpr size_t ShownKeyDigits = 12;

static Expected<std::optional<int64_t>> secondBefore(StringRef Age) {
  if (Age.empty())
    return std::nullopt;
  StringRef Number = Age;
  int64_t Unit = Number.consume_back("d") ? 86400 : Number.consume_back("h") ? 3600 : 0;
  uint32_t Count = 0;
  if (!Unit || Number.getAsInteger(10, Count))
    return makeError(
        ErrorKind::Usage,
        formatv("--older-than '{0}': expected a number of days or hours such as 30d or 12h", Age));
  auto Now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(Now).count() - int64_t(Count) * Unit;
}

static Error checkStatus(StringRef Status) {
  if (Status.empty() || protocol::parseResultStatus(Status))
    return Error::success();
  static constexpr StringRef Known[] = {
#define GPUPRUNE_RESULT_STATUS(Enumerator, Name) Name,
#include "gpuprune/Runtime/ResultStatus.def"
  };
  return makeError(ErrorKind::Usage,
                   formatv("--status '{0}': no such status{1}", Status, nearestNameHint(Status, Known)));
}

static Expected<ResultFilter> filterOf(const ResultSelection &S) {
  Expected<std::optional<int64_t>> Before = secondBefore(S.OlderThan);
  if (!Before)
    return Before.takeError();
  if (Error E = checkStatus(S.Status))
    return std::move(E);
  return ResultFilter{S.KeyPrefix, S.Workload, S.Kernel, S.Variant, S.Gpu, S.Status, *Before};
}

static bool selectsSomething(const ResultSelection &S) {
  return any_of(
      ArrayRef<StringRef>{S.KeyPrefix, S.Workload, S.Kernel, S.Variant, S.Gpu, S.Status, S.OlderThan},
      [](StringRef Text) { return !Text.empty(); });
}

static std::string timeText(int64_t Seconds) {
  sys::TimePoint<std::chrono::seconds> Time{std::chrono::seconds(Seconds)};
  return formatv("{0:%Y-%m-%d %H:%M}", sys::TimePoint<>(Time));
}

static json::Object toJSON(const StoredResult &Row) {
  return json::Object{{"key", Row.Key},
                      {"measured_at", Row.MeasuredAt},
                      {"workload", json::fixUTF8(Row.Facts.Workload)},
                      {"kernel", json::fixUTF8(Row.Facts.Kernel)},
                      {"kind", Row.Facts.Kind},
                      {"variant", json::fixUTF8(Row.Facts.Variant)},
                      {"target", Row.Facts.Target},
                      {"size", Row.Facts.Size},
                      {"tools", json::fixUTF8(Row.Facts.Tools)},
                      {"machine_code", json::fixUTF8(Row.Facts.MachineCode)},
                      {"gpu", json::fixUTF8(Row.Gpu)},
                      {"driver", Row.Driver},
                      {"result", protocol::toJSON(Row.Result)}};
}

static std::string nameOf(const StoredResult &Row) {
  if (Row.Facts.Kind == "stock")
    return "(as written, stock clang -O3)";
  if (Row.Facts.Kind == "final")
    return "(final rounds)";
  if (Row.Facts.Kind == "reference")
    return "(prepared, checked) " + Row.Facts.Variant;
  return Row.Facts.Variant.empty() ? "(as written, prepared)" : Row.Facts.Variant;
}

static void printLine(raw_ostream &OS, const StoredResult &Row) {
  const protocol::Result &R = Row.Result;
  std::string Ms = R.MedianMs ? formatv("{0:F3}", *R.MedianMs).str() : "-";
  OS << formatv("{0}  {1}  {2,-8}  {3,-9}  {4,9}  {5}  {6}  {7}: {8}\n",
                StringRef(Row.Key).take_front(ShownKeyDigits), timeText(Row.MeasuredAt),
                protocol::resultStatusName(R.Status), checkOutcomeName(R.Check), Ms, Row.Gpu,
                Row.Facts.Kernel, Row.Facts.Size, nameOf(Row));
}

static void printAll(raw_ostream &OS, const StoredResult &Row) {
  auto Line = [&](StringRef Name, const Twine &Value) { OS << formatv("{0,-10}", Name) << Value << '\n'; };
  Line("key", Row.Key);
  Line("measured", timeText(Row.MeasuredAt));
  Line("gpu", formatv("{0}, driver {1}", Row.Gpu, Row.Driver).str());
  Line("workload", Row.Facts.Workload);
  Line("kernel", Row.Facts.Kernel);
  Line("size", Row.Facts.Size);
  Line("target", Row.Facts.Target);
  Line("variant", nameOf(Row));
  Line("tools", Row.Facts.Tools);
  if (!Row.Facts.MachineCode.empty())
    Line("code", Row.Facts.MachineCode);
  OS << formatv("{0:2}\n", protocol::toJSON(Row.Result));
}

static Error list(ResultDatabase &Db, const ResultFilter &Filter, raw_ostream &OS) {
  return Db.forEach(Filter, [&](const StoredResult &Row) {
    printLine(OS, Row);
    return Error::success();
  });
}

static Error listAsJson(ResultDatabase &Db, const ResultFilter &Filter, raw_ostream &OS) {
  json::OStream Array(OS, /*IndentSize=*/2);
  Array.arrayBegin();
  Error E = Db.forEach(Filter, [&](const StoredResult &Row) {
    Array.value(toJSON(Row));
    return Error::success();
  });
  Array.arrayEnd();
  OS << '\n';
  return E;
}

static Error show(ResultDatabase &Db, const ResultFilter &Filter, bool Json, raw_ostream &OS) {
  if (Filter.KeyPrefix.empty())
    return makeError(ErrorKind::Usage,
                     "db show: which result? expected the beginning of a key as db list shows it");
  Expected<uint64_t> Count = Db.count(Filter);
  if (!Count)
    return Count.takeError();
  if (*Count == 0)
    return makeError(ErrorKind::Input, formatv("no result in '{0}' has a key that begins with '{1}'",
                                               Db.path(), Filter.KeyPrefix));
  if (Json)
    return listAsJson(Db, Filter, OS);
  return Db.forEach(Filter, [&](const StoredResult &Row) {
    printAll(OS, Row);
    return Error::success();
  });
}

static Error exportLines(ResultDatabase &Db, const ResultFilter &Filter, raw_ostream &OS) {
  return Db.forEach(Filter, [&](const StoredResult &Row) {
    OS << json::Value(toJSON(Row)) << '\n';
    return Error::success();
  });
}

static Error prune(ResultDatabase &Db, const ResultFilter &Filter, const DbOptions &Options,
                   raw_ostream &OS) {
  if (Options.Selected.All == selectsSomething(Options.Selected))
    return makeError(
        ErrorKind::Usage,
        "db prune: expected either --all or at least one of KEY, --workload, --kernel, --variant, --gpu, "
        "--status and --older-than");
  Expected<uint64_t> Removed = Options.DryRun ? Db.count(Filter) : Db.remove(Filter);
  if (!Removed)
    return Removed.takeError();
  OS << formatv("{0} {1}removed from '{2}'\n", counted(*Removed, "result"), Options.DryRun ? "would be " : "",
                Db.path());
  return Error::success();
}

//===----------------------------------------------------------------------===//
// What was compiled
//===----------------------------------------------------------------------===//

static std::string sizeText(const CacheSize &Size) {
  return formatv("{0} of {1:F1} MiB with what was compiled", counted(Size.Values, "file"),
                 double(Size.Bytes) / (1 << 20));
}

/// Whether only files, and none of the columns of results, are asked about.
static bool selectsByAgeAlone(const ResultSelection &S) {
  return none_of(ArrayRef<StringRef>{S.KeyPrefix, S.Workload, S.Kernel, S.Variant, S.Gpu, S.Status},
                 [](StringRef Text) { return !Text.empty(); });
}

static void listCompiled(const DbOptions &Options, raw_ostream &OS) {
  if (Options.Json || selectsSomething(Options.Selected))
    return;
  CompileCache Cache(compileCachePath(Options.File));
  if (CacheSize Size = Cache.size(); Size.Values)
    OS << formatv("{0} in '{1}'\n", sizeText(Size), Cache.folder());
}

/// By when they were used last. \p SaysNone: also that there are none.
static void pruneCompiled(const DbOptions &Options, std::optional<int64_t> BeforeSecond, bool SaysNone,
                          raw_ostream &OS) {
  CompileCache Cache(compileCachePath(Options.File));
  std::optional<sys::TimePoint<>> Before;
  if (BeforeSecond)
    Before = sys::TimePoint<>(std::chrono::seconds(*BeforeSecond));
  CacheSize Size = Options.DryRun ? Cache.size(Before) : Cache.remove(Before);
  if (Size.Values || SaysNone)
    OS << formatv("{0} {1}removed from '{2}'\n", sizeText(Size), Options.DryRun ? "would be " : "",
                  Cache.folder());
}

/// Whether there is nothing else than what was compiled, or nothing else is asked about.
static bool concernsCompiledAlone(const DbOptions &Options) {
  if (Options.Action == DbAction::Prune && Options.Selected.Compiled)
    return true;
  return (Options.Action == DbAction::List || Options.Action == DbAction::Prune) &&
         !sys::fs::exists(Options.File) && sys::fs::is_directory(compileCachePath(Options.File));
}

static Error runOnCompiled(const DbOptions &Options, const ResultFilter &Filter, raw_ostream &OS) {
  if (Options.Action == DbAction::List) {
    listCompiled(Options, OS);
    return Error::success();
  }
  const ResultSelection &S = Options.Selected;
  if (!selectsByAgeAlone(S) || S.All == Filter.Before.has_value())
    return makeError(ErrorKind::Usage,
                     "db prune: of what was compiled, expected --all or --older-than alone: nothing else is "
                     "known of it");
  pruneCompiled(Options, Filter.Before, /*SaysNone=*/true, OS);
  return Error::success();
}

static Error runAction(ResultDatabase &Db, const ResultFilter &Filter, const DbOptions &Options,
                       raw_ostream &OS) {
  switch (Options.Action) {
  case DbAction::List:
    return Options.Json ? listAsJson(Db, Filter, OS) : list(Db, Filter, OS);
  case DbAction::Show:
    return show(Db, Filter, Options.Json, OS);
  case DbAction::Prune:
    return prune(Db, Filter, Options, OS);
  case DbAction::Export:
    return exportLines(Db, Filter, OS);
  }
  llvm_unreachable("every action is covered");
}

Error runDb(const DbOptions &Options, raw_ostream &OS) {
  Expected<ResultFilter> Filter = filterOf(Options.Selected);
  if (!Filter)
    return Filter.takeError();
  if (concernsCompiledAlone(Options))
    return runOnCompiled(Options, *Filter, OS);
  Expected<ResultDatabase> Db = ResultDatabase::openExisting(Options.File, Options.Action == DbAction::Prune);
  if (!Db)
    return Db.takeError();
  if (Error E = runAction(*Db, *Filter, Options, OS))
    return E;
  if (Options.Action == DbAction::List)
    listCompiled(Options, OS);
  else if (Options.Action == DbAction::Prune && selectsByAgeAlone(Options.Selected))
    pruneCompiled(Options, Filter->Before, /*SaysNone=*/false, OS);
  if (Db->damagedRows())
    errs() << formatv("gpuprune: warning: {0} of '{1}' left out because of damage\n",
                      counted(Db->damagedRows(), "row"), Db->path());
  return Error::success();
}

} // namespace gpuprune
