//===- OwnClang.h - The real clang++ for a test -------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_OWNCLANG_H
#define GPUPRUNE_TEST_UNIT_OWNCLANG_H

#include <cstdlib>
#include <optional>
#include <string>

namespace gpuprune::test {

/// Tests call clang++ through ccache (cached-clang.in), which notices neither a header that is found earlier
/// now nor another current folder. While this lives, they do not.
class OwnClang {
public:
  OwnClang() {
    if (const char *Set = std::getenv(Variable))
      Cached = Set;
    ::unsetenv(Variable);
  }
  ~OwnClang() {
    if (Cached)
      ::setenv(Variable, Cached->c_str(), /*overwrite=*/1);
  }
  OwnClang(const OwnClang &) = delete;
  OwnClang &operator=(const OwnClang &) = delete;

private:
  static constexpr const char *Variable = "GPUPRUNE_CLANG";
  std::optional<std::string> Cached;
};

} // namespace gpuprune::test

#endif // GPUPRUNE_TEST_UNIT_OWNCLANG_H
