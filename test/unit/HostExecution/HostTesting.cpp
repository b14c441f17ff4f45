//===- HostTesting.cpp - Kernels from source to the CPU, in tests --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostTesting.h"
#include "../ExpectedTesting.h"
#include "gpuprune/Analysis/LaunchAttributes.h"
#include "gpuprune/CodeGen/Toolchain.h"
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "gpuprune/Transforms/Kernels.h"
#include "llvm/Bitcode/BitcodeReader.h"

#include <cstdlib>
#include <map>
#include <tuple>

using namespace llvm;

namespace gpuprune::test {

static std::string compiled(const std::string &Source, const DeviceCompile &Compile) {
  static const bool Initialized = (initializeCodeGen(), true);
  (void)Initialized;
  Toolchain Tools;
  Tools.Clang = valueOf(findClang());
  std::string Bitcode = valueOf(
      compileToBitcode(Tools, {GPUPRUNE_SOURCE_DIR "/" + Source, Compile.Flags, Compile.Defines, "sm_90"}));
  VariantRequest Request;
  Request.Bitcode = Bitcode;
  Request.Pipeline = Compile.Pipeline;
  Request.KeepFinalBitcode = true;
  return valueOf(compileVariant(Request)).FinalBitcode.str().str();
}

std::string deviceCode(const std::string &Source, const DeviceCompile &Compile) {
  // Many tests take kernels from the same file.
  static std::map<std::tuple<std::string, std::vector<std::string>, std::string, std::vector<std::string>>,
                  std::string>
      Known;
  std::string &Code = Known[{Source, Compile.Defines, Compile.Pipeline, Compile.Flags}];
  if (Code.empty())
    Code = compiled(Source, Compile);
  return Code;
}

std::unique_ptr<HostProgram> hostProgram(const std::string &Source, const DeviceCompile &Compile,
                                         HostOptions Options) {
  Options.FastCode = std::getenv("GPUPRUNE_TEST_FAST_CODE") != nullptr;
  return valueOf(HostProgram::create(deviceCode(Source, Compile), Options));
}

void addContract(StringRef Code, StringRef Kernel, HostLaunch &Launch) {
  LLVMContext Context;
  std::unique_ptr<Module> M = valueOf(parseBitcodeFile(MemoryBufferRef(Code, "device bitcode"), Context));
  for (const Function *F : selectKernels(*M, Kernel)) {
    LaunchContract Contract = valueOf(readLaunchContract(*F));
    Launch.PointerAlignment = uint64_t(Contract.PointerAlignment);
    Launch.ConstantCopies = Contract.ConstantCopies;
  }
}

LaunchReport launched(const HostProgram &Program, const HostLaunch &Launch) {
  LaunchReport Report = valueOf(Program.launch(Launch));
  if (Report.Fault)
    ADD_FAILURE() << Report.Fault->Message;
  return Report;
}

HostFault HostRun::faultOf(const HostLaunch &Launch) {
  LaunchReport Report = valueOf(Program->launch(Launch));
  if (!Report.Fault)
    ADD_FAILURE() << "no fault";
  return Report.Fault.value_or(HostFault());
}

} // namespace gpuprune::test
