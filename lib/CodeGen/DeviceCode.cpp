//===- DeviceCode.cpp - Device code from any kind of file -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/DeviceCode.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "llvm/AsmParser/Parser.h"
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

static Expected<std::string> toBitcode(const std::string &Text, StringRef Path) {
  LLVMContext Context;
  SMDiagnostic Problem;
  std::unique_ptr<Module> M = parseAssemblyString(Text, Problem, Context);
  if (!M)
    return makeError(ErrorKind::Input, formatv("{0}:{1}:{2}: {3}", Path, Problem.getLineNo(),
                                               Problem.getColumnNo() + 1, Problem.getMessage()));
  std::string Broken;
  raw_string_ostream BrokenOS(Broken);
  if (verifyModule(*M, &BrokenOS))
    return makeError(ErrorKind::Input, formatv("'{0}' is broken IR: {1}", Path, StringRef(Broken).rtrim()));
  std::string Bitcode;
  raw_string_ostream OS(Bitcode);
  WriteBitcodeToFile(*M, OS);
  return Bitcode;
}

Expected<std::string> readDeviceCode(const Toolchain &Tools, StringRef Path, StringRef Arch) {
  StringRef Extension = sys::path::extension(Path);
  if (Extension == ".cu")
    return compileToBitcode(Tools, {Path.str(), {}, {}, Arch.str()});
  if (Extension != ".bc" && Extension != ".ll")
    return makeError(ErrorKind::Usage, formatv("'{0}': expected a file that ends in .cu, .bc or .ll", Path));
  Expected<std::string> Content = readFile(Path);
  if (!Content || Extension == ".bc")
    return Content;
  return toBitcode(*Content, Path);
}

} // namespace gpuprune
