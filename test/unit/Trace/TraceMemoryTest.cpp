//===- TraceMemoryTest.cpp - Device memory that is filled where it is read --===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Trace/TraceMemory.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace gpuprune;
using namespace llvm;

/// Byte i of a buffer is i modulo 251.
static void fillBytes(uint64_t Offset, MutableArrayRef<char> Bytes) {
  for (char &Byte : Bytes)
    Byte = char(Offset++ % 251);
}

TEST(TraceMemory, fillsOnlyTheBlocksThatAreTouched) {
  unsigned Fills = 0;
  TraceMemory Memory;
  uint64_t Begin = Memory.add(uint64_t(1) << 40, [&](uint64_t Offset, MutableArrayRef<char> Bytes) {
    ++Fills;
    fillBytes(Offset, Bytes);
  });
  EXPECT_EQ(Begin % TraceMemory::Alignment, 0u);
  char Two[2];
  // Across two pages.
  EXPECT_TRUE(Memory.read(Begin + TraceMemory::PageBytes - 1, Two));
  EXPECT_EQ(uint8_t(Two[0]), (TraceMemory::PageBytes - 1) % 251);
  EXPECT_EQ(uint8_t(Two[1]), TraceMemory::PageBytes % 251);
  EXPECT_TRUE(Memory.read(Begin, Two));
  EXPECT_EQ(Fills, 2u);
}

TEST(TraceMemory, keepsWhatIsWritten) {
  TraceMemory Memory;
  uint64_t Begin = Memory.add(100, fillBytes);
  char Written = 77, Read[3];
  EXPECT_TRUE(Memory.write(Begin + 4, Written));
  EXPECT_TRUE(Memory.read(Begin + 3, Read));
  EXPECT_EQ(Read[0], 3);
  EXPECT_EQ(Read[1], 77);
  EXPECT_EQ(Read[2], 5);
}

TEST(TraceMemory, knowsWhereBuffersEnd) {
  TraceMemory Memory;
  uint64_t First = Memory.add(100, fillBytes), Second = Memory.add(8, nullptr);
  char Byte[2] = {1, 1};
  EXPECT_FALSE(Memory.read(First + 99, Byte));
  EXPECT_FALSE(Memory.write(First - 1, Byte));
  EXPECT_FALSE(Memory.read(0, Byte));
  EXPECT_EQ(Byte[0], 1);
  EXPECT_FALSE(Memory.find(First + 100));
  ASSERT_TRUE(Memory.find(Second + 7));
  EXPECT_EQ(Memory.find(Second + 7)->Begin, Second);
  EXPECT_EQ(Memory.find(Second + 7)->Bytes, 8u);
  EXPECT_TRUE(Memory.read(Second, Byte));
  EXPECT_EQ(Byte[0], 0);
}
