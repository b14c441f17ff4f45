//===- RecordDriver.h - The driver of the program that is recorded -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RECORD_RECORDDRIVER_H
#define GPUPRUNE_LIB_RECORD_RECORDDRIVER_H

#include "CudaTypes.h"
#include <string>

using CUkernel = struct CUkern_st *;
using CUlibrary = struct CUlib_st *;

namespace gpuprune {

namespace cuda {
enum PointerAttribute : int {
  PointerMemoryType = 2,
  PointerIsManaged = 8,
  PointerDeviceOrdinal = 9,
  PointerRangeStart = 11,
  PointerRangeSize = 12,
  PointerMappingSize = 18,
  PointerMappingBase = 19,
};
constexpr unsigned HostMemory = 1;        ///< Of PointerMemoryType.
constexpr int RequiredClusterWidth = 11;  ///< An attribute of functions.
constexpr unsigned NonBlockingStream = 1; ///< A flag of StreamCreate.
} // namespace cuda

/// The entry points of the libcuda that the process has loaded.
struct RecordDriver {
#define GPUPRUNE_CUDA(Member, Symbol, ...) CUresult (*Member)(__VA_ARGS__) = nullptr;
#include "RecordDriver.def"

  /// Of \p Path, or of libcuda.so.1 where it is empty. Null, with the reason in \p Why.
  static const RecordDriver *load(const std::string &Path, std::string &Why);

  /// "CUDA_ERROR_ILLEGAL_ADDRESS (700)"
  std::string describe(CUresult Code) const;
};

/// A stream of the recorder's own in the current context, which waits for no other stream.
class CopyStream {
public:
  explicit CopyStream(const RecordDriver &Driver);
  ~CopyStream();
  CopyStream(const CopyStream &) = delete;
  CopyStream &operator=(const CopyStream &) = delete;
  /// Copies \p Bytes from the device and waits for them; the driver's code, 0 for success.
  CUresult read(void *To, CUdeviceptr From, size_t Bytes);

private:
  const RecordDriver &Driver;
  CUstream Stream = nullptr;
  CUresult Created;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RECORD_RECORDDRIVER_H
