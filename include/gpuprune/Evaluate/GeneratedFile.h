//===- GeneratedFile.h - A file of a page of results ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_EVALUATE_GENERATEDFILE_H
#define GPUPRUNE_EVALUATE_GENERATEDFILE_H

#include <string>

namespace gpuprune {

struct GeneratedFile {
  std::string Name;
  std::string Text;
};

} // namespace gpuprune

#endif // GPUPRUNE_EVALUATE_GENERATEDFILE_H
