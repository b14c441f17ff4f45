//===- SharedStage.cpp - A module without what gpu-registers asks for --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SharedStage.h"
#include "gpuprune/Passes/Registry.h"
#include "gpuprune/Support/PipelineText.h"
#include "gpuprune/Transforms/KernelBounds.h"
#include "gpuprune/Transforms/Kernels.h"
#include "gpuprune/Transforms/PlaceValues.h"
#include "gpuprune/Transforms/Registers.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuprune {

static constexpr StringLiteral Requests[] = {PtxasBounds[0], PtxasBounds[1], PlacementRequest};

RegisterRequests RegisterRequests::take(Module &M) {
  RegisterRequests Taken;
  for (Function *F : selectKernels(M, "")) {
    SmallVector<Attribute, 3> &Own = Taken.OfKernels[F->getName()];
    for (StringRef Name : Requests)
      if (F->hasFnAttribute(Name)) {
        Own.push_back(F->getFnAttribute(Name));
        F->removeFnAttr(Name);
      }
  }
  return Taken;
}

void RegisterRequests::put(Module &M) const {
  for (Function *F : selectKernels(M, ""))
    for (Attribute Request : OfKernels.lookup(F->getName()))
      F->addFnAttr(Request);
}

std::string bitcodeWithoutRequests(Module &M) {
  RegisterRequests Own = RegisterRequests::take(M);
  std::string Bitcode;
  raw_string_ostream OS(Bitcode);
  WriteBitcodeToFile(M, OS, /*ShouldPreserveUseListOrder=*/true);
  Own.put(M);
  return Bitcode;
}

std::optional<std::string> stemOf(StringRef Pipeline) {
  Expected<SmallVector<PassMention, 4>> Passes = passesNamedIn(Pipeline);
  if (!Passes) {
    consumeError(Passes.takeError()); // Said where it is compiled.
    return std::nullopt;
  }
  std::string Stem;
  for (const PassMention &Pass : *Passes) {
    const PassDescription *Known = findPass(Pass.Name);
    if (!Known)
      return std::nullopt;
    if (!Known->ActsBehindO3)
      Stem += (Pass.Name + "<" + Pass.Options + ">").str();
  }
  return Stem;
}

bool canDropBodies(const Module &M) { return M.alias_empty() && M.ifunc_empty(); }

void dropBodies(Module &M) {
  for (Function &F : M)
    if (!F.isDeclaration())
      F.deleteBody();
}

/// What LLVM prints for PtxasBounds, in its order.
static constexpr std::pair<StringLiteral, StringLiteral> BoundDirectives[] = {
    {PtxasBounds[1], ".minnctapersm "}, {PtxasBounds[0], ".maxnreg "}};

static std::string directivesOf(const Function &F) {
  std::string Text;
  for (const auto &[Attribute, Directive] : BoundDirectives)
    if (F.hasFnAttribute(Attribute))
      Text += (Directive + F.getFnAttribute(Attribute).getValueAsString() + "\n").str();
  return Text;
}

static bool isBound(StringRef Line) {
  return any_of(BoundDirectives, [&](const auto &Bound) { return Line.starts_with(Bound.second); });
}

/// Directives of the block's cluster follow the bounds; what else there is comes before.
static bool followsBounds(StringRef Line) {
  return any_of(
      ArrayRef<StringRef>{".explicitcluster", ".reqnctapercluster", ".blocksareclusters", ".maxclusterrank"},
      [&](StringRef Directive) { return Line.starts_with(Directive); });
}

/// From ".entry" to the body: parameters, and a line for each directive; a comment with the name ends the
/// last line, where LLVM's comments begin.
static std::string withBounds(StringRef Header, StringRef Bounds) {
  static constexpr StringLiteral NameComment = "// @";
  static constexpr size_t CommentColumn = 40;
  size_t Comment = Header.rfind(NameComment);
  std::string Before, Behind;
  for (StringRef Line : split(Header.take_front(Comment).rtrim(), '\n'))
    if (!isBound(Line))
      (followsBounds(Line) ? Behind : Before) += (Line + "\n").str();
  std::string Text = StringRef(Before + Bounds.str() + Behind).rtrim().str();
  if (Comment == StringRef::npos)
    return Text;
  size_t LastLine = Text.size() - (Text.rfind('\n') + 1);
  Text.append(LastLine < CommentColumn ? CommentColumn - LastLine : 1, ' ');
  return Text + Header.substr(Comment).str();
}

std::optional<std::string> withBoundsOf(const Module &M, StringRef Ptx) {
  static constexpr StringLiteral Entry = ".entry ";
  SmallVector<const Function *, 2> Kernels;
  for (const Function &F : M)
    if (isKernel(F))
      Kernels.push_back(&F);
  size_t Begin = Ptx.find(Entry), End = Ptx.find("\n{", Begin);
  if (Kernels.size() != 1 || Ptx.count(Entry) != 1 || End == StringRef::npos)
    return std::nullopt;
  return Ptx.take_front(Begin).str() + withBounds(Ptx.slice(Begin, End), directivesOf(*Kernels.front())) +
         Ptx.substr(End).str();
}

} // namespace gpuprune
