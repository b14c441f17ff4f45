//===- Operands.cpp - What stands on the command line beside options --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Operands.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>

using namespace llvm;

namespace gpuprune {

namespace {
/// The operands of one command.
struct OperandForm {
  StringLiteral Command;
  StringLiteral Usage; ///< "WORKLOAD"
  StringLiteral What;  ///< "a WORKLOAD (...)"
  unsigned Least, Most;
  StringLiteral Example;
};
} // namespace

static constexpr unsigned AnyNumber = std::numeric_limits<unsigned>::max();
static constexpr StringLiteral AWorkload =
    "a WORKLOAD (a folder with a workload.yaml, such a file, or a front-end bundle)";

static constexpr StringLiteral WhatToTune =
    "a WORKLOAD (a folder with a workload.yaml, such a file, a front-end bundle, or the folder of a program, "
    "such as app.gpuprune, which GPUPRUNE_DIR in the environment names, too)";

static constexpr OperandForm Forms[] = {
    {"tune", "WORKLOAD", WhatToTune, 1, 1, "gpuprune tune kernels/matmul"},
    {"survey", "FOLDER...", "a FOLDER (a workload, a front-end bundle, or a folder of these)", 1, AnyNumber,
     "gpuprune survey kernels"},
    {"metrics", "FILE.{cu,bc,ll}", "a FILE (.cu, .bc or .ll)", 1, 1,
     "gpuprune metrics kernels/matmul/matmul.cu"},
    {"emit", "WORKLOAD", AWorkload, 1, 1,
     "gpuprune emit kernels/matmul --variant 'gpu-unroll<loop=1;factor=4>'"},
    {"explain", "WORKLOAD", AWorkload, 1, 1, "gpuprune explain kernels/matmul"},
    {"report", "BUNDLE", "a BUNDLE (the folder that 'gpuprune tune --bundle' wrote)", 1, 1,
     "gpuprune report bundle --results results.jsonl"},
    {"devices", "[DEVICE]", "a DEVICE", 0, 1, "gpuprune devices sm_90"},
    {"passes", "", "nothing", 0, 0, "gpuprune passes"},
    {"evaluate", "PAPER", "a PAPER (liang or ryoo)", 1, 1, "gpuprune evaluate ryoo --data results.csv"},
    {"db", "list|show|prune|export [KEY]", "an action (list, show KEY, prune [KEY] or export)", 1, 2,
     "gpuprune db list"},
    {"record", "[show|check|prune [DIR]] [-- COMMAND...]",
     "a COMMAND behind --, or an action (show, check or prune)", 1, AnyNumber,
     "gpuprune record --dir=app.gpuprune -- ./app"},
};

/// The end of Forms for a command without operands of its own.
static const OperandForm *findForm(StringRef Command) {
  return find_if(Forms, [&](const OperandForm &F) { return F.Command == Command; });
}

StringRef operandsOf(StringRef Command) {
  const OperandForm *Form = findForm(Command);
  return Form == std::end(Forms) ? StringRef() : StringRef(Form->Usage);
}

Error checkCommand(StringRef FirstArgument, ArrayRef<cl::SubCommand *> Commands) {
  if (FirstArgument.empty() || FirstArgument.starts_with("-") || FirstArgument.starts_with("@"))
    return Error::success();
  SmallVector<StringRef, 16> Known;
  for (const cl::SubCommand *Command : Commands)
    Known.push_back(Command->getName());
  if (is_contained(Known, FirstArgument))
    return Error::success();
  return makeError(ErrorKind::Usage, "there is no command '" + FirstArgument + "'" +
                                         nearestNameHint(FirstArgument, Known) +
                                         "; 'gpuprune --help' describes them");
}

Error missing(StringRef Command, StringRef What) {
  return makeError(ErrorKind::Usage, formatv("gpuprune {0} needs {1}; for example: {2}", Command, What,
                                             findForm(Command)->Example));
}

Error checkOperands(StringRef Command, ArrayRef<std::string> Given) {
  const OperandForm &Form = *findForm(Command);
  if (Given.size() < Form.Least)
    return missing(Command, Form.What);
  if (Given.size() <= Form.Most)
    return Error::success();
  StringRef Hint = Command == "tune" ? "; several kernels are tuned by: gpuprune survey FOLDER..." : "";
  return makeError(ErrorKind::Usage,
                   formatv("gpuprune {0} takes {1}, but the command line also has '{2}' (put a text with "
                           "spaces in quotes); for example: {3}{4}",
                           Command, Form.What, join(Given.drop_front(Form.Most), "', '"), Form.Example,
                           Hint));
}

} // namespace gpuprune
