//===- PassOptions.h - A pass's options, in one table ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text between the angle brackets of gpu-unroll<loop=1;factor=4>. A pass writes
// its options down once, as rows of an OptionTable. Reading and printing them, their
// list in `gpuprune passes` and in messages, and how far two variants are apart
// follow from it; a test compares it with the pass's page.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_PASSOPTIONS_H
#define GPUPRUNE_TRANSFORMS_PASSOPTIONS_H

#include "gpuprune/Transforms/OptionForm.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <limits>

namespace gpuprune {

/// One option: how people write it, and where \p OptionsT holds it.
template <typename OptionsT> struct PassOption {
  OptionForm Form;
  /// Errors of kind Input say what the value has to be.
  std::function<llvm::Error(llvm::StringRef Value, OptionsT &Options)> Read;
  /// The value, empty for a word; nothing where the option is to be left out.
  std::function<std::optional<std::string>(const OptionsT &Options)> Print;
};

/// A decimal number from \p Least to \p Most, or an error naming \p Key.
llvm::Expected<unsigned> parseNumber(llvm::StringRef Key, llvm::StringRef Value, unsigned Least,
                                     unsigned Most = std::numeric_limits<unsigned>::max());

/// Reads \p Text, "key=value" or "key" by \p Forms with ';' between them, and calls \p Read for each with
/// the number of its form. Errors of kind Input name the pass.
llvm::Error readOptions(llvm::StringRef PassName, llvm::StringRef Text, llvm::ArrayRef<OptionForm> Forms,
                        llvm::function_ref<llvm::Error(size_t Form, llvm::StringRef Value)> Read);

/// All options of a pass.
template <typename OptionsT> struct OptionTable {
  llvm::StringRef PassName;
  std::vector<PassOption<OptionsT>> Rows;
  /// What rows cannot say by themselves, such as options that exclude each other; null: nothing.
  llvm::Error (*Check)(const OptionsT &Options) = nullptr;

  std::vector<OptionForm> forms() const {
    std::vector<OptionForm> Forms;
    for (const PassOption<OptionsT> &Row : Rows)
      Forms.push_back(Row.Form);
    return Forms;
  }

  llvm::Expected<OptionsT> parse(llvm::StringRef Text) const {
    OptionsT Options;
    if (llvm::Error E = readOptions(PassName, Text, forms(), [&](size_t Row, llvm::StringRef Value) {
          return Rows[Row].Read(Value, Options);
        }))
      return std::move(E);
    if (Check)
      if (llvm::Error E = Check(Options))
        return std::move(E);
    return Options;
  }

  void print(llvm::raw_ostream &OS, const OptionsT &Options) const {
    llvm::ListSeparator Separator(";");
    for (const PassOption<OptionsT> &Row : Rows)
      if (std::optional<std::string> Value = Row.Print(Options)) {
        OS << Separator << Row.Form.Key;
        if (!Row.Form.isWord())
          OS << '=' << *Value;
      }
  }
};

/// Whether an option is printed where it has its default.
enum class Shown : uint8_t { Always, UnlessDefault };

/// "KEY=N" with a number from \p Least to \p Most.
template <typename OptionsT, typename NumberT>
PassOption<OptionsT> numberOption(OptionForm Form, NumberT OptionsT::*Member, Shown When, unsigned Least = 1,
                                  unsigned Most = std::numeric_limits<unsigned>::max()) {
  return {Form,
          [=](llvm::StringRef Value, OptionsT &Options) -> llvm::Error {
            llvm::Expected<unsigned> Number = parseNumber(Form.Key, Value, Least, Most);
            if (!Number)
              return Number.takeError();
            Options.*Member = *Number;
            return llvm::Error::success();
          },
          [=](const OptionsT &Options) -> std::optional<std::string> {
            if (When == Shown::UnlessDefault && Options.*Member == OptionsT{}.*Member)
              return std::nullopt;
            return std::to_string(uint64_t(Options.*Member));
          }};
}

/// "KEY=ONE|OTHER": the number of the word among those of the form, or an error that lists them.
llvm::Expected<unsigned> parseChoice(const OptionForm &Form, llvm::StringRef Value);
/// The word of that number.
std::string choiceName(const OptionForm &Form, unsigned Number);

/// "KEY=ONE|OTHER" for a member whose values are 0, 1, ... in that order: an enumeration, or a bool.
template <typename OptionsT, typename ChoiceT>
PassOption<OptionsT> choiceOption(OptionForm Form, ChoiceT OptionsT::*Member, Shown When) {
  return {Form,
          [=](llvm::StringRef Value, OptionsT &Options) -> llvm::Error {
            llvm::Expected<unsigned> Number = parseChoice(Form, Value);
            if (!Number)
              return Number.takeError();
            Options.*Member = static_cast<ChoiceT>(*Number);
            return llvm::Error::success();
          },
          [=](const OptionsT &Options) -> std::optional<std::string> {
            if (When == Shown::UnlessDefault && Options.*Member == OptionsT{}.*Member)
              return std::nullopt;
            return choiceName(Form, unsigned(Options.*Member));
          }};
}

/// The bare word "KEY".
template <typename OptionsT> PassOption<OptionsT> wordOption(OptionForm Form, bool OptionsT::*Member) {
  return {Form,
          [=](llvm::StringRef, OptionsT &Options) {
            Options.*Member = true;
            return llvm::Error::success();
          },
          [=](const OptionsT &Options) -> std::optional<std::string> {
            return Options.*Member ? std::optional(std::string()) : std::nullopt;
          }};
}

/// A name of a kernel that a pipeline can hold.
llvm::Error checkKernelName(llvm::StringRef Name);

/// "kernel=NAME", which every pass over kernels has.
template <typename OptionsT> PassOption<OptionsT> kernelOption() {
  return {{"kernel", "NAME", OptionMeaning::Object},
          [](llvm::StringRef Value, OptionsT &Options) -> llvm::Error {
            Options.Kernel = Value.str();
            return checkKernelName(Value);
          },
          [](const OptionsT &Options) -> std::optional<std::string> {
            return Options.Kernel.empty() ? std::nullopt : std::optional(Options.Kernel);
          }};
}

/// What the options of a pass have in common; \p OptionsT has a static table().
template <typename OptionsT> struct TabledOptions {
  static llvm::Expected<OptionsT> parse(llvm::StringRef Text) { return OptionsT::table().parse(Text); }
  static std::vector<OptionForm> forms() { return OptionsT::table().forms(); }
  /// The text that parse() makes equal options of.
  void print(llvm::raw_ostream &OS) const {
    OptionsT::table().print(OS, static_cast<const OptionsT &>(*this));
  }
};

/// A pass of the registry with options.
template <typename PassT, typename OptionsT> class PassWithOptions : public llvm::PassInfoMixin<PassT> {
public:
  explicit PassWithOptions(OptionsT Options) : Options(std::move(Options)) {}
  void printPipeline(llvm::raw_ostream &OS, llvm::function_ref<llvm::StringRef(llvm::StringRef)>) {
    OS << PassT::PassName << '<';
    Options.print(OS);
    OS << '>';
  }
  static bool isRequired() { return true; }

protected:
  OptionsT Options;
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_PASSOPTIONS_H
