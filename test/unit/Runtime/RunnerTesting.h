//===- RunnerTesting.h - Jobs for the fake driver's kernels ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_RUNTIME_RUNNERTESTING_H
#define GPUPRUNE_TEST_UNIT_RUNTIME_RUNNERTESTING_H

#include "gpuprune/Runtime/RunnerClient.h"
#include "llvm/ADT/SmallString.h"
#include "gtest/gtest.h"

namespace gpuprune::testing {

/// A directory with the fake cubin, removed at the end.
class Scratch {
public:
  Scratch();
  ~Scratch();
  std::string file(llvm::StringRef Name) const;
  std::string cubin() const { return file("fake.cubin"); }
  void write(llvm::StringRef Name, llvm::StringRef Text) const;
  std::string read(llvm::StringRef Name) const;
  std::string directory() const { return std::string(Path); }

private:
  llvm::SmallString<128> Path;
};

/// What a runner that is a shell script says first.
constexpr llvm::StringLiteral HelloText =
    R"({"hello":12,"version":"0","gpu":true,"device":"script","compute_capability":[9,0],)"
    R"("driver_version":13000,"sm_count":1,"total_memory":1})";
/// A runner that says hello, skips the control line, then does \p Body; \p Name of its file.
RunnerOptions scriptRunner(const Scratch &Files, llvm::StringRef Body, llvm::StringRef Name = "script.sh");

/// Whether the runner has kernels of its own: all tests run once more without them.
bool hasOwnKernels();
/// The lines of \p Log that begin with one of \p Words and a space.
std::string linesOf(llvm::StringRef Log, llvm::ArrayRef<llvm::StringRef> Words);

/// The real runner on the fake driver; \p Environment as for env.
std::string runnerCommand(llvm::StringRef Environment = "", llvm::StringRef Arguments = "");

/// One launch of a kernel of FakeKernels.cpp over buffers 0 and 1.
protocol::Program program(llvm::StringRef Cubin, llvm::StringRef Symbol, int Count = 1000);
/// in A, out C; \p Symbol against "right".
protocol::Problem problem(llvm::StringRef Cubin, llvm::StringRef Symbol, int Count = 1000);
protocol::Job job(llvm::StringRef Cubin, llvm::StringRef Symbol);
/// The same, timed against "right".
protocol::Job timedJob(llvm::StringRef Cubin, llvm::StringRef Symbol);

/// Runs \p Jobs with \p Options; fails the test when the client does.
std::vector<protocol::Result> runJobs(const RunnerOptions &Options, llvm::ArrayRef<protocol::Job> Jobs);
/// With the real runner.
std::vector<protocol::Result> runJobs(llvm::ArrayRef<protocol::Job> Jobs);
protocol::Result runJob(const protocol::Job &J);

} // namespace gpuprune::testing

#endif // GPUPRUNE_TEST_UNIT_RUNTIME_RUNNERTESTING_H
