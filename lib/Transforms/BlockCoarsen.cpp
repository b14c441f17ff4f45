//===- BlockCoarsen.cpp - gpu-block-coarsen: one block does the work of several ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/BlockCoarsen.h"
#include "BlockCoarsenPlan.h"
#include "KernelPass.h"
#include "SizeLimit.h"
#include "gpuprune/Analysis/LaunchContract.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/Kernels.h"
#include "gpuprune/Transforms/PassOptions.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// Carries out a plan. Replica 0 is what stands there; replica r of an
/// instruction follows it.
class Replicator {
public:
  Replicator(Function &F, BlockCoarsenPlan &Plan) : F(F), Plan(Plan), Replicas(Plan.Factor - 1) {}
  void run();

private:
  using ScopeMap = DenseMap<MDNode *, MDNode *>;

  Function &F;
  BlockCoarsenPlan &Plan;
  /// What stands for a value in replica r, at index r-1.
  std::vector<DenseMap<Value *, Value *>> Replicas;
  std::vector<ScopeMap> Scopes;

  DenseMap<Instruction *, uint64_t> privatiseArrays();
  void scaleGridSize();
  void replicateBlockIndex(Instruction &Read);
  void cloneScopes();
  void cloneInstruction(Instruction &I);
  void connect(Instruction &Original, unsigned Replica, uint64_t Displacement);
};

} // namespace

/// The displacement between the replicas of each access to a privatised array.
DenseMap<Instruction *, uint64_t> Replicator::privatiseArrays() {
  DenseMap<Instruction *, uint64_t> Displacements;
  for (ObjectUses &Uses : Plan.Privatised) {
    uint64_t Displacement = privatise(Uses, Plan.Layout, Plan.Factor);
    for (Instruction *Access : Uses.Accesses)
      Displacements[Access] = Displacement;
  }
  return Displacements;
}

/// The physical grid times the factor is the author's grid, which fits: a
/// signed 32-bit number (CUDA programming guide, maximum grid dimensions).
void Replicator::scaleGridSize() {
  for (Instruction *Read : Plan.GridSizeReads) {
    IRBuilder<> Builder(Read->getNextNode());
    Value *Scaled = Builder.CreateMul(Read, Builder.getInt32(Plan.Factor), "grid.size", /*HasNUW=*/true,
                                      /*HasNSW=*/true);
    Read->replaceUsesWithIf(Scaled, [&](Use &U) { return U.getUser() != Scaled; });
  }
}

void Replicator::replicateBlockIndex(Instruction &Read) {
  IRBuilder<> Builder(Read.getNextNode());
  Value *First = Builder.CreateMul(&Read, Builder.getInt32(Plan.Factor), "block.first", true, true);
  for (unsigned R = 0; R < Replicas.size(); ++R)
    Replicas[R][First] = Builder.CreateAdd(First, Builder.getInt32(R + 1), "block.replica", true, true);
  Read.replaceUsesWithIf(First, [&](Use &U) { return U.getUser() != First; });
}

/// Scopes of inlined restrict parameters hold within one logical block, so each
/// replica gets its own.
void Replicator::cloneScopes() {
  SmallVector<NoAliasScopeDeclInst *, 8> Declarations;
  SmallVector<MDNode *, 8> Lists;
  for (Instruction &I : instructions(F))
    if (auto *Declaration = dyn_cast<NoAliasScopeDeclInst>(&I)) {
      Declarations.push_back(Declaration);
      Lists.push_back(Declaration->getScopeList());
    }
  Scopes.resize(Replicas.size());
  for (auto [R, Map] : enumerate(Scopes)) {
    cloneNoAliasScopes(Lists, Map, formatv("replica{0}", R + 1).str(), F.getContext());
    for (NoAliasScopeDeclInst *Declaration : Declarations) {
      Instruction *Clone = Declaration->clone();
      Clone->insertAfter(Declaration->getIterator());
      adaptNoAliasScopes(Clone, Map, F.getContext());
    }
  }
}

void Replicator::cloneInstruction(Instruction &I) {
  Instruction *Last = &I;
  for (unsigned R = 0; R < Replicas.size(); ++R) {
    Instruction *Clone = I.clone();
    if (I.hasName())
      Clone->setName(I.getName() + ".r" + Twine(R + 1));
    Clone->insertAfter(Last->getIterator());
    adaptNoAliasScopes(Clone, Scopes[R], F.getContext());
    Replicas[R][&I] = Last = Clone;
  }
}

/// Lets replica \p R + 1 of \p Original use that replica's values and copies.
void Replicator::connect(Instruction &Original, unsigned R, uint64_t Displacement) {
  auto *Clone = cast<Instruction>(Replicas[R].lookup(&Original));
  for (Use &Operand : Clone->operands())
    if (Value *Replica = Replicas[R].lookup(Operand.get()))
      Operand.set(Replica);
  if (Displacement)
    displaceAccess(*Clone, Displacement * (R + 1));
}

void Replicator::run() {
  DenseMap<Instruction *, uint64_t> Displacements = privatiseArrays();
  scaleGridSize();
  for (Instruction *Read : Plan.BlockIndexReads)
    replicateBlockIndex(*Read);
  cloneScopes();
  for (Instruction *I : Plan.Replicated)
    cloneInstruction(*I);
  for (Instruction *I : Plan.Replicated)
    for (unsigned R = 0; R < Replicas.size(); ++R)
      connect(*I, R, Displacements.lookup(I));
}

/// So that every use of a shared array is an instruction that can be rewritten.
static void expandSharedConstants(Function &F) {
  SmallVector<Constant *, 4> Shared;
  for (GlobalVariable &Variable : F.getParent()->globals())
    if (Variable.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED)
      Shared.push_back(&Variable);
  convertUsersOfConstantsToInstructions(Shared, &F, /*RemoveDeadConstants=*/false);
}

static BlockCoarsenPlan emptyPlan(const BlockCoarsenOptions &Options, unsigned Dimension) {
  BlockCoarsenPlan Plan;
  Plan.Dimension = Dimension;
  Plan.Factor = Options.Factor[Dimension];
  Plan.Layout = Options.Shared;
  return Plan;
}

/// How many instructions the kernel has once all \p Plans are carried out.
static uint64_t coarsenedSize(const Function &F, ArrayRef<BlockCoarsenPlan> Plans) {
  uint64_t Size = F.getInstructionCount();
  DenseMap<const Instruction *, uint64_t> Copies;
  for (const BlockCoarsenPlan &Plan : Plans) {
    Size = SaturatingMultiplyAdd<uint64_t>(Plan.Factor, Plan.BlockIndexReads.size() + 1, Size);
    for (const Instruction *I : Plan.Replicated) {
      uint64_t &N = Copies.try_emplace(I, 1).first->second;
      N = SaturatingMultiply<uint64_t>(N, Plan.Factor);
    }
  }
  for (auto [I, N] : Copies)
    Size = SaturatingAdd(Size, N);
  return Size;
}

/// All dimensions are planned on the kernel as it is before the first is
/// coarsened, so that a kernel refused in one is not coarsened in another.
static Verdict decide(Function &F, const BlockCoarsenOptions &Options, ArrayRef<unsigned> Dimensions) {
  SmallVector<BlockCoarsenPlan, 3> Plans;
  for (unsigned Dimension : Dimensions) {
    Plans.push_back(emptyPlan(Options, Dimension));
    if (Verdict Refused = planBlockCoarsening(F, Plans.back()))
      return Refused;
  }
  if (uint64_t Size = coarsenedSize(F, Plans); Size > LargestBody)
    return Refusal::inFunction(
        "TooLarge", F, formatv("the kernel would have {0} instructions, more than {1}", Size, LargestBody));
  return std::nullopt;
}

/// Plans again, for coarsening another dimension replaced instructions that the
/// first plan names. Contract and kernel change together, so that the kernel is
/// launched right even if a later dimension is refused.
static Verdict coarsenDimension(Function &F, const BlockCoarsenOptions &Options, unsigned Dimension) {
  BlockCoarsenPlan Plan = emptyPlan(Options, Dimension);
  if (Verdict Refused = planBlockCoarsening(F, Plan))
    return Refused;
  Replicator(F, Plan).run();
  Dim3 Factors;
  Factors[Dimension] = Plan.Factor;
  // The product of all factors has been seen to fit.
  writeLaunchContract(F, cantFail(cantFail(readLaunchContract(F)).dividedBy(Factors)));
  return std::nullopt;
}

static Verdict coarsen(Function &F, const BlockCoarsenOptions &Options) {
  SmallVector<unsigned, 3> Dimensions;
  for (unsigned Dimension : {2u, 1u, 0u})
    if (Options.Factor[Dimension] > 1)
      Dimensions.push_back(Dimension);
  EliminateUnreachableBlocks(F);
  expandSharedConstants(F);
  if (Verdict Refused = decide(F, Options, Dimensions))
    return Refused;
  Expected<LaunchContract> Contract = readLaunchContract(F);
  if (Contract)
    Contract = Contract->dividedBy({Options.Factor[0], Options.Factor[1], Options.Factor[2]});
  if (!Contract)
    return Refusal::inFunction("BadLaunchContract", F, toString(Contract.takeError()));
  for (unsigned Dimension : Dimensions)
    if (Verdict Refused = coarsenDimension(F, Options, Dimension))
      return Refused;
  return std::nullopt;
}

PreservedAnalyses BlockCoarsenPass::run(Module &M, ModuleAnalysisManager &) {
  std::string Done = formatv("a block does the work of {0}x{1}x{2}", Options.Factor[0], Options.Factor[1],
                             Options.Factor[2]);
  bool Ran = transformKernels(M, PassName, Options.Kernel, "Coarsened", Done,
                              [&](Function &F) { return coarsen(F, Options); });
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

Expected<BlockCoarsenOptions> BlockCoarsenOptions::parse(StringRef Text) {
  BlockCoarsenOptions Options;
  auto Take = [&](StringRef Key, StringRef Value) -> Expected<bool> {
    if (Key == "shared") {
      if (Value != "blocked" && Value != "interleaved")
        return makeError(ErrorKind::Input,
                         formatv("option 'shared={0}' needs blocked or interleaved", Value));
      Options.Shared = Value == "blocked" ? SharedLayout::Blocked : SharedLayout::Interleaved;
      return true;
    }
    size_t Dimension = StringRef("xyz").find(Key);
    if (Key.size() != 1 || Dimension == StringRef::npos)
      return false;
    Expected<unsigned> Factor = parseNumber(Key, Value, 1);
    if (!Factor)
      return Factor.takeError();
    Options.Factor[Dimension] = *Factor;
    return true;
  };
  StringRef Known = "x=F, y=F, z=F, shared=blocked|interleaved, kernel=NAME";
  if (Error E = parsePassOptions(BlockCoarsenPass::PassName, Text, Known, Options.Kernel, Take))
    return std::move(E);
  return Options;
}

void BlockCoarsenOptions::print(raw_ostream &OS) const {
  OS << "x=" << Factor[0] << ";y=" << Factor[1] << ";z=" << Factor[2]
     << ";shared=" << (Shared == SharedLayout::Blocked ? "blocked" : "interleaved");
  printKernelOption(OS, Kernel);
}

void BlockCoarsenPass::printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)> Map) {
  printPass(OS, PassName, Options);
}

} // namespace gpuprune
