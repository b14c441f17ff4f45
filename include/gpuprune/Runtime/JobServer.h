//===- JobServer.h - The measuring process --------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes jobs on one stream and gives results on another, as
// docs/runner-protocol.md says.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_RUNTIME_JOBSERVER_H
#define GPUPRUNE_RUNTIME_JOBSERVER_H

#include "gpuprune/Runtime/Protocol.h"
#include <functional>

namespace gpuprune {

struct JobServerOptions {
  std::string DriverPath;    ///< Of libcuda; empty: libcuda.so.1 as the loader finds it.
  std::string NvmlPath;      ///< Of libnvidia-ml, which tells the clock; the same.
  std::string BaseDirectory; ///< What relative cubin paths are relative to; empty: the working directory.
  std::string Version;       ///< For the hello line.
  std::string TraceFile;     ///< Where a trace of the time goes when the input ends; empty: nowhere.
  int Device = 0;
  /// Bound of what is kept on the host of reference outputs that the device has no room for.
  uint64_t CacheBytes = uint64_t(4) << 30;
  /// Called on another thread when the client is gone and asked for the runner
  /// to go with it; a kernel may be hanging, so it should end the process.
  std::function<void()> OnHangup;
};

enum class JobServerEnd {
  Finished,    ///< The input ended, all jobs have a result.
  NoGpu,       ///< The hello line says why.
  ContextLost, ///< A kernel faulted; its result is written, the rest of the input is not read.
  OutputLost,  ///< Nobody reads the results any more.
};

/// Serves \p Input until it ends. Both are file descriptors that stay open.
JobServerEnd serveJobs(const JobServerOptions &Options, int Input, int Output);

} // namespace gpuprune

#endif // GPUPRUNE_RUNTIME_JOBSERVER_H
