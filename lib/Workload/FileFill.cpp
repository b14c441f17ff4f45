//===- FileFill.cpp - Fills from files --------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NpyHeader.h"
#include "WorkloadParts.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

/// The file that \p At names, which is read once.
static Expected<std::shared_ptr<const DataFile>> namedFile(const YamlCursor &At, Workload &W) {
  Expected<std::string> Written = At.scalar("the path of a file");
  if (!Written)
    return Written.takeError();
  for (const NamedFile &Known : W.Files)
    if (Known.Written == *Written)
      return Known.File;
  Expected<DataFile> Read = readDataFile(besideWorkload(*Written, W));
  if (!Read)
    return At.error(takeError(Read.takeError()).Text);
  W.Files.push_back({std::move(*Written), std::make_shared<const DataFile>(std::move(*Read))});
  return W.Files.back().File;
}

// A file of NumPy's or, with another extension, of the bytes of elements alone.
Error readFileFill(const YamlCursor &At, const ElementLayout &Type, FillSpec &Fill, Workload &W) {
  Expected<std::shared_ptr<const DataFile>> File = namedFile(At, W);
  if (!File)
    return File.takeError();
  Fill.FillKind = FillSpec::Kind::File;
  Fill.File = std::move(*File);
  const auto &[Path, Content, Hash] = *Fill.File;
  auto Wrong = [&, &Path = Path](const Twine &Why) { return At.error("the file '" + Path + "': " + Why); };
  if (sys::path::extension(Path) == ".npy") {
    if (Type.isStructure())
      return Wrong(
          "NumPy's files are of one type; give one for each field, or the structures as they are in a "
          "file with another extension");
    Expected<uint64_t> Begin = npyElements(Content, *Type.scalar());
    if (!Begin)
      return Wrong(takeError(Begin.takeError()).Text);
    Fill.FileOffset = *Begin;
    return Error::success();
  }
  if (StringRef(Content).starts_with(NpyMagic))
    return Wrong(
        "it is one of NumPy's, whose header would be taken for elements; give it the extension .npy");
  if (Content.size() % Type.bytes() != 0)
    return Wrong(Twine(Content.size()) + " bytes are no whole number of elements of " + Twine(Type.bytes()));
  return Error::success();
}

} // namespace gpuprune
