//===- Cupti.cpp - libcupti, opened at run time --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Cupti.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>

using namespace llvm;

namespace gpuprune {

namespace {

using CallbackFunction = void (*)(void *, int Domain, uint32_t Id, const void *Data);
using RequestFunction = void (*)(uint8_t **Buffer, size_t *Size, size_t *MaxRecords);
using CompleteFunction = void (*)(CUcontext, uint32_t Stream, uint8_t *Buffer, size_t Size, size_t Valid);

/// The functions of libcupti.
struct Functions {
  cupti::Result (*Subscribe)(cupti::Subscriber *, CallbackFunction, void *) = nullptr;
  cupti::Result (*EnableCallback)(uint32_t, cupti::Subscriber, int, uint32_t) = nullptr;
  cupti::Result (*GetCallbackName)(int, uint32_t, const char **) = nullptr;
  cupti::Result (*ActivityEnable)(int) = nullptr;
  cupti::Result (*ActivityRegisterCallbacks)(RequestFunction, CompleteFunction) = nullptr;
  cupti::Result (*ActivityGetNextRecord)(uint8_t *, size_t, void **) = nullptr;
  cupti::Result (*ActivityFlushAll)(uint32_t) = nullptr;
};

Functions Library;
CuptiListener *Listener = nullptr;
std::array<CallbackKind, cupti::MostCallbacks> Kinds{};

constexpr size_t ActivityBufferBytes = 1 << 20;

/// What waits for a recorded launch, by the beginnings of names.
constexpr StringLiteral WaitingPrefixes[] = {
    "cuLaunch",       "cuGraphLaunch",    "cuMemcpy",      "cuMemset",        "cuMemFree",
    "cuMemUnmap",     "cuMemRelease",     "cuMemPrefetch", "cuMemPoolTrimTo", "cuMemPoolDestroy",
    "cuMemHostUnreg", "cuStreamBatchMem", "cuStreamWrite", "cuArrayDestroy",  "cuIpcCloseMemHandle",
    "cuCtxDestroy",   "cuDevicePrimary",
};

void onCallback(void *, int Domain, uint32_t Id, const void *Data) {
  if (Domain == cupti::DriverApi && Id < Kinds.size() && Data)
    Listener->onCall(Kinds[Id], *static_cast<const cupti::CallbackData *>(Data));
}

void onBufferRequested(uint8_t **Buffer, size_t *Size, size_t *MaxRecords) {
  *Buffer = static_cast<uint8_t *>(::malloc(ActivityBufferBytes));
  *Size = *Buffer ? ActivityBufferBytes : 0;
  *MaxRecords = 0;
}

void onBufferCompleted(CUcontext, uint32_t, uint8_t *Buffer, size_t, size_t Valid) {
  void *Record = nullptr;
  while (Valid > 0 && Library.ActivityGetNextRecord(Buffer, Valid, &Record) == cupti::Success) {
    auto *Kernel = static_cast<const cupti::KernelActivity *>(Record);
    if (Kernel->Kind == cupti::ConcurrentKernel)
      Listener->onKernel(*Kernel);
  }
  ::free(Buffer);
}

template <typename Function>
bool resolve(void *From, const char *Symbol, Function &Member, std::string &Why) {
  Member = reinterpret_cast<Function>(dlsym(From, Symbol));
  if (!Member)
    Why = formatv("it has no {0}", Symbol);
  return Member != nullptr;
}

bool resolveAll(void *From, std::string &Why) {
  return resolve(From, "cuptiSubscribe", Library.Subscribe, Why) &&
         resolve(From, "cuptiEnableCallback", Library.EnableCallback, Why) &&
         resolve(From, "cuptiGetCallbackName", Library.GetCallbackName, Why) &&
         resolve(From, "cuptiActivityEnable", Library.ActivityEnable, Why) &&
         resolve(From, "cuptiActivityRegisterCallbacks", Library.ActivityRegisterCallbacks, Why) &&
         resolve(From, "cuptiActivityGetNextRecord", Library.ActivityGetNextRecord, Why) &&
         resolve(From, "cuptiActivityFlushAll", Library.ActivityFlushAll, Why);
}

/// The kinds of the table, and Other for names that begin as in WaitingPrefixes.
void fillKinds() {
  for (uint32_t Id = 1; Id < Kinds.size(); ++Id) {
    const char *Name = nullptr;
    if (Library.GetCallbackName(cupti::DriverApi, Id, &Name) != cupti::Success || !Name)
      continue;
    if (any_of(WaitingPrefixes, [&](StringRef Prefix) { return StringRef(Name).starts_with(Prefix); }))
      Kinds[Id] = CallbackKind::Other;
    else if (StringRef(Name).starts_with("cuStreamBegin")) // Captures of newer versions, too.
      Kinds[Id] = CallbackKind::BeginCapture;
  }
#define GPUPRUNE_CALLBACK(What, Id, Name) Kinds[Id] = CallbackKind::What;
#include "Callbacks.def"
}

/// Whether launches are called back; a driver need not have all other functions.
bool enableAll(cupti::Subscriber To) {
  bool Launches = false;
  for (uint32_t Id = 1; Id < Kinds.size(); ++Id) {
    if (Kinds[Id] == CallbackKind::None)
      continue;
    bool Enabled = Library.EnableCallback(1, To, cupti::DriverApi, Id) == cupti::Success;
    Launches |= Enabled && Kinds[Id] == CallbackKind::Launch;
  }
  return Launches;
}

void *open(const std::string &Path, std::string &Why) {
  if (!Path.empty()) {
    if (void *Opened = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL))
      return Opened;
  } else {
    for (const char *Name : {"libcupti.so.13", "libcupti.so.12"})
      if (void *Opened = dlopen(Name, RTLD_NOW | RTLD_LOCAL))
        return Opened;
  }
  const char *Reason = dlerror();
  Why = Reason ? Reason : "libcupti could not be opened";
  return nullptr;
}

} // namespace

bool Cupti::start(const std::string &Path, CuptiListener &To, std::string &Why) {
  void *Opened = open(Path, Why);
  if (!Opened || !resolveAll(Opened, Why))
    return false;
  Listener = &To;
  fillKinds();
  cupti::Subscriber Handle = nullptr;
  cupti::Result Code = Library.Subscribe(&Handle, onCallback, nullptr);
  if (Code != cupti::Success) {
    Why = Code == cupti::MultipleSubscribers
              ? "another tool or the program itself uses CUPTI, which serves one only"
              : formatv("CUPTI's error {0}; its version may not fit the driver's", Code).str();
    return false;
  }
  if (!enableAll(Handle)) {
    Why = "CUPTI does not call back at launches";
    return false;
  }
  // Without times launches are recorded all the same.
  if (Library.ActivityRegisterCallbacks(onBufferRequested, onBufferCompleted) == cupti::Success)
    (void)Library.ActivityEnable(cupti::ConcurrentKernel);
  return true;
}

void Cupti::flush(bool Running) { (void)Library.ActivityFlushAll(Running ? cupti::FlushForced : 0); }

std::string Cupti::loadedByProgram(const std::string &Ours) {
  struct Search {
    SmallString<256> Ours;
    std::string Found;
  } Looking;
  if (sys::fs::real_path(Ours, Looking.Ours))
    Looking.Ours = Ours;
  dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *Data) {
        auto &Looking = *static_cast<Search *>(Data);
        StringRef Path = Info->dlpi_name ? Info->dlpi_name : "";
        SmallString<256> Real;
        if (!sys::path::filename(Path).starts_with("libcupti.so") || sys::fs::real_path(Path, Real) ||
            Real == Looking.Ours)
          return 0;
        Looking.Found = Path.str();
        return 1;
      },
      &Looking);
  return Looking.Found;
}

} // namespace gpuprune
