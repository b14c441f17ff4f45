//===- LaunchContract.cpp - Launch geometry that a pass changed -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/LaunchContract.h"
#include "gpuprune/Support/Error.h"
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
static constexpr char DimensionNames[] = {'x', 'y', 'z'};

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
      return makeError(ErrorKind::Refused, "refused (DivisorTooLarge): " + What + " divisor " +
                                               Twine(Divisor[D]) + " x " + Twine(Factors[D]) + " in " +
                                               Twine(DimensionNames[D]) +
                                               " is not a positive 32-bit number; use other factors");
    Result[D] = Product;
  }
  return Result;
}

static Expected<Dim3> quotient(const Dim3 &Extent, const Dim3 &Divisor, StringRef What) {
  Dim3 Result{};
  for (unsigned D = 0; D != Extent.size(); ++D) {
    if (Divisor[D] <= 0 || Extent[D] % Divisor[D] != 0)
      return makeError(ErrorKind::Refused,
                       "refused (ShapeNotDivisible): " + What + "." + Twine(DimensionNames[D]) + " = " +
                           Twine(Extent[D]) + " is not a multiple of " + Twine(Divisor[D]) +
                           ", by which the kernel was coarsened; use a factor that divides " +
                           Twine(Extent[D]));
    Result[D] = Extent[D] / Divisor[D];
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

Expected<Dim3> LaunchContract::physicalGrid(const Dim3 &Grid) const {
  return quotient(Grid, GridDivisor, "grid");
}

Expected<Dim3> LaunchContract::physicalBlock(const Dim3 &Block) const {
  return quotient(Block, BlockDivisor, "block");
}

Expected<LaunchShape> LaunchContract::physical(const LaunchShape &Author) const {
  Expected<Dim3> Grid = physicalGrid(Author.Grid);
  if (!Grid)
    return Grid.takeError();
  Expected<Dim3> Block = physicalBlock(Author.Block);
  if (!Block)
    return Block.takeError();
  return LaunchShape{*Grid, *Block};
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

static Expected<int64_t> readAlignment(const Function &Kernel) {
  Attribute Recorded = Kernel.getFnAttribute(PointerAlignmentAttribute);
  int64_t Bytes = 1;
  if (Recorded.isValid() &&
      (Recorded.getValueAsString().getAsInteger(10, Bytes) || Bytes < 1 || !isPowerOf2_64(Bytes)))
    return makeError(ErrorKind::Input,
                     "attribute \"" + PointerAlignmentAttribute + "\"=\"" + Recorded.getValueAsString() +
                         "\" on kernel '" + Kernel.getName() +
                         "': expected a power of two such as \"16\"; compile the kernel again");
  return Bytes;
}

Error ConstantCopy::checkBuffer(StringRef Name, uint64_t BufferBytes) const {
  if (BufferBytes <= Bytes)
    return Error::success();
  return makeError(ErrorKind::Refused, "refused (TooLarge): buffer '" + Name + "' has " + Twine(BufferBytes) +
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
  Expected<Dim3> Grid = readDivisor(Kernel, GridDivisorAttribute);
  if (!Grid)
    return Grid.takeError();
  Expected<Dim3> Block = readDivisor(Kernel, BlockDivisorAttribute);
  if (!Block)
    return Block.takeError();
  Expected<int64_t> Alignment = readAlignment(Kernel);
  if (!Alignment)
    return Alignment.takeError();
  Expected<std::vector<ConstantCopy>> Copies = readCopies(Kernel);
  if (!Copies)
    return Copies.takeError();
  Contract.GridDivisor = *Grid;
  Contract.BlockDivisor = *Block;
  Contract.PointerAlignment = *Alignment;
  Contract.ConstantCopies = std::move(*Copies);
  return Contract;
}

void gpuprune::writeLaunchContract(Function &Kernel, const LaunchContract &Contract) {
  writeDivisor(Kernel, GridDivisorAttribute, Contract.GridDivisor);
  writeDivisor(Kernel, BlockDivisorAttribute, Contract.BlockDivisor);
  Kernel.removeFnAttr(PointerAlignmentAttribute);
  if (Contract.PointerAlignment > 1)
    Kernel.addFnAttr(PointerAlignmentAttribute, itostr(Contract.PointerAlignment));
  writeCopies(Kernel, Contract.ConstantCopies);
}
