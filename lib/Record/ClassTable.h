//===- ClassTable.h - Which launches there were, and which are kept ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RECORD_CLASSTABLE_H
#define GPUPRUNE_LIB_RECORD_CLASSTABLE_H

#include "gpuprune/Record/RecorderOptions.h"
#include "gpuprune/Record/Recording.h"
#include "gpuprune/Support/Dim3.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace gpuprune {

/// What makes two launches of one kernel alike.
struct LaunchShape {
  unsigned Kernel = 0; ///< Its number in the table.
  std::array<uint32_t, 3> Grid{1, 1, 1}, Block{1, 1, 1};
  uint32_t DynamicShared = 0;
  auto operator<=>(const LaunchShape &) const = default;
  double threads() const;
};

/// A kernel as the summary shows it.
struct KernelSummary {
  std::string Symbol;
  uint64_t Launches = 0, Classes = 0, Recorded = 0, RecordedBytes = 0;
  double Ms = 0;
  /// Why launches were not recorded, with how many; 0: all of the kernel.
  std::map<std::string, uint64_t> Reasons;
};

/// Safe to use from any thread.
class ClassTable {
public:
  explicit ClassTable(const RecorderOptions &Options) : Options(Options) {}

  /// The number of the kernel \p Symbol, given when it is first seen.
  unsigned kernel(llvm::StringRef Symbol);
  /// No launch of the kernel can be kept.
  void excludeKernel(unsigned Kernel, const std::string &Why);

  /// The number of the class of \p Shape.
  unsigned classOf(const LaunchShape &Shape);

  /// Whether the next launch of \p Class is one before which it is asked if it were the better one to keep;
  /// the times of those before it should be known then.
  bool isDue(unsigned Class);
  /// Whether the next launch of \p Class is to be recorded: the first, and, where launches of the class take
  /// different times and the one that is kept is no typical one, one that follows a more typical one.
  bool wants(unsigned Class);
  /// Whether \p Bytes more may be kept; else why not.
  bool fits(uint64_t Bytes, std::string &Why);

  /// A launch of \p Class has been made, recorded or not.
  void launched(unsigned Class);
  /// A launch that was to be recorded was not. \p Permanent: it would be so again, so that few are tried.
  void notRecorded(unsigned Class, const std::string &Why, bool Permanent = true);
  /// A launch was recorded into \p Folder; \p Correlation is CUPTI's number of it. Returns the folders of
  /// recordings that are no longer wanted.
  std::vector<std::string> recorded(unsigned Class, std::string Folder, Recording R, uint64_t Bytes,
                                    uint32_t Correlation);

  /// A kernel has run for \p Ms on the GPU.
  void timed(llvm::StringRef Symbol, LaunchShape Shape, double Ms, uint32_t Correlation, bool InGraph);

  /// The recordings with the number of launches and the time of their classes, by folder.
  std::vector<std::pair<std::string, Recording>> finalRecordings();
  /// Kernels by GPU time, longest first.
  std::vector<KernelSummary> summary();

private:
  struct Class {
    LaunchShape Shape;
    uint64_t Launches = 0;
    uint64_t Timed = 0; ///< Of the launches, without recorded ones, whose data had just been copied.
    double Ms = 0;      ///< Of the timed ones together.
    double Squares = 0; ///< Of their times, together.
    double LastMs = 0, BeforeMs = 0; ///< Of the one timed last, and of the one timed before it.
    double RecordedMs = 0;           ///< Of the one that is kept.
    double BesideMs = 0;             ///< Of the one timed last before that; 0: none was.
    uint64_t NextDue = 4;            ///< The launch before which it is asked whether it is more typical.
    uint32_t Correlation = 0;        ///< Of the one that is kept.
    unsigned Failures = 0, Replaced = 0;
    std::string Folder; ///< Of its recording; else empty.
    Recording Kept;
    uint64_t Bytes = 0;
    double totalMs() const;
    double typicalMs() const;
    double keptMs() const;
    bool isNextMoreTypical() const;
  };
  struct Kernel {
    std::string Symbol;
    bool Selected = true;
    std::string Excluded;
    std::map<std::string, uint64_t> Reasons;
    unsigned Recorded = 0;  ///< Classes.
    double MostThreads = 0; ///< Of a recorded launch.
    uint64_t GraphLaunches = 0;
    double GraphMs = 0;
  };

  unsigned kernelLocked(llvm::StringRef Symbol);
  unsigned classLocked(const LaunchShape &Shape);
  bool isDueLocked(const Class &C) const;
  /// Recordings of the kernel of \p Current but its own; their bytes are free again.
  std::vector<std::string> dropOthers(unsigned Current);

  const RecorderOptions Options;
  std::mutex Lock;
  llvm::StringMap<unsigned> KernelNumbers;
  std::vector<Kernel> Kernels;
  std::map<LaunchShape, unsigned> ClassNumbers;
  std::vector<Class> Classes;
  std::map<uint32_t, unsigned> RecordedCorrelations; ///< Class of each.
  uint64_t UsedBytes = 0;
};

/// The text at the end of a run. \p Notes are lines of their own.
std::string summaryText(const std::vector<KernelSummary> &Kernels, llvm::StringRef Directory,
                        const std::vector<std::string> &Notes);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RECORD_CLASSTABLE_H
