//===- Emit.cpp - gpuprune emit ---------------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "gpuprune/Driver/VariantBuilder.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprune {

/// Assembled as clang does it: the kernel keeps its name.
static Expected<std::string> cubinOf(const Toolchain &Tools, const DeviceInfo &Device, StringRef Ptx) {
  Expected<TemporaryDirectory> Directory = TemporaryDirectory::create();
  if (!Directory)
    return Directory.takeError();
  std::string Path = Directory->file("variant.cubin");
  Expected<std::string> Log = runPtxas(Tools, Device, Ptx, Path);
  if (!Log)
    return Log.takeError();
  return readFile(Path);
}

Error emitVariant(const EmitOptions &Options) {
  Expected<Workload> W = loadWorkload(Options.Workload);
  if (!W)
    return W.takeError();
  Expected<const DeviceInfo *> Device = findDevice(Options.Device);
  if (!Device)
    return Device.takeError();
  Expected<Toolchain> Tools = findToolchain();
  if (!Tools)
    return Tools.takeError();
  Expected<Variant> Parts = parseVariant(Options.Variant);
  if (!Parts)
    return Parts.takeError();
  VariantBuilder Builder(*W, *Tools, **Device);
  BuiltVariant Built(std::move(*Parts));
  if (Error E = Builder.runFrontends(Built, 1))
    return E;
  Expected<VariantRequest> Request = Builder.requestFor(Built);
  if (!Request)
    return Request.takeError();
  Request->KeepIR = Options.To == EmitKind::IR;
  Expected<VariantCode> Code = compileVariant(*Request);
  if (!Code)
    return Code.takeError();
  std::string Content = std::move(Options.To == EmitKind::IR ? Code->IR : Code->Ptx);
  if (Options.To == EmitKind::Cubin) {
    Expected<std::string> Image = cubinOf(*Tools, **Device, Content);
    if (!Image)
      return Image.takeError();
    Content = std::move(*Image);
  }
  if (Options.Output == "-") {
    outs() << Content;
    return Error::success();
  }
  return writeFile(Options.Output, Content);
}

} // namespace gpuprune
