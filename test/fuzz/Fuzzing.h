//===- Fuzzing.h - What fuzz targets share ------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_FUZZ_FUZZING_H
#define GPUPRUNE_TEST_FUZZ_FUZZING_H

#include "gpuprune/Support/Error.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

/// libFuzzer calls this with each input; every target defines it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size);

namespace gpuprune::fuzz {

inline llvm::StringRef asText(const uint8_t *Data, size_t Size) {
  return {reinterpret_cast<const char *>(Data), Size};
}

/// A finding where \p Holds is false.
inline void require(bool Holds, const llvm::Twine &What) {
  if (Holds)
    return;
  llvm::errs() << "fuzz: " << What << '\n';
  std::abort();
}

/// The text of \p E, which has to be an error of \p Kind that says something.
inline std::string refusal(llvm::Error E, ErrorKind Kind = ErrorKind::Input) {
  TakenError Taken = takeError(std::move(E));
  require(Taken.Kind == Kind, "error of kind " + errorKindName(Taken.Kind) + ": " + Taken.Text);
  require(!Taken.Text.empty(), "an error without a message");
  return Taken.Text;
}

} // namespace gpuprune::fuzz

#endif // GPUPRUNE_TEST_FUZZ_FUZZING_H
