//===- UnwrittenReads.cpp - What a sequence reads that nothing wrote -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "UnwrittenReads.h"
#include "gpuprune/Check/HostRuns.h"
#include "gpuprune/HostExecution/WatchedLaunch.h"
#include "gpuprune/Support/Listed.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <set>

using namespace llvm;

namespace gpuprune {

/// Seconds that all launches together may take: they only explain what is known to be wrong.
static constexpr double LongestLook = 60;
/// Ranges of elements that a message names.
static constexpr size_t MostRanges = 3;

namespace {

/// A buffer that begins with nothing in it.
struct WrittenSoFar {
  std::vector<uint8_t> Bytes;  ///< One for each of the buffer's; not 0: written, or padding.
  std::set<unsigned> Launches; ///< That have written something to it, by index of Workload::Launches.
};

/// The launches in front of a read, one after the other.
class WatchedSequence {
public:
  WatchedSequence(const Workload &W, HostProblem Problem, PreparedKernels Kernels)
      : W(W), Problem(std::move(Problem)), Kernels(Kernels) {
    for (const auto &[Index, Shape] : enumerate(this->Problem.buffers()))
      if (Shape.Role == BufferRole::Out)
        Written[Index].Bytes = paddingOf(Shape);
  }

  /// Runs \p Author. False: no other launch can be run after it; what it reads that nobody has written is in
  /// message().
  bool run(const ResolvedLaunch &Author, double Seconds);
  const std::string &message() const { return Message; }

private:
  const Workload &W;
  HostProblem Problem;
  PreparedKernels Kernels;
  std::map<unsigned, std::unique_ptr<HostProgram>> Programs; ///< By index of Workload::Launches.
  std::map<size_t, WrittenSoFar> Written;                    ///< By index of the problem's buffers.
  std::string Message;

  static std::vector<uint8_t> paddingOf(const ResolvedBuffer &Shape);
  HostProgram *programOf(unsigned Launch);
  void takeOver(const ResolvedLaunch &Author, const HostBuffers &Buffers);
  void describe(const ResolvedLaunch &Author, const HostFault &Fault);
  std::string nameIn(const ResolvedLaunch &Author, size_t Index) const;
  std::string writtenText(const ResolvedBuffer &Shape, const WrittenSoFar &Of) const;
};

} // namespace

/// A byte for each of \p Shape: 1 where it is padding, which is read with what lies around it.
std::vector<uint8_t> WatchedSequence::paddingOf(const ResolvedBuffer &Shape) {
  std::vector<uint8_t> Fields(Shape.Bytes, 1);
  clearPadding(Shape.Type, Fields);
  for (uint8_t &Byte : Fields)
    Byte = !Byte;
  return Fields;
}

HostProgram *WatchedSequence::programOf(unsigned Launch) {
  std::unique_ptr<HostProgram> &Program = Programs[Launch];
  if (!Program) {
    const BuiltVariant &Kernel = Kernels(Launch);
    if (Error E = compileForCpu(Kernel.FinalBitcode, Kernel.Symbol, /*IsStock=*/false, /*Watch=*/true)
                      .moveInto(Program))
      consumeError(std::move(E));
  }
  return Program.get();
}

/// What \p Author has left in \p Buffers, and what of it is written now.
void WatchedSequence::takeOver(const ResolvedLaunch &Author, const HostBuffers &Buffers) {
  for (auto &[Index, Of] : Written) {
    ArrayRef<uint8_t> Now = Buffers.written(Index);
    if (Now == ArrayRef(Of.Bytes))
      continue;
    Of.Bytes = Now.vec();
    Of.Launches.insert(Author.Spec);
  }
  for (const ResolvedArgument &A : Author.Arguments)
    if (A.Buffer && Problem.buffers()[*A.Buffer].Role != BufferRole::In) {
      std::vector<uint8_t> Bytes = Buffers.bytes(*A.Buffer)->vec();
      Problem.takeOver(*A.Buffer, Bytes, Bytes);
    }
}

bool WatchedSequence::run(const ResolvedLaunch &Author, double Seconds) {
  HostProgram *Program = programOf(Author.Spec);
  if (!Program)
    return false;
  Expected<HostBuffers> Buffers = HostBuffers::create(Problem, *Program, FillPatterns[0]);
  if (!Buffers) {
    consumeError(Buffers.takeError());
    return false;
  }
  for (const auto &[Index, Of] : Written)
    Buffers->markUnwritten(Index, Of.Bytes);
  HostLaunch Launch = Buffers->launch(Author, asWritten(authorLaunch(Author)));
  Launch.Kernel = Kernels(Author.Spec).Symbol;
  Launch.TimeLimit = Seconds;
  Launch.Workers = 1;
  Expected<std::optional<HostFault>> Fault =
      findMemoryFault(*Program, std::move(Launch), Buffers->memory(), {});
  if (!Fault) {
    consumeError(Fault.takeError());
    return false;
  }
  if (*Fault) {
    if ((*Fault)->Kind == FaultKind::Unwritten && (*Fault)->Place)
      describe(Author, **Fault);
    return false;
  }
  takeOver(Author, *Buffers);
  return true;
}

/// "launch 1 writes elements 0 to 511"; an element counts where all of it is written.
std::string WatchedSequence::writtenText(const ResolvedBuffer &Shape, const WrittenSoFar &Of) const {
  if (Of.Launches.empty())
    return "no launch has written any of it";
  std::vector<std::string> Ranges, Who;
  uint64_t Bytes = Shape.Type.bytes();
  auto IsWritten = [&](uint64_t Element) {
    auto Begin = Of.Bytes.begin() + Element * Bytes;
    return std::all_of(Begin, Begin + Bytes, [](uint8_t Byte) { return Byte != 0; });
  };
  for (uint64_t Begin = 0; Begin != Shape.Count && Ranges.size() <= MostRanges; ++Begin) {
    uint64_t End = Begin;
    while (End != Shape.Count && IsWritten(End))
      ++End;
    if (End == Begin)
      continue;
    Ranges.push_back(End == Begin + 1 ? formatv("{0}", Begin).str()
                                      : formatv("{0} to {1}", Begin, End - 1).str());
    Begin = End - 1;
  }
  if (Ranges.size() > MostRanges)
    Ranges.back() = "…";
  for (unsigned Launch : Of.Launches)
    Who.push_back(formatv("launch {0}", Launch + 1));
  return formatv("{0} write{1} {2}", listed(Who, "and"), Who.size() == 1 ? "s" : "",
                 Ranges.empty() ? "parts of elements" : "elements " + join(Ranges, ", "));
}

/// The buffer at \p Index as \p Author has it, "'t' (temp)": swaps give memory other names, and what it holds
/// in the beginning is said of the first one.
std::string WatchedSequence::nameIn(const ResolvedLaunch &Author, size_t Index) const {
  const std::string &First = Problem.buffers()[Index].FirstName;
  auto Spec = find_if(W.Buffers, [&](const BufferSpec &B) { return B.Name == First; });
  StringRef Role = Spec != W.Buffers.end() && Spec->Temporary ? "temp" : "out";
  for (const auto &[Argument, Written] : zip_equal(Author.Arguments, W.Launches[Author.Spec].Arguments))
    if (Argument.Buffer && *Argument.Buffer == Index && W.Buffers[*Written.Buffer].Name != First)
      return formatv("'{0}', which began as '{1}' ({2})", W.Buffers[*Written.Buffer].Name, First, Role);
  return formatv("'{0}' ({1})", First, Role);
}

void WatchedSequence::describe(const ResolvedLaunch &Author, const HostFault &Fault) {
  auto Read = find_if(
      Written, [&](const auto &Each) { return Problem.buffers()[Each.first].Name == Fault.Place->Buffer; });
  if (Read == Written.end())
    return; // Shared memory.
  const auto &[Index, Of] = *Read;
  const ResolvedBuffer &Shape = Problem.buffers()[Index];
  uint64_t Offset = Fault.Place->Offset;
  StringRef Field = Shape.Type.isStructure() ? StringRef(Shape.Type.fields()[Shape.Type.fieldAt(Offset)].Name)
                                             : StringRef();
  std::string Iteration = Author.Iteration.empty() ? "" : " at " + Author.Iteration;
  std::string At = Fault.Line ? formatv(", {0}:{1},", Fault.File, Fault.Line).str() : "";
  Message = formatv("launch {0} ('{1}'){2}{3} reads element {4}{5} of {6}, which no launch before it has "
                    "written ({7})",
                    Author.Spec + 1, Author.Kernel, Iteration, At, Offset / Shape.Type.bytes(),
                    protocol::fieldText(Field), nameIn(Author, Index), writtenText(Shape, Of));
}

std::string firstUnwrittenRead(const Workload &W, const ResolvedProblem &Problem, PreparedKernels Kernels) {
  Expected<HostProblem> Start = HostProblem::create(Problem);
  if (!Start) {
    consumeError(Start.takeError());
    return "";
  }
  WatchedSequence Sequence(W, std::move(*Start), Kernels);
  auto Begun = std::chrono::steady_clock::now();
  for (const ResolvedLaunch &Author : Problem.Launches) {
    double Left =
        LongestLook - std::chrono::duration<double>(std::chrono::steady_clock::now() - Begun).count();
    if (Left <= 0 || !Sequence.run(Author, Left))
      break;
  }
  return Sequence.message();
}

} // namespace gpuprune
