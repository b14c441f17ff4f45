//===- ReportPage.cpp - Tuning runs as a page for a browser -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The page is lib/Report/page/page.html with its style, its script and the plotting library put in.
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Report/ReportPage.h"
#include "PageParts.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace gpuprune {

/// JSON in which no text ends the script element that it stands in: HTML Standard, "Restrictions for contents
/// of script elements".
static void printForScript(raw_ostream &OS, const json::Value &Data) {
  std::string Text;
  raw_string_ostream(Text) << Data;
  for (StringRef Rest = Text; !Rest.empty();) {
    size_t End = Rest.find('<');
    OS << Rest.take_front(End);
    Rest = Rest.drop_front(std::min(End, Rest.size()));
    if (Rest.consume_front("<"))
      OS << "\\u003c";
  }
}

static bool isSaying(const json::Value &Variant) {
  const json::Object *Row = Variant.getAsObject();
  return Row &&
         (Row->getNumber("median_ms") || Row->getBoolean("pareto").value_or(false) ||
          is_contained({Row->getString("status"), Row->getString("check"), Row->getString("cpu_check")},
                       StringRef("wrong")));
}

json::Value briefReport(json::Value Report) {
  if (json::Object *Of = Report.getAsObject())
    if (json::Array *Variants = Of->getArray("variants")) {
      json::Array Saying;
      for (json::Value &V : *Variants)
        if (isSaying(V))
          Saying.push_back(std::move(V));
      *Variants = std::move(Saying);
    }
  return Report;
}

void printPage(raw_ostream &OS, json::Array Reports) {
  auto [BeforeStyle, BehindStyle] = StringRef(PageHtml).split("@STYLE@");
  auto [BeforeData, BehindData] = BehindStyle.split("@DATA@");
  auto [BeforeScript, BehindScript] = BehindData.split("@SCRIPT@");
  OS << BeforeStyle << PlotCss << PageCss << BeforeData;
  printForScript(OS, json::Object{{"reports", std::move(Reports)}});
  OS << BeforeScript << "/*\n" << PlotLicense << "*/\n" << PlotJs << PageJs << BehindScript;
}

} // namespace gpuprune
