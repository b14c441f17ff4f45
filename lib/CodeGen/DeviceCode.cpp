//===- DeviceCode.cpp - Device code from any kind of file -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/DeviceCode.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/RegularFile.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprune {

static Expected<std::unique_ptr<Module>> parse(StringRef Content, StringRef Path, LLVMContext &Context) {
  if (sys::path::extension(Path) == ".bc") {
    Expected<std::unique_ptr<Module>> M = parseBitcodeFile(MemoryBufferRef(Content, Path), Context);
    if (!M)
      return makeError(ErrorKind::Input, formatv("'{0}' is no bitcode of LLVM {1} that can be read: {2}",
                                                 Path, LLVM_VERSION_MAJOR, toString(M.takeError())));
    return M;
  }
  SMDiagnostic Problem;
  std::unique_ptr<Module> M = parseAssembly(MemoryBufferRef(Content, Path), Problem, Context);
  if (!M)
    return makeError(ErrorKind::Input, formatv("{0}:{1}:{2}: {3}", Path, Problem.getLineNo(),
                                               Problem.getColumnNo() + 1, Problem.getMessage()));
  return M;
}

/// The number of "sm_90", 0 of anything else.
static unsigned archNumber(StringRef Arch) {
  unsigned Number = 0;
  return Arch.consume_front("sm_") && !Arch.consumeInteger(10, Number) ? Number : 0;
}

static Error checkModule(const Module &M, StringRef Path, StringRef Arch) {
  std::string Broken;
  raw_string_ostream BrokenOS(Broken);
  if (verifyModule(M, &BrokenOS))
    return makeError(ErrorKind::Input, formatv("'{0}' is broken IR: {1}", Path, StringRef(Broken).rtrim()));
  for (const Function &F : M)
    if (StringRef Made = F.getFnAttribute("target-cpu").getValueAsString();
        archNumber(Made) > archNumber(Arch))
      return makeError(ErrorKind::Input,
                       formatv("'{0}' was compiled for {1}, whose code {2} does not run; use "
                               "--device={1}, or compile it with --cuda-gpu-arch={2}",
                               Path, Made, Arch));
  return Error::success();
}

Expected<std::string> readDeviceCode(const Toolchain &Tools, StringRef Path, StringRef Arch,
                                     std::vector<std::string> *Warnings) {
  StringRef Extension = sys::path::extension(Path);
  if (Extension == ".cu")
    return compileToBitcode(Tools, {Path.str(), {}, {}, Arch.str()}, Warnings);
  if (Extension != ".bc" && Extension != ".ll")
    return makeError(ErrorKind::Usage, formatv("'{0}': expected a file that ends in .cu, .bc or .ll", Path));
  Expected<std::string> Content = readRegularFile(Path);
  if (!Content)
    return Content;
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> M = parse(*Content, Path, Context);
  if (!M)
    return M.takeError();
  if (Error E = checkModule(**M, Path, Arch))
    return std::move(E);
  std::string Bitcode;
  raw_string_ostream OS(Bitcode);
  WriteBitcodeToFile(**M, OS);
  return Bitcode;
}

} // namespace gpuprune
