//===- CpuCheckKept.cpp - Checks on the CPU, made or taken ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CpuCheckRuns.h"
#include "gpuprune/Check/CpuCheck.h"
#include "gpuprune/CodeGen/CodeRecords.h"
#include "gpuprune/Variant/KeptBuilds.h"

using namespace llvm;

namespace gpuprune {

namespace {
struct KeptCheck {
  VariantStatus Status = VariantStatus::Ok;
  std::string Message;
  HostCheck OnCpu;
};

template <typename R> void mapRecord(R &Record, KeptCheck &C) {
  auto &[Status, Message, OnCpu] = C;
  auto &[Outcome, Launch, Sizes, Note, Tolerance] = OnCpu;
  Record(Status, Message, Outcome, Launch, Sizes, Note, Tolerance);
}

struct KeptAuthor {
  std::optional<TakenError> Failure;
  std::vector<std::string> Doubts;
};

template <typename R> void mapRecord(R &Record, KeptAuthor &A) {
  auto &[Failure, Doubts] = A;
  Record(Failure, Doubts);
}
} // namespace

/// Of the programs that take part, by what they were compiled from, of the launch, and of the problem; empty
/// where one of these is not known.
std::string CpuCheck::checkKey(const BuiltVariant &V, const BuiltVariant &Reference, CheckDepth Depth) {
  const BuiltVariant *Author = Standards.Author();
  RecordWriter Key;
  for (const BuiltVariant *Program :
       {&V, &Reference, Author, Standards.Stock(Reference), Author ? Standards.Stock(*Author) : nullptr}) {
    if (Program && Program->CodeKey.empty())
      return "";
    Key(Program ? Program->CodeKey : "", Program && Program->alive());
  }
  Key(Builder.problemIdentity(), Builder.definesText(V.parts()), V.parts().Block.value_or(Dim3{0, 0, 0}),
      launchKey(V.Row.Launch), Builder.choiceOf(V.parts()).Text, Depth,
      Standards.Earlier ? Standards.Earlier->codeKey() : "");
  return Key.text();
}

Expected<std::vector<std::string>> CpuCheck::checkAuthor(CheckDepth Depth) {
  const BuiltVariant *Author = Standards.Author();
  if (!Author || !Author->alive())
    return std::vector<std::string>(); // That is a failure of its own.
  KeptBuilds *Kept = Builder.kept();
  std::string Key = Kept ? checkKey(*Author, *Author, Depth) : "";
  std::optional<KeptAuthor> Found;
  if (!Key.empty())
    Found = Kept->find<KeptAuthor>(KeptStep::Check, "author " + Key);
  if (!Found) {
    Found.emplace();
    bool ByMachine = false;
    if (Error E = checkAuthorAnew(*Author, Depth, Found->Doubts, ByMachine))
      Found->Failure = takeError(std::move(E));
    if (!Key.empty() && !ByMachine)
      Kept->keep(KeptStep::Check, "author " + Key, *Found);
  }
  if (Found->Failure)
    return makeError(Found->Failure->Kind, Found->Failure->Text);
  return std::move(Found->Doubts);
}

/// Whether a slower machine with less memory would say the same.
static bool isLasting(const KeptCheck &Found) {
  bool Decided = Found.Status == VariantStatus::Ok || Found.Status == VariantStatus::Wrong ||
                 Found.Status == VariantStatus::Fault;
  return Decided && Found.OnCpu.Note.empty();
}

void CpuCheck::check(const BuiltVariant &V, const BuiltVariant &Reference, CheckDepth Depth,
                     VariantResult &Row) {
  KeptBuilds *Kept = Builder.kept();
  std::string Key = Kept && Row.isGood() ? checkKey(V, Reference, Depth) : "";
  bool ByMachine = false;
  if (!Kept || Key.empty())
    return checkAnew(V, Reference, Depth, Row, ByMachine);
  if (auto Found = Kept->find<KeptCheck>(KeptStep::Check, Key)) {
    Row.OnCpu = std::move(Found->OnCpu);
    if (Found->Status == VariantStatus::Ok)
      return;
    Row.Status = Found->Status;
    Row.Message = std::move(Found->Message);
    return;
  }
  checkAnew(V, Reference, Depth, Row, ByMachine);
  // What spills and is right stays what spills.
  KeptCheck Found = Row.isGood() ? KeptCheck{VariantStatus::Ok, "", Row.OnCpu}
                                 : KeptCheck{Row.Status, Row.Message, Row.OnCpu};
  if (!ByMachine && isLasting(Found))
    Kept->keep(KeptStep::Check, Key, Found);
}

} // namespace gpuprune
