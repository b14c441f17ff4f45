//===- CodeMap.cpp - From an address in generated code to its source -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CodeMap.h"
#include "SourcePlace.h"
#include "gpuprune/Support/Error.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Object/ObjectFile.h"

using namespace llvm;
using namespace llvm::object;

namespace gpuprune {

void requestLineTables(Module &M) {
  // Also what is only reachable from metadata of loops, such as functions that were inlined.
  stripNonLineTableDebugInfo(M);
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (const DILocation *Location = kernelLocation(I))
        I.setDebugLoc(const_cast<DILocation *>(Location));
}

Expected<CodeMap> CodeMap::create(const MemoryBuffer &Object, StringRef Symbol, uint64_t Address) {
  Expected<std::unique_ptr<ObjectFile>> File = ObjectFile::createObjectFile(Object.getMemBufferRef());
  if (!File)
    return File.takeError();
  for (const SymbolRef &S : (*File)->symbols()) {
    Expected<StringRef> Name = S.getName();
    if (!Name)
      return Name.takeError();
    if (*Name != Symbol)
      continue;
    Expected<section_iterator> Section = S.getSection();
    Expected<uint64_t> Offset = S.getValue();
    if (!Section || !Offset)
      return joinErrors(Section.takeError(), Offset.takeError());
    CodeMap Map;
    Map.Object = &Object;
    Map.Range.Begin = Address - *Offset;
    Map.Range.End = Map.Range.Begin + (*Section)->getSize();
    Map.SectionIndex = (*Section)->getIndex();
    return Map;
  }
  return makeError(ErrorKind::Internal, "the object file has no symbol " + Symbol);
}

SourceLine CodeMap::line(uint64_t Address) const {
  if (!Range.contains(Address))
    return {};
  Expected<std::unique_ptr<ObjectFile>> File = ObjectFile::createObjectFile(Object->getMemBufferRef());
  if (!File) {
    consumeError(File.takeError());
    return {};
  }
  std::unique_ptr<DWARFContext> Debug = DWARFContext::create(**File);
  std::optional<DILineInfo> Info = Debug->getLineInfoForAddress(
      {Address - Range.Begin, SectionIndex}, {DILineInfoSpecifier::FileLineInfoKind::RawValue});
  if (!Info || Info->Line == 0 || Info->FileName == DILineInfo::BadString)
    return {};
  return {Info->FileName, Info->Line};
}

} // namespace gpuprune
