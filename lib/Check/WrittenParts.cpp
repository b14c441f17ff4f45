//===- WrittenParts.cpp - How much of its outputs a launch writes ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WrittenParts.h"
#include "gpuprune/Support/Listed.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

static uint64_t unwrittenBytes(const ReferenceOutput &Left) {
  uint64_t Bytes = 0;
  for (const ByteRange &Range : Left.Unwritten)
    Bytes += Range.End - Range.Begin;
  return Bytes;
}

/// Of a whole buffer, without padding, which nothing need be written to.
static uint64_t bytesOfFields(const ResolvedBuffer &Shape) {
  return Shape.Count * Shape.Type.bytesOfFields();
}

static bool isUnchanged(const ResolvedBuffer &Shape, const std::vector<uint8_t> &Before,
                        const ReferenceOutput &Left) {
  if (Shape.Role == BufferRole::In)
    return true;
  if (Shape.Role == BufferRole::Out)
    return unwrittenBytes(Left) == bytesOfFields(Shape);
  return compareWithExpected(Shape.Type, {}, Before, Left.Bytes).Elements == 0;
}

bool changesNothing(const KernelRun &Run) {
  return all_of(zip_equal(Run.Problem->buffers(), Run.Problem->contents(), Run.Outputs),
                [](const auto &Each) {
                  const auto &[Shape, Before, Left] = Each;
                  return isUnchanged(Shape, Before, Left);
                });
}

std::string littleWritten(const KernelRun &Run) {
  std::vector<std::string> Parts;
  for (const auto &[Index, Shape, Left] : enumerate(Run.Problem->buffers(), Run.Outputs)) {
    uint64_t All = bytesOfFields(Shape), Written = All - unwrittenBytes(Left);
    // In a repeat other launches have buffers of their own.
    bool IsArgument = any_of(Run.Problem->launch().Arguments,
                             [&, At = Index](const ResolvedArgument &A) { return A.Buffer == At; });
    if (Shape.Role == BufferRole::Out && IsArgument && 2 * Written <= All)
      Parts.push_back(formatv("{0:F0} % of buffer {1}", 100 * double(Written) / double(All), Shape.Name));
  }
  return join(Parts, " and ");
}

/// Whether \p Fill, of \p Count elements of \p Type, leaves out integers that its file holds.
static bool leavesOutIndices(const FillSpec &Fill, const ElementLayout &Type, uint64_t Count) {
  for (const auto &[Field, Each] : zip(Type.fields(), Fill.Fields))
    if (leavesOutIndices(Each, Field.Type, Count))
      return true;
  bool HasIntegers = any_of(Type.fields(), [](const ElementField &F) { return !isFloatingPoint(F.Type); });
  return Fill.FillKind == FillSpec::Kind::File && HasIntegers &&
         Fill.File->from(Fill.FileOffset).size() > Count * Type.bytes();
}

std::string indicesHint(const HostProblem &Problem) {
  std::vector<std::string> Names;
  for (const ResolvedBuffer &Buffer : Problem.buffers())
    if (leavesOutIndices(Buffer.Fill, Buffer.Type, Buffer.Count))
      Names.push_back("'" + Buffer.Name + "'");
  if (Names.empty())
    return "";
  return formatv(
      "; at this size {0} {1} the first elements of {2} alone: indices among them may point beyond what "
      "the smaller buffers have",
      listed(Names, "and"), Names.size() == 1 ? "takes" : "take",
      Names.size() == 1 ? "a file" : "their files");
}

} // namespace gpuprune
