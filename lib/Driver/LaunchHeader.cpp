//===- LaunchHeader.cpp - A variant to launch from a program ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/LaunchHeader.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace gpuprune {

/// More than any GPU has; a multiple of it does not overflow.
static constexpr unsigned MostSharedBytes = 0x3fffffff;

/// What all headers have in common, in front of what the variant brings. $NAME, $... are replaced.
static constexpr StringLiteral Frame = R"cpp(// The kernel $KERNEL of $SOURCE as the variant
//   $VARIANT
// for $DEVICE, made by gpuprune. Needs <cuda.h>; link with -lcuda. In a program of CUDA's runtime, call launch() after
// anything that makes a context, cudaMalloc for example.
#ifndef GPUPRUNE_TUNED_$HASH_H
#define GPUPRUNE_TUNED_$HASH_H

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <type_traits>

namespace gpuprune_tuned {
namespace $NAME {
inline namespace v$HASH { // Tells this variant from others of the same name.

/// Blocks of a grid or threads of a block; made of numbers, or of whatever has x, y and z, such as dim3.
struct Extent {
  unsigned x, y, z;
  Extent(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  template <typename T, typename = decltype(T().x + T().y + T().z)>
  Extent(const T &Other) : x(Other.x), y(Other.y), z(Other.z) {}
};

/// An integer that the kernel takes, made of whatever a launch with <<<...>>> converts to it, and of enumerations.
template <typename T> struct Integer {
  T Value;
  template <typename From,
            typename = ::std::enable_if_t<(::std::is_enum<From>::value || ::std::is_convertible<From, T>::value) &&
                                          !::std::is_pointer<::std::decay_t<From>>::value>>
  Integer(const From &Given) : Value(convert(Given, ::std::is_floating_point<From>())) {}

private:
  template <typename From> static T convert(const From &Given, ::std::false_type) {
    return static_cast<T>(Given);
  }
  template <typename From> static T convert(const From &Given, ::std::true_type) {
    if (::std::is_same<T, bool>::value)
      return static_cast<T>(static_cast<bool>(Given));
    return Given < 0x1p63 ? static_cast<T>(static_cast<long long>(Given)) : static_cast<T>(static_cast<unsigned long long>(Given));
  }
};

/// Text and launch contract of the variant.
inline constexpr char Variant[] = "$VARIANT";
inline constexpr char LaunchContract[] = R"json($CONTRACT)json";

namespace detail {

alignas(16) inline constexpr unsigned long long Image[] = {$IMAGE};

/// The kernel in the current context, where it is loaded when it is first asked for.
inline CUresult findKernel(CUfunction *Kernel) {
  static ::std::mutex Lock;
  static ::std::map<unsigned long long, CUfunction> Known; // By context; an id is never used again.
  CUcontext Context = nullptr;
  unsigned long long Id = 0;
  if (CUresult Failed = cuCtxGetCurrent(&Context))
    return Failed;
  if (!Context)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (CUresult Failed = cuCtxGetId(Context, &Id))
    return Failed;
  ::std::lock_guard<::std::mutex> Guard(Lock);
  CUfunction &Found = Known[Id];
  if (!Found) {
    CUmodule Module = nullptr;
    if (CUresult Failed = cuModuleLoadData(&Module, Image))
      return Failed;
    CUfunction Loaded = nullptr;
    if (CUresult Failed = cuModuleGetFunction(&Loaded, Module, "$SYMBOL"))
      return Failed;$CARVEOUT
    Found = Loaded;
  }
  *Kernel = Found;
  return CUDA_SUCCESS;
}

/// Raises what a block may ask for of dynamic shared memory to \p Bytes.
inline CUresult allowShared(CUfunction Kernel, ::std::size_t Bytes) {
  int Allowed = 0, Static = 0;
  if (Bytes == 0)
    return CUDA_SUCCESS;
  if (Bytes > $SHARED)
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult Failed = cuFuncGetAttribute(&Allowed, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, Kernel))
    return Failed;
  if (CUresult Failed = cuFuncGetAttribute(&Static, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, Kernel))
    return Failed;
  int Wanted = static_cast<int>(Bytes);
  if (Wanted + Static <= Allowed)
    return CUDA_SUCCESS;
  return cuFuncSetAttribute(Kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                            Wanted < Allowed ? Allowed : Wanted);
}

$REGROUPED$MULTIPROCESSORS/// \p Extent divided by \p Divisor, rounded up where \p RoundsUp; 0 where that may not be.
inline unsigned quotient(unsigned Extent, unsigned Divisor, bool RoundsUp) {
  bool Whole = Extent % Divisor == 0;
  unsigned Quotient = Extent / Divisor + (Whole ? 0 : 1);
  return Whole || (RoundsUp && Quotient <= 0x80000000u / Divisor) ? Quotient : 0;
}

} // namespace detail

)cpp";

/// For variants with a block of their own: BlockChange::regrouped().
static constexpr StringLiteral Regrouped =
    R"cpp(/// Blocks of \p To threads that have as many threads as \p Blocks of \p From; 0 where none have, or where either
/// grid cannot be launched. A grid has \p Most of them at most.
inline unsigned regrouped(unsigned Blocks, unsigned From, unsigned To, unsigned Most) {
  const unsigned long long Threads = 1ull * Blocks * From;
  if (Blocks > Most || Threads > $THREADS || Threads % To != 0 || Threads / To > Most)
    return 0;
  return static_cast<unsigned>(Threads / To);
}

)cpp";

/// For persistent variants.
static constexpr StringLiteral Multiprocessors = R"cpp(/// Of the current device.
inline CUresult countMultiprocessors(int *Count) {
  CUdevice Device = 0;
  if (CUresult Failed = cuCtxGetDevice(&Device))
    return Failed;
  return cuDeviceGetAttribute(Count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, Device);
}

)cpp";

/// The frame with each $NAME replaced; what is put in is not looked at again.
static std::string filledIn(StringRef Text, ArrayRef<std::pair<StringRef, std::string>> Values) {
  std::string Result;
  while (!Text.empty()) {
    auto Found = find_if(Values, [&](const auto &Value) { return Text.starts_with(Value.first); });
    if (Found == Values.end()) {
      Result += Text.front();
      Text = Text.drop_front();
      continue;
    }
    Result += Found->second;
    Text = Text.drop_front(Found->first.size());
  }
  return Result;
}

/// \p Text as the content of a C++ string or of a comment's line: in plain ASCII, without trigraphs.
static std::string escaped(StringRef Text) {
  std::string Result;
  for (unsigned char C : Text) {
    if (C == '"' || C == '\\' || C == '?')
      Result += '\\';
    if (isPrint(C))
      Result += char(C);
    else
      Result += {'\\', char('0' + C / 64), char('0' + C / 8 % 8), char('0' + C % 8)};
  }
  return Result;
}

std::string headerNamespace(StringRef Kernel, unsigned Launch) {
  std::string Name;
  for (char C : Kernel)
    if (isAlnum(C) || C == '_')
      Name += C;
    else if (!Name.empty() && Name.back() != '_')
      Name += '_';
  Name = StringRef(Name).rtrim('_').str();
  if (Name.empty() || isDigit(Name.front()))
    Name = "kernel_" + Name;
  return Launch ? formatv("{0}_launch{1}", Name, Launch).str() : Name;
}

static std::string imageWords(StringRef Bytes) {
  std::string Padded = Bytes.str(), Words;
  Padded.resize(alignTo(Padded.size(), sizeof(uint64_t)));
  for (size_t At = 0; At != Padded.size(); At += sizeof(uint64_t)) {
    Words += At % (8 * sizeof(uint64_t)) == 0 ? "\n    " : " ";
    Words += "0x" + utohexstr(support::endian::read64le(Padded.data() + At), /*LowerCase=*/true) + ",";
  }
  return Words;
}

/// What is known by its size alone is a template's parameter: structures, half precision, and integers that
/// are too large for standard C++.
static bool isOpaque(const KernelParameter &P) {
  using Kind = KernelParameter::Kind;
  return P.Is == Kind::Structure || (P.Is == Kind::Real && P.Bytes < 4) ||
         (P.Is == Kind::Integer && P.Bytes > 8);
}

static std::string typeOf(const KernelParameter &P, size_t Index) {
  using Kind = KernelParameter::Kind;
  if (isOpaque(P))
    return formatv("T{0}", Index);
  if (P.Is == Kind::Pointer)
    return "const void *";
  if (P.Is == Kind::Real)
    return P.Bytes == 4 ? "float " : "double ";
  // Of either sign: the bits are the same.
  return P.IsBool ? "Integer<bool> " : formatv("Integer<::std::int{0}_t> ", 8 * P.Bytes).str();
}

/// "launch(Extent Grid, ...)" with what has to stand in front of it.
static void printSignature(const HeaderRequest &R, raw_ostream &OS) {
  std::vector<std::string> Types, Arguments;
  for (const auto &[Index, P] : enumerate(R.Parameters)) {
    std::string Type = typeOf(P, Index);
    if (isOpaque(P))
      Types.push_back("typename " + Type);
    Arguments.push_back(isOpaque(P) ? formatv("{0} Arg{1}", Type, Index).str()
                                    : formatv("{0}Arg{1}", Type, Index).str());
  }
  if (!Types.empty())
    OS << "template <" << join(Types, ", ") << ">\n";
  OS << "inline CUresult launch(Extent Grid, Extent Block, ::std::size_t SharedBytes, CUstream Stream";
  for (const std::string &Argument : Arguments)
    OS << ", " << Argument;
  OS << ") {\n";
}

static void printChecks(const HeaderRequest &R, raw_ostream &OS) {
  for (const auto &[Index, P] : enumerate(R.Parameters)) {
    if (isOpaque(P))
      OS << formatv("  static_assert(sizeof(T{0}) == {1}, \"argument {0} has {1} bytes\");\n", Index,
                    P.Bytes);
    if (P.Is == KernelParameter::Kind::Structure)
      OS << formatv("  static_assert(!::std::is_scalar<T{0}>::value, \"argument {0} is a structure\");\n",
                    Index);
    if (P.Is == KernelParameter::Kind::Pointer && R.Contract.PointerAlignment > 1)
      OS << formatv("  if (reinterpret_cast<::std::uintptr_t>(Arg{0}) % {1} != 0)\n"
                    "    return CUDA_ERROR_MISALIGNED_ADDRESS;\n",
                    Index, R.Contract.PointerAlignment);
  }
  // Where the author's launch fails, fewer blocks or threads of it might not.
  OS << formatv("  if (Grid.x > {0} || Grid.y > {1} || Grid.z > {2} || Block.x > {3} || Block.y > {4} ||\n"
                "      Block.z > {5} || Block.x * Block.y * Block.z > {6} || SharedBytes > {7})\n"
                "    return CUDA_ERROR_INVALID_VALUE;\n",
                LargestGrid[0], LargestGrid[1], LargestGrid[2], LargestBlock[0], LargestBlock[1],
                LargestBlock[2], MostThreadsPerBlock, MostSharedBytes);
}

/// From here on, Grid and Block are those of the variant.
static void printChanges(const BlockChange &Change, raw_ostream &OS) {
  OS << formatv("  if (Block.x != {0} || Block.y != {1} || Block.z != {2})\n"
                "    return CUDA_ERROR_INVALID_VALUE;\n",
                Change.From.X, Change.From.Y, Change.From.Z);
  for (unsigned D = 0; D != Dim3::size(); ++D)
    if (Change.changes(D))
      OS << formatv("  Grid.{0} = detail::regrouped(Grid.{0}, {1}, {2}, {3});\n", "xyz"[D], Change.From[D],
                    Change.To[D], LargestGrid[D]);
  OS << formatv("  Block = Extent({0});\n", Change.To.text());
}

static StringRef authorsValue(HiddenParameter Parameter) {
  switch (Parameter) {
  case HiddenParameter::GridX:
    return "Grid.x";
  case HiddenParameter::GridY:
    return "Grid.y";
  case HiddenParameter::GridZ:
    return "Grid.z";
  case HiddenParameter::SharedBytes:
    return "static_cast<unsigned>(SharedBytes)";
  case HiddenParameter::BlocksX:
    return "Blocks[0]";
  case HiddenParameter::BlocksY:
    return "Blocks[1]";
  case HiddenParameter::BlocksZ:
    return "Blocks[2]";
  }
  llvm_unreachable("every parameter is covered");
}

/// What apply() makes of the divided grid, "x, y, z", which is Blocks; \p OS gets what comes before it.
static std::string launchedGrid(const LaunchContract &C, raw_ostream &OS) {
  if (!C.PersistentBlocks)
    return "Blocks[0], Blocks[1], Blocks[2]";
  OS << formatv(
      "  const unsigned long long Total = 1ull * Blocks[0] * Blocks[1] * Blocks[2];\n"
      "  if (Total > {0})\n    return CUDA_ERROR_INVALID_VALUE;\n"
      "  int Multiprocessors = 0;\n"
      "  if (CUresult Failed = detail::countMultiprocessors(&Multiprocessors))\n    return Failed;\n"
      "  const unsigned long long Most = {1}ull * static_cast<unsigned>(Multiprocessors);\n"
      "  const unsigned Launched = static_cast<unsigned>(Total < Most ? Total : Most);\n",
      MostNumberedBlocks, C.PersistentBlocks);
  return "Launched, 1, 1";
}

static void printLaunch(const HeaderRequest &R, raw_ostream &OS) {
  const LaunchContract &C = R.Contract;
  auto Quotient = [&](StringRef What, unsigned D, int64_t Divisor, bool RoundsUp) {
    return formatv("detail::quotient({0}.{1}, {2}, {3})", What, "xyz"[D], Divisor,
                   RoundsUp ? "true" : "false")
        .str();
  };
  if (C.GridBlocks)
    OS << formatv(
        "  if (Grid.x < 2 || Grid.x > {0})\n    return CUDA_ERROR_INVALID_VALUE;\n"
        "  int Multiprocessors = 0;\n"
        "  if (CUresult Failed = detail::countMultiprocessors(&Multiprocessors))\n    return Failed;\n"
        "  const unsigned long long Free = {1}ull * static_cast<unsigned>(Multiprocessors) * {2}u;\n"
        "  if (Free > {0})\n    return CUDA_ERROR_INVALID_VALUE;\n"
        "  Grid.x = static_cast<unsigned>(Free);\n",
        MostGridBlocks, C.GridBlocks, C.GridDivisor.X);
  std::vector<std::string> Grid, Block, Values;
  for (unsigned D = 0; D != Dim3::size(); ++D) {
    Grid.push_back(Quotient("Grid", D, C.GridDivisor[D], C.takesAnyGrid(D)));
    Block.push_back(Quotient("Block", D, C.BlockDivisor[D], false));
  }
  OS << formatv("  const unsigned Blocks[] = {{{0}};\n  const unsigned Threads[] = {{{1}};\n",
                join(Grid, ", "), join(Block, ", "));
  OS << "  for (unsigned D = 0; D != 3; ++D)\n    if (Blocks[D] == 0 || Threads[D] == 0)\n"
        "      return CUDA_ERROR_INVALID_VALUE;\n";
  for (const auto &[Index, P] : enumerate(R.Parameters)) {
    bool IsWrapped = P.Is == KernelParameter::Kind::Integer && !isOpaque(P);
    Values.push_back(formatv("&Arg{0}{1}", Index, IsWrapped ? ".Value" : ""));
  }
  for (const auto &[Index, Parameter] : enumerate(C.Hidden)) {
    OS << formatv("  unsigned Hidden{0} = {1};\n", Index, authorsValue(Parameter));
    Values.push_back(formatv("&Hidden{0}", Index));
  }
  std::string Shared = C.SharedCopies > 1
                           ? formatv("(SharedBytes + {0}) / {1} * {1} * {2}", SharedCopyAlignment - 1,
                                     SharedCopyAlignment, C.SharedCopies)
                           : std::string("SharedBytes");
  if (C.SharedArrays)
    Shared = formatv("{0} + {1}", C.SharedArrays, Shared);
  std::string Launched = launchedGrid(C, OS);
  OS << formatv("  const ::std::size_t Shared = {0};\n"
                "  CUfunction Kernel = nullptr;\n"
                "  if (CUresult Failed = detail::findKernel(&Kernel))\n    return Failed;\n"
                "  if (CUresult Failed = detail::allowShared(Kernel, Shared))\n    return Failed;\n"
                "  void *Arguments[] = {{{1}};\n"
                "  return cuLaunchKernel(Kernel, {2}, Threads[0], Threads[1], Threads[2],\n"
                "                        static_cast<unsigned>(Shared), Stream, Arguments, nullptr);\n}\n",
                Shared, Values.empty() ? "nullptr" : join(Values, ", "), Launched);
}

/// What the author's launch has to be for this one.
static void printDescription(const HeaderRequest &R, raw_ostream &OS) {
  const LaunchContract &C = R.Contract;
  OS << formatv("/// Launches the variant in place of {0}<<<Grid, Block, SharedBytes, Stream>>>(...): all is "
                "given as for "
                "that.\n",
                R.Kernel);
  if (R.Block)
    OS << formatv(
        "/// The author's block has to be ({0}): the variant is launched in blocks of ({1}), and the "
        "grid has as many\n/// threads in each dimension, so that the new block has to divide them.\n",
        R.Block->From.text(), R.Block->To.text());
  for (unsigned D = 0; D != Dim3::size(); ++D)
    if (C.GridDivisor[D] > 1)
      OS << formatv("/// {0} blocks of {3} in {1} are one{2}.\n", C.GridDivisor[D], "xyz"[D],
                    C.takesAnyGrid(D) ? "" : ", so that the grid has to be a multiple of that",
                    R.Block ? "these" : "the author's");
  for (unsigned D = 0; D != Dim3::size(); ++D)
    if (C.BlockDivisor[D] > 1)
      OS << formatv("/// {0} threads of {2} block in {1} are one, so that the block has to be a "
                    "multiple of that.\n",
                    C.BlockDivisor[D], "xyz"[D], R.Block ? "such a" : "the author's");
  if (C.GridBlocks)
    OS << formatv(
        "/// {0} blocks for each multiprocessor are launched in x, in place of Grid.x, which is from 2 "
        "to {1}.\n",
        C.GridBlocks, MostGridBlocks);
  if (C.PersistentBlocks)
    OS << formatv("/// At most {0} blocks for each multiprocessor do all of them.\n", C.PersistentBlocks);
  if (C.PointerAlignment > 1)
    OS << formatv("/// Buffers begin at multiples of {0} bytes.\n", C.PointerAlignment);
  OS << "/// What does not fit is CUDA_ERROR_INVALID_VALUE or CUDA_ERROR_MISALIGNED_ADDRESS, and nothing is "
        "launched; another\n"
        "/// GPU is CUDA_ERROR_NO_BINARY_FOR_GPU. The program then launches its own kernel.\n";
}

Error checkHeader(bool HasConstantCopies, ArrayRef<DeviceVariable> Variables) {
  if (HasConstantCopies)
    return makeRefusal(
        RefusalKind::BadLaunchContract,
        "the variant reads a buffer from constant memory, which has to be copied there before each "
        "launch; a header does not do that, so take a variant without space=constant");
  // What the program fills by name it would fill in its own module, and not in the header's.
  for (const DeviceVariable &V : Variables)
    if (V.Used && !V.Fixed)
      return makeRefusal(
          RefusalKind::BadLaunchContract,
          formatv("the kernel uses the variable '{0}', which the program may fill or read: a header would "
                  "have one of its own; pass it as an argument, or build with the plugin",
                  V.Symbol));
  return Error::success();
}

Expected<std::string> launchHeader(const HeaderRequest &Request) {
  if (Error E = checkHeader(!Request.Contract.ConstantCopies.empty(), Request.Variables))
    return std::move(E);
  std::string Carveout;
  if (Request.Contract.SharedCarveout)
    Carveout = formatv("\n    if (CUresult Failed = cuFuncSetAttribute(Loaded, "
                       "CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, {0}))\n      return Failed;",
                       *Request.Contract.SharedCarveout);
  std::string Contract = formatv("{0}", toJSON(Request.Contract));
  std::string Block = Request.Block ? Request.Block->From.text() + ":" + Request.Block->To.text() : "";
  std::string Changes =
      Request.Block ? filledIn(Regrouped, {{"$THREADS", std::to_string(MostThreadsOfGrid)}}) : "";
  std::string Hash = utohexstr(xxh3_64bits(Request.Symbol + "\n" + Request.Variant + "\n" + Request.Device +
                                           "\n" + Contract + Block + Request.Cubin.str()));
  std::string Header =
      filledIn(Frame, {{"$KERNEL", escaped(Request.Kernel)},
                       {"$SOURCE", escaped(Request.Source)},
                       {"$VARIANT", escaped(Request.Variant.empty() ? "(as written)" : Request.Variant)},
                       {"$DEVICE", Request.Device},
                       {"$HASH", Hash},
                       {"$NAME", Request.Name},
                       {"$CONTRACT", Contract},
                       {"$SYMBOL", escaped(Request.Symbol)},
                       {"$CARVEOUT", Carveout},
                       {"$REGROUPED", Changes},
                       {"$MULTIPROCESSORS", Request.Contract.PersistentBlocks || Request.Contract.GridBlocks
                                                ? Multiprocessors.str()
                                                : std::string()},
                       {"$SHARED", std::to_string(MostSharedBytes)},
                       {"$IMAGE", imageWords(Request.Cubin)}});
  raw_string_ostream OS(Header);
  printDescription(Request, OS);
  printSignature(Request, OS);
  printChecks(Request, OS);
  if (Request.Block)
    printChanges(*Request.Block, OS);
  printLaunch(Request, OS);
  OS << formatv("\n} // namespace v{0}\n} // namespace {1}\n} // namespace gpuprune_tuned\n\n#endif // "
                "GPUPRUNE_TUNED_{0}_H\n",
                Hash, Request.Name);
  return Header;
}

} // namespace gpuprune
