//===- References.cpp - What variants are compared with -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/References.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"

using namespace llvm;

namespace gpuprune {

References::References(const VariantBuilder &Builder, ArrayRef<BuiltVariant> Variants) : Builder(&Builder) {
  All.emplace_back(Variant(), /*Stock=*/true);
  All.emplace_back(Variant());
  StringSet<> Seen{Builder.definesText(Variant())};
  for (const BuiltVariant &V : Variants) {
    if (!Seen.insert(Builder.definesText(V.parts())).second)
      continue;
    Variant Prepared;
    Prepared.Defines = V.parts().Defines;
    if (!Builder.choiceOf(Prepared).OwnResult.empty())
      All.emplace_back(Prepared, /*Stock=*/true);
    All.emplace_back(std::move(Prepared));
  }
}

const BuiltVariant *References::find(const BuiltVariant &V, bool Stock) const {
  std::string Defines = Builder->definesText(V.parts());
  auto Found = find_if(All, [&](const BuiltVariant &R) {
    return R.Stock == Stock && R.alive() && Builder->definesText(R.parts()) == Defines;
  });
  return Found == All.end() ? nullptr : &*Found;
}

Error References::build(unsigned Jobs, StringRef CubinFolder) {
  DefaultThreadPool Pool(hardware_concurrency(Jobs));
  for (BuiltVariant &V : All)
    Pool.async([this, &V] { Builder->compile(V); });
  Pool.wait();
  if (!CubinFolder.empty()) {
    std::vector<BuiltVariant *> Live;
    for (BuiltVariant &V : All)
      if (V.alive())
        Live.push_back(&V);
    SmallString<128> Path = CubinFolder;
    sys::path::append(Path, "references.cubin");
    Builder->assembleBatch(Live, std::string(Path));
  }
  if (stock().FailedAs == ErrorKind::Toolchain || stock().FailedAs == ErrorKind::Io)
    return makeError(*stock().FailedAs, stock().Row.Message);
  return Error::success();
}

} // namespace gpuprune
