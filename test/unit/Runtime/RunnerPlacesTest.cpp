//===- RunnerPlacesTest.cpp - Buffers at given addresses --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunnerTesting.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;
using namespace gpuprune::testing;

namespace {

/// Far from what the system maps by itself, with sanitizers, too.
constexpr uint64_t Place = 0x570000000000;
constexpr uint64_t Granule = uint64_t(2) << 20;

/// Buffers of 4000 bytes.
Job placed(Job J, uint64_t A, uint64_t C) {
  for (Problem &P : J.Checks) {
    P.Buffers[0].Address = A;
    P.Buffers[1].Address = C;
  }
  return J;
}

/// The addresses that "right" and \p Symbol wrote to, each once.
std::vector<std::string> writtenTo(StringRef Calls) {
  std::vector<std::string> Found;
  for (StringRef Line : split(Calls, '\n'))
    if (Line.starts_with("launch ") && !is_contained(Found, Line.rsplit(' ').second))
      Found.push_back(Line.rsplit(' ').second.str());
  return Found;
}

class RunnerPlaces : public ::testing::Test {
protected:
  Scratch Files;
  std::vector<Result> run(ArrayRef<Job> Jobs, StringRef Environment = "") {
    RunnerOptions Options;
    Options.Commands = {runnerCommand(("FAKE_CUDA_CALLS=" + Files.file("calls") + " " + Environment).str())};
    return runJobs(Options, Jobs);
  }
  Result run(const Job &J, StringRef Environment = "") { return run(ArrayRef(J), Environment).front(); }
};

TEST_F(RunnerPlaces, AllProgramsRunThere) {
  Result R = run(placed(timedJob(Files.cubin(), "fast"), Place, Place + 8192));
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  EXPECT_EQ(R.Check, CheckOutcome::Bitwise);
  EXPECT_EQ(R.MedianMs, 0.25);
  EXPECT_EQ(writtenTo(Files.read("calls")), std::vector{utostr(Place + 8192)});
}

TEST_F(RunnerPlaces, NeighboursShareAGranule) {
  // The first begins before a granule's end and ends behind it; the second follows at once.
  uint64_t A = Place + Granule - 16, C = A + 4000;
  EXPECT_EQ(run(placed(job(Files.cubin(), "right"), A, C)).Status, ResultStatus::Ok);
  Result R = run(placed(job(Files.cubin(), "wrong"), A, C));
  EXPECT_EQ(R.Status, ResultStatus::Wrong);
  EXPECT_NE(R.Message.find("buffer C, value at 5"), std::string::npos) << R.Message;
}

TEST_F(RunnerPlaces, GuardZonesAreWhereGranulesHaveRoom) {
  Result Behind = run(placed(job(Files.cubin(), "behind"), Place, Place + 8192));
  ASSERT_TRUE(Behind.Status == ResultStatus::Wrong && Behind.Checks[0].Detail) << Behind.Message;
  EXPECT_EQ(Behind.Checks[0].Detail->Kind, MismatchKind::GuardAfter);
  EXPECT_EQ(Behind.Checks[0].Detail->Buffer, "C");
  // There is nothing in front of the granule, so A lies behind its begin.
  Result Before = run(placed(job(Files.cubin(), "before"), Place + 4096, Place + Granule));
  ASSERT_TRUE(Before.Status == ResultStatus::Wrong && Before.Checks[0].Detail) << Before.Message;
  EXPECT_EQ(Before.Checks[0].Detail->Kind, MismatchKind::GuardBefore);
  EXPECT_EQ(Before.Checks[0].Detail->Buffer, "A");
}

TEST_F(RunnerPlaces, WritesToANeighbourAreFound) {
  // No byte between C and A: "behind" writes into A, an input.
  uint64_t C = Place, A = Place + 4000;
  Result R = run(placed(job(Files.cubin(), "behind"), A, C));
  ASSERT_TRUE(R.Status == ResultStatus::Wrong && R.Checks[0].Detail) << R.Message;
  EXPECT_EQ(R.Checks[0].Detail->Kind, MismatchKind::Input);
  EXPECT_EQ(R.Checks[0].Detail->Buffer, "A");
}

TEST_F(RunnerPlaces, JobsMayHaveOtherPlaces) {
  Job First = placed(job(Files.cubin(), "right"), Place, Place + 8192);
  Job Second = placed(job(Files.cubin(), "other"), Place + 4000, Place + 16384);
  Job Anywhere = job(Files.cubin(), "another");
  for (const Result &R : run({First, Second, Anywhere, First}))
    EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Id << ": " << R.Message;
}

TEST_F(RunnerPlaces, SizesMayLieAtTheSamePlace) {
  Job J = job(Files.cubin(), "right");
  J.Checks.push_back(problem(Files.cubin(), "right", 500));
  EXPECT_EQ(run(placed(J, Place, Place + 8192)).Status, ResultStatus::Ok);
}

TEST_F(RunnerPlaces, CopiesAreNotRotated) {
  Job J = placed(timedJob(Files.cubin(), "fast"), Place, Place + 8192);
  J.Timing->Rotate = 3;
  EXPECT_EQ(run(J).Status, ResultStatus::Ok);
  EXPECT_EQ(writtenTo(Files.read("calls")).size(), 1u);
}

TEST_F(RunnerPlaces, OtherProcessesAreAskedForTakenAddresses) {
  Files.write("taken", "3\n");
  Job J = placed(job(Files.cubin(), "right"), Place, Place + 8192);
  std::vector<Result> Results =
      run({J, job(Files.cubin(), "other")}, "FAKE_CUDA_TAKEN=" + Files.file("taken"));
  for (const Result &R : Results)
    EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  EXPECT_EQ(Files.read("taken"), "0\n");
}

TEST_F(RunnerPlaces, TakenAddressesAreSaid) {
  Files.write("taken", "9\n");
  Job J = placed(job(Files.cubin(), "right"), Place, Place + 8192);
  std::vector<Result> Results =
      run({J, job(Files.cubin(), "other")}, "FAKE_CUDA_TAKEN=" + Files.file("taken"));
  EXPECT_EQ(Results[0].Status, ResultStatus::Address);
  EXPECT_EQ(Results[0].Message,
            "buffers are to lie at the addresses 0x570000000000 to 0x570000200000, and the "
            "driver does not give them: they are taken in this process");
  EXPECT_EQ(Results[1].Status, ResultStatus::Ok) << "it needs no address";
  EXPECT_EQ(Files.read("taken"), "5\n") << "four processes asked";
}

TEST_F(RunnerPlaces, AddressesAreAskedForInBlocks) {
  // Not in the first granule of a block; and the two are in different blocks.
  uint64_t Block = 16 * Granule, A = Place + 5 * Granule, C = Place + Block + 3 * Granule;
  Job Near = placed(job(Files.cubin(), "right"), A, A + 8192),
      Far = placed(job(Files.cubin(), "right"), A, C);
  for (StringRef Gives : {"FAKE_CUDA_GIVES=blocks", "FAKE_CUDA_GIVES=granules"})
    for (const Result &R : run({Near, Far}, Gives))
      EXPECT_EQ(R.Status, ResultStatus::Ok) << Gives.str() << ": " << R.Message;
}

TEST_F(RunnerPlaces, MemoryIsStillBounded) {
  Job J = placed(job(Files.cubin(), "right"), Place, Place + 8192);
  EXPECT_EQ(run(J, "FAKE_CUDA_MEMORY=1000000").Status, ResultStatus::Memory);
}

std::string refusal(Job J) {
  Error E = validate(J);
  return E ? toString(std::move(E)) : "";
}

TEST_F(RunnerPlaces, AddressesAreValidated) {
  Job J = job(Files.cubin(), "right");
  EXPECT_EQ(refusal(placed(J, Place, Place + 4000)), "");
  EXPECT_EQ(refusal(placed(J, Place, Place + 3996)),
            "job right, problem n=1000: the buffers A and C overlap at the address 0x570000000f9c");
  for (uint64_t Bad : {uint64_t(0), Place + 2, uint64_t(1) << 57, ~uint64_t(0)})
    EXPECT_NE(refusal(placed(J, Bad, Place)).find("expected a multiple of 4"), std::string::npos) << Bad;
  Job Symbol = placed(J, Place, Place + 8192);
  Symbol.Checks[0].Buffers.push_back({"F", ElementType::F32, 2, Fill(), BufferRole::In, "factors"});
  EXPECT_EQ(refusal(Symbol), "");
  Symbol.Checks[0].Buffers.back().Address = Place + Granule;
  EXPECT_NE(refusal(Symbol).find("expected no address"), std::string::npos);
}

TEST_F(RunnerPlaces, AddressesTravelWithJobs) {
  Expected<Job> J = parseJob(toLine(placed(job(Files.cubin(), "right"), Place, Place + 8192)));
  ASSERT_TRUE(bool(J)) << toString(J.takeError());
  EXPECT_EQ(J->Checks[0].Buffers[0].Address, Place);
  EXPECT_EQ(J->Checks[0].Buffers[1].Address, Place + 8192);
}

} // namespace
