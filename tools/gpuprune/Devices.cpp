//===- Devices.cpp - gpuprune devices ---------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "gpuprune/Device/DeviceInfo.h"
#include "gpuprune/Launch/PhysicalLaunch.h"
#include "gpuprune/Support/ColumnPrinter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace gpuprune {

static StringRef roundingName(RegisterGranularity Rounding) {
  return Rounding == RegisterGranularity::Warp ? "warp" : "block";
}

static auto allThroughputs() {
  return map_range(seq(0u, NumThroughputs), [](unsigned Kind) { return Throughput(Kind); });
}

/// The parts of L1's memory that can be shared memory, in KiB.
static std::vector<unsigned> carveOuts(const DeviceInfo &D) {
  std::vector<unsigned> KiB(D.CarveOutsKiB.begin(), D.CarveOutsKiB.end());
  llvm::erase(KiB, 0u);
  return KiB;
}

static json::Value toJSON(const DeviceInfo &D) {
  json::Object Rates;
  for (Throughput Kind : allThroughputs())
    Rates[throughputName(Kind)] = D.Throughput[Kind] ? json::Value(D.Throughput[Kind]) : nullptr;
  return json::Object{{"arch", D.Arch},
                      {"name", D.Name},
                      {"papers_only", D.PapersOnly},
                      {"sms", D.SMCount},
                      {"warp_size", D.WarpSize},
                      {"threads_per_sm", D.ThreadsPerSM},
                      {"warps_per_sm", D.WarpsPerSM},
                      {"blocks_per_sm", D.BlocksPerSM},
                      {"schedulers_per_sm", D.SchedulersPerSM},
                      {"barriers_per_sm", D.BarriersPerSM ? json::Value(D.BarriersPerSM) : nullptr},
                      {"threads_per_block", D.ThreadsPerBlock},
                      {"block_max", toJSON(D.BlockMax)},
                      {"grid_max", toJSON(D.GridMax)},
                      {"registers_per_sm", D.RegistersPerSM},
                      {"registers_per_block", D.RegistersPerBlock},
                      {"registers_per_thread", D.RegistersPerThread},
                      {"register_unit", D.RegisterUnit},
                      {"warp_unit", D.WarpUnit},
                      {"register_rounding", roundingName(D.RegisterRounding)},
                      {"shared_per_sm", D.SharedPerSM},
                      {"shared_per_block", D.SharedPerBlock},
                      {"shared_per_block_opt_in", D.SharedPerBlockOptIn},
                      {"shared_reserved", D.SharedReserved},
                      {"shared_unit", D.SharedUnit},
                      {"l1_and_shared_per_sm", D.L1AndSharedPerSM},
                      {"carve_outs_kib", json::Array(carveOuts(D))},
                      {"throughput", std::move(Rates)}};
}

static std::string number(unsigned Value) { return Value ? std::to_string(Value) : "-"; }

static void printTable(raw_ostream &OS) {
  ColumnPrinter Table({"arch", "SMs", "thr/SM", "blk/SM", "thr/blk", "regs/SM", "regs/thr", "KiB/SM",
                       "KiB/blk", "opt-in", "fp32", "fp64", "special", "int-add", "int-mul", "GPU"});
  for (const DeviceInfo &D : allDevices())
    Table.add({D.Arch, number(D.SMCount), number(D.ThreadsPerSM), number(D.BlocksPerSM),
               number(D.ThreadsPerBlock), number(D.RegistersPerSM), number(D.RegistersPerThread),
               number(D.SharedPerSM / 1024), number(D.SharedPerBlock / 1024),
               number(D.SharedPerBlockOptIn / 1024), number(D.Throughput.Fp32), number(D.Throughput.Fp64),
               number(D.Throughput.Special), number(D.Throughput.IntAdd), number(D.Throughput.IntMul),
               std::string(D.Name) + (D.PapersOnly ? " (papers' figures only)" : "")});
  Table.print(OS);
  OS << "\nKiB: shared memory. fp32 to int-mul: results per cycle and SM. SMs: of the GPU named.\n"
        "'gpuprune devices ARCH' prints all of one row. No code is made for those of the papers' figures.\n";
}

static std::string extent(const Dim3 &E) { return formatv("{0} x {1} x {2}", E.X, E.Y, E.Z); }

static void printDevice(const DeviceInfo &D, raw_ostream &OS) {
  auto Line = [&](const char *What, const Twine &Value) {
    OS << formatv("  {0,-34} {1}\n", What, Value.str());
  };
  OS << formatv("{0}, {1} with {2} SMs{3}\n", D.Arch, D.Name, D.SMCount,
                D.PapersOnly ? " (for the papers' figures; no code is made for it)" : "");
  SmallVector<StringRef, 4> Others;
  for (const GpuName &Gpu : otherGpuNames())
    if (Gpu.isDescribedBy(D))
      Others.push_back(Gpu.Name);
  if (!Others.empty())
    Line("other GPUs with this row", join(Others, ", "));
  Line("threads per SM", formatv("{0}, {1} warps of {2}", D.ThreadsPerSM, D.WarpsPerSM, D.WarpSize));
  Line("blocks per SM", Twine(D.BlocksPerSM));
  Line("schedulers per SM", Twine(D.SchedulersPerSM));
  Line("named barriers per SM", D.BarriersPerSM ? Twine(D.BarriersPerSM) : Twine("no limit of residency"));
  Line("threads per block", formatv("{0}, at most {1}", D.ThreadsPerBlock, extent(D.BlockMax)));
  Line("blocks of a grid", "at most " + extent(D.GridMax));
  Line("registers per SM, block, thread",
       formatv("{0}, {1}, {2}", D.RegistersPerSM, D.RegistersPerBlock, D.RegistersPerThread));
  Line("registers are given in units of",
       formatv("{0} to a {1}", D.RegisterUnit, roundingName(D.RegisterRounding)));
  Line("shared memory per SM", formatv("{0} bytes", D.SharedPerSM));
  Line("shared memory per block",
       formatv("{0} bytes, {1} by opting in", D.SharedPerBlock, D.SharedPerBlockOptIn));
  Line("reserved of it, unit", formatv("{0} bytes, {1} bytes", D.SharedReserved, D.SharedUnit));
  if (D.L1AndSharedPerSM) {
    std::string KiB = "0";
    for (unsigned CarveOut : carveOuts(D))
      KiB += ", " + std::to_string(CarveOut);
    Line("L1 and shared memory together",
         formatv("{0} bytes, of which shared memory can be {1} KiB", D.L1AndSharedPerSM, KiB));
  }
  OS << "  results per cycle and SM (-: no such instruction, or no figure published)\n";
  for (Throughput Kind : allThroughputs())
    OS << formatv("    {0,-14} {1,4}   {2}\n", throughputName(Kind), number(D.Throughput[Kind]),
                  throughputDescription(Kind));
}

Error printDevices(const DevicesOptions &Options, raw_ostream &OS) {
  const DeviceInfo *One = nullptr;
  if (!Options.Device.empty())
    if (Error E = findDevice(Options.Device).moveInto(One))
      return E;
  if (Options.Json) {
    json::Array Rows;
    for (const DeviceInfo &D : allDevices())
      if (!One || One == &D)
        Rows.push_back(toJSON(D));
    OS << formatv("{0:2}\n", One ? std::move(Rows.front()) : json::Value(std::move(Rows)));
  } else if (One) {
    printDevice(*One, OS);
  } else {
    printTable(OS);
  }
  return Error::success();
}

} // namespace gpuprune
