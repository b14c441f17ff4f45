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

/// Longer texts are shown in part.
static constexpr size_t LongestShown = 200;

std::string quoted(StringRef Text) {
  if (Text.size() <= LongestShown)
    return ("'" + Text + "'").str();
  size_t Part = LongestShown / 2;
  return ("'" + Text.take_front(Part) + "[...]" + Text.take_back(Part) + "'").str();
}

/// What surrounds the place \p At.
static std::string quotedAround(StringRef Text, size_t At) {
  if (Text.size() <= LongestShown)
    return quoted(Text);
  size_t Begin = At < LongestShown / 2 ? 0 : std::min(At, Text.size()) - LongestShown / 2;
  StringRef Part = Text.substr(Begin, LongestShown);
  return ("'" + Twine(Begin ? "[...]" : "") + Part + (Part.end() < Text.end() ? "[...]" : "") + "'").str();
}

std::string TextCursor::found() const {
  return rest().empty() ? "the end" : ("'" + rest().take_front(1) + "'").str();
}

Error TextCursor::errorAt(size_t At, const Twine &Message) const {
  return makeError(ErrorKind::Input, Twine(What) + (What.empty() ? "" : " ") + quotedAround(Text, At) +
                                         ", column " + Twine(At + 1) + ": " + Message);
}

} // namespace gpuprune
