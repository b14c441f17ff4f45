//===- LaunchValidation.cpp - What can be launched ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaunchRunner.h"
#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/PointerAlignment.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace llvm;

namespace gpuprune {

std::string inWords(const Dim3 &D) { return formatv("({0}, {1}, {2})", D.X, D.Y, D.Z); }

static Error launchError(const HostLaunch &Launch, const Twine &Problem) {
  return makeError(ErrorKind::Input, "kernel '" + Launch.Kernel + "': " + Problem);
}

static Error checkGeometry(const HostLaunch &Launch) {
  for (unsigned D = 0; D < 3; ++D)
    if (Launch.Grid[D] < 1 || Launch.Grid[D] > LargestGrid[D])
      return launchError(Launch, "a grid of " + inWords(Launch.Grid) +
                                     " cannot be launched; every extent is at least 1 " + "and at most " +
                                     inWords(LargestGrid));
  for (unsigned D = 0; D < 3; ++D)
    if (Launch.Block[D] < 1 || Launch.Block[D] > LargestBlock[D] ||
        Launch.Block.volume() > MostThreadsPerBlock)
      return launchError(Launch, "a block of " + inWords(Launch.Block) +
                                     " cannot be launched; expected at most " + inWords(LargestBlock) +
                                     " and " + Twine(MostThreadsPerBlock) + " threads in all");
  for (uint64_t Block : Launch.BlockSubset)
    if (double(Block) >= Launch.Grid.volume())
      return launchError(Launch, "block " + Twine(Block) + " is not in a grid of " + inWords(Launch.Grid));
  return Error::success();
}

static Error checkArguments(const HostLaunch &Launch, const HostKernel &Kernel) {
  if (Launch.Arguments.size() != Kernel.ParameterBytes.size())
    return launchError(Launch, Twine(Launch.Arguments.size()) + " arguments given, " +
                                   Twine(Kernel.ParameterBytes.size()) + " expected");
  for (unsigned I = 0; I < Launch.Arguments.size(); ++I)
    if (Launch.Arguments[I].size() != Kernel.ParameterBytes[I])
      return launchError(Launch, "argument " + Twine(I) + " has " + Twine(Launch.Arguments[I].size()) +
                                     " bytes, expected " + Twine(Kernel.ParameterBytes[I]));
  for (const ConstantCopy &Copy : Launch.ConstantCopies)
    if (!is_contained(Kernel.Pointers, Copy.Argument))
      return launchError(Launch, "argument " + Twine(Copy.Argument) + ", to be copied to '" + Copy.Symbol +
                                     "', is no pointer");
  return Error::success();
}

static Error checkAlignment(const HostLaunch &Launch, const HostKernel &Kernel) {
  for (unsigned I : Kernel.Pointers) {
    const char *Passed = nullptr;
    std::memcpy(static_cast<void *>(&Passed), Launch.Arguments[I].data(), sizeof(Passed));
    const GuardedBuffer *Buffer = Launch.Memory ? Launch.Memory->bufferAt(Passed) : nullptr;
    std::string Problem = misalignedPointer(I, Buffer ? Buffer->Name : "",
                                            reinterpret_cast<uintptr_t>(Passed), Launch.PointerAlignment);
    if (!Problem.empty())
      return makeRefusal(RefusalKind::BadLaunchContract, "kernel '" + Launch.Kernel + "': " + Problem);
  }
  return Error::success();
}

Error checkLaunch(const HostLaunch &Launch, const HostKernel &Kernel) {
  if (Error E = checkGeometry(Launch))
    return E;
  if (Error E = checkArguments(Launch, Kernel))
    return E;
  return checkAlignment(Launch, Kernel);
}

} // namespace gpuprune
