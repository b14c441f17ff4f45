//===- Commands.h - What each command of gpuprune does ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TOOLS_GPUPRUNE_COMMANDS_H
#define GPUPRUNE_TOOLS_GPUPRUNE_COMMANDS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuprune {

enum class EmitKind { IR, Ptx, Cubin, Header, Record };

struct EmitOptions {
  std::string Workload;
  std::string Variant; ///< Its text.
  EmitKind To = EmitKind::Ptx;
  std::string Device;
  unsigned Launch = 0; ///< Of a sequence, from 1.
  std::string Output;  ///< The file that the content goes to; empty: standard output.
};

/// gpuprune emit: one variant as text or binary. A pass that refuses is an error.
llvm::Error emitVariant(const EmitOptions &Options, llvm::raw_ostream &OS);

struct MetricsOptions {
  std::string File; ///< .cu, .bc or .ll
  std::string Device;
  std::string Pipeline;
  std::string Block; ///< "16,16": threads a block, for occupancy; may be empty.
  bool Json = false;
};

/// gpuprune metrics: counts, regions, resources and occupancy of each kernel.
llvm::Error printMetrics(const MetricsOptions &Options, llvm::raw_ostream &OS);

struct DevicesOptions {
  std::string Device; ///< One of them in full; empty: all.
  bool Json = false;
};

/// gpuprune devices: the table of devices.
llvm::Error printDevices(const DevicesOptions &Options, llvm::raw_ostream &OS);

/// gpuprune passes: what passes there are, with their options.
llvm::Error printPasses(bool AsJson, llvm::raw_ostream &OS);

/// gpuprune tune --print-space: the space that the workload writes or that is derived, as YAML, below
/// comments that say what became of its combinations.
llvm::Error printSpace(llvm::StringRef Workload, llvm::StringRef Device, unsigned Launch,
                       llvm::raw_ostream &OS);

enum class DbAction {
  List,   ///< A line for each result.
  Show,   ///< All of the results whose keys begin with what was given.
  Prune,  ///< Remove results.
  Export, ///< All of every result, one JSON object a line.
};
/// Usage error that says which there are.
llvm::Expected<DbAction> parseDbAction(llvm::StringRef Name);

/// Which stored results a command is about; texts as the user gave them, "" for any.
struct ResultSelection {
  std::string KeyPrefix, Workload, Kernel, Variant, Gpu, Status;
  std::string OlderThan; ///< "30d" or "12h".
  bool All = false;
  bool Compiled = false; ///< No results, but what was compiled.
};

struct DbOptions {
  DbAction Action = DbAction::List;
  std::string File;
  ResultSelection Selected;
  bool Json = false;
  bool DryRun = false;
};

/// gpuprune db: what is in the database of results. Errors: Usage for a selection
/// that says nothing, Input for one that means nothing, Io for the file.
llvm::Error runDb(const DbOptions &Options, llvm::raw_ostream &OS);

/// Makes the passes of an LLVM pass plugin known to pipelines. Input error for what
/// is none, Usage where this build can load none.
llvm::Error loadPassPlugin(const std::string &Path);

} // namespace gpuprune

#endif // GPUPRUNE_TOOLS_GPUPRUNE_COMMANDS_H
