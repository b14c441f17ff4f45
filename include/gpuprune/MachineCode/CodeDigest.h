//===- CodeDigest.h - When two kernels are the same program -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hash over what decides how a kernel of a cubin executes. Two kernels with
// equal hashes execute the same instructions on the same resources, whatever
// files, symbols and PTX they come from; launched alike on equal memory they
// compute the same, equally fast. What equals is not run twice, so all that is
// not understood counts: it makes two kernels different.
//
// In:
//   - .text.<kernel>, and that of each function its relocations lead to:
//     contents, flags (number of barriers), alignment, functions inside
//   - its constant banks, .nv.constant<N>.<kernel>, and the size and alignment
//     of .nv.shared.<kernel>; any other section of its name
//   - the banks that all kernels of the file share, .nv.constant<N>, whole:
//     which part a kernel reads only its instructions say
//   - relocations of all these by offset, type, addend and target. A target is
//     a number in the order of finding and, once, its contents: of a variable
//     its size, its initial value and what that points to. Local names do not
//     count. Names of visible variables do, since the host fills those by name,
//     and so do names of what another module defines
//   - registers, frame and stack of the functions, from .nv.info
//   - .nv.info.<kernel>: layout and size of the parameters, barriers, cluster
//     dimensions, call stack, workarounds, and every attribute not listed below
//   - architecture and ABI of the file, and .nv.compat
//
// Out:
//   - EIATTR_MAXREG_COUNT: it bounded ptxas, which has chosen by now
//   - EIATTR_MAX_THREADS and EIATTR_REQNTID: they say which blocks the driver
//     takes (CubinKernel::takesBlock) and change nothing for one that it takes.
//     .minnctapersm leaves no trace in a cubin
//   - EIATTR_EXTERNS, and the symbol in EIATTR_PARAM_CBANK: numbers of symbols;
//     relocations name the former
//   - debug information, notes, the call graph
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MACHINECODE_CODEDIGEST_H
#define GPUPRUNE_MACHINECODE_CODEDIGEST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuprune {

/// SHA-256, in hexadecimal digits, of each of \p Kernels in the cubin \p Image; empty for one that it does
/// not have. CodeGen error on anything that is not a cubin.
llvm::Expected<std::vector<std::string>> machineCodes(llvm::StringRef Image,
                                                      llvm::ArrayRef<std::string> Kernels);

} // namespace gpuprune

#endif // GPUPRUNE_MACHINECODE_CODEDIGEST_H
