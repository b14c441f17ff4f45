//===- WinnerHeader.cpp - Whether a program can launch a winner ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/WinnerHeader.h"
#include "gpuprune/CodeGen/DeviceDescription.h"
#include "gpuprune/Driver/LaunchHeader.h"
#include "gpuprune/Search/ModelChoice.h"
#include "gpuprune/Variant/ProvedBlock.h"

using namespace llvm;

namespace gpuprune {

/// As emit asks.
static Error headerOf(const Workload &W, const VariantBuilder &Builder, const BuiltVariant &V) {
  Expected<VariantRequest> Request = Builder.requestFor(V);
  if (!Request)
    return Request.takeError();
  if (Error E = provedBlock(W, Builder, V.parts(), Request->Bitcode).takeError())
    return E;
  Expected<DeviceDescription> Known = describeDevice(Request->Bitcode, Request->Kernel);
  if (!Known)
    return Known.takeError();
  return checkHeader(!V.Row.Launch.ConstantCopies.empty(), Known->Variables);
}

/// The winner, or where nothing is timed the model's choice.
static std::optional<size_t> chosenRow(const TuneReport &Report) {
  if (Report.Strategy == SearchKind::Model)
    return chooseByModel(Report.Variants, Report.Stock.Modelled).row();
  return Report.asWrittenIsBest() ? std::nullopt : Report.winner();
}

void noteWinnersHeader(const Workload &W, const VariantBuilder &Builder, ArrayRef<BuiltVariant> Variants,
                       TuneReport &Report) {
  std::optional<size_t> Chosen = chosenRow(Report);
  if (!Chosen || Report.Variants[*Chosen].Launch == Report.Stock.Launch)
    return;
  if (Error E = headerOf(W, Builder, Variants[*Chosen]))
    Report.NoHeader = toString(std::move(E));
}

} // namespace gpuprune
