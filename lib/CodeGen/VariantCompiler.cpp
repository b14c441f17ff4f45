//===- VariantCompiler.cpp - Bitcode to PTX, one variant at a time ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "KernelFreedom.h"
#include "ReadDevice.h"
#include "gpuprune/Analysis/AnalysisManagers.h"
#include "gpuprune/Analysis/MachineCounting.h"
#include "gpuprune/Analysis/SharedMemory.h"
#include "gpuprune/Passes/Registry.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "gpuprune/Transforms/KernelBounds.h"
#include "gpuprune/Transforms/Kernels.h"
#include "gpuprune/Transforms/Memory.h"
#include "gpuprune/Transforms/PlaceValues.h"
#include "gpuprune/Transforms/Prefetch.h"
#include "gpuprune/Transforms/Prepare.h"
#include "gpuprune/Transforms/RaggedLoops.h"
#include "gpuprune/Transforms/Refusal.h"
#include "gpuprune/Transforms/ThreadCoarsen.h"
#include "gpuprune/Transforms/UnrollAndJam.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace gpuprune {

void initializeCodeGen() {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  installMachineCounting();
  // clang's driver passes this to every CUDA device compile.
  auto &Options = cl::getRegisteredOptions();
  if (auto It = Options.find("enable-memcpyopt-without-libcalls"); It != Options.end())
    It->second->addOccurrence(0, It->first, "true");
}

namespace {

/// Keeps what the passes say: refusals and errors become this variant's error. What LLVM's passes
/// could not do, such as an author's #pragma unroll, is none.
class Diagnostics : public DiagnosticHandler {
public:
  std::vector<std::unique_ptr<RefusalError>> Refusals;
  std::vector<std::string> Errors;

  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    if (std::unique_ptr<RefusalError> Refusal = refusalIn(Info))
      Refusals.push_back(std::move(Refusal));
    else if (Info.getSeverity() == DS_Error)
      Errors.push_back(printed(Info));
    return true;
  }
  bool isAnyRemarkEnabled() const override { return false; }

private:
  static std::string printed(const DiagnosticInfo &Info) {
    std::string Text;
    raw_string_ostream OS(Text);
    DiagnosticPrinterRawOStream Printer(OS);
    Info.print(Printer);
    return Text;
  }
};

static std::string printed(const Module &M) {
  std::string Text;
  raw_string_ostream OS(Text);
  M.print(OS, nullptr);
  return Text;
}

/// One module on its way from bitcode to PTX.
class Compilation {
public:
  explicit Compilation(const VariantRequest &Request) : Request(Request) {}
  Error load();
  Error optimize();
  Expected<std::string> generate();
  Expected<VariantCode> result(std::string Ptx);
  /// Prepares the module and asks its kernel.
  Expected<BlockShapeFreedom> blockShapes(const ArgumentBuffers &Buffers);

private:
  const VariantRequest &Request;
  LLVMContext Context;
  Diagnostics *Said = nullptr;
  std::unique_ptr<Module> M;
  std::unique_ptr<TargetMachine> TM;
  FrequencyMap Frequencies;
  std::map<std::string, KernelCounts> Counts;
  std::map<std::string, std::vector<KernelLoop>> Loops;
  std::map<std::string, SmallVector<unsigned, 4>> UniformTables;
  std::map<std::string, bool> RaggedLoops;
  std::map<std::string, FloatingPointFreedom> Freedom;
  std::unique_ptr<ErrorInfoBase> ShapeRefusal;
  std::string IR;
  SmallString<0> FinalBitcode;
  std::string TooMuchShared; ///< Why no device can hold a block; empty: it can.

  Error createTargetMachine();
  void checkShared(Module &M);
  Error takeDiagnostics();
  void schedulePasses(PassBuilder &PB);
  LaunchContext launchOf(const Function &F);
  void collectLoops(Module &M);
  void collectTables(Module &M);
  void collectFreedom(Module &M);
  InstrSource countTrips(const Function &F, const LoopInfo &LI, MutableArrayRef<LoopTrips> Trips);
  void collectFrequencies(Module &M);
  void countByRunning(const Function &F, BlockFrequencies &Found);
};

/// The analyses a look at a function takes, kept apart from the pipeline's own so
/// that looking cannot change what the pipeline does.
struct FreshAnalyses {
  TargetLibraryInfoImpl TLII;
  TargetLibraryInfo TLI;
  AssumptionCache AC;
  DominatorTree DT;
  LoopInfo LI;
  ScalarEvolution SE;

  explicit FreshAnalyses(Function &F)
      : TLII(F.getParent()->getTargetTriple()), TLI(TLII, &F), AC(F), DT(F), LI(DT), SE(F, TLI, AC, DT, LI) {}
};

/// A module pass that only looks.
template <typename Callback> struct ObserverPass : PassInfoMixin<ObserverPass<Callback>> {
  Callback Look;
  explicit ObserverPass(Callback Look) : Look(std::move(Look)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    Look(M);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace

Error Compilation::load() {
  Context.setDiscardValueNames(true);
  auto Handler = std::make_unique<Diagnostics>();
  Said = Handler.get();
  Context.setDiagnosticHandler(std::move(Handler));
  Expected<std::unique_ptr<Module>> Parsed = readDeviceBitcode(Request.Bitcode, Context);
  if (!Parsed)
    return Parsed.takeError();
  M = std::move(*Parsed);
  if (!isDeviceModule(*M))
    return makeError(ErrorKind::Input, formatv("the module is for '{0}', not for an NVIDIA GPU; compile with "
                                               "--cuda-device-only",
                                               M->getTargetTriple().str()));
  return createTargetMachine();
}

/// GPU and features are those the front end wrote on the functions.
Error Compilation::createTargetMachine() {
  StringRef Cpu = targetAttribute(*M, "target-cpu"), Features = targetAttribute(*M, "target-features");
  std::string Problem;
  const Target *T = TargetRegistry::lookupTarget(M->getTargetTriple(), Problem);
  if (!T)
    return makeError(ErrorKind::CodeGen, "this LLVM cannot make PTX: " + Problem);
  TargetOptions Options;
  Options.AllowFPOpFusion = Request.FuseMultiplyAdds ? FPOpFusion::Fast : FPOpFusion::Standard;
  Options.MCOptions.AsmVerbose = true;
  TM.reset(T->createTargetMachine(M->getTargetTriple(), Cpu, Features, Options, Reloc::Static, std::nullopt,
                                  CodeGenOptLevel::Aggressive));
  M->setDataLayout(TM->createDataLayout());
  return Error::success();
}

Error Compilation::takeDiagnostics() {
  if (!Said->Errors.empty())
    return makeError(ErrorKind::CodeGen, join(Said->Errors, "\n"));
  Error Refused = Error::success();
  for (std::unique_ptr<RefusalError> &Refusal : std::exchange(Said->Refusals, {}))
    Refused = joinErrors(std::move(Refused), Error(std::move(Refusal)));
  if (Refused || !ShapeRefusal)
    return Refused;
  return Error(std::move(ShapeRefusal));
}

/// The launch of \p F as its contract makes it.
LaunchContext Compilation::launchOf(const Function &F) {
  if (Request.Kernel.empty() || !hasKernelName(F, Request.Kernel))
    return {};
  LaunchContext Launch = Request.AuthorLaunch;
  if (!Launch.Grid)
    return Launch;
  Expected<LaunchContract> Contract = readLaunchContract(F);
  // A block that is not known is one that any contract divides.
  LaunchShape Author{*Launch.Grid, Launch.Block.value_or(Dim3{0, 0, 0}), Launch.SharedBytes};
  Expected<LaunchShape> Shape = Contract ? Contract->physical(Author) : Contract.takeError();
  if (!Shape) {
    handleAllErrors(Shape.takeError(),
                    [&](std::unique_ptr<ErrorInfoBase> E) { ShapeRefusal = std::move(E); });
    return Launch;
  }
  Launch.Grid = Shape->Grid;
  if (Launch.Block)
    Launch.Block = Shape->Block;
  Launch.SharedBytes = Shape->SharedBytes;
  Launch.Hidden = std::move(Shape->Hidden);
  Launch.Scalars.resize(F.arg_size());
  llvm::copy(Launch.Hidden, Launch.Scalars.end() - Launch.Hidden.size());
  return Launch;
}

/// Puts what a run counts in place of what is assumed of \p Trips, where there can be
/// one; how the numbers were got then.
InstrSource Compilation::countTrips(const Function &F, const LoopInfo &LI, MutableArrayRef<LoopTrips> Trips) {
  BlockFrequencies Counted;
  Counted.Exact = false;
  countByRunning(F, Counted);
  if (!Counted.Exact)
    return InstrSource::Estimated;
  for (LoopTrips &L : Trips) {
    if (L.Exact)
      continue;
    L.Iterations = Counted.of(L.Header);
    L.Entries = 0;
    for (const BasicBlock *From : predecessors(L.Header))
      if (!LI.getLoopFor(L.Header)->contains(From))
        L.Entries += Counted.Edges.lookup({From, L.Header});
  }
  return Counted.Source;
}

void Compilation::collectLoops(Module &M) {
  for (Function *F : selectKernels(M, "")) {
    if (Loops.contains(F->getName().str()))
      continue; // A pipeline such as default<O3> has the extension point, too.
    FreshAnalyses A(*F);
    BlockFrequencies Found = computeBlockFrequencies(*F, A.LI, A.SE, launchOf(*F));
    InstrSource Rest = Found.Exact ? InstrSource::ExactStatic : countTrips(*F, A.LI, Found.Loops);
    RaggedLoops[F->getName().str()] = hasRaggedLoops(*F);
    SmallVector<unsigned, 4> ReadTiles = tileLoops(*F), Jam = jammableLoops(*F);
    for (const LoopTrips &L : Found.Loops)
      if (L.Number)
        Loops[F->getName().str()].push_back(
            {*L.Number, L.Depth, L.Line, L.tripCount(), L.Exact ? InstrSource::ExactStatic : Rest,
             A.SE.getSmallConstantTripCount(A.LI.getLoopFor(L.Header)) != 0,
             is_contained(ReadTiles, *L.Number), is_contained(Jam, *L.Number)});
  }
}

void Compilation::collectTables(Module &M) {
  PassBuilder PB(TM.get());
  AnalysisManagers Analyses; // Of its own, as FreshAnalyses are.
  Analyses.registerAll(PB);
  for (Function *F : selectKernels(M, ""))
    UniformTables[F->getName().str()] = uniformTables(*F, Analyses.Functions);
}

void Compilation::collectFreedom(Module &M) {
  for (Function *F : selectKernels(M, ""))
    if (auto [It, IsFirst] = Freedom.try_emplace(F->getName().str()); IsFirst)
      It->second = kernelFreedom(M, *F);
}

/// Of the kernel that is to be launched: no device could hold one block of it, and ptxas would say so of a
/// whole batch.
void Compilation::checkShared(Module &M) {
  SmallVector<Function *, 4> Named = selectKernels(M, Request.Kernel);
  if (Request.Kernel.empty() || Named.size() != 1)
    return;
  if (uint64_t Bytes = sharedBytes(*Named.front()); Bytes > MostStaticShared)
    TooMuchShared = formatv("a block needs {0} bytes of static shared memory; {1} can be declared", Bytes,
                            MostStaticShared);
}

void Compilation::collectFrequencies(Module &M) {
  checkShared(M);
  if (!TooMuchShared.empty())
    return;
  for (Function &F : M)
    if (!F.isDeclaration()) {
      FreshAnalyses A(F);
      BlockFrequencies Found = computeBlockFrequencies(F, A.LI, A.SE, launchOf(F));
      if (!Found.Exact)
        countByRunning(F, Found);
      Frequencies.add(F, Found);
    }
}

/// Puts what was counted in place of what was estimated.
void Compilation::countByRunning(const Function &F, BlockFrequencies &Found) {
  LaunchContext Launch = launchOf(F);
  if (!Request.CountByRunning || !Launch.Grid || !Launch.Block || ShapeRefusal)
    return;
  if (Expected<BlockFrequencies> Counted = Request.CountByRunning(F, Launch))
    Found = std::move(*Counted);
  else
    Found.Reasons.push_back("not counted by running: " + toString(Counted.takeError()));
}

/// Looks after gpu-prepare, after the variant's passes and at the end.
void Compilation::schedulePasses(PassBuilder &PB) {
  auto LookEarly = [&PB](auto Look) {
    PB.registerPipelineEarlySimplificationEPCallback(
        [Look](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase) {
          MPM.addPass(ObserverPass(Look));
        });
  };
  if (!Request.Stock) {
    schedulePipeline(PB, "");
    if (Request.CollectLoops)
      LookEarly([this](Module &M) {
        collectLoops(M);
        collectTables(M);
      });
    if (Request.CollectFreedom)
      LookEarly([this](Module &M) { collectFreedom(M); });
    schedulePipeline(PB, Request.Pipeline);
    if (Request.KeepIR)
      LookEarly([this](Module &M) { IR = printed(M); });
  }
  PB.registerOptimizerLastEPCallback([this](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase) {
    MPM.addPass(ObserverPass([this](Module &M) { collectFrequencies(M); }));
  });
}

/// As clang's BackendUtil sets up the default pipeline at -O3.
Error Compilation::optimize() {
  PipelineTuningOptions Tuning;
  Tuning.LoopUnrolling = Tuning.LoopInterleaving = true;
  Tuning.LoopVectorization = Tuning.SLPVectorization = true;
  PassInstrumentationCallbacks Instrumentation;
  PassBuilder PB(TM.get(), Tuning, std::nullopt, &Instrumentation);
  AnalysisManagers Analyses;
  TargetLibraryInfoImpl TLII(M->getTargetTriple());
  Analyses.Functions.registerPass([&] { return TargetLibraryAnalysis(TLII); });
  Analyses.registerAll(PB);
  registerPasses(PB);
  if (Error E = checkPipeline(Request.Pipeline))
    return E;
  schedulePasses(PB);
  PB.buildPerModuleDefaultPipeline(OptimizationLevel::O3).run(*M, Analyses.Modules);
  if (Request.KeepFinalBitcode) {
    raw_svector_ostream OS(FinalBitcode);
    WriteBitcodeToFile(*M, OS);
  }
  if (Error E = takeDiagnostics())
    return E;
  return TooMuchShared.empty() ? Error::success() : makeError(ErrorKind::Resources, TooMuchShared);
}

Expected<BlockShapeFreedom> Compilation::blockShapes(const ArgumentBuffers &Buffers) {
  PassBuilder PB(TM.get());
  AnalysisManagers Analyses;
  TargetLibraryInfoImpl TLII(M->getTargetTriple());
  Analyses.Functions.registerPass([&] { return TargetLibraryAnalysis(TLII); });
  Analyses.registerAll(PB);
  PreparePass().run(*M, Analyses.Modules);
  SmallVector<Function *, 4> Named = selectKernels(*M, Request.Kernel);
  if (Named.size() != 1)
    return makeError(ErrorKind::Input,
                     "the device bitcode does not have exactly one kernel '" + Request.Kernel + "'");
  return findBlockShapeFreedom(*Named.front(), Buffers);
}

Expected<std::string> Compilation::generate() {
  SmallString<0> Ptx;
  raw_svector_ostream OS(Ptx);
  legacy::PassManager CodeGen;
  CodeGen.add(createTargetTransformInfoWrapperPass(TM->getTargetIRAnalysis()));
  TargetLibraryInfoImpl TLII(M->getTargetTriple());
  CodeGen.add(new TargetLibraryInfoWrapperPass(TLII));
  if (TM->addPassesToEmitFile(CodeGen, OS, nullptr, CodeGenFileType::AssemblyFile))
    return makeError(ErrorKind::CodeGen, "this LLVM cannot write PTX");
  MachineCountScope Scope(Frequencies);
  CodeGen.run(*M);
  Counts = Scope.take();
  if (Error E = takeDiagnostics())
    return std::move(E);
  return std::string(Ptx);
}

static std::vector<std::string> constantSymbols(const Module &M) {
  std::vector<std::string> Names;
  for (const GlobalVariable &Variable : M.globals())
    if (Variable.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST)
      Names.push_back(Variable.getName().str());
  return Names;
}

/// Where \p F is compiled for blocks of one shape, \p Launch has to be of that.
static Error checkBlock(const Function &F, const LaunchContext &Launch) {
  std::optional<LaunchBound> Bound = launchBound(F);
  if (!Bound || !Launch.Block ||
      (Bound->Exact ? Bound->Block == *Launch.Block : Launch.Block->volume() <= double(Bound->threads())))
    return Error::success();
  return makeRefusal(
      RefusalKind::BadLaunchContract,
      formatv("'{0}' is compiled for blocks of {1} {2} x {3} x {4} "
              "threads, the launch has {5} x {6} x {7}; write threads=launch, or the author's block",
              F.getName(), Bound->Exact ? "exactly" : "at most", Bound->Block.X, Bound->Block.Y,
              Bound->Block.Z, Launch.Block->X, Launch.Block->Y, Launch.Block->Z));
}

Expected<VariantCode> Compilation::result(std::string Ptx) {
  VariantCode Code;
  Code.Ptx = std::move(Ptx);
  Code.IR = std::move(IR);
  Code.FinalBitcode = std::move(FinalBitcode);
  if (SmallVector<Function *, 4> Named = selectKernels(*M, Request.Kernel); Named.size() == 1)
    Code.Symbol = Named.front()->getName();
  for (Function *F : selectKernels(*M, "")) {
    std::string Name = F->getName().str();
    if (Error E = Request.Stock ? Error::success() : checkBlock(*F, launchOf(*F)))
      return std::move(E);
    Expected<LaunchContract> Contract = readLaunchContract(*F);
    if (!Contract)
      return Contract.takeError();
    Code.Kernels[Name] = {*Contract,           Counts[Name],      sharedBytes(*F),     Loops[Name],
                          dependsOnWarps(*F),  RaggedLoops[Name], constantSymbols(*M), placedValues(*F),
                          UniformTables[Name], Freedom[Name]};
  }
  return Code;
}

Expected<VariantCode> compileVariant(const VariantRequest &Request) {
  Compilation C(Request);
  if (Error E = C.load())
    return std::move(E);
  if (Error E = C.optimize())
    return std::move(E);
  Expected<std::string> Ptx = C.generate();
  if (!Ptx)
    return Ptx.takeError();
  return C.result(std::move(*Ptx));
}

Expected<BlockShapeFreedom> blockShapesIn(StringRef Bitcode, StringRef Kernel,
                                          const ArgumentBuffers &Buffers) {
  VariantRequest Request;
  Request.Bitcode = Bitcode;
  Request.Kernel = Kernel.str();
  Compilation C(Request);
  if (Error E = C.load())
    return std::move(E);
  return C.blockShapes(Buffers);
}

} // namespace gpuprune
