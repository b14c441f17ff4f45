//===- LoadedProgram.cpp - A program ready to launch ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LoadedProgram.h"
#include "gpuprune/Support/PointerAlignment.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

/// Modules kept loaded: the reference, the baseline and what was used last.
static constexpr uint64_t KeptModules = 16;

Error Module::preferCarveout(CUfunction Kernel, std::optional<unsigned> Percent) {
  auto Now = Carveouts.find(Kernel);
  if (Now == Carveouts.end() ? !Percent : Now->second == Percent)
    return Error::success();
  int Value = Percent ? static_cast<int>(*Percent) : cuda::DefaultCarveout;
  if (Error E =
          Owner.check(Owner.driver().FuncSetAttribute(Kernel, cuda::PreferredSharedMemoryCarveout, Value),
                      "asking for a shared memory carve-out", ResultStatus::Launch))
    return E;
  if (Percent)
    Carveouts[Kernel] = *Percent;
  else
    Carveouts.erase(Now);
  return Error::success();
}

ModuleCache::ModuleCache(const Gpu &G, StringRef BaseDirectory)
    : Owner(G), BaseDirectory(BaseDirectory), Modules(KeptModules) {}

std::string ModuleCache::locate(StringRef Path) const {
  if (BaseDirectory.empty() || !sys::path::is_relative(Path))
    return Path.str();
  SmallString<256> Full(BaseDirectory);
  sys::path::append(Full, Path);
  return std::string(Full);
}

/// What the driver means when it takes no cubin of this file: only the version tells.
static std::string whyNotLoaded(const Gpu &G, CUresult Code, StringRef Contents) {
  std::string Said = G.driver().describe(Code);
  if (Code != cuda::InvalidImage && Code != cuda::NoBinaryForGpu)
    return Said;
  if (!Contents.starts_with("\177ELF"))
    return Said + "; the file is no cubin: make it, or the bundle, anew";
  int Version = G.description().DriverVersion;
  return formatv(
      "{0}; the driver, which is of CUDA {1}.{2}, is too old for this cubin, or the file is damaged; "
      "install an NVIDIA driver of the CUDA version whose ptxas made it, or later",
      Said, Version / 1000, Version % 1000 / 10);
}

Expected<std::shared_ptr<Module>> ModuleCache::load(StringRef Path) {
  if (auto Known = OfJob.find(Path); Known != OfJob.end())
    return Known->second;
  Expected<std::shared_ptr<Module>> Read = read(Path);
  if (Read)
    OfJob[Path] = *Read;
  return Read;
}

Expected<std::shared_ptr<Module>> ModuleCache::read(StringRef Path) {
  TimeTraceScope Scope("load module");
  std::string Full = locate(Path);
  ErrorOr<std::unique_ptr<MemoryBuffer>> File = MemoryBuffer::getFile(Full);
  if (!File)
    return make_error<JobFailure>(ResultStatus::Load, formatv("{0}: {1}", Full, File.getError().message()));
  XXH128_hash_t Hash = xxh3_128bits(arrayRefFromStringRef((*File)->getBuffer()));
  std::string Key = utohexstr(Hash.high64) + ":" + utohexstr(Hash.low64);
  if (std::shared_ptr<Module> Known = Modules.find(Key))
    return Known;
  CUmodule Handle = nullptr;
  if (CUresult Code = Owner.driver().ModuleLoadData(&Handle, (*File)->getBufferStart()))
    return make_error<JobFailure>(
        ResultStatus::Load,
        formatv("cuModuleLoadData of {0}: {1}", Full, whyNotLoaded(Owner, Code, (*File)->getBuffer())));
  auto Loaded = std::make_shared<Module>(Owner, Handle, Key);
  Modules.insert(Key, Loaded, 1);
  return Loaded;
}

/// Of the author's arguments and the hidden ones behind them.
static size_t bytesOfArgument(const Launch &L, size_t Index) {
  if (Index >= L.Args.size())
    return sizeof(HiddenArgument::Value);
  const Argument &A = L.Args[Index];
  if (!A.Structure.empty())
    return A.Structure.size();
  return A.Buffer ? sizeof(CUdeviceptr) : elementBytes(A.Type);
}

/// cuLaunchKernel reads as many arguments as the kernel has, whatever it is given.
Error LoadedProgram::checkArguments(const Gpu &G, const Step &S) {
  if (!G.driver().FuncGetParamInfo)
    return Error::success();
  size_t Offset = 0, Size = 0;
  for (size_t I = 0, N = S.Values.size();; ++I) {
    bool Exists = G.driver().FuncGetParamInfo(S.Function, I, &Offset, &Size) == cuda::Success;
    if (Exists != (I < N))
      return make_error<JobFailure>(
          ResultStatus::Launch, formatv("{0}: the job gives {1} arguments, the kernel takes {2} than that",
                                        S.Shape.Symbol, N, Exists ? "more" : "fewer"));
    if (!Exists)
      return Error::success();
    size_t Given = bytesOfArgument(S.Shape, I);
    if (Given != Size)
      return make_error<JobFailure>(
          ResultStatus::Launch, formatv("{0}: argument {1} has {2} bytes in the job and {3} in the kernel",
                                        S.Shape.Symbol, I, Given, Size));
  }
}

/// A kernel that reads several elements at once faults or worse where a buffer begins elsewhere.
Error LoadedProgram::checkAlignment(const Step &S, const BufferSet &Buffers) {
  for (const auto &[Index, A] : enumerate(S.Shape.Args)) {
    if (!A.Buffer)
      continue;
    const DeviceBuffer &Passed = *Buffers.buffers()[*A.Buffer];
    std::string Problem = misalignedPointer(static_cast<unsigned>(Index), Passed.shape().Name,
                                            Passed.address() + A.Offset, S.Shape.PointerAlignment);
    if (!Problem.empty())
      return make_error<JobFailure>(ResultStatus::Launch, S.Shape.Symbol + ": " + Problem);
  }
  return Error::success();
}

/// Above the default limit of a block, which static shared memory counts into,
/// dynamic shared memory must be asked for. Never lowers what is allowed: another
/// launch of the program may need it.
Error LoadedProgram::allowDynamicShared(const Gpu &G, const Step &S) {
  int Allowed = 0, Static = 0;
  for (auto [Which, Out] :
       {std::pair(cuda::MaxDynamicSharedSizeBytes, &Allowed), std::pair(cuda::SharedSizeBytes, &Static)})
    if (Error E = G.check(G.driver().FuncGetAttribute(Out, Which, S.Function), "cuFuncGetAttribute"))
      return E;
  int64_t Wanted = S.Shape.SharedBytes;
  if (Wanted == 0 || Wanted + Static <= Allowed)
    return Error::success();
  Wanted = std::max<int64_t>(Wanted, Allowed);
  std::string Call = formatv("{0}: asking for {1} bytes of dynamic shared memory", S.Shape.Symbol, Wanted);
  CUresult Code = Wanted > INT32_MAX
                      ? CUresult(cuda::InvalidValue)
                      : G.driver().FuncSetAttribute(S.Function, cuda::MaxDynamicSharedSizeBytes,
                                                    static_cast<int>(Wanted));
  return G.check(Code, Call.c_str(), ResultStatus::Launch);
}

Error LoadedProgram::findConstants(const Gpu &G, Step &S, const BufferSet &Buffers) {
  for (const ConstantCopy &C : S.Shape.ConstantCopies) {
    CUdeviceptr Address = 0;
    size_t Bytes = 0;
    std::string Call = formatv("the symbol {0}, which argument {1} of {2} is copied to", C.Symbol, C.Argument,
                               S.Shape.Symbol);
    CUresult Code = G.driver().ModuleGetGlobal(&Address, &Bytes, S.Code->handle(), C.Symbol.c_str());
    if (Error E = G.check(Code, Call.c_str(), ResultStatus::Load))
      return E;
    const DeviceBuffer &From = *Buffers.buffers()[*S.Shape.Args[C.Argument].Buffer];
    if (From.shape().bytes() > Bytes)
      return make_error<JobFailure>(ResultStatus::Launch,
                                    formatv("buffer {0} has {1} bytes, {2}, only {3}", From.shape().Name,
                                            From.shape().bytes(), Call, Bytes));
    S.Constants.push_back({Address, From.address(), From.shape().bytes()});
  }
  return Error::success();
}

Expected<LoadedProgram::Step> LoadedProgram::loadStep(const Gpu &G, std::shared_ptr<Module> Code,
                                                      const Launch &L, const BufferSet &Buffers) {
  Step S{std::move(Code), nullptr, L, {}};
  std::string Call = formatv("{0}: kernel {1}", L.Cubin, L.Symbol);
  if (Error E = G.check(G.driver().ModuleGetFunction(&S.Function, S.Code->handle(), L.Symbol.c_str()),
                        Call.c_str(), ResultStatus::Load))
    return E;
  for (const Argument &A : L.Args)
    S.Values.push_back(A.Buffer ? Buffers.buffers()[*A.Buffer]->address() + A.Offset : A.Bits);
  for (const HiddenArgument &A : L.Hidden)
    S.Values.push_back(A.Value);
  static_assert(std::is_nothrow_move_constructible_v<Step>, "what Params point to moves with the step");
  for (auto [Index, Value] : enumerate(S.Values)) {
    bool IsStructure = Index < S.Shape.Args.size() && !S.Shape.Args[Index].Structure.empty();
    S.Params.push_back(IsStructure ? static_cast<void *>(S.Shape.Args[Index].Structure.data()) : &Value);
  }
  if (Error E = checkArguments(G, S))
    return E;
  if (Error E = checkAlignment(S, Buffers))
    return E;
  if (Error E = findConstants(G, S, Buffers))
    return E;
  if (Error E = allowDynamicShared(G, S))
    return E;
  return S;
}

Expected<LoadedProgram> LoadedProgram::load(const Gpu &G, ModuleCache &Modules, const Program &P,
                                            const BufferSet &Buffers) {
  LoadedProgram Loaded(G);
  Loaded.Untimed = P.Untimed;
  Program Located = P;
  for (Launch &L : Located.Launches) {
    Expected<std::shared_ptr<Module>> Code = Modules.load(L.Cubin);
    if (!Code)
      return Code.takeError();
    Expected<Step> S = loadStep(G, std::move(*Code), L, Buffers);
    if (!S)
      return S.takeError();
    L.Cubin = S->Code->contentKey();
    Loaded.Steps.push_back(std::move(*S));
  }
  for (const auto &B : Buffers.buffers())
    if (!B->shape().Symbol.empty())
      if (Error E = Loaded.findSymbols(B))
        return E;
  Loaded.ContentKey = Modules.nameOf(Located);
  return Loaded;
}

bool LoadedProgram::copiesConstants() const {
  return any_of(Steps, [](const Step &S) { return !S.Constants.empty(); });
}

Error LoadedProgram::findSymbols(const std::shared_ptr<DeviceBuffer> &Contents) {
  const Buffer &Shape = Contents->shape();
  SmallPtrSet<CUmodule, 4> Seen;
  bool Found = false;
  for (const Step &S : Steps) {
    if (!Seen.insert(S.Code->handle()).second)
      continue;
    CUdeviceptr Address = 0;
    size_t Bytes = 0;
    CUresult Code = Owner->driver().ModuleGetGlobal(&Address, &Bytes, S.Code->handle(), Shape.Symbol.c_str());
    if (Code == cuda::NotFound)
      continue;
    if (Error E = Owner->check(Code, "cuModuleGetGlobal", ResultStatus::Load))
      return E;
    if (Shape.bytes() > Bytes)
      return make_error<JobFailure>(
          ResultStatus::Launch,
          formatv("buffer {0} has {1} bytes, the symbol {2}, which it is copied to, only {3}", Shape.Name,
                  Shape.bytes(), Shape.Symbol, Bytes));
    Symbols.push_back({Address, Bytes, Contents});
    Found = true;
  }
  if (Found)
    return Error::success();
  return make_error<JobFailure>(
      ResultStatus::Load,
      formatv("no module of the program has the symbol {0}, which buffer {1} is copied to", Shape.Symbol,
              Shape.Name));
}

Error LoadedProgram::setUpModules() const {
  for (const Step &S : Steps)
    if (Error E = S.Code->preferCarveout(S.Function, S.Shape.SharedCarveout))
      return E;
  return fillSymbols();
}

Error LoadedProgram::fillSymbols() const {
  for (const Symbol &S : Symbols) {
    uint64_t Filled = S.Contents->shape().bytes();
    if (Error E = Owner->copy(S.Address, S.Contents->address(), Filled))
      return E;
    if (Filled == S.Bytes)
      continue;
    if (Error E = Owner->set(S.Address + Filled, 0, S.Bytes - Filled))
      return E;
  }
  return Error::success();
}

Expected<std::optional<Mismatch>> LoadedProgram::checkSymbols(const DeviceKernels &Kernels) const {
  std::vector<BufferContents> All;
  for (const Symbol &S : Symbols)
    All.push_back({S.Address, &S.Contents->shape()});
  return findChangedContents(*Owner, Kernels, All);
}

Error LoadedProgram::launch(function_ref<Error()> BeforeKernel) const { return enqueue(Steps, BeforeKernel); }

Error LoadedProgram::launchUntimed() const { return enqueue(ArrayRef(Steps).take_front(Untimed), nullptr); }

Error LoadedProgram::launchTimed() const { return enqueue(ArrayRef(Steps).drop_front(Untimed), nullptr); }

Error LoadedProgram::enqueue(ArrayRef<Step> Some, function_ref<Error()> BeforeKernel) const {
  for (const Step &S : Some) {
    if (Error E = S.Code->preferCarveout(S.Function, S.Shape.SharedCarveout))
      return E;
    for (const Copy &C : S.Constants)
      if (Error E = Owner->copy(C.To, C.From, C.Bytes))
        return E;
    if (BeforeKernel)
      if (Error E = BeforeKernel())
        return E;
    Owner->noteLaunch();
    const Dim3 &Grid = S.Shape.Grid, &Block = S.Shape.Block;
    CUresult Code = Owner->driver().LaunchKernel(S.Function, Grid.X, Grid.Y, Grid.Z, Block.X, Block.Y,
                                                 Block.Z, S.Shape.SharedBytes, nullptr,
                                                 const_cast<void **>(S.Params.data()), nullptr);
    if (Code == cuda::Success)
      continue;
    std::string Call =
        formatv("cuLaunchKernel of {0}, grid {1}x{2}x{3}, block {4}x{5}x{6}, {7} bytes of dynamic "
                "shared memory",
                S.Shape.Symbol, Grid.X, Grid.Y, Grid.Z, Block.X, Block.Y, Block.Z, S.Shape.SharedBytes);
    return Owner->check(Code, Call.c_str(), ResultStatus::Launch);
  }
  return Error::success();
}

Expected<std::vector<KernelFacts>> LoadedProgram::facts() const {
  std::vector<KernelFacts> All;
  const CudaDriver &D = Owner->driver();
  for (const Step &S : Steps) {
    KernelFacts F;
    F.Symbol = S.Shape.Symbol;
    for (auto [Which, Out] :
         {std::pair(cuda::NumRegs, &F.Registers), std::pair(cuda::LocalSizeBytes, &F.LocalBytes),
          std::pair(cuda::SharedSizeBytes, &F.SharedBytes),
          std::pair(cuda::MaxThreadsPerBlock, &F.MaxThreads)})
      if (Error E = Owner->check(D.FuncGetAttribute(Out, Which, S.Function), "cuFuncGetAttribute"))
        return E;
    // A block the kernel cannot have is refused at launch; here it means no block fits.
    double Threads = S.Shape.Block.volume();
    if (Threads <= F.MaxThreads)
      if (Error E =
              Owner->check(D.OccupancyMaxActiveBlocksPerMultiprocessor(
                               &F.BlocksPerSM, S.Function, static_cast<int>(Threads), S.Shape.SharedBytes),
                           "cuOccupancyMaxActiveBlocksPerMultiprocessor"))
        return E;
    All.push_back(std::move(F));
  }
  return All;
}

} // namespace gpuprune
