//===- PipelineText.h - Pipelines of passes as text -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variant's pipeline is elements separated by commas; an element is NAME or
// NAME<KEY=VALUE;WORD;...>. LLVM's pipelines also nest: module(a,repeat<2>(b)).
// Which passes exist and what their parameters mean is not known here.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_PIPELINETEXT_H
#define GPUPRUNE_SUPPORT_PIPELINETEXT_H

#include "gpuprune/Support/TextCursor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuprune {

/// "factor=4", or the bare word "full", which has no value.
struct PassParameter {
  std::string Key;
  std::optional<std::string> Value;
  bool operator==(const PassParameter &) const = default;
};

struct PassElement {
  std::string Name;
  std::vector<PassParameter> Parameters; ///< In the order written.
  bool operator==(const PassElement &) const = default;

  /// The value of \p Key; none where it is missing or a bare word.
  std::optional<llvm::StringRef> value(llvm::StringRef Key) const;
};

/// The pipeline of a variant, which is the rest of the text at \p At. Errors have
/// the kind Input and give the column.
llvm::Expected<std::vector<PassElement>> parsePipeline(TextCursor At);
/// The same of \p Text, the pipeline of a variant without defines and block.
llvm::Expected<std::vector<PassElement>> parsePipeline(llvm::StringRef Text);

/// The text that parses to an equal pipeline.
std::string printPipeline(llvm::ArrayRef<PassElement> Pipeline);

/// Input error if \p Text, which is to be a pipeline, begins with the defines or the block of a variant.
llvm::Error checkNoVariant(llvm::StringRef Text);

/// NAME<OPTIONS> of a pipeline, with the options as they are written.
struct PassMention {
  llvm::StringRef Name, Options;
};

/// The passes that \p Pipeline, one of LLVM's, names, in the order written;
/// those inside adaptors such as module(...) and the adaptors themselves
/// included. Errors have the kind Input and give the column.
llvm::Expected<llvm::SmallVector<PassMention, 4>> passesNamedIn(llvm::StringRef Pipeline);

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_PIPELINETEXT_H
