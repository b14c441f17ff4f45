//===- PassPlugins.cpp - Passes of others ---------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "gpuprune/Passes/Registry.h"
#include "gpuprune/Support/Error.h"
#ifndef GPUPRUNE_STATIC
#include "llvm/Plugins/PassPlugin.h"
#endif

using namespace llvm;

namespace gpuprune {

#ifdef GPUPRUNE_STATIC

Error loadPassPlugin(const std::string &Path) {
  return makeError(ErrorKind::Usage, "--load-pass-plugin=" + Path +
                                         ": this program has LLVM in itself and can load no passes; use one "
                                         "that is built with the shared LLVM");
}

#else

Error loadPassPlugin(const std::string &Path) {
  Expected<PassPlugin> Plugin = PassPlugin::Load(Path);
  if (!Plugin)
    return makeError(ErrorKind::Input, "--load-pass-plugin: " + toString(Plugin.takeError()));
  addPasses([Loaded = *Plugin](PassBuilder &PB) { Loaded.registerPassBuilderCallbacks(PB); });
  return Error::success();
}

#endif

} // namespace gpuprune
