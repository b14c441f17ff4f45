//===- LaunchRecorder.cpp - Recordings of launches on the CPU -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaunchRecorder.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/Error.h"

using namespace llvm;

namespace gpuprune {

static RecorderOptions optionsFor(StringRef Directory) {
  RecorderOptions Options;
  Options.Directory = Directory.str();
  return Options;
}

LaunchRecorder::LaunchRecorder(StringRef Directory, const DeviceMemory &Memory)
    : Options(optionsFor(Directory)), Memory(Memory), Code(Directory), Table(Options) {}

static ArrayRef<uint8_t> contentOf(const GuardedBuffer &Buffer) {
  return {reinterpret_cast<const uint8_t *>(Buffer.Data), size_t(Buffer.Bytes)};
}

static LaunchShape shapeOf(const HostLaunch &Launch, unsigned Kernel) {
  LaunchShape Shape;
  Shape.Kernel = Kernel;
  for (unsigned D = 0; D != Dim3::size(); ++D) {
    Shape.Grid[D] = uint32_t(Launch.Grid[D]);
    Shape.Block[D] = uint32_t(Launch.Block[D]);
  }
  Shape.DynamicShared = uint32_t(Launch.SharedBytes);
  return Shape;
}

/// The allocations that the aligned words of \p Content point into.
bool LaunchRecorder::reach(ArrayRef<uint8_t> Content, int Device, std::string &Why) {
  for (size_t At = 0; At + sizeof(uint64_t) <= Content.size(); At += sizeof(uint64_t)) {
    uint64_t Word;
    std::memcpy(&Word, Content.data() + At, sizeof(Word));
    const DeviceBuffer *Found = Memory.find(reinterpret_cast<const void *>(Word));
    if (!Found || Found->Buffer->Bytes == 0 || Found->Kind == MemoryKind::Variable)
      continue;
    if (Found->Kind == MemoryKind::Host)
      Why = "mapped host memory";
    else if (Found->Kind == MemoryKind::Device && Found->Device != Device)
      Why = "memory of another GPU";
    if (!Why.empty())
      return false;
    Reached[reinterpret_cast<uint64_t>(Found->Buffer->Data)] = Found->Buffer;
  }
  return true;
}

/// False, with the reason in \p Why, where there is no code of the kernel or of one of its variables.
bool LaunchRecorder::describe(const HostLaunch &Launch, const DeviceImage &Image, const DeviceInfo &Info,
                              std::string &Why) {
  unsigned Arch = 0;
  StringRef(Info.Arch).drop_front(3).getAsInteger(10, Arch);
  const CodeKernel *Known = Code.find(Symbol, int(Arch / 10), int(Arch % 10), Why);
  if (!Known)
    return false;
  Result.Kernel = Symbol;
  Result.Arch = Known->Arch;
  Result.Gpu = "the CPU";
  Result.Grid = Launch.Grid;
  Result.Block = Launch.Block;
  Result.DynamicShared = Launch.SharedBytes;
  Result.Launches = 1;
  for (const std::vector<char> &Argument : Launch.Arguments)
    Result.Parameters.emplace_back(Argument.begin(), Argument.end());
  for (const CodeVariable &V : Known->Variables) {
    const GuardedBuffer *Buffer = Image.variable(V.Symbol);
    if (!Buffer) {
      Why = "its variable '" + V.Symbol + "' is not in the program";
      return false;
    }
    Variable &Kept = Variables.emplace_back();
    Kept.Recorded.Symbol = V.Symbol;
    Kept.Recorded.Bytes = Buffer->Bytes;
    Kept.Buffer = Buffer;
  }
  return true;
}

Error LaunchRecorder::keepContents() {
  auto Begun = RecordingWriter::begin(Options.Directory,
                                      recordingName(Symbol, Result.Grid, Result.Block, Result.DynamicShared));
  if (!Begun)
    return Begun.takeError();
  Writer = std::move(*Begun);
  for (auto [Address, Buffer] : Reached) {
    RecordedAllocation &A = Result.Allocations.emplace_back();
    A.Address = Address;
    A.Bytes = Buffer->Bytes;
    A.File = "allocation-" + std::to_string(Result.Allocations.size() - 1) + ".bin";
    KeptBytes += A.Bytes;
    if (Error E = Writer->add(A.File, contentOf(*Buffer)))
      return E;
  }
  for (size_t Index = 0; Index != Variables.size(); ++Index) {
    RecordedVariable &V = Variables[Index].Recorded;
    V.File = "variable-" + std::to_string(Index) + ".bin";
    KeptBytes += V.Bytes;
    if (Error E = Writer->add(V.File, contentOf(*Variables[Index].Buffer)))
      return E;
  }
  return Error::success();
}

bool LaunchRecorder::reachAll(int Device, std::string &Why) {
  return all_of(Result.Parameters, [&](const auto &Bytes) { return reach(Bytes, Device, Why); }) &&
         all_of(Variables, [&](const Variable &V) { return reach(contentOf(*V.Buffer), Device, Why); });
}

void LaunchRecorder::before(const HostLaunch &Launch, const DeviceImage &Image, const DeviceInfo &Info,
                            int Device) {
  Result = {};
  Variables.clear();
  Reached.clear();
  KeptBytes = 0;
  Symbol = Launch.Kernel;
  Shape = shapeOf(Launch, Table.kernel(Symbol));
  Class = Table.classOf(Shape);
  std::string Why;
  if (Table.wants(Class) && !describe(Launch, Image, Info, Why)) {
    Table.excludeKernel(Shape.Kernel, Why);
  } else if (Table.wants(Class)) {
    if (Error E = reachAll(Device, Why) ? keepContents() : Error::success())
      Why = takeError(std::move(E)).Text;
    if (!Why.empty()) {
      Writer.reset();
      Table.notRecorded(Class, Why);
    }
  }
  Begin = std::chrono::steady_clock::now();
}

Error LaunchRecorder::publish() {
  for (RecordedAllocation &A : Result.Allocations)
    A.After = contentHash(contentOf(*Reached[A.Address]));
  for (Variable &V : Variables) {
    V.Recorded.After = contentHash(contentOf(*V.Buffer));
    Result.Variables.push_back(V.Recorded);
  }
  Expected<std::string> Folder = Writer->publish(Result);
  if (!Folder)
    return Folder.takeError();
  (void)Table.recorded(Class, *Folder, std::move(Result), KeptBytes, /*Correlation=*/Class);
  return Error::success();
}

void LaunchRecorder::after(bool Ran) {
  std::chrono::duration<double, std::milli> Took = std::chrono::steady_clock::now() - Begin;
  bool Recorded = Ran && Writer;
  if (Recorded)
    if (Error E = publish())
      Table.notRecorded(Class, takeError(std::move(E)).Text);
  Writer.reset();
  if (!Ran)
    return;
  Table.launched(Class);
  // Correlations are those of classes, and none has the number after the last one.
  Table.timed(Symbol, Shape, Took.count(), Recorded ? Class : ~0U, /*InGraph=*/false);
}

std::string LaunchRecorder::finish() {
  std::vector<std::string> Notes;
  for (const std::string &Problem : Code.problems())
    Notes.push_back("warning: " + Problem);
  for (const auto &[Folder, R] : Table.finalRecordings())
    if (Error E = updateLaunch(Folder, R))
      Notes.push_back("warning: " + toString(std::move(E)));
  return summaryText(Table.summary(), Options.Directory, Notes);
}

} // namespace gpuprune
