//===- ProtocolBuffers.cpp - Buffers as the runner is told of them --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/ProtocolBuffers.h"
#include "gpuprune/Support/Process.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

/// Of the copy that lies where a job's cubins do.
static std::string contentsFileName(const DataFile &File) { return "contents-" + File.Hash + ".bin"; }

Error writeContentsFiles(const Workload &W, StringRef Folder) {
  for (const NamedFile &Named : W.Files) {
    SmallString<256> Path(Folder);
    sys::path::append(Path, contentsFileName(*Named.File));
    if (Error E = writeFile(Path, Named.File->Content))
      return E;
  }
  return Error::success();
}

// A workload's fill and the protocol's are not one struct: a workload is read with the
// element type at hand, so its integers are exact and known to fit; the protocol has any
// numbers of JSON, which its validation holds against the type.
static protocol::Fill toProtocol(const FillSpec &Fill) {
  switch (Fill.FillKind) {
  case FillSpec::Kind::Fields: {
    protocol::Fill OfFields{protocol::FillKind::Fields};
    for (const FillSpec &Of : Fill.Fields)
      OfFields.Fields.push_back(toProtocol(Of));
    return OfFields;
  }
  case FillSpec::Kind::None:
  case FillSpec::Kind::Zero:
    return {protocol::FillKind::Zero};
  case FillSpec::Kind::File: {
    protocol::Fill FromFile{protocol::FillKind::File};
    FromFile.File = contentsFileName(*Fill.File);
    FromFile.Hash = Fill.File->Hash;
    FromFile.Offset = Fill.FileOffset;
    FromFile.Data = Fill.File;
    return FromFile;
  }
  case FillSpec::Kind::Constant:
    return {protocol::FillKind::Constant, Fill.Low};
  case FillSpec::Kind::Uniform:
    return {protocol::FillKind::Uniform, 0, Fill.Low, Fill.High, Fill.Seed};
  case FillSpec::Kind::Iota:
    return {protocol::FillKind::Iota};
  case FillSpec::Kind::Affine: {
    protocol::Fill Affine{protocol::FillKind::Affine};
    Affine.Start = Fill.Start;
    Affine.Step = Fill.Step;
    Affine.Jitter = Fill.Jitter;
    Affine.Seed = Fill.Seed;
    return Affine;
  }
  }
  llvm_unreachable("every fill is covered");
}

std::vector<protocol::Buffer> protocolBuffers(const ResolvedProblem &Problem) {
  std::vector<protocol::Buffer> Buffers;
  for (const ResolvedBuffer &B : Problem.Buffers)
    Buffers.push_back({B.Name, B.Type, B.Count, toProtocol(B.Fill), B.Role, B.Symbol});
  return Buffers;
}

} // namespace gpuprune
