//===- KeptBuilds.cpp - What earlier runs have compiled and checked ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/KeptBuilds.h"
#include "gpuprune/Support/Counted.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

bool isLasting(const TakenError &Failure) {
  switch (Failure.Kind) {
  case ErrorKind::Refused:
  case ErrorKind::Frontend:
  case ErrorKind::CodeGen:
  case ErrorKind::Ptxas:
  case ErrorKind::Resources:
  case ErrorKind::Input:
    break;
  default:
    return false;
  }
  // A tool that was killed or had no memory is one of these errors, too.
  std::string Text = StringRef(Failure.Text).lower();
  return none_of(ArrayRef<StringRef>{"ended by a signal", "memory alloc", "out of memory", "bad_alloc",
                                     "cannot allocate", "no space left"},
                 [&](StringRef Said) { return StringRef(Text).contains(Said); });
}

KeptBuilds::~KeptBuilds() {
  if (any_of(Kept, [](const std::atomic<size_t> &Count) { return Count != 0; }))
    Cache.prune();
}

std::string KeptBuilds::keyOf(KeptStep Step, StringRef Key) const {
  return formatv("{0};{1};{2}", unsigned(Step), Identity, Key);
}

std::optional<std::string> KeptBuilds::findRecord(KeptStep Step, StringRef Key) {
  return Fresh ? std::nullopt : Cache.find(keyOf(Step, Key));
}

void KeptBuilds::countTaken(KeptStep Step, StringRef Key) {
  std::lock_guard<std::mutex> Guard(Lock);
  Taken[unsigned(Step)] += !Own.contains(keyOf(Step, Key));
}

void KeptBuilds::keepRecord(KeptStep Step, StringRef Key, StringRef Record) {
  if (Failed)
    return;
  Error E = Cache.keep(keyOf(Step, Key), Record);
  bool IsKept = !E;
  std::string Text = toString(std::move(E));
  std::lock_guard<std::mutex> Guard(Lock);
  if (!IsKept && !Failed.exchange(true))
    Failure = std::move(Text);
  if (IsKept && Own.insert(keyOf(Step, Key)).second)
    ++Kept[unsigned(Step)];
}

CompileCacheUse KeptBuilds::use() const {
  CompileCacheUse Use;
  Use.Path = Cache.folder();
  auto Of = [this](KeptStep Step) {
    return CompileCacheUse::Step{Taken[unsigned(Step)], Kept[unsigned(Step)]};
  };
  Use.Frontends = Of(KeptStep::Frontend);
  Use.Codes = Of(KeptStep::Code);
  Use.Assemblies = Of(KeptStep::Assembly);
  Use.Checks = Of(KeptStep::Check);
  std::lock_guard<std::mutex> Guard(Lock);
  if (!Failure.empty())
    Use.Notes.push_back(formatv("what is compiled is not kept: {0}; --db names another place", Failure));
  if (size_t Damaged = Cache.damagedValues())
    Use.Notes.push_back(formatv("{0} damaged in '{1}'; what was lost is compiled again",
                                counted(Damaged, "file was", "files were"), Cache.folder()));
  return Use;
}

} // namespace gpuprune
