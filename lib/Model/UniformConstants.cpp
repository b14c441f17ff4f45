//===- UniformConstants.cpp - Constants through the uniform datapath --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Model/UniformConstants.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <set>

using namespace llvm;

namespace gpuprune {

static constexpr int LineBytes = 64, Sets = 8, Ways = 4;

static int lineOf(int Offset) { return int(divideFloorSigned(Offset, LineBytes)); }

namespace {

/// What the loads of one loop by one register touch in an iteration. The first is taken to begin a line.
class LoadsByRegister {
public:
  void add(int Offset, int Bytes) {
    Offsets.push_back(Offset);
    End = std::max(End, Offset + Bytes);
  }
  int bytes() const { return End - first(); }
  double lines() const { return std::ceil(double(bytes()) / LineBytes); }
  /// Of the lines in use, how many are new in an iteration: what it touches is what it moves on by.
  double newShare() const { return std::min(1.0, double(bytes()) / LineBytes); }
  /// Lines in use at a time, by set: a line that the offsets divide is in two.
  std::array<double, Sets> linesInUse() const {
    std::set<std::pair<int, int>> Pieces;
    for (int Offset : Offsets)
      Pieces.emplace(lineOf(Offset), lineOf(Offset - first()));
    std::array<double, Sets> InUse{};
    for (auto [Line, Piece] : Pieces)
      ++InUse[size_t(Line & (Sets - 1))];
    return InUse;
  }

private:
  std::vector<int> Offsets;
  int End = INT16_MIN;

  int first() const { return *min_element(Offsets); }
};

/// One loop, without those inside it.
class LoopOfLoads {
public:
  void add(const DecodedInstruction &I) {
    for (const RegisterRange &R : I.Reads)
      if (R.File == RegisterFile::Uniform)
        ByRegister[R.First].add(*I.ConstantOffset, I.AccessBytes);
  }
  double missedIn(const PartitionWarps &Warps, double TableLines) const;

private:
  std::map<uint8_t, LoadsByRegister> ByRegister;
};

} // namespace

/// Lines missed by a warp in an iteration. A line in use is found again where no more than the ways have been
/// loaded into its set since. Among more, which are used in any order, each is as likely there as any other;
/// and so it is with a line that is new to the warp, among all of the table that come into the set.
double LoopOfLoads::missedIn(const PartitionWarps &Warps, double TableLines) const {
  std::array<double, Sets> InUse{};
  double Touched = 0;
  for (const auto &[Register, Loads] : ByRegister) {
    for (auto [Sum, Lines] : zip_equal(InUse, Loads.linesInUse()))
      Sum += Lines;
    Touched += Loads.lines();
  }
  double Missed = 0;
  for (const auto &[Register, Loads] : ByRegister)
    for (auto [All, Lines] : zip_equal(InUse, Loads.linesInUse())) {
      if (Lines == 0)
        continue;
      double OfTable = TableLines * std::min(1.0, All / Touched);
      double Rivals = std::min(All * Warps.Blocks, OfTable);
      double IsNew = Loads.newShare();
      Missed += Lines * (IsNew * (1 - std::min(1.0, Ways / OfTable)) +
                         (1 - IsNew) * (1 - std::min(1.0, Ways / Rivals)));
    }
  return Missed / Warps.OfBlock;
}

static bool isByRegister(const DecodedInstruction &I, RegisterFile File) {
  return I.ConstantOffset && any_of(I.Reads, [&](const RegisterRange &R) { return R.File == File; });
}

UniformConstants uniformConstants(const KernelCode &Code, const FlowGraph &Machine,
                                  const MachineExecutions &Executions, const PartitionWarps &Warps,
                                  double TableLines) {
  std::vector<LoopOfLoads> Loops(Machine.Loops.size());
  double Uniform = 0, Others = 0;
  for (size_t Block = 0; Block != Machine.Blocks.size(); ++Block) {
    std::optional<size_t> Loop = Executions.Innermost[Block];
    double Times = Executions.OfBlock[Block];
    if (!Loop || Times <= 0)
      continue;
    const FlowBlock &B = Machine.Blocks[Block];
    for (const DecodedInstruction &I : ArrayRef(Code.Instructions).slice(B.Begin, B.End - B.Begin)) {
      if (I.isNamed("ULDC") && isByRegister(I, RegisterFile::Uniform)) {
        Uniform += Times;
        if (Times >= Executions.Iterations[*Loop] / 2)
          Loops[*Loop].add(I);
      } else if (isByRegister(I, RegisterFile::General)) {
        Others += Times;
      }
    }
  }
  UniformConstants Found;
  for (auto [Loop, Iterations] : zip_equal(Loops, Executions.Iterations))
    Found.Missed += Iterations * Loop.missedIn(Warps, TableLines);
  Found.Share = Uniform > 0 ? Uniform / (Uniform + Others) : 0;
  return Found;
}

} // namespace gpuprune
