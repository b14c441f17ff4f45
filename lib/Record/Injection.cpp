//===- Injection.cpp - The library that the driver loads into a program ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA_INJECTION64_PATH names it: cuInit opens it and calls InitializeInjection. Whatever fails here is a
// line on standard error, and the program runs as without it.
//
//===----------------------------------------------------------------------===//
#include "Recorder.h"
#include "gpuprune/Support/AddressLayout.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

using namespace llvm;

namespace gpuprune {

/// Standard error as it was at the beginning: the program may close it, or open something else in its place.
static int Output = -1;
static Recorder *TheRecorder = nullptr;
static std::string Cupti13;
static pid_t Process = 0;

static void say(const std::string &Text) {
  size_t Done = 0;
  while (Done < Text.size()) {
    ssize_t Written = ::write(Output, Text.data() + Done, Text.size() - Done);
    if (Written <= 0)
      return;
    Done += size_t(Written);
  }
}

static void sayLine(const std::string &Text) { say("gpuprune: " + Text + "\n"); }

static std::string environment(const char *Name) {
  const char *Value = ::getenv(Name);
  return Value ? Value : "";
}

static bool readOptions(RecorderOptions &Options) {
  std::string Text = environment(RecorderVariable);
  if (Text.empty()) {
    sayLine(
        formatv("nothing is recorded: start the program with 'gpuprune record -- COMMAND' ({0} is not set)",
                RecorderVariable));
    return false;
  }
  Expected<RecorderOptions> Read = parseOptions(Text);
  if (!Read) {
    sayLine(
        formatv("nothing is recorded: {0} is wrong: {1}; the recorder and gpuprune are of different versions",
                RecorderVariable, toString(Read.takeError())));
    return false;
  }
  Options = std::move(*Read);
  return true;
}

/// Tells gpuprune record that a process of the command has loaded the recorder.
static void leaveMark(const std::string &File) {
  int Descriptor = File.empty() ? -1 : ::open(File.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (Descriptor < 0)
    return;
  [[maybe_unused]] ssize_t Written = ::write(Descriptor, "recorder\n", 9);
  ::close(Descriptor);
}

static void atProcessEnd() {
  if (::getpid() != Process)
    return;
  std::string Text = TheRecorder->finish();
  std::string Other = Cupti::loadedByProgram(Cupti13);
  if (!Other.empty())
    Text += "gpuprune: the program has loaded CUPTI itself ('" + Other +
            "'): what it measures with it failed while it was recorded\n";
  say(Text);
}

static void initialize() {
  Output = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);
  if (Output < 0)
    Output = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  RecorderOptions Options;
  if (TheRecorder || !readOptions(Options))
    return;
  leaveMark(Options.Mark);
  std::string Why;
  if (std::string Other = Cupti::loadedByProgram(""); !Other.empty()) {
    sayLine("nothing is recorded: the program uses CUPTI itself ('" + Other +
            "'), which serves one tool only");
    return;
  }
  mapFarBelow(); // A replay has the places that are mapped from now on, or else it says so.
  const RecordDriver *Driver = RecordDriver::load(Options.Driver, Why);
  if (!Driver) {
    sayLine("nothing is recorded: " + Why);
    return;
  }
  Cupti13 = Options.Cupti;
  std::string File = Options.Cupti.empty() ? "libcupti" : Options.Cupti;
  auto *R = new Recorder(std::move(Options), *Driver);
  if (!Cupti::start(Cupti13, *R, Why)) {
    sayLine("nothing is recorded: '" + File + "': " + Why);
    return;
  }
  TheRecorder = R;
  Process = ::getpid();
  pthread_atfork(nullptr, nullptr, [] { TheRecorder->disable(); });
  std::atexit(atProcessEnd);
}

} // namespace gpuprune

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  gpuprune::initialize();
  return 1;
}
