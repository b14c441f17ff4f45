//===- RecordedWorkload.cpp - A recording as a workload file -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/ElementType.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Variant/RecordedLaunch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

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
  double Value = P.Bytes == 4 ? double(bit_cast<float>(uint32_t(Word))) : bit_cast<double>(Word);
  if ((P.Bytes != 4 && P.Bytes != 8) || !std::isfinite(Value))
    return cannot("a floating-point number of " + Twine(P.Bytes) +
                  " bytes, or one that is not finite, cannot be "
                  "written in a workload");
  return formatv("{{ f{0}: {1} }", 8 * P.Bytes, realText(Value)).str();
}

namespace {

/// What is known of an allocation from the parameters that point into it.
struct BufferUse {
  bool IsUsed = false, MayWrite = false, Mixed = false;
  std::optional<ElementType> Type;
};

/// Writes the workload.
class WorkloadWriter {
public:
  WorkloadWriter(const Recording &R, ArrayRef<KernelParameter> Parameters, ArrayRef<PointerUse> Uses)
      : R(R), Parameters(Parameters), Uses(Uses), Buffers(R.Allocations.size()) {}
  Expected<std::string> write(StringRef Source);

private:
  const Recording &R;
  ArrayRef<KernelParameter> Parameters;
  ArrayRef<PointerUse> Uses;
  std::vector<BufferUse> Buffers;

  std::optional<size_t> allocationOf(uint64_t Address) const;
  void noteUses();
  ElementType typeOf(size_t Allocation) const;
  Expected<std::string> argument(size_t Index) const;
  Expected<std::string> structure(const KernelParameter &P, StringRef Bytes) const;
  void printBuffers(raw_ostream &OS) const;
};

} // namespace

std::optional<size_t> WorkloadWriter::allocationOf(uint64_t Address) const {
  for (const auto &[Index, A] : enumerate(R.Allocations))
    if (Address >= A.Address && Address - A.Address < A.Bytes)
      return Index;
  return std::nullopt;
}

void WorkloadWriter::noteUses() {
  for (const auto &[Index, P] : enumerate(Parameters)) {
    if (P.Is != KernelParameter::Kind::Pointer)
      continue;
    std::optional<size_t> Into = allocationOf(wordOf(toStringRef(R.Parameters[Index])));
    if (!Into)
      continue;
    BufferUse &B = Buffers[*Into];
    B.Mixed |= B.IsUsed && B.Type != Uses[Index].Type;
    B.IsUsed = true;
    B.MayWrite |= Uses[Index].MayWrite;
    B.Type = Uses[Index].Type;
    uint64_t Offset = wordOf(toStringRef(R.Parameters[Index])) - R.Allocations[*Into].Address;
    B.Mixed |=
        B.Type && (Offset % elementBytes(*B.Type) != 0 || R.Allocations[*Into].Bytes % elementBytes(*B.Type));
  }
}

/// Where the parameters do not agree, bytes.
ElementType WorkloadWriter::typeOf(size_t Allocation) const {
  const BufferUse &B = Buffers[Allocation];
  return B.Type && !B.Mixed ? *B.Type : ElementType::U8;
}

Expected<std::string> WorkloadWriter::structure(const KernelParameter &P, StringRef Bytes) const {
  std::vector<std::string> Fields;
  for (const KernelParameter &Field : P.Fields) {
    StringRef Its = Bytes.substr(Field.Offset, Field.Bytes);
    if (Field.Is == KernelParameter::Kind::Pointer && allocationOf(wordOf(Its)))
      return cannot("a structure that is passed by value holds a pointer, which cannot be replayed");
    Expected<std::string> Value = scalarText(Field, Its);
    if (!Value)
      return Value.takeError();
    Fields.push_back(formatv("m{0}: {1}", Fields.size(), *Value));
  }
  return formatv("{{ struct: {{ {0} } }", join(Fields, ", ")).str();
}

Expected<std::string> WorkloadWriter::argument(size_t Index) const {
  const KernelParameter &P = Parameters[Index];
  StringRef Bytes = toStringRef(R.Parameters[Index]);
  if (Bytes.size() != P.Bytes)
    return cannot(formatv("parameter {0} has {1} bytes, and {2} in the kernel that was built", Index,
                          Bytes.size(), P.Bytes));
  if (P.Is == KernelParameter::Kind::Structure)
    return structure(P, Bytes);
  if (P.Is != KernelParameter::Kind::Pointer)
    return scalarText(P, Bytes);
  uint64_t Address = wordOf(Bytes);
  std::optional<size_t> Into = allocationOf(Address);
  if (!Into && Address != 0)
    return cannot(formatv("parameter {0} points to memory that was not recorded", Index));
  if (!Into)
    return scalarText(P, Bytes);
  uint64_t Offset = (Address - R.Allocations[*Into].Address) / elementBytes(typeOf(*Into));
  if (Offset == 0)
    return formatv("allocation{0}", *Into).str();
  return formatv("{{ buffer: allocation{0}, offset: {1} }", *Into, Offset).str();
}

void WorkloadWriter::printBuffers(raw_ostream &OS) const {
  OS << "buffers:\n";
  for (const auto &[Index, A] : enumerate(R.Allocations)) {
    ElementType Type = typeOf(Index);
    if (Buffers[Index].IsUsed)
      OS << formatv("  allocation{0}: {{ type: {1}, count: {2}, fill: {{ file: {3} }, role: {4} }\n", Index,
                    elementTypeName(Type), A.Bytes / elementBytes(Type), yamlText(A.File),
                    Buffers[Index].MayWrite ? "inout" : "in");
  }
  for (const auto &[Index, V] : enumerate(R.Variables))
    OS << formatv("  variable{0}: {{ type: u8, count: {1}, fill: {{ file: {2} }, role: in, symbol: {3} }\n",
                  Index, V.Bytes, yamlText(V.File), yamlText(V.Symbol));
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
                yamlText(Source), yamlText(R.Kernel), extents(R.Grid), extents(R.Block), R.DynamicShared);
  printBuffers(OS);
  OS << formatv("arguments: [ {0} ]\n", join(Arguments, ", "));
  return Text;
}

Expected<std::string> workloadText(const Recording &R, StringRef Source, ArrayRef<KernelParameter> Parameters,
                                   ArrayRef<PointerUse> Uses) {
  return WorkloadWriter(R, Parameters, Uses).write(Source);
}

} // namespace gpuprune
