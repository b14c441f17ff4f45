//===- ModelFacts.cpp - What the model is given of a variant, kept in files -===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ModelFacts.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Variant/MemoryTrace.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprune {

static constexpr double GroupCost::*GroupSums[] = {
    &GroupCost::LaneAccesses,   &GroupCost::Requests,    &GroupCost::Sectors,
    &GroupCost::Lines,          &GroupCost::Wavefronts,  &GroupCost::MissedSectors,
    &GroupCost::MissedRequests, &GroupCost::MissedLines, &GroupCost::SameWord};
static constexpr double MemoryProfile::*ProfileSums[] = {
    &MemoryProfile::Threads, &MemoryProfile::LoadedBytes, &MemoryProfile::StoredBytes,
    &MemoryProfile::ConstantLines, &MemoryProfile::Divergence};

static json::Array blocksToJSON(ArrayRef<PtxBlockExecutions> Blocks) {
  json::Array All;
  for (const PtxBlockExecutions &B : Blocks) {
    json::Array One{B.Number, B.Executions};
    for (auto [Number, Times] : B.Successors) {
      One.push_back(Number);
      One.push_back(Times);
    }
    All.push_back(std::move(One));
  }
  return All;
}

static json::Array warpsToJSON(const std::optional<ComparedWarps> &Warps) {
  return Warps ? json::Array{Warps->Divergence, Warps->Variation} : json::Array();
}

static json::Object toJSON(const ModelFacts &F) {
  json::Array Groups, Profile, Classes;
  for (const GroupCost &G : F.Memory.Groups)
    for (auto Sum : GroupSums)
      Groups.push_back(G.*Sum);
  for (auto Sum : ProfileSums)
    Profile.push_back(F.Memory.*Sum);
  for (double Number : F.Counts.ByClass)
    Classes.push_back(Number);
  const Dim3 &Grid = F.Launch.Grid, &Block = F.Launch.Block;
  return json::Object{{"variant", F.Variant},
                      {"failure", F.Failure},
                      {"ptx", F.Ptx},
                      {"symbol", F.Symbol},
                      {"cubin", F.Cubin},
                      {"cubin_symbol", F.CubinSymbol},
                      {"program", F.Program},
                      {"launch", json::Array{Grid.X, Grid.Y, Grid.Z, Block.X, Block.Y, Block.Z,
                                             int64_t(F.Launch.BlocksPerSM)}},
                      {"classes", std::move(Classes)},
                      {"warps", warpsToJSON(F.Counts.Warps)},
                      {"blocks", blocksToJSON(F.Counts.Blocks)},
                      {"groups", std::move(Groups)},
                      {"profile", std::move(Profile)},
                      {"cut", F.Memory.IsCut}};
}

static double number(const json::Array &From, size_t Index) { return From[Index].getAsNumber().value_or(0); }

static ModelFacts fromJSON(const json::Object &O) {
  ModelFacts F;
  F.Variant = O.getString("variant")->str();
  F.Failure = O.getString("failure")->str();
  F.Ptx = O.getString("ptx")->str();
  F.Symbol = O.getString("symbol")->str();
  F.Cubin = O.getString("cubin")->str();
  F.CubinSymbol = O.getString("cubin_symbol")->str();
  F.Program = O.getString("program")->str();
  const json::Array &L = *O.getArray("launch"), &Groups = *O.getArray("groups");
  auto At = [&](size_t Index) { return int64_t(number(L, Index)); };
  F.Launch = {{At(0), At(1), At(2)}, {At(3), At(4), At(5)}, unsigned(At(6))};
  for (auto [Index, Number] : enumerate(*O.getArray("classes")))
    F.Counts.ByClass[Index] = Number.getAsNumber().value_or(0);
  if (const json::Array &Warps = *O.getArray("warps"); !Warps.empty())
    F.Counts.Warps = {number(Warps, 0), number(Warps, 1)};
  for (const json::Value &Value : *O.getArray("blocks")) {
    const json::Array &One = *Value.getAsArray();
    PtxBlockExecutions B{unsigned(number(One, 0)), number(One, 1), {}};
    for (size_t I = 2; I + 1 < One.size(); I += 2)
      B.Successors.push_back({unsigned(number(One, I)), number(One, I + 1)});
    F.Counts.Blocks.push_back(std::move(B));
  }
  size_t Index = 0;
  for (GroupCost &G : F.Memory.Groups)
    for (auto Sum : GroupSums)
      G.*Sum = number(Groups, Index++);
  for (auto [Place, Sum] : enumerate(ProfileSums))
    F.Memory.*Sum = number(*O.getArray("profile"), Place);
  F.Memory.IsCut = O.getBoolean("cut").value_or(false);
  return F;
}

static ModelFacts factsOf(const BuiltVariant &V, const VariantBuilder &Builder, const DeviceInfo &Device) {
  ModelFacts F;
  F.Variant = V.Stock ? "stock" : V.Row.text();
  F.Failure = V.Row.Message;
  if (!V.Code)
    return F;
  F.Failure.clear();
  F.Ptx = V.Ptx;
  F.Symbol = V.Symbol;
  F.Cubin = sys::path::filename(V.Code->Cubin).str();
  F.CubinSymbol = V.Code->Symbol;
  F.Program = V.Code->MachineCode.substr(0, 16);
  F.Launch = {V.Row.Launch.Grid, V.Row.Launch.Block, V.Row.BlocksPerSM.value_or(1)};
  F.Counts = V.Kernel.Counts;
  Expected<MemoryProfile> Profile =
      profileMemory(V, cantFail(ptxFlow(V.Ptx, V.Symbol)), cantFail(Builder.tuneProblem(V.parts())), Device);
  if (Profile)
    F.Memory = *Profile;
  else
    F.Failure = toString(Profile.takeError());
  return F;
}

static std::string fileOf(const std::string &Folder, StringRef Variant) {
  return Folder + "/" + contentHash(Variant).substr(0, 16) + ".json";
}

static void compile(StringRef Kernels, StringRef Kernel, ArrayRef<std::string> Missing,
                    const std::string &Folder) {
  ExitOnError OrExit((Kernel + ": ").str());
  TuningTarget Target = OrExit(loadTarget((Kernels + "/" + Kernel).str(), "sm_90"));
  std::vector<BuiltVariant> Variants;
  for (const std::string &Text : Missing)
    Variants.emplace_back(Text == "stock" ? Variant() : OrExit(parseVariant(Text)), Text == "stock");
  VariantBuilder Builder(Target);
  Builder.keepFinalBitcode(true);
  OrExit(Builder.runFrontends(Variants, 2));
  constexpr size_t OfBatch = 20;
  for (size_t First = 0; First < Variants.size(); First += OfBatch) {
    std::vector<BuiltVariant *> Batch;
    MutableArrayRef<BuiltVariant> Part = MutableArrayRef(Variants).slice(First);
    for (BuiltVariant &V : Part.take_front(OfBatch)) {
      Builder.compile(V);
      if (V.alive())
        Batch.push_back(&V);
    }
    std::string Cubin = fileOf(Folder, Missing[First]);
    Builder.assembleBatch(Batch, Cubin.substr(0, Cubin.size() - 4) + "cubin");
    for (auto [Index, V] : enumerate(Part.take_front(OfBatch))) {
      ModelFacts F = factsOf(V, Builder, *Target.Device);
      F.Variant = Missing[First + Index];
      std::error_code EC;
      raw_fd_ostream OS(fileOf(Folder, Missing[First + Index]), EC);
      if (EC)
        reportFatalUsageError(Twine(Folder) + ": " + EC.message());
      OS << json::Value(toJSON(F));
      V.FinalBitcode.clear();
    }
    errs() << formatv("{0}: {1} of {2}\n", Kernel, std::min(First + OfBatch, Variants.size()),
                      Variants.size());
  }
}

std::vector<ModelFacts> modelFacts(StringRef Kernels, StringRef Kernel, ArrayRef<std::string> Variants,
                                   const std::string &Folder) {
  std::string OfKernel = (Folder + "/" + Kernel).str();
  if (std::error_code EC = sys::fs::create_directories(OfKernel))
    reportFatalUsageError(Twine(OfKernel) + ": " + EC.message());
  std::vector<std::string> Missing;
  copy_if(Variants, std::back_inserter(Missing),
          [&](const std::string &V) { return !sys::fs::exists(fileOf(OfKernel, V)); });
  if (!Missing.empty())
    compile(Kernels, Kernel, Missing, OfKernel);
  std::vector<ModelFacts> All;
  for (const std::string &V : Variants) {
    json::Value Value = cantFail(json::parse(cantFail(readFile(fileOf(OfKernel, V)))));
    ModelFacts F = fromJSON(*Value.getAsObject());
    if (!F.Cubin.empty())
      F.Cubin = OfKernel + "/" + F.Cubin;
    All.push_back(std::move(F));
  }
  return All;
}

} // namespace gpuprune
