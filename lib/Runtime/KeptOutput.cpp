//===- KeptOutput.cpp - What a program left in one buffer -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KeptOutput.h"
#include "Contents.h"
#include "Structures.h"
#include "gpuprune/Support/ContentHash.h"
#include "llvm/ADT/bit.h"
#include <numeric>

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

KeptOutput::KeptOutput(const Gpu &G, const DeviceKernels &Kernels, const Buffer &Shape, ReferenceOutput Left,
                       Difference BetweenRuns)
    : Owner(G), Kernels(Kernels), Shape(Shape), BetweenRuns(std::move(BetweenRuns)),
      Here(HostCopy{std::move(Left), ""}) {
  Here->Hash = hashHere();
}

KeptOutput::KeptOutput(const Gpu &G, const DeviceKernels &Kernels, const Buffer &Shape, Copy There)
    : Owner(G), Kernels(Kernels), Shape(Shape), There(std::move(There)) {}

uint64_t setsBytes(const Buffer &Shape) { return Shape.Type.fields().size() * setBytes(Shape.Count); }

CUdeviceptr KeptOutput::setOf(CUdeviceptr Sets, size_t Field) const {
  return Sets == 0 ? 0 : Sets + Field * setBytes(Shape.Count);
}

static Difference differenceOf(const OutputVerdict &V) {
  Difference D = V.Tolerated;
  if (V.Outcome == CheckOutcome::Wrong) {
    D.Index = V.First.Index;
    D.Field = V.First.Field;
    D.Expected = V.First.Expected;
    D.Got = V.First.Got;
  }
  return D;
}

Expected<std::unique_ptr<KeptOutput>> KeptOutput::join(const Gpu &G, const DeviceKernels &Kernels,
                                                       const Buffer &Shape, DeviceMemory First,
                                                       CUdeviceptr Second, DeviceMemory Unwritten,
                                                       const Comparison &Tolerance) {
  std::unique_ptr<KeptOutput> Made(new KeptOutput(G, Kernels, Shape, Copy{std::move(First), DeviceMemory()}));
  Made->There->MedianMagnitude.resize(Made->fieldCount());
  uint64_t Missing = 0;
  if (Error E = Made->findUnwritten(Second, Unwritten, Missing))
    return E;
  if (Missing != 0)
    Made->There->Unwritten = std::move(Unwritten);
  if (Error E = Made->compareRuns(Second, Tolerance))
    return E;
  Expected<uint64_t> Hash = Made->hashThere();
  if (!Hash)
    return Hash.takeError();
  Made->There->Hash = *Hash;
  Made->noteHash(*Hash);
  return Made;
}

Error KeptOutput::findUnwritten(CUdeviceptr Second, DeviceMemory &Sets, uint64_t &Missing) const {
  if (Error E = Owner.set(Sets.address(), 0, setsBytes(Shape)))
    return E;
  for (size_t Field = 0; Field != fieldCount(); ++Field) {
    kernels::Runs Runs = {elements(Field), elementsAt(Second, Shape.Type, Field, Shape.Count),
                          FillPatterns[0], FillPatterns[1], setOf(Sets.address(), Field)};
    Expected<kernels::Findings> Found = Kernels.findUnwritten(Runs);
    if (!Found)
      return Found.takeError();
    Missing += Found->Passed;
  }
  return Error::success();
}

/// How far the second run at \p Second is from the first. That they are equal is told without a tolerance.
Error KeptOutput::compareRuns(CUdeviceptr Second, Comparison By) {
  for (CompareMode Mode : {CompareMode::Bitwise, CompareMode::Tolerance}) {
    By.Mode = Mode;
    Expected<std::vector<kernels::CompareRule>> Rules = fieldRules(
        Second, By, FillPatterns[1], [](size_t, kernels::CompareRule &Rule) { Rule.SkipUnwritten = 1; });
    if (!Rules)
      return Rules.takeError();
    Expected<std::vector<kernels::Findings>> Found = compareFields(*Rules);
    if (!Found)
      return Found.takeError();
    Expected<OutputVerdict> Said = describe(join(*Rules, *Found));
    if (!Said)
      return Said.takeError();
    if (Said->Outcome == CheckOutcome::Bitwise)
      break;
    BetweenRuns = differenceOf(*Said);
  }
  return Error::success();
}

kernels::Elements KeptOutput::elements(size_t Field) const {
  return elementsAt(There->Bytes.address(), Shape.Type, Field, Shape.Count);
}

/// As the kernel that compares finds it on its way.
Expected<uint64_t> KeptOutput::hashThere() const {
  std::vector<kernels::Range> Ranges = {{There->Bytes.address(), Shape.bytes(), 0}};
  if (There->Unwritten.address() != 0)
    Ranges.push_back({There->Unwritten.address(), setsBytes(Shape), kernels::SecondPlace});
  Expected<std::vector<uint64_t>> Hashes = Kernels.hash(Ranges);
  if (!Hashes)
    return Hashes.takeError();
  return std::accumulate(Hashes->begin(), Hashes->end(), uint64_t(0));
}

/// What was written over once stays so: who wrote may have brought it back.
void KeptOutput::noteHash(uint64_t Found) const {
  There->WasIntact &= Found == There->Hash;
  There->SeenAfter = Owner.launches();
}

std::string KeptOutput::hashHere() const {
  const ReferenceOutput &Left = Here->Left;
  ArrayRef<uint8_t> Ranges(reinterpret_cast<const uint8_t *>(Left.Unwritten.data()),
                           Left.Unwritten.size() * sizeof(ByteRange));
  return contentHash(Left.Bytes) + contentHash(Ranges);
}

Expected<bool> KeptOutput::isIntact() const {
  if (!There)
    return hashHere() == Here->Hash;
  if (There->SeenAfter != Owner.launches()) {
    Expected<uint64_t> Now = hashThere();
    if (!Now)
      return Now.takeError();
    noteHash(*Now);
  }
  return There->WasIntact;
}

uint64_t KeptOutput::bytes() const {
  if (There)
    return Shape.bytes() + (There->Unwritten.address() != 0 ? setsBytes(Shape) : 0);
  return Here->Left.Bytes.size() + Here->Left.Unwritten.size() * sizeof(ByteRange);
}

/// The elements of sets, whose words are little-endian, as ranges of bytes.
static std::vector<ByteRange> rangesOf(ArrayRef<uint8_t> Sets, const Buffer &Shape) {
  std::vector<ByteRange> Ranges;
  forEachField(Shape.Type, 0, Shape.bytes(), [&](uint64_t At, size_t Field) {
    uint64_t I = At / Shape.Type.bytes();
    const uint8_t *Set = &Sets[Field * setBytes(Shape.Count)];
    if ((Set[I / 8] >> I % 8 & 1) != 0)
      appendRange(Ranges, At, At + elementBytes(Shape.Type.fields()[Field].Type));
  });
  return Ranges;
}

Error KeptOutput::moveToHost() {
  if (!There)
    return Error::success();
  Expected<bool> Intact = isIntact();
  if (!Intact)
    return Intact.takeError();
  if (!*Intact)
    return make_error<JobFailure>(ResultStatus::Error,
                                  "what is kept of buffer " + Shape.Name + " on the device was written over");
  HostCopy Moved;
  if (Error E = Owner.downloadAll(There->Bytes.address(), Shape.bytes()).moveInto(Moved.Left.Bytes))
    return E;
  if (There->Unwritten.address() != 0) {
    Expected<std::vector<uint8_t>> Sets = Owner.downloadAll(There->Unwritten.address(), setsBytes(Shape));
    if (!Sets)
      return Sets.takeError();
    Moved.Left.Unwritten = rangesOf(*Sets, Shape);
  }
  Here = std::move(Moved);
  Here->Hash = hashHere();
  There.reset();
  return Error::success();
}

/// Of \p By only the tolerance; what is compared bit by bit needs none.
Expected<kernels::CompareRule> KeptOutput::rule(CUdeviceptr Got, size_t Field, const Comparison &By,
                                                uint8_t Pattern) const {
  kernels::CompareRule C = {};
  C.Expected = elements(Field);
  C.Got = elementsAt(Got, Shape.Type, Field, Shape.Count);
  C.Unwritten = setOf(There->Unwritten.address(), Field);
  C.Pattern = Pattern;
  if (By.Mode != CompareMode::Tolerance || !takesTolerance(Shape.Type, Field))
    return C;
  ElementType Type = Shape.Type.fields()[Field].Type;
  std::optional<double> &Known = There->MedianMagnitude[Field];
  if (!By.Absolute && isFloatingPoint(Type) && !Known) {
    Expected<double> Median = Kernels.medianMagnitude(C.Expected, C.Unwritten);
    if (!Median)
      return Median.takeError();
    Known = *Median;
  }
  Comparison Complete = completeTolerance(By, Type, [&] { return *Known; });
  C.ByTolerance = 1;
  C.Relative = Complete.Relative;
  C.Absolute = *Complete.Absolute;
  return C;
}

Expected<std::vector<kernels::CompareRule>> KeptOutput::fieldRules(CUdeviceptr Got, const Comparison &By,
                                                                   uint8_t Pattern, SetUp Adapt) const {
  std::vector<kernels::CompareRule> All;
  for (size_t Field = 0; Field != fieldCount(); ++Field) {
    Expected<kernels::CompareRule> Rule = rule(Got, Field, By, Pattern);
    if (!Rule)
      return Rule.takeError();
    Adapt(Field, *Rule);
    All.push_back(*Rule);
  }
  return All;
}

Expected<std::vector<kernels::Findings>>
KeptOutput::compareFields(ArrayRef<kernels::CompareRule> Rules) const {
  Looks All(Kernels);
  for (const kernels::CompareRule &Rule : Rules)
    if (Error E = All.compare(Rule))
      return E;
  return All.findings();
}

std::vector<KeptOutput::FieldFindings> KeptOutput::join(ArrayRef<kernels::CompareRule> Rules,
                                                        ArrayRef<kernels::Findings> Found) {
  std::vector<FieldFindings> All;
  for (const auto &[Rule, Of] : zip_equal(Rules, Found))
    All.push_back({Rule, Of});
  return All;
}

Expected<bool> KeptOutput::isUnwritten(size_t Field, uint64_t Index) const {
  CUdeviceptr Set = setOf(There->Unwritten.address(), Field);
  if (Set == 0)
    return false;
  Expected<uint64_t> Word = fetchElement(Owner, Set + Index / 32 * 4, ElementType::U32);
  if (!Word)
    return Word.takeError();
  return (*Word >> Index % 32 & 1) != 0;
}

/// The first element that is wrong or, where none is, that passed by tolerance.
static std::optional<uint64_t> firstOf(const kernels::Findings &Found, bool Wrong) {
  if (Wrong ? Found.Wrong == 0 : Found.Passed == 0)
    return std::nullopt;
  return ~(Wrong ? Found.FirstWrong : Found.FirstPassed);
}

/// Of the field with the first element, in the order of the bytes, with the counts of all.
Expected<OutputVerdict> KeptOutput::describe(ArrayRef<FieldFindings> All) const {
  bool Wrong = any_of(All, [](const FieldFindings &Of) { return Of.Found.Wrong != 0; });
  std::optional<size_t> First;
  Difference Sum;
  for (const auto &[Field, Of] : enumerate(All)) {
    const kernels::Findings &Found = Of.Found;
    Sum.Elements += Found.Wrong + Found.Passed;
    Sum.Outside += Found.Wrong;
    Sum.MaxAbsolute = std::max(Sum.MaxAbsolute, bit_cast<double>(Found.MaxAbsolute));
    Sum.MaxRelative = std::max(Sum.MaxRelative, bit_cast<double>(Found.MaxRelative));
    std::optional<uint64_t> Index = firstOf(Found, Wrong);
    if (Index && (!First || *Index < *firstOf(All[*First].Found, Wrong)))
      First = Field;
  }
  if (!First)
    return OutputVerdict();
  Expected<OutputVerdict> V = describe(*First, All[*First]);
  if (!V)
    return V;
  V->First.Differing = Sum.Outside;
  Difference &Tolerated = V->Tolerated;
  Tolerated.Elements = Sum.Elements;
  Tolerated.Outside = Sum.Outside;
  Tolerated.MaxAbsolute = Sum.MaxAbsolute;
  Tolerated.MaxRelative = Sum.MaxRelative;
  return V;
}

Expected<OutputVerdict> KeptOutput::describe(size_t Field, const FieldFindings &Of) const {
  const auto &[C, Found] = Of;
  const ElementField &In = Shape.Type.fields()[Field];
  OutputVerdict V;
  bool Wrong = Found.Wrong != 0;
  uint64_t Index = *firstOf(Found, Wrong);
  Expected<uint64_t> Want = fetchElement(Owner, C.Expected.Base + Index * C.Expected.Stride, In.Type);
  if (!Want)
    return Want.takeError();
  Expected<uint64_t> Got = fetchElement(Owner, C.Got.Base + Index * C.Got.Stride, In.Type);
  if (!Got)
    return Got.takeError();
  if (!Wrong) {
    V.Outcome = CheckOutcome::Tolerance;
    V.Tolerated.Index = Index;
    V.Tolerated.Field = In.Name;
    V.Tolerated.Expected = describeElement(In.Type, *Want);
    V.Tolerated.Got = describeElement(In.Type, *Got);
    return V;
  }
  Expected<bool> Unwritten = isUnwritten(Field, Index);
  if (!Unwritten)
    return Unwritten.takeError();
  bool HoldsPattern = *Got == kernels::patternBits(C.Got, C.Pattern);
  V.Outcome = CheckOutcome::Wrong;
  V.First.Kind = *Unwritten     ? MismatchKind::Extra
                 : HoldsPattern ? MismatchKind::Missing
                                : MismatchKind::Value;
  V.First.Index = Index;
  V.First.Field = In.Name;
  V.First.Expected = *Unwritten ? "not written" : describeElement(In.Type, *Want);
  V.First.Got = describeElement(In.Type, *Got);
  V.First.Pattern = patternText(static_cast<uint8_t>(C.Pattern));
  return V;
}

Expected<std::vector<kernels::CompareRule>>
KeptOutput::rules(CUdeviceptr Got, const Comparison &By, size_t Run, UntouchedElements *Untouched) const {
  bool KeepsUntouched = By.Mode == CompareMode::Tolerance && Untouched;
  if (KeepsUntouched && Run == 0) {
    Expected<DeviceMemory> Sets = DeviceMemory::allocate(Owner, setsBytes(Shape));
    if (!Sets)
      return Sets.takeError();
    Untouched->OnDevice = std::move(*Sets);
    if (Error E = Owner.set(Untouched->OnDevice.address(), 0, setsBytes(Shape)))
      return E;
  }
  return fieldRules(Got, By, FillPatterns[Run], [&](size_t Field, kernels::CompareRule &Rule) {
    if (!KeepsUntouched || !Rule.ByTolerance)
      return;
    Rule.Untouched = setOf(Untouched->OnDevice.address(), Field);
    Rule.IsSecondRun = Run != 0;
  });
}

Expected<OutputVerdict> KeptOutput::verdict(ArrayRef<kernels::CompareRule> Rules,
                                            ArrayRef<kernels::Findings> Found) const {
  // A comparison hashes what it reads, but for fields that lie apart from each other.
  Expected<uint64_t> Hash = Shape.Type.isStructure() ? hashThere() : Expected<uint64_t>(Found.front().Hash);
  if (!Hash)
    return Hash.takeError();
  noteHash(*Hash);
  return describe(join(Rules, Found));
}

std::optional<kernels::Range> KeptOutput::bytesToHash(CUdeviceptr Got) const {
  if (There->Unwritten.address() != 0 || Shape.Type.bytesOfFields() != Shape.Type.bytes())
    return std::nullopt;
  return kernels::Range{Got, Shape.bytes(), 0};
}

std::optional<kernels::StructuresRule> KeptOutput::structuresRule(CUdeviceptr Got) const {
  if (There->Unwritten.address() != 0)
    return std::nullopt;
  return gpuprune::structuresRule(Shape.Type, Shape.Count, There->Bytes.address(), Got);
}

bool KeptOutput::isHeld(const kernels::Findings &Found) const {
  noteHash(Found.Hash);
  return Found.Wrong == 0;
}

Expected<OutputVerdict> KeptOutput::compareThere(CUdeviceptr Got, const Comparison &By, size_t Run,
                                                 UntouchedElements *Untouched) const {
  Expected<std::vector<kernels::CompareRule>> Rules = rules(Got, By, Run, Untouched);
  if (!Rules)
    return Rules.takeError();
  Expected<std::vector<kernels::Findings>> Found = compareFields(*Rules);
  if (!Found)
    return Found.takeError();
  return verdict(*Rules, *Found);
}

Expected<OutputVerdict> KeptOutput::compareHere(CUdeviceptr Got, const Comparison &By, size_t Run,
                                                UntouchedElements *Untouched) const {
  OutputComparer Comparer(Shape.Type, By, Here->Left.Bytes, Here->Left.Unwritten, FillPatterns[Run],
                          Untouched ? &Untouched->OnHost : nullptr);
  Error E = Owner.download(Got, Shape.bytes(), [&](ArrayRef<uint8_t> Chunk) {
    Comparer.feed(Chunk);
    return true;
  });
  if (E)
    return E;
  return Comparer.verdict();
}

Expected<OutputVerdict> KeptOutput::compare(CUdeviceptr Got, const Comparison &By, size_t Run,
                                            UntouchedElements *Untouched) const {
  return There ? compareThere(Got, By, Run, Untouched) : compareHere(Got, By, Run, Untouched);
}

Expected<std::string> KeptOutput::element(size_t Field, uint64_t Index) const {
  ElementType Type = Shape.Type.fields()[Field].Type;
  kernels::Elements Of = elements(Field);
  Expected<uint64_t> Bits = fetchElement(Owner, Of.Base + Index * Of.Stride, Type);
  if (!Bits)
    return Bits.takeError();
  return describeElement(Type, *Bits);
}

/// The first element that only one of two sets has, if any, and whether that is the set at \p Other. A set at
/// 0 is empty.
Expected<std::optional<std::pair<uint64_t, bool>>> KeptOutput::firstInOneSet(CUdeviceptr Own,
                                                                             CUdeviceptr Other) const {
  uint64_t Words = setBytes(Shape.Count) / 4;
  kernels::CompareRule Rule = {};
  Rule.Expected = elementsAt(Own, ElementType::U32, Words);
  Rule.Got = elementsAt(Other, ElementType::U32, Words);
  auto Compared = [&]() -> Expected<kernels::Findings> {
    if (Own != 0 && Other != 0)
      return Kernels.compare(Rule);
    kernels::FillRule Empty = {};
    Expected<std::vector<kernels::Findings>> Found =
        Kernels.checkFills({{Own != 0 ? Rule.Expected : Rule.Got, Empty}});
    if (!Found)
      return Found.takeError();
    return Found->front();
  };
  Expected<kernels::Findings> Found = Compared();
  if (!Found)
    return Found.takeError();
  if (Found->Wrong == 0)
    return std::nullopt;
  uint64_t Word = ~Found->FirstWrong, Sets[2] = {0, 0};
  for (auto [Address, Bits] : {std::pair(Own, &Sets[0]), std::pair(Other, &Sets[1])}) {
    if (Address == 0)
      continue;
    Expected<uint64_t> Fetched = fetchElement(Owner, Address + Word * 4, ElementType::U32);
    if (!Fetched)
      return Fetched.takeError();
    *Bits = *Fetched;
  }
  unsigned Bit = countr_zero(Sets[0] ^ Sets[1]);
  return std::pair(Word * 32 + Bit, (Sets[1] >> Bit & 1) != 0);
}

/// The first element that only one of two programs writes, if any.
Expected<std::optional<Mismatch>> KeptOutput::compareWrittenThere(const KeptOutput &Got) const {
  CUdeviceptr Own = There->Unwritten.address(), Other = Got.There->Unwritten.address();
  std::optional<std::pair<uint64_t, bool>> First;
  size_t InField = 0;
  if (Own == 0 && Other == 0)
    return std::nullopt;
  for (size_t Field = 0; Field != fieldCount(); ++Field) {
    Expected<std::optional<std::pair<uint64_t, bool>>> Found =
        firstInOneSet(setOf(Own, Field), setOf(Other, Field));
    if (!Found)
      return Found.takeError();
    if (!*Found || (First && First->first <= (*Found)->first))
      continue;
    First = **Found;
    InField = Field;
  }
  if (!First)
    return std::nullopt;
  bool Missing = First->second;
  Mismatch M;
  M.Kind = Missing ? MismatchKind::Missing : MismatchKind::Extra;
  M.Index = First->first;
  M.Field = Shape.Type.fields()[InField].Name;
  Expected<std::string> Text = (Missing ? *this : Got).element(InField, M.Index);
  if (!Text)
    return Text.takeError();
  M.Expected = Missing ? *Text : "not written";
  M.Got = Missing ? "not written" : *Text;
  M.Differing = 1;
  return M;
}

Expected<OutputVerdict> KeptOutput::compare(const KeptOutput &Got, const Comparison &By) const {
  OutputVerdict V;
  std::optional<Mismatch> Written;
  if (There) {
    Expected<OutputVerdict> Found = compareThere(Got.There->Bytes.address(), By, 0, nullptr);
    if (!Found || Found->Outcome == CheckOutcome::Wrong)
      return Found;
    V = std::move(*Found);
    Expected<std::optional<Mismatch>> Differs = compareWrittenThere(Got);
    if (!Differs)
      return Differs.takeError();
    Written = std::move(*Differs);
  } else {
    OutputComparer Comparer(Shape.Type, By, Here->Left.Bytes, Here->Left.Unwritten, FillPatterns[0]);
    Comparer.feed(Got.Here->Left.Bytes);
    V = Comparer.verdict();
    if (V.Outcome != CheckOutcome::Wrong)
      Written = compareWritten(Shape.Type, Here->Left, Got.Here->Left);
  }
  if (!Written)
    return V;
  V.Outcome = CheckOutcome::Wrong;
  V.First = std::move(*Written);
  return V;
}

} // namespace gpuprune
