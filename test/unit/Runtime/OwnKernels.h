//===- OwnKernels.h - Tests of the runner's own kernels --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_RUNTIME_OWNKERNELS_H
#define GPUPRUNE_TEST_UNIT_RUNTIME_OWNKERNELS_H

#include "../ExpectedTesting.h"
#include "DeviceKernels.h"
#include "gtest/gtest.h"

namespace gpuprune::test {

inline constexpr ElementType AllTypes[] = {
#define GPUPRUNE_ELEMENT_TYPE(Enumerator, Name, Bytes, Class) ElementType::Enumerator,
#include "gpuprune/Support/ElementTypes.def"
};

/// Structures with padding in the middle, at the end, and without any.
inline std::vector<ElementLayout> structures() {
  using Fields = ElementLayout::FieldList;
  return {llvm::cantFail(ElementLayout::structure(Fields{{"x", ElementType::F32}, {"id", ElementType::I32}})),
          llvm::cantFail(ElementLayout::structure(
              Fields{{"a", ElementType::U8}, {"b", ElementType::F64}, {"c", ElementType::F16}})),
          llvm::cantFail(ElementLayout::structure(
              Fields{{"x", ElementType::F32}, {"y", ElementType::F32}, {"z", ElementType::BF16}})),
          llvm::cantFail(ElementLayout::structure(
              Fields{{"a", ElementType::F64}, {"b", ElementType::F32}, {"c", ElementType::I16}})),
          llvm::cantFail(ElementLayout::structure(Fields{{"a", ElementType::U64},
                                                         {"b", ElementType::F16},
                                                         {"c", ElementType::U8},
                                                         {"d", ElementType::I32}},
                                                  16)),
          llvm::cantFail(
              ElementLayout::placed(Fields{{"a", ElementType::U32, 4}, {"b", ElementType::F64, 24}}, 48))};
}

inline std::vector<ElementLayout> allLayouts() {
  std::vector<ElementLayout> All = structures();
  All.insert(All.end(), std::begin(AllTypes), std::end(AllTypes));
  return All;
}

/// The fake driver runs them, or the one that GPUPRUNE_TEST_CUDA_DRIVER names, which may be a real one.
class OwnKernels : public ::testing::Test {
protected:
  void SetUp() override {
    const char *Driver = std::getenv("GPUPRUNE_TEST_CUDA_DRIVER");
    G = valueOf(Gpu::open(Driver ? Driver : GPUPRUNE_FAKE_CUDA, 0));
    Kernels.emplace(*G);
    if (!Kernels->areLoaded())
      GTEST_SKIP() << Kernels->problem();
  }
  /// Memory of a real GPU is out of a test's reach.
  bool canSpoil() const { return !std::getenv("GPUPRUNE_TEST_CUDA_DRIVER"); }
  DeviceMemory upload(llvm::ArrayRef<uint8_t> Bytes) {
    DeviceMemory Memory = valueOf(DeviceMemory::allocate(*G, Bytes.size()));
    EXPECT_FALSE(bool(G->upload(Memory.address(), Bytes)));
    return Memory;
  }
  std::vector<uint8_t> download(CUdeviceptr At, uint64_t Bytes) {
    std::vector<uint8_t> All;
    EXPECT_FALSE(bool(G->download(At, Bytes, [&](llvm::ArrayRef<uint8_t> Chunk) {
      All.insert(All.end(), Chunk.begin(), Chunk.end());
      return true;
    })));
    return All;
  }
  std::unique_ptr<Gpu> G;
  std::optional<DeviceKernels> Kernels;
};

} // namespace gpuprune::test

#endif // GPUPRUNE_TEST_UNIT_RUNTIME_OWNKERNELS_H
