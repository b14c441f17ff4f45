//===- InstructionThroughput.cpp - What rates a class has -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/InstructionThroughput.h"

using namespace llvm;

namespace gpuprune {

ArrayRef<Throughput> throughputsOf(InstructionClass Class) {
  static constexpr Throughput Half[] = {Throughput::Fp16, Throughput::Bf16};
  static constexpr Throughput Single[] = {Throughput::Fp32};
  static constexpr Throughput Double[] = {Throughput::Fp64};
  static constexpr Throughput Integer[] = {Throughput::IntAdd, Throughput::Logic, Throughput::Shift,
                                           Throughput::Compare, Throughput::CountBits};
  static constexpr Throughput Multiply[] = {Throughput::IntMul};
  static constexpr Throughput Special[] = {Throughput::Special, Throughput::Exp2};
  static constexpr Throughput Compare[] = {Throughput::Compare};
  static constexpr Throughput Convert[] = {Throughput::Convert, Throughput::ConvertNarrow,
                                           Throughput::ConvertToInt, Throughput::Convert64};
  static constexpr Throughput Warp[] = {Throughput::Shuffle, Throughput::Vote, Throughput::Reduce};
  switch (Class) {
  case InstructionClass::Fp16:
    return Half;
  case InstructionClass::Fp32:
    return Single;
  case InstructionClass::Fp64:
    return Double;
  case InstructionClass::Int:
    return Integer;
  case InstructionClass::IntMul:
    return Multiply;
  case InstructionClass::Special:
    return Special;
  case InstructionClass::Compare:
    return Compare;
  case InstructionClass::Convert:
    return Convert;
  case InstructionClass::Warp:
    return Warp;
  default:
    return {};
  }
}

std::optional<double> cyclesPerWarp(const DeviceInfo &Device, const KernelCounts &Counts,
                                    InstructionClass Class) {
  ArrayRef<Throughput> Kinds = throughputsOf(Class);
  unsigned Rate = Kinds.empty() ? 0 : Device.Throughput[Kinds.front()];
  if (Rate == 0)
    return std::nullopt;
  return Counts[Class] * Device.WarpSize / Rate;
}

} // namespace gpuprune
