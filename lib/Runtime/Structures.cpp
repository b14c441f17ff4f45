//===- Structures.cpp - How arrays of structures are compared ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Structures.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;

namespace gpuprune {

static constexpr uint64_t PieceBytes = sizeof(kernels::Piece);

/// \p At is of the byte in its structure, over and over.
static bool isOfField(const ElementLayout &Type, uint64_t At) {
  uint64_t Offset = At % Type.bytes();
  return any_of(Type.fields(), [&](const ElementField &F) {
    return Offset >= F.Offset && Offset < F.Offset + elementBytes(F.Type);
  });
}

std::optional<kernels::StructuresRule> structuresRule(const ElementLayout &Type, uint64_t Count,
                                                      uint64_t Expected, uint64_t Got) {
  uint64_t Period = Type.bytes() / std::gcd<uint64_t>(Type.bytes(), PieceBytes), Bytes = Count * Type.bytes();
  // The index of a piece has 32 bits in the kernel.
  if (!Type.isStructure() || Period > kernels::StructuresRule::MostPieces || Expected % PieceBytes != 0 ||
      Got % PieceBytes != 0 || Bytes / PieceBytes > UINT32_MAX)
    return std::nullopt;
  kernels::StructuresRule Rule = {Expected, Got, Bytes, static_cast<uint32_t>(Period), {}};
  for (uint64_t At = 0; At != Period * PieceBytes; ++At) {
    kernels::Piece &Fields = Rule.Fields[At / PieceBytes];
    if (isOfField(Type, At))
      (At % PieceBytes < 8 ? Fields.Low : Fields.High) |= uint64_t(0xff) << At % 8 * 8;
  }
  return Rule;
}

} // namespace gpuprune
