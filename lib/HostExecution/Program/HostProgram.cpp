//===- HostProgram.cpp - Device code compiled for the CPU ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/HostExecution/HostProgram.h"
#include "Engine/FiberStacks.h"
#include "Engine/LaunchRunner.h"
#include "HostCompiler.h"
#include "Lowering/HostLowering.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/KernelNames.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"

using namespace llvm;
using namespace llvm::orc;

namespace gpuprune {

struct HostProgram::Implementation {
  LoweredModule Code;
  std::unique_ptr<LLJIT> Linker;
  std::unique_ptr<MemoryBuffer> Object;
  CodeMap Map;
  uint64_t StackBytes = 0;
  bool WatchMemory = false;
  std::vector<KernelEntry> Entries; ///< One a kernel.
  GuardedMemory Variables;
  std::vector<const GuardedBuffer *> VariableBuffers; ///< As in Code.Variables.
  std::vector<const char *> Initial;                  ///< Likewise; null: zeros.

  Error link();
  Error placeVariables();
  Error lookUp();
  const GuardedBuffer *variable(StringRef Symbol) const;
  Error copyToVariable(const ConstantCopy &Copy, const HostLaunch &Launch) const;
  template <typename T> Expected<T> address(StringRef Symbol);
};

static Error linkError(Error E) {
  return makeError(ErrorKind::Internal,
                   "cannot link the kernel's code for the CPU: " + toString(std::move(E)));
}

Error HostProgram::Implementation::placeVariables() {
  SymbolMap Symbols;
  Symbols[Linker->mangleAndIntern(ThreadAccess::StackBytesSymbol)] = {ExecutorAddr::fromPtr(&StackBytes),
                                                                      JITSymbolFlags::Exported};
  for (const LoweredVariable &Variable : Code.Variables) {
    Expected<GuardedBuffer &> Buffer =
        Variables.allocate(Variable.Symbol, Variable.Bytes, 0, GuardSide::Start);
    if (!Buffer)
      return Buffer.takeError();
    VariableBuffers.push_back(&*Buffer);
    Symbols[Linker->mangleAndIntern(Variable.Symbol)] = {ExecutorAddr::fromPtr(Buffer->Data),
                                                         JITSymbolFlags::Exported};
  }
  return Linker->getMainJITDylib().define(absoluteSymbols(std::move(Symbols)));
}

template <typename T> Expected<T> HostProgram::Implementation::address(StringRef Symbol) {
  Expected<ExecutorAddr> Address = Linker->lookup(Symbol);
  if (!Address)
    return Address.takeError();
  return Address->toPtr<T>();
}

Error HostProgram::Implementation::lookUp() {
  for (const std::string &Symbol : Code.Entries) {
    auto Entry = address<KernelEntry>(Symbol);
    if (!Entry)
      return Entry.takeError();
    Entries.push_back(*Entry);
  }
  Expected<CodeMap> Found =
      CodeMap::create(*Object, Code.Entries.front(), reinterpret_cast<uint64_t>(Entries.front()));
  if (!Found)
    return Found.takeError();
  Map = *Found;
  for (const LoweredVariable &Variable : Code.Variables) {
    Initial.push_back(nullptr);
    if (Variable.Initial.empty())
      continue;
    auto Bytes = address<const char *>(Variable.Initial);
    if (!Bytes)
      return Bytes.takeError();
    Initial.back() = *Bytes;
  }
  return Error::success();
}

Error HostProgram::Implementation::link() {
  if (Error E = placeVariables())
    return E;
  if (Error E = Linker->addObjectFile(MemoryBuffer::getMemBuffer(Object->getMemBufferRef(), false)))
    return linkError(std::move(E));
  if (Error E = lookUp())
    return linkError(std::move(E));
  return Error::success();
}

HostProgram::HostProgram(std::unique_ptr<Implementation> Impl) : Impl(std::move(Impl)) {}
HostProgram::~HostProgram() = default;

Expected<std::unique_ptr<HostProgram>> HostProgram::create(StringRef Bitcode, const HostOptions &Options) {
  LLVMContext Context;
  Context.setDiscardValueNames(true);
  Expected<std::unique_ptr<Module>> M = parseBitcodeFile(MemoryBufferRef(Bitcode, "device bitcode"), Context);
  if (!M)
    return makeError(ErrorKind::Input, "cannot read the device bitcode: " + toString(M.takeError()));
  return create(**M, Options);
}

Expected<std::unique_ptr<HostProgram>> HostProgram::create(Module &M, const HostOptions &Options) {
  Expected<std::unique_ptr<TargetMachine>> TM = createHostTargetMachine(Options.FastCode);
  if (!TM)
    return TM.takeError();
  auto Impl = std::make_unique<Implementation>();
  Expected<LoweredModule> Code = lowerForHost(M, **TM, Options);
  if (!Code)
    return Code.takeError();
  Impl->Code = std::move(*Code);
  Impl->WatchMemory = Options.WatchMemory;
  Expected<std::unique_ptr<MemoryBuffer>> Object = compileForHost(M, **TM);
  if (!Object)
    return Object.takeError();
  Impl->Object = std::move(*Object);
  Expected<uint64_t> FrameBytes = frameBytes(*Impl->Object);
  if (!FrameBytes)
    return FrameBytes.takeError();
  Impl->StackBytes = stackBytesFor(*FrameBytes + Options.StackBytes);
  Expected<std::unique_ptr<LLJIT>> Linker = createHostLinker();
  if (!Linker)
    return Linker.takeError();
  Impl->Linker = std::move(*Linker);
  if (Error E = Impl->link())
    return std::move(E);
  std::unique_ptr<HostProgram> Program(new HostProgram(std::move(Impl)));
  Program->resetVariables();
  return std::move(Program);
}

ArrayRef<HostKernel> HostProgram::kernels() const { return Impl->Code.Kernels; }

const HostKernel *HostProgram::kernel(StringRef Name) const {
  const HostKernel *Found = nullptr;
  for (const HostKernel &Kernel : kernels()) {
    if (Kernel.Symbol == Name)
      return &Kernel;
    if (!isKernelNamed(Kernel.Symbol, Name))
      continue;
    if (Found)
      return nullptr;
    Found = &Kernel;
  }
  return Found;
}

bool HostProgram::watchesMemory() const { return Impl->WatchMemory; }

ArrayRef<AccessSite> HostProgram::sites() const { return Impl->Code.Sites; }

const GuardedBuffer *HostProgram::Implementation::variable(StringRef Symbol) const {
  for (auto [Variable, Buffer] : zip_equal(Code.Variables, VariableBuffers))
    if (Variable.Symbol == Symbol)
      return Buffer;
  return nullptr;
}

const GuardedBuffer *HostProgram::variable(StringRef Symbol) const { return Impl->variable(Symbol); }

std::optional<BufferPlace> HostProgram::findVariable(uint64_t Address) const {
  return Impl->Variables.find(Address);
}

/// Where the kernel does not read the variable after all, it may not have one.
Error HostProgram::Implementation::copyToVariable(const ConstantCopy &Copy, const HostLaunch &Launch) const {
  const GuardedBuffer *To = variable(Copy.Symbol);
  const char *From = nullptr;
  std::memcpy(static_cast<void *>(&From), Launch.Arguments[Copy.Argument].data(), sizeof(From));
  if (!To || !From)
    return Error::success();
  const GuardedBuffer *Buffer = Launch.Memory ? Launch.Memory->bufferAt(From) : nullptr;
  if (!Buffer)
    return makeError(ErrorKind::Input,
                     formatv("kernel '{0}': argument {1}, whose buffer is copied to '{2}', points to none",
                             Launch.Kernel, Copy.Argument, Copy.Symbol));
  uint64_t Bytes = Buffer->Data + Buffer->Bytes - From;
  if (Error E = Copy.checkBuffer(Buffer->Name, Bytes))
    return E;
  if (!Launch.Memory->fillWhole(*Buffer))
    return makeError(ErrorKind::Resources, formatv("no memory for buffer '{0}'", Buffer->Name));
  std::memcpy(To->Data, From, Bytes);
  return Error::success();
}

void HostProgram::resetVariables() {
  for (auto [Buffer, Initial] : zip_equal(Impl->VariableBuffers, Impl->Initial)) {
    if (Initial)
      std::memcpy(Buffer->Data, Initial, Buffer->Bytes);
    else
      std::memset(Buffer->Data, 0, Buffer->Bytes);
  }
}

Expected<LaunchReport> HostProgram::launch(const HostLaunch &Launch) const {
  const HostKernel *Kernel = kernel(Launch.Kernel);
  if (!Kernel)
    return makeError(ErrorKind::Input, formatv("no kernel '{0}' in the program, or several", Launch.Kernel));
  if (Error E = checkLaunch(Launch, *Kernel))
    return std::move(E);
  for (const ConstantCopy &Copy : Launch.ConstantCopies)
    if (Error E = Impl->copyToVariable(Copy, Launch))
      return std::move(E);
  KernelEntry Entry = Impl->Entries[Kernel - kernels().data()];
  return runLaunch(Launch, {*Kernel, Entry, Impl->StackBytes, Impl->Variables, Impl->Map, Impl->WatchMemory});
}

} // namespace gpuprune
