//===- KernelTree.h - A kernel as a tree of statements -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels are race-free and free of undefined behaviour whatever the tree
// holds, so that a tree can be generated and shrunk blindly:
//   - a thread writes only elements of its own in global memory, adds to
//     integer counters atomically, and reads only what nobody writes;
//   - shared arrays are written by one statement that has a barrier on both
//     sides and gives each thread an element of its own;
//   - barriers and warp operations stand under control that is the same for the
//     whole thread block;
//   - indices are cut to the array, divisors are not zero, integer arithmetic on
//     data wraps, and loops have bounded trip counts.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_DIFFERENTIAL_KERNELTREE_H
#define GPUPRUNE_TEST_DIFFERENTIAL_KERNELTREE_H

#include "gpuprune/Support/Dim3.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace gpuprune::differential {

enum class Type : uint8_t { I32, I64, F32, F64 };
inline bool isFloat(Type T) { return T == Type::F32 || T == Type::F64; }

enum class Op : uint8_t {
#define GPUPRUNE_NODE(Name, Kind) Name,
#include "KernelNodes.def"
};

llvm::StringRef opName(Op Kind);
bool isStatement(Op Kind);

struct Node {
  Op Kind = Op::Constant;
  Type Ty = Type::I32; ///< Of the value; of what is stored, for statements.
  int64_t Value = 0;   ///< What the row of KernelNodes.def says.
  std::vector<Node> Kids;
};

/// Elements of the buffers a kernel has, all powers of two.
inline constexpr unsigned InputElements = 1024, Counters = 64, StridedElements = 1024, LocalElements = 4,
                          ElementsOfThread = 8, VariablesOfType = 3, RecordsOfThread = 2, TableElements = 128;

/// What the shared arrays 0, 1 (F32) and 2 (I32) are.
enum class SharedForm : uint8_t {
  Arrays,  ///< A variable each.
  Fields,  ///< 0 and 1 the fields of an array of structures.
  Dynamic, ///< One after another in dynamic shared memory, 2 by a declaration of its own.
};

struct KernelTree {
  Dim3 Grid, Block;  ///< The block has a power of two of threads, at least 32.
  bool Is2D = false; ///< Shared arrays have the block's shape instead of one dimension.
  SharedForm Form = SharedForm::Arrays;
  bool Restrict = true; ///< Parameters carry noalias.
  bool Contract = true; ///< Floating-point operations may be contracted, clang's default for CUDA.
  /// Blocks count in shared arrays, one an operation, and add these to the counters in the end. All threads
  /// get there: nothing returns.
  bool SharedCounts = false;
  bool SignedIndex = true; ///< Indices are signed arithmetic with nsw, as int in C++.
  int32_t N = 0, M = 0;    ///< Scalar arguments, 0 <= N <= StridedElements, 0 <= M <= 8.
  uint64_t InputSeed = 0;
  std::vector<Node> Body;

  uint64_t threads() const { return Block.X * uint64_t(Block.Y) * Block.Z; }
  /// Not a multiple of 16, as an author's need not be.
  uint64_t dynamicBytes() const { return Form == SharedForm::Dynamic ? 12 * threads() + 4 : 0; }
  uint64_t blocks() const { return Grid.X * uint64_t(Grid.Y) * Grid.Z; }
};

/// Nodes in \p Tree.
size_t size(const KernelTree &Tree);
/// As text, one statement a line, for people.
std::string printed(const KernelTree &Tree);

} // namespace gpuprune::differential

#endif // GPUPRUNE_TEST_DIFFERENTIAL_KERNELTREE_H
