//===- RecordCommand.cpp - gpuprune record -------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RecordCommand.h"
#include "OptionParsers.h"
#include "RecordedProcess.h"
#include "RecorderLibraries.h"
#include "SubCommands.h"
#include "gpuprune/Record/RecorderOptions.h"
#include "gpuprune/Record/RecordingsFolder.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "gpuprune/Support/UniqueFile.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <sys/wait.h>

using namespace llvm;

namespace gpuprune {

static cl::opt<std::string>
    Folder("dir", cl::desc("Folder of the device code and the recordings (default: $GPUPRUNE_DIR)"),
           cl::value_desc("DIR"), cl::sub(RecordCommand), cl::cat(Category));
static cl::opt<KeepRule, false, ChoiceParser<KeepRule>> Keep(
    "keep", cl::desc("Which launches to keep"),
    cl::values(
        clEnumValN(KeepRule::First, "first",
                   "the first of each launch class: kernel, grid, block, dynamic shared memory (default)"),
        clEnumValN(KeepRule::Largest, "largest", "of each kernel, one with the most threads")),
    cl::init(KeepRule::First), cl::sub(RecordCommand), cl::cat(Category));
static cl::opt<std::string> KernelText("kernel", cl::desc("Only kernels whose name contains this text"),
                                       cl::value_desc("TEXT"), cl::sub(RecordCommand), cl::cat(Category));
static cl::opt<std::string> MaxBytes("max-bytes", cl::desc("Most data of one recording (default: 1G)"),
                                     cl::value_desc("SIZE"), cl::init("1G"), cl::sub(RecordCommand),
                                     cl::cat(Category));
static cl::opt<std::string> MaxTotal("max-total",
                                     cl::desc("Most data of all recordings of a run (default: 16G)"),
                                     cl::value_desc("SIZE"), cl::init("16G"), cl::sub(RecordCommand),
                                     cl::cat(Category));
static cl::opt<unsigned, false, NumberParser<1, 1000000>>
    MaxClasses("max-classes", cl::desc("Most launch classes to keep of one kernel (default: 16)"),
               cl::value_desc("N"), cl::init(16), cl::sub(RecordCommand), cl::cat(Category));
static cl::opt<bool> After("after", cl::desc("Keep the contents after a launch, too, not only their hash"),
                           cl::sub(RecordCommand), cl::cat(Category));
static cl::opt<double> TimeLimit("time-limit",
                                 cl::desc("Seconds after which a recording is dropped and what waits for it\n"
                                          "goes on (default: 10)"),
                                 cl::value_desc("SECONDS"), cl::init(10), cl::sub(RecordCommand),
                                 cl::cat(Category));
static cl::opt<bool> AllRecordings("all", cl::desc("prune: remove all recordings"), cl::sub(RecordCommand),
                                   cl::cat(Category));

std::vector<std::string> keepRules() { return wordsOf(Keep.getParser()); }

/// "512M" in bytes.
static Error readSize(const cl::opt<std::string> &Option, uint64_t &Bytes) {
  StringRef Text = Option;
  uint64_t Number = 0;
  unsigned Shift = 0;
  bool Good = !Text.consumeInteger(10, Number) && Number > 0;
  if (Text == "K" || Text == "M" || Text == "G" || Text == "T")
    Shift = 10 * (StringRef("KMGT").find(Text) + 1);
  else
    Good &= Text.empty();
  // JSON's numbers are signed.
  if (!Good || Number > (uint64_t(1) << 62) >> Shift)
    return makeError(ErrorKind::Usage,
                     formatv("--{0} {1}: expected a number of bytes, such as 4096, 512M or 2G", Option.ArgStr,
                             Option.getValue()));
  Bytes = Number << Shift;
  return Error::success();
}

/// The folder, absolute, since the program may go to another one.
static Expected<std::string> directory(StringRef Named) {
  SmallString<256> Path = Named;
  if (Path.empty())
    Path = Folder;
  if (Path.empty())
    Path = sys::Process::GetEnv("GPUPRUNE_DIR").value_or("");
  if (Path.empty())
    return makeError(ErrorKind::Usage,
                     "which folder? --dir=DIR names it, or GPUPRUNE_DIR in the environment");
  if (std::error_code EC = sys::fs::make_absolute(Path))
    return makeError(ErrorKind::Io, formatv("'{0}': {1}", Path, EC.message()));
  return std::string(Path);
}

static Expected<RecorderOptions> recorderOptions() {
  RecorderOptions Options;
  if (Error E = directory("").moveInto(Options.Directory))
    return std::move(E);
  if (Error E = readSize(MaxBytes, Options.MaxBytes))
    return std::move(E);
  if (Error E = readSize(MaxTotal, Options.MaxTotal))
    return std::move(E);
  if (Error E = checkedNumber("time-limit", TimeLimit, 0.01, 1e6))
    return std::move(E);
  Options.Driver = sys::Process::GetEnv("GPUPRUNE_CUDA_DRIVER").value_or("");
  Options.Keep = Keep;
  Options.Kernel = KernelText;
  Options.MaxClasses = MaxClasses;
  Options.After = After;
  Options.TimeLimit = TimeLimit;
  return Options;
}

/// A file that the recorder writes to, so that it is known whether it was loaded. Removed with this object.
namespace {
class Mark {
public:
  explicit Mark(const std::string &Directory) {
    std::string Made;
    if (!createUniqueFile(Directory + "/.recorder-", Made))
      Path = std::move(Made);
  }
  ~Mark() {
    if (!Path.empty())
      (void)sys::fs::remove(Path);
  }
  Mark(const Mark &) = delete;
  Mark &operator=(const Mark &) = delete;
  const std::string &path() const { return Path; }
  bool isSet() const {
    uint64_t Size = 0;
    return Path.empty() || sys::fs::file_size(Path, Size) || Size > 0;
  }

private:
  std::string Path;
};
} // namespace

static void printNothingRecorded(const RecorderOptions &Options) {
  errs() << "gpuprune: nothing was recorded: the program did not start CUDA, or not with NVIDIA's driver";
  std::string Problem;
  std::string Driver = Options.Driver.empty() ? "libcuda.so.1" : Options.Driver;
  if (sys::DynamicLibrary::LoadLibraryPermanently(Driver.c_str(), &Problem))
    errs() << "; the driver cannot be opened: " << Problem;
  errs() << '\n';
}

/// \p Command ends with a null, as argv does.
static Expected<int> recordCommand(ArrayRef<char *> Command, const char *Argv0) {
  Expected<RecorderOptions> Options = recorderOptions();
  if (!Options)
    return Options.takeError();
  Expected<std::string> Library = findRecorder(Argv0);
  if (!Library)
    return Library.takeError();
  if (Error E = findCupti().moveInto(Options->Cupti))
    return std::move(E);
  if (Error E = prepareDirectory(Options->Directory))
    return std::move(E);
  removeUnfinished(Options->Directory);
  int Status = 0;
  {
    Mark Loaded(Options->Directory);
    Options->Mark = Loaded.path();
    Expected<int> Ended = runInForeground(
        Command, {{"CUDA_INJECTION64_PATH", *Library}, {RecorderVariable, printOptions(*Options)}});
    if (!Ended)
      return Ended.takeError();
    Status = *Ended;
    if (!Loaded.isSet())
      printNothingRecorded(*Options);
  }
  if (!WIFSIGNALED(Status))
    return WEXITSTATUS(Status);
  errs() << formatv(
      "gpuprune: signal {0} ended the program; recordings that were complete by then are kept\n",
      WTERMSIG(Status));
  endBySignal(Status);
  return 128 + WTERMSIG(Status);
}

static Error runAction(ArrayRef<std::string> Operands) {
  StringRef Action = Operands.front();
  bool Known = Action == "show" || Action == "check" || Action == "prune";
  if (!Known)
    return makeError(
        ErrorKind::Usage,
        formatv("gpuprune record: the program to record stands behind --: gpuprune record -- {0}; or "
                "give an action{1}",
                Action, nearestNameHint(Action, {"show", "check", "prune"})));
  if (Operands.size() > 2)
    return makeError(ErrorKind::Usage, formatv("gpuprune record {0} takes one folder", Action));
  RecordingSelection Selected;
  if (Error E = directory(Operands.size() > 1 ? Operands[1] : "").moveInto(Selected.Directory))
    return E;
  Selected.Kernel = KernelText;
  Selected.All = AllRecordings;
  Error E = Action == "show"    ? showRecordings(Selected, outs())
            : Action == "check" ? checkRecordings(Selected, outs())
                                : pruneRecordings(Selected, outs());
  outs().flush(); // Before what is said of an error.
  return E;
}

Expected<int> runRecord(ArrayRef<char *> Arguments, ArrayRef<std::string> Operands) {
  for (size_t I = 0; I + 1 < Arguments.size(); ++I)
    if (StringRef(Arguments[I]) == "--" && Arguments[I + 1])
      return recordCommand(Arguments.drop_front(I + 1), Arguments.front());
  if (Error E = runAction(Operands))
    return std::move(E);
  return 0;
}

} // namespace gpuprune
