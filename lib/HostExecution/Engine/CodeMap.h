//===- CodeMap.h - From an address in generated code to its source -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_CODEMAP_H
#define GPUPRUNE_LIB_HOSTEXECUTION_CODEMAP_H

#include "FaultHandler.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <string>

namespace gpuprune {

/// A line of a source file; no file where it is not known.
struct SourceLine {
  std::string File;
  unsigned Line = 0;
};

/// Makes the code generator write line tables from the locations in \p M, whether
/// or not the front end asked for debug information.
void requestLineTables(llvm::Module &M);

/// Where the code of a linked object lies, and which lines it comes from.
class CodeMap {
public:
  /// \p Object as the code generator wrote it, in which \p Symbol has been linked to
  /// \p Address; it must outlive the map.
  static llvm::Expected<CodeMap> create(const llvm::MemoryBuffer &Object, llvm::StringRef Symbol,
                                        uint64_t Address);
  const CodeRange &range() const { return Range; }
  /// The line of the kernel from which the code at \p Address comes: of the call,
  /// where a function has been inlined.
  SourceLine line(uint64_t Address) const;

private:
  const llvm::MemoryBuffer *Object = nullptr;
  CodeRange Range;
  uint64_t SectionIndex = 0;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_CODEMAP_H
