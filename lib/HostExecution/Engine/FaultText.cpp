//===- FaultText.cpp - Faults in words -----------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaunchRunner.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

StringRef faultKindName(FaultKind Kind) {
  switch (Kind) {
  case FaultKind::Memory:
    return "memory";
  case FaultKind::Guard:
    return "guard";
  case FaultKind::Unwritten:
    return "unwritten";
  case FaultKind::Misaligned:
    return "misaligned";
  case FaultKind::StackOverflow:
    return "stack overflow";
  case FaultKind::Barrier:
    return "barrier";
  case FaultKind::WarpMask:
    return "warp mask";
  case FaultKind::Assertion:
    return "assertion";
  case FaultKind::Trap:
    return "trap";
  case FaultKind::Division:
    return "division";
  case FaultKind::TimeLimit:
    return "time limit";
  case FaultKind::StepLimit:
    return "step limit";
  }
  return "";
}

/// "address 0x7f..., 4 bytes beyond the end of 'A' (1024 bytes)".
static std::string placeInWords(uint64_t Address, const std::optional<BufferPlace> &Place) {
  if (!Place)
    return formatv("access to address {0:x}, which belongs to no buffer", Address);
  int64_t End = Place->BufferBytes, Offset = Place->Offset;
  std::string Where = Offset < 0      ? formatv("{0} bytes before the start", -Offset).str()
                      : Offset >= End ? formatv("{0} bytes from the end", Offset - End).str()
                                      : formatv("at byte {0}", Offset).str();
  return formatv("access out of bounds: {0} of '{1}' ({2} bytes)", Where, Place->Buffer, End);
}

HostFault describeFault(const RawFault &Raw, const LaunchPlan &Plan, const LoadedKernel &Loaded,
                        const GuardedMemory *Memory, uint64_t Block) {
  HostFault Fault;
  Fault.Kind = Raw.Kind;
  Fault.Kernel = Plan.Kernel;
  Fault.Block = Plan.blockIndex(Block);
  Fault.Thread = Plan.threadIndex(Raw.Thread);
  std::string What = Raw.Text;
  if (Raw.Address) {
    Fault.Address = *Raw.Address;
    Fault.Place = Raw.Place;
    if (!Fault.Place && Memory)
      Fault.Place = Memory->find(Fault.Address);
    if (!Fault.Place)
      Fault.Place = Loaded.Variables.find(Fault.Address);
    if (What.empty())
      What = placeInWords(Fault.Address, Fault.Place);
  }
  SourceLine Line = Loaded.Map.line(Raw.CodeAddress);
  Fault.File = Line.File;
  Fault.Line = Line.Line;
  std::string At = Line.Line ? formatv(" at {0}:{1}", Line.File, Line.Line).str() : "";
  Fault.Message = formatv("kernel '{0}'{1}, block {2}, thread {3}: {4}", Plan.Kernel, At,
                          inWords(Fault.Block), inWords(Fault.Thread), What);
  return Fault;
}

} // namespace gpuprune
