//===- FillNumbers.cpp - Numbers of fills -----------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FillNumbers.h"
#include "gpuprune/Support/Error.h"

using namespace llvm;

namespace gpuprune {

Arithmetic arithmeticOf(const FillPart &Part, ElementType Type) {
  return Part.Real && isFloatingPoint(Type) ? Arithmetic::Reals : Arithmetic::Integers;
}

static Error doesNotFit(const Twine &Value, ElementType Type) {
  return makeError(ErrorKind::Input, Value + " does not fit in " + elementTypeName(Type));
}

Error setReal(const FillPart &Part, double Value, ElementType Type, FillSpec &Fill) {
  if (Part.IsElement && !holdsReal(Type, Value))
    return doesNotFit(realText(Value), Type);
  if (Part.Least && Value < double(*Part.Least))
    return makeError(ErrorKind::Input, realText(Value) + "; expected at least " + Twine(*Part.Least));
  Fill.*Part.Real = Value;
  return Error::success();
}

static bool isExact(int64_t Value) {
  double Rounded = double(Value);
  return Rounded < 0x1p63 && int64_t(Rounded) == Value;
}

static Error setInteger(const FillPart &Part, int64_t Value, ElementType Type, FillSpec &Fill) {
  if (Part.IsElement && !holdsInteger(Type, Value))
    return doesNotFit(Twine(Value), Type);
  // Numbers of the runner's JSON are doubles.
  if (Part.IsElement && !isExact(Value))
    return makeError(ErrorKind::Input, Twine(Value) + "; expected an integer that double precision holds, as "
                                                      "all of at most 2^53 in magnitude are");
  if (!Part.IsElement && (Value > LargestExactInteger || Value < -LargestExactInteger))
    return makeError(ErrorKind::Input, Twine(Value) + "; expected an integer of at most 2^53 in magnitude");
  if (Part.Least && Value < *Part.Least)
    return makeError(ErrorKind::Input, Twine(Value) + "; expected at least " + Twine(*Part.Least));
  if (Part.Real)
    Fill.*Part.Real = double(Value);
  if (Part.Integer)
    Fill.*Part.Integer = Value;
  return Error::success();
}

Error setNumber(const FillPart &Part, const Environment &Values, ElementType Type, FillSpec &Fill) {
  const Expression &E = Part.Value.Value;
  if (arithmeticOf(Part, Type) == Arithmetic::Reals) {
    Expected<double> Value = E.evaluateReal(Values);
    return Value ? setReal(Part, *Value, Type, Fill) : Value.takeError();
  }
  Expected<int64_t> Value = E.evaluate(Values);
  return Value ? setInteger(Part, *Value, Type, Fill) : Value.takeError();
}

Expected<uint64_t> elementOf(const Expression &Value, const Environment &Values, ElementType Type) {
  if (isFloatingPoint(Type)) {
    Expected<double> Number = Value.evaluateReal(Values);
    if (!Number)
      return Number.takeError();
    if (!holdsReal(Type, *Number))
      return doesNotFit(realText(*Number), Type);
    return encodeReal(Type, *Number);
  }
  Expected<int64_t> Number = Value.evaluate(Values);
  if (!Number)
    return Number.takeError();
  if (!holdsInteger(Type, *Number))
    return doesNotFit(Twine(*Number), Type);
  return encodeInteger(Type, *Number);
}

} // namespace gpuprune
