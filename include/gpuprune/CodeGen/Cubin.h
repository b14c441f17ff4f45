//===- Cubin.h - What a cubin says of its kernels ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cubin is an ELF file. Sections .nv.info and .nv.info.<kernel> hold records
// {u8 format, u8 attribute, u16 size or value, payload}; .nv.shared.<kernel> has
// the size of the kernel's shared memory. The attributes are those cuobjdump
// --dump-elf names EIATTR_*.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_CUBIN_H
#define GPUPRUNE_CODEGEN_CUBIN_H

#include "gpuprune/Support/Dim3.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>

namespace gpuprune {

/// What one kernel takes, in bytes where it is memory.
struct CubinKernel {
  unsigned Registers = 0;
  uint64_t StaticShared = 0; ///< Without the part the system reserves.
  uint64_t LocalBytes = 0;   ///< A thread: stack frame, spills included.
  uint64_t ParameterBytes = 0;
  unsigned Barriers = 0;
  uint64_t CodeBytes = 0;
  std::optional<Dim3> MaxBlock;      ///< No block has more threads.
  std::optional<Dim3> RequiredBlock; ///< The only one.

  /// Whether the driver launches it with \p Block.
  bool takesBlock(const Dim3 &Block) const;
};

/// The kernels of the cubin in \p Image by symbol. \p SharedReserved is what the
/// device's row says the system takes of every block (DeviceInfo.h). CodeGen
/// error on anything that is not a cubin.
llvm::Expected<std::map<std::string, CubinKernel>> readCubin(llvm::StringRef Image, uint64_t SharedReserved);

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_CUBIN_H
