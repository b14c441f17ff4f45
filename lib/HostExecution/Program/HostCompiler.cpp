//===- HostCompiler.cpp - IR of this machine to code ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostCompiler.h"
#include "Engine/DeviceRuntime.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using namespace llvm::orc;

namespace gpuprune {

static Error toolchainError(Error E) {
  return makeError(ErrorKind::Toolchain, "LLVM cannot compile for this machine: " + toString(std::move(E)));
}

static Expected<JITTargetMachineBuilder> hostBuilder(bool FastCode) {
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
  Builder.setCodeGenOptLevel(FastCode ? CodeGenOptLevel::Default : CodeGenOptLevel::None);
  Builder.getOptions().AllowFPOpFusion = FPOpFusion::Strict;
  Builder.getOptions().TrapUnreachable = true;
  Builder.getOptions().EmitStackSizeSection = true;
  return Builder;
}

Expected<std::unique_ptr<TargetMachine>> createHostTargetMachine(bool FastCode) {
  Expected<JITTargetMachineBuilder> Builder = hostBuilder(FastCode);
  if (!Builder)
    return Builder.takeError();
  Expected<std::unique_ptr<TargetMachine>> TM = Builder->createTargetMachine();
  if (!TM)
    return toolchainError(TM.takeError());
  return TM;
}

/// LLVM's fast instruction selection makes a load and a select of its float one blend of 16 bytes, which
/// reaches behind the last element of a buffer. It joins no volatile loads.
static void keepLoadsOfSelects(Module &M) {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (isa<SelectInst>(I) && I.getType()->isFloatingPointTy())
        for (Value *Operand : I.operands())
          if (auto *Load = dyn_cast<LoadInst>(Operand))
            Load->setVolatile(true);
}

Expected<std::unique_ptr<MemoryBuffer>> compileForHost(Module &M, TargetMachine &TM) {
  keepLoadsOfSelects(M);
  SmallVector<char, 0> Object;
  raw_svector_ostream OS(Object);
  legacy::PassManager CodeGen;
  MCContext *Context = nullptr;
  if (TM.addPassesToEmitMC(CodeGen, Context, OS))
    return makeError(ErrorKind::Toolchain, "this LLVM cannot write object files for this machine");
  CodeGen.run(M);
  return std::make_unique<SmallVectorMemoryBuffer>(std::move(Object), "device code");
}

/// The section .stack_sizes: for each function its address, here still without a
/// value, and the size of its frame in LEB128.
Expected<uint64_t> frameBytes(const MemoryBuffer &Object) {
  Expected<std::unique_ptr<object::ObjectFile>> File =
      object::ObjectFile::createObjectFile(Object.getMemBufferRef());
  if (!File)
    return File.takeError();
  uint64_t Sum = 0;
  for (const object::SectionRef &Section : (*File)->sections()) {
    Expected<StringRef> Name = Section.getName();
    if (!Name)
      return Name.takeError();
    if (*Name != ".stack_sizes")
      continue;
    Expected<StringRef> Contents = Section.getContents();
    if (!Contents)
      return Contents.takeError();
    DataExtractor Data(*Contents, (*File)->isLittleEndian(), (*File)->getBytesInAddress());
    DataExtractor::Cursor At(0);
    while (At && At.tell() < Contents->size()) {
      Data.getAddress(At);
      Sum += Data.getULEB128(At);
    }
    if (!At)
      return At.takeError();
  }
  return Sum;
}

static SymbolMap runtimeSymbols(LLJIT &Linker) {
  SymbolMap Symbols;
  for (const RuntimeFunction &F : runtimeFunctions())
    Symbols[Linker.mangleAndIntern(F.Symbol)] = {ExecutorAddr::fromPtr(F.Address), JITSymbolFlags::Exported};
  return Symbols;
}

Expected<std::unique_ptr<LLJIT>> createHostLinker() {
  Expected<JITTargetMachineBuilder> Builder = hostBuilder(false);
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
