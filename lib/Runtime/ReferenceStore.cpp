//===- ReferenceStore.cpp - What programs leave that others are compared with //
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReferenceStore.h"
#include "gpuprune/Support/ContentHash.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

Error enqueueOverPatterns(const DeviceKernels &Kernels, const LoadedProgram &Program,
                          const BufferSet &Buffers, size_t Run, const EventPair *Around) {
  if (Error E = Buffers.prepare(FillPatterns[Run]))
    return E;
  if (Error E = Program.setUpModules())
    return E;
  auto BeforeKernel = [&]() -> Error {
    if (Error E = Kernels.fillShared(SharedPatterns[Run]))
      return E;
    return Around ? Around->start() : Error::success();
  };
  if (Error E = Program.launch(BeforeKernel))
    return E;
  return Around ? Around->stop() : Error::success();
}

Error runOverPatterns(const Gpu &G, const DeviceKernels &Kernels, const LoadedProgram &Program,
                      const BufferSet &Buffers, size_t Run) {
  TimeTraceScope Scope("run over patterns");
  if (Error E = enqueueOverPatterns(Kernels, Program, Buffers, Run))
    return E;
  return G.synchronize();
}

/// A guard zone that it hits.
static Expected<std::optional<Mismatch>> runBetweenGuards(const Gpu &G, const DeviceKernels &Kernels,
                                                          const LoadedProgram &Program,
                                                          const BufferSet &Buffers, size_t Run) {
  if (Error E = runOverPatterns(G, Kernels, Program, Buffers, Run))
    return E;
  return Buffers.checkGuards(FillPatterns[Run]);
}

Expected<std::optional<Mismatch>> findChangedInput(const DeviceKernels &Kernels, const LoadedProgram &Program,
                                                   const BufferSet &Buffers) {
  Expected<std::optional<Mismatch>> Found = Buffers.checkInputs();
  return !Found || *Found ? std::move(Found) : Program.checkSymbols(Kernels);
}

bool ReferenceSet::isOnDevice() const {
  return any_of(Outputs, [](const auto &Output) { return Output && Output->isOnDevice(); });
}

Expected<bool> ReferenceSet::isIntact() const {
  TimeTraceScope Scope("look at reference");
  for (const auto &Output : Outputs) {
    if (!Output)
      continue;
    Expected<bool> Intact = Output->isIntact();
    if (!Intact || !*Intact)
      return Intact;
  }
  return true;
}

Expected<bool> ReferenceSet::isIntactOnDevice() const {
  return isOnDevice() ? isIntact() : Expected<bool>(true);
}

Error ReferenceSet::moveToHost() {
  for (const auto &Output : Outputs)
    if (Output)
      if (Error E = Output->moveToHost())
        return E;
  return Error::success();
}

uint64_t ReferenceSet::bytes() const {
  uint64_t Bytes = 0;
  for (const auto &Output : Outputs)
    Bytes += Output ? Output->bytes() : 0;
  return Bytes;
}

std::string ReferenceStore::settingOf(const Problem &P, const Comparison &Tolerance) {
  // Of a double, formatv alone writes two decimals.
  std::string Setting =
      formatv("{0} {1}", json::Value(Tolerance.Relative), json::Value(Tolerance.Absolute.value_or(-1)));
  for (const Buffer &B : P.Buffers)
    Setting += formatv(" {0}", toJSON(B));
  return Setting;
}

std::string ReferenceStore::keyOf(const LoadedProgram &Program, StringRef Setting) {
  return contentHash((Program.contentKey() + " " + Setting).str());
}

void ReferenceStore::keepOnHost(const std::string &Key, const std::shared_ptr<ReferenceSet> &Set) {
  OnDevice.erase(Key);
  BytesOnHost += Set->bytes();
  OnHost.insert(Key, Set, Set->bytes());
}

/// A set that is spoiled is not moved but made anew when it is needed.
bool ReferenceStore::moveOneToHost() {
  auto [Key, Set] = OnDevice.oldestUnused();
  if (!Set)
    return false;
  if (Error E = Set->moveToHost()) {
    consumeError(std::move(E));
    OnDevice.erase(Key);
    return true;
  }
  keepOnHost(Key, Set);
  return true;
}

Error ReferenceStore::moveToHost(const std::string &Key) {
  auto Other = United.find(Key);
  for (const std::string &Name : {Key, Other == United.end() ? Key : Other->second}) {
    std::shared_ptr<ReferenceSet> Set = OnDevice.find(Name);
    if (!Set)
      continue;
    if (Error E = Set->moveToHost())
      return E;
    keepOnHost(Name, Set);
  }
  return Error::success();
}

/// Nothing where the device has no room for all that \p Buffers' program leaves.
Expected<std::optional<std::vector<ReferenceStore::Room>>> ReferenceStore::roomFor(const BufferSet &Buffers) {
  std::vector<Room> Rooms;
  // By tolerance a comparison takes one more set, which has to fit, too, when it is needed.
  std::vector<DeviceMemory> Spare(Buffers.buffers().size());
  if (!Kernels.areLoaded())
    return std::nullopt;
  for (const auto &[B, Other] : zip_equal(Buffers.buffers(), Spare)) {
    Room &R = Rooms.emplace_back();
    if (!B->shape().isOutput())
      continue;
    for (auto [Memory, Bytes] :
         {std::pair(&R.First, B->shape().bytes()), std::pair(&R.Unwritten, setsBytes(B->shape())),
          std::pair(&Other, setsBytes(B->shape()))}) {
      Expected<DeviceMemory> Allocated = DeviceMemory::allocate(Owner, Bytes);
      if (Allocated) {
        *Memory = std::move(*Allocated);
        continue;
      }
      bool IsFull = false;
      Error E = handleErrors(Allocated.takeError(), [&](std::unique_ptr<JobFailure> F) -> Error {
        IsFull = F->status() == ResultStatus::Memory;
        return IsFull ? Error::success() : Error(std::move(F));
      });
      if (E)
        return E;
      return std::nullopt;
    }
  }
  return Rooms;
}

static Expected<std::vector<std::vector<uint8_t>>> downloadOutputs(const Gpu &G, const BufferSet &Buffers) {
  std::vector<std::vector<uint8_t>> All;
  for (const auto &B : Buffers.buffers()) {
    All.emplace_back();
    if (!B->shape().isOutput())
      continue;
    Expected<std::vector<uint8_t>> Bytes = G.downloadAll(B->address(), B->shape().bytes());
    if (!Bytes)
      return Bytes.takeError();
    All.back() = std::move(*Bytes);
  }
  return All;
}

Mismatch writesElsewhere() {
  Mismatch M;
  M.Kind = MismatchKind::Elsewhere;
  return M;
}

static std::shared_ptr<ReferenceSet> misdeed(Mismatch M) {
  auto Set = std::make_shared<ReferenceSet>();
  Set->Misdeed = std::move(M);
  return Set;
}

Error ReferenceStore::keepFirstRun(const BufferSet &Buffers, std::vector<Room> &Rooms) {
  for (const auto &[B, R] : zip_equal(Buffers.buffers(), Rooms)) {
    if (R.First.address() == 0)
      continue;
    if (Error E = Owner.copy(R.First.address(), B->address(), B->shape().bytes()))
      return E;
    Expected<std::vector<uint64_t>> Hash = Kernels.hash({{R.First.address(), B->shape().bytes(), 0}});
    if (!Hash)
      return Hash.takeError();
    R.Hash = Hash->front();
  }
  return Error::success();
}

/// Whether the second run left alone what is kept of the first.
Expected<bool> ReferenceStore::isFirstRunIntact(const BufferSet &Buffers, ArrayRef<Room> Rooms) {
  for (const auto &[B, R] : zip_equal(Buffers.buffers(), Rooms)) {
    if (R.First.address() == 0)
      continue;
    Expected<std::vector<uint64_t>> Hash = Kernels.hash({{R.First.address(), B->shape().bytes(), 0}});
    if (!Hash)
      return Hash.takeError();
    if (Hash->front() != R.Hash)
      return false;
  }
  return true;
}

Error ReferenceStore::joinOnDevice(std::vector<Room> &Rooms, const BufferSet &Buffers,
                                   const Comparison &Tolerance, ReferenceSet &Set) {
  for (const auto &[B, R] : zip_equal(Buffers.buffers(), Rooms)) {
    Set.Outputs.emplace_back();
    if (!B->shape().isOutput())
      continue;
    Expected<std::unique_ptr<KeptOutput>> Output = KeptOutput::join(
        Owner, Kernels, B->shape(), std::move(R.First), B->address(), std::move(R.Unwritten), Tolerance);
    if (!Output)
      return Output.takeError();
    Set.Outputs.back() = std::move(*Output);
  }
  return Error::success();
}

Error ReferenceStore::joinOnHost(std::vector<std::vector<uint8_t>> First, const BufferSet &Buffers,
                                 const Comparison &Tolerance, ReferenceSet &Set) {
  Expected<std::vector<std::vector<uint8_t>>> Left = downloadOutputs(Owner, Buffers);
  if (!Left)
    return Left.takeError();
  for (const auto &[B, Before, After] : zip_equal(Buffers.buffers(), First, *Left)) {
    Set.Outputs.emplace_back();
    const Buffer &Shape = B->shape();
    if (!Shape.isOutput())
      continue;
    std::optional<uint64_t> Unstable;
    ReferenceOutput Output = joinReferenceRuns(Shape.Type, std::move(Before), After, Unstable);
    Difference Apart = Unstable ? compareReferenceRuns(Shape.Type, Tolerance, Output, After) : Difference();
    Set.Outputs.back() =
        std::make_unique<KeptOutput>(Owner, Kernels, Shape, std::move(Output), std::move(Apart));
  }
  return Error::success();
}

Expected<std::shared_ptr<ReferenceSet>>
ReferenceStore::run(const LoadedProgram &Program, const BufferSet &Buffers, const Comparison &Tolerance) {
  TimeTraceScope Scope("run reference");
  Expected<std::optional<std::vector<Room>>> Rooms = roomFor(Buffers);
  if (!Rooms)
    return Rooms.takeError();
  std::vector<std::vector<uint8_t>> First;
  for (size_t Run = 0; Run != 2; ++Run) {
    Expected<std::optional<Mismatch>> Guard = runBetweenGuards(Owner, Kernels, Program, Buffers, Run);
    if (!Guard)
      return Guard.takeError();
    if (*Guard)
      return misdeed(std::move(**Guard));
    if (Run != 0)
      continue;
    if (*Rooms) {
      if (Error E = keepFirstRun(Buffers, **Rooms))
        return E;
      continue;
    }
    Expected<std::vector<std::vector<uint8_t>>> Left = downloadOutputs(Owner, Buffers);
    if (!Left)
      return Left.takeError();
    First = std::move(*Left);
  }
  Expected<std::optional<Mismatch>> Input = findChangedInput(Kernels, Program, Buffers);
  if (!Input)
    return Input.takeError();
  if (*Input)
    return misdeed(std::move(**Input));
  if (*Rooms) {
    Expected<bool> Intact = isFirstRunIntact(Buffers, **Rooms);
    if (!Intact)
      return Intact.takeError();
    if (!*Intact)
      return misdeed(writesElsewhere());
  }
  auto Set = std::make_shared<ReferenceSet>();
  Error E = *Rooms ? joinOnDevice(**Rooms, Buffers, Tolerance, *Set)
                   : joinOnHost(std::move(First), Buffers, Tolerance, *Set);
  if (E)
    return E;
  return Set;
}

std::shared_ptr<ReferenceSet> ReferenceStore::find(const std::string &Key) {
  std::shared_ptr<ReferenceSet> Kept = OnDevice.find(Key);
  return Kept ? Kept : OnHost.find(Key);
}

/// Under \p Key or what it was united with.
std::shared_ptr<ReferenceSet> ReferenceStore::findKept(const std::string &Key) {
  if (std::shared_ptr<ReferenceSet> Kept = find(Key))
    return Kept;
  auto Other = United.find(Key);
  return Other == United.end() ? nullptr : find(Other->second);
}

Expected<std::shared_ptr<ReferenceSet>> ReferenceStore::get(const std::string &Key,
                                                            const LoadedProgram &Program,
                                                            const BufferSet &Buffers,
                                                            const Comparison &Tolerance) {
  if (std::shared_ptr<ReferenceSet> Kept = findKept(Key))
    return Kept;
  Expected<std::shared_ptr<ReferenceSet>> Made = run(Program, Buffers, Tolerance);
  if (!Made)
    return Made;
  if ((*Made)->isOnDevice()) {
    OnDevice.insert(Key, *Made, 0);
    return Made;
  }
  if (Kernels.areLoaded())
    BytesOnHost += (*Made)->bytes();
  OnHost.insert(Key, *Made, (*Made)->bytes());
  return Made;
}

void ReferenceStore::drop(const std::string &Key) {
  OnDevice.erase(Key);
  OnHost.erase(Key);
}

void ReferenceStore::unite(const std::string &Key, const std::string &Same) {
  United[Key] = Same;
  drop(Key);
}

void ReferenceStore::forget(const std::string &Key) {
  drop(Key);
  if (auto Other = United.find(Key); Other != United.end())
    drop(Other->second);
  United.erase(Key);
}

} // namespace gpuprune
