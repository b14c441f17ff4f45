//===- LineIO.h - Lines over file descriptors -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_LINEIO_H
#define GPUPRUNE_LIB_RUNTIME_LINEIO_H

#include "gpuprune/Runtime/Protocol.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace gpuprune {

/// Cuts a stream of bytes into lines.
class LineSplitter {
public:
  void append(llvm::StringRef Bytes) { Pending += Bytes; }
  /// The next whole line, without its end.
  std::optional<std::string> next();
  /// What follows the last whole line.
  llvm::StringRef rest() const { return llvm::StringRef(Pending).substr(Begin); }
  bool tooLong() const { return rest().size() > protocol::MaxLineBytes; }
  /// Forgets an unfinished line.
  void clear();

private:
  std::string Pending;
  size_t Begin = 0;   ///< Of the next line.
  size_t Scanned = 0; ///< No line end before here.
};

/// False when nobody reads any more.
bool writeAll(int Descriptor, llvm::StringRef Bytes);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_LINEIO_H
