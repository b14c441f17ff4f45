//===- Help.cpp - What --help prints ----------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Help.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace gpuprune {

static cl::OptionCategory Compiling("Compiling");
static cl::OptionCategory Searching("Searching");
static cl::OptionCategory Measuring("Measuring");
static cl::OptionCategory Result("Result");

static cl::OptionCategory Database("Database");
static cl::OptionCategory Selecting("Selecting");

/// The group of an option of \p Command; nothing for one that is in no group.
static cl::OptionCategory *groupOf(StringRef Command, StringRef Option) {
  if (is_contained({"db", "no-db", "fresh", "compile-cache"}, Option))
    return &Database;
  if (Command == "db" && Option != "format" && Option != "o")
    return &Selecting;
  return StringSwitch<cl::OptionCategory *>(Option)
      .Cases({"device", "variant", "pipeline", "block", "to", "jobs", "size", "load-pass-plugin"}, &Compiling)
      .Cases({"strategy", "build-at-most", "exhaustive", "print-space", "measure-at-least",
              "measure-of-cluster", "measure-twins", "negligible", "keep-spills", "check", "sample", "seed",
              "stop-after", "measure-alone"},
             &Searching)
      .Cases({"samples", "min-sample", "flush-l2", "rotate", "watchdog", "rounds", "budget", "kernel-budget",
              "runner", "bundle", "results"},
             &Measuring)
      .Cases({"format", "o", "json", "all", "top", "quiet"}, &Result)
      .Default(nullptr);
}

void arrangeHelp(ArrayRef<cl::SubCommand *> Commands, cl::OptionCategory &Ours) {
  SmallVector<cl::SubCommand *> All(Commands);
  All.push_back(&cl::SubCommand::getTopLevel());
  // What several commands share must not be out of Ours before all have been seen.
  for (cl::SubCommand *Command : All)
    cl::HideUnrelatedOptions(Ours, *Command);
  for (cl::SubCommand *Command : All)
    for (const auto &[Name, Option] : cl::getRegisteredOptions(*Command)) {
      if (Name == "help")
        Option->setDescription("Print this help");
      else if (Name == "help-list")
        Option->setDescription("Print the options in one list");
      else if (Name == "version")
        Option->setDescription("Print the versions of this program and of LLVM");
      if (cl::OptionCategory *Group = groupOf(Command->getName(), Name);
          Group && is_contained(Option->Categories, &Ours))
        Option->Categories.assign(1, Group);
    }
}

StringRef helpOverview(StringRef FirstArgument) {
  return StringSwitch<StringRef>(FirstArgument)
      .Case("tune",
            "Makes the variants of a kernel, prunes them, and times the remaining ones on the GPU.\n\n"
            "WORKLOAD is a folder with a workload.yaml, such a file, a front-end bundle, or what\n"
            "'gpuprune record' keeps: one recording, or the folder of a program with all of them\n"
            "(default: $GPUPRUNE_DIR). Without a GPU, it does everything except measuring.\n")
      .Case("survey", "Tunes each kernel and prints a table of kernels and passes: whether each pass was\n"
                      "applied, refused (and why) or not applicable, and the speed-up from each pass alone\n"
                      "and from all passes together.\n\n"
                      "FOLDER is a workload, a front-end bundle, or a folder of these.\n")
      .Case("metrics", "Counts the instructions and device resources that the kernels of a file use.\n")
      .Case("emit", "Writes one variant of a kernel. It is an error if a pass refuses.\n\n"
                    "WORKLOAD is a folder with a workload.yaml, such a file, a front-end bundle, or a\n"
                    "recording.\n")
      .Case("explain",
            "Runs a kernel on the CPU and prints what its memory accesses cost the GPU, line by line\n"
            "(sectors per request, bank conflicts, active lanes), and what limits the occupancy.\n\n"
            "WORKLOAD is a folder with a workload.yaml, such a file, a front-end bundle, or a\n"
            "recording.\n")
      .Case("report", "Reads the results that 'gpuprune-runner BUNDLE > results.jsonl' wrote and prints the\n"
                      "report that tune would have printed.\n")
      .Case("db", "Shows and cleans the database in which tune stores measured results.\n\n"
                  "  list     one line per result\n"
                  "  show     everything about the results whose keys begin with KEY\n"
                  "  prune    remove results, or the compile cache\n"
                  "  export   every result as one line of JSON\n")
      .Case("record",
            "Runs a program as it is and records its kernel launches with their arguments and data, for\n"
            "'gpuprune tune'. Its standard streams and its exit code are the program's.\n\n"
            "  show     one line per recording\n"
            "  check    whether all recordings are complete and have device code\n"
            "  prune    remove those that are not, those of --kernel, or --all\n")
      .Case("devices",
            "Prints the limits of each device and how many instructions of each kind one of its\n"
            "multiprocessors executes per cycle. DEVICE is an architecture or a GPU: sm_90, H200.\n")
      .Case(
          "evaluate",
          "Prints the tables of a paper's experiments, the paper's figures beside those of recorded data.\n\n"
          "  liang    Liang et al., Register and Thread Structure Optimization for GPUs, ASP-DAC 2013\n"
          "  ryoo     Ryoo et al., Program Optimization Space Pruning for a Multithreaded GPU, CGO 2008\n")
      .Case("passes",
            "Prints the passes in the recommended pipeline order, with their options and effects.\n")
      .Default("GpuPrune finds the fastest variant of a CUDA kernel.\n\n"
               "Exit codes: 0 success; 1 an input (workload, source, pipeline, results) is wrong;\n"
               "2 the command line is wrong; 3 a required program or library is missing;\n"
               "4 a file could not be read or written; 5 a pass refused; 6 the runner failed;\n"
               "70 an internal error.\n");
}

} // namespace gpuprune
