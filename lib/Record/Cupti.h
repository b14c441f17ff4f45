//===- Cupti.h - libcupti, opened at run time ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RECORD_CUPTI_H
#define GPUPRUNE_LIB_RECORD_CUPTI_H

#include "CuptiTypes.h"
#include <string>
#include <vector>

namespace gpuprune {

/// What a function of the driver is to the recorder.
enum class CallbackKind : uint8_t {
  None,
  Other, ///< Reads or writes memory of the GPU, or ends its life: waits while a launch is recorded.
  Launch,
  LaunchPerThread,
  LaunchEx,
  LaunchExPerThread,
  LaunchCooperative,
  BeginCapture,
  EndCapture,
  DestroyStream,
  Unload,
  CreateObject,
  DestroyObject,
};

/// Who is called back. All functions may be called by any thread.
class CuptiListener {
public:
  virtual void onCall(CallbackKind Kind, const cupti::CallbackData &Data) = 0;
  virtual void onKernel(const cupti::KernelActivity &Kernel) = 0;

protected:
  ~CuptiListener() = default;
};

/// CUPTI in this process; stays until the process ends.
class Cupti {
public:
  /// Opens \p Path, or libcupti.so.13 or .12 where it is empty, and subscribes. False with the reason in \p
  /// Why where that fails; then nothing is called back.
  static bool start(const std::string &Path, CuptiListener &Listener, std::string &Why);

  /// Delivers the activity of kernels that have ended. \p Running: also where that of a kernel that still
  /// runs is in the same buffer, whose time is lost then.
  static void flush(bool Running);

  /// The libcupti that the program itself has loaded, other than \p Ours; empty if there is none.
  static std::string loadedByProgram(const std::string &Ours);
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RECORD_CUPTI_H
