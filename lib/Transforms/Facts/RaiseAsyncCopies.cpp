//===- RaiseAsyncCopies.cpp - Asynchronous copies out of inline assembly ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RaiseAsyncCopies.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuprune {

/// The one statement of \p Call, with single blanks and no semicolon.
static std::string statementOf(const CallInst &Call) {
  StringRef Text = cast<InlineAsm>(Call.getCalledOperand())->getAsmString();
  SmallVector<StringRef, 8> Words;
  Text.split(Words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef &Word : Words)
    Word = Word.trim();
  std::string Statement = join(make_filter_range(Words, [](StringRef Word) { return !Word.empty(); }), " ");
  return StringRef(Statement).rtrim("; ").str();
}

/// What \p Text, a number or "$2", stands for.
static Value *operandOf(const CallInst &Call, StringRef Text) {
  unsigned Number = 0;
  if (Text.consume_front("$"))
    return Text.getAsInteger(10, Number) || Number >= Call.arg_size() ? nullptr : Call.getArgOperand(Number);
  if (Text.getAsInteger(10, Number))
    return nullptr;
  return ConstantInt::get(Type::getInt32Ty(Call.getContext()), Number);
}

static std::optional<uint64_t> numberOf(const CallInst &Call, StringRef Text) {
  const auto *Number = dyn_cast_or_null<ConstantInt>(operandOf(Call, Text));
  return Number ? std::optional(Number->getZExtValue()) : std::nullopt;
}

/// The pointer to shared memory of which \p Address are the lower 32 bits.
static Value *sharedPointer(Value *Address) {
  Value *Pointer = nullptr;
  if (!match(Address, m_Trunc(m_PtrToInt(m_Value(Pointer)))) && !match(Address, m_PtrToInt(m_Value(Pointer))))
    return nullptr;
  bool IsShared = Pointer->getType()->getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
  return IsShared ? Pointer : nullptr;
}

namespace {

/// A copy of so many bytes: all of them read, or fewer.
struct CopyOf {
  StringRef Cache;
  uint64_t Bytes;
  Intrinsic::ID Whole, Part;
};

} // namespace

static const CopyOf *copyOf(StringRef Cache, uint64_t Bytes) {
  static constexpr CopyOf Copies[] = {
      {"ca", 4, Intrinsic::nvvm_cp_async_ca_shared_global_4, Intrinsic::nvvm_cp_async_ca_shared_global_4_s},
      {"ca", 8, Intrinsic::nvvm_cp_async_ca_shared_global_8, Intrinsic::nvvm_cp_async_ca_shared_global_8_s},
      {"ca", 16, Intrinsic::nvvm_cp_async_ca_shared_global_16,
       Intrinsic::nvvm_cp_async_ca_shared_global_16_s},
      {"cg", 16, Intrinsic::nvvm_cp_async_cg_shared_global_16,
       Intrinsic::nvvm_cp_async_cg_shared_global_16_s},
  };
  const auto *Found = find_if(Copies, [&](const CopyOf &C) { return C.Cache == Cache && C.Bytes == Bytes; });
  return Found == std::end(Copies) ? nullptr : Found;
}

static bool raiseCopy(CallInst &Call, StringRef Statement) {
  static const Regex Pattern("^cp\\.async\\.(ca|cg)\\.shared\\.global \\[\\$0\\], \\[\\$1\\], "
                             "(\\$?[0-9]+)(, (\\$?[0-9]+))?$");
  SmallVector<StringRef, 5> Parts;
  if (!Pattern.match(Statement, &Parts) || Call.arg_size() < 2 ||
      !Call.getArgOperand(1)->getType()->isPointerTy())
    return false;
  std::optional<uint64_t> Bytes = numberOf(Call, Parts[2]);
  Value *Shared = sharedPointer(Call.getArgOperand(0));
  Value *Read = Parts[4].empty() ? nullptr : operandOf(Call, Parts[4]);
  if (!Bytes || !Shared || (!Parts[4].empty() && !Read))
    return false;
  if (const auto *Known = dyn_cast_or_null<ConstantInt>(Read); Known && Known->getZExtValue() == *Bytes)
    Read = nullptr;
  const CopyOf *Copy = copyOf(Parts[1], *Bytes);
  if (!Copy)
    return false;
  IRBuilder<> B(&Call);
  Value *Global =
      B.CreateAddrSpaceCast(Call.getArgOperand(1), B.getPtrTy(NVPTXAS::ADDRESS_SPACE_GLOBAL), "global");
  if (Read)
    B.CreateIntrinsic(Copy->Part, {}, {Shared, Global, B.CreateZExtOrTrunc(Read, B.getInt32Ty())});
  else
    B.CreateIntrinsic(Copy->Whole, {}, {Shared, Global});
  return true;
}

static bool raiseOrder(CallInst &Call, StringRef Statement) {
  IRBuilder<> B(&Call);
  if (Statement == "cp.async.commit_group")
    return B.CreateIntrinsic(Intrinsic::nvvm_cp_async_commit_group, ArrayRef<Value *>());
  if (Statement == "cp.async.wait_all")
    return B.CreateIntrinsic(Intrinsic::nvvm_cp_async_wait_all, ArrayRef<Value *>());
  if (!Statement.consume_front("cp.async.wait_group "))
    return false;
  std::optional<uint64_t> Groups = numberOf(Call, Statement);
  return Groups && isUInt<31>(*Groups) &&
         B.CreateIntrinsic(Intrinsic::nvvm_cp_async_wait_group, {}, {B.getInt32(unsigned(*Groups))});
}

PreservedAnalyses RaiseAsyncCopiesPass::run(Function &F, FunctionAnalysisManager &) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || !Call->isInlineAsm() || !Call->getType()->isVoidTy())
      continue;
    std::string Statement = statementOf(*Call);
    if (!raiseCopy(*Call, Statement) && !raiseOrder(*Call, Statement))
      continue;
    Call->eraseFromParent();
    Changed = true;
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

} // namespace gpuprune
