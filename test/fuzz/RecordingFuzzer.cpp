//===- RecordingFuzzer.cpp - Any text as a recording, or as what is said of device code ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input is a launch.json, whose workload is written for a kernel with parameters of these sizes, and a
// code/HASH.json, which the recorder and the tuner read each in their way.
//
//===----------------------------------------------------------------------===//
#include "CodeFolder.h"
#include "Fuzzing.h"
#include "gpuprune/Deploy/CollectedCode.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Variant/RecordedLaunch.h"
#include "gpuprune/Workload/Workload.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::fuzz;

static std::string textOf(const Recording &R) { return formatv("{0}", toJSON(R)); }

/// A parameter of \p Bytes, of any kind that can have as many.
static KernelParameter parameterOf(uint64_t Bytes, size_t Index) {
  KernelParameter P;
  P.Bytes = Bytes;
  if (Bytes > 8) {
    P.Is = KernelParameter::Kind::Structure;
    for (uint64_t At = 0; At + 8 <= Bytes && P.Fields.size() < 8; At += 8) {
      P.Fields.push_back(parameterOf(8, Index + P.Fields.size()));
      P.Fields.back().Offset = At;
    }
  } else if (Bytes != 8 || Index % 4 == 3) {
    P.Is = Index % 2 == 0 ? KernelParameter::Kind::Integer : KernelParameter::Kind::Real;
  }
  return P;
}

/// A program's folder with the contents that the seeds name.
static const TemporaryDirectory &folder() {
  static TemporaryDirectory Folder = [] {
    TemporaryDirectory Made = cantFail(TemporaryDirectory::create());
    (void)sys::fs::create_directories(Made.file("code"));
    for (const char *Name : {"allocation-0.bin", "allocation-1.bin"})
      cantFail(writeFile(Made.file(Name), std::string(4100, '\0')));
    cantFail(writeFile(Made.file("variable-0.bin"), std::string(12, '\0')));
    return Made;
  }();
  return Folder;
}

/// Nothing in a recording may lead out of its folder, or become another key of the workload.
static void checkWorkload(const Recording &R) {
  std::vector<KernelParameter> Parameters;
  PointerUses Uses;
  Uses.HasOthers = R.Parameters.size() % 2 == 1;
  for (const auto &[Index, Bytes] : enumerate(R.Parameters)) {
    Parameters.push_back(parameterOf(Bytes.size(), Index));
    Uses.Parameters.push_back(
        {Index % 3 ? std::optional(ElementType::F32) : std::nullopt, Index % 2 == 0, Index % 5 == 0});
  }
  Expected<std::string> Text = workloadText(R, "app.cu", Parameters, Uses);
  if (!Text) {
    refusal(Text.takeError());
    return;
  }
  Expected<Workload> W = parseWorkload(*Text, folder().file("workload.yaml"));
  if (!W) {
    TakenError Taken = takeError(W.takeError());
    require(Taken.Kind == ErrorKind::Input || Taken.Kind == ErrorKind::Io, "an error of another kind");
    require(!Taken.Text.empty(), "an error without a message");
    return;
  }
  require(W->tuned().Kernel == R.Kernel, "another kernel than was recorded");
  require(StringRef(W->Source).ends_with("app.cu"), "another source: " + W->Source);
}

static void checkRecording(StringRef Text) {
  Expected<Recording> R = parseRecording(Text);
  if (!R) {
    refusal(R.takeError());
    return;
  }
  Expected<Recording> Again = parseRecording(textOf(*R));
  if (!Again)
    require(false, "cannot read the recording that was written: " + toString(Again.takeError()));
  require(textOf(*Again) == textOf(*R), "another recording than was written");
  std::string Name = recordingName(R->Kernel, R->Grid, R->Block, R->DynamicShared);
  require(!StringRef(Name).starts_with(".") && !StringRef(Name).contains('/') && Name.size() < 256,
          "no name of a folder: " + Name);
  bool HasContents = !R->Allocations.empty() || !R->Variables.empty();
  require(errorToBool(checkContents("nowhere", *R)) == HasContents, "contents that are not there");
  checkWorkload(*R);
}

static void checkCode(StringRef Text) {
  CodeFolder Recorders("nowhere");
  if (Error E = Recorders.add(Text, "nowhere"))
    refusal(std::move(E));
  std::string Why;
  const CodeKernel *Known = Recorders.find("_Z6smoothPKfPfi", 9, 0, Why);
  require(Known ? Why.empty() : !Why.empty(), "no kernel, and no reason");
  {
    std::error_code Failed;
    raw_fd_ostream OS(folder().file("code/0.json"), Failed);
    OS << Text;
  }
  Expected<std::vector<CollectedCode>> Found = findCode(folder().path(), "_Z6smoothPKfPfi", "sm_90");
  if (!Found)
    refusal(Found.takeError());
  else
    require(Found->empty(), "code that is not there");
}

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Text = asText(Data, Size);
  checkRecording(Text);
  checkCode(Text);
  return 0;
}
