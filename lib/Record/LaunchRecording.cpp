//===- LaunchRecording.cpp - One launch while it is recorded -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaunchRecording.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace llvm;

namespace gpuprune {

bool LaunchRecording::waitUntilIdle(std::string &Why) {
  CUcontext Current = nullptr;
  CUresult Code = Tools.Driver.CtxGetCurrent(&Current);
  if (Code == cuda::Success) {
    switch (Tools.Idle.wait(Current, std::chrono::duration<double>(Tools.Options.TimeLimit), Code)) {
    case IdleWait::Outcome::Idle:
      return true;
    case IdleWait::Outcome::TimeLimit:
      Why = formatv("the GPU was not idle within --time-limit, {0} s", Tools.Options.TimeLimit);
      return false;
    case IdleWait::Outcome::Failed:
      break;
    }
  }
  Why = "waiting for the GPU failed: " + Tools.Driver.describe(Code);
  return false;
}

bool LaunchRecording::read(uint64_t Address, uint64_t Bytes, std::string &Why) {
  if (Tools.Alone.broken()) {
    Why = "other threads had waited for --time-limit";
    return false;
  }
  if (!Buffer.resize(Bytes)) {
    Why = formatv("no memory for a copy of {0} MiB", Bytes >> 20);
    return false;
  }
  if (!Stream)
    Stream = std::make_unique<CopyStream>(Tools.Driver);
  CUresult Code = Stream->read(Buffer.resize(Bytes), Address, Bytes);
  if (Code != cuda::Success)
    Why = "copying from the GPU failed: " + Tools.Driver.describe(Code);
  return Code == cuda::Success;
}

bool LaunchRecording::write(const std::string &File, std::string &Why) {
  if (Error E = Writer->add(File, Buffer.content())) {
    Why = takeError(std::move(E)).Text;
    return false;
  }
  KeptBytes += Buffer.content().size();
  return true;
}

bool LaunchRecording::takeParameters(const Launch &L, const FunctionInfo &F, ReachedMemory &Reached,
                                     std::string &Why) {
  if (!F.ParameterBytes.empty() && !L.Parameters) {
    Why = "arguments in a buffer (extra)";
    return false;
  }
  for (size_t I = 0; I < F.ParameterBytes.size(); ++I) {
    const auto *Bytes = static_cast<const uint8_t *>(L.Parameters[I]);
    if (!Bytes) {
      Why = "an argument is missing";
      return false;
    }
    Result.Parameters.emplace_back(Bytes, Bytes + F.ParameterBytes[I]);
    if (!Reached.add(Result.Parameters.back(), Why))
      return false;
  }
  return true;
}

/// The address of a variable of the kernel's module or library.
static CUresult addressOf(const RecordDriver &Driver, CUfunction Handle, bool IsKernel, const char *Symbol,
                          CUdeviceptr &Address, size_t &Bytes) {
  CUfunction Function = Handle;
  if (IsKernel) {
    auto *Kernel = reinterpret_cast<CUkernel>(Handle);
    CUlibrary Library = nullptr;
    if (Driver.KernelGetLibrary && Driver.LibraryGetGlobal &&
        Driver.KernelGetLibrary(&Library, Kernel) == cuda::Success)
      return Driver.LibraryGetGlobal(&Address, &Bytes, Library, Symbol);
    if (!Driver.KernelGetFunction || Driver.KernelGetFunction(&Function, Kernel) != cuda::Success)
      return cuda::NotFound;
  }
  CUmodule Module = nullptr;
  if (!Driver.FuncGetModule || Driver.FuncGetModule(&Module, Function) != cuda::Success)
    return cuda::NotFound;
  return Driver.ModuleGetGlobal(&Address, &Bytes, Module, Symbol);
}

bool LaunchRecording::findVariables(const Launch &L, const FunctionInfo &F, std::string &Why) {
  for (const CodeVariable &Known : F.Code->Variables) {
    CUdeviceptr Address = 0;
    size_t Bytes = 0;
    CUresult Code = addressOf(Tools.Driver, L.Function, F.IsKernel, Known.Symbol.c_str(), Address, Bytes);
    if (Code != cuda::Success) {
      Why =
          formatv("its variable '{0}' is not in the program: {1}", Known.Symbol, Tools.Driver.describe(Code));
      return false;
    }
    Variable &V = Variables.emplace_back();
    V.Recorded.Symbol = Known.Symbol;
    V.Recorded.Bytes = Bytes;
    V.Address = Address;
  }
  return true;
}

bool LaunchRecording::fits(const ReachedMemory &Reached, std::string &Why) {
  uint64_t Bytes = Reached.bytes();
  for (const Variable &V : Variables)
    Bytes += V.Recorded.Bytes;
  return Tools.Table.fits(Tools.Options.After ? 2 * Bytes : Bytes, Why);
}

/// Pointers in variables count as those in parameters do.
bool LaunchRecording::keepVariables(ReachedMemory &Reached, std::string &Why) {
  for (auto &[Recorded, Address] : Variables) {
    Recorded.File = "variable-" + std::to_string(&Recorded - &Variables.front().Recorded) + ".bin";
    if (!read(Address, Recorded.Bytes, Why) || !write(Recorded.File, Why) ||
        !Reached.add(Buffer.content(), Why))
      return false;
  }
  return true;
}

/// Beyond so many allocations pointers in them are not followed: each is a file.
static constexpr size_t MostFollowed = 1000;

/// With what pointers in the allocations point to, as far as there is room for it.
bool LaunchRecording::keepAllocations(ReachedMemory &Reached, std::string &Why) {
  std::set<uint64_t> Kept;
  auto Next = [&] {
    return llvm::find_if(Reached.allocations(), [&](const auto &A) { return !Kept.contains(A.first); });
  };
  for (auto Found = Next(); Found != Reached.allocations().end(); Found = Next()) {
    RecordedAllocation &A = Result.Allocations.emplace_back();
    A.Address = Found->first;
    A.Bytes = Found->second;
    A.File = "allocation-" + std::to_string(Result.Allocations.size() - 1) + ".bin";
    if (!read(A.Address, A.Bytes, Why) || !write(A.File, Why))
      return false;
    Kept.insert(A.Address);
    if (Reached.allocations().size() >= MostFollowed)
      continue;
    ReachedMemory Wider = Reached;
    Wider.follow(Buffer.content());
    if (std::string TooMuch; fits(Wider, TooMuch))
      Reached = std::move(Wider);
  }
  return true;
}

static Dim3 extent(const std::array<uint32_t, 3> &From) { return {From[0], From[1], From[2]}; }

bool LaunchRecording::before(const Launch &L, const FunctionInfo &F, std::string &Why) {
  ReachedMemory Reached(Tools.Driver);
  Result.Kernel = F.Symbol;
  Result.Arch = F.Code->Arch;
  Result.Gpu = F.Gpu;
  Result.Grid = extent(L.Shape.Grid);
  Result.Block = extent(L.Shape.Block);
  Result.DynamicShared = L.Shape.DynamicShared;
  Result.Launches = 1; // Until the program's end is known.
  // What is too large is known before anything waits.
  if (!takeParameters(L, F, Reached, Why) || !findVariables(L, F, Why) || !fits(Reached, Why) ||
      !waitUntilIdle(Why))
    return false;
  auto Begun = RecordingWriter::begin(
      Tools.Options.Directory, recordingName(F.Symbol, Result.Grid, Result.Block, Result.DynamicShared));
  if (!Begun) {
    Why = takeError(Begun.takeError()).Text;
    return false;
  }
  Writer = std::move(*Begun);
  return keepVariables(Reached, Why) && fits(Reached, Why) && keepAllocations(Reached, Why);
}

bool LaunchRecording::takeAfter(uint64_t Address, uint64_t Bytes, const std::string &Name, std::string &Hash,
                                std::string &File, std::string &Why) {
  if (!read(Address, Bytes, Why))
    return false;
  Hash = contentHash(Buffer.content());
  if (!Tools.Options.After)
    return true;
  File = "after-" + Name;
  return write(File, Why);
}

bool LaunchRecording::after(uint32_t Correlation, std::string &Why) {
  if (Tools.Alone.broken()) {
    Why = "other threads had waited for --time-limit";
    return false;
  }
  if (!waitUntilIdle(Why))
    return false;
  for (RecordedAllocation &A : Result.Allocations)
    if (!takeAfter(A.Address, A.Bytes, A.File, A.After, A.AfterFile, Why))
      return false;
  for (auto &[V, Address] : Variables) {
    if (!takeAfter(Address, V.Bytes, V.File, V.After, V.AfterFile, Why))
      return false;
    Result.Variables.push_back(V);
  }
  Expected<std::string> Folder = Writer->publish(Result);
  if (!Folder) {
    Why = takeError(Folder.takeError()).Text;
    return false;
  }
  for (const std::string &Dropped :
       Tools.Table.recorded(Class, *Folder, std::move(Result), KeptBytes, Correlation))
    (void)sys::fs::remove_directories(Dropped); // prune removes what is left.
  return true;
}

} // namespace gpuprune
