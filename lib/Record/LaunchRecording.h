//===- LaunchRecording.h - One launch while it is recorded ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RECORD_LAUNCHRECORDING_H
#define GPUPRUNE_LIB_RECORD_LAUNCHRECORDING_H

#include "ClassTable.h"
#include "CodeFolder.h"
#include "DeviceMemory.h"
#include "Gate.h"
#include "IdleWait.h"
#include "RecordDriver.h"
#include "RecordingWriter.h"
#include "gpuprune/Record/RecorderOptions.h"
#include <memory>
#include <string>
#include <vector>

namespace gpuprune {

/// What is known of a kernel by its handle.
struct FunctionInfo {
  std::string Symbol;
  unsigned Kernel = 0;                ///< Its number in the ClassTable.
  bool IsKernel = false;              ///< The handle is a CUkernel.
  std::vector<size_t> ParameterBytes; ///< In order.
  std::string Obstacle;               ///< Why no launch of it can be recorded; else empty.
  const CodeKernel *Code = nullptr;   ///< Null with an obstacle only.
  std::string Gpu;
};

/// A launch as the program asks for it.
struct Launch {
  CUfunction Function = nullptr;
  LaunchShape Shape;
  CUstream Stream = nullptr;
  void **Parameters = nullptr;
  std::string Obstacle; ///< Why it cannot be recorded; else empty.
};

/// What all recordings use.
struct RecordingTools {
  const RecorderOptions &Options;
  const RecordDriver &Driver;
  ClassTable &Table;
  IdleWait &Idle;
  Gate &Alone;
};

/// From before a launch until after it; what is not finished leaves nothing behind. All functions return
/// false with the reason in \p Why. The context of the launch is current, and the gate is held.
class LaunchRecording {
public:
  LaunchRecording(const RecordingTools &Tools, unsigned Class) : Tools(Tools), Class(Class) {}

  unsigned launchClass() const { return Class; }
  bool before(const Launch &L, const FunctionInfo &F, std::string &Why);
  bool after(uint32_t Correlation, std::string &Why);

private:
  struct Variable {
    RecordedVariable Recorded;
    uint64_t Address = 0;
  };

  bool takeParameters(const Launch &L, const FunctionInfo &F, ReachedMemory &Reached, std::string &Why);
  bool findVariables(const Launch &L, const FunctionInfo &F, std::string &Why);
  bool keepVariables(ReachedMemory &Reached, std::string &Why);
  bool keepAllocations(ReachedMemory &Reached, std::string &Why);
  bool fits(const ReachedMemory &Reached, std::string &Why);
  bool waitUntilIdle(std::string &Why);
  bool read(uint64_t Address, uint64_t Bytes, std::string &Why);
  bool write(const std::string &File, std::string &Why);
  bool takeAfter(uint64_t Address, uint64_t Bytes, const std::string &Name, std::string &Hash,
                 std::string &File, std::string &Why);

  const RecordingTools &Tools;
  const unsigned Class;
  Recording Result;
  std::vector<Variable> Variables;
  std::unique_ptr<RecordingWriter> Writer;
  std::unique_ptr<CopyStream> Stream;
  HostBuffer Buffer;
  uint64_t KeptBytes = 0; ///< In files.
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RECORD_LAUNCHRECORDING_H
