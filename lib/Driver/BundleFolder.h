//===- BundleFolder.h - Folders that bundles are written to ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DRIVER_BUNDLEFOLDER_H
#define GPUPRUNE_LIB_DRIVER_BUNDLEFOLDER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gpuprune {

/// Makes \p Folder, which exists, ready for a new bundle: removes all files of the bundle of either kind
/// that it holds, whole or half written. Io error, and nothing is removed, if it holds other files and no
/// bundle.
llvm::Error clearBundleFolder(llvm::StringRef Folder);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_DRIVER_BUNDLEFOLDER_H
