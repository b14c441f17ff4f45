//===- ProtocolTest.cpp - Lines of the protocol ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Runtime/Protocol.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;

namespace {

ElementLayout pairs() {
  return cantFail(
      ElementLayout::structure(ElementLayout::FieldList{{"x", ElementType::F64}, {"id", ElementType::I16}}));
}

Job fullJob() {
  Launch L{{{32, 16, 2}, {16, 8, 4}, 4096, {{HiddenParameter::GridY, 77}}, {{0, 64, "table of A"}}, 16},
           "a.cubin",
           "_Z6matmulPf",
           {protocol::Argument::buffer(0),
            protocol::Argument::integer(ElementType::I32, -7),
            protocol::Argument::integer(ElementType::I64, INT64_MIN),
            protocol::Argument::integer(ElementType::U64, -1),
            protocol::Argument::floating(ElementType::F32, 0.1),
            protocol::Argument::floating(ElementType::F64, -INFINITY),
            protocol::Argument::floating(ElementType::F16, NAN),
            {std::nullopt, ElementType::I32, 0, 0, {0, 0x1f, 0xff, 7}}},
           "sha256:0123 ptxas 13"};
  Problem P;
  P.Name = "n=4096";
  Fill Affine{FillKind::Affine};
  Affine.Start = -3;
  Affine.Step = 0x1p53;
  Affine.Jitter = 7;
  Affine.Seed = 11;
  Fill OfFields{FillKind::Fields};
  OfFields.Fields = {{FillKind::Constant, 0.5}, {FillKind::Iota}};
  Fill FromFile{FillKind::File};
  FromFile.File = "contents.bin";
  FromFile.Hash = "abba";
  FromFile.Offset = 128;
  P.Buffers = {{"A", ElementType::F32, 16, {FillKind::Uniform, 0, -0.5, 0.5, UINT64_MAX}, BufferRole::In},
               {"B", ElementType::I8, 3, {FillKind::Constant, -2}, BufferRole::InOut},
               {"C", ElementType::F64, 5, {}, BufferRole::Out},
               {"D", ElementType::I32, 4, Affine, BufferRole::In, "table"},
               {"E", pairs(), 7, OfFields, BufferRole::InOut},
               {"F", ElementType::F32, 7, FromFile, BufferRole::In}};
  P.Candidate = {{L, L}};
  P.Reference = Program{{L}};
  P.Truth = Program{{L, L, L}};
  P.Stock = Program{{L}};
  P.Open = {{2, true, false, "atomicrmw fadd at twice.cu:7"}, {1, false, true, ""}};
  P.Expected = {{2, "feed", "expected2.bin"}, {1, "beef", ""}};
  Job J;
  J.Id = "variant \"7\" \xC3\xA9";
  J.Checks = {P};
  J.Compare = {CompareMode::Tolerance, 1e-5, 1e-300};
  Measure &M = J.Timing.emplace();
  M.Problem = "n=4096";
  M.Baseline = Program{{L}};
  Problem Other = P;
  Other.Reference.reset();
  Other.Truth.reset();
  M.Rivals = {{"one", P}, {"two", Other}};
  M.Warmup = 3;
  M.StableWithin = 0.25;
  M.MaxWarmupMs = 125;
  M.Samples = 11;
  M.MinSampleMs = 0.5;
  M.FlushL2 = true;
  M.Rotate = 7;
  M.LimitMs = 100;
  M.MaxSlowdown = 20;
  M.Watchdog = 5;
  M.ClearlySlower = 1.25;
  M.ClearlySlowerMs = 7;
  M.Contests = {"all", "author"};
  return J;
}

template <typename T> std::string text(const T &Message) { return formatv("{0}", toJSON(Message)); }

std::string jobError(StringRef Line) {
  Expected<Job> J = parseJob(Line);
  if (J)
    return "";
  TakenError Taken = takeError(J.takeError());
  EXPECT_EQ(Taken.Kind, ErrorKind::Input);
  return Taken.Text;
}

/// fullJob() with \p From replaced by \p To.
std::string changed(StringRef From, StringRef To) {
  std::string Line = text(fullJob());
  size_t At = Line.find(From);
  EXPECT_NE(At, std::string::npos) << From.str() << " in " << Line;
  return At == std::string::npos ? Line : Line.replace(At, From.size(), To);
}

TEST(Protocol, NumbersKeepTheirSign) {
  for (uint64_t Bits : {0xffc00000u, 0x7fc00000u, 0xff800000u, 0x7f800000u, 0x80000000u, 0u}) {
    Job J = fullJob();
    protocol::Argument A;
    A.Type = ElementType::F32;
    A.Bits = Bits;
    J.Checks[0].Candidate.Launches[0].Args.push_back(A);
    Job Read = cantFail(parseJob(text(J)));
    EXPECT_EQ(Read.Checks[0].Candidate.Launches[0].Args.back().Bits, Bits);
  }
  Job J = fullJob();
  J.Checks[0].Buffers[0].Contents = {FillKind::Constant, -0.0};
  EXPECT_TRUE(std::signbit(cantFail(parseJob(text(J))).Checks[0].Buffers[0].Contents.Value));
}

TEST(Protocol, FillsOfAllKindsAreReadAsTheyAreWritten) {
  std::vector<Fill> Fills = {{FillKind::Sorted, 0, -2, 7, 3},
                             {FillKind::Shift},
                             {FillKind::Permutation},
                             {FillKind::Clustered},
                             {FillKind::Values},
                             {FillKind::Constant, 2},
                             {FillKind::Uniform},
                             {FillKind::Affine}};
  for (size_t I = 0; I != 4; ++I)
    Fills[I].Count = (uint64_t(1) << 53) - I;
  Fills[1].By = 8;
  Fills[2].Seed = UINT64_MAX;
  Fills[3].Window = uint64_t(LargestExactInteger);
  Fills[3].Per = 4;
  Fills[4].Bytes = {0, 0x1f, 0xff, 7};
  for (size_t I = 5; I != 8; ++I)
    Fills[I].ZeroDiagonal = I;
  Job J = fullJob();
  J.Checks[0].Buffers[0].Type = ElementType::I64;
  for (const Fill &F : Fills) {
    J.Checks[0].Buffers[0].Contents = F;
    J.Checks[0].Buffers[0].Count = F.Kind == FillKind::Values ? 1 : 16;
    Expected<Job> Read = parseJob(toLine(J));
    ASSERT_TRUE(bool(Read)) << toString(Read.takeError());
    EXPECT_EQ(Read->Checks[0].Buffers[0].Contents, F) << toLine(J);
  }
}

TEST(Protocol, JobsComeBackAsTheyWere) {
  Job J = fullJob();
  std::string Line = toLine(J);
  EXPECT_EQ(Line.find('\n'), Line.size() - 1) << "one line";
  Expected<Job> Back = parseJob(Line);
  ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
  EXPECT_EQ(text(*Back), text(J));
  const Problem &P = Back->Checks[0];
  EXPECT_EQ(P.Candidate, J.Checks[0].Candidate);
  EXPECT_EQ(P.Buffers, J.Checks[0].Buffers);
  ASSERT_EQ(P.Expected.size(), 2u);
  EXPECT_EQ(P.Expected[0].File, "expected2.bin");
  EXPECT_EQ(*P.Reference, *J.Checks[0].Reference);
  EXPECT_EQ(*P.Truth, *J.Checks[0].Truth);
  EXPECT_EQ(P.Open, J.Checks[0].Open);
  EXPECT_EQ(*Back->Timing->Baseline, *J.Timing->Baseline);
  EXPECT_EQ(Back->Timing->Rivals[1].Run.Candidate, P.Candidate);
  EXPECT_TRUE(Back->Timing->FlushL2);
  EXPECT_EQ(Back->Timing->Contests, J.Timing->Contests);
}

/// Programs of many launches, which are the same but for the last one; that of the baseline but for more.
Job jobOfSequence() {
  Job J = fullJob();
  Launch L = J.Checks[0].Candidate.Launches[0];
  Program Many;
  for (unsigned I = 0; I != 20; ++I) {
    L.Symbol = formatv("step{0}", I);
    Many.Launches.push_back(L);
  }
  Many.Untimed = 19;
  J.Checks[0].Candidate = J.Checks[0].Reference.emplace(Many);
  J.Checks[0].Reference->Launches.back().Symbol = "other";
  J.Checks[0].Truth = J.Checks[0].Stock = J.Timing->Baseline = Many;
  J.Checks[0].Truth->Launches.push_back(L);
  J.Timing->Baseline->Launches[10].Symbol = "other";
  return J;
}

TEST(Protocol, LaunchesThatTheCandidateHasTooAreWrittenOnce) {
  Job J = jobOfSequence();
  std::string Text = formatv("{0}", toJSON(J));
  EXPECT_EQ(StringRef(Text).count("\"step3\""), 1u);
  EXPECT_EQ(StringRef(Text).count("\"as_candidate\":19"), 1u) << "the reference's";
  EXPECT_EQ(StringRef(Text).count("\"as_candidate\":20"), 2u);
  EXPECT_EQ(StringRef(Text).count("\"as_candidate\":10"), 1u) << "the baseline's";
  Job Back = cantFail(parseJob(Text));
  EXPECT_EQ(Back.Checks[0].Reference, J.Checks[0].Reference);
  EXPECT_EQ(Back.Checks[0].Truth, J.Checks[0].Truth);
  EXPECT_EQ(Back.Checks[0].Stock, J.Checks[0].Stock);
  EXPECT_EQ(Back.Timing->Baseline, J.Timing->Baseline);
  J.Timing->Problem = "no such problem";
  EXPECT_EQ(StringRef(formatv("{0}", toJSON(J)).str()).count("\"step3\""), 2u);
}

TEST(Protocol, NoMoreLaunchesAreTakenThanTheCandidateHas) {
  std::string Text = formatv("{0}", toJSON(jobOfSequence()));
  for (StringRef Key : {"\"as_candidate\":19", "\"as_candidate\":10"}) {
    std::string Wrong = Text;
    Wrong.replace(Wrong.find(Key), Key.size(), "\"as_candidate\":21");
    Expected<Job> Read = parseJob(Wrong);
    ASSERT_FALSE(Read);
    std::string Message = toString(Read.takeError());
    EXPECT_NE(Message.find("as_candidate"), std::string::npos) << Message;
    EXPECT_NE(Message.find("at most as many as the candidate has launches"), std::string::npos) << Message;
  }
}

TEST(Protocol, OptionalPartsMayBeMissing) {
  Expected<Job> J = parseJob(R"({"id":"1","checks":[{"name":"p","buffers":[],"candidate":{"launches":[
    {"cubin":"c","symbol":"s","grid":[4],"block":[32,2],"args":[]}]}}]})");
  ASSERT_TRUE(bool(J)) << toString(J.takeError());
  EXPECT_EQ(J->Checks[0].Candidate.Launches[0].Grid, (Dim3{4, 1, 1}));
  EXPECT_EQ(J->Checks[0].Candidate.Launches[0].Block, (Dim3{32, 2, 1}));
  EXPECT_FALSE(J->Checks[0].Reference);
  EXPECT_FALSE(J->Timing);
  EXPECT_EQ(J->Compare.Mode, CompareMode::Bitwise);
}

TEST(Protocol, WhatCodeTakesForConstantIsNotFilled) {
  auto JobWith = [](StringRef Constant) {
    return parseJob(
        formatv(R"({{"id":"1","checks":[{{"name":"p","buffers":[{{"name":"b","role":"in","type":"i32",
      "count":4,"fill":{{"kind":"iota"},"symbol":"filled"}],"candidate":{{"launches":[{{"cubin":"c","symbol":"s",
      "grid":[4],"block":[32],"args":[],"unwritten_variables":["{0}"]}]}}]})",
                Constant)
            .str());
  };
  Expected<Job> Other = JobWith("other"), Filled = JobWith("filled");
  ASSERT_TRUE(bool(Other)) << toString(Other.takeError());
  EXPECT_EQ(Other->Checks[0].Candidate.Launches[0].UnwrittenVariables, std::vector<std::string>{"other"});
  EXPECT_NE(toString(Filled.takeError())
                .find("s was compiled for the initial value of the variable filled, to which the buffer b is "
                      "copied"),
            std::string::npos);
}

TEST(Protocol, ErrorsSayWhereAndWhatWasExpected) {
  struct {
    const char *From, *To, *Message;
  } const Cases[] = {
      {R"("count":16)", R"("count":-1)",
       "expected an integer of at least 0 at job.checks[0].buffers[0].count"},
      {R"("role":"in")", R"("role":"input")",
       "expected one of in, out, inout at job.checks[0].buffers[0].role"},
      {R"("structure","001fff07")", R"("structure","001fff7")", "expected bytes in hexadecimal digits"},
      {R"("structure","001fff07")", R"("structure","001fffg7")", "expected bytes in hexadecimal digits"},
      {R"("structure","001fff07")", R"("structure","")", "expected bytes in hexadecimal digits"},
      {R"("structure","001fff07")", R"("structure",7)", "expected bytes in hexadecimal digits"},
      {R"("xxh3":"abba")", R"("xxh2":"abba")", "job.checks[0].buffers[5].fill.xxh3"},
      {R"("offset":128)", R"("offset":-1)", "job.checks[0].buffers[5].fill.offset"},
      {R"("bytes":16)", R"("bytes":12)", "expected named fields that lie behind each other"},
      {R"("offset":8)", R"("offset":4)", "expected named fields that lie behind each other"},
      {R"("name":"id")", R"("name":"x")", "expected named fields that lie behind each other"},
      {R"("offset":8)", R"("offset":-8)", "job.checks[0].buffers[4].type.fields[1].offset"},
      {R"("type":"i16")", R"("type":"i17")", "expected an element type"},
      {R"([{"kind":"constant","value":0.5},{"kind":"iota"}])", R"([{"kind":"iota"}])",
       "buffer E: fill: a structure of 2 fields takes zero, a file, or fields with as many fills"},
      {R"({"kind":"iota"}])", R"({"kind":"fields","fields":[]}])",
       "buffer E: field id: fill: fields are for structures, not for i16"},
      {R"("type":"f32")", R"("type":"float")", "expected an element type"},
      {R"("grid":[32,16,2])", R"("grid":[32,0])", "expected integers from 1 to 2^32-1"},
      {R"("grid":[32,16,2])", R"("grid":[1,2,3,4])", "expected an array of one to three integers"},
      {R"("dynamic_shared_bytes":4096)", R"("dynamic_shared_bytes":4294967296)", "below 2^32"},
      {R"(["i32",-7])", R"(["i8",300])", "expected a value of the argument's type"},
      {R"(["i32",-7])", R"(["f32",1e39])", "expected a value of the argument's type"},
      {R"(["i32",-7])", R"(["u32",-7])",
       "expected a value of the argument's type at job.checks[0].candidate.launches[0].args["},
      {R"(["i32",-7])", R"(["i32"])",
       "expected [\"buffer\", index], [\"buffer\", index, offset], [type, value]"},
      {R"(["i32",-7])", R"(["i32",-7,0])", "expected [\"buffer\", index], [\"buffer\", index, offset]"},
      {R"(["i32",-7])", R"({"type":"i32","value":-7})", "expected [\"buffer\", index]"},
      {R"(["i32",-7])", R"([])", "expected [\"buffer\", index]"},
      {R"(["i32",-7])", R"([7,-7])", "expected [\"buffer\", index]"},
      {R"(["i32",-7])", R"(["i33",-7])", "expected an element type such as f32, i32 or u8 at job"},
      {R"(["buffer",0])", R"(["buffer",-1])", "expected an integer of at least 0 at job"},
      {R"(["buffer",0])", R"(["buffer",4294967296])", "expected an integer of at least 0 at job"},
      {R"(["buffer",0])", R"(["buffer",0,-8])", "expected an integer of at least 0 at job"},
      {R"(["buffer",0])", R"(["buffer",6])", "names buffer 6, but the problem has 6"},
      {R"("argument":0)", R"("argument":7)", "is copied from argument 7, counted from 0, which is no buffer"},
      {R"("argument":0)", R"("argument":1)", "is copied from argument 1, counted from 0, which is no buffer"},
      {R"("symbol":"table of A")", R"("symbol":"")", "argument 0 of _Z6matmulPf is copied to the symbol"},
      {R"("pointer_alignment":16)", R"("pointer_alignment":24)",
       "the pointer_alignment of _Z6matmulPf is 24; expected a power of two"},
      {R"("pointer_alignment":16)", R"("pointer_alignment":-16)",
       "expected an integer of at least 0 at job.checks[0].candidate.launches[0].pointer_alignment"},
      {R"(,"symbol":"table of A")", "", "constant_copies[0].symbol"},
      {R"(["buffer",0])", R"(["buffer",3])", "is the buffer D, which is copied to the symbol table"},
      {R"({"buffer":1,"xxh3":"beef"})", R"({"buffer":6,"xxh3":"beef"})",
       "expected: buffer 6, but the problem has 6 buffers"},
      {R"({"buffer":1,"xxh3":"beef"})", R"({"buffer":0,"xxh3":"beef"})",
       "expected: the buffer A is not compared; expected the role out or inout"},
      {R"({"buffer":1,"xxh3":"beef"})", R"({"buffer":1})", "job.checks[0].expected[1].xxh3"},
      {R"({"buffer":2,"launches")", R"({"buffer":6,"launches")",
       "open: buffer 6, but the problem has 6 buffers"},
      {R"({"buffer":2,"launches")", R"({"buffer":0,"launches")",
       "open: the buffer A is not compared; expected the role out or inout"},
      {R"({"buffer":2,"launches")", R"({"buffer":1,"launches")", "open: the buffer B is named twice"},
      {R"("launches":false)", R"("launches":0)", "expected boolean at job.checks[0].open[0].launches"},
      {R"("reference":)", R"("preference":)", "there is a truth but no reference"},
      {R"("role":"out")", R"("role":"out","symbol":"s")",
       "buffer C: it is copied to the symbol s; expected the role in"},
      {R"("jitter":7)", R"("jitter":-7)", "jitter of at least 0"},
      {R"("start":-3)", R"("start":-0.5)", "start -0.5 of affine"},
      {R"("start":-3,)", R"()", "fill.start"},
      {R"("count":16)", R"("count":99999999999999)", "expected 1 to 2^44 bytes"},
      {R"("count":16)", R"("count":0)", "expected 1 to 2^44 bytes"},
      {R"("value":-2)", R"("value":-200)", "from -128 to 127"},
      {R"("name":"B")", R"("name":"A")", "two buffers are called A"},
      {R"("problem":"n=4096")", R"("problem":"n=1")", "no problem among the job's checks is called n=1"},
      {R"("samples":11)", R"("samples":0)", "samples"},
      {R"("limit_ms":100)", R"("limit_ms":-1)", "limit_ms"},
      {R"("watchdog":5)", R"("watchdog":0)", "watchdog is 0.00; expected a number above 0"},
      {R"("stable_within":0.25)", R"("stable_within":1)", "expected a number from 0 to below 1"},
      {R"("max_warmup_ms":125)", R"("max_warmup_ms":-1)", "max_warmup_ms is -1.00; expected"},
      {R"("rotate":7)", R"("rotate":2000)", "expected 0 (automatic) to 1000 copies"},
      {R"("name":"two")", R"("name":"one")", "two rivals are called one"},
      {R"("kind":"run")", R"("kind":"fly")", "unknown kind fly"},
      {R"("relative":)", R"("relative":-)", "not negative"},
  };
  for (const auto &Case : Cases) {
    std::string Message = jobError(changed(Case.From, Case.To));
    EXPECT_NE(Message.find(Case.Message), std::string::npos) << Case.To << ": " << Message;
  }
  EXPECT_NE(jobError("{}").find("job.id"), std::string::npos);
  EXPECT_NE(jobError("[]").find("expected object"), std::string::npos);
  EXPECT_NE(jobError("").find("not JSON"), std::string::npos);
}

TEST(Protocol, ExtentsOfJobsMadeInAProgramAreChecked) {
  for (int64_t Extent : {int64_t(0), int64_t(-1), int64_t(1) << 32}) {
    Job J = fullJob();
    J.Checks[0].Candidate.Launches[1].Block.Y = Extent;
    TakenError Taken = takeError(validate(J));
    EXPECT_EQ(Taken.Kind, ErrorKind::Input);
    EXPECT_NE(Taken.Text.find("the block of _Z6matmulPf is 16x" + std::to_string(Extent) + "x4"),
              std::string::npos)
        << Taken.Text;
  }
  EXPECT_FALSE(errorToBool(validate(fullJob())));
}

TEST(Protocol, DeepNestingIsRefused) {
  for (const char *Open : {"[", "{\"a\":"}) {
    std::string Deep;
    for (int I = 0; I != 200000; ++I)
      Deep += Open;
    EXPECT_NE(jobError(Deep).find("nested deeper"), std::string::npos);
  }
  EXPECT_TRUE(bool(parseJson(R"({"a":"[[[[\"[["})")));
}

TEST(Protocol, NumbersThatNoDoubleHoldsAreRefused) {
  for (const char *Text : {"1e999", "[0, -1e999]", R"({"a":[{"b":1e309}]})"})
    EXPECT_NE(jobError(Text).find("does not fit in 64 bits"), std::string::npos) << Text;
  EXPECT_TRUE(bool(parseJson("[1e308, -1e308, 1e-999]")));
}

TEST(Protocol, NoDamageCrashes) {
  std::string Line = text(fullJob());
  std::mt19937 Random(1);
  unsigned Accepted = 0;
  for (int I = 0; I != 20000; ++I) {
    std::string Damaged = Line;
    for (int Edits = 1 + Random() % 3; Edits != 0; --Edits) {
      size_t At = Random() % Damaged.size();
      switch (Random() % 3) {
      case 0:
        Damaged[At] = static_cast<char>(Random());
        break;
      case 1:
        Damaged.erase(At, Random() % 20);
        break;
      case 2:
        Damaged.insert(At, Damaged.substr(Random() % Damaged.size(), Random() % 20));
        break;
      }
    }
    Expected<Job> J = parseJob(Damaged);
    Accepted += bool(J);
    if (!J)
      consumeError(J.takeError());
  }
  EXPECT_GT(Accepted, 0u);
}

TEST(Protocol, ResultsComeBackAsTheyWere) {
  Result R;
  R.Id = "x";
  R.Status = ResultStatus::Wrong;
  R.Check = CheckOutcome::Wrong;
  R.Checks = {{"n=64",
               CheckOutcome::Tolerance,
               std::nullopt,
               {{"B", "beef", std::nullopt}, {"C", "feed", Difference{9, 8, 0.1, 1e-7, 5, "1", "2"}}},
               CheckOutcome::Tolerance,
               Tolerated{"C", "atomicrmw fadd", {3, 0, 0.5, 1e-6, 2, "3", "4"}},
               Tolerated{"B", "", {1, 0, 0, 0.25, 0, "5", "6"}}},
              {"n=96",
               CheckOutcome::Wrong,
               Mismatch{MismatchKind::GuardAfter, "C", 3, "0xa5", "0x01", 9, "0xa5", CheckLink::Launch},
               {},
               CheckOutcome::Wrong}};
  R.SamplesMs = {3.3576159477233887, 1e-7};
  R.BaselineMs = {16.5};
  R.MedianMs = 1.25;
  R.BaselineMedianMs = 16.5;
  R.LaunchesPerSample = 7;
  R.Kernels = {{"k", 128, 16, 2048, 512, 3}};
  R.Message = "so\n\"so\"";
  R.RunnerEnds = true;
  Expected<Result> Back = parseResult(toLine(R));
  ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
  EXPECT_EQ(text(*Back), text(R));
  EXPECT_EQ(Back->SamplesMs, R.SamplesMs) << "to the last bit";
  EXPECT_EQ(Back->Checks[0].Outputs, R.Checks[0].Outputs);
  EXPECT_EQ(Back->Checks[0].Launch, CheckOutcome::Tolerance);
  EXPECT_EQ(Back->Checks[0].Apart, R.Checks[0].Apart);
  EXPECT_EQ(Back->Checks[0].LaunchApart, R.Checks[0].LaunchApart);
  EXPECT_EQ(Back->Checks[1].Detail->Kind, MismatchKind::GuardAfter);
  EXPECT_EQ(Back->Checks[1].Detail->Link, CheckLink::Launch);
  EXPECT_EQ(Back->Checks[1].Launch, CheckOutcome::Wrong);
  EXPECT_FALSE(bool(errorToBool(parseResult(R"({"id":"1","status":"slow"})").takeError())));
  EXPECT_TRUE(errorToBool(parseResult(R"({"id":"1","status":"slowly"})").takeError()));
}

TEST(Protocol, AMismatchSaysWhichLinkFailed) {
  Mismatch M{MismatchKind::Value, "y", 256, "1", "2", 3, "0xa5"};
  EXPECT_EQ(describe(M), "buffer y, value at 256: expected 1, got 2; 3 differ");
  M.Link = CheckLink::Launch;
  EXPECT_EQ(describe(M),
            "the kernel at this launch differs from the author's launch: buffer y, value at 256: "
            "expected 1, got 2; 3 differ");
}

TEST(Protocol, EveryStatusHasItsName) {
  for (ResultStatus Status : {ResultStatus::Ok, ResultStatus::Slow, ResultStatus::Fault, ResultStatus::Error})
    EXPECT_EQ(parseResultStatus(resultStatusName(Status)), Status);
  EXPECT_FALSE(parseResultStatus("fine"));
}

TEST(Protocol, HellosComeBackAsTheyWere) {
  Hello H{ProtocolVersion, "0.1.0", true, "", "", "NVIDIA H200", 9, 0, 13000, 132, uint64_t(150) << 30};
  H.SharedUnfilled = "the driver refuses";
  Expected<Hello> Back = parseHello(toLine(H));
  ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
  EXPECT_EQ(text(*Back), text(H));
  Hello None;
  None.Problem = "no-device";
  None.Message = "none";
  Back = parseHello(toLine(None));
  ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
  EXPECT_EQ(Back->Problem, "no-device");
  EXPECT_TRUE(errorToBool(parseHello(R"({"hello":1,"version":"1","gpu":true})").takeError()));
}

} // namespace
