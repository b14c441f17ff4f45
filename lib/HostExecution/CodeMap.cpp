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
#include "llvm/Object/ObjectFile.h"

using namespace llvm;
using namespace llvm::object;

namespace gpuprune {

/// \p Unit with the one difference that line tables are wanted.
static DICompileUnit *withLineTables(const DICompileUnit &Unit) {
  return DICompileUnit::getDistinct(
      Unit.getContext(), Unit.getSourceLanguage(), Unit.getFile(), Unit.getProducer(), Unit.isOptimized(),
      Unit.getFlags(), Unit.getRuntimeVersion(), "", DICompileUnit::LineTablesOnly, DICompositeTypeArray(),
      DIScopeArray(), DIGlobalVariableExpressionArray(), DIImportedEntityArray(), DIMacroNodeArray(), 0,
      false, false, DICompileUnit::DebugNameTableKind::None, false, "", "");
}

void requestLineTables(Module &M) {
  NamedMDNode *Units = M.getNamedMetadata("llvm.dbg.cu");
  if (!Units)
    return;
  DenseMap<const DICompileUnit *, DICompileUnit *> Replaced;
  for (unsigned I = 0; I < Units->getNumOperands(); ++I) {
    auto *Unit = cast<DICompileUnit>(Units->getOperand(I));
    Replaced[Unit] = withLineTables(*Unit);
    Units->setOperand(I, Replaced[Unit]);
  }
  for (Function &F : M) {
    if (DISubprogram *Subprogram = F.getSubprogram())
      if (DICompileUnit *Unit = Replaced.lookup(Subprogram->getUnit()))
        Subprogram->replaceUnit(Unit);
    for (Instruction &I : instructions(F))
      if (const DILocation *Location = kernelLocation(I))
        I.setDebugLoc(const_cast<DILocation *>(Location));
  }
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
