//===- GuardedMemoryTest.cpp - Buffers and the zones around them ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/HostExecution/GuardedMemory.h"
#include "gtest/gtest.h"

using namespace gpuprune;

namespace {

uint64_t addressOf(const char *Byte) { return reinterpret_cast<uint64_t>(Byte); }

TEST(GuardedMemoryTest, FillsAndAligns) {
  GuardedMemory Memory;
  GuardedBuffer &End = llvm::cantFail(Memory.allocate("end", 100, 7));
  GuardedBuffer &Start = llvm::cantFail(Memory.allocate("start", 5000, 0, GuardSide::Start));
  EXPECT_EQ(addressOf(End.Data) % 16, 0u);
  EXPECT_EQ(addressOf(Start.Data) % 256, 0u);
  for (char Byte : End.bytes())
    EXPECT_EQ(Byte, 7);
  EXPECT_EQ(Start.as<int>().size(), 1250u);
  EXPECT_FALSE(Memory.findOverwrittenGuard());
}

TEST(GuardedMemoryTest, NamesWhatIsNear) {
  GuardedMemory Memory;
  GuardedBuffer &Buffer = llvm::cantFail(Memory.allocate("image", 64));
  for (int64_t Offset :
       {int64_t(0), int64_t(63), int64_t(64), int64_t(-1), int64_t(1) << 20, -(int64_t(1) << 20)}) {
    std::optional<BufferPlace> Place = Memory.find(addressOf(Buffer.Data) + Offset);
    ASSERT_TRUE(Place) << Offset;
    EXPECT_EQ(Place->Buffer, "image");
    EXPECT_EQ(Place->Offset, Offset);
    EXPECT_EQ(Place->BufferBytes, 64u);
  }
  EXPECT_FALSE(Memory.find(0));
}

TEST(GuardedMemoryTest, NoticesWritesBesideABuffer) {
  GuardedMemory Memory;
  GuardedBuffer &First = llvm::cantFail(Memory.allocate("first", 16));
  GuardedBuffer &Second = llvm::cantFail(Memory.allocate("second", 16, 0, GuardSide::Start));
  char Kept = First.Data[-1];
  First.Data[-1] = 0;
  EXPECT_EQ(Memory.findOverwrittenGuard()->Buffer, "first");
  EXPECT_EQ(Memory.findOverwrittenGuard()->Offset, -1);
  First.Data[-1] = Kept;
  EXPECT_FALSE(Memory.findOverwrittenGuard());
  Second.Data[16] = 0;
  EXPECT_EQ(Memory.findOverwrittenGuard()->Buffer, "second");
  EXPECT_EQ(Memory.findOverwrittenGuard()->Offset, 16);
}

TEST(GuardedMemoryTest, NamesAndThenForgetsWhatIsReleased) {
  GuardedMemory Memory;
  GuardedBuffer &First = llvm::cantFail(Memory.allocate("first", 16));
  GuardedBuffer &Second = llvm::cantFail(Memory.allocate("second", 16));
  char *Data = First.Data;
  Data[-1] = 0;
  Memory.release(First);
  EXPECT_EQ(Memory.find(addressOf(Data))->Buffer, "first, freed");
  EXPECT_FALSE(Memory.bufferAt(Data));
  EXPECT_FALSE(Memory.findOverwrittenGuard());
  EXPECT_EQ(Memory.bufferAt(Second.Data), &Second);
  for (size_t I = 0; I < GuardedMemory::MostReleased; ++I)
    Memory.release(llvm::cantFail(Memory.allocate("other", 16)));
  std::optional<BufferPlace> Place = Memory.find(addressOf(Data));
  EXPECT_TRUE(!Place || Place->Buffer != "first, freed");
}

TEST(GuardedMemoryTest, RefusesWhatNoMachineHas) {
  GuardedMemory Memory;
  llvm::Expected<GuardedBuffer &> Buffer = Memory.allocate("huge", uint64_t(1) << 60);
  ASSERT_FALSE(Buffer);
  EXPECT_NE(llvm::toString(Buffer.takeError()).find("no memory for buffer 'huge'"), std::string::npos);
}

TEST(GuardedMemoryTest, EmptyBufferHasAnAddress) {
  GuardedMemory Memory;
  GuardedBuffer &Buffer = llvm::cantFail(Memory.allocate("none", 0));
  EXPECT_EQ(Memory.find(addressOf(Buffer.Data))->Buffer, "none");
}

} // namespace
