//===- WorkloadTesting.h - A good workload to change ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_WORKLOAD_WORKLOADTESTING_H
#define GPUPRUNE_TEST_UNIT_WORKLOAD_WORKLOADTESTING_H

#include "../ExpectedTesting.h"
#include "gpuprune/Workload/Workload.h"

namespace gpuprune::test {

inline const char Scale[] = R"yaml(source: scale.cu
flags: [-DFAST, "-I include"]
kernel: scale
defines:
  WIDTH: [4, 2]
  KIND: float
sizes:
  tune: { n: 1024*1024, m: 0x10 }
  check: [ { n: 96, m: 3 } ]
grid: "cdiv(n, block.x)"
block: [ 32 * WIDTH ]
shared: 4 * block.x
buffers:
  In: { type: f32, count: n, fill: { uniform: [-0.5, 0.5], seed: 7 }, role: in }
  Table: { type: u8, count: m, fill: { uniform: [0, 255] }, role: in }
  Sum: { type: i64, count: 1, fill: { constant: -3 }, role: inout }
  Order: { type: i32, count: n, fill: iota, role: inout }
  Out:
    type: f32
    count: n
    role: out
arguments: [ In, Table, Sum, Order, Out, { i32: n }, { f32: 0.25 }, { f64: n - 1 } ]
tolerance: { relative: 1e-3 }
work: { byte: 8*n }
)yaml";

inline std::string replaced(llvm::StringRef Text, llvm::StringRef From, llvm::StringRef To) {
  size_t At = Text.find(From);
  EXPECT_NE(At, llvm::StringRef::npos) << From.str();
  return (Text.take_front(At) + To + Text.drop_front(At + From.size())).str();
}

/// The message for \p Text, which must not be a workload.
inline std::string errorOf(llvm::StringRef Text) {
  return inputErrorOf(parseWorkload(Text, "scale.yaml").takeError());
}

/// The message after one change of the good workload.
inline std::string errorWith(llvm::StringRef From, llvm::StringRef To) {
  return errorOf(replaced(Scale, From, To));
}

inline Workload parsed(llvm::StringRef Text, llvm::StringRef Path = "scale.yaml") {
  return valueOf(parseWorkload(Text, Path));
}

} // namespace gpuprune::test

#endif // GPUPRUNE_TEST_UNIT_WORKLOAD_WORKLOADTESTING_H
