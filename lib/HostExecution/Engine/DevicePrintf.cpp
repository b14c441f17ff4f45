//===- DevicePrintf.cpp - printf of a kernel -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DevicePrintf.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace llvm;

namespace gpuprune {

namespace {

/// Takes arguments one after another from where clang packed them.
class PackedArguments {
public:
  explicit PackedArguments(const char *At) : Begin(At) {}
  template <typename T> T take() {
    Offset = alignTo(Offset, alignof(T));
    T Value;
    std::memcpy(static_cast<void *>(&Value), Begin + Offset, sizeof(T));
    Offset += sizeof(T);
    ++Count;
    return Value;
  }
  unsigned count() const { return Count; }

private:
  const char *Begin;
  uint64_t Offset = 0;
  unsigned Count = 0;
};

} // namespace

/// One conversion: "%-8.*lld" without its stars.
static bool printConversion(StringRef Flags, StringRef Length, char Kind, PackedArguments &Arguments,
                            raw_ostream &OS) {
  std::string Spec = ("%" + Flags).str();
  bool Wide = Length == "l" || Length == "ll" || Length == "j" || Length == "z" || Length == "t";
  switch (Kind) {
  case 'd':
  case 'i':
    OS << format((Spec + "lld").c_str(),
                 Wide ? Arguments.take<long long>() : (long long)Arguments.take<int>());
    return true;
  case 'u':
  case 'o':
  case 'x':
  case 'X':
    OS << format((Spec + "ll" + Kind).c_str(), Wide ? Arguments.take<unsigned long long>()
                                                    : (unsigned long long)Arguments.take<unsigned>());
    return true;
  case 'c':
    OS << format((Spec + "c").c_str(), Arguments.take<int>());
    return true;
  case 's':
    OS << format((Spec + "s").c_str(), Arguments.take<const char *>());
    return true;
  case 'p':
    OS << format((Spec + "p").c_str(), Arguments.take<const void *>());
    return true;
  default:
    if (!StringRef("eEfFgGaA").contains(Kind))
      return false;
    OS << format((Spec + Kind).c_str(), Arguments.take<double>());
    return true;
  }
}

int32_t formatDevicePrintf(const char *FormatText, const char *Packed, std::string &Output) {
  PackedArguments Arguments(Packed);
  raw_string_ostream OS(Output);
  StringRef Format = FormatText;
  while (!Format.empty()) {
    size_t Percent = Format.find('%');
    OS << Format.take_front(Percent);
    if (Percent == StringRef::npos)
      break;
    Format = Format.drop_front(Percent + 1);
    if (Format.consume_front("%")) {
      OS << '%';
      continue;
    }
    std::string Flags;
    while (!Format.empty() && StringRef("-+ #0123456789.*").contains(Format.front())) {
      Flags += Format.front() == '*' ? std::to_string(Arguments.take<int>()) : std::string(1, Format.front());
      Format = Format.drop_front();
    }
    StringRef Length = Format.take_while([](char C) { return StringRef("hljztL").contains(C); });
    Format = Format.drop_front(Length.size());
    if (Format.empty() || !printConversion(Flags, Length, Format.front(), Arguments, OS))
      return -1;
    Format = Format.drop_front();
  }
  return Arguments.count();
}

} // namespace gpuprune
