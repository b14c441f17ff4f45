//===- LaunchText.cpp - What a variant asks of its host ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/TuneReport.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

static std::string extents(const Dim3 &D) { return formatv("({0}, {1}, {2})", D.X, D.Y, D.Z); }

std::vector<std::string> launchLines(const VariantResult &Row, StringRef Size) {
  std::string Launch = formatv("launch it at {0} with grid {1} and block {2}", Size, extents(Row.Launch.Grid),
                               extents(Row.Launch.Block));
  if (Row.Launch.SharedBytes)
    Launch += formatv(", {0} bytes of dynamic shared memory", Row.Launch.SharedBytes);
  StringRef Separator = ", and behind the author's arguments the integers ";
  for (const HiddenArgument &A : Row.Launch.Hidden) {
    Launch += formatv("{0}{1} = {2}", Separator, hiddenParameterName(A.Parameter), A.Value);
    Separator = ", ";
  }
  std::vector<std::string> Lines{std::move(Launch)};
  if (Row.Launch.PointerAlignment > 1)
    Lines.push_back(formatv("every buffer that is passed has to begin at a multiple of {0} bytes",
                            Row.Launch.PointerAlignment));
  for (const ConstantCopy &Copy : Row.Launch.ConstantCopies)
    Lines.push_back(formatv(
        "before each launch, on its stream, copy the buffer of argument {0}, at most {1} bytes, to {2}",
        Copy.Argument, Copy.Bytes, Copy.Symbol));
  return Lines;
}

} // namespace gpuprune
