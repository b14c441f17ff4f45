//===- Metrics.cpp - gpuprune metrics ---------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Output.h"
#include "gpuprune/Analysis/InstructionThroughput.h"
#include "gpuprune/CodeGen/Assembler.h"
#include "gpuprune/CodeGen/CrashGuard.h"
#include "gpuprune/CodeGen/DeviceCode.h"
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "gpuprune/Device/Occupancy.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprune {

namespace {
/// All that is known of one kernel without a launch.
struct KernelMetrics {
  std::string Symbol;
  VariantKernel Kernel;
  CubinKernel Resources;
  std::optional<Occupancy> Fits;
};
} // namespace

/// A block written as "16,16"; nothing where \p Text is empty.
static Expected<std::optional<Dim3>> parseBlock(StringRef Text) {
  if (Text.empty())
    return std::nullopt;
  std::optional<Dim3> Block = Dim3::parse(Text);
  if (!Block)
    return makeError(ErrorKind::Usage,
                     formatv("--block '{0}': expected up to three positive numbers such as 16,16", Text));
  return Block;
}

/// How often blocks of this shape fit on an SM; not at all where the device cannot launch them.
static Occupancy occupancyOf(const DeviceInfo &Device, const CubinKernel &Resources, uint64_t SharedArrays,
                             const Dim3 &Block) {
  if (Error E = checkLaunchLimits(Device, {1, 1, 1}, Block)) {
    Occupancy None;
    None.Reason = takeError(std::move(E)).Text;
    return None;
  }
  KernelResources Needs;
  Needs.Registers = Resources.Registers;
  Needs.StaticShared = Resources.StaticShared;
  Needs.DynamicShared = SharedArrays;
  Needs.ThreadsPerBlock = Block.X * Block.Y * Block.Z;
  Needs.Barriers = Resources.Barriers;
  return computeOccupancy(Device, Needs);
}

static Error compileFile(const Toolchain &Tools, const MetricsOptions &Options, const DeviceInfo &Device,
                         VariantCode &Code) {
  std::vector<std::string> Warnings;
  Expected<std::string> Bitcode = readDeviceCode(Tools, Options.File, Device.Arch, &Warnings);
  printWarnings(Warnings);
  if (!Bitcode)
    return Bitcode.takeError();
  VariantRequest Request;
  Request.Bitcode = *Bitcode;
  Request.Pipeline = Options.Pipeline;
  Request.CollectLoops = true;
  return compileVariant(Request).moveInto(Code);
}

static Expected<VariantCode> compileFile(const Toolchain &Tools, const MetricsOptions &Options,
                                         const DeviceInfo &Device) {
  VariantCode Code;
  auto Compile = [&] { return compileFile(Tools, Options, Device, Code); };
  bool IsSource = StringRef(Options.File).ends_with(".cu");
  if (Error E = IsSource ? Compile() : runOnForeignIR(Options.File, Compile))
    return std::move(E);
  return Code;
}

static Expected<std::vector<KernelMetrics>> measureKernels(const MetricsOptions &Options,
                                                           const DeviceInfo &Device) {
  Expected<std::optional<Dim3>> Block = parseBlock(Options.Block);
  if (!Block)
    return Block.takeError();
  // Only a source needs clang++.
  Expected<Toolchain> Tools = StringRef(Options.File).ends_with(".cu") ? findToolchain() : findAssembler();
  if (!Tools)
    return Tools.takeError();
  Expected<VariantCode> Code = compileFile(*Tools, Options, Device);
  if (!Code)
    return Code.takeError();
  Expected<TemporaryDirectory> Directory = TemporaryDirectory::create();
  if (!Directory)
    return Directory.takeError();
  std::string Path = Directory->file("kernels.cubin");
  Expected<std::string> Log = runPtxas(*Tools, Device, Code->Ptx, Path);
  if (!Log)
    return Log.takeError();
  Expected<std::string> Image = readFile(Path);
  if (!Image)
    return Image.takeError();
  Expected<std::map<std::string, CubinKernel>> Cubin = readCubin(*Image, Device.SharedReserved);
  if (!Cubin)
    return Cubin.takeError();
  std::vector<KernelMetrics> Found;
  for (auto &[Symbol, Kernel] : Code->Kernels) {
    KernelMetrics M{Symbol, std::move(Kernel), (*Cubin)[Symbol], std::nullopt};
    if (*Block)
      M.Fits = occupancyOf(Device, M.Resources, M.Kernel.Contract.SharedArrays, **Block);
    Found.push_back(std::move(M));
  }
  return Found;
}

static json::Value toJSON(const KernelMetrics &M, const DeviceInfo &Device) {
  json::Object Classes, Cycles;
  for (unsigned C = 0; C < NumInstructionClasses; ++C) {
    InstructionClass Class = InstructionClass(C);
    if (!(M.Kernel.Counts[Class] > 0))
      continue;
    Classes[instructionClassName(Class)] = M.Kernel.Counts[Class];
    if (std::optional<double> OfWarp = cyclesPerWarp(Device, M.Kernel.Counts, Class))
      Cycles[instructionClassName(Class)] = *OfWarp;
  }
  json::Array Loops;
  for (const KernelLoop &L : M.Kernel.Loops)
    Loops.push_back(json::Object{{"number", L.Number},
                                 {"depth", L.Depth},
                                 {"line", L.Line},
                                 {"trip_count", L.TripCount},
                                 {"exact", L.Source != InstrSource::Estimated}});
  json::Object Out{{"kernel", M.Symbol},
                   {"registers", M.Resources.Registers},
                   {"shared_bytes", M.Resources.StaticShared},
                   {"dynamic_shared_bytes", M.Kernel.Contract.SharedArrays},
                   {"local_bytes", M.Resources.LocalBytes},
                   {"instr", M.Kernel.Counts.Instr},
                   {"instr_source", instrSourceName(M.Kernel.Counts.Source)},
                   {"static_instr", M.Kernel.Counts.StaticInstr},
                   {"regions", M.Kernel.Counts.Regions},
                   {"by_class", std::move(Classes)},
                   {"sm_cycles_per_warp", std::move(Cycles)},
                   {"loops", std::move(Loops)},
                   {"placed", json::Array(M.Kernel.Placed)},
                   {"assumed", json::Array(M.Kernel.Counts.Reasons)}};
  if (M.Fits) {
    Out["blocks_per_sm"] = M.Fits->BlocksPerSM;
    Out["occupancy"] = M.Fits->Fraction;
    Out["limiter"] = limiterName(M.Fits->Limiter);
  }
  return Out;
}

/// What is executed, class by class, and how long an SM needs for a warp's share of it.
static void printClasses(const KernelCounts &Counts, const DeviceInfo &Device, raw_ostream &OS) {
  for (unsigned C = 0; C < NumInstructionClasses; ++C) {
    InstructionClass Class = InstructionClass(C);
    if (!(Counts[Class] > 0))
      continue;
    OS << formatv("    {0,-14} {1,12:F0}", instructionClassName(Class), Counts[Class]);
    if (std::optional<double> Cycles = cyclesPerWarp(Device, Counts, Class))
      OS << formatv("  {0:F1} cycles of an SM for a warp", *Cycles);
    OS << '\n';
  }
}

static void printText(const KernelMetrics &M, const DeviceInfo &Device, raw_ostream &OS) {
  const KernelCounts &Counts = M.Kernel.Counts;
  OS << formatv("{0}\n  registers {1}, shared {2} bytes, local {3} bytes, code {4} bytes\n", M.Symbol,
                M.Resources.Registers, M.Resources.StaticShared + M.Kernel.Contract.SharedArrays,
                M.Resources.LocalBytes, M.Resources.CodeBytes);
  if (M.Fits && M.Fits->BlocksPerSM)
    OS << formatv("  {0} blocks per SM, occupancy {1:F0}%, limited by {2}\n", M.Fits->BlocksPerSM,
                  100 * M.Fits->Fraction, limiterName(M.Fits->Limiter));
  else if (M.Fits)
    OS << "  no block fits: " << M.Fits->Reason << '\n';
  OS << formatv("  {0:F0} PTX instructions per thread ({1}), {2:F0} regions, {3} in the text\n", Counts.Instr,
                instrSourceName(Counts.Source), Counts.Regions, Counts.StaticInstr);
  printClasses(Counts, Device, OS);
  for (const KernelLoop &L : M.Kernel.Loops) {
    OS.indent(2 * L.Depth) << "  loop " << L.Number;
    if (L.Line)
      OS << " at line " << L.Line;
    OS << formatv(": {0:F0} iterations{1}\n", L.TripCount,
                  L.Source == InstrSource::Estimated ? " (assumed)" : "");
  }
  for (const std::string &Line : M.Kernel.Placed)
    OS << "  " << Line << '\n';
  for (const std::string &Reason : Counts.Reasons)
    OS << "  assumed: " << Reason << '\n';
}

Error printMetrics(const MetricsOptions &Options, raw_ostream &OS) {
  Expected<const DeviceInfo *> Device = findTargetDevice(Options.Device);
  if (!Device)
    return Device.takeError();
  Expected<std::vector<KernelMetrics>> Kernels = measureKernels(Options, **Device);
  if (!Kernels)
    return Kernels.takeError();
  if (Options.Json) {
    json::Array All;
    for (const KernelMetrics &M : *Kernels)
      All.push_back(toJSON(M, **Device));
    OS << formatv("{0:2}\n", json::Value(std::move(All)));
    return Error::success();
  }
  if (Kernels->empty())
    OS << "no kernels in " << Options.File << '\n';
  for (const KernelMetrics &M : *Kernels)
    printText(M, **Device, OS);
  return Error::success();
}

} // namespace gpuprune
