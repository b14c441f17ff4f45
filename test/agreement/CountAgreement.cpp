//===- CountAgreement.cpp - Counts from the code and counts by running ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the blocks of the kernels in kernels/, of variants of theirs out of their
// spaces, at the size they are tuned for:
//
//   * Where they follow from the code and the launch, counting by running has to say
//     the same of each block and edge. That holds for samples, too: where the launch
//     alone decides, all threads are alike.
//   * Else a sample has to agree, in instructions a thread, with one eight times as
//     large within the error that docs/metrics.md states.
//
//===----------------------------------------------------------------------===//
#include "CountingProblem.h"
#include "gpuprune/Variant/VariantBuilder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include <random>

using namespace gpuprune;
using namespace llvm;

static cl::OptionCategory Category("Agreement of counts");
static cl::list<std::string> Names(cl::Positional, cl::desc("[folders in kernels/]"), cl::cat(Category));
static cl::opt<unsigned> SampleSize("sample", cl::desc("variants of each space (default 20)"), cl::init(20),
                                    cl::cat(Category));
static cl::opt<uint64_t> Seed("seed", cl::desc("of the sample (default 1)"), cl::init(1), cl::cat(Category));
static cl::opt<bool> Full("full", cl::desc("all variants, with all defines"), cl::cat(Category));

/// Of a sample, relative, in instructions a thread; stated in docs/metrics.md.
static constexpr double SampleError = 0.10;
/// The threads of mandelbrot go round its loop 1 to 1000 times, and where one makes 16 results a sample has
/// few.
static constexpr double SampleErrorOfMandelbrot = 0.25;
static constexpr uint64_t TimesMore = 8;

namespace {

/// What came of the variants of a kernel.
struct Tally {
  unsigned Variants = 0, Refused = 0, Static = 0, ExactRun = 0, Sampled = 0, GivenUp = 0;
  double WorstError = 0;
  std::vector<std::string> Failures;
};

/// The kernels of one folder.
class KernelFolder {
public:
  explicit KernelFolder(const TuningTarget &Target) : Target(Target), Builder(this->Target) {}
  Expected<Tally> run();

private:
  const TuningTarget &Target;
  VariantBuilder Builder;
  CountCache Usual, Large;
  Tally Result;

  Expected<std::vector<Variant>> variants();
  void check(const BuiltVariant &V);
  Error giveUp(Error E);
  Error compare(const BuiltVariant &V);
  Error compareFunction(Function &Kernel, const LaunchContext &Launch, const BuiltVariant &V,
                        const ResolvedProblem &Problem);
};

} // namespace

/// The author's defines alone unless all are asked for: each choice is a run of clang++.
static void keepSome(std::vector<Variant> &All) {
  if (Full)
    return;
  erase_if(All, [&](const Variant &V) {
    return any_of(V.Defines, [&](const DefineSetting &D) {
      return D.Value != All.front().Defines[&D - V.Defines.data()].Value;
    });
  });
  std::mt19937_64 Random(Seed); // The standard fixes its numbers.
  for (size_t I = 0; I + 1 < All.size(); ++I)
    std::swap(All[I], All[I + Random() % (All.size() - I)]);
  if (All.size() > SampleSize)
    All.resize(SampleSize);
}

Expected<std::vector<Variant>> KernelFolder::variants() {
  Expected<VariantKernel> Kernel = Builder.inspect();
  if (!Kernel)
    return Kernel.takeError();
  Expected<Space> Searched = spaceFor(Target.W, *Kernel);
  if (!Searched)
    return Searched.takeError();
  Expected<Enumeration> All = Searched->enumerate();
  if (!All)
    return All.takeError();
  keepSome(All->Variants);
  return std::move(All->Variants);
}

/// What a thread executes, in instructions of the IR.
static double instructions(const Function &Kernel, const BlockFrequencies &Counts) {
  double Sum = 0;
  for (const BasicBlock &Block : Kernel)
    Sum += Counts.of(&Block) * double(Block.size());
  return Sum;
}

static bool agree(double A, double B) { return std::fabs(A - B) <= 1e-9 * std::max({1.0, A, B}); }

/// Where counts that both are exact differ, in words; else empty.
static std::string difference(const Function &Kernel, const BlockFrequencies &Code,
                              const BlockFrequencies &Run) {
  for (const auto &[Index, Block] : enumerate(Kernel)) {
    if (!agree(Code.of(&Block), Run.of(&Block)))
      return formatv("block {0} is executed {1} times by the code and {2} times in a run", Index,
                     Code.of(&Block), Run.of(&Block));
    for (const BasicBlock *To : successors(&Block))
      if (!agree(Code.Edges.lookup({&Block, To}), Run.Edges.lookup({&Block, To})))
        return formatv("an edge of block {0} is taken {1} times by the code and {2} times in a run", Index,
                       Code.Edges.lookup({&Block, To}), Run.Edges.lookup({&Block, To}));
  }
  return "";
}

/// What takes too long is estimated in a search.
Error KernelFolder::giveUp(Error E) {
  TakenError Problem = gpuprune::takeError(std::move(E));
  if (Problem.Kind != ErrorKind::Resources)
    return makeError(Problem.Kind, Problem.Text);
  ++Result.GivenUp;
  return Error::success();
}

Error KernelFolder::compareFunction(Function &Kernel, const LaunchContext &Launch, const BuiltVariant &V,
                                    const ResolvedProblem &Problem) {
  TargetLibraryInfoImpl Impl(Kernel.getParent()->getTargetTriple());
  TargetLibraryInfo TLI(Impl, &Kernel);
  AssumptionCache AC(Kernel);
  DominatorTree DT(Kernel);
  LoopInfo LI(DT);
  ScalarEvolution SE(Kernel, TLI, AC, DT, LI);
  BlockFrequencies Code = computeBlockFrequencies(Kernel, LI, SE, Launch);
  std::string Defines = Builder.definesText(V.parts());
  uint64_t Most = CountingRequest().Instructions;
  Expected<BlockFrequencies> Run = blockCounter(Problem, Defines, Usual, Most)(Kernel, Launch);
  if (!Run)
    return giveUp(Run.takeError());
  ++(Run->Source == InstrSource::Sampled ? Result.Sampled : Result.ExactRun);
  if (Code.Exact) {
    ++Result.Static;
    std::string Text = difference(Kernel, Code, *Run);
    return Text.empty() ? Error::success() : createStringError(Text);
  }
  if (Run->Source != InstrSource::Sampled)
    return Error::success();
  Expected<BlockFrequencies> More = blockCounter(Problem, Defines, Large, TimesMore * Most)(Kernel, Launch);
  if (!More)
    return giveUp(More.takeError());
  double Few = instructions(Kernel, *Run), Many = instructions(Kernel, *More);
  double Relative = std::fabs(Few - Many) / Many;
  Result.WorstError = std::max(Result.WorstError, Relative);
  if (Relative > (Kernel.getName().contains("mandelbrot") ? SampleErrorOfMandelbrot : SampleError))
    return createStringError(
        formatv("a sample says {0} instructions a thread, one {1} times as large {2}", Few, TimesMore, Many)
            .str());
  return Error::success();
}

Error KernelFolder::compare(const BuiltVariant &V) {
  Expected<VariantRequest> Request = Builder.requestFor(V);
  if (!Request)
    return Request.takeError();
  Request->KeepFinalBitcode = true;
  Expected<VariantCode> Code = compileVariant(*Request);
  if (!Code) {
    TakenError Problem = gpuprune::takeError(Code.takeError());
    // What no device holds is not counted.
    if (Problem.Kind != ErrorKind::Refused && Problem.Kind != ErrorKind::Resources)
      return makeError(Problem.Kind, Problem.Text);
    ++Result.Refused;
    return Error::success();
  }
  LaunchContext Launch = Request->Launch;
  const LaunchContract &Contract = Code->Kernels[Code->Symbol].Contract;
  Expected<PhysicalLaunch> Shape = apply(Launch.author(), Contract, Launch.Multiprocessors);
  if (!Shape)
    return Shape.takeError();
  Launch.Grid = Shape->Grid;
  Launch.Block = Shape->Block;
  Launch.SharedBytes = Shape->SharedBytes;
  Launch.Hidden = Shape->Hidden;
  LLVMContext Context;
  Context.setDiscardValueNames(true);
  Expected<std::unique_ptr<Module>> M =
      parseBitcodeFile(MemoryBufferRef(Code->FinalBitcode, "device bitcode"), Context);
  if (!M)
    return M.takeError();
  Expected<ResolvedProblem> Problem =
      resolve(Target.W, Target.W.TuneSize, Builder.definesOf(V.parts()), V.parts().Block);
  if (!Problem)
    return Problem.takeError();
  return compareFunction(*(*M)->getFunction(Code->Symbol), Launch, V, *Problem);
}

void KernelFolder::check(const BuiltVariant &V) {
  ++Result.Variants;
  if (Error E = compare(V))
    Result.Failures.push_back(formatv("{0}: {1}", V.Stock ? "stock" : V.Row.text(), toString(std::move(E))));
}

Expected<Tally> KernelFolder::run() {
  Expected<std::vector<Variant>> Chosen = variants();
  if (!Chosen)
    return Chosen.takeError();
  std::vector<BuiltVariant> All;
  All.emplace_back(Variant(), /*Stock=*/true);
  All.emplace_back(Variant());
  for (Variant &V : *Chosen)
    All.emplace_back(std::move(V));
  if (Error E = Builder.runFrontends(All, 0))
    return std::move(E);
  for (const BuiltVariant &V : All)
    check(V);
  return std::move(Result);
}

static std::vector<std::string> allKernels(StringRef Root) {
  std::vector<std::string> Found;
  std::error_code EC;
  for (sys::fs::directory_iterator I(Root, EC), End; !EC && I != End; I.increment(EC))
    if (sys::fs::exists(I->path() + "/workload.yaml"))
      Found.push_back(sys::path::filename(I->path()).str());
  llvm::sort(Found);
  return Found;
}

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(Argc, Argv, "Counts from the code against counts by running it\n");
  initializeCodeGen();
  std::string Root = GPUPRUNE_SOURCE_DIR "/kernels";
  std::vector<std::string> Chosen(Names.begin(), Names.end());
  if (Chosen.empty())
    Chosen = allKernels(Root);
  bool Failed = Chosen.empty();
  outs() << "kernel               variants  refused   static  exact-run  sampled  given up  worst error\n";
  for (const std::string &Name : Chosen) {
    Expected<TuningTarget> Target = loadTarget(Root + "/" + Name, "");
    Expected<Tally> Done = Target ? KernelFolder(*Target).run() : Target.takeError();
    if (!Done) {
      errs() << Name << ": " << toString(Done.takeError()) << '\n';
      Failed = true;
      continue;
    }
    outs() << format("%-20s %8u %8u %8u %10u %8u %9u %11.2f%%\n", Name.c_str(), Done->Variants, Done->Refused,
                     Done->Static, Done->ExactRun, Done->Sampled, Done->GivenUp, 100 * Done->WorstError);
    outs().flush();
    for (const std::string &Failure : Done->Failures)
      errs() << Name << ": " << Failure << '\n';
    Failed |= !Done->Failures.empty();
  }
  return Failed ? 1 : 0;
}
