//===- SubCommands.h - The commands of gpuprune --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inline, so that they are there before the options of any source that includes this.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TOOLS_GPUPRUNE_SUBCOMMANDS_H
#define GPUPRUNE_TOOLS_GPUPRUNE_SUBCOMMANDS_H

#include "llvm/Support/CommandLine.h"

namespace gpuprune {

inline llvm::cl::OptionCategory Category("GpuPrune options");
inline llvm::cl::SubCommand TuneCommand("tune", "Find the fastest variant of a kernel");
inline llvm::cl::SubCommand SurveyCommand("survey", "Show the effect of each pass on each kernel");
inline llvm::cl::SubCommand
    MetricsCommand("metrics", "Count the instructions and resources that the kernels of a file use");
inline llvm::cl::SubCommand EmitCommand("emit",
                                        "Write one variant as IR, PTX, cubin, header or tuning record");
inline llvm::cl::SubCommand
    ExplainCommand("explain", "Show how a kernel accesses memory, line by line, and its occupancy");
inline llvm::cl::SubCommand DevicesCommand("devices",
                                           "Print the table of devices, or all limits of one device");
inline llvm::cl::SubCommand PassesCommand("passes", "Print the passes and their options");
inline llvm::cl::SubCommand RecordCommand("record",
                                          "Run a program and record its kernel launches with their data");
inline llvm::cl::SubCommand EvaluateCommand("evaluate",
                                            "Evaluate the experiments of a paper from recorded data");
inline llvm::cl::SubCommand DbCommand("db", "List, show, prune or export the results in the database");
inline llvm::cl::SubCommand ReportCommand("report",
                                          "Print the report of a bundle that gpuprune-runner has measured");

} // namespace gpuprune

#endif // GPUPRUNE_TOOLS_GPUPRUNE_SUBCOMMANDS_H
