//===- Interrupt.cpp - Leaving nothing behind when stopped ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/Interrupt.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include <algorithm>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace gpuprune {

namespace {

struct Leftovers {
  std::mutex Lock;
  std::set<std::string> Folders;
  std::set<int> Processes;
  std::string LastWords;
};

/// Never destroyed: the cleaning thread may outlive main's objects.
Leftovers &all() {
  static Leftovers *L = new Leftovers;
  return *L;
}

int Pipe[2] = {-1, -1};

/// All that a signal handler may do.
void tellCleaner(int Signal) {
  char Byte = static_cast<char>(Signal);
  [[maybe_unused]] ssize_t Written = ::write(Pipe[1], &Byte, 1);
}

/// Ends the children and waits a moment for them, since they write into the
/// folders. They are reaped by the threads that wait for them.
void endProcesses(const std::set<int> &Processes) {
  for (int Id : Processes)
    ::kill(Id, SIGTERM);
  auto Lives = [](int Id) { return ::kill(Id, 0) == 0; };
  for (int Tries = 0; Tries < 100 && std::any_of(Processes.begin(), Processes.end(), Lives); ++Tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

void cleanUpAndEnd(int Signal) {
  Leftovers &L = all();
  L.Lock.lock(); // For good, see Interrupt.h.
  endProcesses(L.Processes);
  for (const std::string &Folder : L.Folders)
    (void)sys::fs::remove_directories(Folder); // What cannot be removed is left.
  ::signal(SIGPIPE, SIG_IGN);                  // The process ends by Signal, even if nobody reads this.
  [[maybe_unused]] ssize_t Written = ::write(STDERR_FILENO, L.LastWords.data(), L.LastWords.size());
  sys::RunInterruptHandlers();
  ::signal(Signal, SIG_DFL);
  ::raise(Signal);
  ::_exit(128 + Signal);
}

} // namespace

void cleanUpOnInterrupt() {
  ::signal(SIGXFSZ, SIG_IGN);
  if (::pipe2(Pipe, O_CLOEXEC) != 0)
    return; // Without it a stopped run leaves its folder, and works otherwise.
  std::thread([] {
    char Signal = 0;
    while (::read(Pipe[0], &Signal, 1) != 1)
      ;
    cleanUpAndEnd(Signal);
  }).detach();
  struct sigaction Action = {};
  Action.sa_handler = tellCleaner;
  Action.sa_flags = SA_RESTART;
  for (int Signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction Before = {};
    ::sigaction(Signal, nullptr, &Before);
    if (Before.sa_handler != SIG_IGN) // nohup's wish is kept.
      ::sigaction(Signal, &Action, nullptr);
  }
}

void setLastWords(std::string Text) {
  std::lock_guard<std::mutex> Guard(all().Lock);
  all().LastWords = std::move(Text);
}

namespace leftovers {

std::string addFolder(function_ref<std::string()> Make) {
  std::lock_guard<std::mutex> Guard(all().Lock);
  std::string Path = Make();
  if (!Path.empty())
    all().Folders.insert(Path);
  return Path;
}

void removeFolder(StringRef Path) {
  (void)sys::fs::remove_directories(Path);
  std::lock_guard<std::mutex> Guard(all().Lock);
  all().Folders.erase(Path.str());
}

int addProcess(function_ref<int()> Start) {
  std::lock_guard<std::mutex> Guard(all().Lock);
  int Id = Start();
  if (Id != 0)
    all().Processes.insert(Id);
  return Id;
}

void forgetProcess(int Id) {
  std::lock_guard<std::mutex> Guard(all().Lock);
  all().Processes.erase(Id);
}

} // namespace leftovers

} // namespace gpuprune
