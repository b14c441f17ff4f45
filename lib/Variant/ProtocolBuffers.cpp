//===- ProtocolBuffers.cpp - Buffers as the runner is told of them --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/ProtocolBuffers.h"
#include "gpuprune/Support/Process.h"
#include "llvm/ADT/STLExtras.h"
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

static protocol::FillKind kindOf(FillSpec::Kind Kind) {
  switch (Kind) {
  case FillSpec::Kind::None:
  case FillSpec::Kind::Zero:
    return protocol::FillKind::Zero;
  case FillSpec::Kind::Constant:
    return protocol::FillKind::Constant;
  case FillSpec::Kind::Uniform:
    return protocol::FillKind::Uniform;
  case FillSpec::Kind::Sorted:
    return protocol::FillKind::Sorted;
  case FillSpec::Kind::Iota:
    return protocol::FillKind::Iota;
  case FillSpec::Kind::Affine:
    return protocol::FillKind::Affine;
  case FillSpec::Kind::Shift:
    return protocol::FillKind::Shift;
  case FillSpec::Kind::Permutation:
    return protocol::FillKind::Permutation;
  case FillSpec::Kind::Clustered:
    return protocol::FillKind::Clustered;
  case FillSpec::Kind::Values:
    return protocol::FillKind::Values;
  case FillSpec::Kind::File:
    return protocol::FillKind::File;
  case FillSpec::Kind::Fields:
    return protocol::FillKind::Fields;
  }
  llvm_unreachable("every fill is covered");
}

// A workload's fill and the protocol's are not one struct: a workload is read with the
// element type at hand, so its integers are exact and known to fit; the protocol has any
// numbers of JSON, which its validation holds against the type.
static protocol::Fill toProtocol(const FillSpec &Fill, uint64_t Count) {
  protocol::Fill Told{kindOf(Fill.FillKind)};
  if (Told.Kind == protocol::FillKind::Constant)
    Told.Value = Fill.Low;
  if (Told.Kind == protocol::FillKind::Uniform || Told.Kind == protocol::FillKind::Sorted) {
    Told.Low = Fill.Low;
    Told.High = Fill.High;
  }
  Told.Start = Fill.Start;
  Told.Step = Fill.Step;
  Told.Jitter = Fill.Jitter;
  Told.Seed = Fill.Seed;
  if (Told.Kind == protocol::FillKind::Clustered)
    Told.Count = uint64_t(Fill.Among);
  else if (is_contained(
               {protocol::FillKind::Sorted, protocol::FillKind::Shift, protocol::FillKind::Permutation},
               Told.Kind))
    Told.Count = Count;
  Told.By = uint64_t(Fill.Shift);
  Told.Window = uint64_t(Fill.Window);
  Told.Per = uint64_t(Fill.Per);
  Told.ZeroDiagonal = Fill.Columns;
  Told.Bytes = Fill.Bytes;
  if (Told.Kind == protocol::FillKind::File) {
    Told.File = contentsFileName(*Fill.File);
    Told.Hash = Fill.File->Hash;
    Told.Offset = Fill.FileOffset;
    Told.Data = Fill.File;
  }
  for (const FillSpec &Of : Fill.Fields)
    Told.Fields.push_back(toProtocol(Of, Count));
  return Told;
}

std::vector<protocol::Buffer> protocolBuffers(const ResolvedProblem &Problem) {
  std::vector<protocol::Buffer> Buffers;
  for (const ResolvedBuffer &B : Problem.Buffers)
    Buffers.push_back({B.Name, B.Type, B.Count, toProtocol(B.Fill, B.Count), B.Role, B.Symbol,
                       /*Compared=*/true, B.Address});
  return Buffers;
}

} // namespace gpuprune
