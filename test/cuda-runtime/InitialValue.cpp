//===- InitialValue.cpp - Initial values of device variables as bytes ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InitialValue.h"
#include "gpuprune/Support/Error.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace gpuprune {

static void writeBits(const APInt &Bits, char *Out) {
  std::memcpy(Out, Bits.getRawData(), divideCeil(Bits.getBitWidth(), 8));
}

static Error writeAddress(const Constant &Initial, const DataLayout &Layout, AddressOfVariable Address,
                          char *Out) {
  APInt Offset(Layout.getIndexTypeSizeInBits(Initial.getType()), 0);
  const Value *Base = Initial.stripAndAccumulateConstantOffsets(Layout, Offset, /*AllowNonInbounds=*/true);
  const auto *Variable = dyn_cast<GlobalVariable>(Base);
  const char *Place = Variable ? Address(*Variable) : nullptr;
  if (!Place)
    return makeError(ErrorKind::Refused, formatv("it holds the address of '{0}'", Base->getName()));
  Place += Offset.getSExtValue();
  std::memcpy(Out, static_cast<const void *>(&Place), sizeof(Place));
  return Error::success();
}

/// Where the elements of \p Value are in its bytes.
static uint64_t elementOffset(const Constant &Initial, unsigned Index, const DataLayout &Layout) {
  if (auto *Struct = dyn_cast<StructType>(Initial.getType()))
    return Layout.getStructLayout(Struct)->getElementOffset(Index);
  return Index * Layout.getTypeAllocSize(Initial.getOperand(Index)->getType());
}

Error writeInitialValue(const Constant &Initial, const DataLayout &Layout, AddressOfVariable Address,
                        char *Out) {
  if (Initial.isNullValue() || isa<UndefValue>(Initial))
    return Error::success();
  if (const auto *Int = dyn_cast<ConstantInt>(&Initial))
    writeBits(Int->getValue(), Out);
  else if (const auto *Real = dyn_cast<ConstantFP>(&Initial))
    writeBits(Real->getValueAPF().bitcastToAPInt(), Out);
  else if (const auto *Data = dyn_cast<ConstantDataSequential>(&Initial))
    std::memcpy(Out, Data->getRawDataValues().data(), Data->getRawDataValues().size());
  else if (Initial.getType()->isPointerTy())
    return writeAddress(Initial, Layout, Address, Out);
  else if (!isa<ConstantAggregate>(Initial))
    return makeError(ErrorKind::Refused, "its initial value is an expression");
  else
    for (unsigned I = 0; I < Initial.getNumOperands(); ++I)
      if (Error E = writeInitialValue(*cast<Constant>(Initial.getOperand(I)), Layout, Address,
                                      Out + elementOffset(Initial, I, Layout)))
        return E;
  return Error::success();
}

} // namespace gpuprune
