//===- ExpectedTesting.h - Values and errors in tests ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_EXPECTEDTESTING_H
#define GPUPRUNE_TEST_UNIT_EXPECTEDTESTING_H

#include "gpuprune/Support/Error.h"
#include "gtest/gtest.h"
#include <string>

namespace gpuprune::test {

/// The value, or a failure with the error's text and T().
template <typename T> T valueOf(llvm::Expected<T> Result) {
  if (Result)
    return std::move(*Result);
  ADD_FAILURE() << takeError(Result.takeError()).Text;
  return T();
}

/// The text of an error that has to be of kind Input; a failure where there is none.
inline std::string inputErrorOf(llvm::Error E) {
  if (!E) {
    ADD_FAILURE() << "no error";
    return "";
  }
  TakenError Taken = takeError(std::move(E));
  EXPECT_EQ(Taken.Kind, ErrorKind::Input) << Taken.Text;
  return Taken.Text;
}

} // namespace gpuprune::test

#endif // GPUPRUNE_TEST_UNIT_EXPECTEDTESTING_H
