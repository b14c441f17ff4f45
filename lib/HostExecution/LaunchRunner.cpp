//===- LaunchRunner.cpp - Blocks of a launch over the cores --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaunchRunner.h"
#include "Worker.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>

using namespace llvm;

namespace gpuprune {

/// CUDA's own limits (programming guide, technical specifications): they hold for
/// every GPU that the device table has.
static constexpr int64_t MaxGrid[3] = {0x7fffffff, 65535, 65535};
static constexpr int64_t MaxBlock[3] = {1024, 1024, 64};
static constexpr int64_t MaxThreads = 1024;

static Error launchError(const HostLaunch &Launch, const Twine &Problem) {
  return makeError(ErrorKind::Input, "kernel '" + Launch.Kernel + "': " + Problem);
}

static std::string text(const Dim3 &D) { return formatv("({0}, {1}, {2})", D.X, D.Y, D.Z); }

static Error checkGeometry(const HostLaunch &Launch) {
  for (unsigned D = 0; D < 3; ++D)
    if (Launch.Grid[D] < 1 || Launch.Grid[D] > MaxGrid[D])
      return launchError(Launch, "a grid of " + text(Launch.Grid) +
                                     " cannot be launched; every extent is at least 1 " + "and at most " +
                                     text({MaxGrid[0], MaxGrid[1], MaxGrid[2]}));
  for (unsigned D = 0; D < 3; ++D)
    if (Launch.Block[D] < 1 || Launch.Block[D] > MaxBlock[D] || Launch.Block.volume() > MaxThreads)
      return launchError(Launch, "a block of " + text(Launch.Block) +
                                     " cannot be launched; expected at most " +
                                     text({MaxBlock[0], MaxBlock[1], MaxBlock[2]}) + " and " +
                                     Twine(MaxThreads) + " threads in all");
  for (uint64_t Block : Launch.BlockSubset)
    if (double(Block) >= Launch.Grid.volume())
      return launchError(Launch, "block " + Twine(Block) + " is not in a grid of " + text(Launch.Grid));
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
  return Error::success();
}

static LaunchPlan planFor(const HostLaunch &Launch, const LoadedKernel &Loaded) {
  LaunchPlan Plan;
  Plan.Kernel = Loaded.Kernel.Symbol;
  Plan.Entry = Loaded.Entry;
  for (unsigned D = 0; D < 3; ++D) {
    Plan.Grid[D] = Launch.Grid[D];
    Plan.Block[D] = Launch.Block[D];
  }
  Plan.DynamicSharedBytes = Launch.DynamicShared;
  Plan.SharedBytes = Loaded.Kernel.StaticShared + Launch.DynamicShared;
  Plan.StackBytes = Loaded.StackBytes;
  Plan.ThreadsMeet = Loaded.Kernel.ThreadsMeet;
  Plan.ScheduleSeed = Launch.ScheduleSeed;
  return Plan;
}

static HostFault describe(const RawFault &Raw, const LaunchPlan &Plan, uint64_t Block) {
  HostFault Fault;
  Fault.Kind = Raw.Kind;
  Fault.Kernel = Plan.Kernel;
  Fault.Block = Plan.blockIndex(Block);
  Fault.Thread = Plan.threadIndex(Raw.Thread);
  Fault.Address = Raw.Address;
  Fault.Message = formatv("kernel '{0}', block {1}, thread {2}: {3}", Plan.Kernel, text(Fault.Block),
                          text(Fault.Thread), Raw.Text);
  return Fault;
}

Expected<LaunchReport> runLaunch(const HostLaunch &Launch, const LoadedKernel &Loaded) {
  if (Error E = checkGeometry(Launch))
    return std::move(E);
  if (Error E = checkArguments(Launch, Loaded.Kernel))
    return std::move(E);
  LaunchPlan Plan = planFor(Launch, Loaded);
  std::vector<const void *> Arguments;
  for (const std::vector<char> &Bytes : Launch.Arguments)
    Arguments.push_back(Bytes.data());
  Plan.Arguments = Arguments.data();

  Worker W;
  if (Error E = W.prepare(Plan, 0))
    return makeError(ErrorKind::Resources, toString(std::move(E)));
  LaunchReport Report;
  uint64_t Blocks = Launch.BlockSubset.empty() ? Plan.blocks() : Launch.BlockSubset.size();
  for (uint64_t I = 0; I < Blocks; ++I) {
    uint64_t Block = Launch.BlockSubset.empty() ? I : Launch.BlockSubset[I];
    if (std::optional<RawFault> Fault = W.runBlock(Block)) {
      Report.Fault = describe(*Fault, Plan, Block);
      break;
    }
    ++Report.Blocks;
    Report.Threads += Plan.threads();
  }
  Report.Switches = W.Fibers.switches();
  return Report;
}

} // namespace gpuprune
