//===- Stopwatch.cpp - Times runs with CUDA events ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Stopwatch.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

void RotatingProgram::add(BufferSet Buffers, LoadedProgram Program) {
  Copies.push_back({std::move(Buffers), std::move(Program)});
}

Error RotatingProgram::prepare(uint8_t Pattern) const {
  for (const Copy &Each : Copies)
    if (Error E = Each.Buffers.prepare(Pattern))
      return E;
  return Error::success();
}

Error RotatingProgram::prepareAfterCheck(uint8_t Pattern) const {
  if (Error E = first().Buffers.prepareGuards(Pattern))
    return E;
  for (const Copy &Each : drop_begin(Copies))
    if (Error E = Each.Buffers.prepare(Pattern))
      return E;
  return Error::success();
}

Expected<std::optional<Mismatch>> RotatingProgram::checkGuards(uint8_t Pattern) const {
  for (const Copy &Each : Copies) {
    Expected<std::optional<Mismatch>> Found = Each.Buffers.checkGuards(Pattern);
    if (!Found || *Found)
      return Found;
  }
  return std::nullopt;
}

Expected<std::optional<Mismatch>> RotatingProgram::checkInputs() const {
  for (const Copy &Each : Copies) {
    Expected<std::optional<Mismatch>> Found = Each.Buffers.checkInputs();
    if (!Found || *Found)
      return Found;
  }
  return std::nullopt;
}

Error RotatingProgram::startOver(uint32_t Runs) const {
  for (size_t I = 0; I != std::min<size_t>(Runs, Copies.size()); ++I) {
    const Copy &Each = Copies[(Next + I) % Copies.size()];
    if (Error E = Each.Buffers.restore())
      return E;
    if (Error E = Each.Program.launchUntimed())
      return E;
  }
  return Error::success();
}

/// All copies have the same contents, and mostly the same modules.
Error RotatingProgram::setUp() const { return Copies[Next].Program.setUpModules(); }

Error RotatingProgram::launch() {
  const Copy &Now = Copies[Next];
  Next = (Next + 1) % Copies.size();
  ++Runs;
  return Now.Program.launchTimed();
}

Expected<std::unique_ptr<Stopwatch>> Stopwatch::create(const Gpu &G, uint64_t FlushBytes) {
  std::unique_ptr<Stopwatch> Made(new Stopwatch(G, FlushBytes));
  Expected<std::unique_ptr<EventPair>> Events = EventPair::create(G);
  if (!Events)
    return Events.takeError();
  Made->Events = std::move(*Events);
  if (FlushBytes == 0)
    return Made;
  Expected<DeviceMemory> Memory = DeviceMemory::allocate(G, FlushBytes);
  if (!Memory)
    return Memory.takeError();
  Made->Flushed = std::move(*Memory);
  return Made;
}

Expected<double> Stopwatch::time(RotatingProgram &Program, uint32_t Runs, bool Restore,
                                 function_ref<void()> Meanwhile) {
  if (Error E = Program.setUp())
    return E;
  if (Error E = Restore ? Program.startOver(Runs) : Error::success())
    return E;
  // After the buffers are restored, which leaves them in the cache.
  if (FlushBytes != 0)
    if (Error E = Owner.set(Flushed.address(), 0, FlushBytes))
      return E;
  if (Error E = Events->start())
    return E;
  for (uint32_t I = 0; I != Runs; ++I)
    if (Error E = Program.launch())
      return E;
  if (Error E = Events->stop())
    return E;
  if (Meanwhile)
    Meanwhile();
  Expected<double> Milliseconds = Events->milliseconds();
  if (!Milliseconds)
    return Milliseconds;
  TimedMs += *Milliseconds;
  return *Milliseconds / Runs;
}

} // namespace gpuprune
