//===- WorkloadParts.h - Readers of the keys of a workload ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_WORKLOAD_WORKLOADPARTS_H
#define GPUPRUNE_LIB_WORKLOAD_WORKLOADPARTS_H

#include "YamlCursor.h"

namespace gpuprune {

// Each reads one key into the workload. Sizes and defines come first, then
// buffers, then what may use them.
llvm::Error readDefines(const YamlCursor &At, Workload &W);
llvm::Error readSizes(const YamlCursor &At, Workload &W);
llvm::Error readBuffers(const YamlCursor &At, Workload &W);
llvm::Error readTolerance(const YamlCursor &At, Workload &W);
llvm::Error readWork(const YamlCursor &At, Workload &W);
llvm::Error readSpace(const YamlCursor &At, Workload &W);

/// The structure \p At of \p Fields, without offsets, with the alignment \p Align.
llvm::Expected<ElementLayout> layoutOf(const YamlCursor &At, ElementLayout::FieldList Fields,
                                       std::optional<YamlCursor> Align);
/// The path of a file that \p W names.
std::string besideWorkload(llvm::StringRef Written, const Workload &W);

/// The program: the key launches of \p Root, or the keys of one launch there.
llvm::Error readSteps(const YamlCursor &Root, Workload &W);
/// Whether a launch is passed the buffer at \p Index, or a swap may have it passed.
bool isUsed(const Workload &W, unsigned Index);
/// The keys of a launch; \p At holds them, perhaps among others. Adds the launch to W.Launches.
llvm::Error readLaunch(const YamlCursor &At, Workload &W);
/// Whether another block can be chosen for \p L, in some dimension.
bool hasFreeBlock(const LaunchSpec &L);
inline constexpr llvm::StringRef LaunchKeys[] = {"kernel", "grid", "block", "shared", "arguments"};

/// Calls \p Read for each of \p Entries until one fails.
llvm::Error readEach(llvm::Expected<std::vector<YamlCursor>> Entries,
                     llvm::Error (*Read)(const YamlCursor &, Workload &), Workload &W);
/// An expression over sizes, integer defines and \p Others.
llvm::Expected<LocatedExpression> readExpression(const YamlCursor &At, const Workload &W,
                                                 llvm::ArrayRef<llvm::StringRef> Others = {},
                                                 Arithmetic Kind = Arithmetic::Integers);
/// The key fill of \p Buffer, which has its type and shape.
llvm::Error readFill(const YamlCursor &At, BufferSpec &Buffer, Workload &W);
/// Elements of \p Type from the file that \p At names.
llvm::Error readFileFill(const YamlCursor &At, const ElementLayout &Type, FillSpec &Fill, Workload &W);

/// Success where every name in \p E is a size, a define whose values are all
/// integers, or one of \p Others.
llvm::Error checkNames(const Workload &W, const LocatedExpression &E,
                       llvm::ArrayRef<llvm::StringRef> Others = {});

} // namespace gpuprune

#endif // GPUPRUNE_LIB_WORKLOAD_WORKLOADPARTS_H
