//===- LaunchChoice.cpp - How a variant's launch relates to the author's --===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/LaunchChoice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

DefineValues definesIn(const Workload &W, const Variant &V) {
  DefineValues Values;
  for (const DefineSetting &D : V.Defines)
    Values[D.Name] = D.Value;
  for (const DefineSpec &D : W.Defines)
    Values.try_emplace(D.Name, D.Values.front());
  return Values;
}

AuthorLaunch authorLaunch(const ResolvedLaunch &Launch) {
  return {Launch.Grid, Launch.Block, Launch.SharedBytes};
}

static std::string textOf(const Workload &W, const Variant &V) {
  Variant Differs;
  Differs.Block = V.Block;
  DefineValues Values = definesIn(W, V);
  for (const DefineSpec &D : W.Defines)
    if (Values.lookup(D.Name) != D.Values.front())
      Differs.Defines.push_back({D.Name, Values.lookup(D.Name)});
  return printVariant(Differs);
}

static std::string describe(const ResolvedBuffer &B) {
  return formatv("{0} elements of {1}", B.Count, B.Type.text());
}

/// How the buffers of \p Own differ from those of \p Author; empty where they are the same.
static std::string bufferDifference(const ResolvedProblem &Author, const ResolvedProblem &Own) {
  for (const auto &[A, B] : zip_equal(Author.Buffers, Own.Buffers)) {
    if (A.Type != B.Type || A.Count != B.Count)
      return formatv("buffer {0} has {1}, at the author's launch {2}", A.Name, describe(B), describe(A));
    if (A.Role != B.Role || A.Temporary != B.Temporary || A.Symbol != B.Symbol || !(A.Fill == B.Fill))
      return formatv("buffer {0} does not hold what it holds at the author's launch", A.Name);
  }
  return "";
}

/// The same of the arguments.
static std::string argumentDifference(const ResolvedLaunch &Author, const ResolvedLaunch &Own) {
  for (const auto &[I, A, B] : enumerate(Author.Arguments, Own.Arguments))
    if (A != B)
      return formatv("argument {0} is not what it is at the author's launch", I);
  return "";
}

/// Whether a define that \p V sets otherwise is one of `same-result: false`; its name.
static StringRef definesAnotherResult(const Workload &W, const Variant &V) {
  DefineValues Values = definesIn(W, V);
  for (const DefineSpec &D : W.Defines)
    if (!D.SameResult && Values.lookup(D.Name) != D.Values.front())
      return D.Name;
  return "";
}

/// What else \p V sets otherwise, which must not change the result.
static std::string changesSameResult(const Workload &W, const Variant &V) {
  DefineValues Values = definesIn(W, V);
  SmallVector<StringRef> Names;
  if (V.Block)
    Names.push_back("its block");
  for (const DefineSpec &D : W.Defines)
    if (D.SameResult && Values.lookup(D.Name) != D.Values.front())
      Names.push_back(D.Name);
  return join(Names, ", ");
}

/// Whether blocks of \p Own threads that lie \p Author apart, as where the author's block is baked into an
/// index, leave something out of what \p Blocks of them have to cover, however few of the last one's threads
/// are needed.
static bool leaveGaps(int64_t Blocks, int64_t Own, int64_t Author) {
  return Blocks >= 2 && (Own < Author || (Blocks - 1) * (Own - Author) >= Own);
}

static bool tells(const ResolvedLaunch &Author, const ResolvedLaunch &Own) {
  for (unsigned D = 0; D != Dim3::size(); ++D) {
    bool BlockChanged = Author.Block[D] != Own.Block[D], GridChanged = Author.Grid[D] != Own.Grid[D];
    if ((BlockChanged || GridChanged) && (Author.Grid[D] < 2 || Own.Grid[D] < 2))
      return false;
    // With the author's grid all blocks are there, and each thread may do another part.
    if (BlockChanged && GridChanged && !leaveGaps(Own.Grid[D], Own.Block[D], Author.Block[D]))
      return false;
  }
  return true;
}

/// Takes up \p Size where \p V can be launched there, and how its problem differs from the author's.
static void addSize(LaunchChoice &Choice, const Workload &W, const Variant &V, const Environment &Size) {
  DefineValues Defines = definesIn(W, V);
  Expected<ResolvedProblem> Author = resolve(W, Size, {}, std::nullopt, LaunchScope::Tuned);
  Expected<ResolvedProblem> Own = resolve(W, Size, Defines, V.Block, LaunchScope::Tuned);
  // Arguments may follow the block, since they tell the kernel of it. Those that a define changes
  // are seen without the variant's block.
  Expected<ResolvedProblem> OwnDefines = resolve(W, Size, Defines, std::nullopt, LaunchScope::Tuned);
  bool Resolved = Author && Own;
  if (Resolved) {
    const ResolvedLaunch &AsAuthor = Author->tuned(), &Launch = Own->tuned();
    Choice.Launches.push_back({Size, authorLaunch(Launch), tells(AsAuthor, Launch)});
    if (Choice.OwnResult.empty())
      Choice.OwnResult = bufferDifference(*Author, *Own);
    if (Choice.OwnResult.empty() && OwnDefines)
      Choice.OwnResult = argumentDifference(AsAuthor, OwnDefines->tuned());
  }
  // A size that a choice cannot be launched at is left out for it.
  for (Expected<ResolvedProblem> *Problem : {&Author, &Own, &OwnDefines})
    if (!*Problem)
      consumeError(Problem->takeError());
}

LaunchChoice launchChoice(const Workload &W, const Variant &V) {
  LaunchChoice Choice;
  Choice.Text = textOf(W, V);
  Choice.IsAuthors = Choice.Text.empty();
  for (const Environment &Size : W.CheckSizes)
    addSize(Choice, W, V, Size);
  addSize(Choice, W, V, W.TuneSize);
  if (StringRef Define = definesAnotherResult(W, V); !Define.empty()) {
    Choice.OwnResult = formatv("the workload says that {0} changes the result", Define);
    Choice.Unspoken = changesSameResult(W, V);
    Choice.OwnResultMayWin = Choice.Unspoken.empty();
  }
  return Choice;
}

std::string LaunchChoice::whyItCannotWin(const VariantKernel &Kernel) const {
  if (IsAuthors || OwnResultMayWin)
    return "";
  if (!Unspoken.empty())
    return formatv(
        "with {0} {1}, and nothing can say whether {2} does as well; it may win where the author's launch "
        "has the define's value",
        Text, OwnResult, Unspoken);
  if (!OwnResult.empty())
    return formatv("with {0} {1}: there is no result of the author's launch to compare with; where that is "
                   "meant, write same-result: false at the define",
                   Text, OwnResult);
  bool Compared = any_of(Launches, [&](const Launch &L) {
    if (!L.Tells)
      return false;
    return !errorToBool(Kernel.checkLaunch(L.Shape));
  });
  if (Compared)
    return "";
  return formatv(
      "no size that it can be launched at has enough blocks in each dimension that {0} changes for a "
      "comparison to tell (two, and more of larger blocks); add a larger one to check",
      Text);
}

} // namespace gpuprune
