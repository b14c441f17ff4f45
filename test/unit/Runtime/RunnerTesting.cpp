//===- RunnerTesting.cpp - Jobs for the fake driver's kernels -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunnerTesting.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;

namespace gpuprune::testing {

Scratch::Scratch() {
  EXPECT_FALSE(sys::fs::createUniqueDirectory("gpuprune-runtime", Path));
  write("fake.cubin", "FAKECUBIN");
}

Scratch::~Scratch() { sys::fs::remove_directories(Path); }

std::string Scratch::file(StringRef Name) const {
  SmallString<128> Full(Path);
  sys::path::append(Full, Name);
  return std::string(Full);
}

void Scratch::write(StringRef Name, StringRef Text) const {
  std::error_code Failed;
  raw_fd_ostream(file(Name), Failed) << Text;
  EXPECT_FALSE(Failed);
}

std::string Scratch::read(StringRef Name) const {
  auto Buffer = MemoryBuffer::getFile(file(Name));
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

RunnerOptions scriptRunner(const Scratch &Files, StringRef Body, StringRef Name) {
  Files.write(Name, formatv("echo '{0}'\nread control\n{1}\n", HelloText, Body).str());
  RunnerOptions Options;
  Options.Commands = {"sh " + Files.file(Name)};
  return Options;
}

bool hasOwnKernels() { return std::getenv("FAKE_CUDA_NO_JIT") == nullptr; }

std::string linesOf(StringRef Log, ArrayRef<StringRef> Words) {
  std::string Lines;
  for (StringRef Line : split(Log, '\n'))
    if (is_contained(Words, Line.split(' ').first))
      Lines += (Line + "\n").str();
  return Lines;
}

std::string runnerCommand(StringRef Environment, StringRef Arguments) {
  return formatv("env GPUPRUNE_CUDA_DRIVER={0} {1} {2} {3}", GPUPRUNE_FAKE_CUDA, Environment, GPUPRUNE_RUNNER,
                 Arguments);
}

Program program(StringRef Cubin, StringRef Symbol, int Count) {
  Launch L;
  L.Cubin = Cubin;
  L.Symbol = Symbol;
  L.Grid = {8, 1, 1};
  L.Block = {128, 1, 1};
  L.Args = {protocol::Argument::buffer(0), protocol::Argument::buffer(1),
            protocol::Argument::integer(ElementType::I32, Count)};
  return {{L}};
}

Problem problem(StringRef Cubin, StringRef Symbol, int Count) {
  Problem P;
  P.Name = formatv("n={0}", Count);
  Fill Uniform;
  Uniform.Kind = FillKind::Uniform;
  Uniform.Low = 0.5;
  Uniform.High = 1.5;
  Uniform.Seed = 7;
  P.Buffers = {{"A", ElementType::F32, uint64_t(Count), Uniform, BufferRole::In},
               {"C", ElementType::F32, uint64_t(Count), Fill(), BufferRole::Out}};
  P.Candidate = program(Cubin, Symbol, Count);
  P.Reference = program(Cubin, "right", Count);
  return P;
}

Job job(StringRef Cubin, StringRef Symbol) {
  Job J;
  J.Id = Symbol;
  J.Checks = {problem(Cubin, Symbol)};
  return J;
}

Job timedJob(StringRef Cubin, StringRef Symbol) {
  Job J = job(Cubin, Symbol);
  J.Timing.emplace();
  J.Timing->Problem = J.Checks.front().Name;
  J.Timing->Baseline = program(Cubin, "right");
  J.Timing->Samples = 5;
  return J;
}

std::vector<Result> runJobs(const RunnerOptions &Options, ArrayRef<Job> Jobs) {
  std::vector<Result> Results;
  auto Client = RunnerClient::start(Options);
  if (!Client) {
    ADD_FAILURE() << toString(Client.takeError());
    return Results;
  }
  if (Error E = (*Client)->run(Jobs, [&](const Result &R) { Results.push_back(R); }))
    ADD_FAILURE() << toString(std::move(E));
  EXPECT_EQ(Results.size(), Jobs.size());
  return Results;
}

std::vector<Result> runJobs(ArrayRef<Job> Jobs) {
  RunnerOptions Options;
  Options.Commands = {runnerCommand()};
  return runJobs(Options, Jobs);
}

Result runJob(const Job &J) {
  std::vector<Result> Results = runJobs({J});
  return Results.empty() ? Result() : Results.front();
}

} // namespace gpuprune::testing
