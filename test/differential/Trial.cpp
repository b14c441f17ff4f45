//===- Trial.cpp - A kernel and a pipeline, judged -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Trial.h"
#include "KernelEmitter.h"
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "gpuprune/HostExecution/HostProgram.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/StructuralHash.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace gpuprune::differential {

/// Seconds a launch may take.
static constexpr double LongestLaunch = 3;

namespace {

enum class Element { F32, F64, I32, I64, I8 };

/// What a kernel finds in its buffers, in the order of its parameters.
struct BufferShape {
  const char *Name;
  Element Type;
  unsigned Each; ///< Elements a thread; 0: Count in all.
  unsigned Count;
  bool IsOutput;
};

} // namespace

static constexpr BufferShape Shapes[] = {
    {"in f32", Element::F32, 0, InputElements, false},
    {"in i32", Element::I32, 0, InputElements, false},
    {"in f64", Element::F64, 0, InputElements, false},
    {"in i64", Element::I64, 0, InputElements, false},
    {"in i8", Element::I8, 0, InputElements, false},
    {"out f32", Element::F32, ElementsOfThread, 0, true},
    {"out i32", Element::I32, ElementsOfThread, 0, true},
    {"own", Element::F32, 2, 0, true},
    {"strided", Element::F32, 0, StridedElements, true},
    {"counts", Element::I32, 0, Counters, true},
};
static_assert(std::size(Shapes) == N, "a shape for each pointer parameter");

static unsigned bytesOf(Element E) {
  return E == Element::I8 ? 1 : E == Element::F64 || E == Element::I64 ? 8 : 4;
}

static SmallString<0> bitcodeOf(const Module &M) {
  SmallString<0> Bitcode;
  raw_svector_ostream OS(Bitcode);
  WriteBitcodeToFile(M, OS);
  return Bitcode;
}

/// Small values, so that floating point neither overflows at once nor is exact throughout.
static void fillRandomly(const BufferShape &Shape, const GuardedBuffer &Buffer, Random &R) {
  for (size_t I = 0; I < Buffer.Bytes / bytesOf(Shape.Type); ++I) {
    double Real = (int64_t(R.next() >> 40) - (1 << 23)) / double(1 << 21);
    switch (Shape.Type) {
    case Element::F32:
      Buffer.as<float>()[I] = float(Real);
      break;
    case Element::F64:
      Buffer.as<double>()[I] = Real;
      break;
    case Element::I32:
      Buffer.as<int32_t>()[I] = R.oneIn(8) ? int32_t(R.next()) : R.between(-100, 100);
      break;
    case Element::I64:
      Buffer.as<int64_t>()[I] = R.oneIn(8) ? int64_t(R.next()) : R.between(-100, 100);
      break;
    case Element::I8:
      Buffer.as<int8_t>()[I] = int8_t(R.next());
      break;
    }
  }
}

static AuthorLaunch authorLaunch(const KernelTree &Kernel) {
  return {Kernel.Grid, Kernel.Block, Kernel.dynamicBytes()};
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
  for (const BufferShape &Shape : Shapes) {
    uint64_t Elements = Shape.Each ? Shape.Each * Kernel.threads() * Kernel.blocks() : Shape.Count;
    Expected<GuardedBuffer &> Buffer = Memory.allocate(Shape.Name, Elements * bytesOf(Shape.Type), 0);
    if (!Buffer)
      return Buffer.takeError();
    fillRandomly(Shape, *Buffer, R);
    Buffers.push_back(&*Buffer);
    Launch.argument(*Buffer);
  }
  Launch.argument(Kernel.N).argument(Kernel.M).argument(1.625f);
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
  for (auto [Buffer, Shape] : zip(Buffers, Shapes))
    if (Shape.IsOutput)
      Left.emplace_back(Buffer->bytes().begin(), Buffer->bytes().end());
  return Left;
}

/// Bits of a NaN are nobody's promise; everything else has to be the same.
static bool sameFloat(float A, float B) {
  return std::isnan(A) ? std::isnan(B) : bit_cast<uint32_t>(A) == bit_cast<uint32_t>(B);
}

/// Empty where all is the same.
static std::string firstDifference(const Outputs &Expected, const Outputs &Got) {
  size_t Output = 0;
  for (const BufferShape &Shape : Shapes) {
    if (!Shape.IsOutput)
      continue;
    const std::vector<char> &A = Expected[Output], &B = Got[Output];
    ++Output;
    for (size_t At = 0; At < A.size(); At += 4) {
      uint32_t X, Y;
      std::memcpy(&X, &A[At], 4);
      std::memcpy(&Y, &B[At], 4);
      bool Float = Shape.Type == Element::F32;
      if (Float ? sameFloat(bit_cast<float>(X), bit_cast<float>(Y)) : X == Y)
        continue;
      return formatv("{0}[{1}]: expected {2} ({3:x8}), got {4} ({5:x8})", Shape.Name, At / 4,
                     Float ? std::to_string(bit_cast<float>(X)) : std::to_string(int32_t(X)), X,
                     Float ? std::to_string(bit_cast<float>(Y)) : std::to_string(int32_t(Y)), Y);
    }
  }
  return "";
}

static TrialResult failed(Error E) {
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

static Expected<VariantCode> compile(StringRef Source, const KernelTree &Kernel, const Pipeline &Passes) {
  VariantRequest Request;
  Request.Bitcode = Source;
  Request.Pipeline = join(Passes, ",");
  Request.Kernel = KernelName;
  Request.Launch.Grid = Kernel.Grid;
  Request.Launch.Block = Kernel.Block;
  Request.Launch.SharedBytes = Kernel.dynamicBytes();
  Request.Launch.Scalars.resize(ParameterCount);
  Request.Launch.Scalars[N] = Kernel.N;
  Request.Launch.Scalars[M] = Kernel.M;
  Request.CollectLoops = Request.KeepFinalBitcode = true;
  return compileVariant(Request);
}

TrialResult makeReference(const KernelTree &Kernel, Reference &Ref) {
  LLVMContext Context;
  Ref.Kernel = Kernel;
  Ref.Source = bitcodeOf(*emitKernel(Kernel, Context));
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
    if (std::string Difference = firstDifference(Ref.Expected, *Got); !Difference.empty())
      return {Outcome::Different, formatv("{0}: {1}", Again.Meaning, Difference)};
  }
  return {};
}

/// Of the instructions alone: attributes and metadata transform nothing.
static stable_hash structureOf(StringRef Bitcode) {
  LLVMContext Context;
  std::unique_ptr<Module> M = cantFail(parseBitcodeFile(MemoryBufferRef(Bitcode, "kernel"), Context));
  return StructuralHash(*M, /*DetailedHash=*/true);
}

/// Puts \p Made into the first place of \p M where it fits.
static void makeMistake(Module &M, Mistake Made) {
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      bool Barrier = Call && Call->getIntrinsicID() == Intrinsic::nvvm_barrier_cta_sync_aligned_all;
      if (Made == Mistake::LostBarrier && Barrier) {
        I.eraseFromParent();
        return;
      }
      if (Made == Mistake::WrongOperation && I.getOpcode() == Instruction::FAdd) {
        I.replaceAllUsesWith(
            BinaryOperator::CreateFSub(I.getOperand(0), I.getOperand(1), "", I.getIterator()));
        return;
      }
      if (auto *Store = dyn_cast<StoreInst>(&I); Made == Mistake::WrongIndex && Store) {
        IRBuilder<> B(Store);
        Value *Next = B.CreateConstGEP1_32(B.getInt8Ty(), Store->getPointerOperand(), 4);
        Store->setOperand(StoreInst::getPointerOperandIndex(), Next);
        return;
      }
    }
}

static SmallString<0> withMistake(StringRef Bitcode, Mistake Made) {
  LLVMContext Context;
  std::unique_ptr<Module> M = cantFail(parseBitcodeFile(MemoryBufferRef(Bitcode, "kernel"), Context));
  makeMistake(*M, Made);
  return bitcodeOf(*M);
}

TrialResult judge(const Reference &Ref, const Pipeline &Passes, Mistake Made) {
  Expected<VariantCode> Code = compile(Ref.Source, Ref.Kernel, Passes);
  if (!Code)
    return failed(Code.takeError());
  if (structureOf(Code->FinalBitcode) == structureOf(Ref.Final))
    return {Outcome::Unchanged, ""};
  Expected<PhysicalLaunch> Shape = apply(authorLaunch(Ref.Kernel), Code->Kernels[KernelName].Contract);
  if (!Shape)
    return failed(Shape.takeError());
  if (Made != Mistake::None)
    Code->FinalBitcode = withMistake(Code->FinalBitcode, Made);
  Expected<Outputs> Got = run(Code->FinalBitcode, Ref.Kernel, *Shape);
  if (!Got)
    return failed(Got.takeError());
  if (std::string Difference = firstDifference(Ref.Expected, *Got); !Difference.empty())
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
