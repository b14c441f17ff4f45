//===- RecordFuzzer.cpp - Any text as a tuning record ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input is read as it is, and once more with the checksum that belongs to it, which no mutation finds.
//
//===----------------------------------------------------------------------===//
#include "Fuzzing.h"
#include "gpuprune/Deploy/TuningRecord.h"
#include "gpuprune/Support/ForeignJson.h"
#include "gpuprune/Support/Sha256.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::fuzz;

/// \p Text with another checksum; the same where it is no object.
static std::string withItsChecksum(StringRef Text) {
  Expected<json::Value> Parsed = parseForeignJson(Text);
  json::Object *Record = Parsed ? Parsed->getAsObject() : nullptr;
  if (!Record) {
    consumeError(Parsed.takeError());
    return Text.str();
  }
  json::Object Deployed = *Record;
  for (StringRef Fact : {"checksum", "demangled", "compiled-with"})
    Deployed.erase(Fact);
  if (json::Array *Variants = Deployed.getArray("variants"))
    for (json::Value &Variant : *Variants)
      if (json::Object *Its = Variant.getAsObject())
        for (StringRef Fact : {"times", "difference"})
          Its->erase(Fact);
  std::string Canonical = formatv("{0}", json::Value(std::move(Deployed)));
  (*Record)["checksum"] = sha256(Canonical);
  return formatv("{0}", *Parsed);
}

static void check(StringRef Text) {
  Expected<std::vector<TuningRecord>> Record = parseTuningRecord(Text);
  if (!Record) {
    refusal(Record.takeError());
    return;
  }
  require(!errorToBool(checkTuningRecord(*Record)), "a record was read that its check refuses");
  std::string Written = printTuningRecord(*Record);
  Expected<std::vector<TuningRecord>> Again = parseTuningRecord(Written);
  if (!Again)
    require(false, "cannot read the record that was written: " + toString(Again.takeError()));
  require(*Again == *Record, "another record than was written");
  require(printTuningRecord(*Again) == Written, "another text of the same record");
  std::string Name = Record->front().fileName();
  require(StringRef(Name).ends_with(RecordSuffix) && !StringRef(Name).contains('/') && Name.size() < 256,
          "no name of a file: " + Name);
  require(tunedSymbols(*Again, "kernel") == tunedSymbols(*Record, "kernel"),
          "other symbols of the same record");
  for (const TuningRecord &R : *Record)
    require(bool(R.Contract.physicalBlock(R.ownBlock())), "a block that cannot be launched");
}

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Text = asText(Data, Size);
  check(Text);
  check(withItsChecksum(Text));
  return 0;
}
