//===- ComparedBuffers.cpp - Whether a sequence changes what is compared ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Check/ComparedBuffers.h"
#include "gpuprune/Runtime/Compare.h"
#include "gpuprune/Runtime/Fill.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Listed.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace llvm;

namespace gpuprune {

/// Seconds after which no other launch is begun: then nothing is known.
static constexpr double LongestLook = 60;

bool isComparedAtEnd(const ResolvedBuffer &Buffer) {
  return Buffer.Role != BufferRole::In && !Buffer.Temporary;
}

/// "'next' (launch 1, launch 3)"
static std::string changedText(const ResolvedBuffer &Buffer, const ChangingLaunches &By) {
  std::vector<std::string> Who;
  for (unsigned Launch : By)
    Who.push_back(formatv("launch {0}", Launch + 1));
  return formatv("'{0}'{1} by {2}", Buffer.Name, Buffer.Temporary ? ", which is temporary," : "",
                 join(Who, ", "));
}

std::string nothingCompared(const ResolvedProblem &Problem, ArrayRef<ChangingLaunches> By) {
  std::vector<std::string> Compared, Changed;
  for (const auto &[Buffer, Of] : zip_equal(Problem.Buffers, By)) {
    bool IsCompared = isComparedAtEnd(Buffer);
    if (IsCompared && !Of.empty())
      return "";
    if (IsCompared)
      Compared.push_back("'" + Buffer.Name + "'");
    else if (!Of.empty())
      Changed.push_back(changedText(Buffer, Of));
  }
  return formatv("the launches change none of the buffers that are compared at the end, {0}, so that every "
                 "result would pass; what they change is {1} (names are those at the end). See whether a "
                 "last 'swap' is missing, and give the buffer that holds the result the role out or inout",
                 listed(Compared, "and"), Changed.empty() ? "nothing" : join(Changed, "; "));
}

/// What the buffer at \p Index holds where out buffers began with \p Pattern.
static std::vector<uint8_t> contentsOf(const HostProblem &Problem, size_t Index, uint8_t Pattern) {
  const ResolvedBuffer &Shape = Problem.buffers()[Index];
  if (Shape.Role == BufferRole::Out)
    return std::vector<uint8_t>(Shape.Bytes, Pattern);
  return Problem.contents(Pattern)[Index];
}

/// Whether what \p Before has is no longer what the buffer at \p Index holds. What is written may equal one
/// of the patterns, and not both.
static bool hasChanged(const HostProblem &Problem, size_t Index,
                       const std::array<std::vector<uint8_t>, 2> &Before) {
  const ElementLayout &Type = Problem.buffers()[Index].Type;
  for (size_t Run : {0, 1})
    if (compareWithExpected(Type, {}, Before[Run], contentsOf(Problem, Index, FillPatterns[Run])).Elements !=
        0)
      return true;
  return false;
}

/// Runs \p Author and adds it to \p By where it changes a buffer.
static Error runAndNote(BuiltLaunch &Launch, const ResolvedLaunch &Author, HostProblem &Problem,
                        MutableArrayRef<ChangingLaunches> By) {
  std::map<unsigned, std::array<std::vector<uint8_t>, 2>> Before;
  for (const ResolvedArgument &A : Author.Arguments)
    if (A.Buffer && Problem.buffers()[*A.Buffer].Role != BufferRole::In)
      Before[*A.Buffer] = {contentsOf(Problem, *A.Buffer, FillPatterns[0]),
                           contentsOf(Problem, *A.Buffer, FillPatterns[1])};
  if (Error E = runAsWritten(Launch, Author, Problem))
    return E;
  for (const auto &[Index, Contents] : Before)
    if (hasChanged(Problem, Index, Contents))
      By[Index].insert(Author.Spec);
  return Error::success();
}

/// What is wrong at \p Shape; empty: something that is compared is changed. An error: it is not known.
static Expected<std::string> nothingComparedAt(const ResolvedProblem &Shape,
                                               ArrayRef<std::unique_ptr<BuiltLaunch>> Launches,
                                               std::chrono::steady_clock::time_point Begun) {
  Expected<HostProblem> Problem = HostProblem::create(Shape);
  if (!Problem)
    return Problem.takeError();
  std::vector<ChangingLaunches> By(Shape.Buffers.size());
  for (const ResolvedLaunch &Author : Shape.Launches) {
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - Begun).count() > LongestLook)
      return makeError(ErrorKind::Resources, "the launches take too long on the CPU");
    if (Error E = runAndNote(*Launches[Author.Spec], Author, *Problem, By))
      return std::move(E);
    if (nothingCompared(Shape, By).empty())
      return "";
  }
  return nothingCompared(Shape, By);
}

static double threadsOf(const ResolvedProblem &Problem) {
  double Sum = 0;
  for (const ResolvedLaunch &L : Problem.Launches)
    Sum += L.threads();
  return Sum;
}

Error checkComparedChange(const Workload &Whole, ArrayRef<std::unique_ptr<BuiltLaunch>> Launches) {
  auto Begun = std::chrono::steady_clock::now();
  std::vector<std::pair<Environment, ResolvedProblem>> Sizes;
  for (const Environment &Size : Whole.CheckSizes) {
    Expected<ResolvedProblem> Shape = resolve(Whole, Size);
    if (!Shape)
      return Shape.takeError();
    Sizes.emplace_back(Size, std::move(*Shape));
  }
  llvm::stable_sort(Sizes,
                    [](const auto &A, const auto &B) { return threadsOf(A.second) < threadsOf(B.second); });
  std::string Wrong;
  for (const auto &[Size, Shape] : Sizes) {
    Expected<std::string> Here = nothingComparedAt(Shape, Launches, Begun);
    if (!Here) {
      consumeError(Here.takeError());
      return Error::success();
    }
    if (Here->empty()) // At a small size there may be nothing to do.
      return Error::success();
    if (Wrong.empty())
      Wrong = formatv("{0}: at {1} {2}", Whole.Here, sizeName(Whole, Size), *Here);
  }
  return Wrong.empty() ? Error::success() : makeError(ErrorKind::Input, Wrong);
}

} // namespace gpuprune
