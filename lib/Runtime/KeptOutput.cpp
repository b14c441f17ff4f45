//===- KeptOutput.cpp - What a program left in one buffer -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KeptOutput.h"
#include "Contents.h"
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

static Difference differenceOf(const OutputVerdict &V, const kernels::Findings &Found) {
  Difference D = V.Tolerated;
  D.Elements = Found.Wrong + Found.Passed;
  D.Outside = Found.Wrong;
  D.MaxAbsolute = bit_cast<double>(Found.MaxAbsolute);
  D.MaxRelative = bit_cast<double>(Found.MaxRelative);
  if (Found.Wrong != 0) {
    D.Index = V.First.Index;
    D.Expected = V.First.Expected;
    D.Got = V.First.Got;
  }
  return D;
}

Expected<std::unique_ptr<KeptOutput>> KeptOutput::join(const Gpu &G, const DeviceKernels &Kernels,
                                                       const Buffer &Shape, DeviceMemory First,
                                                       CUdeviceptr Second, DeviceMemory Unwritten,
                                                       const Comparison &Tolerance) {
  kernels::Runs Runs = {elementsAt(First.address(), Shape.Type, Shape.Count),
                        elementsAt(Second, Shape.Type, Shape.Count), FillPatterns[0], FillPatterns[1],
                        Unwritten.address()};
  if (Error E = G.set(Unwritten.address(), 0, setBytes(Shape.Count)))
    return E;
  Expected<kernels::Findings> Missing = Kernels.findUnwritten(Runs);
  if (!Missing)
    return Missing.takeError();
  std::unique_ptr<KeptOutput> Made(
      new KeptOutput(G, Kernels, Shape,
                     Copy{std::move(First), Missing->Passed != 0 ? std::move(Unwritten) : DeviceMemory()}));
  if (Error E = Made->compareRuns(Second, Tolerance))
    return E;
  Expected<uint64_t> Hash = Made->hashThere();
  if (!Hash)
    return Hash.takeError();
  Made->There->Hash = *Hash;
  Made->noteHash(*Hash);
  return Made;
}

/// How far the second run at \p Second is from the first. That they are equal is told without a tolerance.
Error KeptOutput::compareRuns(CUdeviceptr Second, Comparison By) {
  for (CompareMode Mode : {CompareMode::Bitwise, CompareMode::Tolerance}) {
    By.Mode = Mode;
    Expected<kernels::CompareRule> Rule = rule(Second, By, FillPatterns[1]);
    if (!Rule)
      return Rule.takeError();
    Rule->SkipUnwritten = 1;
    Expected<kernels::Findings> Apart = Kernels.compare(*Rule);
    if (!Apart)
      return Apart.takeError();
    if (Apart->Wrong == 0 && Apart->Passed == 0)
      break;
    Expected<OutputVerdict> Said = describe(*Rule, *Apart);
    if (!Said)
      return Said.takeError();
    BetweenRuns = differenceOf(*Said, *Apart);
  }
  return Error::success();
}

kernels::Elements KeptOutput::elements() const {
  return elementsAt(There->Bytes.address(), Shape.Type, Shape.Count);
}

/// As the kernel that compares finds it on its way.
Expected<uint64_t> KeptOutput::hashThere() const {
  std::vector<kernels::Range> Ranges = {{There->Bytes.address(), Shape.bytes(), 0}};
  if (There->Unwritten.address() != 0)
    Ranges.push_back({There->Unwritten.address(), setBytes(Shape.Count), kernels::SecondPlace});
  Expected<std::vector<uint64_t>> Hashes = Kernels.hash(Ranges);
  if (!Hashes)
    return Hashes.takeError();
  return std::accumulate(Hashes->begin(), Hashes->end(), uint64_t(0));
}

void KeptOutput::noteHash(uint64_t Found) const {
  There->WasIntact = Found == There->Hash;
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
    return Shape.bytes() + (There->Unwritten.address() != 0 ? setBytes(Shape.Count) : 0);
  return Here->Left.Bytes.size() + Here->Left.Unwritten.size() * sizeof(ByteRange);
}

/// The elements of a set, whose words are little-endian, as ranges of bytes.
static std::vector<ByteRange> rangesOf(ArrayRef<uint8_t> Set, uint64_t Count, uint64_t Size) {
  std::vector<ByteRange> Ranges;
  for (uint64_t I = 0; I != Count; ++I)
    if ((Set[I / 8] >> I % 8 & 1) != 0)
      appendRange(Ranges, I * Size, (I + 1) * Size);
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
    Expected<std::vector<uint8_t>> Set = Owner.downloadAll(There->Unwritten.address(), setBytes(Shape.Count));
    if (!Set)
      return Set.takeError();
    Moved.Left.Unwritten = rangesOf(*Set, Shape.Count, elementBytes(Shape.Type));
  }
  Here = std::move(Moved);
  Here->Hash = hashHere();
  There.reset();
  return Error::success();
}

/// Of \p By only the tolerance; what is compared bit by bit needs none.
Expected<kernels::CompareRule> KeptOutput::rule(CUdeviceptr Got, const Comparison &By,
                                                uint8_t Pattern) const {
  kernels::CompareRule C = {};
  C.Expected = elements();
  C.Got = elementsAt(Got, Shape.Type, Shape.Count);
  C.Unwritten = There->Unwritten.address();
  C.Pattern = Pattern;
  if (By.Mode != CompareMode::Tolerance)
    return C;
  if (!By.Absolute && isFloatingPoint(Shape.Type) && !There->MeanMagnitude) {
    Expected<double> Mean = Kernels.meanMagnitude(C.Expected, C.Unwritten);
    if (!Mean)
      return Mean.takeError();
    There->MeanMagnitude = *Mean;
  }
  Comparison Complete = completeTolerance(By, Shape.Type, [&] { return *There->MeanMagnitude; });
  C.ByTolerance = 1;
  C.Relative = Complete.Relative;
  C.Absolute = *Complete.Absolute;
  return C;
}

Expected<bool> KeptOutput::isUnwritten(uint64_t Index) const {
  if (There->Unwritten.address() == 0)
    return false;
  Expected<uint64_t> Word =
      fetchElement(Owner, There->Unwritten.address() + Index / 32 * 4, ElementType::U32);
  if (!Word)
    return Word.takeError();
  return (*Word >> Index % 32 & 1) != 0;
}

Expected<OutputVerdict> KeptOutput::describe(const kernels::CompareRule &C,
                                             const kernels::Findings &Found) const {
  OutputVerdict V;
  if (Found.Wrong == 0 && Found.Passed == 0)
    return V;
  uint64_t Index = Found.Wrong != 0 ? ~Found.FirstWrong : ~Found.FirstPassed;
  Expected<uint64_t> Want = fetchElement(Owner, C.Expected.Base + Index * C.Expected.Stride, Shape.Type);
  if (!Want)
    return Want.takeError();
  Expected<uint64_t> Got = fetchElement(Owner, C.Got.Base + Index * C.Got.Stride, Shape.Type);
  if (!Got)
    return Got.takeError();
  if (Found.Wrong == 0) {
    V.Outcome = CheckOutcome::Tolerance;
    V.Tolerated = {Found.Passed,
                   0,
                   bit_cast<double>(Found.MaxAbsolute),
                   bit_cast<double>(Found.MaxRelative),
                   Index,
                   describeElement(Shape.Type, *Want),
                   describeElement(Shape.Type, *Got)};
    return V;
  }
  Expected<bool> Unwritten = isUnwritten(Index);
  if (!Unwritten)
    return Unwritten.takeError();
  bool HoldsPattern = *Got == kernels::patternBits(C.Got, C.Pattern);
  V.Outcome = CheckOutcome::Wrong;
  V.First.Kind = *Unwritten     ? MismatchKind::Extra
                 : HoldsPattern ? MismatchKind::Missing
                                : MismatchKind::Value;
  V.First.Index = Index;
  V.First.Expected = *Unwritten ? "not written" : describeElement(Shape.Type, *Want);
  V.First.Got = describeElement(Shape.Type, *Got);
  V.First.Differing = Found.Wrong;
  V.First.Pattern = patternText(static_cast<uint8_t>(C.Pattern));
  return V;
}

Expected<OutputVerdict> KeptOutput::compareThere(CUdeviceptr Got, const Comparison &By, size_t Run,
                                                 UntouchedElements *Untouched) const {
  Expected<kernels::CompareRule> Rule = rule(Got, By, FillPatterns[Run]);
  if (!Rule)
    return Rule.takeError();
  if (Rule->ByTolerance && Untouched) {
    if (Run == 0) {
      Expected<DeviceMemory> Set = DeviceMemory::allocate(Owner, setBytes(Shape.Count));
      if (!Set)
        return Set.takeError();
      Untouched->OnDevice = std::move(*Set);
      if (Error E = Owner.set(Untouched->OnDevice.address(), 0, setBytes(Shape.Count)))
        return E;
    }
    Rule->Untouched = Untouched->OnDevice.address();
    Rule->IsSecondRun = Run != 0;
  }
  Expected<kernels::Findings> Found = Kernels.compare(*Rule);
  if (!Found)
    return Found.takeError();
  noteHash(Found->Hash);
  return describe(*Rule, *Found);
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

Expected<std::string> KeptOutput::element(uint64_t Index) const {
  Expected<uint64_t> Bits =
      fetchElement(Owner, There->Bytes.address() + Index * elementBytes(Shape.Type), Shape.Type);
  if (!Bits)
    return Bits.takeError();
  return describeElement(Shape.Type, *Bits);
}

/// The first element that only one of two sets has, if any.
Expected<std::optional<Mismatch>> KeptOutput::compareWrittenThere(const KeptOutput &Got) const {
  uint64_t Words = setBytes(Shape.Count) / 4;
  CUdeviceptr Own = There->Unwritten.address(), Other = Got.There->Unwritten.address();
  if (Own == 0 && Other == 0)
    return std::nullopt;
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
  bool Missing = (Sets[1] >> Bit & 1) != 0;
  Mismatch M;
  M.Kind = Missing ? MismatchKind::Missing : MismatchKind::Extra;
  M.Index = Word * 32 + Bit;
  Expected<std::string> Text = (Missing ? *this : Got).element(M.Index);
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
