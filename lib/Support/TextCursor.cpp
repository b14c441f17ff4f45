//===- TextCursor.cpp - Reading a short text from left to right -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/TextCursor.h"
#include "gpuprune/Support/Error.h"

using namespace llvm;

namespace gpuprune {

std::string TextCursor::found() const {
  return rest().empty() ? "the end" : ("'" + rest().take_front(1) + "'").str();
}

Error TextCursor::errorAt(size_t At, const Twine &Message) const {
  return makeError(ErrorKind::Input, Twine(What) + (What.empty() ? "'" : " '") + Text + "', column " +
                                         Twine(At + 1) + ": " + Message);
}

} // namespace gpuprune
