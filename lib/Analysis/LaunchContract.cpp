//===- LaunchContract.cpp - Launch geometry that a pass changed -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/LaunchContract.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace llvm;
using namespace gpuprune;

static constexpr StringLiteral GridDivisorAttribute = "gpuprune-grid-divisor";
static constexpr StringLiteral BlockDivisorAttribute = "gpuprune-block-divisor";
static constexpr StringLiteral PointerAlignmentAttribute = "gpuprune-pointer-alignment";
static constexpr StringLiteral ConstantCopiesAttribute = "gpuprune-constant-copies";
static constexpr StringLiteral SharedCopiesAttribute = "gpuprune-shared-copies";
static constexpr StringLiteral HiddenParametersAttribute = "gpuprune-hidden-parameters";
static constexpr StringLiteral HiddenParameterNames[] = {"grid.x", "grid.y", "grid.z", "shared.bytes"};
static constexpr char DimensionNames[] = {'x', 'y', 'z'};

StringRef gpuprune::hiddenParameterName(HiddenParameter Parameter) {
  return HiddenParameterNames[unsigned(Parameter)];
}

static std::string printDim3(const Dim3 &Value) {
  return itostr(Value[0]) + "," + itostr(Value[1]) + "," + itostr(Value[2]);
}

static Expected<Dim3> parseDim3(StringRef Text, const Function &Kernel, StringRef Attribute) {
  SmallVector<StringRef, 3> Parts;
  Text.split(Parts, ',');
  Dim3 Value{};
  bool Valid = Parts.size() == Value.size();
  for (unsigned D = 0; Valid && D != Value.size(); ++D)
    Valid = !Parts[D].trim().getAsInteger(10, Value[D]) && Value[D] > 0;
  if (!Valid)
    return makeError(ErrorKind::Input,
                     "attribute \"" + Attribute + "\"=\"" + Text + "\" on kernel '" + Kernel.getName() +
                         "': expected three positive integers such as \"8,8,1\"; compile the kernel again");
  return Value;
}

static Expected<Dim3> product(const Dim3 &Divisor, const Dim3 &Factors, StringRef What) {
  Dim3 Result{};
  for (unsigned D = 0; D != Factors.size(); ++D) {
    int64_t Product = 0;
    bool Overflow = MulOverflow(Divisor[D], Factors[D], Product);
    if (Overflow || Product <= 0 || Product > std::numeric_limits<uint32_t>::max())
      return makeRefusal(RefusalKind::DivisorTooLarge,
                         What + " divisor " + Twine(Divisor[D]) + " x " + Twine(Factors[D]) + " in " +
                             Twine(DimensionNames[D]) +
                             " is not a positive 32-bit number; use other factors");
    Result[D] = Product;
  }
  return Result;
}

/// \p RoundsUp says of a dimension whether a remainder gets a quotient of its own.
static Expected<Dim3> quotient(const Dim3 &Extent, const Dim3 &Divisor, StringRef What, StringRef Else,
                               function_ref<bool(unsigned)> RoundsUp) {
  Dim3 Result{};
  for (unsigned D = 0; D != Extent.size(); ++D) {
    bool Whole = Divisor[D] > 0 && Extent[D] % Divisor[D] == 0;
    int64_t Quotient = Divisor[D] > 0 ? Extent[D] / Divisor[D] + (Whole ? 0 : 1) : 0;
    // Surplus replicas are numbered, too, by signed numbers of 32 bits.
    bool Fits = Quotient > 0 && (Whole || (RoundsUp(D) && Quotient <= (int64_t(1) << 31) / Divisor[D]));
    if (!Fits && Extent[D] > 0)
      return makeRefusal(RefusalKind::ShapeNotDivisible,
                         What + "." + Twine(DimensionNames[D]) + " = " + Twine(Extent[D]) +
                             " is not a multiple of " + Twine(Divisor[D]) +
                             ", by which the kernel was coarsened; use a factor that divides " +
                             Twine(Extent[D]) + Else);
    Result[D] = Quotient;
  }
  return Result;
}

Expected<LaunchContract> LaunchContract::dividedBy(const Dim3 &Factors) const {
  Expected<Dim3> Divisor = product(GridDivisor, Factors, "grid");
  if (!Divisor)
    return Divisor.takeError();
  LaunchContract Result = *this;
  Result.GridDivisor = *Divisor;
  return Result;
}

Expected<LaunchContract> LaunchContract::blockDividedBy(const Dim3 &Factors) const {
  Expected<Dim3> Divisor = product(BlockDivisor, Factors, "block");
  if (!Divisor)
    return Divisor.takeError();
  LaunchContract Result = *this;
  Result.BlockDivisor = *Divisor;
  return Result;
}

std::optional<unsigned> LaunchContract::hidden(HiddenParameter Parameter) const {
  auto Found = find(Hidden, Parameter);
  return Found == Hidden.end() ? std::nullopt : std::optional<unsigned>(Found - Hidden.begin());
}

bool LaunchContract::takesAnyGrid(unsigned Dimension) const {
  return hidden(HiddenParameter(Dimension)).has_value();
}

Expected<Dim3> LaunchContract::physicalGrid(const Dim3 &Grid) const {
  return quotient(Grid, GridDivisor, "grid", ", or grid=any", [&](unsigned D) { return takesAnyGrid(D); });
}

Expected<Dim3> LaunchContract::physicalBlock(const Dim3 &Block) const {
  return quotient(Block, BlockDivisor, "block", "", [](unsigned) { return false; });
}

static uint32_t hiddenArgument(HiddenParameter Parameter, const LaunchShape &Author) {
  if (Parameter == HiddenParameter::SharedBytes)
    return Author.SharedBytes;
  return Author.Grid[unsigned(Parameter)];
}

Expected<LaunchShape> LaunchContract::physical(const LaunchShape &Author) const {
  Expected<Dim3> Grid = physicalGrid(Author.Grid);
  if (!Grid)
    return Grid.takeError();
  Expected<Dim3> Block = physicalBlock(Author.Block);
  if (!Block)
    return Block.takeError();
  uint64_t SharedCopy = alignTo(Author.SharedBytes, SharedCopyAlignment);
  LaunchShape Result{*Grid, *Block, SharedCopies > 1 ? SharedCopy * SharedCopies : Author.SharedBytes};
  for (HiddenParameter Parameter : Hidden)
    Result.Hidden.push_back(hiddenArgument(Parameter, Author));
  return Result;
}

static Expected<Dim3> readDivisor(const Function &Kernel, StringRef Name) {
  Attribute Recorded = Kernel.getFnAttribute(Name);
  return Recorded.isValid() ? parseDim3(Recorded.getValueAsString(), Kernel, Name) : Dim3{1, 1, 1};
}

static void writeDivisor(Function &Kernel, StringRef Name, const Dim3 &Divisor) {
  Kernel.removeFnAttr(Name);
  if (Divisor != Dim3{1, 1, 1})
    Kernel.addFnAttr(Name, printDim3(Divisor));
}

static Expected<int64_t> readNumber(const Function &Kernel, StringRef Name, StringRef Wanted,
                                    function_ref<bool(int64_t)> IsValid) {
  Attribute Recorded = Kernel.getFnAttribute(Name);
  int64_t Number = 1;
  if (Recorded.isValid() && (Recorded.getValueAsString().getAsInteger(10, Number) || !IsValid(Number)))
    return makeError(ErrorKind::Input, "attribute \"" + Name + "\"=\"" + Recorded.getValueAsString() +
                                           "\" on kernel '" + Kernel.getName() + "': expected " + Wanted +
                                           "; compile the kernel again");
  return Number;
}

static void writeNumber(Function &Kernel, StringRef Name, int64_t Number) {
  Kernel.removeFnAttr(Name);
  if (Number > 1)
    Kernel.addFnAttr(Name, itostr(Number));
}

static std::optional<HiddenParameter> parseHiddenParameter(StringRef Name) {
  const auto *Found = find(HiddenParameterNames, Name);
  if (Found == std::end(HiddenParameterNames))
    return std::nullopt;
  return HiddenParameter(Found - std::begin(HiddenParameterNames));
}

/// Each at most once, and the kernel's last parameters.
static Expected<std::vector<HiddenParameter>> readHidden(const Function &Kernel) {
  std::vector<HiddenParameter> Hidden;
  Attribute Recorded = Kernel.getFnAttribute(HiddenParametersAttribute);
  if (!Recorded.isValid())
    return Hidden;
  SmallVector<StringRef, 4> Names;
  Recorded.getValueAsString().split(Names, ',');
  bool Valid = Names.size() <= Kernel.arg_size();
  for (StringRef Name : Names) {
    std::optional<HiddenParameter> Parameter = parseHiddenParameter(Name);
    Valid &= Parameter && !is_contained(Hidden, *Parameter);
    if (Parameter)
      Hidden.push_back(*Parameter);
  }
  for (size_t I = 0; Valid && I != Names.size(); ++I)
    Valid = Kernel.getArg(Kernel.arg_size() - Names.size() + I)->getType()->isIntegerTy(32);
  if (!Valid)
    return makeError(ErrorKind::Input,
                     "attribute \"" + HiddenParametersAttribute + "\"=\"" + Recorded.getValueAsString() +
                         "\" on kernel '" + Kernel.getName() +
                         "': expected names such as \"grid.x,grid.y\", each once, for the kernel's last "
                         "parameters, integers of 32 bits; compile the kernel again");
  return Hidden;
}

static void writeHidden(Function &Kernel, ArrayRef<HiddenParameter> Hidden) {
  Kernel.removeFnAttr(HiddenParametersAttribute);
  if (!Hidden.empty())
    Kernel.addFnAttr(HiddenParametersAttribute, join(map_range(Hidden, hiddenParameterName), ","));
}

Error ConstantCopy::checkBuffer(StringRef Name, uint64_t BufferBytes) const {
  if (BufferBytes <= Bytes)
    return Error::success();
  return makeRefusal(RefusalKind::TooLarge, "buffer '" + Name + "' has " + Twine(BufferBytes) +
                                                " bytes, and the constant memory that parameter " +
                                                Twine(Argument) + " is read from only " + Twine(Bytes) +
                                                "; use a larger bytes= or leave it in global memory");
}

/// "2:4096:symbol", as printCopies writes it.
static std::optional<ConstantCopy> parseCopy(StringRef Text) {
  ConstantCopy Copy;
  auto [Argument, Rest] = Text.split(':');
  auto [Bytes, Symbol] = Rest.split(':');
  if (Argument.getAsInteger(10, Copy.Argument) || Bytes.getAsInteger(10, Copy.Bytes) || Copy.Bytes == 0 ||
      Symbol.empty())
    return std::nullopt;
  Copy.Symbol = Symbol.str();
  return Copy;
}

static Expected<std::vector<ConstantCopy>> readCopies(const Function &Kernel) {
  std::vector<ConstantCopy> Copies;
  Attribute Recorded = Kernel.getFnAttribute(ConstantCopiesAttribute);
  if (!Recorded.isValid())
    return Copies;
  for (StringRef Text : split(Recorded.getValueAsString(), ',')) {
    std::optional<ConstantCopy> Copy = parseCopy(Text);
    if (!Copy || Copy->Argument >= Kernel.arg_size())
      return makeError(ErrorKind::Input, "attribute \"" + ConstantCopiesAttribute + "\"=\"" +
                                             Recorded.getValueAsString() + "\" on kernel '" +
                                             Kernel.getName() +
                                             "': expected parameter, bytes and variable such as "
                                             "\"2:4096:table\"; compile the kernel again");
    Copies.push_back(std::move(*Copy));
  }
  return Copies;
}

static void writeCopies(Function &Kernel, ArrayRef<ConstantCopy> Copies) {
  Kernel.removeFnAttr(ConstantCopiesAttribute);
  std::vector<std::string> Texts;
  for (const ConstantCopy &Copy : Copies)
    Texts.push_back(utostr(Copy.Argument) + ":" + utostr(Copy.Bytes) + ":" + Copy.Symbol);
  if (!Texts.empty())
    Kernel.addFnAttr(ConstantCopiesAttribute, join(Texts, ","));
}

Expected<LaunchContract> gpuprune::readLaunchContract(const Function &Kernel) {
  LaunchContract Contract;
  if (Error E = readDivisor(Kernel, GridDivisorAttribute).moveInto(Contract.GridDivisor))
    return std::move(E);
  if (Error E = readDivisor(Kernel, BlockDivisorAttribute).moveInto(Contract.BlockDivisor))
    return std::move(E);
  if (Error E =
          readNumber(Kernel, PointerAlignmentAttribute, "a power of two such as \"16\"", [](int64_t Bytes) {
            return Bytes > 0 && isPowerOf2_64(Bytes);
          }).moveInto(Contract.PointerAlignment))
    return std::move(E);
  if (Error E = readNumber(Kernel, SharedCopiesAttribute, "a positive 32-bit number such as \"4\"",
                           [](int64_t Copies) { return Copies > 0 && isUInt<32>(Copies); })
                    .moveInto(Contract.SharedCopies))
    return std::move(E);
  if (Error E = readHidden(Kernel).moveInto(Contract.Hidden))
    return std::move(E);
  if (Error E = readCopies(Kernel).moveInto(Contract.ConstantCopies))
    return std::move(E);
  return Contract;
}

void gpuprune::writeLaunchContract(Function &Kernel, const LaunchContract &Contract) {
  writeDivisor(Kernel, GridDivisorAttribute, Contract.GridDivisor);
  writeDivisor(Kernel, BlockDivisorAttribute, Contract.BlockDivisor);
  writeNumber(Kernel, PointerAlignmentAttribute, Contract.PointerAlignment);
  writeNumber(Kernel, SharedCopiesAttribute, Contract.SharedCopies);
  writeHidden(Kernel, Contract.Hidden);
  writeCopies(Kernel, Contract.ConstantCopies);
}
