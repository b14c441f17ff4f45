//===- Progress.cpp - How far a long run is ---------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Progress.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

/// How long a line stays before the next one.
static constexpr std::chrono::milliseconds TerminalPeriod(100), PlainPeriod(5000);

Progress::Progress(raw_fd_ostream &OS, bool Quiet) : Progress(OS, Quiet, /*Held=*/false) {}

Progress::Progress(raw_fd_ostream &OS, bool Quiet, bool Held)
    : OS(OS), Quiet(Quiet), Terminal(OS.is_displayed()), Held(Held) {}

Progress::~Progress() { end(); }

void Progress::begin(StringRef Name, size_t Steps) {
  end();
  std::lock_guard<std::mutex> Guard(Lock);
  PhaseName = Name.str();
  Note.clear();
  Beside.clear();
  Done = 0;
  Total = Steps;
  Begun = Shown = Clock::now();
}

void Progress::step(StringRef NewNote) {
  std::lock_guard<std::mutex> Guard(Lock);
  ++Done;
  if (!NewNote.empty())
    Note = NewNote.str();
  showInTime();
}

void Progress::beside(StringRef Of, StringRef What) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (PhaseName != Of)
    return;
  Beside = What.str();
  showInTime();
}

void Progress::end() {
  std::lock_guard<std::mutex> Guard(Lock);
  if (!PhaseName.empty())
    show(/*Last=*/true);
  PhaseName.clear();
}

void Progress::release() {
  std::lock_guard<std::mutex> Guard(Lock);
  Held = false;
  for (const std::string &Line : std::exchange(Waiting, {}))
    write(Line);
}

void Progress::say(const Twine &Line) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (!Quiet)
    add(Line.str());
}

void Progress::warn(const Twine &Line) {
  std::lock_guard<std::mutex> Guard(Lock);
  add(Line.str());
}

void Progress::add(std::string Line) {
  if (Held)
    Waiting.push_back(std::move(Line));
  else
    write(Line);
}

void Progress::write(StringRef Line) {
  if (Open)
    OS << '\n';
  Open = false;
  OS << Line << '\n';
}

std::string Progress::line() const {
  double Seconds = std::chrono::duration<double>(Clock::now() - Begun).count();
  std::string Count = formatv("{0}/{1}", Done, Total);
  return formatv("{0,-10} {1,11} {2,8} {3}{4}{5}", PhaseName, Count,
                 Seconds > 0 ? formatv("{0:F1}/s", Done / Seconds).str() : "", Beside,
                 Beside.empty() || Note.empty() ? "" : "  ", Note);
}

void Progress::showInTime() {
  if (Clock::now() - Shown >= (Terminal ? TerminalPeriod : PlainPeriod))
    show(/*Last=*/false);
}

void Progress::show(bool Last) {
  if (Quiet || Held)
    return;
  Shown = Clock::now();
  if (!Terminal) {
    OS << StringRef(line()).rtrim() << '\n';
    return;
  }
  OS << "\r\033[K" << line();
  Open = !Last;
  if (Last)
    OS << '\n';
  OS.flush();
}

} // namespace gpuprune
