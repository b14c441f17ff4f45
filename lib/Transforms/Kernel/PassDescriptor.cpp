//===- PassDescriptor.cpp - How a pass describes itself ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/PassDescriptor.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

PassOffers atEachStep(function_ref<PassOffer(unsigned)> Offer) {
  PassOffers Offers;
  for (unsigned Step = 0; Step != SpaceSteps; ++Step)
    Offers[Step] = Offer(Step);
  return Offers;
}

const OptionForm *PassDescription::option(StringRef Key) const {
  auto Found = find_if(Options, [&](const OptionForm &Form) { return Form.Key == Key; });
  return Found == Options.end() ? nullptr : &*Found;
}

Expected<NoOptions> NoOptions::parse(StringRef Text) {
  return Text.empty() ? Expected<NoOptions>(NoOptions())
                      : makeError(ErrorKind::Input, "it takes no options, not '" + Text + "'");
}

} // namespace gpuprune
