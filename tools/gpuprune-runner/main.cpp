//===- main.cpp - gpuprune-runner -----------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The measuring process. Without a directory it is a worker: a job a line on
// standard input, a result a line on standard output. With one it measures the
// bundle there, with itself as worker, so that a variant that faults or hangs
// costs a worker.
//
//===----------------------------------------------------------------------===//
#include "BundleMode.h"
#include "gpuprune/Runtime/JobServer.h"
#include "gpuprune/Support/AddressLayout.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Support/ShellQuote.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <unistd.h>

using namespace llvm;
using namespace gpuprune;

namespace {

/// More is no bound, and no time that a clock can hold either.
constexpr double MostSeconds = 1e9;

enum ExitCode {
  ExitOk = 0,
  ExitUsage = 1,       // The command line or the bundle is wrong.
  ExitIo = 2,          // A file or a worker failed.
  ExitNoGpu = 3,       // The hello line says why.
  ExitContextLost = 4, // Worker: a kernel faulted; its result is written.
  ExitSomeFailed = 5,  // Bundle: measured, but not every job is ok or slow.
};

constexpr StringLiteral Help =
    "Measures kernels on a GPU.\n\n"
    "  Without DIR, runs as a worker: reads one job per line from standard input and writes one\n"
    "  result per line to standard output.\n"
    "  With DIR, measures the bundle in that folder (DIR/plan.jsonl and cubins).\n\n"
    "  Exit codes: 0 success, 1 the command line or the bundle is wrong, 2 a file or a worker failed,\n"
    "  3 no GPU, 4 (worker) a kernel faulted and a new process is needed, 5 (bundle) a job ended\n"
    "  neither ok nor slow.\n\n"
    "  Environment: GPUPRUNE_CUDA_DRIVER names the driver library to use instead of libcuda.so.1;\n"
    "  GPUPRUNE_NVML names the library that reports the clock, instead of libnvidia-ml.so.1.\n";

cl::OptionCategory Category("gpuprune-runner options");
cl::opt<std::string> Directory(cl::Positional, cl::desc("[DIR]"), cl::cat(Category));
cl::opt<std::string> Only("only", cl::desc("Measure only jobs whose id contains this text"),
                          cl::value_desc("text"), cl::cat(Category));
cl::opt<std::string> Output("output", cl::desc("Write the results to this file instead of standard output"),
                            cl::value_desc("file"), cl::init("-"), cl::cat(Category));
cl::list<int> Devices("device",
                      cl::desc("GPU to use, numbered from 0 (default: 0); repeatable with a bundle"),
                      cl::value_desc("n"), cl::cat(Category));
cl::opt<double> Timeout("timeout", cl::desc("Time limit per job of a bundle, in seconds (default: 120)"),
                        cl::value_desc("s"), cl::init(120), cl::cat(Category));
cl::opt<double> Budget("budget",
                       cl::desc("Time limit of the whole bundle, in seconds; keeps what is measured by then"),
                       cl::value_desc("s"), cl::init(0), cl::cat(Category));
cl::opt<unsigned> CacheMb("cache",
                          cl::desc("Host memory in MiB for reference outputs that do not fit on the GPU\n"
                                   "(default: 4096)"),
                          cl::value_desc("MiB"), cl::init(4096), cl::cat(Category));
cl::opt<std::string> Trace("time-trace",
                           cl::desc("Worker: write a time trace for chrome://tracing or Perfetto"),
                           cl::value_desc("file"), cl::cat(Category));

int runAsWorker() {
  // Device-side printf and libraries write to descriptor 1: it becomes standard
  // error, and the results go out by another.
  int Results = ::dup(STDOUT_FILENO);
  if (Results < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    errs() << "gpuprune-runner: standard output is not open\n";
    return ExitIo;
  }
  JobServerOptions Options;
  if (const char *Path = std::getenv("GPUPRUNE_CUDA_DRIVER"))
    Options.DriverPath = Path;
  if (const char *Path = std::getenv("GPUPRUNE_NVML"))
    Options.NvmlPath = Path;
  Options.Version = GPUPRUNE_VERSION;
  Options.Device = Devices.empty() ? 0 : Devices.front();
  Options.CacheBytes = uint64_t(CacheMb) << 20;
  Options.TraceFile = Trace;
  Options.OnHangup = [] { ::_exit(ExitOk); };
  switch (serveJobs(Options, STDIN_FILENO, Results)) {
  case JobServerEnd::Finished:
    return ExitOk;
  case JobServerEnd::NoGpu:
    return ExitNoGpu;
  case JobServerEnd::ContextLost:
    return ExitContextLost;
  case JobServerEnd::OutputLost:
    return ExitIo;
  }
  return ExitIo;
}

int runAsBundle(const char *Argv0) {
  BundleModeOptions Options;
  Options.Directory = Directory;
  Options.Only = Only;
  Options.Output = Output;
  Options.TimeoutSeconds = Timeout;
  if (Budget.getNumOccurrences())
    Options.BudgetSeconds = Budget;
  std::string Self = shellQuoted(sys::fs::getMainExecutable(Argv0, reinterpret_cast<void *>(&runAsWorker)));
  std::vector<int> Used(Devices.begin(), Devices.end());
  if (Used.empty())
    Used.push_back(0);
  for (int Device : Used)
    Options.Workers.push_back(formatv("{0} --device={1} --cache={2}", Self, Device, unsigned(CacheMb)));
  Expected<BundleEnd> End = runBundle(Options);
  if (!End) {
    TakenError Taken = takeError(End.takeError());
    errs() << "gpuprune-runner: " << Taken.Text << '\n';
    bool Wrong = Taken.Kind == ErrorKind::Usage || Taken.Kind == ErrorKind::Input;
    return Wrong ? ExitUsage : ExitIo;
  }
  switch (*End) {
  case BundleEnd::AllOk:
    return ExitOk;
  case BundleEnd::SomeFailed:
    return ExitSomeFailed;
  case BundleEnd::NoGpu:
    return ExitNoGpu;
  }
  return ExitIo;
}

bool isDuration(StringRef Option, double Seconds) {
  bool Good = Seconds > 0 && Seconds <= MostSeconds;
  if (!Good)
    errs() << "gpuprune-runner: --" << Option << " needs a number of seconds above 0, at most 1e9\n";
  return Good;
}

} // namespace

/// Starts this program anew where that gives it the addresses that other processes without randomization
/// have.
static void beginWithFixedLayout(char **Argv) {
  if (fixAddressLayout())
    ::execv(sys::fs::getMainExecutable(Argv[0], reinterpret_cast<void *>(beginWithFixedLayout)).c_str(),
            Argv);
}

int main(int Argc, char **Argv) {
  beginWithFixedLayout(Argv);
  openStandardStreams();
  cl::HideUnrelatedOptions(Category);
  cl::SetVersionPrinter([](raw_ostream &OS) {
    OS << "gpuprune-runner " << GPUPRUNE_VERSION << " (protocol " << protocol::ProtocolVersion << ")\n";
  });
  if (!cl::ParseCommandLineOptions(Argc, Argv, Help, &errs()))
    return ExitUsage;
  if (!isDuration("timeout", Timeout) || (Budget.getNumOccurrences() && !isDuration("budget", Budget)))
    return ExitUsage;
  if (any_of(Devices, [](int Device) { return Device < 0; })) {
    errs() << "gpuprune-runner: --device needs the number of a GPU, from 0\n";
    return ExitUsage;
  }
  if (!Directory.empty())
    return runAsBundle(Argv[0]);
  if (Devices.size() > 1) {
    errs() << "gpuprune-runner: a worker uses one GPU; give --device once\n";
    return ExitUsage;
  }
  return runAsWorker();
}
