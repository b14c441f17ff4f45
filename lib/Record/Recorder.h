//===- Recorder.h - Records the launches of this process -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RECORD_RECORDER_H
#define GPUPRUNE_LIB_RECORD_RECORDER_H

#include "Captures.h"
#include "Cupti.h"
#include "LaunchRecording.h"
#include <atomic>
#include <optional>
#include <set>
#include <unordered_map>

namespace gpuprune {

/// Made once and never destroyed: threads of the program may launch kernels while it ends.
class Recorder final : public CuptiListener {
public:
  Recorder(RecorderOptions Options, const RecordDriver &Driver);

  void onCall(CallbackKind Kind, const cupti::CallbackData &Data) override;
  void onKernel(const cupti::KernelActivity &Kernel) override;

  /// Completes the recordings with counts and times; what there is to tell.
  std::string finish();
  /// Nothing is called back any more: in a process made by fork, which has no GPU.
  void disable() { Enabled = false; }

private:
  void before(CallbackKind Kind, const cupti::CallbackData &Data);
  void after(CallbackKind Kind, const cupti::CallbackData &Data);
  void beforeLaunch(Launch &L, const cupti::CallbackData &Data);
  void afterLaunch(CUresult Result, const cupti::CallbackData &Data);
  /// Whether the launch is being recorded now, the gate held.
  bool beginRecording(const Launch &L, const FunctionInfo &F, unsigned Class);
  void endRecording(CUresult Result, uint32_t Correlation);
  Launch readLaunch(CallbackKind Kind, const void *Params);
  std::shared_ptr<const FunctionInfo> infoOf(CUfunction Function, const char *SymbolName);
  void readFunction(CUfunction Function, const char *SymbolName, FunctionInfo &F);
  void readParameters(CUfunction Function, FunctionInfo &F) const;
  bool isCapturing(CUstream Stream) const;
  bool takesObject(const Launch &L, const FunctionInfo &F);
  void noteObject(CallbackKind Kind, const void *Params);

  const RecorderOptions Options;
  const RecordDriver &Driver;
  CodeFolder Code;
  ClassTable Table;
  IdleWait Idle;
  Gate Alone;
  RecordingTools Tools;
  Captures Capturing;
  std::atomic<bool> Enabled = true;

  std::mutex Lock; ///< Of what follows; never held while the driver is called.
  std::unordered_map<CUfunction, std::shared_ptr<const FunctionInfo>> Functions;
  std::set<uint64_t> Objects; ///< Texture and surface objects that exist.
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RECORD_RECORDER_H
