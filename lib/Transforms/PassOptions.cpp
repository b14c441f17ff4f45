//===- PassOptions.cpp - Reading and printing a pass's options --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/PassOptions.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace gpuprune {

static Expected<bool> takeKernel(StringRef Name, std::string &Kernel) {
  if (Name.empty())
    return makeError(ErrorKind::Input, "option 'kernel=NAME' needs the name of a kernel");
  if (Name.contains(',')) // At which LLVM takes pipelines apart.
    return makeError(ErrorKind::Input, "option 'kernel=" + Name +
                                           "': a pipeline cannot hold a name with a comma; write the "
                                           "kernel's symbol, as in the PTX");
  Kernel = Name.str();
  return true;
}

Error parsePassOptions(StringRef PassName, StringRef Text, StringRef Known, std::string &Kernel,
                       function_ref<Expected<bool>(StringRef, StringRef)> Take) {
  StringSet<> Seen;
  while (!Text.empty()) {
    StringRef Option;
    std::tie(Option, Text) = Text.split(';');
    auto [Key, Value] = Option.split('=');
    if (!Seen.insert(Key).second)
      return makeError(ErrorKind::Input, formatv("{0}: option '{1}' is given twice", PassName, Key));
    Expected<bool> Taken = Key == "kernel" ? takeKernel(Value, Kernel) : Take(Key, Value);
    if (!Taken)
      return makeError(ErrorKind::Input, formatv("{0}: {1}", PassName, toString(Taken.takeError())));
    if (!*Taken)
      return makeError(ErrorKind::Input, formatv("{0}: no option '{1}'; it takes {2}", PassName, Key, Known));
  }
  return Error::success();
}

Expected<unsigned> parseNumber(StringRef Key, StringRef Value, unsigned Least, unsigned Most) {
  unsigned Number = 0;
  if (Value.getAsInteger(10, Number) || Number < Least || Number > Most)
    return makeError(ErrorKind::Input,
                     formatv("option '{0}={1}' needs a whole number of at least {2}", Key, Value, Least) +
                         (Most == std::numeric_limits<unsigned>::max() ? "" : " and at most " + Twine(Most)));
  return Number;
}

Expected<bool> LoopAndFactor::take(StringRef Key, StringRef Value, StringRef Word) {
  if (Key != "factor" && Key != "loop")
    return false;
  bool IsLoop = Key == "loop";
  (IsLoop ? HasLoop : HasFactor) = true;
  if (!IsLoop && !Word.empty() && Value == Word)
    return true;
  Expected<unsigned> Number = parseNumber(Key, Value, IsLoop ? 0 : 1);
  if (!Number)
    return Number.takeError();
  (IsLoop ? Loop : Factor) = *Number;
  return true;
}

Error LoopAndFactor::check(StringRef PassName, StringRef Usage) const {
  if (HasLoop && HasFactor)
    return Error::success();
  return makeError(ErrorKind::Input, formatv("{0} needs both: {0}<{1}>", PassName, Usage));
}

void printKernelOption(raw_ostream &OS, StringRef Kernel) {
  if (!Kernel.empty())
    OS << ";kernel=" << Kernel;
}

} // namespace gpuprune
