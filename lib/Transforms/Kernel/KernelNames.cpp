//===- KernelNames.cpp - Kernels by the names that the source gives them ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/KernelNames.h"
#include "gpuprune/Transforms/Kernels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

namespace gpuprune {

/// What \p Part of the demangler's makes of \p Symbol; the symbol where it is no C++ one.
static std::string demangled(StringRef Symbol,
                             char *(ItaniumPartialDemangler::*Part)(char *, size_t *) const) {
  ItaniumPartialDemangler Demangler;
  std::string Text = Symbol.str();
  if (Demangler.partialDemangle(Text.c_str()))
    return Text;
  char *Found = (Demangler.*Part)(nullptr, nullptr);
  std::string Result = Found ? Found : Text;
  std::free(Found);
  return Result;
}

std::string kernelSourceName(StringRef Symbol) {
  return demangled(Symbol, &ItaniumPartialDemangler::getFunctionBaseName);
}

std::string kernelFullName(StringRef Symbol) {
  return demangled(Symbol, &ItaniumPartialDemangler::getFunctionName);
}

static bool isWordCharacter(char C) { return isAlnum(C) || C == '_' || C == '$'; }

/// Words, numbers and single characters.
static SmallVector<StringRef> tokensOf(StringRef Name) {
  SmallVector<StringRef> Tokens;
  while (!(Name = Name.ltrim()).empty()) {
    size_t Length = std::max<size_t>(1, Name.take_while(isWordCharacter).size());
    Tokens.push_back(Name.take_front(Length));
    Name = Name.drop_front(Length);
  }
  return Tokens;
}

/// "4u" as "4"; what is no number as it is.
static StringRef withoutSuffix(StringRef Token) {
  if (!isDigit(Token.front()))
    return Token;
  StringRef Number = Token.rtrim("uUlL");
  return Number.empty() ? Token : Number;
}

/// One spelling for each of the integer types that \p Words spell; they are as they were
/// where they spell something else.
static void unifyIntegerType(SmallVectorImpl<StringRef> &Words) {
  static constexpr StringLiteral Known[] = {"signed", "unsigned", "short", "long", "int"};
  if (Words.empty() || !all_of(Words, [](StringRef Word) { return is_contained(Known, Word); }))
    return;
  bool Unsigned = is_contained(Words, "unsigned"), Short = is_contained(Words, "short");
  size_t Longs = count(Words, "long");
  Words.assign(Unsigned, "unsigned");
  Words.append(Short, "short");
  Words.append(Longs, "long");
  if (!Short && !Longs)
    Words.push_back("int");
}

/// \p Name in one spelling.
static std::string unified(StringRef Name) {
  std::string Result;
  SmallVector<StringRef, 4> Words;
  auto Flush = [&] {
    unifyIntegerType(Words);
    Result += join(Words, " ");
    Words.clear();
  };
  for (StringRef Token : tokensOf(Name)) {
    if (isWordCharacter(Token.front())) {
      Words.push_back(withoutSuffix(Token));
      continue;
    }
    Flush();
    Result += Token;
  }
  Flush();
  return Result;
}

/// \p Name without the template arguments that it ends with.
static StringRef withoutArguments(StringRef Name) {
  if (!Name.ends_with(">"))
    return Name;
  unsigned Depth = 0;
  for (size_t At = Name.size(); At-- != 0;) {
    Depth += Name[At] == '>';
    Depth -= Name[At] == '<';
    if (Depth == 0)
      return Name.take_front(At);
  }
  return Name;
}

/// Whether \p Scopes, what stands before a name, is whole namespaces: "a::b<int>::".
static bool areScopes(StringRef Scopes) {
  return Scopes.ends_with("::") && Scopes.count('<') == Scopes.count('>') &&
         Scopes.count('(') == Scopes.count(')');
}

/// \p Full and \p Name are unified.
static bool matches(StringRef Full, StringRef Name) {
  if (!Name.ends_with(">"))
    Full = withoutArguments(Full);
  if (Name.consume_front("::"))
    return Full == Name;
  return Full == Name || (Full.consume_back(Name) && areScopes(Full));
}

bool isKernelNamed(StringRef Symbol, StringRef Name) {
  if (Symbol == Name)
    return true;
  if (Name.trim().empty())
    return false;
  return matches(unified(kernelFullName(Symbol)), unified(Name));
}

std::vector<std::string> distinctKernelNames(ArrayRef<std::string> Symbols) {
  std::vector<std::string> Names;
  for (const std::string &Symbol : Symbols) {
    auto IsDistinct = [&](const std::string &Name) {
      return count_if(Symbols, [&](const std::string &Other) { return isKernelNamed(Other, Name); }) == 1;
    };
    std::string Full = kernelFullName(Symbol), Global = "::" + Full;
    Names.push_back(IsDistinct(Full) ? Full : IsDistinct(Global) ? Global : Symbol);
  }
  return Names;
}

} // namespace gpuprune
