//===- NeededParts.cpp - What addresses and branches depend on --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NeededParts.h"
#include "AccessForm.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// What an address may be derived from: buffers and variables by their numbers and names.
struct Origins {
  bool IsUnknown = false;
  SmallSetVector<uint64_t, 4> Buffers;
  SmallSetVector<StringRef, 4> Variables;

  bool mayMeet(const Origins &Other) const {
    return IsUnknown || Other.IsUnknown ||
           any_of(Buffers, [&](uint64_t B) { return Other.Buffers.contains(B); }) ||
           any_of(Variables, [&](StringRef V) { return Other.Variables.contains(V); });
  }
};

class PartFinder {
public:
  PartFinder(const PtxKernel &Kernel, function_ref<std::optional<uint64_t>(StringRef)> BufferOf)
      : Kernel(Kernel), BufferOf(BufferOf) {}
  Expected<NeededParts> find();

private:
  const PtxKernel &Kernel;
  function_ref<std::optional<uint64_t>(StringRef)> BufferOf;
  NeededParts Parts;
  DenseMap<const PtxAddress *, std::unique_ptr<Origins>> Found; ///< By the address that they are of.
  SmallVector<uint32_t, 64> Open; ///< Instructions whose operands are still to be looked at.

  Error readAccesses();
  void need(uint32_t Register);
  void need(const PtxOperand &Operand) {
    if (Operand.Is == PtxOperand::Form::Register)
      need(Operand.Register);
  }
  void needInputs(uint32_t Place);
  void needStored(uint32_t Load);
  const Origins &originsOf(const PtxAddress &Address);
  Origins findOrigins(const PtxAddress &Address) const;
  bool mayBeSeenBy(uint32_t Store, const TraceAccess &Stored, uint32_t Load, const TraceAccess &Loaded);
};

} // namespace

void PartFinder::need(uint32_t Register) {
  for (uint32_t Writer : Parts.Writers[Register])
    if (!Parts.Computes.test(Writer)) {
      Parts.Computes.set(Writer);
      Open.push_back(Writer);
    }
}

Error PartFinder::readAccesses() {
  Parts.Writers.resize(Kernel.Registers);
  Parts.Accesses.resize(Kernel.Instructions.size());
  Parts.Computes.resize(Kernel.Instructions.size());
  Parts.Moves.resize(Kernel.Instructions.size());
  for (auto [Place, I] : enumerate(Kernel.Instructions)) {
    for (uint32_t Result : I.Results)
      if (Result != TracedInstruction::Unused)
        Parts.Writers[Result].push_back(uint32_t(Place));
    Expected<SmallVector<TraceAccess, 2>> Forms = accessForms(I);
    if (!Forms)
      return Forms.takeError();
    Parts.Accesses[Place] = std::move(*Forms);
  }
  return Error::success();
}

/// What is read to compute the instruction at \p Place.
void PartFinder::needInputs(uint32_t Place) {
  const TracedInstruction &I = Kernel.Instructions[Place];
  if (I.Guard)
    need(*I.Guard);
  for (const PtxAddress &A : I.Addresses)
    need(A.Base);
  if (Parts.Accesses[Place].empty()) {
    for (const PtxOperand &Operand : I.Operands)
      need(Operand);
    return;
  }
  if (Parts.Moves.test(Place))
    return;
  Parts.Moves.set(Place);
  for (const PtxOperand &Operand : I.Operands)
    need(Operand);
  for (const TraceAccess &A : Parts.Accesses[Place])
    if (A.Kind != AccessKind::Store)
      needStored(Place);
}

/// Everything that may write what the load at \p Load reads.
void PartFinder::needStored(uint32_t Load) {
  for (const TraceAccess &Loaded : Parts.Accesses[Load]) {
    if (Loaded.Kind == AccessKind::Store || Loaded.Space == PtxSpace::Constant ||
        Loaded.Space == PtxSpace::Parameter || Kernel.Instructions[Load].Mnemonic.contains(".nc"))
      continue;
    for (auto [Place, Forms] : enumerate(Parts.Accesses))
      for (const TraceAccess &Stored : Forms)
        if (Stored.Kind != AccessKind::Load && !Parts.Moves.test(Place) &&
            mayBeSeenBy(uint32_t(Place), Stored, Load, Loaded)) {
          Parts.Computes.set(Place);
          Open.push_back(uint32_t(Place));
        }
  }
}

bool PartFinder::mayBeSeenBy(uint32_t Store, const TraceAccess &Stored, uint32_t Load,
                             const TraceAccess &Loaded) {
  if (Stored.Space != Loaded.Space && Stored.Space != PtxSpace::Generic && Loaded.Space != PtxSpace::Generic)
    return false;
  if (Stored.Space != PtxSpace::Global || Loaded.Space != PtxSpace::Global)
    return true;
  return originsOf(Kernel.Instructions[Store].Addresses.front())
      .mayMeet(originsOf(Kernel.Instructions[Load].Addresses.back()));
}

const Origins &PartFinder::originsOf(const PtxAddress &Address) {
  auto [At, IsNew] = Found.try_emplace(&Address);
  if (IsNew)
    At->second = std::make_unique<Origins>(findOrigins(Address));
  return *At->second;
}

Origins PartFinder::findOrigins(const PtxAddress &Address) const {
  Origins Of;
  SmallSetVector<uint32_t, 16> Registers;
  auto Look = [&](const PtxOperand &Operand) {
    if (Operand.Is == PtxOperand::Form::Register)
      Registers.insert(Operand.Register);
    else if (Operand.Is == PtxOperand::Form::Symbol && !Operand.Name.starts_with("%"))
      Of.Variables.insert(Operand.Name);
  };
  Look(Address.Base);
  for (size_t Next = 0; Next != Registers.size(); ++Next)
    for (uint32_t Writer : Parts.Writers[Registers[Next]]) {
      const TracedInstruction &I = Kernel.Instructions[Writer];
      if (Parts.Accesses[Writer].empty()) {
        for (const PtxOperand &Operand : I.Operands)
          Look(Operand);
      } else if (Parts.Accesses[Writer].front().Space != PtxSpace::Parameter)
        Of.IsUnknown |= Parts.Accesses[Writer].front().ElementBytes == sizeof(uint64_t);
      else if (std::optional<uint64_t> Buffer = BufferOf(I.Addresses.front().Base.Name))
        Of.Buffers.insert(*Buffer);
    }
  return Of;
}

Expected<NeededParts> PartFinder::find() {
  if (Error E = readAccesses())
    return std::move(E);
  for (auto [Place, I] : enumerate(Kernel.Instructions)) {
    StringRef Stem = I.stem();
    if ((Stem == "bra" || Stem == "ret" || Stem == "exit") && I.Guard)
      need(*I.Guard);
    bool IsRecorded = any_of(Parts.Accesses[Place], [](const TraceAccess &A) {
      return A.Space != PtxSpace::Local && A.Space != PtxSpace::Parameter;
    });
    if (!IsRecorded)
      continue;
    if (I.Guard)
      need(*I.Guard);
    for (const PtxAddress &A : I.Addresses)
      need(A.Base);
  }
  while (!Open.empty())
    needInputs(Open.pop_back_val());
  return std::move(Parts);
}

Expected<NeededParts> neededParts(const PtxKernel &Kernel,
                                  function_ref<std::optional<uint64_t>(StringRef)> BufferOf) {
  return PartFinder(Kernel, BufferOf).find();
}

} // namespace gpuprune
