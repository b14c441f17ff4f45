//===- PageOutput.cpp - The page that shows a result ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PageOutput.h"
#include "OptionParsers.h"
#include "SubCommands.h"
#include "gpuprune/Report/ReportPage.h"
#include "gpuprune/Support/Process.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace gpuprune {

static cl::opt<std::string> PageFile("report",
                                     cl::desc("Also write the result as a page for a browser to this file"),
                                     cl::value_desc("FILE"), cl::sub(TuneCommand), cl::sub(SurveyCommand),
                                     cl::sub(ReportCommand), cl::cat(Category));

const std::string &pageFile() { return PageFile.getValue(); }

static Error write(json::Array Reports) {
  if (PageFile.empty())
    return Error::success();
  std::string Text;
  raw_string_ostream OS(Text);
  printPage(OS, std::move(Reports));
  return writeFile(PageFile, Text);
}

Error writePage(const TuneReport &Report) { return write(json::Array{toJSON(Report)}); }

Error writePage(const SequenceReport &Report) {
  json::Array Launches;
  for (const TuneReport &Each : Report.Launches)
    Launches.push_back(toJSON(Each));
  return write(std::move(Launches));
}

Error writePage(const ProgramReport &Report) {
  json::Array Classes;
  for (const ProgramClass &Each : Report.Classes)
    if (Each.Report)
      Classes.push_back(toJSON(*Each.Report));
  return write(std::move(Classes));
}

Error writePage(const Survey &Found) {
  json::Array Kernels;
  for (const SurveyedKernel &Each : Found.Kernels)
    if (Each.Report)
      Kernels.push_back(*Each.Report);
  return write(std::move(Kernels));
}

} // namespace gpuprune
