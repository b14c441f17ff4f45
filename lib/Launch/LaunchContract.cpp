//===- LaunchContract.cpp - What a pass asks of the launch ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Launch/LaunchContract.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace llvm;

namespace gpuprune {

static constexpr char DimensionNames[] = {'x', 'y', 'z'};

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

Expected<Dim3> LaunchContract::physicalBlock(const Dim3 &Block) const {
  return quotient(Block, BlockDivisor, "block", "", [](unsigned) { return false; });
}

/// \p Blocks is the grid of \p Author divided.
static uint32_t hiddenArgument(HiddenParameter Parameter, const AuthorLaunch &Author, const Dim3 &Blocks) {
  if (Parameter == HiddenParameter::SharedBytes)
    return Author.SharedBytes;
  bool IsDivided = Parameter >= HiddenParameter::BlocksX;
  unsigned First = unsigned(IsDivided ? HiddenParameter::BlocksX : HiddenParameter::GridX);
  return (IsDivided ? Blocks : Author.Grid)[unsigned(Parameter) - First];
}

/// Launches the blocks that stay on the device for all of \p Blocks.
static Expected<Dim3> persistentGrid(const Dim3 &Blocks, int64_t MostLaunched) {
  if (Blocks.volume() > double(MostNumberedBlocks))
    return makeRefusal(RefusalKind::BadLaunchContract,
                       formatv("the grid has {0} x {1} x {2} blocks, and gpu-persistent numbers at most {3}",
                               Blocks.X, Blocks.Y, Blocks.Z, MostNumberedBlocks));
  return Dim3{std::min(int64_t(Blocks.volume()), MostLaunched), 1, 1};
}

/// The launch of a kernel that is right in any grid.
static Expected<AuthorLaunch> inOtherGrid(AuthorLaunch Author, const LaunchContract &Contract,
                                          int64_t Multiprocessors) {
  if (Contract.PersistentBlocks)
    return makeRefusal(RefusalKind::BadLaunchContract, "both gpu-grid and gpu-persistent decide on the grid");
  int64_t Blocks = std::min<uint64_t>(
      SaturatingMultiply<uint64_t>(Contract.GridBlocks * Multiprocessors, Contract.GridDivisor.X),
      std::numeric_limits<int64_t>::max());
  if (Author.Grid.X < 2 || std::max(Author.Grid.X, Blocks) > MostGridBlocks)
    return makeRefusal(
        RefusalKind::BadLaunchContract,
        formatv("the grid has {0} blocks in x, for which {1} would be launched, and gpu-grid is "
                "right where both are from 2 to {2}",
                Author.Grid.X, Blocks, MostGridBlocks));
  Author.Grid.X = Blocks;
  return Author;
}

Expected<PhysicalLaunch> apply(const AuthorLaunch &Given, const LaunchContract &Contract,
                               int64_t Multiprocessors) {
  AuthorLaunch Author = Given;
  if (Contract.GridBlocks)
    if (Error E = inOtherGrid(Given, Contract, Multiprocessors).moveInto(Author))
      return std::move(E);
  PhysicalLaunch Launch = asWritten(Author);
  if (Error E = quotient(Author.Grid, Contract.GridDivisor, "grid", ", or grid=any", [&](unsigned D) {
                  return Contract.takesAnyGrid(D);
                }).moveInto(Launch.Grid))
    return std::move(E);
  if (Error E = Contract.physicalBlock(Author.Block).moveInto(Launch.Block))
    return std::move(E);
  if (Contract.SharedCopies > 1)
    Launch.SharedBytes = alignTo(Author.SharedBytes, SharedCopyAlignment) * Contract.SharedCopies;
  Launch.SharedBytes += Contract.SharedArrays;
  for (HiddenParameter Parameter : Contract.Hidden)
    Launch.Hidden.push_back({Parameter, hiddenArgument(Parameter, Author, Launch.Grid)});
  if (Contract.PersistentBlocks)
    if (Error E =
            persistentGrid(Launch.Grid, Contract.PersistentBlocks * Multiprocessors).moveInto(Launch.Grid))
      return std::move(E);
  Launch.ConstantCopies = Contract.ConstantCopies;
  Launch.PointerAlignment = Contract.PointerAlignment;
  Launch.SharedCarveout = Contract.SharedCarveout;
  Launch.UnwrittenVariables = Contract.UnwrittenVariables;
  return Launch;
}

static std::string printDivisor(const Dim3 &Divisor) {
  return Divisor == Dim3{1, 1, 1} ? "" : Divisor.text();
}

static bool parseDivisor(StringRef Text, Dim3 &Divisor) {
  std::optional<Dim3> Parsed = Dim3::parse(Text, ',', std::numeric_limits<int64_t>::max());
  if (!Parsed || Text.count(',') + 1 != Dim3::size())
    return false;
  Divisor = *Parsed;
  return true;
}

static std::string printNumber(int64_t Number) { return Number > 1 ? itostr(Number) : ""; }

/// "2:4096:symbol,...".
static std::string printCopies(ArrayRef<ConstantCopy> Copies) {
  std::vector<std::string> Texts;
  for (const ConstantCopy &Copy : Copies)
    Texts.push_back(utostr(Copy.Argument) + ":" + utostr(Copy.Bytes) + ":" + Copy.Symbol);
  return join(Texts, ",");
}

static bool parseCopies(StringRef Text, std::vector<ConstantCopy> &Copies) {
  for (StringRef Each : split(Text, ',')) {
    ConstantCopy &Copy = Copies.emplace_back();
    auto [Argument, Rest] = Each.split(':');
    auto [Bytes, Symbol] = Rest.split(':');
    if (Argument.getAsInteger(10, Copy.Argument) || Bytes.getAsInteger(10, Copy.Bytes) || Copy.Bytes == 0 ||
        Symbol.empty())
      return false;
    Copy.Symbol = Symbol.str();
  }
  return true;
}

static bool parseNames(StringRef Text, std::vector<std::string> &Names) {
  for (StringRef Name : split(Text, ',')) {
    if (Name.empty() || is_contained(Names, Name))
      return false;
    Names.push_back(Name.str());
  }
  return true;
}

static bool parseHidden(StringRef Text, std::vector<HiddenParameter> &Hidden) {
  for (StringRef Name : split(Text, ',')) {
    std::optional<HiddenParameter> Parameter = parseHiddenParameter(Name);
    if (!Parameter || is_contained(Hidden, *Parameter))
      return false;
    Hidden.push_back(*Parameter);
  }
  return true;
}

static std::string printBound(const std::optional<GridBound> &Bound) {
  if (!Bound)
    return "";
  return formatv("{0}:{1}{2}:{3}{4}", Bound->Argument, Bound->Signed ? 's' : 'u', Bound->Bits, Bound->Stride,
                 Bound->PerThread ? "*block" : "");
}

static bool parseBound(StringRef Text, std::optional<GridBound> &Parsed) {
  GridBound Bound;
  SmallVector<StringRef, 3> Parts;
  Text.split(Parts, ':');
  if (Parts.size() != 3 || Parts[0].getAsInteger(10, Bound.Argument))
    return false;
  Bound.Signed = Parts[1].consume_front("s");
  Bound.PerThread = Parts[2].consume_back("*block");
  if ((!Bound.Signed && !Parts[1].consume_front("u")) || Parts[1].getAsInteger(10, Bound.Bits) ||
      Parts[2].getAsInteger(10, Bound.Stride))
    return false;
  Parsed = Bound;
  return (Bound.Bits == 32 || Bound.Bits == 64) && Bound.Stride >= 1 && Bound.Stride <= LargestGridStride;
}

static constexpr StringLiteral ExpectedDivisor = "three positive integers such as \"8,8,1\"";

static constexpr ContractField Fields[] = {
    {"grid-divisor", [](const LaunchContract &C) { return printDivisor(C.GridDivisor); },
     [](StringRef Text, LaunchContract &C) { return parseDivisor(Text, C.GridDivisor); }, ExpectedDivisor},
    {"block-divisor", [](const LaunchContract &C) { return printDivisor(C.BlockDivisor); },
     [](StringRef Text, LaunchContract &C) { return parseDivisor(Text, C.BlockDivisor); }, ExpectedDivisor},
    {"grid-blocks", [](const LaunchContract &C) { return C.GridBlocks ? itostr(C.GridBlocks) : ""; },
     [](StringRef Text, LaunchContract &C) {
       return !Text.getAsInteger(10, C.GridBlocks) && C.GridBlocks > 0 &&
              C.GridBlocks <= MostPersistentBlocks;
     },
     "a number from 1 to 32 such as \"2\""},
    {"grid-bound", [](const LaunchContract &C) { return printBound(C.GridEnd); },
     [](StringRef Text, LaunchContract &C) { return parseBound(Text, C.GridEnd); },
     "argument, type and stride such as \"2:s32:256\" or \"2:u64:1*block\""},
    {"persistent-blocks",
     [](const LaunchContract &C) { return C.PersistentBlocks ? itostr(C.PersistentBlocks) : ""; },
     [](StringRef Text, LaunchContract &C) {
       return !Text.getAsInteger(10, C.PersistentBlocks) && C.PersistentBlocks > 0 &&
              C.PersistentBlocks <= MostPersistentBlocks;
     },
     "a number from 1 to 32 such as \"2\""},
    {"pointer-alignment", [](const LaunchContract &C) { return printNumber(C.PointerAlignment); },
     [](StringRef Text, LaunchContract &C) {
       return !Text.getAsInteger(10, C.PointerAlignment) && C.PointerAlignment > 0 &&
              isPowerOf2_64(C.PointerAlignment);
     },
     "a power of two such as \"16\""},
    {"shared-copies", [](const LaunchContract &C) { return printNumber(C.SharedCopies); },
     [](StringRef Text, LaunchContract &C) {
       return !Text.getAsInteger(10, C.SharedCopies) && C.SharedCopies > 0 && isUInt<32>(C.SharedCopies);
     },
     "a positive 32-bit number such as \"4\""},
    {"shared-arrays", [](const LaunchContract &C) { return C.SharedArrays ? utostr(C.SharedArrays) : ""; },
     [](StringRef Text, LaunchContract &C) {
       return !Text.getAsInteger(10, C.SharedArrays) && C.SharedArrays % SharedCopyAlignment == 0 &&
              isUInt<32>(C.SharedArrays);
     },
     "bytes, a multiple of 16, such as \"65536\""},
    {"shared-carveout",
     [](const LaunchContract &C) { return C.SharedCarveout ? utostr(*C.SharedCarveout) : ""; },
     [](StringRef Text, LaunchContract &C) {
       return !Text.getAsInteger(10, C.SharedCarveout.emplace()) && *C.SharedCarveout <= 100;
     },
     "a percentage from 0 to 100 such as \"50\""},
    {"hidden-parameters",
     [](const LaunchContract &C) { return join(map_range(C.Hidden, hiddenParameterName), ","); },
     [](StringRef Text, LaunchContract &C) { return parseHidden(Text, C.Hidden); },
     "names such as \"grid.x,grid.y\", each once, for the kernel's last parameters, integers of 32 bits"},
    {"constant-copies", [](const LaunchContract &C) { return printCopies(C.ConstantCopies); },
     [](StringRef Text, LaunchContract &C) { return parseCopies(Text, C.ConstantCopies); },
     "parameter, bytes and variable such as \"2:4096:table\""},
    {"unwritten-variables", [](const LaunchContract &C) { return join(C.UnwrittenVariables, ","); },
     [](StringRef Text, LaunchContract &C) { return parseNames(Text, C.UnwrittenVariables); },
     "variables such as \"table,other\", each once"},
};

ArrayRef<ContractField> contractFields() { return Fields; }

json::Value toJSON(const LaunchContract &Contract) {
  json::Object Texts;
  for (const ContractField &F : Fields)
    if (std::string Text = F.Print(Contract); !Text.empty())
      Texts[F.Name] = std::move(Text);
  return Texts;
}

bool fromJSON(const json::Value &Value, LaunchContract &Contract, json::Path Path) {
  const json::Object *Texts = Value.getAsObject();
  if (!Texts) {
    Path.report("expected an object, the fields of a launch contract");
    return false;
  }
  Contract = {};
  for (const auto &[Name, Written] : *Texts) {
    const ContractField *Field =
        find_if(Fields, [&Key = Name](const ContractField &F) { return F.Name == StringRef(Key); });
    std::optional<StringRef> Text = Written.getAsString();
    // What is not understood must not be left out of a launch.
    if (Field == std::end(Fields) || !Text) {
      Path.field(Name).report("expected a field of a launch contract, a string");
      return false;
    }
    if (!Field->Parse(*Text, Contract)) {
      Path.field(Name).report("not a text of this field");
      return false;
    }
  }
  return true;
}

} // namespace gpuprune
