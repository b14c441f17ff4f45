//===- JobValidation.cpp - What a job must fulfil beyond its types --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "JsonFields.h"
#include "gpuprune/Runtime/Fill.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace llvm;

namespace gpuprune::protocol {

namespace {

constexpr uint32_t MaxCopies = 1000;
constexpr size_t MaxRivals = 100;

template <typename... Ts> Error invalid(const char *Format, Ts &&...Values) {
  return makeError(ErrorKind::Input, formatv(Format, std::forward<Ts>(Values)...));
}

/// Whether a grid or a block may have \p Value blocks or threads in one dimension.
bool isExtent(int64_t Value) { return Value >= 1 && Value <= std::numeric_limits<uint32_t>::max(); }

Error validateExtent(const Dim3 &D, StringRef What, StringRef Symbol, const Twine &Where) {
  if (isExtent(D.X) && isExtent(D.Y) && isExtent(D.Z))
    return Error::success();
  return invalid("{0}: the {1} of {2} is {3}x{4}x{5}; expected integers from 1 to 2^32-1", Where.str(), What,
                 Symbol, D.X, D.Y, D.Z);
}

Error validateConstants(const Launch &L, const Twine &Where) {
  StringSet<> Symbols;
  for (const ConstantCopy &Copy : L.ConstantCopies) {
    if (Copy.Argument >= L.Args.size() || !L.Args[Copy.Argument].Buffer)
      return invalid(
          "{0}: the symbol {1} of {2} is copied from argument {3}, counted from 0, which is no buffer",
          Where.str(), Copy.Symbol, L.Symbol, Copy.Argument);
    if (uint64_t Offset = L.Args[Copy.Argument].Offset)
      return invalid(
          "{0}: the symbol {1} of {2} is copied from argument {3}, which begins at byte {4} of its "
          "buffer; only whole buffers are copied",
          Where.str(), Copy.Symbol, L.Symbol, Copy.Argument, Offset);
    if (Copy.Symbol.empty() || !Symbols.insert(Copy.Symbol).second)
      return invalid("{0}: argument {1} of {2} is copied to the symbol \"{3}\"; expected a name, each once",
                     Where.str(), Copy.Argument, L.Symbol, Copy.Symbol);
  }
  return Error::success();
}

static Error validateArguments(const Launch &L, ArrayRef<Buffer> Buffers, const Twine &Where) {
  for (const Argument &A : L.Args) {
    if (A.Buffer && *A.Buffer >= Buffers.size())
      return invalid(
          "{0}: an argument of {1} names buffer {2}, but the problem has {3} buffers, numbered from 0",
          Where.str(), L.Symbol, *A.Buffer, Buffers.size());
    if (A.Structure.size() > Argument::MostBytes)
      return invalid("{0}: an argument of {1} has {2} bytes; expected at most {3}", Where.str(), L.Symbol,
                     A.Structure.size(), Argument::MostBytes);
    if (A.Buffer && !Buffers[*A.Buffer].Symbol.empty())
      return invalid("{0}: an argument of {1} is the buffer {2}, which is copied to the symbol {3} and is "
                     "no argument",
                     Where.str(), L.Symbol, Buffers[*A.Buffer].Name, Buffers[*A.Buffer].Symbol);
    if (A.Buffer && A.Offset >= Buffers[*A.Buffer].bytes())
      return invalid("{0}: an argument of {1} is byte {2} of the buffer {3}, which has {4} bytes",
                     Where.str(), L.Symbol, A.Offset, Buffers[*A.Buffer].Name, Buffers[*A.Buffer].bytes());
  }
  return Error::success();
}

/// What the code of \p L takes for constant stays as the cubin has it.
static Error validateUnwritten(const Launch &L, ArrayRef<Buffer> Buffers, const Twine &Where) {
  for (const std::string &Name : L.UnwrittenVariables)
    for (const Buffer &B : Buffers)
      if (B.Symbol == Name)
        return invalid("{0}: {1} was compiled for the initial value of the variable {2}, to which the buffer "
                       "{3} is copied",
                       Where.str(), L.Symbol, Name, B.Name);
  return Error::success();
}

static Error validateLaunch(const Launch &L, ArrayRef<Buffer> Buffers, const Twine &Where) {
  if (L.Cubin.empty() || L.Symbol.empty())
    return invalid("{0}: a launch needs a cubin and a symbol", Where.str());
  if (!isPowerOf2_64(L.PointerAlignment))
    return invalid("{0}: the pointer_alignment of {1} is {2}; expected a power of two", Where.str(), L.Symbol,
                   L.PointerAlignment);
  if (!isUInt<32>(L.SharedBytes))
    return invalid("{0}: the dynamic_shared_bytes of {1} is {2}; expected a number below 2^32", Where.str(),
                   L.Symbol, L.SharedBytes);
  if (Error E = validateExtent(L.Grid, "grid", L.Symbol, Where))
    return E;
  if (Error E = validateExtent(L.Block, "block", L.Symbol, Where))
    return E;
  if (Error E = validateArguments(L, Buffers, Where))
    return E;
  if (Error E = validateUnwritten(L, Buffers, Where))
    return E;
  return validateConstants(L, Where);
}

Error validateProgram(const Program &P, ArrayRef<Buffer> Buffers, const Twine &Where) {
  if (P.Launches.empty())
    return invalid("{0}: a program needs at least one launch", Where.str());
  if (P.Untimed >= P.Launches.size())
    return invalid("{0}: untimed is {1}; expected fewer than the program's {2} launches", Where.str(),
                   P.Untimed, P.Launches.size());
  for (const Launch &L : P.Launches)
    if (Error E = validateLaunch(L, Buffers, Where))
      return E;
  return Error::success();
}

/// Of addresses of memory.
constexpr uint64_t AddressEnd = uint64_t(1) << 57;

Error validateAddress(const Buffer &B, StringRef Problem) {
  if (!B.Address)
    return Error::success();
  if (!B.Symbol.empty())
    return invalid("{0}, buffer {1}: it is copied to the symbol {2}; expected no address", Problem, B.Name,
                   B.Symbol);
  if (*B.Address == 0 || *B.Address % B.Type.alignment() != 0 || *B.Address >= AddressEnd - B.bytes())
    return invalid(
        "{0}, buffer {1}: the address {2:x}; expected a multiple of {3}, and the end of the buffer "
        "below {4:x}",
        Problem, B.Name, *B.Address, uint64_t(B.Type.alignment()), AddressEnd);
  return Error::success();
}

/// No two may share a byte.
Error validateAddresses(ArrayRef<Buffer> Buffers, StringRef Problem) {
  std::vector<const Buffer *> Placed;
  for (const Buffer &B : Buffers)
    if (B.Address)
      Placed.push_back(&B);
  llvm::sort(Placed, [](const Buffer *A, const Buffer *B) { return *A->Address < *B->Address; });
  for (size_t I = 1; I < Placed.size(); ++I)
    if (*Placed[I - 1]->Address + Placed[I - 1]->bytes() > *Placed[I]->Address)
      return invalid("{0}: the buffers {1} and {2} overlap at the address {3:x}", Problem,
                     Placed[I - 1]->Name, Placed[I]->Name, *Placed[I]->Address);
  return Error::success();
}

Error validateBuffer(const Buffer &B, StringRef Problem) {
  if (B.Count == 0 || B.Count > LargestBufferBytes / B.Type.bytes())
    return invalid("{0}, buffer {1}: {2} elements; expected 1 to 2^44 bytes", Problem, B.Name, B.Count);
  if (!B.Symbol.empty() && B.Role != BufferRole::In)
    return invalid("{0}, buffer {1}: it is copied to the symbol {2}; expected the role in", Problem, B.Name,
                   B.Symbol);
  if (B.Role == BufferRole::In && !B.Compared)
    return invalid("{0}, buffer {1}: it has the role in and is not compared; expected the role out or inout",
                   Problem, B.Name);
  if (Error E = validateAddress(B, Problem))
    return E;
  if (B.Role == BufferRole::Out)
    return Error::success();
  if (Error E = validateFill(B.Type, B.Contents))
    return invalid("{0}, buffer {1}: {2}", Problem, B.Name, toString(std::move(E)));
  return Error::success();
}

Error validateExpected(const Problem &P, StringRef Where) {
  for (const ExpectedOutput &E : P.Expected) {
    if (E.Buffer >= P.Buffers.size())
      return invalid("{0}, expected: buffer {1}, but the problem has {2} buffers, numbered from 0", Where,
                     E.Buffer, P.Buffers.size());
    if (!P.Buffers[E.Buffer].isOutput())
      return invalid("{0}, expected: the buffer {1} is not compared; expected the role out or inout", Where,
                     P.Buffers[E.Buffer].Name);
  }
  return Error::success();
}

Error validateOpen(const Problem &P, StringRef Where) {
  SmallSet<uint32_t, 8> Seen;
  for (const OpenBuffer &B : P.Open) {
    if (B.Buffer >= P.Buffers.size())
      return invalid("{0}, open: buffer {1}, but the problem has {2} buffers, numbered from 0", Where,
                     B.Buffer, P.Buffers.size());
    const std::string &Name = P.Buffers[B.Buffer].Name;
    if (!P.Buffers[B.Buffer].isOutput())
      return invalid("{0}, open: the buffer {1} is not compared; expected the role out or inout", Where,
                     Name);
    if (!Seen.insert(B.Buffer).second)
      return invalid("{0}, open: the buffer {1} is named twice", Where, Name);
  }
  return Error::success();
}

Error validateProblem(const Problem &P, StringRef Where) {
  StringSet<> Names;
  for (const Buffer &B : P.Buffers) {
    if (!Names.insert(B.Name).second)
      return invalid("{0}: two buffers are called {1}", Where, B.Name);
    if (Error E = validateBuffer(B, Where))
      return E;
  }
  if (Error E = validateAddresses(P.Buffers, Where))
    return E;
  if (Error E = validateExpected(P, Where))
    return E;
  if (Error E = validateOpen(P, Where))
    return E;
  if (Error E = validateProgram(P.Candidate, P.Buffers, Where + ", candidate"))
    return E;
  if (P.Reference)
    if (Error E = validateProgram(*P.Reference, P.Buffers, Where + ", reference"))
      return E;
  if (P.Truth && !P.Reference)
    return invalid("{0}: there is a truth but no reference, which it is compared with", Where);
  if (P.Truth)
    if (Error E = validateProgram(*P.Truth, P.Buffers, Where + ", truth"))
      return E;
  return P.Stock ? validateProgram(*P.Stock, P.Buffers, Where + ", stock") : Error::success();
}

Error validateRivals(const Measure &M, const Job &J) {
  if (M.Rivals.size() > MaxRivals)
    return invalid("job {0}, measure: {1} rivals; at most {2} are taken", J.Id, M.Rivals.size(), MaxRivals);
  StringSet<> Names;
  for (const Rival &R : M.Rivals) {
    if (!Names.insert(R.Name).second)
      return invalid("job {0}, measure: two rivals are called {1}", J.Id, R.Name);
    if (Error E = validateProblem(R.Run, "job " + J.Id + ", rival " + R.Name))
      return E;
  }
  return Error::success();
}

Error validateCounts(const Measure &M, const Job &J) {
  if (M.Samples == 0 || M.Samples > MaxSamples || M.Warmup > MaxSamples)
    return invalid("job {0}, measure: expected 1 to {1} samples and at most {1} warm-up runs", J.Id,
                   MaxSamples);
  if (M.Rotate > MaxCopies)
    return invalid("job {0}, measure: rotate is {1}; expected 0 (automatic) to {2} copies", J.Id, M.Rotate,
                   MaxCopies);
  if (!(M.StableWithin >= 0 && M.StableWithin < 1))
    return invalid("job {0}, measure: stable_within is {1}; expected a number from 0 to below 1", J.Id,
                   M.StableWithin);
  if (!(std::isfinite(M.MaxWarmupMs) && M.MaxWarmupMs >= 0))
    return invalid("job {0}, measure: max_warmup_ms is {1}; expected a number of at least 0", J.Id,
                   M.MaxWarmupMs);
  return Error::success();
}

Error validateMeasure(const Measure &M, const Job &J) {
  for (auto [Name, Value] :
       {std::pair("min_sample_ms", M.MinSampleMs), std::pair("limit_ms", M.LimitMs),
        std::pair("max_slowdown", M.MaxSlowdown), std::pair("watchdog", M.Watchdog),
        std::pair("clearly_slower_ms", M.ClearlySlowerMs), std::pair("clearly_slower", M.ClearlySlower)})
    if (Value && !(std::isfinite(*Value) && *Value > 0))
      return invalid("job {0}, measure: {1} is {2}; expected a number above 0", J.Id, Name, *Value);
  if (Error E = validateCounts(M, J))
    return E;
  if (Error E = validateRivals(M, J))
    return E;
  if (const Problem *Timed = findTimedProblem(J))
    return M.Baseline ? validateProgram(*M.Baseline, Timed->Buffers, "measure, baseline") : Error::success();
  return invalid("job {0}, measure: no problem among the job's checks is called {1}", J.Id, M.Problem);
}

} // namespace

Error validate(const Job &J) {
  if (J.Id.empty())
    return invalid("job: the id is empty");
  if (J.Kind != "run")
    return invalid("job {0}: unknown kind {1}; this runner knows only run", J.Id, J.Kind);
  if (J.Checks.empty())
    return invalid("job {0}: checks is empty; it needs at least one problem", J.Id);
  StringSet<> Names;
  for (const Problem &P : J.Checks) {
    if (!Names.insert(P.Name).second)
      return invalid("job {0}: two problems are called {1}", J.Id, P.Name);
    if (Error E = validateProblem(P, "job " + J.Id + ", problem " + P.Name))
      return E;
  }
  const Comparison &C = J.Compare;
  double Absolute = C.Absolute.value_or(0);
  if (!(std::isfinite(C.Relative) && C.Relative >= 0 && std::isfinite(Absolute) && Absolute >= 0))
    return invalid("job {0}, compare: relative and absolute must be finite and not negative", J.Id);
  return J.Timing ? validateMeasure(*J.Timing, J) : Error::success();
}

} // namespace gpuprune::protocol
