//===- Chain.cpp - Random launches over shared buffers ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Chain.h"
#include "Contents.h"
#include "KernelEmitter.h"
#include "Records.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace llvm;

namespace gpuprune::differential {

/// A parameter that points to something: to what, and to how many elements, of a kernel with so many threads.
namespace {
struct Need {
  Parameter To;
  uint64_t Count;
};

/// Buffers of one type, and the parameters that point into them.
struct Pool {
  ElementLayout Type;
  const char *Name;
  std::vector<Need> Needs;
};
} // namespace

/// What is only read points into a buffer of its own, or where others write, too.
static std::vector<Pool> poolsOf(uint64_t Threads) {
  return {{ElementType::F32,
           "f",
           {{InF32, InputElements},
            {OutF32, ElementsOfThread * Threads},
            {Own, 2 * Threads},
            {Strided, StridedElements}}},
          {ElementType::I32,
           "i",
           {{InI32, InputElements}, {OutI32, ElementsOfThread * Threads}, {Counts, Counters}}},
          {recordLayout(), "r", {{Table, TableElements}, {Records, RecordsOfThread * Threads}}},
          {ElementType::F64, "d", {{InF64, InputElements}}},
          {ElementType::I64, "l", {{InI64, InputElements}}},
          {ElementType::I8, "c", {{InI8, InputElements}}}};
}

static constexpr unsigned MostGap = 40; ///< Elements between the places in a buffer.

/// Of each of the two buffers: all may be placed in either.
static uint64_t elementsOf(const Pool &Of) {
  uint64_t Sum = 0;
  for (const Need &Each : Of.Needs)
    Sum += Each.Count + MostGap;
  return Sum;
}

static void addBuffer(ResolvedProblem &Problem, std::string Name, const ElementLayout &Type, uint64_t Count) {
  ResolvedBuffer B;
  B.FirstName = B.Name = std::move(Name);
  B.Type = Type;
  B.Count = Count;
  B.Bytes = Count * Type.bytes();
  B.Role = BufferRole::InOut;
  Problem.Buffers.push_back(std::move(B));
}

/// The buffers of the pool \p Number are 3 * Number and the next one, which swap, and what is exactly as long
/// as what is read.
static unsigned bufferOf(size_t Pool, unsigned Which) { return unsigned(3 * Pool) + Which; }

static ResolvedArgument pointer(unsigned Buffer, uint64_t Offset) {
  ResolvedArgument A;
  A.Buffer = Buffer;
  A.Offset = Offset;
  return A;
}

static ResolvedArgument scalar(ElementType Type, uint64_t Bits) {
  ResolvedArgument A;
  A.Type = Type;
  A.Bits = Bits;
  return A;
}

/// Gives each need of \p Of a place; \p Swapped: the buffers have each other's names.
static void place(Random &R, const Pool &Of, size_t Number, bool Swapped,
                  MutableArrayRef<ResolvedArgument> Into) {
  std::vector<Need> Order = Of.Needs;
  for (size_t I = Order.size(); I > 1; --I)
    std::swap(Order[I - 1], Order[R.below(unsigned(I))]);
  uint64_t Used[2] = {0, 0};
  for (const Need &Each : Order) {
    bool OnlyRead = Each.To == Of.Needs.front().To;
    if (OnlyRead && R.oneIn(3)) { // What a copy in constant memory needs.
      Into[Each.To] = pointer(bufferOf(Number, 2), 0);
      continue;
    }
    unsigned Which = R.below(2);
    uint64_t Gap = R.oneIn(2) ? 0 : R.oneIn(2) ? 4 * R.below(MostGap / 4) : R.below(MostGap);
    uint64_t Begin = Used[Which] + Gap;
    Used[Which] = Begin + Each.Count;
    Into[Each.To] = pointer(bufferOf(Number, Swapped ? 1 - Which : Which), Begin * Of.Type.bytes());
  }
}

static StructureValue anyConfig(Random &R) {
  std::vector<char> Bytes(configLayout().bytes());
  fillRandomly(configLayout(), Bytes, R);
  StructureValue Value{configLayout(), {}};
  for (const ElementField &Field : configLayout().fields()) {
    uint64_t Bits = 0;
    std::memcpy(&Bits, &Bytes[Field.Offset], elementBytes(Field.Type));
    Value.Bits.push_back(Bits);
  }
  return Value;
}

static ResolvedLaunch launchOf(Random &R, const KernelTree &Kernel, ArrayRef<bool> Swapped) {
  ResolvedLaunch L;
  L.Kernel = KernelName;
  L.Grid = Kernel.Grid;
  L.Block = Kernel.Block;
  L.SharedBytes = Kernel.dynamicBytes();
  L.Arguments.resize(ParameterCount);
  for (const auto &[Number, Of] : enumerate(poolsOf(Kernel.threads() * Kernel.blocks())))
    place(R, Of, Number, Swapped[Number], L.Arguments);
  L.Arguments[N] = scalar(ElementType::I32, R.of({0u, 1u, 37u, 100u, 255u, 512u, 1000u, 1024u}));
  L.Arguments[M] = scalar(ElementType::I32, R.below(9));
  L.Arguments[S] = scalar(ElementType::F32, bit_cast<uint32_t>(float(R.between(-40, 40)) / 16));
  L.Arguments[Config].Structure = anyConfig(R);
  return L;
}

Chain generateChain(Random &R, ArrayRef<const KernelTree *> Kernels) {
  Chain C;
  C.DataSeed = R.next();
  uint64_t Threads = 0;
  for (const KernelTree *K : Kernels)
    Threads = std::max(Threads, K->threads() * K->blocks());
  std::vector<Pool> Pools = poolsOf(Threads);
  for (const Pool &Of : Pools) {
    addBuffer(C.Problem, std::string(Of.Name) + "0", Of.Type, elementsOf(Of));
    addBuffer(C.Problem, std::string(Of.Name) + "1", Of.Type, elementsOf(Of));
    addBuffer(C.Problem, std::string(Of.Name) + "in", Of.Type, Of.Needs.front().Count);
  }
  SmallVector<bool, 8> Swapped(Pools.size());
  for (unsigned I = 0, E = 2 + R.below(3); I < E; ++I) {
    unsigned Which = R.below(unsigned(Kernels.size()));
    C.Problem.Launches.push_back(launchOf(R, *Kernels[Which], Swapped));
    C.Problem.Launches.back().Spec = Which;
    for (bool &Each : Swapped)
      Each ^= R.oneIn(2);
  }
  return C;
}

std::string printed(const Chain &C, size_t Launch) {
  const ResolvedLaunch &L = C.Problem.Launches[Launch];
  std::string Text = formatv("kernel {0}:", L.Spec);
  for (const ResolvedArgument &A : L.Arguments)
    if (A.Buffer) {
      const ResolvedBuffer &B = C.Problem.Buffers[*A.Buffer];
      Text += formatv(" {0}+{1}", B.Name, A.Offset / B.Type.bytes());
    } else if (!A.Structure) {
      Text += formatv(" {0}", A.Type == ElementType::F32 ? std::to_string(bit_cast<float>(uint32_t(A.Bits)))
                                                         : std::to_string(int32_t(A.Bits)));
    }
  return Text;
}

Expected<ChainMemory> ChainMemory::create(const Chain &C) {
  ChainMemory Made;
  Random R(C.DataSeed);
  for (const ResolvedBuffer &B : C.Problem.Buffers) {
    Expected<GuardedBuffer &> Buffer = Made.Memory.allocate(B.Name, B.Bytes, 0);
    if (!Buffer)
      return Buffer.takeError();
    fillRandomly(B.Type, MutableArrayRef(Buffer->Data, Buffer->Bytes), R);
    Made.Buffers.push_back(&*Buffer);
  }
  return Made;
}

std::string ChainMemory::differenceTo(const ChainMemory &Got, const Chain &C) const {
  for (const auto &[Shape, Mine, Other] : zip_equal(C.Problem.Buffers, Buffers, Got.Buffers)) {
    std::string Found = firstDifference(Shape.Name, Shape.Type, Mine->bytes(), Other->bytes());
    if (!Found.empty())
      return Found;
  }
  return "";
}

void ChainMemory::copyFrom(const ChainMemory &Other) {
  for (const auto &[Mine, Theirs] : zip_equal(Buffers, Other.Buffers))
    std::memcpy(Mine->Data, Theirs->Data, Theirs->Bytes);
}

} // namespace gpuprune::differential
