//===- RecordDriver.cpp - The driver of the program that is recorded -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RecordDriver.h"
#include "llvm/Support/FormatVariadic.h"
#include <dlfcn.h>

using namespace llvm;

namespace gpuprune {

template <typename Function>
static void resolve(void *Library, const char *Symbol, Function &Member, const char *&Missing) {
  Member = reinterpret_cast<Function>(dlsym(Library, Symbol));
  if (!Member)
    Missing = Symbol;
}

const RecordDriver *RecordDriver::load(const std::string &Path, std::string &Why) {
  std::string File = Path.empty() ? "libcuda.so.1" : Path;
  void *Library = dlopen(File.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Library) {
    const char *Reason = dlerror();
    Why =
        formatv("the CUDA driver library {0} could not be opened ({1})", File, Reason ? Reason : "no reason");
    return nullptr;
  }
  static RecordDriver Driver;
  const char *Missing = nullptr, *MissingOption = nullptr;
#define GPUPRUNE_CUDA_OPTIONAL(Member, Symbol, ...) resolve(Library, Symbol, Driver.Member, MissingOption);
#define GPUPRUNE_CUDA(Member, Symbol, ...) resolve(Library, Symbol, Driver.Member, Missing);
#include "RecordDriver.def"
  if (!Missing)
    return &Driver;
  Why = formatv("the CUDA driver library {0} has no {1}; a newer NVIDIA driver is needed", File, Missing);
  return nullptr;
}

std::string RecordDriver::describe(CUresult Code) const {
  const char *Name = nullptr;
  if (GetErrorName(Code, &Name) != cuda::Success || !Name)
    Name = "unknown CUDA error";
  return formatv("{0} ({1})", Name, Code);
}

CopyStream::CopyStream(const RecordDriver &Driver)
    : Driver(Driver), Created(Driver.StreamCreate(&Stream, cuda::NonBlockingStream)) {}

CopyStream::~CopyStream() {
  if (Created == cuda::Success)
    (void)Driver.StreamDestroy(Stream);
}

CUresult CopyStream::read(void *To, CUdeviceptr From, size_t Bytes) {
  if (Created != cuda::Success)
    return Created;
  CUresult Code = Driver.MemcpyDtoHAsync(To, From, Bytes, Stream);
  CUresult Waited = Driver.StreamSynchronize(Stream);
  return Code != cuda::Success ? Code : Waited;
}

} // namespace gpuprune
