//===- Checker.cpp - The correctness gate ---------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Checker.h"
#include "OutputReport.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

Checker::Checker(const Gpu &G, ModuleCache &Modules, uint64_t HostBudget)
    : Owner(G), Modules(Modules), References(HostBudget) {}

Error blameReference(Error E, StringRef Who) {
  return handleErrors(std::move(E), [&](const JobFailure &F) -> Error {
    if (F.status() == ResultStatus::Memory)
      return make_error<JobFailure>(F.status(), F.text());
    return make_error<JobFailure>(ResultStatus::Reference, "the " + Who + " program: " + F.text());
  });
}

static Error referenceFailure(StringRef Who, const Mismatch &M) {
  return make_error<JobFailure>(ResultStatus::Reference, formatv("the {0} program: {1}", Who, describe(M)));
}

Error Checker::runOnce(const LoadedProgram &Program, const BufferSet &Buffers, uint8_t Pattern) {
  if (Error E = Buffers.prepare(Pattern))
    return E;
  if (Error E = Program.fillSymbols())
    return E;
  if (Error E = Program.launch())
    return E;
  return Owner.synchronize();
}

/// The worst of both; Skipped knows least, so anything replaces it.
static CheckOutcome worse(CheckOutcome A, CheckOutcome B) { return std::max(A, B); }

Error Checker::compareOutputs(const BufferSet &Buffers, const ReferenceSet &Reference, uint8_t Pattern,
                              const Comparison &Compare, ProblemCheck &Check) {
  for (const auto &[B, Wanted] : zip_equal(Buffers.buffers(), Reference.Outputs)) {
    const Buffer &Shape = B->shape();
    if (Shape.Role == BufferRole::In)
      continue;
    OutputComparer Comparer(Shape.Type, Compare, Wanted.Bytes, Wanted.Unwritten, Pattern);
    Error E = Owner.download(B->address(), Shape.bytes(), [&](ArrayRef<uint8_t> Chunk) {
      Comparer.feed(Chunk);
      return true;
    });
    if (E)
      return E;
    Check.Outcome = worse(Check.Outcome, Comparer.outcome());
    if (Comparer.outcome() != CheckOutcome::Wrong)
      continue;
    Check.Detail = Comparer.mismatch();
    Check.Detail->Buffer = Shape.Name;
    return Error::success();
  }
  return Error::success();
}

static Expected<std::optional<Mismatch>> findChangedInput(const LoadedProgram &Program,
                                                          const BufferSet &Buffers) {
  Expected<std::optional<Mismatch>> Found = Buffers.checkInputs();
  return !Found || *Found ? std::move(Found) : Program.checkSymbols();
}

Expected<ProblemCheck> Checker::runAndCompare(const LoadedProgram &Program, const BufferSet &Buffers,
                                              const ReferenceSet *Reference, const Comparison &Compare) {
  ProblemCheck Check;
  auto Wrong = [&](Mismatch M) {
    Check.Outcome = CheckOutcome::Wrong;
    Check.Detail = std::move(M);
    return Check;
  };
  for (uint8_t Pattern : FillPatterns) {
    if (Error E = runOnce(Program, Buffers, Pattern))
      return E;
    Expected<std::optional<Mismatch>> Guard = Buffers.checkGuards(Pattern);
    if (!Guard)
      return Guard.takeError();
    if (*Guard)
      return Wrong(std::move(**Guard));
    if (!Reference)
      continue;
    if (Error E = compareOutputs(Buffers, *Reference, Pattern, Compare, Check))
      return E;
    if (Check.Outcome == CheckOutcome::Wrong)
      break;
  }
  // A changed input explains wrong output, and may be all that is wrong.
  Expected<std::optional<Mismatch>> Input = findChangedInput(Program, Buffers);
  if (!Input)
    return Input.takeError();
  if (*Input)
    return Wrong(std::move(**Input));
  return Check;
}

static Error downloadInto(const Gpu &G, const DeviceBuffer &B, std::vector<uint8_t> &Bytes) {
  Bytes.reserve(B.shape().bytes());
  return G.download(B.address(), B.shape().bytes(), [&](ArrayRef<uint8_t> Chunk) {
    Bytes.insert(Bytes.end(), Chunk.begin(), Chunk.end());
    return true;
  });
}

Expected<std::shared_ptr<Checker::ReferenceSet>> Checker::runReference(const LoadedProgram &Program,
                                                                       const BufferSet &Buffers) {
  std::vector<std::vector<uint8_t>> Runs[2];
  for (size_t Run = 0; Run != 2; ++Run) {
    if (Error E = runOnce(Program, Buffers, FillPatterns[Run]))
      return E;
    Expected<std::optional<Mismatch>> Guard = Buffers.checkGuards(FillPatterns[Run]);
    if (!Guard)
      return Guard.takeError();
    if (*Guard)
      return make_error<JobFailure>(ResultStatus::Reference, describe(**Guard));
    for (const auto &B : Buffers.buffers()) {
      Runs[Run].emplace_back();
      if (B->shape().Role != BufferRole::In)
        if (Error E = downloadInto(Owner, *B, Runs[Run].back()))
          return E;
    }
  }
  Expected<std::optional<Mismatch>> Input = findChangedInput(Program, Buffers);
  if (!Input)
    return Input.takeError();
  if (*Input)
    return make_error<JobFailure>(ResultStatus::Reference,
                                  describe(**Input) + "; declare the buffer inout or out if it is written");
  auto Set = std::make_shared<ReferenceSet>();
  for (const auto &[B, First, Second] : zip_equal(Buffers.buffers(), Runs[0], Runs[1]))
    Set->Outputs.push_back(
        joinReferenceRuns(B->shape().Type, std::move(First), Second, Set->Unstable.emplace_back()));
  return Set;
}

Error Checker::checkAgainstStock(const Problem &P, const Comparison &Compare, const BufferSet &Buffers,
                                 ReferenceSet &Reference) {
  Expected<LoadedProgram> Stock = LoadedProgram::load(Owner, Modules, *P.Stock, Buffers);
  if (!Stock)
    return blameReference(Stock.takeError(), "stock");
  Comparison ByTolerance = Compare;
  ByTolerance.Mode = CompareMode::Tolerance;
  std::string Key = formatv("{0} {1} {2}", Stock->contentKey(), Compare.Relative, Compare.Absolute);
  if (Reference.AgreesWith.contains(Key))
    return Error::success();
  Expected<ProblemCheck> Check = runAndCompare(*Stock, Buffers, &Reference, ByTolerance);
  if (!Check)
    return blameReference(Check.takeError(), "stock");
  if (Check->Outcome == CheckOutcome::Wrong)
    return referenceFailure("stock", *Check->Detail);
  Reference.AgreesWith.insert(std::move(Key));
  return Error::success();
}

Expected<std::shared_ptr<Checker::ReferenceSet>>
Checker::reference(const Problem &P, const Comparison &Compare, const BufferSet &Buffers) {
  StringRef Who = P.Reference ? "reference" : "stock";
  Expected<LoadedProgram> Program =
      LoadedProgram::load(Owner, Modules, P.Reference ? *P.Reference : *P.Stock, Buffers);
  if (!Program)
    return blameReference(Program.takeError(), Who);
  std::string Key = Program->contentKey();
  for (const Buffer &B : P.Buffers)
    Key += formatv("{0}", toJSON(B));
  std::shared_ptr<ReferenceSet> Set = References.find(Key);
  if (!Set) {
    Expected<std::shared_ptr<ReferenceSet>> Made = runReference(*Program, Buffers);
    if (!Made)
      return blameReference(Made.takeError(), Who);
    Set = std::move(*Made);
    uint64_t Bytes = 0;
    for (const ReferenceOutput &Output : Set->Outputs)
      Bytes += Output.Bytes.size() + Output.Unwritten.size() * sizeof(ByteRange);
    References.insert(Key, Set, Bytes);
  }
  if (P.Reference && P.Stock)
    if (Error E = checkAgainstStock(P, Compare, Buffers, *Set))
      return E;
  return Set;
}

/// Bitwise equality can only be asked for where the reference equals itself.
static Error requireStable(const Problem &P, ArrayRef<std::optional<uint64_t>> Unstable) {
  for (const auto &[B, Element] : zip_equal(P.Buffers, Unstable))
    if (Element)
      return make_error<JobFailure>(ResultStatus::Reference,
                                    formatv("the reference program: buffer {0}, element {1} differs between "
                                            "two runs over different initial "
                                            "contents; declare the buffer inout if the kernel reads it, or "
                                            "compare by tolerance if the order "
                                            "of its operations is not fixed",
                                            B.Name, *Element));
  return Error::success();
}

Expected<ProblemCheck> Checker::check(const Problem &P, const Comparison &Compare, const BufferSet &Buffers,
                                      const LoadedProgram &Candidate) {
  std::shared_ptr<ReferenceSet> Set;
  Comparison Effective = Compare;
  if (!P.Reference)
    Effective.Mode = CompareMode::Tolerance;
  if (P.Reference || P.Stock) {
    Expected<std::shared_ptr<ReferenceSet>> Found = reference(P, Compare, Buffers);
    if (!Found)
      return Found.takeError();
    Set = std::move(*Found);
    if (Effective.Mode == CompareMode::Bitwise)
      if (Error E = requireStable(P, Set->Unstable))
        return E;
  }
  Expected<ProblemCheck> Check = runAndCompare(Candidate, Buffers, Set.get(), Effective);
  if (!Check)
    return Check.takeError();
  Check->Problem = P.Name;
  if (P.Expected.empty() || Check->Outcome == CheckOutcome::Wrong)
    return Check;
  // The buffers hold what the run over the second pattern left.
  if (Error E = runOnce(Candidate, Buffers, FillPatterns[0]))
    return E;
  Expected<std::vector<Output>> Outputs = reportOutputs(Owner, Modules, P, Compare, Buffers);
  if (!Outputs)
    return Outputs.takeError();
  Check->Outputs = std::move(*Outputs);
  return Check;
}

} // namespace gpuprune
