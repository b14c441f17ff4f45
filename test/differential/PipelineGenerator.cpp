//===- PipelineGenerator.cpp - Random pipelines --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PipelineGenerator.h"
#include "KernelEmitter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune::differential {

/// Mostly factors that divide where the launch contract refuses the others.
static unsigned blockFactor(Random &R, int64_t Blocks, bool AnyGrid) {
  unsigned Factor = R.of<unsigned>({1, 2, 2, 3, 4, 8});
  return AnyGrid || Blocks % Factor == 0 || R.oneIn(20) ? Factor : 1;
}

static std::string blockCoarsen(Random &R, const KernelTree &Tree, unsigned) {
  std::vector<std::string> Options;
  bool AnyGrid = R.oneIn(3);
  for (unsigned D = 0; D < Dim3::size(); ++D)
    if (unsigned Factor = blockFactor(R, Tree.Grid[D], AnyGrid); Factor > 1)
      Options.push_back(formatv("{0}={1}", "xyz"[D], Factor));
  if (Options.empty())
    Options.push_back(Tree.Grid.X % 2 == 0 ? "x=2" : "x=1");
  if (R.oneIn(2))
    Options.push_back(R.oneIn(2) ? "shared=interleaved" : R.oneIn(2) ? "shared=grouped" : "shared=blocked");
  if (R.oneIn(5))
    Options.push_back("mode=sequential");
  if (R.oneIn(5))
    Options.push_back("loops=apart");
  if (AnyGrid)
    Options.push_back("grid=any");
  if (Tree.SharedCounts && !is_contained(Options, "mode=sequential") && !R.oneIn(4))
    Options.push_back("sums=joint");
  return formatv("gpu-block-coarsen<{0}>", join(Options, ";"));
}

static std::string threadCoarsen(Random &R, const KernelTree &Tree, unsigned) {
  unsigned D = R.below(Dim3::size()), Factor = R.of<unsigned>({2, 2, 4, 3});
  if (Tree.Block[D] % Factor != 0 && !R.oneIn(20))
    return "";
  std::string Text = formatv("gpu-thread-coarsen<dim={0};factor={1}", "xyz"[D], Factor);
  if (R.oneIn(2))
    Text += R.oneIn(2) ? ";stride=consecutive;align=16" : ";stride=consecutive";
  if (R.oneIn(5))
    Text += ";loops=apart";
  return Text + ">";
}

/// Launched on one multiprocessor, so that most do several of the grid's blocks.
static std::string persistent(Random &R, const KernelTree &, unsigned) {
  return formatv("gpu-persistent<blocks={0}{1}>", R.of({1, 1, 2, 3, 4, 32}),
                 R.oneIn(3) ? ";order=consecutive" : "");
}

static std::string math(Random &R, const KernelTree &, unsigned) {
  return formatv("gpu-math<arguments={0}>", R.oneIn(2) ? "any" : "normal");
}

static std::string skip(Random &R, const KernelTree &, unsigned) {
  return formatv("gpu-skip<selects={0}>", R.of({1, 2, 4, 8}));
}

/// The buffers of a kernel are its own, but nothing says so.
static std::string apart(Random &R, const KernelTree &, unsigned Loops) {
  if (Loops == 0 || R.oneIn(2))
    return "gpu-restrict<loop=all>";
  return formatv("gpu-restrict<loop={0}>", R.below(Loops));
}

static std::string unroll(Random &R, const KernelTree &, unsigned Loops) {
  if (Loops == 0)
    return "";
  std::string Factor = R.oneIn(4) ? "full" : std::to_string(R.of({2, 2, 3, 4, 8, 1}));
  std::string Text = formatv("gpu-unroll<loop={0};factor={1}", R.below(Loops), Factor);
  if (R.oneIn(3))
    Text += R.oneIn(2) ? ";remainder=unrolled" : ";remainder=none";
  else if (Factor != "1" && R.oneIn(2))
    Text += ";loads=vector";
  return Text + ">";
}

static std::string unrollAndJam(Random &R, const KernelTree &, unsigned Loops) {
  if (Loops == 0)
    return "";
  return formatv("gpu-unroll-and-jam<loop={0};factor={1}>", R.below(Loops), R.of({2, 2, 3, 4, 8, 1}));
}

static std::string prefetch(Random &R, const KernelTree &, unsigned Loops) {
  if (Loops == 0)
    return "";
  return formatv("gpu-prefetch<loop={0};distance={1};to={2}>", R.below(Loops), R.of({1, 1, 1, 2, 3}),
                 R.oneIn(3) ? R.of({"shared-async", "shared-async;launch=larger"}) : "register");
}

static std::string registers(Random &R, const KernelTree &Tree, unsigned) {
  std::vector<std::string> Options;
  if (R.oneIn(3))
    Options.push_back(formatv("max={0}", R.of({32, 64, 128})));
  if (R.oneIn(2))
    Options.push_back(formatv("spill={0};spill-to=local", R.of({1, 2, 4, 16})));
  else if (R.oneIn(2))
    Options.push_back(formatv("threads={0}x{1}x{2};spill={3};spill-to=shared", Tree.Block.X, Tree.Block.Y,
                              Tree.Block.Z, R.of({1, 2, 4, 16})));
  for (const char *Flag : {"remat", "sink", "hoist", "smem-spilling"})
    if (R.oneIn(4))
      Options.push_back(Flag);
  return formatv("gpu-registers<{0}>", Options.empty() ? "max=64" : join(Options, ";"));
}

/// Of what holds any of the inputs, bytes.
static constexpr unsigned MostInputBytes = InputElements * 8;

/// The inputs that \p List reads, some more than once.
static void addInputs(const std::vector<Node> &List, std::vector<unsigned> &Inputs) {
  static constexpr Parameter Buffers[] = {InI32, InI64, InF32, InF64};
  for (const Node &E : List) {
    if (E.Kind == Op::LoadInput)
      Inputs.push_back(Buffers[size_t(E.Ty)]);
    if (E.Kind == Op::LoadNarrow)
      Inputs.push_back(InI8);
    if (E.Kind == Op::CopyRecord || (E.Kind == Op::LoadField && E.Value < 8))
      Inputs.push_back(Table);
    addInputs(E.Kids, Inputs);
  }
}

/// Too few bytes are refused at the launch.
static std::string memory(Random &R, const KernelTree &Tree, unsigned) {
  std::vector<unsigned> Inputs;
  addInputs(Tree.Body, Inputs);
  if (Inputs.empty())
    return "";
  unsigned Argument = R.oneIn(20) ? R.below(N) : Inputs[R.below(Inputs.size())];
  if (R.oneIn(3))
    return formatv("gpu-memory<arg={0};space=readonly>", Argument);
  return formatv("gpu-memory<arg={0};space=constant;bytes={1}>", Argument,
                 R.oneIn(20) ? 4 : MostInputBytes + R.below(8));
}

/// One generator a pass; the more often it is listed, the more often it is taken.
static constexpr std::string (*Passes[])(Random &, const KernelTree &, unsigned) = {
    blockCoarsen, blockCoarsen, blockCoarsen, threadCoarsen, threadCoarsen, threadCoarsen, unroll,
    unroll,       unroll,       prefetch,     prefetch,      prefetch,      registers,     registers,
    memory,       memory,       memory,       unrollAndJam,  unrollAndJam,  persistent,    persistent,
    apart,        apart,        math,         skip};

Pipeline generatePipeline(Random &R, const KernelTree &Tree, unsigned Loops) {
  Pipeline Text;
  for (unsigned I = 0, E = 1 + R.below(3); I < E; ++I)
    if (std::string Pass = Passes[R.below(std::size(Passes))](R, Tree, Loops); !Pass.empty())
      Text.push_back(std::move(Pass));
  if (Text.empty())
    Text.push_back(blockCoarsen(R, Tree, Loops));
  return Text;
}

Pipeline generateJam(Random &R, const KernelTree &Tree, unsigned Loops) {
  Pipeline Text{formatv("gpu-unroll-and-jam<loop=0;factor={0}>", R.of({2, 2, 3, 4, 5, 8}))};
  if (R.oneIn(3))
    if (std::string Pass = Passes[R.below(std::size(Passes))](R, Tree, Loops); !Pass.empty())
      Text.push_back(std::move(Pass));
  return Text;
}

Pipeline generatePersistent(Random &R, const KernelTree &Tree, unsigned Loops) {
  Pipeline Text = generatePipeline(R, Tree, Loops);
  erase_if(Text, [](StringRef Pass) { return Pass.starts_with("gpu-persistent"); });
  Text.push_back(persistent(R, Tree, Loops));
  return Text;
}

} // namespace gpuprune::differential
