//===- CpuAuthorCheck.cpp - The author's launch on the CPU -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the author's launch, and those before it, can be what all else is compared with.
//
//===----------------------------------------------------------------------===//
#include "CpuCheckRuns.h"
#include "EmptyConstants.h"
#include "UnwrittenReads.h"
#include "WrittenParts.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Listed.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;

namespace gpuprune {

bool CpuCheck::hasEarlier() const { return Standards.Earlier && !Standards.Earlier->empty(); }

/// \p Size without the iteration of a repeated launch.
static std::string sizeOfWhole(const Workload &W, const Environment &Size) {
  std::vector<std::string> Parts;
  for (const std::string &Name : W.SizeNames)
    if (!is_contained(W.Variables, Name))
      Parts.push_back(formatv("{0}={1}", Name, Size.lookup(Name)));
  return join(Parts, ",");
}

/// Of the launches up to that of \p Author, where they are wrong at \p Size: what one of them reads that none
/// has written, the cause of whatever follows; empty where that is not it.
std::string CpuCheck::unwrittenRead(const BuiltVariant &Author, const Environment &Size) const {
  if (!hasEarlier())
    return "";
  Expected<ResolvedProblem> Shape = resolve(W, Size);
  if (!Shape) {
    consumeError(Shape.takeError());
    return "";
  }
  ArrayRef<std::unique_ptr<BuiltLaunch>> Earlier = Standards.Earlier->launches();
  std::string Read = firstUnwrittenRead(W, *Shape, [&](unsigned Launch) -> const BuiltVariant & {
    return Launch == W.Tuned ? Author : Earlier[Launch]->prepared();
  });
  if (Read.empty())
    return "";
  return formatv(
      "{0}: at {1}: {2}; see whether the grids, the arguments and the swaps are as the program has "
      "them, and give the buffer the role inout if the program fills it before",
      W.Here, sizeOfWhole(W, Size), Read);
}

/// What an earlier launch does wrong at \p Size is wrong in the whole.
Error CpuCheck::checkEarlier(const BuiltVariant &Author, const Environment &Size) const {
  if (!hasEarlier())
    return Error::success();
  Expected<HostProblem> State = hostProblem(Variant(), Size);
  if (State)
    return Error::success();
  TakenError Taken = takeError(State.takeError());
  if (Taken.Kind != ErrorKind::Input)
    return Error::success(); // What the CPU cannot run.
  if (std::string Read = unwrittenRead(Author, Size); !Read.empty())
    return makeError(Taken.Kind, Read);
  return makeError(Taken.Kind, formatv("{0}: at {1}: {2}", W.Here, sizeName(W, Size), Taken.Text));
}

/// Finds the states in front of \p Sizes in the order of the workload, in which each iteration goes on from
/// the one in front of it, whichever is checked first.
void CpuCheck::findStates(ArrayRef<Environment> Sizes) const {
  std::set<std::string> Asked;
  for (const Environment &Size : Sizes)
    Asked.insert(sizeName(W, Size));
  for (const Environment &Size : W.CheckSizes)
    if (Asked.contains(sizeName(W, Size)))
      if (Error E = hostProblem(Variant(), Size).takeError())
        return consumeError(std::move(E)); // Said where that size is checked.
}

void CpuCheck::bound(TimePoint Last, std::optional<TimePoint> AllOver) {
  LastBegin = Last;
  End = AllOver;
}

bool CpuCheck::isInTime(const Environment &Size) {
  bool IsLate = !Begun.empty() && LastBegin && std::chrono::steady_clock::now() >= *LastBegin;
  (IsLate ? LeftOut : Begun).insert(sizeName(W, Size));
  return !IsLate;
}

double CpuCheck::limited(double Seconds) const {
  constexpr double Shortest = 0.1;
  if (!End)
    return Seconds;
  double Left = std::chrono::duration<double>(*End - std::chrono::steady_clock::now()).count();
  return std::clamp(Left, Shortest, Seconds);
}

/// What is wrong with the launch of \p Author at \p Size.
Error CpuCheck::checkAuthorAt(const BuiltVariant &Author, const Environment &Size,
                              std::vector<std::string> &Doubts) {
  std::string Name = sizeName(W, Size);
  auto Failed = [&](StringRef Message) {
    return makeError(ErrorKind::Input,
                     formatv("{0}: the kernel '{1}' fails as its author launches it, at {2}: {3}", W.Here,
                             W.tuned().Kernel, Name, Message));
  };
  std::shared_ptr<ReferenceRun> Run = runOf(Author, Variant(), Size);
  if (Run->Status != VariantStatus::Ok) {
    if (std::string Read = unwrittenRead(Author, Size); !Read.empty())
      return makeError(ErrorKind::Input, Read);
    bool IsOutside = StringRef(Run->Message).contains("access out of bounds");
    return Failed(Run->Message + (IsOutside ? indicesHint(*Run->Problem) : ""));
  }
  if (!Run->hasOutputs())
    return Error::success();
  bool Changes = !changesNothing(*Run);
  if (!Changes && !hasEarlier())
    return Failed("it changes none of its out and inout buffers, so that nothing can be compared; see "
                  "whether the grid and the arguments are as the program has them, and of a recording, "
                  "whether the launch only repeats what an earlier one did");
  if (!Changes) // A step that has nothing left to do is no mistake.
    Doubts.push_back(
        formatv("at {0} the author's launch leaves all buffers as earlier launches left them, so "
                "that nothing of it is compared",
                Name));
  if (std::string Parts = littleWritten(*Run); !Parts.empty() && Doubts.empty())
    Doubts.push_back(formatv("at {0} the author's launch writes only {1}; if that is not meant, see whether "
                             "the grid, the arguments and the buffer's type and count are as the program has "
                             "them",
                             Name, Parts));
  return Error::success();
}

Error CpuCheck::checkAuthorAnew(const BuiltVariant &Author, CheckDepth Depth,
                                std::vector<std::string> &Doubts, bool &ByMachine) {
  std::vector<Environment> Sizes = sizesFor(Author.parts(), Author.Kernel, Author, Depth);
  if (hasEarlier() && W.isRepeated() && !LastBegin)
    findStates(Sizes);
  for (const Environment &Size : Sizes) {
    if (!isInTime(Size))
      continue;
    if (Error E = checkEarlier(Author, Size))
      return E;
    if (Error E = checkAuthorAt(Author, Size, Doubts))
      return E;
    std::shared_ptr<ReferenceRun> Run = runOf(Author, Variant(), Size);
    ByMachine |= Run->ByMachine || !Run->Note.empty();
  }
  for (const std::string &Variable : emptyConstants(Author.Ptx, Author.Symbol))
    if (none_of(W.Buffers, [&](const BufferSpec &B) { return B.Symbol == Variable; }))
      Doubts.push_back(
          formatv("the kernel reads {0} in constant memory, which no buffer fills: it holds zeros, and "
                  "the check sees little; add a buffer with 'symbol: {0}'",
                  Variable));
  ByMachine |= !LeftOut.empty();
  if (!LeftOut.empty())
    Doubts.push_back(formatv("the budget left no time to check anything on the CPU at {0}",
                             listed(std::vector<std::string>(LeftOut.begin(), LeftOut.end()), "and")));
  return Error::success();
}

} // namespace gpuprune
