//===- ThroughputTest.cpp - Rates of instructions --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Device/DeviceInfo.h"
#include "llvm/ADT/Sequence.h"
#include "gtest/gtest.h"
#include <set>

using namespace llvm;
using namespace gpuprune;

TEST(Throughput, KindsHaveNamesOfTheirOwn) {
  std::set<StringRef> Names;
  for (unsigned Kind : seq(0u, NumThroughputs)) {
    EXPECT_TRUE(Names.insert(throughputName(Throughput(Kind))).second);
    EXPECT_FALSE(throughputDescription(Throughput(Kind)).empty());
  }
  EXPECT_EQ(throughputName(Throughput::Fp16), "fp16");
  EXPECT_EQ(throughputName(Throughput::Convert64), "convert-64");
}

/// Units come in powers of two, and no scheduler issues more than one instruction a
/// cycle; a packed one of half precision makes two results.
TEST(Throughput, IsWhatTheSchedulersCanIssue) {
  for (const DeviceInfo &Device : allDevices())
    for (unsigned Number : seq(0u, NumThroughputs)) {
      Throughput Kind = Throughput(Number);
      SCOPED_TRACE((Twine(Device.Arch) + " " + throughputName(Kind)).str());
      unsigned Rate = Device.Throughput[Kind];
      EXPECT_EQ(Rate & (Rate - 1), 0u) << Rate;
      bool Packed = Kind == Throughput::Fp16 || Kind == Throughput::Bf16;
      EXPECT_LE(Rate, Device.SchedulersPerSM * Device.WarpSize * (Packed ? 2 : 1));
    }
}

TEST(Throughput, WhatEveryKernelUsesIsKnown) {
  for (const DeviceInfo &Device : allDevices()) {
    SCOPED_TRACE(Device.Arch);
    for (Throughput Kind : {Throughput::Fp32, Throughput::Special, Throughput::Exp2, Throughput::IntAdd,
                            Throughput::Shift, Throughput::Compare, Throughput::Logic, Throughput::Convert})
      EXPECT_GT(Device.Throughput[Kind], 0u) << throughputName(Kind).str();
    EXPECT_LE(Device.Throughput.IntMul, Device.Throughput.IntAdd);
    EXPECT_LE(Device.Throughput.Fp64, Device.Throughput.Fp32);
    EXPECT_LE(Device.Throughput.Special, Device.Throughput.Fp32 / 4);
    if (Device.PapersOnly)
      continue;
    for (Throughput Kind : {Throughput::Fp64, Throughput::IntMul, Throughput::CountBits, Throughput::Shuffle,
                            Throughput::ConvertToInt})
      EXPECT_GT(Device.Throughput[Kind], 0u) << throughputName(Kind).str();
  }
}

// "Throughput of Native Arithmetic Instructions".
TEST(Throughput, FiguresOfTheGuide) {
  struct Row {
    const char *Arch;
    unsigned Fp32, Fp64, IntAdd, Shuffle, ConvertToInt;
  };
  static const Row Rows[] = {
      {"sm_10", 8, 0, 8, 0, 8},      {"sm_20", 32, 4, 32, 0, 16},    {"sm_75", 64, 2, 64, 16, 16},
      {"sm_80", 64, 32, 64, 32, 16}, {"sm_86", 128, 2, 64, 32, 16},  {"sm_87", 128, 2, 64, 32, 16},
      {"sm_89", 128, 2, 64, 32, 16}, {"sm_90", 128, 64, 64, 32, 16}, {"sm_100", 128, 64, 64, 32, 16},
      {"sm_103", 128, 2, 64, 32, 2}, {"sm_120", 128, 2, 128, 32, 2}, {"sm_121", 128, 2, 128, 32, 2}};
  EXPECT_EQ(std::size(Rows), allDevices().size());
  for (const Row &R : Rows) {
    SCOPED_TRACE(R.Arch);
    const Throughputs &Rates = (*cantFail(findDevice(R.Arch))).Throughput;
    EXPECT_EQ(Rates.Fp32, R.Fp32);
    EXPECT_EQ(Rates.Fp64, R.Fp64);
    EXPECT_EQ(Rates.IntAdd, R.IntAdd);
    EXPECT_EQ(Rates.Shuffle, R.Shuffle);
    EXPECT_EQ(Rates.ConvertToInt, R.ConvertToInt);
  }
}

/// SMs x results a cycle x 2 operations x clock is the peak that a product's data
/// sheet or white paper tells, within the rounding of both.
TEST(Throughput, MakesThePeaksOfTheDataSheets) {
  struct Row {
    const char *Name;
    Throughput Kind;
    double GHz, Tflops;
  };
  static const Row Rows[] = {
      {"G80", Throughput::Fp32, 1.35, 0.3456},     {"GTX 480", Throughput::Fp32, 1.401, 1.345},
      {"GTX 480", Throughput::Fp64, 1.401, 0.168}, {"T4", Throughput::Fp32, 1.59, 8.1},
      {"A100", Throughput::Fp32, 1.41, 19.5},      {"A100", Throughput::Fp64, 1.41, 9.7},
      {"A100", Throughput::Fp16, 1.41, 78.0},      {"A100", Throughput::Bf16, 1.41, 39.0},
      {"RTX 3090", Throughput::Fp32, 1.695, 35.6}, {"RTX 3090", Throughput::Fp16, 1.695, 35.6},
      {"RTX 4090", Throughput::Fp32, 2.52, 82.6},  {"RTX 4090", Throughput::Fp16, 2.52, 82.6},
      {"H200", Throughput::Fp32, 1.98, 67.0},      {"H200", Throughput::Fp64, 1.98, 33.5},
      {"RTX 5090", Throughput::Fp32, 2.407, 104.8}};
  for (const Row &R : Rows) {
    const DeviceInfo &Device = *cantFail(findDevice(R.Name));
    double Peak = 2e-3 * Device.SMCount * Device.Throughput[R.Kind] * R.GHz;
    EXPECT_NEAR(Peak / R.Tflops, 1, 0.01) << R.Name << " " << throughputName(R.Kind).str();
  }
}
