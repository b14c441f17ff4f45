//===- PassOptions.cpp - A pass's options, in one table ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/PassOptions.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Listed.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuprune {

std::string optionsText(ArrayRef<OptionForm> Forms, StringRef Separator) {
  return join(map_range(Forms, [](const OptionForm &Form) { return Form.text(); }), Separator);
}

/// What stands in \p Option behind a comma, which LLVM's pipelines do not have between options, is an option
/// of its own.
static Error checkSeparators(StringRef Option, ArrayRef<OptionForm> Forms) {
  for (size_t Comma = Option.find(','); Comma != StringRef::npos; Comma = Option.find(',', Comma + 1)) {
    StringRef Next = Option.drop_front(Comma + 1).ltrim();
    StringRef Key = Next.take_while([](char C) { return isAlnum(C) || C == '-'; });
    bool IsOption = any_of(Forms, [&](const OptionForm &F) { return F.Key == Key; }) ||
                    (!Key.empty() && Next.drop_front(Key.size()).starts_with("="));
    if (IsOption)
      return makeError(ErrorKind::Input, formatv("options are separated by ';', not by ',': write <{0};{1}>",
                                                 Option.take_front(Comma).rtrim(), Next));
  }
  return Error::success();
}

static Error readOption(StringRef Option, ArrayRef<OptionForm> Forms, SmallBitVector &Given,
                        function_ref<Error(size_t, StringRef)> Read) {
  if (Error E = checkSeparators(Option, Forms))
    return E;
  auto [Key, Value] = Option.split('=');
  const OptionForm *Form = find_if(Forms, [Key = Key](const OptionForm &F) { return F.Key == Key; });
  if (Form == Forms.end())
    return makeError(ErrorKind::Input,
                     formatv("no option '{0}'{1}", Key,
                             Forms.empty() ? "; it has none" : "; it takes " + optionsText(Forms, ", ")));
  size_t Number = Form - Forms.begin();
  if (Given.test(Number))
    return makeError(ErrorKind::Input, formatv("option '{0}' is given twice", Key));
  Given.set(Number);
  if (Form->isWord() && !Value.empty())
    return makeError(ErrorKind::Input, formatv("option '{0}' takes no value", Key));
  return Read(Number, Value);
}

Error readOptions(StringRef PassName, StringRef Text, ArrayRef<OptionForm> Forms,
                  function_ref<Error(size_t, StringRef)> Read) {
  SmallBitVector Given(Forms.size());
  while (!Text.empty()) {
    StringRef Option;
    std::tie(Option, Text) = Text.split(';');
    if (Error E = readOption(Option, Forms, Given, Read))
      return makeError(ErrorKind::Input, formatv("{0}: {1}", PassName, toString(std::move(E))));
  }
  std::vector<std::string> Missing;
  for (const auto &[Number, Form] : enumerate(Forms))
    if (Form.Required && !Given.test(Number))
      Missing.push_back(Form.text());
  if (Missing.empty())
    return Error::success();
  return makeError(ErrorKind::Input, formatv("{0} needs {1}: {0}<{2}>", PassName, listed(Missing, "and"),
                                             optionsText(Forms, ";")));
}

Expected<unsigned> parseNumber(StringRef Key, StringRef Value, unsigned Least, unsigned Most) {
  unsigned Number = 0;
  if (Value.getAsInteger(10, Number) || Number < Least || Number > Most)
    return makeError(ErrorKind::Input,
                     formatv("option '{0}={1}' needs a whole number of at least {2}", Key, Value, Least) +
                         (Most == std::numeric_limits<unsigned>::max() ? "" : " and at most " + Twine(Most)));
  return Number;
}

static std::vector<std::string> wordsOf(const OptionForm &Form) {
  SmallVector<StringRef, 4> Words;
  Form.Values.split(Words, '|');
  return {Words.begin(), Words.end()};
}

Expected<unsigned> parseChoice(const OptionForm &Form, StringRef Value) {
  std::vector<std::string> Words = wordsOf(Form);
  auto Found = find(Words, Value);
  if (Found == Words.end())
    return makeError(ErrorKind::Input,
                     formatv("option '{0}={1}' needs {2}", Form.Key, Value, listed(Words, "or")));
  return unsigned(Found - Words.begin());
}

std::string choiceName(const OptionForm &Form, unsigned Number) { return wordsOf(Form)[Number]; }

Error checkKernelName(StringRef Name) {
  if (Name.empty())
    return makeError(ErrorKind::Input, "option 'kernel=NAME' needs the name of a kernel");
  if (Name.contains(',')) // At which LLVM takes pipelines apart.
    return makeError(ErrorKind::Input, "option 'kernel=" + Name +
                                           "': a pipeline cannot hold a name with a comma; write the "
                                           "kernel's symbol, as in the PTX");
  return Error::success();
}

} // namespace gpuprune
