//===- EarlierLaunches.cpp - What comes before the launch that is tuned ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Check/EarlierLaunches.h"
#include "gpuprune/Check/HostRuns.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Workload/Sequence.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"
#include <chrono>

using namespace llvm;

namespace gpuprune {

/// Seconds that an earlier launch, and all of them together, may take on the CPU.
static constexpr double TimeLimit = 120;

static TuningTarget upTo(const TuningTarget &All, size_t Number) {
  TuningTarget Target = All;
  Target.W = upToLaunch(std::move(Target.W), Number);
  return Target;
}

BuiltLaunch::BuiltLaunch(const TuningTarget &All, size_t Number, KeptBuilds *Kept, Variant Choice)
    : Number(Number), Target(upTo(All, Number)), Builder(Target) {
  Builder.keepIn(Kept);
  if (!printVariant(Choice).empty())
    Chosen.emplace(std::move(Choice));
}

Error BuiltLaunch::blamed(Error E) const {
  TakenError Taken = takeError(std::move(E));
  return makeError(Taken.Kind,
                   formatv("launch {0} ({1}): {2}", Number + 1, Target.W.tuned().Kernel, Taken.Text));
}

Error BuiltLaunch::build(StringRef Folder) {
  if (Error E = Builder.runFrontends(Prepared, 1))
    return blamed(std::move(E));
  Variables = Builder.frontends().find(Builder.definesText(Variant()))->second.Description.Variables;
  SmallVector<BuiltVariant *, 3> All = {&Stock, &Prepared};
  if (Chosen)
    All.push_back(&*Chosen);
  for (BuiltVariant *Each : All)
    Builder.compile(*Each);
  auto Failed = [&] { return find_if(All, [](const BuiltVariant *V) { return !V->alive(); }); };
  if (!Folder.empty() && Failed() == All.end()) {
    SmallString<128> Path = Folder;
    sys::path::append(Path, formatv("launch{0}.cubin", Number + 1).str());
    Builder.assembleBatch(All, std::string(Path));
  }
  if (auto *First = Failed(); First != All.end())
    return blamed(makeError((*First)->FailedAs.value_or(ErrorKind::Internal), (*First)->Row.Message));
  return Error::success();
}

Error BuiltLaunch::run(const ResolvedLaunch &Author, const HostProblem &Problem, uint8_t Pattern,
                       std::vector<std::vector<uint8_t>> &Contents) {
  if (!Code)
    if (Error E = compileForCpu(Prepared.FinalBitcode, Prepared.Symbol, /*IsStock=*/false, /*Watch=*/false)
                      .moveInto(Code))
      return blamed(std::move(E));
  Expected<HostBuffers> Buffers = HostBuffers::create(Problem, *Code, Pattern);
  if (!Buffers)
    return blamed(Buffers.takeError());
  HostLaunch Launch = Buffers->launch(Author, asWritten(authorLaunch(Author)));
  Launch.Kernel = Prepared.Symbol;
  Launch.TimeLimit = TimeLimit;
  Launch.Workers = 1; // The order of atomic sums is the same each time.
  Launch.SharedPattern = SharedPatterns[0];
  Expected<LaunchReport> Report = Code->launch(Launch);
  if (!Report)
    return blamed(Report.takeError());
  if (Report->Fault)
    return blamed(makeError(ErrorKind::Input, Report->Fault->Message));
  for (size_t I = 0; I != Problem.buffers().size(); ++I)
    Contents.push_back(Buffers->bytes(I).value_or(ArrayRef<uint8_t>()).vec());
  return Error::success();
}

Error buildLaunches(ArrayRef<std::unique_ptr<BuiltLaunch>> Launches, StringRef Folder, unsigned Jobs) {
  std::vector<std::optional<TakenError>> Failures(Launches.size());
  {
    DefaultThreadPool Pool(hardware_concurrency(Jobs));
    for (const auto &[Launch, Failure] : zip_equal(Launches, Failures))
      Pool.async([&Launch = *Launch, &Failure = Failure, Folder] {
        if (Error E = Launch.build(Folder))
          Failure = takeError(std::move(E));
      });
  }
  for (const std::optional<TakenError> &First : Failures)
    if (First)
      return makeError(First->Kind, First->Text);
  return Error::success();
}

Expected<std::unique_ptr<EarlierLaunches>>
EarlierLaunches::build(const TuningTarget &Target, KeptBuilds *Kept, StringRef CubinFolder, unsigned Jobs) {
  auto Made = std::make_unique<EarlierLaunches>();
  // Of a repeat all launches, the tuned one too, come before it in another iteration.
  size_t Before = Target.W.isRepeated() ? Target.W.Launches.size() : Target.W.Tuned;
  std::vector<std::unique_ptr<BuiltLaunch>> Launches;
  for (size_t Number = 0; Number != Before; ++Number)
    Launches.push_back(std::make_unique<BuiltLaunch>(Target, Number, Kept));
  if (Error E = buildLaunches(Launches, CubinFolder, Jobs))
    return std::move(E);
  for (auto &Launch : Launches) {
    if (Error E = Made->checkVariables(Launch->kernel(), Launch->variables()))
      return std::move(E);
    Made->Launches.push_back(std::move(Launch));
  }
  if (Target.W.isRepeated())
    for (const auto &Each : Made->Launches)
      if (Error E = Made->checkVariables(Each->kernel(), Each->variables()))
        return std::move(E);
  return Made;
}

std::string EarlierLaunches::codeKey() const {
  std::string Key;
  for (const auto &Each : Launches)
    Key += Each->prepared().CodeKey + ";";
  return Key;
}

std::string EarlierLaunches::freedom() const {
  for (const auto &[Index, Each] : enumerate(Launches))
    for (const ArgumentFreedom &Of : Each->prepared().Kernel.Freedom.Arguments)
      if (!Of.BetweenVariants.empty())
        return formatv("{0} of launch {1}", Of.BetweenVariants, Index + 1);
  return "";
}

/// What \p Author, a launch of \p Launch, leaves in \p Problem where out buffers began with \p Pattern.
/// Error: it changes what it must not.
static Expected<std::vector<std::vector<uint8_t>>> leftBy(BuiltLaunch &Launch, const ResolvedLaunch &Author,
                                                          const HostProblem &Problem, uint8_t Pattern) {
  std::vector<std::vector<uint8_t>> Left;
  if (Error E = Launch.run(Author, Problem, Pattern, Left))
    return std::move(E);
  for (const auto &[Shape, Before, After] : zip_equal(Problem.buffers(), Problem.contents(Pattern), Left))
    if (Shape.Role == BufferRole::In && !After.empty() &&
        compareWithExpected(Shape.Type, {}, Before, ArrayRef(After).take_front(Before.size())).Elements != 0)
      return makeError(
          ErrorKind::Input,
          formatv("launch {0} ({1}) changes the buffer '{2}', whose role is in; declare it inout or out",
                  Author.Spec + 1, Author.Kernel, Shape.FirstName));
  return Left;
}

Error runAsWritten(BuiltLaunch &Launch, const ResolvedLaunch &Author, HostProblem &Problem) {
  Expected<std::vector<std::vector<uint8_t>>> First = leftBy(Launch, Author, Problem, FillPatterns[0]);
  if (!First)
    return First.takeError();
  Expected<std::vector<std::vector<uint8_t>>> Second = leftBy(Launch, Author, Problem, FillPatterns[1]);
  if (!Second)
    return Second.takeError();
  for (const ResolvedArgument &A : Author.Arguments)
    if (A.Buffer && Problem.buffers()[*A.Buffer].Role != BufferRole::In)
      Problem.takeOver(*A.Buffer, (*First)[*A.Buffer], (*Second)[*A.Buffer]);
  return Error::success();
}

/// Lets the buffers of \p Problem hold what each launch from \p First on leaves, one after the other.
Error EarlierLaunches::runFrom(size_t First, HostProblem &Problem) {
  auto Begun = std::chrono::steady_clock::now();
  size_t All = Problem.shape().earlier().size();
  for (size_t Number = First; Number != All; ++Number) {
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - Begun).count() > TimeLimit)
      return makeError(
          ErrorKind::Resources,
          formatv("{0} of the {1} launches before it take more than {2:F0} s on the CPU; take a smaller "
                  "size to check",
                  Number, All, TimeLimit));
    const ResolvedLaunch &Author = Problem.shape().Launches[Number];
    if (Error E = runAsWritten(*Launches[Author.Spec], Author, Problem))
      return E;
    ++Runs;
  }
  return Error::success();
}

/// "n=64" of "n=64,k=3,j=0", where the iteration of the tuned launch is "k=3,j=0".
static StringRef withoutIteration(StringRef Size, StringRef Iteration) {
  if (!Iteration.empty() && Size.consume_back(Iteration))
    Size.consume_back(",");
  return Size;
}

/// The state after most of the first \p Launches at the size \p Base; null: none is known. What comes before
/// an iteration also comes before those behind it.
const EarlierLaunches::State *EarlierLaunches::nearest(StringRef Base, size_t Launches) const {
  const State *Best = nullptr;
  for (const auto &Each : States) {
    const State &S = Each.second;
    if (S.Base == Base && S.Launches <= Launches && (!Best || S.Launches > Best->Launches))
      Best = &S;
  }
  return Best;
}

Expected<HostProblem> EarlierLaunches::stateBefore(ResolvedProblem Shape, StringRef Size) {
  Expected<HostProblem> Problem = HostProblem::create(std::move(Shape));
  if (!Problem || empty())
    return Problem;
  ArrayRef<ResolvedBuffer> Buffers = Problem->buffers();
  size_t All = Problem->shape().earlier().size();
  StringRef Base = withoutIteration(Size, Problem->launch().Iteration);
  std::lock_guard<std::mutex> Guard(Lock);
  const State *Known = nearest(Base, All);
  if (Known) // Names are those at the end, which is another in each iteration: memory tells which is which.
    for (const LeftBuffer &Left : Known->Left)
      Problem->takeOver(
          find_if(Buffers, [&](const ResolvedBuffer &B) { return B.FirstName == Left.Memory; }) -
              Buffers.begin(),
          Left.First, Left.Second);
  if (Known && Known->Launches == All)
    return Problem;
  if (Error E = runFrom(Known ? Known->Launches : 0, *Problem))
    return std::move(E);
  State Reached{Base.str(), All, {}};
  for (const ResolvedLaunch &Earlier : Problem->shape().earlier())
    for (const ResolvedArgument &A : Earlier.Arguments)
      if (A.Buffer && Buffers[*A.Buffer].Role != BufferRole::In &&
          none_of(Reached.Left,
                  [&](const LeftBuffer &Left) { return Left.Memory == Buffers[*A.Buffer].FirstName; }))
        Reached.Left.push_back({Buffers[*A.Buffer].FirstName, Problem->contents(FillPatterns[0])[*A.Buffer],
                                Problem->contents(FillPatterns[1])[*A.Buffer]});
  States[Size] = std::move(Reached);
  return Problem;
}

Error EarlierLaunches::checkVariables(StringRef Kernel, ArrayRef<DeviceVariable> Used) const {
  for (const auto &[Index, Each] : enumerate(Launches))
    for (const DeviceVariable &Written : Each->variables())
      if (Written.Written &&
          any_of(Used, [&](const DeviceVariable &V) { return V.Used && V.Symbol == Written.Symbol; }))
        return makeError(ErrorKind::Input, formatv("launch {0} ({1}) writes the variable '{2}', which '{3}' "
                                                   "uses: each launch is built and run by "
                                                   "itself, and would not see that; pass it as a buffer",
                                                   Index + 1, Each->kernel(), Written.Symbol, Kernel));
  return Error::success();
}

} // namespace gpuprune
