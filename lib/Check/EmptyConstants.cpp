//===- EmptyConstants.cpp - Constant memory that nothing fills --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EmptyConstants.h"
#include "gpuprune/MachineCode/PtxLines.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuprune {

/// Of ".const .align 4 .b8 table[16]", without what it begins with; empty where it is no such declaration, or
/// has a value. LLVM writes none of zeros.
static StringRef nameOfEmptyConstant(StringRef Line) {
  for (StringRef Linkage : {".visible ", ".extern ", ".weak "})
    Line.consume_front(Linkage);
  if (!Line.consume_front(".const ") || Line.contains('='))
    return "";
  return Line.rtrim("; ").rsplit(' ').second.split('[').first.trim();
}

static bool isNameCharacter(char C) { return isAlnum(C) || C == '_' || C == '$'; }

static bool names(StringRef Body, StringRef Variable) {
  for (size_t At = Body.find(Variable); At != StringRef::npos; At = Body.find(Variable, At + 1)) {
    StringRef Behind = Body.drop_front(At + Variable.size());
    bool Begins = At == 0 || !isNameCharacter(Body[At - 1]);
    if (Begins && (Behind.empty() || !isNameCharacter(Behind.front())))
      return true;
  }
  return false;
}

std::vector<std::string> emptyConstants(StringRef Ptx, StringRef Kernel) {
  std::vector<std::string> Found;
  Expected<std::string> Body = ptxBody(Ptx, Kernel);
  if (!Body) {
    consumeError(Body.takeError());
    return Found;
  }
  for (StringRef Line : split(Ptx, '\n'))
    if (StringRef Name = nameOfEmptyConstant(Line); !Name.empty() && names(*Body, Name))
      Found.push_back(Name.str());
  return Found;
}

} // namespace gpuprune
