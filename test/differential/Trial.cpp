//===- Trial.cpp - A kernel and a pipeline, judged -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Trial.h"
#include "Contents.h"
#include "KernelEmitter.h"
#include "Records.h"
#include "gpuprune/HostExecution/HostProgram.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune::differential {

namespace {

/// What a kernel finds in its buffers, in the order of its parameters.
struct BufferShape {
  const char *Name;
  ElementLayout Type;
  unsigned Each; ///< Elements a thread; 0: Count in all.
  unsigned Count;
  bool IsOutput;
};

} // namespace

static ArrayRef<BufferShape> shapes() {
  static const BufferShape Shapes[] = {
      {"in f32", ElementType::F32, 0, InputElements, false},
      {"in i32", ElementType::I32, 0, InputElements, false},
      {"in f64", ElementType::F64, 0, InputElements, false},
      {"in i64", ElementType::I64, 0, InputElements, false},
      {"in i8", ElementType::I8, 0, InputElements, false},
      {"out f32", ElementType::F32, ElementsOfThread, 0, true},
      {"out i32", ElementType::I32, ElementsOfThread, 0, true},
      {"own", ElementType::F32, 2, 0, true},
      {"strided", ElementType::F32, 0, StridedElements, true},
      {"counts", ElementType::I32, 0, Counters, true},
      {"table", recordLayout(), 0, TableElements, false},
      {"records", recordLayout(), RecordsOfThread, 0, true},
  };
  static_assert(std::size(Shapes) == N, "a shape for each pointer parameter");
  return Shapes;
}

/// Runs \p Bitcode over fresh buffers.
static Expected<Outputs> run(StringRef Bitcode, const KernelTree &Kernel, const PhysicalLaunch &Launched,
                             uint64_t ScheduleSeed = 0) {
  Expected<std::unique_ptr<HostProgram>> Program = HostProgram::create(Bitcode);
  if (!Program)
    return Program.takeError();
  GuardedMemory Memory;
  HostLaunch Launch;
  static_cast<PhysicalLaunch &>(Launch) = Launched;
  Launch.Kernel = KernelName;
  Launch.TimeLimit = LongestLaunch;
  Launch.ScheduleSeed = ScheduleSeed;
  Launch.Memory = &Memory;
  Random R(Kernel.InputSeed);
  std::vector<const GuardedBuffer *> Buffers;
  for (const BufferShape &Shape : shapes()) {
    uint64_t Elements = Shape.Each ? Shape.Each * Kernel.threads() * Kernel.blocks() : Shape.Count;
    Expected<GuardedBuffer &> Buffer = Memory.allocate(Shape.Name, Elements * Shape.Type.bytes(), 0);
    if (!Buffer)
      return Buffer.takeError();
    fillRandomly(Shape.Type, MutableArrayRef(Buffer->Data, Buffer->Bytes), R);
    Buffers.push_back(&*Buffer);
    Launch.argument(*Buffer);
  }
  Launch.argument(Kernel.N).argument(Kernel.M).argument(1.625f);
  std::vector<char> &Structure = Launch.Arguments.emplace_back(configLayout().bytes());
  fillRandomly(configLayout(), Structure, R);
  for (const HiddenArgument &Hidden : Launched.Hidden)
    Launch.argument(Hidden.Value);
  Expected<LaunchReport> Report = (*Program)->launch(Launch);
  if (!Report)
    return Report.takeError();
  if (Report->Fault) {
    bool TooLong = Report->Fault->Kind == FaultKind::TimeLimit || Report->Fault->Kind == FaultKind::StepLimit;
    return makeError(TooLong ? ErrorKind::Resources : ErrorKind::Runner, Report->Fault->Message);
  }
  Outputs Left;
  for (auto [Buffer, Shape] : zip_equal(Buffers, shapes()))
    if (Shape.IsOutput)
      Left.emplace_back(Buffer->bytes().begin(), Buffer->bytes().end());
  return Left;
}

/// Empty where all is the same.
static std::string differenceOf(const Outputs &Expected, const Outputs &Got) {
  size_t Output = 0;
  for (const BufferShape &Shape : shapes()) {
    if (!Shape.IsOutput)
      continue;
    std::string Found = firstDifference(Shape.Name, Shape.Type, Expected[Output], Got[Output]);
    if (!Found.empty())
      return Found;
    ++Output;
  }
  return "";
}

TrialResult failed(Error E) {
  std::string Refusal;
  E = handleErrors(std::move(E), [&](std::unique_ptr<RefusalError> R) {
    if (Refusal.empty())
      Refusal = (Twine(R->pass()) + " " + refusalName(R->refusal())).str();
    return Error(std::move(R));
  });
  TakenError Taken = takeError(std::move(E));
  if (Taken.Kind == ErrorKind::Refused)
    return {Outcome::Refused, Taken.Text, StringRef(Refusal).trim().str()};
  return {Taken.Kind == ErrorKind::Resources ? Outcome::TooLong : Outcome::Broken, Taken.Text};
}

TrialResult makeReference(const KernelTree &Kernel, Reference &Ref) {
  Ref.Kernel = Kernel;
  Ref.Source = sourceOf(Kernel);
  Expected<VariantCode> Code = compile(Ref.Source, Kernel, {});
  if (!Code)
    return failed(Code.takeError());
  Ref.Final = std::move(Code->FinalBitcode);
  Ref.Loops = Code->Kernels[KernelName].Loops.size();
  Expected<Outputs> Expected = run(Ref.Final, Kernel, asWritten(authorLaunch(Kernel)));
  if (!Expected)
    return failed(Expected.takeError());
  Ref.Expected = std::move(*Expected);
  struct Rerun {
    StringRef Code;
    uint64_t Schedule;
    const char *Meaning;
  };
  SmallVector<Rerun, 2> Reruns = {{Ref.Final, Kernel.InputSeed | 1, "the kernel's threads race"}};
  if (!Kernel.Contract) // Else clang may contract where gpu-prepare has.
    Reruns.push_back({Ref.Source, 0, "gpu-prepare and -O3 change what the kernel computes"});
  for (const Rerun &Again : Reruns) {
    auto Got = run(Again.Code, Kernel, asWritten(authorLaunch(Kernel)), Again.Schedule);
    if (!Got)
      return failed(Got.takeError());
    if (std::string Difference = differenceOf(Ref.Expected, *Got); !Difference.empty())
      return {Outcome::Different, formatv("{0}: {1}", Again.Meaning, Difference)};
  }
  return {};
}

TrialResult judge(const Reference &Ref, const Pipeline &Passes, Mistake Made) {
  Expected<VariantCode> Code = compile(Ref.Source, Ref.Kernel, Passes);
  if (!Code)
    return failed(Code.takeError());
  if (structureOf(Code->FinalBitcode) == structureOf(Ref.Final))
    return {Outcome::Unchanged, ""};
  Expected<PhysicalLaunch> Shape =
      apply(authorLaunch(Ref.Kernel), Code->Kernels[KernelName].Contract, Multiprocessors);
  if (!Shape)
    return failed(Shape.takeError());
  if (Made != Mistake::None)
    Code->FinalBitcode = withMistake(Code->FinalBitcode, Made);
  Expected<Outputs> Got = run(Code->FinalBitcode, Ref.Kernel, *Shape);
  if (!Got)
    return failed(Got.takeError());
  if (std::string Difference = differenceOf(Ref.Expected, *Got); !Difference.empty())
    return {Outcome::Different, Difference};
  return {};
}

std::string asText(const Case &C) {
  LLVMContext Context;
  std::string Text = formatv("; {0}\n", join(C.Passes, ","));
  SmallVector<StringRef> Lines;
  std::string Tree = printed(C.Kernel);
  StringRef(Tree).split(Lines, '\n', -1, false);
  for (StringRef Line : Lines)
    Text += formatv("; {0}\n", Line);
  raw_string_ostream OS(Text);
  emitKernel(C.Kernel, Context)->print(OS, nullptr);
  return Text;
}

} // namespace gpuprune::differential
