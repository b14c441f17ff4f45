//===- Workload.cpp - What a kernel's launches look like ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Workload/Workload.h"
#include "WorkloadParts.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/RegularFile.h"
#include "gpuprune/Workload/Problem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

Error Workload::errorAt(const Place &Where, const Twine &Message) const {
  return makeError(ErrorKind::Input, Here + ":" + Twine(Where.Line) + ":" + Twine(Where.Column) + ": " +
                                         Where.Key + ": " + Message);
}

static bool uses(const LocatedExpression &E, StringRef Name) { return is_contained(E.Value.names(), Name); }

static bool uses(const ArgumentSpec &A, StringRef Name) {
  return (A.Value && uses(*A.Value, Name)) ||
         any_of(A.Fields, [&](const ArgumentSpec &Field) { return uses(Field, Name); });
}

/// Whether what the kernel is given besides the grid follows the block's extent \p Name.
static bool passes(const LaunchSpec &L, StringRef Name) {
  return (L.Shared && uses(*L.Shared, Name)) ||
         any_of(L.Arguments, [&](const ArgumentSpec &A) { return uses(A, Name); });
}

/// Whether anything of \p L follows the block's extent \p Name, block.x or the like.
static bool follows(const LaunchSpec &L, StringRef Name) {
  return any_of(L.Grid, [&](const LocatedExpression &E) { return uses(E, Name); }) || passes(L, Name);
}

bool Workload::kernelSeesBlock(unsigned Dimension) const {
  std::string Name = std::string("block.") + "xyz"[Dimension];
  return passes(tuned(), Name);
}

static bool isBlockFree(const LaunchSpec &L, unsigned Dimension) {
  std::string Name = std::string("block.") + "xyz"[Dimension];
  bool IsNumber = Dimension >= L.Block.size() || L.Block[Dimension].Value.names().empty();
  return IsNumber && follows(L, Name);
}

bool hasFreeBlock(const LaunchSpec &L) {
  return any_of(seq(Dim3::size()), [&](unsigned D) { return isBlockFree(L, D); });
}

bool Workload::blockIsFree(unsigned Dimension) const { return isBlockFree(tuned(), Dimension); }

std::string besideWorkload(StringRef Written, const Workload &W) {
  if (sys::path::is_absolute(Written))
    return Written.str();
  SmallString<128> Joined(sys::path::parent_path(W.Path));
  sys::path::append(Joined, Written);
  return std::string(Joined);
}

static Error readSource(const YamlCursor &Root, Workload &W) {
  Expected<YamlCursor> At = Root.require("source");
  if (!At)
    return At.takeError();
  Expected<std::string> Source = At->scalar("the path of the CUDA source");
  if (!Source)
    return Source.takeError();
  W.Source = besideWorkload(*Source, W);
  W.SourceWhere = At->place();
  return Error::success();
}

/// Variants are made by the -O3 pipeline as clang++ sets it up; what changes that would change the build that
/// they ship in and not them.
static bool changesThePipeline(StringRef Flag) {
  bool OtherLevel = Flag.starts_with("-O") && Flag != "-O3";
  return OtherLevel || Flag == "-mllvm" || Flag.starts_with("-mllvm=") || Flag == "-disable-llvm-passes";
}

static Error readFlags(const YamlCursor &At, Workload &W) {
  Expected<std::vector<YamlCursor>> Items = At.items("a list of compiler flags");
  if (!Items)
    return Items.takeError();
  for (const YamlCursor &Item : *Items) {
    Expected<std::string> Flag = Item.scalar("a compiler flag");
    if (!Flag)
      return Flag.takeError();
    if (changesThePipeline(*Flag))
      return Item.error(
          formatv("'{0}' changes LLVM's passes, which run as clang++ -O3 has them; leave it out", *Flag));
    W.Flags.push_back(std::move(*Flag));
  }
  return Error::success();
}

static Error readPromise(const YamlCursor &Item, Workload &W) {
  static constexpr StringRef Names[] = {"x", "y", "z"};
  Expected<std::string> Name = Item.scalar("x, y or z");
  if (!Name)
    return Name.takeError();
  const StringRef *Found = find(Names, *Name);
  if (Found == std::end(Names))
    return Item.error("'" + *Name + "' is no dimension of a block; expected x, y or z");
  unsigned Dimension = unsigned(Found - Names);
  if (W.BlockPromised[Dimension])
    return Item.error("'" + *Name + "' appears twice");
  if (!W.blockIsFree(Dimension))
    return Item.error("the launch does not follow block." + *Name +
                      ": it takes a grid that uses it, such as cdiv(n, block." + *Name +
                      "), and a block that is a number there");
  W.BlockPromised[Dimension] = true;
  return Error::success();
}

static Error readBlockFree(const YamlCursor &At, Workload &W) {
  Expected<std::vector<YamlCursor>> Items = At.items("a list of dimensions such as [x, y]");
  if (Items && Items->empty())
    return At.error("expected at least one of x, y and z");
  // Each launch is tuned by itself, and all of them would have it.
  if (W.Launches.size() > 1)
    return At.error("it is a promise about one kernel, and this sequence has " + Twine(W.Launches.size()) +
                    " launches; leave it out: what can be proved of a launch needs no promise");
  return readEach(std::move(Items), readPromise, W);
}

using Reader = Error (*)(const YamlCursor &, Workload &);

static Error readRequired(const YamlCursor &Root, StringRef Key, Reader Read, Workload &W) {
  Expected<YamlCursor> At = Root.require(Key);
  return At ? Read(*At, W) : At.takeError();
}

static Error readOptional(const YamlCursor &Root, StringRef Key, Reader Read, Workload &W) {
  std::optional<YamlCursor> At = Root.find(Key);
  return At ? Read(*At, W) : Error::success();
}

static Error readAll(const YamlCursor &Root, Workload &W) {
  SmallVector<StringRef> Keys = {"source",   "flags",     "defines", "sizes", "buffers",
                                 "launches", "tolerance", "work",    "space", "block-free"};
  append_range(Keys, LaunchKeys);
  if (Error E = Root.checkKeys(Keys))
    return E;
  if (Error E = readSource(Root, W))
    return E;
  if (Error E = readOptional(Root, "flags", readFlags, W))
    return E;
  if (Error E = readOptional(Root, "defines", readDefines, W))
    return E;
  if (Error E = readRequired(Root, "sizes", readSizes, W))
    return E;
  if (Error E = readRequired(Root, "buffers", readBuffers, W))
    return E;
  if (Error E = readSteps(Root, W))
    return E;
  if (Error E = readOptional(Root, "tolerance", readTolerance, W))
    return E;
  if (Error E = readOptional(Root, "work", readWork, W))
    return E;
  if (Error E = readOptional(Root, "block-free", readBlockFree, W))
    return E;
  return readOptional(Root, "space", readSpace, W);
}

/// A buffer that the kernel never sees hides a mistake, and without an output nothing is compared.
static Error checkBuffersAreUsed(const Workload &W) {
  for (const auto &[Index, Buffer] : enumerate(W.Buffers)) {
    if (!isUsed(W, Index) && Buffer.Symbol.empty())
      return W.errorAt(Buffer.Where,
                       "no argument is this buffer, and it has neither symbol nor address: the kernel does "
                       "not see it");
  }
  if (none_of(W.Buffers, [](const BufferSpec &B) { return B.Role != BufferRole::In && !B.Temporary; }))
    return W.errorAt(
        W.Buffers.empty() ? W.SourceWhere : W.Buffers.front().Where,
        "no buffer has the role 'out' or 'inout', so there is no result to compare; a __device__ "
        "variable cannot be one: let the kernel write to a buffer that is passed to it");
  return Error::success();
}

/// Every size must be legal with the author's defines. With others one may be left out: a
/// size that a tile does not divide is no mistake of the file.
static Error checkResolves(const Workload &W) {
  SmallVector<const SizeEnv *> Sizes = {&W.TuneSize};
  for (const SizeEnv &Size : W.CheckSizes)
    Sizes.push_back(&Size);
  for (const SizeEnv *Size : Sizes)
    if (Expected<ResolvedProblem> Resolved = resolve(W, *Size); !Resolved)
      return Resolved.takeError();
  return Error::success();
}

Expected<Workload> parseWorkload(StringRef Text, StringRef Path, std::vector<NamedFile> Files,
                                 StringRef Copy) {
  Workload W;
  W.Path = Path.str();
  W.Here = Copy.empty() ? W.Path : Copy.str();
  W.Files = std::move(Files);
  Expected<YamlNode> Tree = parseYaml(Text, W.Here);
  if (!Tree)
    return Tree.takeError();
  if (Error E = readAll(YamlCursor(*Tree, W.Here), W))
    return std::move(E);
  if (Error E = checkBuffersAreUsed(W))
    return std::move(E);
  if (Error E = checkResolves(W))
    return std::move(E);
  return W;
}

Expected<Workload> loadWorkload(StringRef FileOrDirectory, std::vector<NamedFile> Files) {
  SmallString<128> Path(FileOrDirectory);
  if (sys::fs::is_directory(Path))
    sys::path::append(Path, "workload.yaml");
  if (StringRef Extension = sys::path::extension(Path); Extension == ".cu" || Extension == ".cuh")
    return makeError(ErrorKind::Input,
                     "'" + Path.str() +
                         "' is a CUDA source; expected the workload that describes its launches, a "
                         "YAML file or a directory with workload.yaml in it");
  Expected<std::string> Text = readRegularFile(Path);
  if (Text)
    return parseWorkload(*Text, Path, std::move(Files));
  TakenError Taken = takeError(Text.takeError());
  return makeError(
      Taken.Kind,
      Taken.Text +
          "; expected a YAML file or a directory with workload.yaml in it, a recording, or the folder "
          "of a program, with its recordings");
}

} // namespace gpuprune
