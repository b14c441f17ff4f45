//===- BuildSteps.cpp - What each step of building a variant costs ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   BuildSteps FOLDER [--variants=N] KERNEL...
//
// Builds about N variants of each kernel in FOLDER, in whole families from all over its space, on one thread.
// Prints the ms of CPU of a variant: of passes, -O3 and the code generator together, which are run once more
// for that, of counting, of ptxas, and of the model; and how the variants were counted.
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/BuildQueue.h"
#include "gpuprune/Support/CpuTime.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Variant/EnumerateVariants.h"
#include "gpuprune/Variant/VariantTime.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

using namespace gpuprune;
using namespace llvm;

static cl::OptionCategory Category("Steps of a build");
static cl::list<std::string> Names(cl::Positional, cl::OneOrMore, cl::desc("FOLDER KERNEL..."),
                                   cl::cat(Category));
static cl::opt<unsigned> Wanted("variants", cl::desc("of each kernel (default 40)"), cl::init(40),
                                cl::cat(Category));

namespace {

struct Steps {
  unsigned Variants = 0, Built = 0;
  double Compile = 0, Count = 0, Assemble = 0, Model = 0; ///< ms.
  std::array<unsigned, 4> BySource{};
};

} // namespace

static double timed(double &Into, function_ref<void()> Do) {
  double Begin = processCpuMs();
  Do();
  double Took = processCpuMs() - Begin;
  Into += Took;
  return Took;
}

static Expected<std::vector<Variant>> variantsOf(const TuningTarget &Target, VariantBuilder &Builder) {
  Expected<VariantKernel> Kernel = Builder.inspect();
  if (!Kernel)
    return Kernel.takeError();
  Expected<Space> Searched = spaceFor(Target.W, *Kernel);
  if (!Searched)
    return Searched.takeError();
  Expected<Enumeration> All = Searched->enumerate();
  if (!All)
    return All.takeError();
  return std::move(All->Variants);
}

/// In the order of their families, of which some are taken, all over the space.
static std::vector<BuiltVariant *> choose(MutableArrayRef<BuiltVariant> All) {
  std::vector<BuiltVariant *> Pointers;
  for (BuiltVariant &V : All)
    Pointers.push_back(&V);
  std::vector<std::vector<BuiltVariant *>> Families = familiesOf(Pointers);
  size_t Stride = std::max<size_t>(1, All.size() / Wanted);
  std::vector<BuiltVariant *> Chosen;
  for (size_t I = 0; I < Families.size(); I += Stride)
    append_range(Chosen, Families[I]);
  return Chosen;
}

static Expected<Steps> measure(const TuningTarget &Target) {
  VariantBuilder Builder(Target);
  Expected<std::vector<Variant>> Space = variantsOf(Target, Builder);
  if (!Space)
    return Space.takeError();
  std::vector<BuiltVariant> All(Space->begin(), Space->end());
  std::vector<BuiltVariant *> Chosen = choose(All);
  if (Error E = Builder.runFrontends(All, 0))
    return std::move(E);
  Builder.limitCode(!Target.W.Space);
  Steps Result;
  CompileReuse Known, KnownWithout;
  std::vector<BuiltVariant *> Batch;
  for (BuiltVariant *V : Chosen) {
    timed(Result.Count, [&] { Builder.compile(*V, &Known); });
    if (Expected<VariantRequest> Request = Builder.requestFor(*V))
      Result.Count -=
          timed(Result.Compile, [&] { consumeError(compileVariant(*Request, &KnownWithout).takeError()); });
    else
      consumeError(Request.takeError());
    ++Result.Variants;
    if (!V->alive())
      continue;
    ++Result.BySource[unsigned(V->Row.Source)];
    ++Result.Built;
    Batch.push_back(V);
  }
  Expected<TemporaryDirectory> Folder = TemporaryDirectory::create();
  if (!Folder)
    return Folder.takeError();
  for (size_t Begin = 0; Begin < Batch.size(); Begin += 20)
    timed(Result.Assemble, [&] {
      Builder.assembleBatch(ArrayRef(Batch).slice(Begin).take_front(20),
                            Folder->file(formatv("{0}.cubin", Begin).str()));
    });
  for (BuiltVariant *V : Batch)
    if (V->alive())
      timed(Result.Model, [&] { consumeError(modelVariant(*V, Builder, Target).takeError()); });
  return Result;
}

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(Argc, Argv, "What each step of building a variant costs\n");
  initializeCodeGen();
  outs() << "kernel               variants  built  compile   count   ptxas   model     all  static  run  "
            "sampled  "
            "estimated\n";
  for (StringRef Name : drop_begin(Names)) {
    ExitOnError OrExit((Name + ": ").str());
    TuningTarget Target = OrExit(loadTarget((Twine(Names.front()) + "/" + Name).str(), ""));
    Steps S = OrExit(measure(Target));
    double N = S.Variants;
    outs() << format("%-20s %8u %6u %8.1f %7.1f %7.1f %7.1f %7.1f %7u %4u %8u %10u\n", Name.str().c_str(),
                     S.Variants, S.Built, S.Compile / N, S.Count / N, S.Assemble / N, S.Model / N,
                     (S.Compile + S.Count + S.Assemble + S.Model) / N, S.BySource[0], S.BySource[1],
                     S.BySource[2], S.BySource[3]);
    outs().flush();
  }
}
