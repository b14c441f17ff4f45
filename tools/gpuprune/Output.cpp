//===- Output.cpp - Where the result of a command goes ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Output.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Interrupt.h"
#include "gpuprune/Support/Process.h"

using namespace llvm;

namespace gpuprune {

/// A full disk is an error like any other.
static Error flushStandardOutput() {
  outs().flush();
  std::error_code EC = outs().error();
  outs().clear_error();
  return EC ? makeError(ErrorKind::Io, "cannot write the result: " + EC.message()) : Error::success();
}

Error writeOutput(const std::string &Path, function_ref<Error(raw_ostream &)> Write) {
  if (Path == "-")
    return joinErrors(Write(outs()), flushStandardOutput());
  std::string Text;
  raw_string_ostream OS(Text);
  if (Error E = Write(OS))
    return E;
  return writeFile(Path, Text);
}

void printWarnings(ArrayRef<std::string> Warnings) {
  for (const std::string &Warning : Warnings)
    errs() << Warning << '\n';
}

void sayHowToGoOn(StringRef DatabasePath) {
  // The cursor of a terminal is behind the progress, or the ^C that the terminal shows.
  std::string Text = errs().is_displayed() ? "\n" : "";
  Text += "gpuprune: interrupted";
  setLastWords(Text + (DatabasePath.empty() ? "\n" : "; run it again to go on\n"));
}

} // namespace gpuprune
