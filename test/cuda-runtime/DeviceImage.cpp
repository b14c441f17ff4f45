//===- DeviceImage.cpp - Device code of one source, loaded on one device ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceImage.h"
#include "InitialValue.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/Kernels.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gpuprune {

/// Registers of a thread if neither the environment nor a cubin tells.
static constexpr unsigned UnknownRegisters = 32;
static constexpr unsigned SharedAddressSpace = 3, ConstantAddressSpace = 4;

/// Whether the program or several kernels can see that \p GV is one variable.
static bool isShared(const GlobalVariable &GV) {
  return !GV.isDeclaration() && GV.getAddressSpace() != SharedAddressSpace &&
         !(GV.isConstant() && GV.hasLocalLinkage());
}

/// Lists of what to keep, which need variables rather than addresses.
static void eraseLists(Module &M) {
  for (GlobalVariable &GV : make_early_inc_range(M.globals()))
    if (GV.getName().starts_with("llvm.") && GV.getName() != "llvm.global_ctors")
      GV.eraseFromParent();
}

Error DeviceImage::placeVariables(int Device, DeviceMemory &Memory) {
  eraseLists(*Code);
  const DataLayout &Layout = Code->getDataLayout();
  MapVector<GlobalVariable *, char *> Places;
  for (GlobalVariable &GV : Code->globals()) {
    if (!isShared(GV))
      continue;
    uint64_t Bytes = Layout.getTypeAllocSize(GV.getValueType());
    Expected<char *> Place = Memory.allocate(MemoryKind::Variable, Device, GV.getName(), Bytes);
    if (!Place)
      return Place.takeError();
    std::memset(*Place, 0, Bytes);
    Places[&GV] = *Place;
    if (GV.getAddressSpace() == ConstantAddressSpace)
      ConstantBytes += Bytes;
  }
  auto AddressOf = [&](const GlobalVariable &GV) { return Places.lookup(const_cast<GlobalVariable *>(&GV)); };
  for (auto [GV, Place] : Places)
    if (Error E = writeInitialValue(*GV->getInitializer(), Layout, AddressOf, Place))
      return joinErrors(makeError(ErrorKind::Refused, "variable '" + GV->getName() + "'"), std::move(E));
  for (auto [GV, Place] : Places) {
    Variables[GV->getName()] = Memory.find(Place)->Buffer;
    auto *Number = ConstantInt::get(Type::getInt64Ty(Context), reinterpret_cast<uint64_t>(Place));
    GV->replaceAllUsesWith(ConstantExpr::getIntToPtr(Number, GV->getType()));
  }
  for (auto [GV, Place] : Places)
    GV->eraseFromParent();
  return Error::success();
}

/// The product of "nvvm.maxntid" or "nvvm.reqntid"; 0 without one.
static unsigned threadBound(const Function &F) {
  for (const char *Name : {"nvvm.reqntid", "nvvm.maxntid"}) {
    if (!F.hasFnAttribute(Name))
      continue;
    unsigned Threads = 1, Extent = 0;
    SmallVector<StringRef, 3> Extents;
    F.getFnAttribute(Name).getValueAsString().split(Extents, ',');
    for (StringRef Text : Extents)
      Threads *= Text.trim().getAsInteger(10, Extent) ? 1 : Extent;
    return Threads;
  }
  return 0;
}

Error DeviceImage::describeKernels(StringRef Cubin) {
  std::map<std::string, CubinKernel> Assembled;
  if (!Cubin.empty()) {
    Expected<std::map<std::string, CubinKernel>> Read = readCubin(Cubin, Info.SharedReserved);
    if (!Read)
      return Read.takeError();
    Assembled = std::move(*Read);
  }
  for (const Function *F : selectKernels(*Code, "")) {
    ImageKernel &Kernel = Kernels[F->getName()];
    Kernel.Symbol = F->getName().str();
    Kernel.Registers = UnknownRegisters;
    if (auto Found = Assembled.find(Kernel.Symbol); Found != Assembled.end()) {
      Kernel.Registers = Found->second.Registers;
      Kernel.LocalBytes = Found->second.LocalBytes;
    }
    if (unsigned Told = Set.registersOf(Kernel.Symbol))
      Kernel.Registers = Told;
    unsigned Bound = threadBound(*F);
    unsigned Fitting = alignDown(Info.RegistersPerBlock / Kernel.Registers, Info.WarpSize);
    Kernel.MaxThreads = std::min({Info.ThreadsPerBlock, Fitting, Bound ? Bound : Info.ThreadsPerBlock});
    Kernel.DynamicShared = Info.SharedPerBlock;
  }
  return Error::success();
}

Expected<std::unique_ptr<DeviceImage>> DeviceImage::load(const ArchCode &Code, const DeviceInfo &Info,
                                                         int Device, DeviceMemory &Memory,
                                                         const Settings &Set) {
  std::unique_ptr<DeviceImage> Image(new DeviceImage(Info, Set));
  Image->Arch = Code.Arch;
  Image->Context.setDiscardValueNames(true);
  Expected<std::unique_ptr<Module>> M =
      parseBitcodeFile(MemoryBufferRef(Code.Bitcode, "device code"), Image->Context);
  if (!M)
    return M.takeError();
  Image->Code = std::move(*M);
  if (Error E = Image->placeVariables(Device, Memory))
    return std::move(E);
  if (Error E = Image->describeKernels(Code.Cubin))
    return std::move(E);
  return Image;
}

ImageKernel *DeviceImage::kernel(StringRef Symbol) {
  auto Found = Kernels.find(Symbol);
  return Found == Kernels.end() ? nullptr : &Found->second;
}

const GuardedBuffer *DeviceImage::variable(StringRef Symbol) const { return Variables.lookup(Symbol); }

Expected<HostProgram &> DeviceImage::program(ImageKernel &Kernel) {
  if (!Kernel.Program) {
    HostOptions Options;
    Options.Kernels = {Kernel.Symbol};
    Options.WatchMemory = Set.Watch;
    Options.FastCode = Set.Fast;
    Expected<std::unique_ptr<HostProgram>> Made = HostProgram::create(*CloneModule(*Code), Options);
    if (!Made)
      return Made.takeError();
    Kernel.Program = std::move(*Made);
  }
  return *Kernel.Program;
}

} // namespace gpuprune
