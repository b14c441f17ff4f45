//===- RecordedWorkload.cpp - A recording as a workload file -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Launch/BlockChange.h"
#include "gpuprune/Support/ElementType.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Variant/RecordedLaunch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>

using namespace llvm;

namespace gpuprune {

static Error cannot(const Twine &Why) { return makeError(ErrorKind::Input, Why); }

/// In single quotes, as YAML takes any text of one line.
static std::string yamlText(StringRef Text) {
  std::string Quoted = "'";
  for (char C : Text)
    Quoted += C == '\'' ? std::string("''") : std::string(1, C);
  return Quoted + "'";
}

static uint64_t wordOf(StringRef Bytes) {
  uint64_t Word = 0;
  for (size_t I = std::min<size_t>(Bytes.size(), sizeof(Word)); I-- != 0;)
    Word = Word << 8 | uint8_t(Bytes[I]);
  return Word;
}

/// "{ f32: 0.25 }"
static Expected<std::string> scalarText(const KernelParameter &P, StringRef Bytes) {
  uint64_t Word = wordOf(Bytes);
  if (P.Is == KernelParameter::Kind::Pointer)
    return formatv("{{ u64: {0} }", int64_t(Word)).str();
  if (P.Is == KernelParameter::Kind::Integer) {
    if (P.Bytes > sizeof(Word))
      return cannot("an integer of " + Twine(P.Bytes) + " bytes cannot be written in a workload");
    return formatv("{{ i{0}: {1} }", 8 * P.Bytes, SignExtend64(Word, unsigned(8 * P.Bytes))).str();
  }
  if (P.Bytes != 4 && P.Bytes != 8)
    return cannot("a floating-point number of " + Twine(P.Bytes) + " bytes cannot be written in a workload");
  auto Type = P.Bytes == 4 ? ElementType::F32 : ElementType::F64;
  double Value = toDouble(Type, Word);
  StringRef Sign = std::signbit(Value) ? "-" : "";
  double UsualNaN = std::copysign(std::numeric_limits<double>::quiet_NaN(), Value);
  if (std::isnan(Value) && encodeReal(Type, UsualNaN) != Word)
    return cannot(
        formatv("a NaN of {0} bytes with the bits {1:x} cannot be written in a workload, only the usual one",
                P.Bytes, Word));
  if (!std::isfinite(Value))
    return formatv("{{ f{0}: {1}{2} }", 8 * P.Bytes, Sign, std::isnan(Value) ? ".nan" : ".inf").str();
  return formatv("{{ f{0}: {1} }", 8 * P.Bytes, realText(Value)).str();
}

namespace {

/// What is known of an allocation from the pointers into it that the kernel is given.
struct BufferUse {
  bool IsUsed = false, MayWrite = false, MayRead = false, Mixed = false;
  bool IsGiven = false; ///< By a pointer that is known, not only perhaps by others.
  std::optional<ElementType> Type;
};

/// A structure's fields as they are written, one behind the other.
class FieldWriter {
public:
  explicit FieldWriter(StringRef Bytes) : Bytes(Bytes) {}
  /// Adds what lies in front of \p Field, which are bytes, and the field.
  Error add(const KernelParameter &Field);
  std::string finish();

private:
  StringRef Bytes;
  uint64_t End = 0; ///< Of what is written.
  std::vector<std::string> Fields;

  void addBytesTo(uint64_t Offset);
  void push(const std::string &Value) { Fields.push_back(formatv("m{0}: {1}", Fields.size(), Value)); }
};

/// Writes the workload.
class WorkloadWriter {
public:
  WorkloadWriter(const Recording &R, ArrayRef<KernelParameter> Parameters, const PointerUses &Uses)
      : R(R), Parameters(Parameters), Uses(Uses), Buffers(R.Allocations.size()) {}
  Expected<std::string> write(StringRef Source);

private:
  const Recording &R;
  ArrayRef<KernelParameter> Parameters;
  const PointerUses &Uses;
  std::vector<BufferUse> Buffers;

  std::optional<size_t> allocationOf(uint64_t Address) const;
  void noteUse(uint64_t Address, const PointerUse &Use);
  void noteUses();
  ElementType typeOf(size_t Allocation) const;
  Expected<std::string> argument(size_t Index) const;
  Expected<std::string> structure(const KernelParameter &P, StringRef Bytes) const;
  bool isOut(size_t Allocation) const;
  void printBuffers(raw_ostream &OS) const;
};

} // namespace

std::optional<size_t> WorkloadWriter::allocationOf(uint64_t Address) const {
  for (const auto &[Index, A] : enumerate(R.Allocations))
    if (Address >= A.Address && Address - A.Address < A.Bytes)
      return Index;
  return std::nullopt;
}

void WorkloadWriter::noteUse(uint64_t Address, const PointerUse &Use) {
  std::optional<size_t> Into = allocationOf(Address);
  if (!Into)
    return;
  const RecordedAllocation &A = R.Allocations[*Into];
  BufferUse &B = Buffers[*Into];
  B.Mixed |= B.IsGiven && B.Type != Use.Type;
  B.IsUsed = B.IsGiven = true;
  B.MayWrite |= Use.MayWrite;
  B.MayRead |= Use.MayRead;
  B.Type = Use.Type;
  // An allocation out of a pool may begin anywhere.
  B.Mixed |= B.Type && ((Address - A.Address) % elementBytes(*B.Type) != 0 ||
                        A.Address % elementBytes(*B.Type) != 0 || A.Bytes % elementBytes(*B.Type) != 0);
}

void WorkloadWriter::noteUses() {
  for (const auto &[Index, P] : enumerate(Parameters))
    if (P.Is == KernelParameter::Kind::Pointer)
      noteUse(wordOf(toStringRef(R.Parameters[Index])), Uses.Parameters[Index]);
  for (const FieldPointerUse &Field : Uses.Fields)
    noteUse(wordOf(toStringRef(R.Parameters[Field.Parameter]).substr(Field.Offset)), Field.Use);
  // A pointer from memory may point to any of them.
  if (Uses.HasOthers)
    for (BufferUse &B : Buffers) {
      B.IsUsed = true;
      B.MayWrite |= Uses.OthersMayWrite;
      B.MayRead = true;
    }
}

/// Where the pointers do not agree, bits.
ElementType WorkloadWriter::typeOf(size_t Allocation) const {
  const BufferUse &B = Buffers[Allocation];
  if (B.Type && !B.Mixed)
    return *B.Type;
  const RecordedAllocation &A = R.Allocations[Allocation];
  return !B.IsGiven && A.Address % 4 == 0 && A.Bytes % 4 == 0 ? ElementType::U32 : ElementType::U8;
}

void FieldWriter::addBytesTo(uint64_t Offset) {
  for (; End < Offset; ++End)
    push(formatv("{{ u8: {0} }", unsigned(uint8_t(Bytes[End]))));
}

Error FieldWriter::add(const KernelParameter &Field) {
  addBytesTo(Field.Offset);
  Expected<std::string> Value = scalarText(Field, Bytes.substr(Field.Offset, Field.Bytes));
  if (!Value)
    return Value.takeError();
  push(*Value);
  End = Field.Offset + Field.Bytes;
  return Error::success();
}

std::string FieldWriter::finish() {
  addBytesTo(Bytes.size());
  return formatv("{{ struct: {{ {0} } }", join(Fields, ", "));
}

Expected<std::string> WorkloadWriter::structure(const KernelParameter &P, StringRef Bytes) const {
  FieldWriter Writer(Bytes);
  for (const KernelParameter &Field : P.Fields)
    if (Error E = Writer.add(Field))
      return std::move(E);
  return Writer.finish();
}

Expected<std::string> WorkloadWriter::argument(size_t Index) const {
  const KernelParameter &P = Parameters[Index];
  StringRef Bytes = toStringRef(R.Parameters[Index]);
  if (Bytes.size() != P.Bytes)
    return cannot(formatv("parameter {0} has {1} bytes, and {2} in the kernel that was built", Index,
                          Bytes.size(), P.Bytes));
  if (P.Is != KernelParameter::Kind::Pointer) {
    Expected<std::string> Text =
        P.Is == KernelParameter::Kind::Structure ? structure(P, Bytes) : scalarText(P, Bytes);
    return Text ? std::move(Text) : cannot(formatv("parameter {0}: {1}", Index, toString(Text.takeError())));
  }
  uint64_t Address = wordOf(Bytes);
  std::optional<size_t> Into = allocationOf(Address);
  if (!Into && Address != 0)
    return cannot(formatv("parameter {0} points to memory that was not recorded", Index));
  if (!Into)
    return scalarText(P, Bytes);
  uint64_t Offset = (Address - R.Allocations[*Into].Address) / elementBytes(typeOf(*Into));
  if (Address == R.Allocations[*Into].Address)
    return formatv("allocation{0}", *Into).str();
  return formatv("{{ buffer: allocation{0}, offset: {1} }", *Into, Offset).str();
}

/// Whether what the buffer held does not matter, and would hide what the kernel does: it writes there what an
/// earlier launch has written, and reads nothing of it. Contents of its own, as others have, would do as
/// well, but for what it leaves alone.
bool WorkloadWriter::isOut(size_t Allocation) const {
  const BufferUse &B = Buffers[Allocation];
  return R.Allocations[Allocation].IsUnchanged && B.MayWrite && !B.MayRead;
}

void WorkloadWriter::printBuffers(raw_ostream &OS) const {
  OS << "buffers:\n";
  for (const auto &[Index, A] : enumerate(R.Allocations)) {
    ElementType Type = typeOf(Index);
    if (!Buffers[Index].IsUsed)
      continue;
    OS << formatv("  allocation{0}: {{ type: {1}, count: {2}, ", Index, elementTypeName(Type),
                  A.Bytes / elementBytes(Type));
    if (isOut(Index))
      OS << "role: out";
    else
      OS << formatv("fill: {{ file: {0} }, role: {1}", yamlText(A.File),
                    Buffers[Index].MayWrite ? "inout" : "in");
    OS << (Uses.needAddresses() ? formatv(", address: {0:x} }\n", A.Address).str() : " }\n");
  }
  for (const auto &[Index, V] : enumerate(R.Variables))
    OS << formatv("  variable{0}: {{ type: u8, count: {1}, fill: {{ file: {2} }, role: in, symbol: {3} }\n",
                  Index, V.Bytes, yamlText(V.File), yamlText(V.Symbol));
}

/// As many threads in other blocks, where these divide them and a program can launch them so (BlockChange.h).
static std::string gridExtent(int64_t Blocks, int64_t Threads, char Dimension) {
  int64_t Product = 0;
  if (MulOverflow(Blocks, Threads, Product) || Product == 1 || Product > MostThreadsOfGrid)
    return std::to_string(Blocks);
  return formatv("\"{0} / block.{1}\"", Product, Dimension);
}

static std::string gridText(const Dim3 &Grid, const Dim3 &Block) {
  return formatv("[ {0}, {1}, {2} ]", gridExtent(Grid.X, Block.X, 'x'), gridExtent(Grid.Y, Block.Y, 'y'),
                 gridExtent(Grid.Z, Block.Z, 'z'));
}

static std::string extents(const Dim3 &D) { return formatv("[ {0}, {1}, {2} ]", D.X, D.Y, D.Z); }

Expected<std::string> WorkloadWriter::write(StringRef Source) {
  if (Parameters.size() != R.Parameters.size())
    return cannot(formatv("the launch has {0} parameters, and the kernel that was built {1}",
                          R.Parameters.size(), Parameters.size()));
  noteUses();
  std::vector<std::string> Arguments;
  for (size_t Index = 0; Index != Parameters.size(); ++Index) {
    Expected<std::string> Argument = argument(Index);
    if (!Argument)
      return Argument.takeError();
    Arguments.push_back(std::move(*Argument));
  }
  if (R.Variables.empty() && none_of(Buffers, [](const BufferUse &B) { return B.IsUsed; }))
    return cannot("none of the parameters points to memory that was recorded");
  std::string Text;
  raw_string_ostream OS(Text);
  OS << formatv("source: {0}\nkernel: {1}\nsizes: {{ tune: {{ recorded: 1 }, check: {{ recorded: 1 } }\n"
                "grid: {2}\nblock: {3}\nshared: {4}\n",
                yamlText(Source), yamlText(R.Kernel), gridText(R.Grid, R.Block), extents(R.Block),
                R.DynamicShared);
  printBuffers(OS);
  OS << formatv("arguments: [ {0} ]\n", join(Arguments, ", "));
  return Text;
}

Expected<std::string> workloadText(const Recording &R, StringRef Source, ArrayRef<KernelParameter> Parameters,
                                   const PointerUses &Uses) {
  return WorkloadWriter(R, Parameters, Uses).write(Source);
}

std::vector<RecordedContents> recordedContents(const Recording &R, const Workload &W) {
  StringMap<std::string> After;
  for (const auto &[Index, A] : enumerate(R.Allocations))
    After[formatv("allocation{0}", Index).str()] = A.After;
  for (const auto &[Index, V] : enumerate(R.Variables))
    After[formatv("variable{0}", Index).str()] = V.After;
  std::vector<RecordedContents> All;
  for (const BufferSpec &B : W.Buffers)
    if (auto Known = After.find(B.Name); B.Fill.File && Known != After.end() && !Known->second.empty())
      All.push_back({B.Name, B.Fill.File->Hash, Known->second});
  return All;
}

} // namespace gpuprune
