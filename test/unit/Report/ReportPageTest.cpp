//===- ReportPageTest.cpp - The page that shows a report ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Report/ReportPage.h"
#include "gpuprune/Report/TuneReport.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

namespace {

std::string pageOf(json::Array Reports) {
  std::string Page;
  raw_string_ostream OS(Page);
  printPage(OS, std::move(Reports));
  return Page;
}

/// What a browser takes for the page's data: HTML ends a script at the first </script.
StringRef dataOf(StringRef Page) {
  return Page.split("<script type=\"application/json\" id=\"reports\">").second.split("</script").first;
}

/// As of a space that was measured whole.
VariantResult measuredRow(unsigned Number) {
  VariantResult R;
  R.Parts =
      cantFail(parseVariant("-DTILE=" + std::to_string(Number) +
                            " gpu-block-coarsen<x=8;y=8;shared=grouped>,gpu-prefetch<loop=0;to=register>,"
                            "gpu-unroll<loop=1;factor=4>,gpu-registers<max=128;threads=16x16x1;spill=12>"));
  R.OnGpu.Outcome = CheckOutcome::Bitwise;
  R.OnGpu.MedianMs = 2.9779 + Number;
  R.OnGpu.SamplesMs.assign(20, 2.977920055389404);
  R.MachineCode = std::string(64, 'a');
  return R;
}

} // namespace

TEST(ReportPage, NothingInTheDataIsTakenForHtml) {
  for (StringRef Evil :
       {"</script><script>alert(1)</script>", "<!--<script>", "</ScRiPt >", "<", "a<b>c", "]]>"}) {
    json::Object Report{{"kernel", Evil}, {Evil, json::Array{Evil}}};
    std::string Page = pageOf(json::Array{json::Value(json::Object(Report))});
    EXPECT_FALSE(dataOf(Page).contains('<')) << Evil.str();
    Expected<json::Value> Data = json::parse(dataOf(Page).trim());
    ASSERT_TRUE(bool(Data)) << toString(Data.takeError());
    EXPECT_EQ(*Data, json::Value(json::Object{{"reports", json::Array{json::Value(std::move(Report))}}}));
  }
}

TEST(ReportPage, ABriefReportHasWhatWasTimedOnTheParetoSetOrWrong) {
  auto Row = [](StringRef Name, json::Value Ms, bool Pareto, StringRef Key, StringRef Said) {
    return json::Object{{"variant", Name}, {"median_ms", std::move(Ms)}, {"pareto", Pareto}, {Key, Said}};
  };
  json::Object Report{
      {"kernel", "k"},
      {"variants",
       json::Array{Row("timed", 1.5, false, "status", "ok"), Row("plain", nullptr, false, "status", "ok"),
                   Row("pareto", nullptr, true, "status", "ok"),
                   Row("wrong", nullptr, false, "status", "wrong"),
                   Row("on the GPU", nullptr, false, "check", "wrong"),
                   Row("on the CPU", nullptr, false, "cpu_check", "wrong"), "no row"}}};
  json::Value Brief = briefReport(std::move(Report));
  std::string Left;
  for (const json::Value &V : *Brief.getAsObject()->getArray("variants"))
    Left += V.getAsObject()->getString("variant")->str() + ", ";
  EXPECT_EQ(Left, "timed, pareto, wrong, on the GPU, on the CPU, ");
  EXPECT_EQ(Brief.getAsObject()->getString("kernel"), StringRef("k"));
  EXPECT_EQ(briefReport(3), json::Value(3));
}

TEST(ReportPage, HoldsItsPartsAndAsksForNoOther) {
  std::string Page = pageOf({});
  StringRef Text = Page;
  EXPECT_TRUE(Text.starts_with("<!doctype html>"));
  EXPECT_TRUE(Text.trim().ends_with("</html>"));
  for (StringRef Part : {"@STYLE@", "@DATA@", "@SCRIPT@", "src=", "<link", "@import", "url("})
    EXPECT_FALSE(Text.contains(Part)) << Part.str();
  EXPECT_TRUE(Text.contains("Permission is hereby granted")); // The license of the plots.
  EXPECT_EQ(Text.count("</script>"), 2u);
}

TEST(ReportPage, AThousandVariantsAreTwoMegabytesAtMost) {
  TuneReport Report;
  for (unsigned Number = 0; Number != 1000; ++Number)
    Report.Variants.push_back(measuredRow(Number));
  EXPECT_LE(pageOf(json::Array{toJSON(Report)}).size(), 2u << 20);
}
