//===- RunnerContentsTest.cpp - What buffers hold and how it is compared ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunnerTesting.h"
#include "gpuprune/Support/ContentHash.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;
using namespace gpuprune::testing;

namespace {

class RunnerContents : public ::testing::Test {
protected:
  Scratch Files;
};

/// Of structures, as the fake driver's "pairs" copies them.
Job pairsJob(StringRef Cubin, StringRef Symbol) {
  Job J = timedJob(Cubin, Symbol);
  Problem &P = J.Checks[0];
  ElementLayout Pair = cantFail(
      ElementLayout::structure(ElementLayout::FieldList{{"x", ElementType::F32}, {"id", ElementType::U16}}));
  Fill Contents{FillKind::Fields};
  Contents.Fields = {P.Buffers[0].Contents, {FillKind::Iota}};
  P.Buffers[0].Type = P.Buffers[1].Type = Pair;
  P.Buffers[0].Contents = Contents;
  P.Reference = program(Cubin, "pairs");
  J.Timing->Baseline = program(Cubin, "pairs");
  return J;
}

// Their padding is not the same in any two runs.
TEST_F(RunnerContents, StructuresAreComparedFieldByField) {
  Job J = pairsJob(Files.cubin(), "pairs");
  J.Checks[0].Stock = J.Checks[0].Reference;
  J.Checks[0].Expected = {{1, "", ""}};
  Result Right = runJob(J);
  EXPECT_EQ(Right.Status, ResultStatus::Ok) << Right.Message;
  EXPECT_EQ(Right.Check, CheckOutcome::Bitwise);
  EXPECT_EQ(Right.SamplesMs.size(), 5u);
  Result Again = runJob(J);
  ASSERT_EQ(Right.Checks[0].Outputs.size(), 1u);
  EXPECT_EQ(Right.Checks[0].Outputs, Again.Checks[0].Outputs) << "the hash is one of fields alone";
  Result Wrong = runJob(pairsJob(Files.cubin(), "wrong_pairs"));
  EXPECT_EQ(Wrong.Status, ResultStatus::Wrong);
  ASSERT_TRUE(Wrong.Checks[0].Detail.has_value()) << Wrong.Message;
  EXPECT_EQ(Wrong.Checks[0].Detail->Index, 999u);
  EXPECT_EQ(Wrong.Checks[0].Detail->Field, "id");
  EXPECT_EQ(Wrong.Checks[0].Detail->Differing, 1u);
  EXPECT_NE(Wrong.Message.find("buffer C, value at 999, field id: expected 999 (0x03e7), got 1000 (0x03e8)"),
            std::string::npos)
      << Wrong.Message;
  // A field of integers takes no tolerance, though 1000 is near 999.
  Job ByTolerance = pairsJob(Files.cubin(), "wrong_pairs");
  ByTolerance.Compare = {CompareMode::Tolerance, 0.1, 0};
  EXPECT_EQ(runJob(ByTolerance).Status, ResultStatus::Wrong);
}

/// "right", whose input is what the file \p Name held as \p Content, behind eight bytes.
Job fileJob(StringRef Cubin, StringRef Name, StringRef Content) {
  Job J = timedJob(Cubin, "right");
  Fill FromFile{FillKind::File};
  FromFile.File = Name;
  FromFile.Hash = contentHash(Content);
  FromFile.Offset = 8;
  J.Checks[0].Buffers[0].Contents = FromFile;
  J.Checks[0].Expected = {{1, "", ""}};
  return J;
}

// The kernel takes a number of four bytes, which may as well be a structure's only field.
TEST_F(RunnerContents, StructuresArePassedByTheirBytes) {
  Job J = job(Files.cubin(), "right");
  J.Checks[0].Candidate.Launches[0].Args[2] = {std::nullopt, ElementType::I32, 0, 0, {0xe8, 3, 0, 0}};
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  J.Checks[0].Candidate.Launches[0].Args[2].Structure = {0xf4, 1, 0, 0};
  R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Wrong) << R.Message;
  ASSERT_TRUE(R.Checks[0].Detail.has_value());
  EXPECT_EQ(R.Checks[0].Detail->Index, 500u);
  J.Checks[0].Candidate.Launches[0].Args[2].Structure = {0xe8, 3, 0, 0, 0, 0, 0, 0};
  R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Launch);
  EXPECT_NE(R.Message.find("argument 2 has 8 bytes in the job and 4 in the kernel"), std::string::npos)
      << R.Message;
}

TEST_F(RunnerContents, ContentsComeFromFiles) {
  std::string Content = "eight...";
  std::vector<float> In(1000), Twice(1000);
  for (size_t I = 0; I != In.size(); ++I) {
    In[I] = float(I) * 0.25f;
    Twice[I] = 2 * In[I];
  }
  Content.append(reinterpret_cast<const char *>(In.data()), 4000);
  Files.write("in.bin", Content);
  std::string Name = Files.file("in.bin");
  Job Good = fileJob(Files.cubin(), Name, Content);
  Result R = runJob(Good);
  ASSERT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  EXPECT_EQ(R.Checks[0].Outputs[0].Hash,
            contentHash(ArrayRef(reinterpret_cast<const uint8_t *>(Twice.data()), 4000)));
  // A kernel that changes such an input is found, and who does not is not blamed.
  Job Spoils = fileJob(Files.cubin(), Name, Content);
  Spoils.Checks[0].Candidate = program(Files.cubin(), "spoils_input");
  RunnerOptions Options;
  Options.Commands = {runnerCommand()};
  std::vector<Result> Both = runJobs(Options, {Spoils, Good});
  ASSERT_EQ(Both.size(), 2u);
  EXPECT_EQ(Both[0].Status, ResultStatus::Wrong);
  EXPECT_NE(Both[0].Message.find("buffer A, input at 3: expected 0.75"), std::string::npos)
      << Both[0].Message;
  EXPECT_EQ(Both[1].Status, ResultStatus::Ok) << Both[1].Message;
  Good.Checks[0].Buffers[0].Count = Good.Checks[0].Buffers[1].Count = 1001;
  R = runJob(Good);
  EXPECT_EQ(R.Status, ResultStatus::Error);
  EXPECT_NE(R.Message.find("buffer A: fill: 4004 bytes of elements are needed, and the file"),
            std::string::npos)
      << R.Message;
}

TEST_F(RunnerContents, ContentsAreListed) {
  Job J = timedJob(Files.cubin(), "right");
  J.Checks[0].Buffers[0].Contents = {FillKind::Values};
  std::vector<uint8_t> &Bytes = J.Checks[0].Buffers[0].Contents.Bytes;
  std::vector<float> Twice(1000);
  for (size_t I = 0; I != Twice.size(); ++I) {
    float Value = float(I) * 0.25f;
    Twice[I] = 2 * Value;
    Bytes.insert(Bytes.end(), reinterpret_cast<uint8_t *>(&Value), reinterpret_cast<uint8_t *>(&Value + 1));
  }
  J.Checks[0].Expected = {{1, "", ""}};
  Result R = runJob(J);
  ASSERT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  EXPECT_EQ(R.Checks[0].Outputs[0].Hash,
            contentHash(ArrayRef(reinterpret_cast<const uint8_t *>(Twice.data()), 4000)));
  J.Checks[0].Candidate = program(Files.cubin(), "spoils_input");
  R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Wrong);
  EXPECT_NE(R.Message.find("buffer A, input at 3: expected 0.75"), std::string::npos) << R.Message;
  Bytes.resize(3996);
  R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Error);
  EXPECT_NE(R.Message.find("4000 bytes of elements are needed, and the values have 3996"), std::string::npos)
      << R.Message;
}

// Those of a buffer that is involved are looked at beside one that is simple.
TEST_F(RunnerContents, AChangeOfAPermutationIsSeen) {
  for (FillKind Kind : {FillKind::Permutation, FillKind::Shift, FillKind::Clustered, FillKind::Sorted}) {
    Job J = timedJob(Files.cubin(), "right");
    J.Checks[0].Buffers[0].Contents = {Kind};
    J.Checks[0].Buffers[0].Contents.Count = 1000;
    Result R = runJob(J);
    EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
    J.Checks[0].Candidate = program(Files.cubin(), "spoils_input");
    R = runJob(J);
    EXPECT_EQ(R.Status, ResultStatus::Wrong);
    EXPECT_NE(R.Message.find("buffer A, input at 3: expected"), std::string::npos) << R.Message;
  }
}

TEST_F(RunnerContents, AFileThatHasChangedIsNotTaken) {
  std::string Content(4008, 'x'), Name = Files.file("in.bin");
  Files.write("in.bin", Content);
  Job J = fileJob(Files.cubin(), Name, Content);
  Files.write("in.bin", std::string(4008, 'y'));
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Error);
  EXPECT_NE(R.Message.find("is not what it was when the job was made"), std::string::npos) << R.Message;
  J = fileJob(Files.cubin(), "no-such-file.bin", Content);
  R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Error);
  EXPECT_NE(R.Message.find("buffer A: cannot read"), std::string::npos) << R.Message;
}

} // namespace
