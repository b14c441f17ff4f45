//===- ReferenceStore.cpp - What programs leave that others are compared with //
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReferenceStore.h"
#include "gpuprune/Support/ContentHash.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

Error runOverPatterns(const Gpu &G, const SharedFill &Shared, const LoadedProgram &Program,
                      const BufferSet &Buffers, size_t Run) {
  if (Error E = Buffers.prepare(FillPatterns[Run]))
    return E;
  if (Error E = Program.fillSymbols())
    return E;
  if (Error E = Program.launch([&] { return Shared.fill(SharedPatterns[Run]); }))
    return E;
  return G.synchronize();
}

Expected<std::optional<Mismatch>> findChangedInput(const LoadedProgram &Program, const BufferSet &Buffers) {
  Expected<std::optional<Mismatch>> Found = Buffers.checkInputs();
  return !Found || *Found ? std::move(Found) : Program.checkSymbols();
}

std::string ReferenceSet::hashNow() const {
  std::string All;
  for (const ReferenceOutput &Output : Outputs) {
    All += contentHash(Output.Bytes);
    All += contentHash(ArrayRef(reinterpret_cast<const uint8_t *>(Output.Unwritten.data()),
                                Output.Unwritten.size() * sizeof(ByteRange)));
  }
  return contentHash(All);
}

std::string ReferenceStore::keyOf(const LoadedProgram &Program, const Problem &P,
                                  const Comparison &Tolerance) {
  std::string Key =
      formatv("{0} {1} {2}", Program.contentKey(), Tolerance.Relative, Tolerance.Absolute.value_or(-1));
  for (const Buffer &B : P.Buffers)
    Key += formatv(" {0}", toJSON(B));
  return contentHash(Key);
}

static Expected<std::vector<uint8_t>> download(const Gpu &G, const DeviceBuffer &B) {
  std::vector<uint8_t> Bytes;
  Bytes.reserve(B.shape().bytes());
  Error E = G.download(B.address(), B.shape().bytes(), [&](ArrayRef<uint8_t> Chunk) {
    Bytes.insert(Bytes.end(), Chunk.begin(), Chunk.end());
    return true;
  });
  if (E)
    return E;
  return Bytes;
}

static Expected<std::vector<std::vector<uint8_t>>> downloadOutputs(const Gpu &G, const BufferSet &Buffers) {
  std::vector<std::vector<uint8_t>> All;
  for (const auto &B : Buffers.buffers()) {
    All.emplace_back();
    if (B->shape().Role == BufferRole::In)
      continue;
    Expected<std::vector<uint8_t>> Bytes = download(G, *B);
    if (!Bytes)
      return Bytes.takeError();
    All.back() = std::move(*Bytes);
  }
  return All;
}

static std::shared_ptr<ReferenceSet> misdeed(Mismatch M) {
  auto Set = std::make_shared<ReferenceSet>();
  Set->Misdeed = std::move(M);
  Set->Hash = Set->hashNow();
  return Set;
}

Expected<std::shared_ptr<ReferenceSet>>
ReferenceStore::run(const LoadedProgram &Program, const BufferSet &Buffers, const Comparison &Tolerance) {
  std::vector<std::vector<uint8_t>> Runs[2];
  for (size_t Run = 0; Run != 2; ++Run) {
    if (Error E = runOverPatterns(Owner, Shared, Program, Buffers, Run))
      return E;
    Expected<std::optional<Mismatch>> Guard = Buffers.checkGuards(FillPatterns[Run]);
    if (!Guard)
      return Guard.takeError();
    if (*Guard)
      return misdeed(std::move(**Guard));
    Expected<std::vector<std::vector<uint8_t>>> Left = downloadOutputs(Owner, Buffers);
    if (!Left)
      return Left.takeError();
    Runs[Run] = std::move(*Left);
  }
  Expected<std::optional<Mismatch>> Input = findChangedInput(Program, Buffers);
  if (!Input)
    return Input.takeError();
  if (*Input)
    return misdeed(std::move(**Input));
  auto Set = std::make_shared<ReferenceSet>();
  for (const auto &[B, First, Second] : zip_equal(Buffers.buffers(), Runs[0], Runs[1])) {
    ElementType Type = B->shape().Type;
    std::optional<uint64_t> Unstable;
    Set->Outputs.push_back(joinReferenceRuns(Type, std::move(First), Second, Unstable));
    Set->BetweenRuns.push_back(Unstable ? compareReferenceRuns(Type, Tolerance, Set->Outputs.back(), Second)
                                        : Difference());
  }
  Set->Hash = Set->hashNow();
  return Set;
}

Expected<std::shared_ptr<ReferenceSet>> ReferenceStore::get(const std::string &Key,
                                                            const LoadedProgram &Program,
                                                            const BufferSet &Buffers,
                                                            const Comparison &Tolerance) {
  if (std::shared_ptr<ReferenceSet> Kept = Sets.find(Key))
    return Kept;
  if (auto Other = United.find(Key); Other != United.end())
    if (std::shared_ptr<ReferenceSet> Kept = Sets.find(Other->second))
      return Kept;
  Expected<std::shared_ptr<ReferenceSet>> Made = run(Program, Buffers, Tolerance);
  if (!Made)
    return Made;
  uint64_t Bytes = 0;
  for (const ReferenceOutput &Output : (*Made)->Outputs)
    Bytes += Output.Bytes.size() + Output.Unwritten.size() * sizeof(ByteRange);
  Sets.insert(Key, *Made, Bytes);
  return Made;
}

void ReferenceStore::unite(const std::string &Key, const std::string &Same) {
  United[Key] = Same;
  Sets.erase(Key);
}

void ReferenceStore::forget(const std::string &Key) {
  Sets.erase(Key);
  if (auto Other = United.find(Key); Other != United.end())
    Sets.erase(Other->second);
  United.erase(Key);
}

} // namespace gpuprune
