//===- FakeCuda.cpp - A CUDA driver without a GPU -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements the entry points the runner opens, over host memory and a virtual
// clock. Kernels are functions of FakeKernels.cpp, found by name in any "cubin" that
// begins with FAKECUBIN. In real cubins every kernel is taken for "right", but for
// those whose symbols end as FAKE_CUDA_REAL says. Environment:
//   FAKE_CUDA_DEVICES  number of devices (default 1)
//   FAKE_CUDA_VERSION  version of the driver (default 13000); an older one takes no real cubins
//   FAKE_CUDA_MEMORY   bytes of device memory (default 1 GiB)
//   FAKE_CUDA_OFFSET   bytes that each allocation begins behind a multiple of 256 (default 0)
//   FAKE_CUDA_L2       bytes of the L2 cache (default 1 MiB)
//   FAKE_CUDA_NO_JIT   set: the runner's own kernels are not taken
//   FAKE_CUDA_LATE     runs after which the kernels "late_..." write where they should not (default 0)
//   FAKE_CUDA_FICKLE   runs after which the kernel "fickle" computes something else (default 0)
//   FAKE_CUDA_LOG      file that gets a line for each upload, module load and run of the runner's own
//   kernels, and
//                      for each download of more than an element
//   FAKE_CUDA_CALLS    file that gets a line for each memset, copy on the device, launch, launch with a
//                      preferred carve-out and fill of shared memory, and for own_cubin or own_ptx, what was
//                      loaded of the runner's own kernels
//   FAKE_CUDA_TIMES    "right=4;2;1,fast=3;5;*": milliseconds of a kernel's runs one by one; then the
//                      last again and again, or with * all from the first on
//   FAKE_CUDA_BLOCK_MS "right=0.01,fast=0.002": milliseconds that each block of a kernel adds
//   FAKE_CUDA_COPY_MS  milliseconds of a copy on the device (default 0)
//   FAKE_CUDA_REAL     "_v3=wrong,_v4=fast": kernels of real cubins
//   FAKE_CUDA_VIEW     set: every kernel has one parameter, a structure of two pointers and a number, or with
//                      "memory" a pointer to one
//
//===----------------------------------------------------------------------===//
#include "CudaTypes.h"
#include "FakeKernels.h"
#include "kernels/Structures.h"
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace kernels = gpuprune::kernels;
using namespace gpuprune::cuda;
using namespace gpuprune::fake;

namespace {

constexpr CUresult LaunchOutOfResources = 701, JitCompilerNotFound = 221;
constexpr int DefaultDynamicShared = 48 * 1024;
constexpr int LargestDynamicShared = 227 * 1024;

/// The runner's own, run by one thread for each row of blocks.
struct OwnKernel {
  const char *Name;
  void (*Body)(void **Parameters, unsigned Row);
};

template <typename T> const T &parameter(void **Parameters, size_t Index) {
  return *static_cast<T *>(Parameters[Index]);
}

constexpr kernels::Threads One = {0, 1};

const OwnKernel OwnKernels[] = {
    {"gpuprune_fill",
     [](void **P, unsigned) {
       kernels::fill(One, parameter<kernels::Elements>(P, 0), parameter<kernels::FillRule>(P, 1));
     }},
    {"gpuprune_fill_zones",
     [](void **P, unsigned Row) {
       kernels::fillZone(One, parameter<kernels::Batch<kernels::Zone>>(P, 0).Each[Row]);
     }},
    {"gpuprune_check_fill",
     [](void **P, unsigned Row) {
       kernels::checkFill(One, parameter<kernels::Batch<kernels::FillCheck>>(P, 0).Each[Row],
                          parameter<kernels::Findings *>(P, 1) + Row);
     }},
    {"gpuprune_check_involved_fill",
     [](void **P, unsigned Row) {
       kernels::checkInvolvedFill(One, parameter<kernels::Batch<kernels::FillCheck>>(P, 0).Each[Row],
                                  parameter<kernels::Findings *>(P, 1) + Row);
     }},
    {"gpuprune_find_unwritten",
     [](void **P, unsigned) {
       kernels::findUnwritten(One, parameter<kernels::Runs>(P, 0), parameter<kernels::Findings *>(P, 1));
     }},
    {"gpuprune_compare",
     [](void **P, unsigned) {
       kernels::compare(One, parameter<kernels::CompareRule>(P, 0), parameter<kernels::Findings *>(P, 1));
     }},
    {"gpuprune_compare_structures",
     [](void **P, unsigned) {
       kernels::compareStructures(One, parameter<kernels::StructuresRule>(P, 0),
                                  parameter<kernels::Findings *>(P, 1));
     }},
    {"gpuprune_hash",
     [](void **P, unsigned Row) {
       kernels::hash(One, parameter<kernels::Batch<kernels::Range>>(P, 0).Each[Row],
                     parameter<uint64_t *>(P, 1) + Row);
     }},
    {"gpuprune_magnitudes",
     [](void **P, unsigned) {
       kernels::countMagnitudes(One, parameter<kernels::Elements>(P, 0), parameter<uint64_t>(P, 1),
                                parameter<uint32_t>(P, 2), parameter<uint32_t>(P, 3),
                                parameter<uint64_t *>(P, 4));
     }},
    {"gpuprune_fill_shared", nullptr},
};

struct Function {
  const Kernel *Code;
  float *Factors;
  const OwnKernel *Own = nullptr;
  int DynamicShared = DefaultDynamicShared;
  int Carveout = DefaultCarveout;
};

/// Functions live as long as their module, as the driver's do.
struct LoadedModule {
  bool IsReal;
  bool IsOwn; ///< The runner's.
  std::list<Function> Functions;
  float Factors[2] = {};
};

void log(const char *What, size_t Bytes, const char *Variable = "FAKE_CUDA_LOG") {
  const char *Path = std::getenv(Variable);
  if (!Path)
    return;
  if (FILE *File = std::fopen(Path, "a")) {
    std::fprintf(File, "%s %zu\n", What, Bytes);
    std::fclose(File);
  }
}

/// The kernel here that stands for \p Symbol of a real cubin.
std::string standIn(const std::string &Symbol) {
  const char *Text = std::getenv("FAKE_CUDA_REAL");
  for (std::string Rest = Text ? Text : ""; !Rest.empty();) {
    std::string Rule = Rest.substr(0, Rest.find(','));
    Rest.erase(0, Rule.size() + 1);
    size_t Equals = Rule.find('=');
    std::string Ending = Rule.substr(0, Equals);
    if (Equals != std::string::npos && Symbol.ends_with(Ending))
      return Rule.substr(Equals + 1);
  }
  return "right";
}

CUresult synchronize() {
  while (S.Hanging)
    ::pause();
  return S.Sticky;
}

} // namespace

#define ENTRY extern "C" __attribute__((visibility("default"))) CUresult

ENTRY cuInit(unsigned) { return environmentNumber("FAKE_CUDA_DEVICES", 1) == 0 ? NoDevice : Success; }
ENTRY cuDriverGetVersion(int *Version) {
  *Version = static_cast<int>(environmentNumber("FAKE_CUDA_VERSION", 13000));
  return Success;
}
ENTRY cuGetErrorName(CUresult Code, const char **Text) {
  switch (Code) {
  case IllegalAddress:
    *Text = "CUDA_ERROR_ILLEGAL_ADDRESS";
    return Success;
  case LaunchOutOfResources:
    *Text = "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES";
    return Success;
  case InvalidImage:
    *Text = "CUDA_ERROR_INVALID_IMAGE";
    return Success;
  case NotFound:
    *Text = "CUDA_ERROR_NOT_FOUND";
    return Success;
  case OutOfMemory:
    *Text = "CUDA_ERROR_OUT_OF_MEMORY";
    return Success;
  default:
    return InvalidValue;
  }
}
ENTRY cuGetErrorString(CUresult, const char **Text) {
  *Text = "a pretended error";
  return Success;
}
ENTRY cuDeviceGetCount(int *Count) {
  *Count = static_cast<int>(environmentNumber("FAKE_CUDA_DEVICES", 1));
  return Success;
}
ENTRY cuDeviceGet(CUdevice *Device, int Ordinal) {
  *Device = Ordinal;
  return Success;
}
ENTRY cuDeviceGetName(char *Name, int Length, CUdevice Device) {
  std::snprintf(Name, Length, "Fake GPU %d", Device);
  return Success;
}
ENTRY cuDeviceGetAttribute(int *Value, int Attribute, CUdevice) {
  *Value = Attribute == MultiprocessorCount            ? 132
           : Attribute == ComputeCapabilityMajor       ? 9
           : Attribute == L2CacheSize                  ? int(environmentNumber("FAKE_CUDA_L2", 1 << 20))
           : Attribute == MaxSharedMemoryPerBlockOptin ? LargestDynamicShared
                                                       : 0;
  return Success;
}
ENTRY cuDeviceGetPCIBusId(char *Id, int Length, CUdevice Device) {
  std::snprintf(Id, Length, "fa4e:00:%02x.0", Device);
  return Success;
}
ENTRY cuDeviceTotalMem_v2(size_t *Bytes, CUdevice) {
  *Bytes = environmentNumber("FAKE_CUDA_MEMORY", size_t(1) << 30);
  return Success;
}
ENTRY cuDevicePrimaryCtxRetain(CUcontext *Context, CUdevice) {
  *Context = reinterpret_cast<CUcontext>(&S);
  return Success;
}
ENTRY cuDevicePrimaryCtxRelease_v2(CUdevice) { return Success; }
ENTRY cuCtxSetCurrent(CUcontext) { return Success; }
ENTRY cuCtxSynchronize() { return synchronize(); }

/// Whether the file at \p Image, whose section headers ptxas writes behind its sections, has the runner's own
/// kernels.
static bool isOwnCubin(const void *Image) {
  if (std::memcmp(Image, ELFMAG, SELFMAG) != 0)
    return false;
  Elf64_Ehdr Header;
  std::memcpy(&Header, Image, sizeof(Header));
  std::string_view Sections(static_cast<const char *>(Image), Header.e_shoff);
  return Sections.find(OwnKernels[0].Name) != std::string_view::npos;
}

ENTRY cuModuleLoadData(CUmodule *Module, const void *Image) {
  bool IsOwnCubin = isOwnCubin(Image);
  if (IsOwnCubin || std::strncmp(static_cast<const char *>(Image), "//", 2) == 0) {
    if (std::getenv("FAKE_CUDA_NO_JIT"))
      return JitCompilerNotFound;
    if (IsOwnCubin && environmentNumber("FAKE_CUDA_VERSION", 13000) < 13000)
      return InvalidImage;
    log(IsOwnCubin ? "own_cubin" : "own_ptx", 0, "FAKE_CUDA_CALLS");
    *Module = reinterpret_cast<CUmodule>(new LoadedModule{false, true, {}, {}});
    return Success;
  }
  log("module", 0);
  bool IsReal = std::memcmp(Image, ELFMAG, SELFMAG) == 0;
  if (!IsReal && std::strncmp(static_cast<const char *>(Image), "FAKECUBIN", 9) != 0)
    return InvalidImage;
  if (IsReal && environmentNumber("FAKE_CUDA_VERSION", 13000) < 13000)
    return InvalidImage;
  *Module = reinterpret_cast<CUmodule>(new LoadedModule{IsReal, false, {}, {}});
  return Success;
}
ENTRY cuModuleUnload(CUmodule Module) {
  delete reinterpret_cast<LoadedModule *>(Module);
  return Success;
}
ENTRY cuModuleGetFunction(CUfunction *Out, CUmodule Module, const char *Name) {
  auto *From = reinterpret_cast<LoadedModule *>(Module);
  if (From->IsOwn) {
    for (const OwnKernel &Own : OwnKernels)
      if (std::strcmp(Name, Own.Name) == 0) {
        *Out = reinterpret_cast<CUfunction>(&From->Functions.emplace_back(Function{nullptr, nullptr, &Own}));
        return Success;
      }
    return NotFound;
  }
  std::string Wanted = From->IsReal ? standIn(Name) : Name;
  const Kernel *Found = findKernel(Wanted);
  if (!Found)
    return NotFound;
  for (Function &Known : From->Functions)
    if (Known.Code == Found) {
      *Out = reinterpret_cast<CUfunction>(&Known);
      return Success;
    }
  *Out = reinterpret_cast<CUfunction>(&From->Functions.emplace_back(Function{Found, From->Factors}));
  return Success;
}
ENTRY cuModuleGetGlobal_v2(CUdeviceptr *Address, size_t *Bytes, CUmodule Module, const char *Name) {
  auto *From = reinterpret_cast<LoadedModule *>(Module);
  if (std::string(Name) != "factors")
    return NotFound;
  *Address = reinterpret_cast<CUdeviceptr>(From->Factors);
  *Bytes = sizeof(From->Factors);
  return Success;
}
ENTRY cuFuncGetAttribute(int *Value, int Attribute, CUfunction F) {
  switch (Attribute) {
  case NumRegs:
    *Value = 40;
    return Success;
  case SharedSizeBytes:
    *Value = 2048;
    return Success;
  case LocalSizeBytes:
    *Value = 16;
    return Success;
  case MaxThreadsPerBlock:
    *Value = 1024;
    return Success;
  case MaxDynamicSharedSizeBytes:
    *Value = reinterpret_cast<Function *>(F)->DynamicShared;
    return Success;
  }
  return InvalidValue;
}
ENTRY cuFuncSetAttribute(CUfunction F, int Attribute, int Value) {
  if (Attribute == PreferredSharedMemoryCarveout && Value >= DefaultCarveout && Value <= 100) {
    reinterpret_cast<Function *>(F)->Carveout = Value;
    return Success;
  }
  if (Attribute != MaxDynamicSharedSizeBytes || Value > LargestDynamicShared)
    return InvalidValue;
  reinterpret_cast<Function *>(F)->DynamicShared = Value;
  return Success;
}
/// What FAKE_CUDA_VIEW stands for.
struct View {
  float *In, *Out;
  int N;
};

static bool takesView() { return std::getenv("FAKE_CUDA_VIEW") != nullptr; }
static bool takesPointerToView() {
  return takesView() && std::strcmp(std::getenv("FAKE_CUDA_VIEW"), "memory") == 0;
}

ENTRY cuFuncGetParamInfo(CUfunction, size_t Index, size_t *Offset, size_t *Size) {
  if (takesView()) {
    *Offset = 0;
    *Size = takesPointerToView() ? sizeof(View *) : sizeof(View);
    return Index == 0 ? Success : InvalidValue;
  }
  if (Index > 2)
    return InvalidValue;
  *Offset = 8 * Index;
  *Size = Index == 2 ? 4 : 8;
  return Success;
}
ENTRY cuOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks, CUfunction, int Threads,
                                                  size_t DynamicShared) {
  *Blocks = DynamicShared > DefaultDynamicShared ? 1 : 2048 / Threads;
  return Success;
}
/// Fills the shared memory of a multiprocessor each block.
static CUresult fillShared(unsigned Blocks, unsigned DynamicShared, void **Parameters) {
  const uint32_t &Word = *static_cast<uint32_t *>(Parameters[0]);
  if (Blocks < 132 || DynamicShared != LargestDynamicShared ||
      *static_cast<uint32_t *>(Parameters[1]) != DynamicShared)
    return InvalidValue;
  std::memcpy(&S.Shared, &Word, sizeof(S.Shared));
  log("shared", Word & 0xff, "FAKE_CUDA_CALLS");
  return Success;
}

static View argumentsOf(void **Parameters) {
  if (takesPointerToView())
    return **static_cast<View **>(Parameters[0]);
  if (takesView())
    return *static_cast<View *>(Parameters[0]);
  return {*static_cast<float **>(Parameters[0]), *static_cast<float **>(Parameters[1]),
          *static_cast<int *>(Parameters[2])};
}

ENTRY cuLaunchKernel(CUfunction F, unsigned Blocks, unsigned Rows, unsigned Layers, unsigned X, unsigned Y,
                     unsigned Z, unsigned DynamicShared, CUstream, void **Parameters, void **) {
  const Function &Called = *reinterpret_cast<Function *>(F);
  if (S.Sticky)
    return S.Sticky;
  if (X * Y * Z > 1024 || static_cast<int>(DynamicShared) > Called.DynamicShared)
    return InvalidValue;
  if (Called.Own && !Called.Own->Body)
    return fillShared(Blocks, DynamicShared, Parameters);
  if (Called.Own) {
    log(Called.Own->Name, 0);
    for (unsigned Row = 0; Row != Rows; ++Row)
      Called.Own->Body(Parameters, Row);
    return Success;
  }
  if (Called.Code->End == Ending::Refused)
    return LaunchOutOfResources;
  S.ClockMs += milliseconds(*Called.Code) + blockMilliseconds(*Called.Code) * Blocks * Rows * Layers;
  if (Called.Carveout != DefaultCarveout)
    log(("carveout " + std::string(Called.Code->Name)).c_str(), Called.Carveout, "FAKE_CUDA_CALLS");
  View Given = argumentsOf(Parameters);
  log(("launch " + std::string(Called.Code->Name)).c_str(), reinterpret_cast<size_t>(Given.Out),
      "FAKE_CUDA_CALLS");
  S.Hanging = Called.Code->End == Ending::Hang;
  if (Called.Code->End == Ending::Fault)
    S.Sticky = IllegalAddress;
  if (Called.Code->Body)
    Called.Code->Body({Given.In, Given.Out, Given.N, Called.Factors, X * Y * Z});
  S.Shared = 0;
  return Success;
}

ENTRY cuMemAlloc_v2(CUdeviceptr *Address, size_t Bytes) {
  if (S.Sticky)
    return S.Sticky;
  if (S.Used + Bytes > environmentNumber("FAKE_CUDA_MEMORY", size_t(1) << 30))
    return OutOfMemory;
  constexpr size_t Alignment = 256; // cuMemAlloc's.
  size_t Offset = environmentNumber("FAKE_CUDA_OFFSET", 0);
  size_t Rounded = (Offset + Bytes + Alignment - 1) / Alignment * Alignment;
  *Address = reinterpret_cast<CUdeviceptr>(std::aligned_alloc(Alignment, Rounded)) + Offset;
  S.Allocations[*Address] = Bytes;
  S.Used += Bytes;
  return Success;
}
ENTRY cuMemFree_v2(CUdeviceptr Address) {
  S.Used -= S.Allocations[Address];
  S.Allocations.erase(Address);
  std::free(reinterpret_cast<void *>(Address - environmentNumber("FAKE_CUDA_OFFSET", 0)));
  return S.Sticky;
}
ENTRY cuMemAllocHost_v2(void **Address, size_t Bytes) {
  *Address = std::malloc(Bytes);
  return Success;
}
ENTRY cuMemFreeHost(void *Address) {
  std::free(Address);
  return Success;
}
ENTRY cuMemcpyHtoD_v2(CUdeviceptr To, const void *From, size_t Bytes) {
  log("upload", Bytes);
  std::memcpy(reinterpret_cast<void *>(To), From, Bytes);
  return S.Sticky;
}
ENTRY cuMemcpyDtoH_v2(void *To, CUdeviceptr From, size_t Bytes) {
  if (CUresult Failed = synchronize())
    return Failed;
  if (Bytes > sizeof(uint64_t))
    log("download", Bytes);
  std::memcpy(To, reinterpret_cast<void *>(From), Bytes);
  return Success;
}
ENTRY cuMemcpyDtoDAsync_v2(CUdeviceptr To, CUdeviceptr From, size_t Bytes, CUstream) {
  log("copy", Bytes, "FAKE_CUDA_CALLS");
  const char *Milliseconds = std::getenv("FAKE_CUDA_COPY_MS");
  S.ClockMs += Milliseconds ? std::atof(Milliseconds) : 0;
  std::memcpy(reinterpret_cast<void *>(To), reinterpret_cast<void *>(From), Bytes);
  return S.Sticky;
}
ENTRY cuMemsetD8Async(CUdeviceptr To, unsigned char Value, size_t Bytes, CUstream) {
  log("memset", Bytes, "FAKE_CUDA_CALLS");
  std::memset(reinterpret_cast<void *>(To), Value, Bytes);
  return S.Sticky;
}
ENTRY cuStreamSynchronize(CUstream) { return synchronize(); }
ENTRY cuEventCreate(CUevent *Event, unsigned) {
  *Event = reinterpret_cast<CUevent>(new double(0));
  return S.Sticky;
}
ENTRY cuEventRecord(CUevent Event, CUstream) {
  *reinterpret_cast<double *>(Event) = S.ClockMs;
  return S.Sticky;
}
ENTRY cuEventSynchronize(CUevent) { return synchronize(); }
ENTRY cuEventElapsedTime(float *Milliseconds, CUevent Start, CUevent Stop) {
  *Milliseconds = static_cast<float>(*reinterpret_cast<double *>(Stop) - *reinterpret_cast<double *>(Start));
  return S.Sticky;
}
ENTRY cuEventDestroy_v2(CUevent Event) {
  delete reinterpret_cast<double *>(Event);
  return Success;
}
