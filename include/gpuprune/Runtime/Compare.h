//===- Compare.h - Output comparison --------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares a candidate's output with the reference's, bit by bit or by a
// stated tolerance, and knows which elements the reference never writes. Structures
// are compared field by field: where an element is spoken of, it is then a field,
// what is between fields is not looked at, and a field of integers is bit by bit
// the same whatever the tolerance.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_RUNTIME_COMPARE_H
#define GPUPRUNE_RUNTIME_COMPARE_H

#include "gpuprune/Runtime/Protocol.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>

namespace gpuprune {

/// The bytes out buffers and guard zones hold before the first and the second
/// run: they differ in every bit, so no written byte can look like both.
inline constexpr std::array<uint8_t, 2> FillPatterns = {0xA5, 0x5A};

/// "0xa5"
std::string patternText(uint8_t Byte);

struct ByteRange {
  uint64_t Begin, End;
  bool operator==(const ByteRange &) const = default;
};

/// Adds a range behind those of \p Ranges, to the last one where it begins at its end.
void appendRange(std::vector<ByteRange> &Ranges, uint64_t Begin, uint64_t End);

/// What a reference program leaves in a buffer.
struct ReferenceOutput {
  std::vector<uint8_t> Bytes;
  std::vector<ByteRange> Unwritten; ///< Sorted, disjoint, whole elements; Bytes is meaningless there.
};

/// Joins the outputs of two runs, over buffers that held FillPatterns[0] and
/// [1], into what the reference writes. \p FirstUnstable gets the index of the
/// first element that is written but differs between the runs: the reference
/// races, or reads a buffer declared out.
ReferenceOutput joinReferenceRuns(const ElementLayout &Type, std::vector<uint8_t> First,
                                  llvm::ArrayRef<uint8_t> Second, std::optional<uint64_t> &FirstUnstable);

/// Whether \p Got passes for \p Expected: |x - r| <= Absolute + Relative * |r|, where Absolute has to be
/// given; NaN passes only for NaN, an infinity only for itself.
bool withinTolerance(ElementType Type, uint64_t Expected, uint64_t Got,
                     const protocol::Comparison &Tolerance);

/// How far \p Got, whole elements, is from \p Expected, which is as long; outside are
/// those that withinTolerance does not pass.
protocol::Difference compareWithExpected(const ElementLayout &Type, const protocol::Comparison &Tolerance,
                                         llvm::ArrayRef<uint8_t> Expected, llvm::ArrayRef<uint8_t> Got);

/// How far the second of two runs is from what \p Joined has of the first, but for what neither writes.
protocol::Difference compareReferenceRuns(const ElementLayout &Type, const protocol::Comparison &Tolerance,
                                          const ReferenceOutput &Joined, llvm::ArrayRef<uint8_t> Second);

/// What one program writes and the other does not, as \p Expected and \p Got know it; nothing where they
/// write the same elements. Buffer and Pattern are left empty.
std::optional<protocol::Mismatch> compareWritten(const ElementLayout &Type, const ReferenceOutput &Expected,
                                                 const ReferenceOutput &Got);

/// \p Given as it is applied to a buffer of \p Type: with an absolute tolerance in any case, from
/// \p MedianMagnitude of what the reference writes, and a relative one of a step of the type at least. The
/// median is that of the finite values other than 0, the lesser one of two, rounded up to six significant
/// bits (of denormal doubles, to a multiple of 2^-1027); 0 without any.
protocol::Comparison completeTolerance(const protocol::Comparison &Given, ElementType Type,
                                       llvm::function_ref<double()> MedianMagnitude);

/// Whether \p Field of \p Type may differ within a tolerance at all.
bool takesTolerance(const ElementLayout &Type, size_t Field);

/// What became of a comparison.
struct OutputVerdict {
  /// Bitwise when all bytes are equal, Tolerance when all elements passed by it, else Wrong.
  CheckOutcome Outcome = CheckOutcome::Bitwise;
  protocol::Mismatch First;       ///< Where Outcome is Wrong; Buffer is left empty.
  protocol::Difference Tolerated; ///< By how much the elements differ that passed by tolerance.
};

/// Takes a buffer in consecutive chunks that do not split elements, or fields of structures; \p Expected and
/// \p Unwritten, as in ReferenceOutput, must outlive it.
class OutputComparer {
public:
  /// \p Untouched, if given, tells a comparison over FillPatterns[1] of the one before over FillPatterns[0]:
  /// an element that holds the pattern both times is not written, however near it is by tolerance.
  OutputComparer(const ElementLayout &Type, const protocol::Comparison &Compare,
                 llvm::ArrayRef<uint8_t> Expected, llvm::ArrayRef<ByteRange> Unwritten, uint8_t Pattern,
                 std::vector<uint64_t> *Untouched = nullptr);
  void feed(llvm::ArrayRef<uint8_t> Chunk);

  /// Of what was fed so far.
  const OutputVerdict &verdict() const { return Verdict; }

private:
  void feedWritten(llvm::ArrayRef<uint8_t> Bytes);
  void feedUnwritten(llvm::ArrayRef<uint8_t> Bytes);
  bool tolerates(uint64_t ByteOffset, uint64_t Want, uint64_t Got, bool HoldsPattern);
  void report(protocol::MismatchKind Kind, uint64_t ByteOffset, std::string Want, uint64_t GotBits);

  ElementLayout Type;
  protocol::Comparison Compare;
  std::vector<std::optional<protocol::Comparison>> Completed; ///< Compare of each field, once it is needed.
  llvm::ArrayRef<uint8_t> Expected;
  llvm::ArrayRef<ByteRange> Unwritten; ///< Those that end behind Offset.
  llvm::ArrayRef<ByteRange> AllUnwritten;
  uint8_t Pattern;
  std::vector<uint64_t> *Untouched;
  uint64_t Offset = 0;
  OutputVerdict Verdict;
};

} // namespace gpuprune

#endif // GPUPRUNE_RUNTIME_COMPARE_H
