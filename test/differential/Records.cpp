//===- Records.cpp - The structures of random kernels ------------------------- ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Records.h"

using namespace llvm;

namespace gpuprune::differential {

const ElementLayout &recordLayout() {
  static const ElementLayout Layout = cantFail(ElementLayout::structure({{"f", ElementType::F32},
                                                                         {"d", ElementType::F64},
                                                                         {"i", ElementType::I32},
                                                                         {"c", ElementType::I8},
                                                                         {"l", ElementType::I64},
                                                                         {"s", ElementType::I16}}));
  return Layout;
}

const ElementLayout &configLayout() {
  static const ElementLayout Layout = cantFail(ElementLayout::structure(
      {{"f", ElementType::F32}, {"d", ElementType::F64}, {"i", ElementType::I32}, {"s", ElementType::I16}}));
  return Layout;
}

Type valueType(const ElementLayout &Layout, unsigned Field) {
  switch (Layout.fields()[Field].Type) {
  case ElementType::F32:
    return Type::F32;
  case ElementType::F64:
    return Type::F64;
  case ElementType::I64:
    return Type::I64;
  default:
    return Type::I32;
  }
}

std::vector<unsigned> fieldsOf(const ElementLayout &Layout, Type T) {
  std::vector<unsigned> Fields;
  for (unsigned Field = 0; Field != Layout.fields().size(); ++Field)
    if (valueType(Layout, Field) == T)
      Fields.push_back(Field);
  return Fields;
}

} // namespace gpuprune::differential
