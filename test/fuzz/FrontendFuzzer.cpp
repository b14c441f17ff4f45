//===- FrontendFuzzer.cpp - Any text as a front-end bundle's manifest -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// HASH in the input stands for the hash of the only file, 0.bc.
//
//===----------------------------------------------------------------------===//
#include "Fuzzing.h"
#include "gpuprune/Runtime/Bundle.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Support/RegularFile.h"
#include "gpuprune/Variant/FrontendBundle.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::fuzz;

/// A bundle with an output file and no workload.
static const TemporaryDirectory &folder() {
  static TemporaryDirectory Folder = [] {
    TemporaryDirectory Made = cantFail(TemporaryDirectory::create());
    cantFail(writeFile(Made.file("0.bc"), "bitcode"));
    return Made;
  }();
  return Folder;
}

static std::string withHash(StringRef Text) {
  static const std::string Hash = cantFail(hashOfRegularFile(folder().file("0.bc")));
  SmallVector<StringRef, 4> Parts;
  Text.split(Parts, "HASH");
  return join(Parts, Hash);
}

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::string Manifest = folder().file(FrontendManifestName);
  {
    std::error_code Failed;
    raw_fd_ostream OS(Manifest, Failed);
    OS << withHash(asText(Data, Size));
  }
  Expected<FrontendBundle> Bundle = readFrontendBundle(folder().path());
  if (!Bundle) {
    TakenError Taken = takeError(Bundle.takeError());
    require(Taken.Kind == ErrorKind::Input || Taken.Kind == ErrorKind::Io, "an error of another kind");
    require(StringRef(Taken.Text).starts_with("front-end bundle '"),
            "an error without the bundle: " + Taken.Text);
    return 0;
  }
  for (const auto &[Defines, Output] : Bundle->Outputs)
    require(Output.Failure.has_value() != (Output.Bitcode == "bitcode"), "an output that is none");
  Expected<Workload> W = workloadOf(*Bundle);
  require(!W, "a workload that is not there");
  refusal(W.takeError(), ErrorKind::Io);
  return 0;
}
