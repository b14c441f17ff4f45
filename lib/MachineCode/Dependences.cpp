//===- Dependences.cpp - Whether results are waited for ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/Dependences.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// A result that is not there yet.
struct PendingResult {
  size_t Producer;
  RegisterRange Register;
  uint8_t Barrier;
  /// The predicate that it was produced under, while it has its value.
  GuardPredicate Guard;
  std::optional<size_t> InOrderWith;
};

class WaitChecker {
public:
  explicit WaitChecker(const KernelCode &Code) : Code(Code) {}
  std::vector<MissingWait> run();

private:
  const KernelCode &Code;
  std::vector<PendingResult> Pending;
  std::vector<MissingWait> Missing;

  const DecodedInstruction &at(size_t Index) const { return Code.Instructions[Index]; }
  void arrive(unsigned Barrier, size_t AllowedLeft);
  void wait(const DecodedInstruction &I);
  void use(size_t User, const RegisterRange &Register, bool IsOverwrite);
  void produce(size_t Index);
  void forgetGuards(const RegisterRange &Written);
};

} // namespace

/// Units that give back their results in the order in which they were asked for.
static bool finishInOrder(const OpcodeInfo &A, const OpcodeInfo &B) {
  if (A.Pipe == Pipe::Lsu)
    return A.Class == InstructionClass::LoadShared && B.Class == A.Class;
  return A.Pipe == B.Pipe && (A.Pipe == Pipe::Xu || A.Pipe == Pipe::Fp64);
}

/// No thread executes both.
static bool exclude(const GuardPredicate &A, const GuardPredicate &B) {
  return A.Number == B.Number && A.IsUniform == B.IsUniform && A.IsNegated != B.IsNegated;
}

/// The predicate of ATOM says whether the address was a global one; from sm_90 on it is there when the
/// sources have been read.
static uint8_t barrierOf(const DecodedInstruction &I, const RegisterRange &Result, unsigned Architecture) {
  bool IsOfAddress = I.Opcode->Class == InstructionClass::Atomic && (I.Opcode->Operands & operand::G) &&
                     Result.File == RegisterFile::Predicate;
  return IsOfAddress && Architecture >= 90 ? I.Control.ReadBarrier : I.Control.WriteBarrier;
}

/// All results that \p Barrier counts but the last \p AllowedLeft are there.
void WaitChecker::arrive(unsigned Barrier, size_t AllowedLeft) {
  std::vector<size_t> Counted;
  for (const PendingResult &P : Pending)
    if (P.Barrier == Barrier && !is_contained(Counted, P.Producer))
      Counted.push_back(P.Producer);
  Counted.resize(Counted.size() - std::min(Counted.size(), AllowedLeft));
  if (Counted.empty())
    return;
  erase_if(Pending,
           [&](const PendingResult &P) { return P.Barrier == Barrier && is_contained(Counted, P.Producer); });
  for (PendingResult &P : Pending)
    for (size_t Producer : Counted)
      if (P.Barrier == ControlBits::NoBarrier && P.Producer < Producer &&
          finishInOrder(*at(P.Producer).Opcode, *at(Producer).Opcode))
        P.InOrderWith = Producer;
}

void WaitChecker::wait(const DecodedInstruction &I) {
  for (unsigned Barrier = 0; Barrier != ControlBits::NumBarriers; ++Barrier)
    if (I.Control.waitsOn(Barrier))
      arrive(Barrier, 0);
  if (I.CountedWait)
    arrive(I.CountedWait->Barrier, I.CountedWait->Count);
}

void WaitChecker::use(size_t User, const RegisterRange &Register, bool IsOverwrite) {
  erase_if(Pending, [&](const PendingResult &P) {
    if (!P.Register.overlaps(Register) || exclude(P.Guard, at(User).Guard))
      return false;
    Missing.push_back({P.Producer, User, P.Register, P.Barrier, IsOverwrite, P.InOrderWith});
    return true;
  });
}

void WaitChecker::produce(size_t Index) {
  const DecodedInstruction &I = at(Index);
  if (I.Opcode->isVariable(Code.Architecture))
    for (const RegisterRange &Register : I.Writes)
      Pending.push_back({Index, Register, barrierOf(I, Register, Code.Architecture), I.Guard, std::nullopt});
}

void WaitChecker::forgetGuards(const RegisterRange &Written) {
  for (PendingResult &P : Pending) {
    RegisterFile File = P.Guard.IsUniform ? RegisterFile::UniformPredicate : RegisterFile::Predicate;
    if (Written.overlaps({File, P.Guard.Number, 1}))
      P.Guard = {};
  }
}

/// What follows does not follow this in execution, or not at once.
static bool endsPath(const DecodedInstruction &I) {
  if (I.isNamed("CALL"))
    return true;
  return I.Guard.isAlways() &&
         (I.isNamed("BRA") || I.isNamed("BRX") || I.isNamed("EXIT") || I.isNamed("RET"));
}

std::vector<MissingWait> WaitChecker::run() {
  for (size_t Index = 0; Index != Code.Instructions.size(); ++Index) {
    const DecodedInstruction &I = at(Index);
    wait(I);
    if (!I.Guard.isNever()) {
      for (const RegisterRange &Register : I.Reads)
        use(Index, Register, /*IsOverwrite=*/false);
      for (const RegisterRange &Register : I.Writes) {
        use(Index, Register, /*IsOverwrite=*/true);
        forgetGuards(Register);
      }
      produce(Index);
    }
    if (endsPath(I))
      Pending.clear();
  }
  return std::move(Missing);
}

std::vector<MissingWait> findMissingWaits(const KernelCode &Code) { return WaitChecker(Code).run(); }

} // namespace gpuprune
