//===- LaunchRecorder.h - Recordings of launches on the CPU -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `gpuprune record` does with a program on a GPU, for one that runs here: the same choice of launches,
// the same files. Times are those of the CPU.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_CUDA_RUNTIME_LAUNCHRECORDER_H
#define GPUPRUNE_TEST_CUDA_RUNTIME_LAUNCHRECORDER_H

#include "ClassTable.h"
#include "CodeFolder.h"
#include "DeviceImage.h"
#include "DeviceMemory.h"
#include "RecordingWriter.h"
#include "gpuprune/HostExecution/HostLaunch.h"
#include <chrono>

namespace gpuprune {

class LaunchRecorder {
public:
  /// Keeps launches in \p Directory, where the plugin has put the program's device code.
  LaunchRecorder(llvm::StringRef Directory, const DeviceMemory &Memory);

  /// To be called before and after each launch; not for several threads at once.
  void before(const HostLaunch &Launch, const DeviceImage &Image, const DeviceInfo &Info, int Device);
  void after(bool Ran);

  /// Writes how many launches there were of each class. What `gpuprune record` says at the end.
  std::string finish();

private:
  struct Variable {
    RecordedVariable Recorded;
    const GuardedBuffer *Buffer = nullptr;
  };

  bool describe(const HostLaunch &Launch, const DeviceImage &Image, const DeviceInfo &Info, std::string &Why);
  bool reach(llvm::ArrayRef<uint8_t> Content, int Device, std::string &Why);
  bool reachAll(int Device, std::string &Why);
  llvm::Error keepContents();
  llvm::Error publish();

  const RecorderOptions Options;
  const DeviceMemory &Memory;
  CodeFolder Code;
  ClassTable Table;

  // Of the launch that is under way.
  unsigned Class = 0;
  LaunchShape Shape;
  std::string Symbol;
  std::chrono::steady_clock::time_point Begin;
  Recording Result;
  std::vector<Variable> Variables;
  std::map<uint64_t, const GuardedBuffer *> Reached; ///< By address.
  std::unique_ptr<RecordingWriter> Writer;           ///< Null where it is not recorded.
  uint64_t KeptBytes = 0;
};

} // namespace gpuprune

#endif // GPUPRUNE_TEST_CUDA_RUNTIME_LAUNCHRECORDER_H
