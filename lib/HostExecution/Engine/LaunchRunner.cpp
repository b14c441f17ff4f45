//===- LaunchRunner.cpp - Blocks of a launch over the cores --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaunchRunner.h"
#include "RoundingScope.h"
#include "WorkerCache.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Threading.h"
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

using namespace llvm;

namespace gpuprune {

static LaunchPlan planFor(const HostLaunch &Launch, const LoadedKernel &Loaded) {
  LaunchPlan Plan;
  Plan.Kernel = Loaded.Kernel.Symbol;
  Plan.Entry = Loaded.Entry;
  for (unsigned D = 0; D < 3; ++D) {
    Plan.Grid[D] = Launch.Grid[D];
    Plan.Block[D] = Launch.Block[D];
  }
  Plan.DynamicSharedBytes = Launch.SharedBytes;
  Plan.SharedBytes = Loaded.Kernel.StaticShared + Launch.SharedBytes;
  Plan.SharedPattern = Launch.SharedPattern;
  Plan.StackBytes = Loaded.StackBytes;
  Plan.ThreadsMeet = Loaded.Kernel.ThreadsMeet;
  Plan.ScheduleSeed = Launch.ScheduleSeed;
  Plan.StepLimit = Launch.StepLimit;
  Plan.Code = Loaded.Map.range();
  Plan.WatchMemory = Loaded.WatchMemory;
  Plan.Memory = Launch.Memory;
  Plan.Variables = &Loaded.Variables;
  Plan.Trace = Launch.Trace ? &Launch.Trace : nullptr;
  return Plan;
}

namespace {

/// A launch on its way: which blocks are taken, what has come of them.
class RunningLaunch {
public:
  RunningLaunch(const HostLaunch &Launch, const LoadedKernel &Loaded);
  Expected<LaunchReport> run();

private:
  const HostLaunch &Launch;
  const LoadedKernel &Loaded;
  LaunchPlan Plan;
  std::vector<const void *> Arguments;
  uint64_t Blocks = 0;
  std::atomic<uint64_t> NextBlock = 0;
  std::atomic<uint64_t> FirstFault = std::numeric_limits<uint64_t>::max();
  std::atomic<bool> Stop = false;

  std::mutex Access; ///< Of what follows.
  std::condition_variable Ending;
  bool Ended = false;
  LaunchReport Report;
  std::map<uint64_t, std::string> Output; ///< By index of the block.
  std::vector<pthread_t> Running;

  uint64_t blockAt(uint64_t Index) const {
    return Launch.BlockSubset.empty() ? Index : Launch.BlockSubset[Index];
  }
  Error prepareWorkers(std::vector<BorrowedWorker> &Workers);
  void runAll(std::vector<BorrowedWorker> &Workers);
  void work(Worker &W);
  void keep(uint64_t Index, Worker &W, const std::optional<RawFault> &Raw);
  void keepFault(uint64_t Index, const RawFault &Raw);
  void checkEnd();
  void watch();
};

/// The calling thread in a list, for as long as it may be interrupted.
class Registered {
public:
  Registered(std::mutex &Access, std::vector<pthread_t> &List) : Access(Access), List(List) {
    std::lock_guard<std::mutex> Lock(Access);
    List.push_back(pthread_self());
  }
  ~Registered() {
    std::lock_guard<std::mutex> Lock(Access);
    erase_if(List, [](pthread_t T) { return pthread_equal(T, pthread_self()); });
  }

private:
  std::mutex &Access;
  std::vector<pthread_t> &List;
};

} // namespace

RunningLaunch::RunningLaunch(const HostLaunch &Launch, const LoadedKernel &Loaded)
    : Launch(Launch), Loaded(Loaded), Plan(planFor(Launch, Loaded)) {
  for (const std::vector<char> &Bytes : Launch.Arguments)
    Arguments.push_back(Bytes.data());
  Plan.Arguments = Arguments.data();
  Plan.Stop = &Stop;
  Blocks = Launch.BlockSubset.empty() ? Plan.blocks() : Launch.BlockSubset.size();
}

void RunningLaunch::keepFault(uint64_t Index, const RawFault &Raw) {
  if (Index >= FirstFault)
    return;
  FirstFault = Index;
  Report.Fault = describeFault(Raw, Plan, Loaded, Launch.Memory, blockAt(Index));
}

void RunningLaunch::keep(uint64_t Index, Worker &W, const std::optional<RawFault> &Raw) {
  if (!Raw && W.Output.empty()) {
    ++W.BlocksDone;
    return;
  }
  std::lock_guard<std::mutex> Lock(Access);
  if (!W.Output.empty())
    Output[Index] = std::move(W.Output);
  if (Raw)
    keepFault(Index, *Raw);
  else
    ++W.BlocksDone;
}

/// Blocks after one with a fault are not begun; those before it are finished, so
/// that the fault reported is always the same.
void RunningLaunch::work(Worker &W) {
  RoundingScope Scope(Launch.Round);
  AlternateStack Stack;
  Registered Here(Access, Running);
  for (uint64_t Index; (Index = NextBlock++) < Blocks && Index < FirstFault && !Stop;)
    keep(Index, W, W.runBlock(blockAt(Index)));
}

/// Stops the launch when its time is up.
void RunningLaunch::watch() {
  using namespace std::chrono;
  std::unique_lock<std::mutex> Lock(Access);
  auto HasEnded = [this] { return Ended; };
  if (Ending.wait_for(Lock, duration<double>(Launch.TimeLimit), HasEnded))
    return;
  Stop = true;
  do { // A thread that is in the runtime just now is asked again.
    for (pthread_t Thread : Running)
      interruptKernel(Thread);
  } while (!Ending.wait_for(Lock, milliseconds(2), HasEnded));
}

Error RunningLaunch::prepareWorkers(std::vector<BorrowedWorker> &Workers) {
  // What the system lets a process map: each stack and its guard count twice.
  constexpr uint64_t MaxStacks = 16384;
  uint64_t Wanted = Launch.Workers ? Launch.Workers : hardware_concurrency().compute_thread_count();
  if (Launch.Memory && Launch.Memory->isLazy())
    Wanted = 1;
  uint64_t Stacks = Plan.ThreadsMeet ? Plan.threads() : 1;
  uint64_t Count = std::max<uint64_t>(1, std::min({Wanted, Blocks, MaxStacks / Stacks}));
  for (uint64_t I = 0; I < Count; ++I)
    if (Error E = Workers.emplace_back()->prepare(Plan, I, Count))
      return makeError(ErrorKind::Resources, toString(std::move(E)));
  return Error::success();
}

void RunningLaunch::runAll(std::vector<BorrowedWorker> &Workers) {
  SignalHandlers Handlers;
  std::thread Watch;
  if (Launch.TimeLimit > 0)
    Watch = std::thread([this] { watch(); });
  std::vector<std::thread> Others;
  for (BorrowedWorker &W : drop_begin(Workers))
    Others.emplace_back([this, &W] { work(*W); });
  work(*Workers.front());
  for (std::thread &T : Others)
    T.join();
  {
    std::lock_guard<std::mutex> Lock(Access);
    Ended = true;
  }
  Ending.notify_all();
  if (Watch.joinable())
    Watch.join();
}

/// What can only be seen when all blocks have stopped.
void RunningLaunch::checkEnd() {
  if (Report.Fault)
    return;
  if (Stop) // Between two blocks.
    return keepFault(std::min(NextBlock.load(), Blocks) - 1,
                     {FaultKind::TimeLimit, 0, std::nullopt, std::nullopt, 0, "the time limit is up"});
  for (const GuardedMemory *Memory : {Launch.Memory, &Loaded.Variables})
    if (std::optional<BufferPlace> Place = Memory ? Memory->findOverwrittenGuard() : std::nullopt) {
      HostFault &Fault = Report.Fault.emplace();
      Fault.Kind = FaultKind::Guard;
      Fault.Kernel = Plan.Kernel;
      Fault.Place = Place;
      Fault.Message = formatv("kernel '{0}': something was written beside '{1}', at byte {2} of its {3}",
                              Plan.Kernel, Place->Buffer, Place->Offset, Place->BufferBytes);
      return;
    }
}

Expected<LaunchReport> RunningLaunch::run() {
  std::vector<BorrowedWorker> Workers;
  if (Error E = prepareWorkers(Workers))
    return std::move(E);
  runAll(Workers);
  checkEnd();
  for (BorrowedWorker &W : Workers) {
    Report.Blocks += W->BlocksDone;
    Report.Switches += W->Fibers.switches();
  }
  Report.Threads = Report.Blocks * Plan.threads();
  for (const auto &[Index, Text] : Output)
    if (Index <= FirstFault)
      Report.Output += Text;
  return std::move(Report);
}

Expected<LaunchReport> runLaunch(const HostLaunch &Launch, const LoadedKernel &Loaded) {
  return RunningLaunch(Launch, Loaded).run();
}

} // namespace gpuprune
