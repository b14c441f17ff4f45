//===- FrontendInputs.h - What clang++ read, and whether it is still so -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang++ would make the same again where
//
//   - the driver, asked with -###, would run the same command: that holds what
//     environment, configuration files, toolkit and standard library add to it;
//   - it is the same clang++, and what the command names has the same contents;
//   - each file that it read, by its own list, has the same contents;
//   - each name that one of these asks for (#include, #embed, __has_include) is there,
//     or not, in the same folders of the search path and of these files: a new
//     header that would be found first changes that.
//
// A source that asks for the date or the time is never the same.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_FRONTENDINPUTS_H
#define GPUPRUNE_CODEGEN_FRONTENDINPUTS_H

#include "gpuprune/CodeGen/Toolchain.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Chrono.h"
#include <mutex>
#include <optional>

namespace gpuprune {

/// What clang++ is told whatever the defines are.
struct FrontendCommand {
  std::string Identity;             ///< Of the command, of clang++, and of the files that the command names.
  std::vector<std::string> Folders; ///< In which it looks for headers.
};

/// What was read, at one time.
struct FrontendInputs {
  std::vector<std::pair<std::string, std::string>> Files; ///< Each with the hash of its content.
  std::vector<std::string> Folders, Names;
  std::string Present; ///< Hash of which of Names there are in which of Folders.
};

template <typename R> void mapRecord(R &Record, FrontendInputs &I) {
  auto &[Files, Folders, Names, Present] = I;
  Record(Files, Folders, Names, Present);
}

/// What the names "x.h" in #include "x.h" and the like in \p Source are. \p AsksForTime: for
/// __DATE__, __TIME__ or __TIMESTAMP__.
std::vector<std::string> namesAskedFor(llvm::StringRef Source, bool &AsksForTime);

/// The files in a rule for make, as clang++ -MD writes it.
std::vector<std::string> filesInRule(llvm::StringRef Rule);

/// Looks at files, at each content once. Safe on many threads.
class InputFiles {
public:
  /// Of \p Request but its defines. Nothing where clang++ does not tell.
  std::optional<FrontendCommand> commandOf(const Toolchain &Tools, const FrontendRequest &Request);
  /// \p Read by a clang++ that was started at \p Started with a command that looks in \p Folders. Nothing
  /// where that cannot be told, as where a file was changed since, or may differ though all of it is the
  /// same.
  std::optional<FrontendInputs> inputsOf(llvm::ArrayRef<std::string> Read,
                                         llvm::ArrayRef<std::string> Folders, llvm::sys::TimePoint<> Started);
  bool areUnchanged(const FrontendInputs &Inputs);

private:
  struct Content {
    std::string Hash;
    std::vector<std::string> Names;
    bool AsksForTime = false;
    llvm::sys::TimePoint<> Changed;
  };
  std::mutex Lock;                       ///< Of what follows.
  llvm::StringMap<Content> Known;        ///< By path, size and time.
  llvm::StringMap<std::string> Presence; ///< By Folders and Names, for areUnchanged.

  std::optional<Content> look(llvm::StringRef Path);
};

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_FRONTENDINPUTS_H
