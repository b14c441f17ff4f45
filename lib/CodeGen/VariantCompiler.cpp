//===- VariantCompiler.cpp - Bitcode to PTX, one variant at a time ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "Compilation.h"
#include "ReadDevice.h"
#include "gpuprune/Analysis/AnalysisManagers.h"
#include "gpuprune/Analysis/LaunchAttributes.h"
#include "gpuprune/Analysis/SharedMemory.h"
#include "gpuprune/Passes/Registry.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "gpuprune/Transforms/KernelBounds.h"
#include "gpuprune/Transforms/Kernels.h"
#include "gpuprune/Transforms/PlaceValues.h"
#include "gpuprune/Transforms/Prepare.h"
#include "gpuprune/Transforms/Refusal.h"
#include "gpuprune/Transforms/ThreadCoarsen.h"
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
#include "llvm/Transforms/IPO/ConstantMerge.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

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

/// Keeps what the passes say: refusals and errors become this variant's error. What LLVM's passes
/// could not do, such as an author's #pragma unroll, is none.
class CompileDiagnostics : public DiagnosticHandler {
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

namespace {

/// What clang's pipeline knows of a module.
struct Analyses {
  TargetLibraryInfoImpl TLII;
  AnalysisManagers Managers;

  Analyses(PassBuilder &PB, const Module &M) : TLII(M.getTargetTriple()) {
    Managers.Functions.registerPass([this] { return TargetLibraryAnalysis(TLII); });
    Managers.registerAll(PB);
  }
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
  auto Handler = std::make_unique<CompileDiagnostics>();
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
  FrontEndInstructions = M->getInstructionCount();
  return createTargetMachine();
}

Expected<Function *> Compilation::preparedKernel() {
  PassBuilder PB(TM.get());
  AnalysisManagers Managers;
  Managers.registerAll(PB);
  PreparePass().run(*M, Managers.Modules);
  return onlyKernel(*M, Request.Kernel);
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

Compilation::Compilation(const VariantRequest &Request, CompileReuse *Known) : Request(Request) {
  std::optional<std::string> Passes = stemOf(Request.Pipeline);
  if (!Known || !Passes || Request.Stock)
    return;
  Reuse = Known;
  Stem = std::move(*Passes);
}

/// Where an earlier compile was here with the same, nothing is left for -O3 to do.
void Compilation::lookUpOptimized(Module &M) {
  if (!canDropBodies(M) || !TooLarge.empty())
    return;
  OptimizedKey = contentHash(Stem + bitcodeWithoutRequests(M));
  if (CompileReuse::Kept<std::string> Known = Reuse->optimized(OptimizedKey))
    leaveTo(std::move(Known), M);
}

/// The first goes on from bitcode as the others do, so that they stay the same.
void Compilation::keepOptimized(Module &M) {
  if (!Optimized && !OptimizedKey.empty())
    leaveTo(Reuse->keepOptimized(OptimizedKey, bitcodeWithoutRequests(M)), M);
}

void Compilation::leaveTo(CompileReuse::Kept<std::string> Known, Module &M) {
  Optimized = std::move(Known);
  Requests = RegisterRequests::take(M);
  dropBodies(M);
}

/// Puts what an earlier compile has optimized in the place of the module, and runs the end of the pipeline.
Error Compilation::continueFromOptimized(PassBuilder &PB) {
  Expected<std::unique_ptr<Module>> Known = readDeviceBitcode(*Optimized, Context);
  if (!Known)
    return Known.takeError();
  M = std::move(*Known);
  Requests.put(*M);
  Analyses A(PB, *M);
  ModulePassManager End;
  PB.invokeOptimizerLastEPCallbacks(End, OptimizationLevel::O3, ThinOrFullLTOPhase::None);
  // What the default pipeline has behind that extension point and makes a difference to a device.
  End.addPass(GlobalDCEPass());
  End.addPass(ConstantMergePass());
  End.run(*M, A.Managers.Modules);
  return Error::success();
}

/// Looks after gpu-prepare, after the variant's passes and at the end.
void Compilation::schedulePasses(PassBuilder &PB) {
  auto LookEarly = [&PB](auto Look) {
    PB.registerPipelineEarlySimplificationEPCallback(
        [Look](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase) {
          MPM.addPass(ObserverPass(Look));
        });
  };
  auto LookLast = [&PB](auto Look) {
    PB.registerOptimizerLastEPCallback([Look](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase) {
      MPM.addPass(ObserverPass(Look));
    });
  };
  if (Reuse)
    LookLast([this](Module &M) { keepOptimized(M); });
  if (!Request.Stock) {
    if (Request.CollectLoops || Request.CollectFreedom || Request.OffersFor)
      schedulePipeline(PB, "");
    if (Request.CollectLoops)
      LookEarly([this](Module &M) { collectLoops(M); });
    if (Request.OffersFor)
      LookEarly([this](Module &M) { collectOffers(M); });
    if (Request.CollectFreedom)
      LookEarly([this](Module &M) { collectFreedom(M); });
    schedulePipeline(PB, Request.Pipeline);
    if (Request.KeepIR)
      LookEarly([this](Module &M) { IR = printed(M); });
  }
  if (Request.LimitsCode)
    LookEarly([this](Module &M) { checkCode(M); });
  if (Reuse)
    LookEarly([this](Module &M) { lookUpOptimized(M); });
  LookLast([this](Module &M) { collectFrequencies(M); });
}

/// Behind all passes, which may know all uses of a variable of the file's own.
void Compilation::showFilled() {
  for (const std::string &Symbol : Request.Filled)
    if (GlobalVariable *V = M->getNamedGlobal(Symbol); V && V->hasLocalLinkage())
      V->setLinkage(GlobalValue::ExternalLinkage);
}

/// As clang's BackendUtil sets up the default pipeline at -O3.
Error Compilation::optimize() {
  PipelineTuningOptions Tuning;
  Tuning.LoopUnrolling = Tuning.LoopInterleaving = true;
  Tuning.LoopVectorization = Tuning.SLPVectorization = true;
  PassInstrumentationCallbacks Instrumentation;
  PassBuilder PB(TM.get(), Tuning, std::nullopt, &Instrumentation);
  Analyses A(PB, *M);
  registerPasses(PB);
  if (Error E = checkPipeline(Request.Pipeline))
    return E;
  schedulePasses(PB);
  PB.buildPerModuleDefaultPipeline(OptimizationLevel::O3).run(*M, A.Managers.Modules);
  if (Optimized)
    if (Error E = continueFromOptimized(PB))
      return E;
  if (Request.KeepFinalBitcode) {
    raw_svector_ostream OS(FinalBitcode);
    // In another order of uses the code generator takes other registers for the same code.
    WriteBitcodeToFile(*M, OS, /*ShouldPreserveUseListOrder=*/true);
  }
  showFilled();
  if (Error E = takeDiagnostics())
    return E;
  return TooLarge.empty() ? Error::success() : makeError(ErrorKind::Resources, TooLarge);
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

Expected<std::string> Compilation::generateOnce() {
  if (!Reuse)
    return generate();
  // The code generator changes the module.
  std::string Key = contentHash(bitcodeWithoutRequests(*M) + Frequencies.identity());
  if (CompileReuse::Kept<CompileReuse::Generated> Known = Reuse->code(Key))
    if (std::optional<std::string> Ptx = withBoundsOf(*M, Known->Ptx)) {
      Counts = Known->Counts;
      return std::move(*Ptx);
    }
  Expected<std::string> Ptx = generate();
  if (Ptx)
    Reuse->keepCode(Key, {*Ptx, Counts});
  return Ptx;
}

/// Where \p F is compiled for blocks of one shape, \p Launch has to be of that.
static Error checkBlock(const Function &F, const LaunchContext &Launch) {
  std::optional<LaunchBound> Bound = launchBound(F);
  if (!Bound || !Launch.Block || Bound->allows(*Launch.Block))
    return Error::success();
  return makeRefusal(RefusalKind::BadLaunchContract,
                     formatv("'{0}' is {1}; write threads=launch, or the author's block", F.getName(),
                             Bound->whyNot(*Launch.Block)));
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
    Code.Kernels[Name] = {*Contract,          Request.Stock ? std::nullopt : launchBound(*F),
                          Counts[Name],       sharedBytes(*F),
                          Loops[Name],        placedValues(*F),
                          Freedom[Name].Bits, Freedom[Name].TimeDependence,
                          Offers[Name]};
  }
  return Code;
}

Expected<PhysicalLaunch> VariantKernel::launchFor(const AuthorLaunch &Author, int64_t Multiprocessors) const {
  Expected<PhysicalLaunch> Launch = apply(Author, Contract, Multiprocessors);
  if (Launch && Bound && !Bound->allows(Launch->Block))
    return makeRefusal(RefusalKind::BadLaunchContract, "the kernel is " + Bound->whyNot(Launch->Block));
  return Launch;
}

Expected<OptimizedVariant> Compilation::optimized() {
  Expected<Function *> Kernel = onlyKernel(*M, Request.Kernel);
  if (!Kernel)
    return Kernel.takeError();
  Expected<LaunchContract> Contract = readLaunchContract(**Kernel);
  if (!Contract)
    return Contract.takeError();
  return OptimizedVariant{std::move(FinalBitcode), std::move(*Contract)};
}

Expected<VariantCode> compileVariant(const VariantRequest &Request, CompileReuse *Known) {
  Compilation C(Request, Known);
  if (Error E = C.load())
    return std::move(E);
  if (Error E = C.optimize())
    return std::move(E);
  Expected<std::string> Ptx = C.generateOnce();
  if (!Ptx)
    return Ptx.takeError();
  return C.result(std::move(*Ptx));
}

Expected<OptimizedVariant> optimizeVariant(const VariantRequest &Request) {
  VariantRequest Kept = Request;
  Kept.KeepFinalBitcode = true;
  Compilation C(Kept);
  if (Error E = C.load())
    return std::move(E);
  if (Error E = C.optimize())
    return std::move(E);
  return C.optimized();
}

} // namespace gpuprune
