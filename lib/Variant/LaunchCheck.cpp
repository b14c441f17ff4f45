//===- LaunchCheck.cpp - Whether launches fit kernel and device -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/LaunchCheck.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "gpuprune/Support/PointerAlignment.h"
#include "gpuprune/Variant/LaunchChoice.h"
#include "gpuprune/Workload/Problem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

/// The key that \p Item is an item of.
static Place listOf(const LocatedExpression &Item) {
  Place Where = Item.Where;
  if (StringRef(Where.Key).ends_with("]")) // Not "launches[0].block".
    Where.Key = StringRef(Where.Key).rsplit('[').first.str();
  return Where;
}

static Error checkAt(const Workload &W, const Environment &Sizes, const DeviceInfo &Device) {
  Expected<ResolvedProblem> Problem = resolve(W, Sizes);
  if (!Problem)
    return Problem.takeError();
  for (const ResolvedLaunch &Launch : Problem->Launches) {
    const LaunchSpec &Spec = W.Launches[Launch.Spec];
    auto Refuse = [&](const Place &Where, const Twine &Message) {
      return W.errorAt(Where, Message + " (with " + sizeName(W, Sizes) + ")");
    };
    if (Error E = checkLaunchLimits(Device, Dim3(), Launch.Block))
      return Refuse(listOf(Spec.Block.front()), takeError(std::move(E)).Text);
    if (Error E = checkLaunchLimits(Device, Launch.Grid, Dim3()))
      return Refuse(listOf(Spec.Grid.front()), takeError(std::move(E)).Text);
    if (Spec.Shared && Launch.SharedBytes > Device.SharedPerBlockOptIn)
      return Refuse(Spec.Shared->Where, formatv("{0} bytes of shared memory per block; {1} allows {2}",
                                                Launch.SharedBytes, Device.Arch, Device.SharedPerBlockOptIn));
  }
  return Error::success();
}

Error checkLaunchFitsDevice(const Workload &W, const DeviceInfo &Device) {
  if (Error E = checkAt(W, W.TuneSize, Device))
    return E;
  for (const Environment &Sizes : W.CheckSizes)
    if (Error E = checkAt(W, Sizes, Device))
      return E;
  return Error::success();
}

std::vector<SkippedSize> skippedSizes(const Workload &W, ArrayRef<DefineSetting> Defines) {
  DefineValues Values;
  for (const DefineSetting &D : Defines)
    Values[D.Name] = D.Value;
  if (Error E = resolve(W, W.TuneSize, Values).takeError()) {
    consumeError(std::move(E));
    return {};
  }
  std::vector<SkippedSize> Skipped;
  for (const Environment &Size : W.CheckSizes)
    if (Expected<ResolvedProblem> Problem = resolve(W, Size, Values); !Problem)
      Skipped.push_back({printVariant({Defines.vec(), std::nullopt, {}}), sizeName(W, Size),
                         takeError(Problem.takeError()).Text});
  return Skipped;
}

static Error checkConstantCopies(const LaunchContract &Contract, const ResolvedProblem &Problem,
                                 ArrayRef<ResolvedArgument> Arguments) {
  for (const ConstantCopy &Copy : Contract.ConstantCopies) {
    // The arguments are the kernel's: checkArguments().
    if (Copy.Argument >= Arguments.size() || !Arguments[Copy.Argument].Buffer)
      return makeRefusal(RefusalKind::NoSuchArgument,
                         formatv("argument {0} is to be copied to constant memory, and "
                                 "the launch gives no buffer there",
                                 Copy.Argument));
    const ResolvedBuffer &Buffer = Problem.Buffers[*Arguments[Copy.Argument].Buffer];
    if (Arguments[Copy.Argument].Offset != 0)
      return makeRefusal(RefusalKind::NoSuchArgument,
                         formatv("argument {0} is to be copied to constant memory, and the launch passes the "
                                 "buffer '{1}' from byte {2} on there; only whole buffers are copied",
                                 Copy.Argument, Buffer.Name, Arguments[Copy.Argument].Offset));
    if (Error E = Copy.checkBuffer(Buffer.Name, Buffer.Bytes))
      return E;
  }
  return Error::success();
}

/// The variant has the initial value of each compiled in.
static Error checkUnwritten(const LaunchContract &Contract, const ResolvedProblem &Problem) {
  for (const ResolvedBuffer &Buffer : Problem.Buffers)
    if (!Buffer.Symbol.empty() && is_contained(Contract.UnwrittenVariables, Buffer.Symbol))
      return makeRefusal(RefusalKind::BadLaunchContract,
                         formatv("the variant takes the variable '{0}' to hold its initial value, and the "
                                 "launch gives it the contents of '{1}'; take another variant, or "
                                 "leave '{1}' out where they are the initial value",
                                 Buffer.Symbol, Buffer.Name));
  return Error::success();
}

/// Buffers themselves begin where every contract allows, but for those with an address.
static Error checkOffsets(const LaunchContract &Contract, const ResolvedProblem &Problem,
                          ArrayRef<ResolvedArgument> Arguments) {
  for (const auto &[Index, A] : enumerate(Arguments)) {
    if (!A.Buffer)
      continue;
    const ResolvedBuffer &Buffer = Problem.Buffers[*A.Buffer];
    std::string Misaligned =
        misalignedPointer(static_cast<unsigned>(Index), Buffer.Name, Buffer.Address.value_or(0) + A.Offset,
                          uint64_t(Contract.PointerAlignment));
    if (!Misaligned.empty())
      return makeRefusal(RefusalKind::BadLaunchContract, Misaligned);
  }
  return Error::success();
}

Error checkBufferArguments(const LaunchContract &Contract, const ResolvedProblem &Problem,
                           const ResolvedLaunch &Launch) {
  if (Error E = checkUnwritten(Contract, Problem))
    return E;
  if (Error E = checkConstantCopies(Contract, Problem, Launch.Arguments))
    return E;
  return checkOffsets(Contract, Problem, Launch.Arguments);
}

Error checkBufferArguments(const LaunchContract &Contract, const ResolvedProblem &Problem) {
  return checkBufferArguments(Contract, Problem, Problem.tuned());
}

Error checkEachIteration(const Workload &W, const DefineValues &Defines, std::optional<Dim3> Block,
                         const VariantKernel &Kernel) {
  if (!W.isRepeated())
    return Error::success();
  Expected<ResolvedProblem> All = resolve(W, W.TuneSize, Defines, Block, LaunchScope::EachIteration);
  if (!All)
    return All.takeError();
  for (const ResolvedLaunch &Each : All->Launches) {
    Error E = Kernel.checkLaunch(authorLaunch(Each));
    if (!E)
      E = checkBufferArguments(Kernel.Contract, *All, Each);
    if (E) {
      TakenError Taken = takeError(std::move(E));
      return makeError(Taken.Kind, formatv("{0} (in the iteration {1})", Taken.Text, Each.Iteration));
    }
  }
  return Error::success();
}

Error checkBoundAtEachSize(const Workload &W, const DefineValues &Defines, std::optional<Dim3> Block,
                           const LaunchBound &Bound) {
  for (const Environment &Size : W.CheckSizes) {
    Expected<ResolvedProblem> Problem = resolve(W, Size, Defines, Block, LaunchScope::Tuned);
    if (!Problem)
      consumeError(Problem.takeError()); // skippedSizes() names it.
    else if (const Dim3 &Launched = Problem->tuned().Block; !Bound.allows(Launched))
      return makeRefusal(RefusalKind::BadLaunchContract,
                         formatv("the kernel is {0} (at {1})", Bound.whyNot(Launched), sizeName(W, Size)));
  }
  return Error::success();
}

/// Where argument \p Index, which is no buffer, has words that the contract's alignment does not divide: the
/// first one that \p IsPointer, which is given the offset of each; empty where none does.
static std::string misalignedWord(const LaunchContract &Contract, const ResolvedArgument &A, unsigned Index,
                                  function_ref<bool(uint64_t)> IsPointer) {
  if (!A.Structure) {
    bool MayBe = !A.Buffer && A.Type == ElementType::U64 && IsPointer(0);
    return MayBe ? misalignedPointer(Index, "", A.Bits, Contract.PointerAlignment) : "";
  }
  for (const auto &[Field, Bits] : zip_equal(A.Structure->Layout.fields(), A.Structure->Bits))
    if (elementBytes(Field.Type) == sizeof(Bits) && IsPointer(Field.Offset))
      if (std::string Found = misalignedPointer(Index, "", Bits, Contract.PointerAlignment); !Found.empty())
        return Found;
  return "";
}

Error checkPointers(const LaunchContract &Contract, const ResolvedProblem &Problem, StringRef Bitcode) {
  const ResolvedLaunch &Launch = Problem.tuned();
  auto MayBeMisaligned = [&](size_t Index) {
    return !misalignedWord(Contract, Launch.Arguments[Index], Index, [](uint64_t) { return true; }).empty();
  };
  if (none_of(seq<size_t>(0, Launch.Arguments.size()), MayBeMisaligned))
    return Error::success(); // Almost always: the parameters need not be asked for.
  Expected<std::vector<KernelParameter>> Parameters = kernelParameters(Bitcode, Launch.Kernel);
  if (!Parameters)
    return Parameters.takeError();
  for (auto [Index, Parameter] : enumerate(*Parameters)) {
    auto IsPointer = [&P = Parameter](uint64_t Offset) {
      return P.Is == KernelParameter::Kind::Pointer || any_of(P.Fields, [&](const KernelParameter &Field) {
               return Field.Is == KernelParameter::Kind::Pointer && Field.Offset == Offset;
             });
    };
    if (std::string Found = misalignedWord(Contract, Launch.Arguments[Index], Index, IsPointer);
        !Found.empty())
      return makeRefusal(RefusalKind::BadLaunchContract, Found);
  }
  return Error::success();
}

static bool fits(const ArgumentSpec &Argument, const KernelParameter &Parameter) {
  using Kind = KernelParameter::Kind;
  if (Argument.Buffer)
    return Parameter.Is == Kind::Pointer;
  if (Argument.Structure)
    return Parameter.Is == Kind::Structure && Argument.Structure->bytes() == Parameter.Bytes;
  switch (Parameter.Is) {
  case Kind::Pointer: // A null pointer, say.
    return Argument.Type == ElementType::U64;
  case Kind::Integer:
    return !isFloatingPoint(Argument.Type) && elementBytes(Argument.Type) == Parameter.Bytes;
  case Kind::Real:
    return isFloatingPoint(Argument.Type) && elementBytes(Argument.Type) == Parameter.Bytes;
  case Kind::Structure: // __half is one.
    return elementBytes(Argument.Type) == Parameter.Bytes;
  }
  llvm_unreachable("every kind is covered");
}

/// What to write for \p Parameter.
static std::string advice(const KernelParameter &Parameter) {
  using Kind = KernelParameter::Kind;
  switch (Parameter.Is) {
  case Kind::Pointer:
    return "write the name of a buffer";
  case Kind::Integer:
    return formatv("write { i{0}: VALUE }", 8 * Parameter.Bytes);
  case Kind::Real:
    return formatv("write { f{0}: VALUE }", 8 * Parameter.Bytes);
  case Kind::Structure:
    return formatv("write {{ struct: {{ FIELD: {{ TYPE: VALUE }, ... } } with all its fields in the source's "
                   "order, {0} byte{1} together",
                   Parameter.Bytes, Parameter.Bytes == 1 ? "" : "s");
  }
  llvm_unreachable("every kind is covered");
}

static std::string described(const Workload &W, const ArgumentSpec &Argument) {
  if (Argument.Buffer)
    return "the buffer '" + W.Buffers[*Argument.Buffer].Name + "'";
  if (Argument.Structure)
    return formatv("the structure {0} of {1} bytes", Argument.Structure->text(), Argument.Structure->bytes());
  return ("a scalar of type " + elementTypeName(Argument.Type)).str();
}

static bool fits(const ElementField &Field, const KernelParameter &There) {
  bool SameKind = isFloatingPoint(Field.Type) == (There.Is == KernelParameter::Kind::Real);
  return Field.Offset == There.Offset && elementBytes(Field.Type) == There.Bytes && SameKind;
}

/// How the fields of \p Given differ from those of the kernel's structure, which has as many bytes.
static std::string fieldProblem(const ElementLayout &Given, const KernelParameter &Parameter) {
  for (const KernelParameter &There : Parameter.Fields) {
    const ElementField *Over = find_if(Given.fields(), [&](const ElementField &Field) {
      return Field.Offset < There.Offset + There.Bytes && There.Offset < Field.end();
    });
    if (Over == Given.fields().end())
      return formatv("no field lies at byte {0}, where that of the kernel has {1}", There.Offset,
                     There.text());
    if (!fits(*Over, There))
      return formatv(
          "the field {0} is of type {1} and lies at byte {2}; that of the kernel has {3} at byte {4}",
          Over->Name, elementTypeName(Over->Type), Over->Offset, There.text(), There.Offset);
  }
  return "";
}

Error checkArguments(const Workload &W, const LaunchSpec &Launch, ArrayRef<KernelParameter> Parameters) {
  if (Launch.Arguments.size() != Parameters.size()) {
    std::string List;
    for (const KernelParameter &P : Parameters)
      List += (List.empty() ? ": " : ", ") + P.text();
    return W.errorAt(Launch.ArgumentsWhere,
                     formatv("the kernel '{0}' has {1} parameters{2}; this list has {3}", Launch.Kernel,
                             Parameters.size(), List, Launch.Arguments.size()));
  }
  for (auto [Index, Argument] : enumerate(Launch.Arguments))
    if (const KernelParameter &Parameter = Parameters[Index]; !fits(Argument, Parameter))
      return W.errorAt(Argument.Where,
                       formatv("{0}, where the kernel '{1}' has {2}; {3}", described(W, Argument),
                               Launch.Kernel, Parameter.text(), advice(Parameter)));
    else if (std::string Problem = Argument.Structure ? fieldProblem(*Argument.Structure, Parameter) : "";
             !Problem.empty())
      return W.errorAt(Argument.Where,
                       formatv("the structure is not that of the kernel '{0}': {1}", Launch.Kernel, Problem));
  return Error::success();
}

/// The bytes of the buffer at \p Index at the size to tune, with the author's defines.
static uint64_t bytesToTune(const Workload &W, size_t Index) {
  return cantFail(resolve(W, W.TuneSize)).Buffers[Index].Bytes; // Resolved when the file was read.
}

Error checkSymbols(const Workload &W, ArrayRef<DeviceVariable> Variables) {
  for (const auto &[Index, Buffer] : enumerate(W.Buffers)) {
    if (Buffer.Symbol.empty())
      continue;
    auto Found = find_if(Variables, [&](const DeviceVariable &V) { return V.Symbol == Buffer.Symbol; });
    if (Found == Variables.end()) {
      SmallVector<StringRef, 8> Known;
      for (const DeviceVariable &V : Variables)
        Known.push_back(V.Symbol);
      return W.errorAt(Buffer.SymbolWhere,
                       formatv("no __constant__ or __device__ variable '{0}' in '{1}'{2}", Buffer.Symbol,
                               W.Source,
                               Known.empty() ? ", which has none" : nearestNameHint(Buffer.Symbol, Known)));
    }
    if (uint64_t Bytes = bytesToTune(W, Index); Bytes > Found->Bytes)
      return W.errorAt(Buffer.SymbolWhere,
                       formatv("buffer {0} has {1} bytes at {2}, but the variable '{3}' only {4}",
                               Buffer.Name, Bytes, sizeName(W, W.TuneSize), Buffer.Symbol, Found->Bytes));
  }
  return Error::success();
}

} // namespace gpuprune
