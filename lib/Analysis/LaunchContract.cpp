//===- LaunchContract.cpp - Launch geometry that a pass changed -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/LaunchContract.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace llvm;
using namespace gpuprune;

static constexpr StringLiteral GridDivisorAttribute = "gpuprune-grid-divisor";
static constexpr char DimensionNames[] = {'x', 'y', 'z'};

static std::string printDim3(const Dim3 &Value) {
  return itostr(Value[0]) + "," + itostr(Value[1]) + "," + itostr(Value[2]);
}

static Expected<Dim3> parseDim3(StringRef Text, const Function &Kernel, StringRef Attribute) {
  SmallVector<StringRef, 3> Parts;
  Text.split(Parts, ',');
  Dim3 Value{};
  bool Valid = Parts.size() == Value.size();
  for (unsigned D = 0; Valid && D != Value.size(); ++D)
    Valid = !Parts[D].trim().getAsInteger(10, Value[D]) && Value[D] > 0;
  if (!Valid)
    return makeError(ErrorKind::Input,
                     "attribute \"" + Attribute + "\"=\"" + Text + "\" on kernel '" + Kernel.getName() +
                         "': expected three positive integers such as \"8,8,1\"; compile the kernel again");
  return Value;
}

Expected<LaunchContract> LaunchContract::dividedBy(const Dim3 &Factors) const {
  LaunchContract Result = *this;
  for (unsigned D = 0; D != Factors.size(); ++D) {
    int64_t Product = 0;
    bool Overflow = MulOverflow(GridDivisor[D], Factors[D], Product);
    if (Overflow || Product <= 0 || Product > std::numeric_limits<uint32_t>::max())
      return makeError(ErrorKind::Refused, "refused: grid divisor " + Twine(GridDivisor[D]) + " x " +
                                               Twine(Factors[D]) + " in " + Twine(DimensionNames[D]) +
                                               " is not a positive 32-bit number; use other factors");
    Result.GridDivisor[D] = Product;
  }
  return Result;
}

Expected<Dim3> LaunchContract::physicalGrid(const Dim3 &Grid) const {
  Dim3 Result{};
  for (unsigned D = 0; D != Grid.size(); ++D) {
    if (GridDivisor[D] <= 0 || Grid[D] % GridDivisor[D] != 0)
      return makeError(ErrorKind::Refused,
                       "refused: grid." + Twine(DimensionNames[D]) + " = " + Twine(Grid[D]) +
                           " is not a multiple of " + Twine(GridDivisor[D]) +
                           ", by which the kernel was coarsened; use a factor that divides " +
                           Twine(Grid[D]));
    Result[D] = Grid[D] / GridDivisor[D];
  }
  return Result;
}

Expected<LaunchContract> gpuprune::readLaunchContract(const Function &Kernel) {
  LaunchContract Contract;
  Attribute Recorded = Kernel.getFnAttribute(GridDivisorAttribute);
  if (!Recorded.isValid())
    return Contract;
  Expected<Dim3> Divisor = parseDim3(Recorded.getValueAsString(), Kernel, GridDivisorAttribute);
  if (!Divisor)
    return Divisor.takeError();
  Contract.GridDivisor = *Divisor;
  return Contract;
}

void gpuprune::writeLaunchContract(Function &Kernel, const LaunchContract &Contract) {
  Kernel.removeFnAttr(GridDivisorAttribute);
  if (!Contract.isIdentity())
    Kernel.addFnAttr(GridDivisorAttribute, printDim3(Contract.GridDivisor));
}
