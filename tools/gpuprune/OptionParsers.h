//===- OptionParsers.h - Values of options, refused with what was expected --===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TOOLS_GPUPRUNE_OPTIONPARSERS_H
#define GPUPRUNE_TOOLS_GPUPRUNE_OPTIONPARSERS_H

#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <optional>

namespace gpuprune {

/// One of the words of cl::values.
template <typename Enum> class ChoiceParser : public llvm::cl::parser<Enum> {
public:
  using llvm::cl::parser<Enum>::parser;
  bool parse(llvm::cl::Option &O, llvm::StringRef Name, llvm::StringRef Text, Enum &Value) {
    llvm::SmallVector<llvm::StringRef, 4> Known;
    for (unsigned I = 0; I < this->getNumOptions(); ++I)
      Known.push_back(this->getOption(I));
    if (llvm::is_contained(Known, Text))
      return llvm::cl::parser<Enum>::parse(O, Name, Text, Value);
    return O.error("'" + Text + "' is none of its values" + nearestNameHint(Text, Known));
  }
};

/// A number of which there is none 0.
class FromOneParser : public llvm::cl::parser<unsigned> {
public:
  using llvm::cl::parser<unsigned>::parser;
  bool parse(llvm::cl::Option &O, llvm::StringRef Name, llvm::StringRef Text, unsigned &Value) {
    return llvm::cl::parser<unsigned>::parse(O, Name, Text, Value) ||
           (Value == 0 && O.error("there is no number 0; expected one that is counted from 1"));
  }
};

/// The default of --runner: what was built with this program.
inline std::string defaultRunner(const char *Argv0) {
  llvm::SmallString<128> Path(
      llvm::sys::fs::getMainExecutable(Argv0, reinterpret_cast<void *>(&defaultRunner)));
  llvm::sys::path::remove_filename(Path);
  llvm::sys::path::append(Path, "gpuprune-runner");
  return std::string(Path);
}

/// Usage error for a number out of bounds.
inline llvm::Error checkedNumber(llvm::StringRef Option, double Value, double Least, double Most) {
  if (Value >= Least && Value <= Most)
    return llvm::Error::success();
  return makeError(ErrorKind::Usage, llvm::formatv("--{0} {1:F3}: expected a number from {2:F3} to {3:F0}",
                                                   Option, Value, Least, Most));
}

/// A duration in seconds, where \p Option is given.
inline llvm::Error readSeconds(const llvm::cl::opt<double> &Option, std::optional<double> &Seconds) {
  if (!Option.getNumOccurrences())
    return llvm::Error::success();
  Seconds = Option.getValue();
  return checkedNumber(Option.ArgStr, *Seconds, 0.001, 1e9);
}

/// --rotate: the number of copies, 0 for auto.
inline llvm::Error readRotate(llvm::StringRef Text, unsigned &Copies) {
  if (Text == "auto")
    Copies = 0;
  else if (Text.getAsInteger(10, Copies) || Copies == 0 || Copies > 1000)
    return makeError(ErrorKind::Usage, "--rotate " + Text + ": expected 1 to 1000 copies, or auto");
  return llvm::Error::success();
}

/// --watchdog: the factor, nothing for off.
inline llvm::Error readWatchdog(llvm::StringRef Text, std::optional<double> &Factor) {
  double Value = 0;
  if (Text == "off")
    Factor.reset();
  else if (Text.getAsDouble(Value) || !(Value > 1 && Value <= 1e6))
    return makeError(ErrorKind::Usage, "--watchdog " + Text + ": expected a factor above 1, or off");
  else
    Factor = Value;
  return llvm::Error::success();
}

/// The words of cl::values that \p P takes.
template <typename Parser> std::vector<std::string> wordsOf(const Parser &P) {
  std::vector<std::string> Words;
  for (unsigned I = 0; I < P.getNumOptions(); ++I)
    Words.push_back(P.getOption(I).str());
  return Words;
}

/// The bytes that \p Option says in MiB; nothing where it says off.
inline llvm::Expected<std::optional<uint64_t>> bytesOfMiB(const llvm::cl::opt<std::string> &Option) {
  static constexpr unsigned Most = 1u << 20;
  unsigned MiB = 0;
  if (Option == "off")
    return std::nullopt;
  if (llvm::StringRef(Option).getAsInteger(10, MiB) || MiB == 0 || MiB > Most)
    return makeError(ErrorKind::Usage,
                     llvm::formatv("--{0} {1}: expected a number of MiB from 1 to {2}, or off", Option.ArgStr,
                                   Option.getValue(), Most));
  return uint64_t(MiB) << 20;
}

/// A decimal number within bounds.
template <unsigned Least, unsigned Most> class NumberParser : public llvm::cl::parser<unsigned> {
public:
  using llvm::cl::parser<unsigned>::parser;
  bool parse(llvm::cl::Option &O, llvm::StringRef, llvm::StringRef Text, unsigned &Value) {
    if (!Text.getAsInteger(10, Value) && Value >= Least && Value <= Most)
      return false;
    return O.error("'" + Text + "': expected a whole number from " + llvm::Twine(Least) + " to " +
                   llvm::Twine(Most));
  }
};

} // namespace gpuprune

#endif // GPUPRUNE_TOOLS_GPUPRUNE_OPTIONPARSERS_H
