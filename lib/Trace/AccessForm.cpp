//===- AccessForm.cpp - Loads, stores and atomic operations of PTX ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AccessForm.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace gpuprune {

static std::optional<PtxSpace> spaceOf(StringRef Part) {
  return StringSwitch<std::optional<PtxSpace>>(Part.split("::").first)
      .Case("global", PtxSpace::Global)
      .Case("shared", PtxSpace::Shared)
      .Case("const", PtxSpace::Constant)
      .Case("local", PtxSpace::Local)
      .Case("param", PtxSpace::Parameter)
      .Default(std::nullopt);
}

/// Of "b32", "s8", "f64", "f16x2"; 0 of what is no type.
static unsigned bitsOfType(StringRef Part) {
  unsigned Bits = 0, Times = 1;
  if (Part.size() < 2 || !StringRef("bufs").contains(Part.front()))
    return 0;
  auto [Of, Packed] = Part.split('x');
  if (!Packed.empty() && Packed.getAsInteger(10, Times))
    return 0;
  return Of.drop_until([](char C) { return C >= '0' && C <= '9'; }).getAsInteger(10, Bits) ? 0 : Bits * Times;
}

static std::optional<AtomicOperation> atomicOperation(StringRef Part) {
  return StringSwitch<std::optional<AtomicOperation>>(Part)
      .Case("add", AtomicOperation::Add)
      .Case("and", AtomicOperation::And)
      .Case("or", AtomicOperation::Or)
      .Case("xor", AtomicOperation::Xor)
      .Case("min", AtomicOperation::Min)
      .Case("max", AtomicOperation::Max)
      .Case("exch", AtomicOperation::Exchange)
      .Case("cas", AtomicOperation::CompareAndSwap)
      .Case("inc", AtomicOperation::Increment)
      .Case("dec", AtomicOperation::Decrement)
      .Default(std::nullopt);
}

static Expected<SmallVector<TraceAccess, 2>> copyForms(const TracedInstruction &I) {
  // The bytes in shared memory, and how many of them are read.
  if (I.Mnemonic.starts_with("cp.async.commit") || I.Mnemonic.starts_with("cp.async.wait"))
    return SmallVector<TraceAccess, 2>();
  bool IsPlain = I.Mnemonic.starts_with("cp.async.ca.shared") || I.Mnemonic.starts_with("cp.async.cg.shared");
  if (!IsPlain || I.Addresses.size() != 2 || I.Operands.size() != 1)
    return notTraced(I);
  TraceAccess From, To;
  From.Kind = AccessKind::Load;
  From.Space = PtxSpace::Global;
  To.Kind = AccessKind::Store;
  To.Space = PtxSpace::Shared;
  From.ElementBytes = To.ElementBytes = unsigned(I.Operands.front().Bits);
  return SmallVector<TraceAccess, 2>{From, To};
}

Expected<SmallVector<TraceAccess, 2>> accessForms(const TracedInstruction &I) {
  StringRef Stem = I.stem();
  if (Stem == "cp")
    return copyForms(I);
  bool IsAtomic = Stem == "atom" || Stem == "red";
  if (Stem != "ld" && Stem != "st" && !IsAtomic && Stem != "ldu")
    return SmallVector<TraceAccess, 2>();
  TraceAccess A;
  A.Kind = IsAtomic ? AccessKind::Atomic : Stem == "st" ? AccessKind::Store : AccessKind::Load;
  unsigned Bits = 0;
  bool IsKnown = !IsAtomic;
  for (StringRef Part : llvm::drop_begin(split(I.Mnemonic, '.'))) {
    if (std::optional<PtxSpace> Space = spaceOf(Part))
      A.Space = *Space;
    else if (std::optional<AtomicOperation> Atomic = IsAtomic ? atomicOperation(Part) : std::nullopt) {
      A.Atomic = *Atomic;
      IsKnown = true;
    } else if (unsigned Of = bitsOfType(Part)) {
      Bits = Of;
      A.IsSigned = Part.front() == 's';
      A.IsFloat = Part.front() == 'f';
    } else if (Part.consume_front("v"))
      Part.getAsInteger(10, A.Elements);
  }
  A.ElementBytes = Bits / 8;
  if (Bits < 8 || !IsKnown || I.Addresses.size() != 1 || A.Elements == 0 || A.Elements > 8 ||
      A.bytes() > MostBytesOfAccess)
    return notTraced(I);
  return SmallVector<TraceAccess, 2>{A};
}

} // namespace gpuprune
