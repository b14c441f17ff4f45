//===- CpuTimes.cpp - Times of CPU versions ---------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Evaluate/CpuTimes.h"
#include "CsvCells.h"
#include "gpuprune/Evaluate/RyooApplications.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuprune {

static constexpr StringLiteral Columns = "application,size,cpu,threads,flags,ms";

static Error expected(const Twine &What, StringRef There, const Twine &Wanted) {
  return makeError(ErrorKind::Input, What + " '" + There + "'; expected " + Wanted);
}

static Error checkSize(StringRef Name, StringRef Size) {
  const auto *Application =
      find_if(ryooApplications(), [&](const RyooApplication &A) { return A.Kernel == Name; });
  if (Application == ryooApplications().end())
    return expected("application", Name, "matmul, cp, sad or mri-fhd");
  if (Size != Application->Size)
    return expected(Name + " of", Size, "'" + Application->Size + "'");
  return Error::success();
}

/// \p Known is what the first line had.
static Error sameOnAllLines(StringRef Column, StringRef There, std::string &Known) {
  if (There.empty())
    return expected(Column, There, "a name");
  if (Known.empty())
    Known = There.str();
  return There == Known ? Error::success()
                        : expected(Column, There, "'" + Known + "' as on the lines before");
}

static Error addCells(ArrayRef<std::string> Cells, CpuTimes &Times) {
  if (Cells.size() != 6)
    return makeError(ErrorKind::Input, Twine(Cells.size()) + " cells; expected 6: " + Columns);
  StringRef Name = Cells[0];
  if (Error E = checkSize(Name, Cells[1]))
    return E;
  if (Error E = sameOnAllLines("cpu", Cells[2], Times.Cpu))
    return E;
  unsigned Threads = 0;
  if (StringRef(Cells[3]).getAsInteger(10, Threads) || Threads == 0)
    return expected("threads", Cells[3], "a positive integer");
  if (Error E = sameOnAllLines("flags", Cells[4], Times.Flags))
    return E;
  double Ms = 0;
  if (StringRef(Cells[5]).getAsDouble(Ms) || !std::isfinite(Ms) || Ms <= 0)
    return expected("ms", Cells[5], "a positive number");
  if (!Times.Ms[Name.str()].try_emplace(Threads, Ms).second)
    return makeError(ErrorKind::Input,
                     "a second time of " + Name + " with threads = " + Twine(Threads) + "; expected one");
  Times.Threads = std::max(Times.Threads, Threads);
  return Error::success();
}

/// One thread and all, of each application.
static Error checkComplete(CpuTimes &Times) {
  for (const RyooApplication &A : ryooApplications()) {
    const std::map<unsigned, double> &Of = Times.Ms[A.Kernel.str()];
    for (unsigned Threads : {1u, Times.Threads})
      if (!Of.contains(Threads))
        return makeError(ErrorKind::Input,
                         "no time of " + A.Kernel + " with threads = " + Twine(Threads) + "; expected one");
    for (const auto &[Threads, Ms] : Of)
      if (Threads != 1 && Threads != Times.Threads)
        return makeError(ErrorKind::Input, "times of " + A.Kernel + " with threads = " + Twine(Threads) +
                                               "; expected 1 and " + Twine(Times.Threads) + " alone");
  }
  return Error::success();
}

Expected<CpuTimes> readCpuTimes(StringRef Text) {
  SmallVector<StringRef> Lines;
  Text.rtrim().split(Lines, '\n');
  if (Lines.front().rtrim() != Columns)
    return makeError(ErrorKind::Input, "line 1: no table of CPU times; expected '" + Columns + "'");
  CpuTimes Times;
  for (auto [Index, Line] : drop_begin(enumerate(Lines)))
    if (Error E = addCells(csvCells(Line.rtrim()), Times)) {
      TakenError Taken = takeError(std::move(E));
      return makeError(Taken.Kind, "line " + Twine(Index + 1) + ": " + Taken.Text);
    }
  if (Error E = checkComplete(Times))
    return std::move(E);
  return Times;
}

} // namespace gpuprune
