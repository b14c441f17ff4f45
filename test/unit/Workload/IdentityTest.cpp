//===- IdentityTest.cpp - Whether two workloads are the same ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Workload/Identity.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

namespace {

TEST(Identity, SpaceCommentsAndLayoutDoNotCount) {
  std::string Identity = identityWithoutSpace("source: a.cu\nsizes: { tune: { n: 4 } }\n");
  for (StringRef Same : {"source: a.cu\nspace:\n  pipeline: x\n\n# more\nsizes:\n  tune:\n    n: 4\n",
                         "{ source: \"a.cu\",\nspace: { blocks: [64] }, sizes: { tune: { n: 4 } } }\n",
                         "{ source: a.cu,\rspace: { blocks: [64] },\rsizes: { tune: { n: 4 } } }\r"})
    EXPECT_EQ(identityWithoutSpace(Same), Identity) << Same.str();
}

TEST(Identity, AllElseCounts) {
  StringRef Before[] = {"source: a.cu\n",
                        "buffers: {\nspace: { fill: { constant: 77 } } }\n",
                        "flags: [ab, c]\n",
                        "flags: [a]\nsizes: b\n",
                        "source: ~\n",
                        "source: 'b\n",
                        "{ space: { blocks: [64] },\rfill: 1 }\r"};
  StringRef After[] = {"source: b.cu\n",
                       "buffers: {\nspace: { fill: { constant: 5 } } }\n",
                       "flags: [a, bc]\n",
                       "flags: [a, sizes]\nb: c\n",
                       "source: ''\n",
                       "source: 'a\n",
                       "{ space: { blocks: [64] },\rfill: 2 }\r"};
  for (auto [A, B] : zip_equal(Before, After))
    EXPECT_NE(identityWithoutSpace(A), identityWithoutSpace(B)) << A.str();
}

} // namespace
