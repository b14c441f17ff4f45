//===- MemoryTest.cpp - Variables, structures, local arrays, atomics, printf ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostTesting.h"
#include "gpuprune/Support/Error.h"

using namespace gpuprune;
using namespace gpuprune::test;

namespace {

TEST(MemoryTest, VariablesAreSetByName) {
  HostRun Run("memory.cu");
  ASSERT_TRUE(Run.Program);
  constexpr int Threads = 8;
  std::vector<int> In(Threads);
  for (int T = 0; T < Threads; ++T)
    In[T] = T;
  GuardedBuffer &Out = Run.output<int>("out", Threads);
  const GuardedBuffer *Unset = Run.Program->variable("unset"), *Total = Run.Program->variable("total");
  ASSERT_TRUE(Unset && Total);
  EXPECT_FALSE(Run.Program->variable("nothing"));
  for (int T = 0; T < Threads; ++T)
    Unset->as<int>()[T] = 100 * T;
  Run.run("variables", {}, {Threads}, Run.buffer<int>("in", In), Out);
  for (int T = 0; T < Threads; ++T)
    EXPECT_EQ(Out.as<int>()[T], (1 << T % 4) + 100 * T);
  EXPECT_EQ(Total->as<int>()[0], 5 + Threads); // Through a variable that points to it.
  Run.Program->resetVariables();
  EXPECT_EQ(Total->as<int>()[0], 5);
  EXPECT_EQ(Unset->as<int>()[3], 0);
}

TEST(MemoryTest, ConstantMemoryIsFilledFromTheArgument) {
  HostRun Run("memory.cu", {{}, "gpu-memory<arg=0;space=constant;bytes=64;kernel=tables>", {}});
  ASSERT_TRUE(Run.Program);
  std::vector<int> Table(16), Large(17);
  for (int I = 0; I < 16; ++I)
    Table[I] = I * I;
  GuardedBuffer &Out = Run.output<int>("out", 16);
  GuardedBuffer &In = Run.buffer<int>("in", Table);
  for (int Times : {1, 3}) {
    for (int I = 0; I < 16; ++I)
      In.as<int>()[I] = Times * Table[I];
    Run.run("tables", {}, {16}, In, Out);
    for (int I = 0; I < 16; ++I)
      EXPECT_EQ(Out.as<int>()[I], Times * Table[I]);
  }
  // From the middle of an allocation, as far as that goes.
  Run.run("tables", {}, {4}, In.Data + 12 * sizeof(int), Out);
  EXPECT_EQ(Out.as<int>()[3], 3 * 15 * 15);
  auto Failure = [&](const auto &Argument) {
    llvm::Expected<LaunchReport> Report = Run.Program->launch(Run.launchOf("tables", {}, {4}, Argument, Out));
    return Report ? std::string() : llvm::toString(Report.takeError());
  };
  EXPECT_NE(Failure(Run.buffer<int>("large", Large)).find("refused (TooLarge): buffer 'large' has 68 bytes"),
            std::string::npos);
  EXPECT_NE(Failure(Large.data()).find("argument 0, whose buffer is copied to "), std::string::npos);
  HostLaunch NoPointer = Run.launchOf("tables", {}, {4}, In, Out);
  NoPointer.ConstantCopies[0].Argument = 2;
  llvm::Expected<LaunchReport> Report = Run.Program->launch(NoPointer);
  ASSERT_FALSE(bool(Report));
  EXPECT_NE(takeError(Report.takeError()).Text.find("argument 2, to be copied to '"), std::string::npos);
}

TEST(MemoryTest, PointersAreWhereTheLaunchContractPromises) {
  HostRun Run("memory.cu",
              {{}, "gpu-thread-coarsen<factor=4;stride=consecutive;align=16;kernel=tables>", {}});
  ASSERT_TRUE(Run.Program);
  std::vector<int> Table(21, 7);
  for (GuardSide Side : {GuardSide::End, GuardSide::Start}) {
    GuardedBuffer &In = llvm::cantFail(Run.Memory.allocate("in", 21 * sizeof(int), 7, Side));
    Run.run("tables", {}, {4}, In, llvm::cantFail(Run.Memory.allocate("out", 17 * sizeof(int), 0, Side)));
  }
  GuardedBuffer &In = Run.buffer<int>("in", Table), &Out = Run.output<int>("out", 16);
  Run.run("tables", {}, {4}, In.Data + 16, Out);
  llvm::Expected<LaunchReport> Report =
      Run.Program->launch(Run.launchOf("tables", {}, {4}, In.Data + 4, Out));
  ASSERT_FALSE(bool(Report));
  TakenError Refused = takeError(Report.takeError());
  EXPECT_EQ(Refused.Kind, ErrorKind::Refused);
  EXPECT_EQ(
      Refused.Text.find("refused (BadLaunchContract): kernel 'tables': argument 0, the buffer in, is at an "
                        "address that is 4 modulo 16"),
      0u)
      << Refused.Text;
}

TEST(MemoryTest, ConstantMemoryIsFilledFromALazyBuffer) {
  HostRun Run("memory.cu", {{}, "gpu-memory<arg=0;space=constant;bytes=20000;kernel=tables>", {}});
  ASSERT_TRUE(Run.Program);
  GuardedBuffer &In = llvm::cantFail(
      Run.Memory.allocateLazily("in", 20000, [](uint64_t Offset, llvm::MutableArrayRef<char> Bytes) {
        for (size_t I = 0; I < Bytes.size(); I += sizeof(int))
          reinterpret_cast<int &>(Bytes[I]) = int((Offset + I) / sizeof(int));
      }));
  GuardedBuffer &Out = Run.output<int>("out", 1024);
  Run.run("tables", {}, {1024}, In, Out);
  for (int I = 0; I < 1024; ++I)
    EXPECT_EQ(Out.as<int>()[I], I);
}

struct Point {
  float X, Y;
  short Tag[3];
  double Z;
};

TEST(MemoryTest, StructuresAreCopiedForEachThread) {
  HostRun Run("memory.cu");
  ASSERT_TRUE(Run.Program);
  Point P{1, 2, {3, 4, 5}, 6};
  GuardedBuffer &Out = Run.output<Point>("out", 6);
  Run.run("structures", {}, {6}, P, Out, 77);
  for (int T = 0; T < 6; ++T) {
    const Point &Q = Out.as<Point>()[T];
    EXPECT_EQ(Q.X, 1 + T);
    EXPECT_EQ(Q.Y, 2);
    EXPECT_EQ(Q.Z, 7);
    for (int I = 0; I < 3; ++I)
      EXPECT_EQ(Q.Tag[I], I == T % 3 ? 77 : 3 + I);
  }
}

TEST(MemoryTest, LocalArrays) {
  HostRun Run("memory.cu");
  ASSERT_TRUE(Run.Program);
  constexpr int N = 50, Threads = 40;
  std::vector<int> In(N);
  for (int I = 0; I < N; ++I)
    In[I] = I * I - 7;
  GuardedBuffer &Out = Run.output<int>("out", Threads);
  Run.run("localArrays", {}, {Threads}, Run.buffer<int>("in", In), Out, N);
  for (int T = 0; T < Threads; ++T) {
    unsigned Sum = 0;
    for (int I = 0; I < N; ++I) {
      int From = (I * 7 + T) % N;
      Sum = Sum * 3 + unsigned(In[From] * (From + T));
    }
    EXPECT_EQ(Out.as<int>()[T], int(Sum)) << T;
  }
}

TEST(MemoryTest, VectorsAndGenericPointers) {
  HostRun Run("memory.cu");
  ASSERT_TRUE(Run.Program);
  constexpr int Threads = 32;
  std::vector<float> In(4 * Threads);
  for (unsigned I = 0; I < In.size(); ++I)
    In[I] = I;
  GuardedBuffer &Out = Run.output<float>("out", In.size());
  GuardedBuffer &Generic = Run.buffer<int>("generic", std::vector<int>(Threads, 1000));
  Run.run("vectors", {}, {Threads}, Run.buffer<float>("in", In), Out, Generic);
  for (int T = 0; T < Threads; ++T) {
    for (int I = 0; I < 4; ++I)
      EXPECT_EQ(Out.as<float>()[4 * T + I], 4 * T + 3 - I);
    EXPECT_EQ(Generic.as<int>()[T], T & 1 ? 1010 : T + 20);
  }
}

TEST(MemoryTest, AtomicsFromAllCores) {
  HostRun Run("memory.cu");
  ASSERT_TRUE(Run.Program);
  constexpr int Blocks = 40, Threads = 64, All = Blocks * Threads;
  GuardedBuffer &I = Run.buffer<int>("i", {0, 0, -5, 5, -1, 0, 0, 0, -1, -1});
  GuardedBuffer &U = Run.buffer<unsigned>("u", {0, 0, 0});
  GuardedBuffer &F = Run.buffer<float>("f", {0, 0});
  GuardedBuffer &D = Run.buffer<double>("d", {0});
  GuardedBuffer &L = Run.buffer<uint64_t>("l", {0, 0, 7});
  HostLaunch Launch = Run.launchOf("atomics", {Blocks}, {Threads}, I, U, F, D, L);
  Launch.Workers = 4;
  launched(*Run.Program, Launch);
  int Sum = Blocks * Threads * (Threads - 1) / 2;
  EXPECT_EQ(I.as<int>()[0], Sum);
  EXPECT_EQ(I.as<int>()[1], -Sum);
  EXPECT_EQ(I.as<int>()[2], 49);
  EXPECT_EQ(I.as<int>()[3], -63);
  EXPECT_EQ(I.as<int>()[4], ~31);
  EXPECT_EQ(I.as<int>()[5], (1 << 20) - 1);
  EXPECT_EQ(I.as<int>()[6], 0); // Each number from 0 to 63 an even number of times.
  EXPECT_EQ(I.as<int>()[7], 2 * All);
  EXPECT_EQ(I.as<int>()[8], 31 * 32); // Even threads of a block.
  EXPECT_EQ(I.as<int>()[9], 32 * 32);
  EXPECT_EQ(U.as<unsigned>()[0], unsigned(All % 7));
  EXPECT_EQ(U.as<unsigned>()[1], unsigned((7 - All % 7) % 7));
  EXPECT_EQ(U.as<unsigned>()[2], ~0u);
  EXPECT_EQ(F.as<float>()[0], 0.5f * All);
  EXPECT_EQ(F.as<float>()[1], 3);
  EXPECT_EQ(D.as<double>()[0], 0.25 * All);
  EXPECT_EQ(L.as<uint64_t>()[0], (uint64_t(1) << 33) * All);
  EXPECT_EQ(L.as<uint64_t>()[1], uint64_t(63) << 35);
  EXPECT_EQ(L.as<uint64_t>()[2], 9u);
}

TEST(MemoryTest, PrintfInTheOrderOfBlocks) {
  HostRun Run("memory.cu");
  ASSERT_TRUE(Run.Program);
  HostLaunch Launch = Run.launchOf("printing", {3}, {32}, 1);
  Launch.Workers = 3;
  std::string Expected;
  for (int B = 0; B < 3; ++B)
    for (const char *Number : {" 1.00", " 1.50"})
      Expected += "block " + std::to_string(B) + ": " + Number + "|7   |ff z -5000000000 %\n";
  EXPECT_EQ(launched(*Run.Program, Launch).Output, Expected);
}

TEST(MemoryTest, PointersToFunctions) {
  HostRun Run("memory.cu");
  ASSERT_TRUE(Run.Program);
  constexpr int Threads = 12;
  std::vector<int> In(Threads);
  for (int T = 0; T < Threads; ++T)
    In[T] = T;
  GuardedBuffer &Out = Run.output<int>("out", Threads);
  Run.run("pointers", {}, {Threads}, Run.buffer<int>("in", In), Out);
  for (int T = 0; T < Threads; ++T)
    EXPECT_EQ(Out.as<int>()[T], (T & 1 ? T * T : 3 * T) * 1000 + (T % 3 ? T : T * T));
}

} // namespace
