//===- Checker.cpp - The correctness gate ---------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Checker.h"
#include "OutputReport.h"
#include "gpuprune/Support/ContentHash.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TimeProfiler.h"
#include <tuple>

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

Checker::Checker(const Gpu &G, ModuleCache &Modules, const DeviceKernels &Kernels, uint64_t HostBudget)
    : Owner(G), Modules(Modules), Kernels(Kernels), References(G, Kernels, HostBudget) {}

Error blameReference(Error E, StringRef Who) {
  return handleErrors(std::move(E), [&](const JobFailure &F) -> Error {
    if (F.status() == ResultStatus::Memory || F.status() == ResultStatus::Address)
      return make_error<JobFailure>(F.status(), F.text());
    return make_error<JobFailure>(ResultStatus::Reference, "the " + Who + " program: " + F.text());
  });
}

static Error referenceFailure(StringRef Who, const Twine &Text) {
  return make_error<JobFailure>(ResultStatus::Reference, "the " + Who + " program: " + Text);
}

std::vector<Checker::Rule> Checker::Context::rules(CheckLink Link) const {
  std::vector<Rule> Rules(P.Buffers.size(), {Compare, ""});
  for (const OpenBuffer &B : P.Open)
    if (Link == CheckLink::Launch ? B.BetweenLaunches : B.BetweenVariants)
      Rules[B.Buffer] = {{CompareMode::Tolerance, Compare.Relative, Compare.Absolute}, B.Reason};
  return P.Reference ? Rules : tolerance();
}

std::vector<Checker::Rule> Checker::Context::tolerance() const {
  return std::vector<Rule>(P.Buffers.size(),
                           {{CompareMode::Tolerance, Compare.Relative, Compare.Absolute}, ""});
}

void Checker::CheckResult::fail(Mismatch M, StringRef Buffer) {
  Outcome = CheckOutcome::Wrong;
  Apart.reset();
  Detail = std::move(M);
  Detail->Buffer = Buffer;
}

bool Checker::CheckResult::add(const OutputVerdict &Done, StringRef Buffer, const Rule &By) {
  if (Done.Outcome == CheckOutcome::Wrong) {
    fail(Done.First, Buffer);
    return false;
  }
  // Skipped knows least, so anything replaces it.
  Outcome = std::max(Outcome, Done.Outcome);
  auto Size = [](const Difference &D) { return std::tuple(D.MaxRelative, D.MaxAbsolute); };
  if (Done.Outcome == CheckOutcome::Tolerance)
    if (!Apart || Size(Apart->Apart) < Size(Done.Tolerated))
      Apart = {Buffer.str(), By.Reason.str(), Done.Tolerated};
  return true;
}

/// Notes how long it took, where that is what a timed run takes: copies to constant memory come before the
/// events that are put around a checked kernel.
Expected<CheckedRuns::Left> Checker::runTimed(CheckedRuns &Runs, const LoadedProgram &Program, size_t Run) {
  if (Program.kernels() != 1 || Program.copiesConstants())
    return Runs.run(Run, nullptr);
  if (!Around) {
    Expected<std::unique_ptr<EventPair>> Made = EventPair::create(Owner);
    if (!Made)
      return Made.takeError();
    Around = std::move(*Made);
  }
  Expected<CheckedRuns::Left> Found = Runs.run(Run, Around.get());
  if (!Found)
    return Found;
  Expected<double> Ms = Around->milliseconds();
  if (!Ms)
    return Ms.takeError();
  RunsMs.push_back(*Ms);
  return Found;
}

Expected<Checker::CheckResult> Checker::runAndCompare(const Context &C, const LoadedProgram &Program,
                                                      const ReferenceSet *Set, ArrayRef<Rule> Rules,
                                                      size_t Runs, InputLook Look) {
  CheckResult V;
  RunsMs.clear();
  std::vector<Comparison> By;
  for (const Rule &Each : Rules)
    By.push_back(Each.Compare);
  CheckedRuns Checked(Owner, Kernels, Program, C.Buffers, Set, std::move(By), Runs);
  for (size_t Run = 0; Run != Runs && V.Outcome != CheckOutcome::Wrong; ++Run) {
    Expected<CheckedRuns::Left> Found = runTimed(Checked, Program, Run);
    if (!Found)
      return Found.takeError();
    if (Found->Guard) {
      V.fail(*Found->Guard, Found->Guard->Buffer);
      break;
    }
    for (const auto &[Output, B, Each] : zip(Found->Outputs, C.P.Buffers, Rules))
      if (Output && !V.add(*Output, B.Name, Each))
        break;
  }
  bool HitGuard =
      V.Detail && (V.Detail->Kind == MismatchKind::GuardBefore || V.Detail->Kind == MismatchKind::GuardAfter);
  if (HitGuard)
    return V;
  // A changed input explains wrong output, and may be all that is wrong.
  bool IsLater = Look == InputLook::AfterTiming && V.Outcome != CheckOutcome::Wrong;
  Expected<std::optional<Mismatch>> Input =
      IsLater ? Program.checkSymbols(Kernels) : findChangedInput(Kernels, Program, C.Buffers);
  if (!Input)
    return Input.takeError();
  if (*Input)
    V.fail(**Input, (*Input)->Buffer);
  return V;
}

Expected<Checker::Source> Checker::load(const Context &C, const Program &P, StringRef Who) {
  Expected<LoadedProgram> Loaded = LoadedProgram::load(Owner, Modules, P, C.Buffers);
  if (!Loaded)
    return blameReference(Loaded.takeError(), Who);
  std::string Key = ReferenceStore::keyOf(*Loaded, C.Setting);
  return Source{Who, std::move(*Loaded), std::move(Key)};
}

Expected<Checker::Source> Checker::loadReference(const Context &C) {
  return C.P.Reference ? load(C, *C.P.Reference, "reference") : load(C, *C.P.Stock, "stock");
}

Expected<std::shared_ptr<ReferenceSet>> Checker::leftBy(const Context &C, const Source &S,
                                                        bool MustBeIntact) {
  Expected<std::shared_ptr<ReferenceSet>> Set = References.get(S.Key, S.Program, C.Buffers, C.Compare);
  if (!Set)
    return blameReference(Set.takeError(), S.Who);
  if (!MustBeIntact)
    return Set;
  Expected<bool> Intact = (*Set)->isIntact();
  if (!Intact)
    return Intact.takeError();
  if (*Intact)
    return Set;
  References.forget(S.Key);
  Set = References.get(S.Key, S.Program, C.Buffers, C.Compare);
  if (!Set)
    return blameReference(Set.takeError(), S.Who);
  return Set;
}

static bool differs(const Difference &BetweenRuns, CompareMode Mode) {
  return Mode == CompareMode::Bitwise ? BetweenRuns.Elements != 0 : BetweenRuns.Outside != 0;
}

/// A program can only be compared with where it agrees with itself.
Error Checker::requireStable(const Context &C, const Source &S, const ReferenceSet &Set,
                             ArrayRef<Rule> Rules) const {
  for (const auto &[B, Left, By] : zip_equal(C.P.Buffers, Set.Outputs, Rules))
    if (Left && differs(Left->betweenRuns(), By.Compare.Mode))
      return referenceFailure(S.Who,
                              formatv("buffer {0}, element {1}{2} differs between two runs over different "
                                      "initial contents of out buffers and shared memory: {3}, then "
                                      "{4}; declare the buffer inout if the kernel reads it, or "
                                      "compare by tolerance if the order of its operations is not fixed",
                                      B.Name, Left->betweenRuns().Index, fieldText(Left->betweenRuns().Field),
                                      Left->betweenRuns().Expected, Left->betweenRuns().Got));
  return Error::success();
}

Expected<std::shared_ptr<ReferenceSet>> Checker::soundlyLeftBy(const Context &C, const Source &S,
                                                               ArrayRef<Rule> Rules, bool MustBeIntact) {
  Expected<std::shared_ptr<ReferenceSet>> Set = leftBy(C, S, MustBeIntact);
  if (!Set)
    return Set;
  if (const std::optional<Mismatch> &M = (*Set)->Misdeed)
    return referenceFailure(S.Who, describe(*M) + (M->Kind == MismatchKind::Input
                                                       ? "; declare the buffer inout or out if it is written"
                                                       : ""));
  if (Error E = requireStable(C, S, **Set, Rules))
    return E;
  return Set;
}

Error Checker::checkAgainstStock(const Context &C, const Source &Author) {
  Expected<Source> Stock = load(C, *C.P.Stock, "stock");
  if (!Stock)
    return Stock.takeError();
  std::string Key = Author.Key + " " + Stock->Key;
  if (AgreeWithStock.contains(Key))
    return Error::success();
  std::vector<Rule> Rules = C.tolerance();
  Expected<std::shared_ptr<ReferenceSet>> Set = soundlyLeftBy(C, Author, Rules, /*MustBeIntact=*/true);
  if (!Set)
    return Set.takeError();
  Expected<CheckResult> V = runAndCompare(C, Stock->Program, Set->get(), Rules);
  if (!V)
    return blameReference(V.takeError(), "stock");
  Expected<bool> Intact = (*Set)->isIntactOnDevice();
  if (!Intact)
    return Intact.takeError();
  if (!*Intact && !saysWhere(*V))
    V = elsewhere();
  if (V->Outcome == CheckOutcome::Wrong)
    return referenceFailure("stock", describe(*V->Detail));
  AgreeWithStock.insert(std::move(Key));
  return Error::success();
}

Expected<Checker::CheckResult> Checker::compareLaunches(const Context &C, const ReferenceSet &Truth,
                                                        const ReferenceSet &Reference, ArrayRef<Rule> Rules) {
  CheckResult V;
  if (Reference.Misdeed) {
    V.fail(*Reference.Misdeed, Reference.Misdeed->Buffer);
    return V;
  }
  for (const auto &[B, Wanted, Found, By] : zip_equal(C.P.Buffers, Truth.Outputs, Reference.Outputs, Rules)) {
    if (!Wanted)
      continue;
    Expected<OutputVerdict> Compared = Wanted->compare(*Found, By.Compare);
    if (!Compared)
      return Compared.takeError();
    if (!V.add(*Compared, B.Name, By))
      return V;
    const Difference &Apart = Found->betweenRuns();
    if (differs(Apart, By.Compare.Mode)) {
      Mismatch M;
      M.Index = Apart.Index;
      M.Field = Apart.Field;
      M.Expected = Apart.Expected;
      M.Got = Apart.Got;
      M.Differing = Apart.Elements;
      V.fail(std::move(M), B.Name);
      return V;
    }
  }
  V.Outcome = std::max(V.Outcome, CheckOutcome::Bitwise);
  return V;
}

static bool isSameEachTime(const ReferenceSet &Set) {
  return all_of(Set.Outputs, [](const auto &Left) { return !Left || Left->betweenRuns().Elements == 0; });
}

/// Compares the reference's runs themselves with what is kept of the truth, as a candidate's are. Where both
/// leave the same in every bit, and the truth does so each time, nothing of the reference has to be kept.
/// Skipped where this cannot show it.
Expected<Checker::CheckResult> Checker::compareRunsWithTruth(const Context &C, const ReferenceSet &Truth,
                                                             const Source &Reference, ArrayRef<Rule> Rules) {
  bool MayShow = Truth.isOnDevice() && isSameEachTime(Truth) && !References.keeps(Reference.Key) &&
                 all_of(Rules, [](const Rule &By) { return By.Compare.Mode == CompareMode::Bitwise; });
  if (!MayShow)
    return CheckResult();
  Expected<CheckResult> V = runAndCompare(C, Reference.Program, &Truth, Rules);
  if (!V)
    return blameReference(V.takeError(), Reference.Who);
  Expected<bool> Intact = Truth.isIntactOnDevice();
  if (!Intact)
    return Intact.takeError();
  return *Intact || saysWhere(*V) ? std::move(V) : elsewhere();
}

/// The reference beside the truth.
Expected<Checker::CheckResult> Checker::checkLaunch(const Context &C, const Source &Truth,
                                                    const Source &Reference) {
  if (Truth.Key == Reference.Key)
    return CheckResult{CheckOutcome::Bitwise};
  std::vector<Rule> Rules = C.rules(CheckLink::Launch);
  std::string Key = Truth.Key + " " + Reference.Key;
  for (const Rule &By : Rules)
    Key += formatv(" {0} {1}", static_cast<int>(By.Compare.Mode), By.Reason);
  if (auto Known = Launches.find(Key); Known != Launches.end())
    return Known->second;
  Expected<std::shared_ptr<ReferenceSet>> True = soundlyLeftBy(C, Truth, Rules, /*MustBeIntact=*/true);
  if (!True)
    return True.takeError();
  Expected<CheckResult> Direct = compareRunsWithTruth(C, **True, Reference, Rules);
  if (!Direct)
    return Direct;
  if (Direct->Outcome == CheckOutcome::Bitwise) {
    References.unite(Reference.Key, Truth.Key);
    return Launches[Key] = *Direct;
  }
  Expected<std::shared_ptr<ReferenceSet>> Found = leftBy(C, Reference, /*MustBeIntact=*/true);
  if (!Found)
    return Found.takeError();
  // It was intact before the reference ran.
  Expected<bool> Intact = (*True)->isIntactOnDevice();
  if (!Intact)
    return Intact.takeError();
  if ((*True)->isOnDevice() != (*Found)->isOnDevice() && *Intact)
    for (const std::string &Each : {Truth.Key, Reference.Key})
      if (Error E = References.moveToHost(Each))
        return E;
  Expected<CheckResult> V = *Intact ? compareLaunches(C, **True, **Found, Rules) : elsewhere();
  if (!V)
    return V;
  // A difference counts that is not there each time.
  if (Direct->Outcome == CheckOutcome::Wrong && V->Outcome != CheckOutcome::Wrong)
    V = std::move(*Direct);
  if (V->Detail)
    V->Detail->Link = CheckLink::Launch;
  if (V->Outcome == CheckOutcome::Bitwise && isSameEachTime(**True) && isSameEachTime(**Found))
    References.unite(Reference.Key, Truth.Key);
  Launches[Key] = *V;
  return V;
}

/// Shows that the reference computes what the author's program does. Outcome is that of the launch.
Expected<Checker::CheckResult> Checker::proveReference(const Context &C, const Source &Reference) {
  if (!C.P.Reference)
    return CheckResult();
  std::optional<Source> Truth;
  if (C.P.Truth) {
    Expected<Source> Loaded = load(C, *C.P.Truth, "truth");
    if (!Loaded)
      return Loaded.takeError();
    Truth.emplace(std::move(*Loaded));
  }
  if (C.P.Stock)
    if (Error E = checkAgainstStock(C, Truth ? *Truth : Reference))
      return E;
  return Truth ? checkLaunch(C, *Truth, Reference) : CheckResult();
}

/// Whether it is known what was written to beside the outputs.
bool Checker::saysWhere(const CheckResult &V) {
  return V.Detail && is_contained({MismatchKind::GuardBefore, MismatchKind::GuardAfter, MismatchKind::Input},
                                  V.Detail->Kind);
}

Checker::CheckResult Checker::elsewhere() {
  CheckResult V;
  V.fail(writesElsewhere(), "");
  return V;
}

static constexpr char UnstableReference[] = "what is kept of the reference does not stay the same";

/// The candidate beside what is kept of the reference, which may have been written over before where it need
/// not \p MustBeIntact. \p IsSure: the verdict is the candidate's.
Expected<Checker::CheckResult> Checker::compareOnce(const Context &C, const Source &Reference,
                                                    const LoadedProgram &Candidate, size_t Runs,
                                                    bool MustBeIntact, bool &IsSure) {
  std::vector<Rule> Rules = C.rules(CheckLink::Variant);
  Expected<std::shared_ptr<ReferenceSet>> Set = soundlyLeftBy(C, Reference, Rules, MustBeIntact);
  if (!Set)
    return Set.takeError();
  Expected<CheckResult> V = runAndCompare(C, Candidate, Set->get(), Rules, Runs, C.Look);
  // What is on the host is only doubted where it says that something is wrong. Guard zones and inputs do not
  // depend on what is kept.
  bool OnDevice = (*Set)->isOnDevice();
  IsSure = !V || (OnDevice ? saysWhere(*V) : V->Outcome != CheckOutcome::Wrong);
  if (IsSure)
    return V;
  Expected<bool> Intact = (*Set)->isIntact();
  if (!Intact)
    return Intact.takeError();
  IsSure = *Intact || (OnDevice && MustBeIntact);
  return *Intact || !OnDevice ? std::move(V) : elsewhere();
}

/// What is kept is not looked at before: the comparison itself shows whether it was intact, and only where
/// it was not, it has to be known whose doing that is.
Expected<Checker::CheckResult> Checker::checkVariant(const Context &C, const Source &Reference,
                                                     const LoadedProgram &Candidate) {
  for (bool MustBeIntact : {false, true}) {
    bool IsSure = false;
    Expected<CheckResult> V = compareOnce(C, Reference, Candidate, FillPatterns.size(), MustBeIntact, IsSure);
    if (IsSure || !V)
      return V;
  }
  return make_error<JobFailure>(ResultStatus::Error, UnstableReference);
}

static void take(ProblemCheck &Check, CheckOutcome Launch, std::optional<Tolerated> Apart) {
  Check.Launch = Launch;
  Check.LaunchApart = std::move(Apart);
}

Expected<ProblemCheck> Checker::check(const Problem &P, const Comparison &Compare, const BufferSet &Buffers,
                                      const LoadedProgram &Candidate, InputLook Look) {
  TimeTraceScope Scope("check");
  Context C(P, Compare, Buffers, Look);
  ProblemCheck Check;
  Check.Problem = P.Name;
  auto Found = [&]() -> Expected<CheckResult> {
    if (!P.Reference && !P.Stock)
      return runAndCompare(C, Candidate, nullptr, {});
    Expected<Source> Reference = loadReference(C);
    if (!Reference)
      return Reference.takeError();
    Expected<CheckResult> Launch = proveReference(C, *Reference);
    if (!Launch)
      return Launch;
    take(Check, Launch->Outcome, Launch->Apart);
    if (Launch->Outcome == CheckOutcome::Wrong)
      return Launch;
    return checkVariant(C, *Reference, Candidate);
  }();
  if (!Found)
    return Found.takeError();
  Check.Outcome = Found->Outcome;
  Check.Detail = std::move(Found->Detail);
  Check.Apart = std::move(Found->Apart);
  if (P.Expected.empty() || Check.Outcome == CheckOutcome::Wrong)
    return Check;
  // The buffers hold what the run over the second pattern left.
  if (Error E = runOverPatterns(Owner, Kernels, Candidate, Buffers, 0))
    return E;
  Expected<std::vector<Output>> Outputs = reportOutputs(Owner, Modules, P, Compare, Buffers);
  if (!Outputs)
    return Outputs.takeError();
  Check.Outputs = std::move(*Outputs);
  return Check;
}

Expected<std::optional<Mismatch>> Checker::checkAgain(const Problem &P, const Comparison &Compare,
                                                      const BufferSet &Buffers,
                                                      const LoadedProgram &Candidate) {
  if (!P.Reference && !P.Stock)
    return std::nullopt;
  Context C(P, Compare, Buffers);
  Expected<Source> Reference = loadReference(C);
  if (!Reference)
    return Reference.takeError();
  for (bool MustBeIntact : {false, true}) {
    bool IsSure = false;
    Expected<CheckResult> V = compareOnce(C, *Reference, Candidate, /*Runs=*/1, MustBeIntact, IsSure);
    if (!V)
      return V.takeError();
    if (IsSure || V->Detail->Kind == MismatchKind::Elsewhere)
      return std::move(V->Detail);
  }
  return make_error<JobFailure>(ResultStatus::Error, UnstableReference);
}

Expected<std::shared_ptr<ReferenceSet>> Checker::kept(const Problem &P, const Comparison &Compare,
                                                      const BufferSet &Buffers) {
  if (!P.Reference && !P.Stock)
    return nullptr;
  Context C(P, Compare, Buffers);
  Expected<Source> Reference = loadReference(C);
  if (!Reference)
    return Reference.takeError();
  return leftBy(C, *Reference, /*MustBeIntact=*/true);
}

} // namespace gpuprune
