//===- Records.h - The structures of random kernels --------------------------- ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_DIFFERENTIAL_RECORDS_H
#define GPUPRUNE_TEST_DIFFERENTIAL_RECORDS_H

#include "KernelTree.h"
#include "gpuprune/Support/ElementLayout.h"

namespace gpuprune::differential {

/// struct Record { float f; double d; int i; signed char c; long l; short s; }, with gaps behind f, c and s.
const ElementLayout &recordLayout();
/// struct Config { float f; double d; int i; short s; }
const ElementLayout &configLayout();

/// The type that the field \p Field of \p Layout has in a kernel's expressions.
Type valueType(const ElementLayout &Layout, unsigned Field);
/// The fields of \p Layout whose values have the type \p T; none: there is no such.
std::vector<unsigned> fieldsOf(const ElementLayout &Layout, Type T);

} // namespace gpuprune::differential

#endif // GPUPRUNE_TEST_DIFFERENTIAL_RECORDS_H
