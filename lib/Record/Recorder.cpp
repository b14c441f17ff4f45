//===- Recorder.cpp - Records the launches of this process ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Recorder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <bit>
#include <cstring>

using namespace llvm;

namespace gpuprune {

namespace {

/// A thread between the beginning and the end of a call of CUDA.
struct ThreadState {
  unsigned Depth = 0; ///< Calls within calls; only the outermost one counts.
  bool Own = false;   ///< The recorder itself calls the driver.
  bool Sharing = false;
  bool HasClass = false;
  unsigned Class = 0;
  LaunchRecording *Active = nullptr;
};
thread_local ThreadState State;

/// Calls of the driver that are not the program's.
class OwnCalls {
public:
  OwnCalls() : Before(State.Own) { State.Own = true; }
  ~OwnCalls() { State.Own = Before; }
  OwnCalls(const OwnCalls &) = delete;
  OwnCalls &operator=(const OwnCalls &) = delete;

private:
  bool Before;
};

constexpr CUresult IllegalState = 401; // No capture was under way.
constexpr CUresult WrongThread = 908;  // It goes on.
constexpr CUresult Unset = -1;
/// A handle that means the stream of the calling thread.
CUstream perThreadStream() { return std::bit_cast<CUstream>(uintptr_t(2)); }
/// How long a recording waits for calls that are under way.
constexpr std::chrono::seconds GatePatience(1);

} // namespace

Recorder::Recorder(RecorderOptions Given, const RecordDriver &Driver)
    : Options(std::move(Given)), Driver(Driver), Code(Options.Directory), Table(Options), Idle(Driver),
      Alone(std::chrono::duration<double>(Options.TimeLimit), GatePatience),
      Tools{Options, Driver, Table, Idle, Alone} {}

void Recorder::onCall(CallbackKind Kind, const cupti::CallbackData &Data) {
  if (State.Own || !Enabled || Kind == CallbackKind::None)
    return;
  if (Data.CallbackSite == cupti::Enter) {
    ++State.Depth;
    if (State.Depth == 1)
      before(Kind, Data);
  } else if (State.Depth > 0) {
    --State.Depth;
    if (State.Depth == 0)
      after(Kind, Data);
  }
}

static CUstream streamOf(const void *Params) {
  return static_cast<const cupti::StreamParams *>(Params)->Stream;
}

void Recorder::before(CallbackKind Kind, const cupti::CallbackData &Data) {
  switch (Kind) {
  case CallbackKind::Launch:
  case CallbackKind::LaunchPerThread:
  case CallbackKind::LaunchEx:
  case CallbackKind::LaunchExPerThread:
  case CallbackKind::LaunchCooperative: {
    Launch L = readLaunch(Kind, Data.FunctionParams);
    beforeLaunch(L, Data);
    break;
  }
  default:
    break;
  }
  if (State.Active)
    return;
  Alone.enter();
  State.Sharing = true;
  // Inside the gate: no launch is being recorded now, and none will be before the capture has ended.
  if (Kind == CallbackKind::BeginCapture)
    Capturing.begin(streamOf(Data.FunctionParams));
}

void Recorder::after(CallbackKind Kind, const cupti::CallbackData &Data) {
  CUresult Result = Data.FunctionReturnValue ? *static_cast<CUresult *>(Data.FunctionReturnValue) : Unset;
  switch (Kind) {
  case CallbackKind::BeginCapture:
    if (Result != cuda::Success)
      Capturing.end(streamOf(Data.FunctionParams));
    break;
  case CallbackKind::EndCapture:
    if (Result != IllegalState && Result != WrongThread)
      Capturing.end(streamOf(Data.FunctionParams));
    break;
  case CallbackKind::DestroyStream:
    Capturing.destroyed(streamOf(Data.FunctionParams));
    break;
  case CallbackKind::Unload: {
    std::lock_guard<std::mutex> Held(Lock);
    Functions.clear();
    break;
  }
  case CallbackKind::CreateObject:
  case CallbackKind::DestroyObject:
    if (Result == cuda::Success)
      noteObject(Kind, Data.FunctionParams);
    break;
  default:
    afterLaunch(Result, Data);
    break;
  }
  if (State.Sharing)
    Alone.leave();
  State.Sharing = false;
}

void Recorder::noteObject(CallbackKind Kind, const void *Params) {
  std::lock_guard<std::mutex> Held(Lock);
  if (Kind == CallbackKind::DestroyObject)
    Objects.erase(static_cast<const cupti::ObjectDestroyParams *>(Params)->Object);
  else if (const uint64_t *Made = static_cast<const cupti::ObjectCreateParams *>(Params)->Object)
    Objects.insert(*Made);
}

/// Why a launch with this attribute cannot be recorded; empty where it can.
static std::string obstacleOf(const cupti::LaunchAttribute &Attribute) {
  switch (Attribute.Id) {
  case cupti::AttributeIgnore:
  case cupti::AttributeAccessPolicy:
  case cupti::AttributePriority:
  case cupti::AttributeMemSyncDomainMap:
  case cupti::AttributeMemSyncDomain:
  case cupti::AttributeCarveout:
    return "";
  case cupti::AttributeCooperative: {
    int Asked = 0;
    std::memcpy(&Asked, Attribute.Value, sizeof(Asked));
    return Asked ? "a cooperative launch" : "";
  }
  case cupti::AttributeClusterDimension:
    return "a launch of clusters";
  default:
    return formatv("the launch attribute {0}", Attribute.Id);
  }
}

template <typename From> static void takeShape(const From &Params, Launch &L) {
  for (unsigned I = 0; I < 3; ++I) {
    L.Shape.Grid[I] = Params.Grid[I];
    L.Shape.Block[I] = Params.Block[I];
  }
  L.Shape.DynamicShared = Params.SharedBytes;
  L.Stream = Params.Stream;
}

Launch Recorder::readLaunch(CallbackKind Kind, const void *Params) {
  Launch L;
  bool Ex = Kind == CallbackKind::LaunchEx || Kind == CallbackKind::LaunchExPerThread;
  if (Ex) {
    auto &P = *static_cast<const cupti::LaunchExParams *>(Params);
    L.Function = P.Function;
    L.Parameters = P.KernelParams;
    if (!P.Config)
      return L;
    takeShape(*P.Config, L);
    for (uint32_t I = 0; P.Config->Attributes && I < P.Config->AttributeCount && L.Obstacle.empty(); ++I)
      L.Obstacle = obstacleOf(P.Config->Attributes[I]);
  } else {
    auto &P = *static_cast<const cupti::LaunchParams *>(Params);
    L.Function = P.Function;
    L.Parameters = P.KernelParams;
    takeShape(P, L);
    if (Kind == CallbackKind::LaunchCooperative)
      L.Obstacle = "a cooperative launch";
  }
  bool PerThread = Kind == CallbackKind::LaunchPerThread || Kind == CallbackKind::LaunchExPerThread;
  if (PerThread && !L.Stream)
    L.Stream = perThreadStream();
  return L;
}

std::shared_ptr<const FunctionInfo> Recorder::infoOf(CUfunction Function, const char *SymbolName) {
  {
    std::lock_guard<std::mutex> Held(Lock);
    if (auto At = Functions.find(Function); At != Functions.end())
      return At->second;
  }
  auto F = std::make_shared<FunctionInfo>();
  OwnCalls Own;
  readFunction(Function, SymbolName, *F);
  std::lock_guard<std::mutex> Held(Lock);
  return Functions.try_emplace(Function, std::move(F)).first->second;
}

void Recorder::readFunction(CUfunction Function, const char *SymbolName, FunctionInfo &F) {
  // The driver's launches take handles of both kinds.
  auto *Kernel = reinterpret_cast<CUkernel>(Function);
  const char *Name = nullptr;
  bool IsFunction = Driver.FuncGetName && Driver.FuncGetName(&Name, Function) == cuda::Success;
  if (!IsFunction)
    F.IsKernel = Driver.KernelGetName && Driver.KernelGetName(&Name, Kernel) == cuda::Success;
  if (!Name)
    Name = SymbolName ? SymbolName : "(unknown)";
  F.Symbol = Name;
  F.Kernel = Table.kernel(F.Symbol);
  readParameters(Function, F);
  CUdevice Device = 0;
  int Major = 0, Minor = 0, Width = 0;
  char Gpu[256] = "";
  if (Driver.CtxGetDevice(&Device) == cuda::Success) {
    (void)Driver.DeviceGetAttribute(&Major, cuda::ComputeCapabilityMajor, Device);
    (void)Driver.DeviceGetAttribute(&Minor, cuda::ComputeCapabilityMinor, Device);
    (void)Driver.DeviceGetName(Gpu, sizeof(Gpu) - 1, Device);
    if (!F.IsKernel)
      (void)Driver.FuncGetAttribute(&Width, cuda::RequiredClusterWidth, Function);
    else if (Driver.KernelGetAttribute)
      (void)Driver.KernelGetAttribute(&Width, cuda::RequiredClusterWidth, Kernel, Device);
  }
  F.Gpu = Gpu;
  if (Width > 0 && F.Obstacle.empty())
    F.Obstacle = "a launch of clusters";
  std::string NoCode;
  F.Code = Code.find(F.Symbol, Major, Minor, NoCode);
  if (!F.Code)
    F.Obstacle = NoCode;
  if (!F.Obstacle.empty())
    Table.excludeKernel(F.Kernel, F.Obstacle);
}

void Recorder::readParameters(CUfunction Function, FunctionInfo &F) const {
  static constexpr size_t MostParameters = 4096;
  if (F.IsKernel ? !Driver.KernelGetParamInfo : !Driver.FuncGetParamInfo) {
    F.Obstacle = "the driver is older than CUDA 12.4 and does not tell parameters";
    return;
  }
  for (size_t I = 0; I < MostParameters; ++I) {
    size_t Offset = 0, Bytes = 0;
    CUresult Code = F.IsKernel
                        ? Driver.KernelGetParamInfo(reinterpret_cast<CUkernel>(Function), I, &Offset, &Bytes)
                        : Driver.FuncGetParamInfo(Function, I, &Offset, &Bytes);
    if (Code != cuda::Success)
      return;
    F.ParameterBytes.push_back(Bytes);
  }
}

bool Recorder::isCapturing(CUstream Stream) const {
  OwnCalls Own;
  int Status = 0;
  return Driver.StreamIsCapturing(Stream, &Status) != cuda::Success || Status != 0;
}

/// A handle of a texture or surface object is a small number: only where such an object exists, and a
/// parameter has its value, is it taken for one.
bool Recorder::takesObject(const Launch &L, const FunctionInfo &F) {
  std::lock_guard<std::mutex> Held(Lock);
  if (Objects.empty() || !L.Parameters)
    return false;
  for (size_t I = 0; I < F.ParameterBytes.size(); ++I) {
    const auto *Bytes = static_cast<const char *>(L.Parameters[I]);
    for (size_t At = 0; Bytes && At + sizeof(uint64_t) <= F.ParameterBytes[I]; At += sizeof(uint64_t)) {
      uint64_t Word;
      std::memcpy(&Word, Bytes + At, sizeof(Word));
      if (Objects.contains(Word))
        return true;
    }
  }
  return false;
}

void Recorder::beforeLaunch(Launch &L, const cupti::CallbackData &Data) {
  std::shared_ptr<const FunctionInfo> F = infoOf(L.Function, Data.SymbolName);
  L.Shape.Kernel = F->Kernel;
  bool CaptureIsUnderWay = Capturing.any();
  // It becomes a part of a graph, whose launches CUPTI's activity tells.
  if (CaptureIsUnderWay && isCapturing(L.Stream))
    return;
  unsigned Class = Table.classOf(L.Shape);
  State.HasClass = true;
  State.Class = Class;
  if (Table.isDue(Class)) {
    OwnCalls Own;
    Cupti::flush(/*Running=*/false);
  }
  if (!Table.wants(Class))
    return;
  if (L.Obstacle.empty() && takesObject(L, *F))
    L.Obstacle = "a texture or surface object";
  if (!L.Obstacle.empty())
    Table.notRecorded(Class, L.Obstacle, /*Permanent=*/false);
  else if (CaptureIsUnderWay)
    Table.notRecorded(Class, "a stream was being captured", /*Permanent=*/false);
  else if (!Alone.enterAlone())
    Table.notRecorded(Class, "other threads' calls of CUDA did not end");
  else if (!beginRecording(L, *F, Class))
    Alone.leaveAlone();
}

bool Recorder::beginRecording(const Launch &L, const FunctionInfo &F, unsigned Class) {
  // What was true before the gate need not be so any more.
  if (!Table.wants(Class) || Capturing.any() || isCapturing(L.Stream))
    return false;
  OwnCalls Own;
  auto R = std::make_unique<LaunchRecording>(Tools, Class);
  std::string Why;
  if (!R->before(L, F, Why)) {
    Table.notRecorded(Class, Why);
    return false;
  }
  State.Active = R.release();
  return true;
}

void Recorder::endRecording(CUresult Result, uint32_t Correlation) {
  OwnCalls Own;
  std::unique_ptr<LaunchRecording> R(std::exchange(State.Active, nullptr));
  std::string Why;
  if (Result != cuda::Success)
    Why = "the launch failed: " + Driver.describe(Result);
  else if (Capturing.any())
    Why = "a stream was being captured";
  else
    (void)R->after(Correlation, Why);
  if (!Why.empty())
    Table.notRecorded(R->launchClass(), Why);
  R.reset();
  Alone.leaveAlone();
}

void Recorder::afterLaunch(CUresult Result, const cupti::CallbackData &Data) {
  if (State.Active)
    endRecording(Result, Data.CorrelationId);
  if (State.HasClass && Result == cuda::Success)
    Table.launched(State.Class);
  State.HasClass = false;
}

void Recorder::onKernel(const cupti::KernelActivity &K) {
  if (!K.Name || K.End < K.Start)
    return;
  LaunchShape Shape;
  for (unsigned I = 0; I < 3; ++I) {
    Shape.Grid[I] = uint32_t(K.Grid[I]);
    Shape.Block[I] = uint32_t(K.Block[I]);
  }
  Shape.DynamicShared = uint32_t(K.DynamicShared);
  Table.timed(K.Name, Shape, double(K.End - K.Start) * 1e-6, K.CorrelationId, K.GraphId != 0);
}

std::string Recorder::finish() {
  OwnCalls Own;
  Cupti::flush(/*Running=*/true);
  std::vector<std::string> Notes;
  for (const std::string &Problem : Code.problems())
    Notes.push_back("warning: " + Problem);
  for (const auto &[Folder, R] : Table.finalRecordings())
    if (Error E = updateLaunch(Folder, R))
      Notes.push_back("warning: " + toString(std::move(E)));
  return summaryText(Table.summary(), Options.Directory, Notes);
}

} // namespace gpuprune
