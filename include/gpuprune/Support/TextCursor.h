//===- TextCursor.h - Reading a short text from left to right -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_TEXTCURSOR_H
#define GPUPRUNE_SUPPORT_TEXTCURSOR_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuprune {

/// \p Text in quotes for a message, its middle left out where it is long.
std::string quoted(llvm::StringRef Text);

/// A place in a text a user wrote, for parsers whose errors give the column.
class TextCursor {
public:
  /// \p What the text is, for messages: "variant", or nothing. Both must outlive this.
  TextCursor(llvm::StringRef What, llvm::StringRef Text) : What(What), Text(Text) {}

  static bool isWhiteSpace(char C) { return llvm::StringRef(" \t\r\n").contains(C); }

  size_t position() const { return Position; }
  llvm::StringRef rest() const { return Text.drop_front(Position); }
  /// What was read since \p Start, an earlier position.
  llvm::StringRef since(size_t Start) const { return Text.slice(Start, Position); }

  void skipWhiteSpace() { take(isWhiteSpace); }
  /// Reads \p Token if it comes next.
  bool consume(llvm::StringRef Token) {
    bool Next = rest().starts_with(Token);
    Position += Next ? Token.size() : 0;
    return Next;
  }
  /// Reads the characters that \p Matches, perhaps none.
  llvm::StringRef take(llvm::function_ref<bool(char)> Matches) {
    llvm::StringRef Taken = rest().take_while(Matches);
    Position += Taken.size();
    return Taken;
  }

  /// What comes next, for messages: "'<'" or "the end".
  std::string found() const;
  /// An error of kind Input: "WHAT 'TEXT', column N: MESSAGE", of the current
  /// place or of another, counted from 0. Of a long text only the surroundings are shown.
  llvm::Error error(const llvm::Twine &Message) const { return errorAt(Position, Message); }
  llvm::Error errorAt(size_t At, const llvm::Twine &Message) const;

private:
  llvm::StringRef What, Text;
  size_t Position = 0;
};

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_TEXTCURSOR_H
