//===- HostCompiler.cpp - IR of this machine to code ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostCompiler.h"
#include "DeviceRuntime.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using namespace llvm::orc;

namespace gpuprune {

static Error toolchainError(Error E) {
  return makeError(ErrorKind::Toolchain, "LLVM cannot compile for this machine: " + toString(std::move(E)));
}

static Expected<JITTargetMachineBuilder> hostBuilder() {
  static const bool Missing = InitializeNativeTarget() || InitializeNativeTargetAsmPrinter();
  if (Missing)
    return makeError(ErrorKind::Toolchain, "this LLVM has no code generator for " + sys::getProcessTriple());
  static const std::optional<JITTargetMachineBuilder> Detected =
      expectedToOptional(JITTargetMachineBuilder::detectHost());
  if (!Detected)
    return makeError(ErrorKind::Toolchain, "LLVM does not know this processor");
  JITTargetMachineBuilder Builder = *Detected;
  Builder.setRelocationModel(Reloc::PIC_);
  Builder.setCodeModel(CodeModel::Small);
  Builder.setCodeGenOptLevel(CodeGenOptLevel::Default);
  Builder.getOptions().AllowFPOpFusion = FPOpFusion::Strict;
  Builder.getOptions().TrapUnreachable = true;
  return Builder;
}

Expected<std::unique_ptr<TargetMachine>> createHostTargetMachine() {
  Expected<JITTargetMachineBuilder> Builder = hostBuilder();
  if (!Builder)
    return Builder.takeError();
  Expected<std::unique_ptr<TargetMachine>> TM = Builder->createTargetMachine();
  if (!TM)
    return toolchainError(TM.takeError());
  return TM;
}

Expected<std::unique_ptr<MemoryBuffer>> compileForHost(Module &M, TargetMachine &TM) {
  SmallVector<char, 0> Object;
  raw_svector_ostream OS(Object);
  legacy::PassManager CodeGen;
  MCContext *Context = nullptr;
  if (TM.addPassesToEmitMC(CodeGen, Context, OS))
    return makeError(ErrorKind::Toolchain, "this LLVM cannot write object files for this machine");
  CodeGen.run(M);
  return std::make_unique<SmallVectorMemoryBuffer>(std::move(Object), "device code");
}

static SymbolMap runtimeSymbols(LLJIT &Linker) {
  SymbolMap Symbols;
  for (const RuntimeFunction &F : runtimeFunctions())
    Symbols[Linker.mangleAndIntern(F.Symbol)] = {ExecutorAddr::fromPtr(F.Address),
                                                 JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  return Symbols;
}

Expected<std::unique_ptr<LLJIT>> createHostLinker() {
  Expected<JITTargetMachineBuilder> Builder = hostBuilder();
  if (!Builder)
    return Builder.takeError();
  Expected<std::unique_ptr<LLJIT>> Linker = LLJITBuilder()
                                                .setJITTargetMachineBuilder(std::move(*Builder))
                                                .setPlatformSetUp(setUpInactivePlatform)
                                                .setLinkProcessSymbolsByDefault(false)
                                                .create();
  if (!Linker)
    return toolchainError(Linker.takeError());
  if (Error E = (*Linker)->getMainJITDylib().define(absoluteSymbols(runtimeSymbols(**Linker))))
    return toolchainError(std::move(E));
  return Linker;
}

} // namespace gpuprune
