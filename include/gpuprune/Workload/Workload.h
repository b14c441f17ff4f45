//===- Workload.h - What a kernel's launches look like --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A workload is read from YAML (docs/workload.md): a source, a sequence of
// launches over named buffers, sizes to tune and to check, the defines and
// perhaps the space to search. Everything here is as written; resolve()
// (Problem.h) makes it concrete for one size and one choice of defines.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_WORKLOAD_WORKLOAD_H
#define GPUPRUNE_WORKLOAD_WORKLOAD_H

#include "gpuprune/Support/BufferRole.h"
#include "gpuprune/Support/DataFile.h"
#include "gpuprune/Support/Dim3.h"
#include "gpuprune/Support/ElementLayout.h"
#include "gpuprune/Workload/Expression.h"
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuprune {

/// Where a value stands in the file.
struct Place {
  std::string Key; ///< The path of keys, "buffers.A.count".
  unsigned Line = 0;
  unsigned Column = 0;
};

struct LocatedExpression {
  Expression Value;
  Place Where;
};

/// A macro of the source and the values to try; the first is the author's.
struct DefineSpec {
  std::string Name;
  std::vector<std::string> Values;
  /// Whether the kernel computes the same with each of them, which is checked. Else a
  /// value other than the author's computes another result, and may win with it.
  bool SameResult = true;
};

struct FillSpec;

/// A number of a fill: what is written, and where it goes.
struct FillPart {
  LocatedExpression Value;
  /// Where it goes as a double: of a floating-point type any number, else an integer.
  double FillSpec::*Real = nullptr;
  int64_t FillSpec::*Integer = nullptr; ///< Where it goes as an integer; without Real it always is one.
  bool IsElement = false;               ///< Elements have to hold it.
  std::optional<int64_t> Least = {};    ///< It may not be less.
  bool operator==(const FillPart &Other) const {
    return Value.Value.text() == Other.Value.Value.text() && Real == Other.Real && Integer == Other.Integer;
  }
};

/// What a buffer holds before a launch; buffers with the role Out have None.
struct FillSpec {
  enum class Kind {
    None,
    Zero,
    Constant,
    Uniform,
    Sorted, ///< Uniform, but that no element is less than the one before it.
    Iota,
    Affine,
    Shift,
    Permutation,
    Clustered,
    Values,
    File,
    Fields
  };
  Kind FillKind = Kind::None;
  /// Uniform, Sorted: the bounds. For integer types both are included. Constant: Low.
  double Low = 0;
  double High = 0;
  /// The same, exact, for integer element types.
  int64_t LowInteger = 0;
  int64_t HighInteger = 0;
  /// Affine: element i holds Start + Step * i and a random part up to Jitter. Integers
  /// for integer types, each of at most 2^53 in magnitude.
  double Start = 0;
  double Step = 0;
  double Jitter = 0;
  uint64_t Seed = 0; ///< Of what is random; without one written, differs from buffer to buffer.
  int64_t Shift =
      0; ///< Shift: element i holds (i + Shift) mod count; as resolved at least 0 and below count.
  /// Clustered: element i holds an index that is at most Window away from (i / Per) mod Among, and below
  /// Among. Among 0: as many as there are groups of Per elements.
  int64_t Window = 0;
  int64_t Per = 1;
  int64_t Among = 0;
  /// Constant, Uniform, Affine: elements on the diagonal of a square matrix are zero,
  bool ZeroDiagonal = false;
  uint64_t Columns = 0; ///< which has so many columns, as resolve() finds.
  /// Values: each as written, and the bytes of the elements that resolve() makes of the first ones.
  std::shared_ptr<const std::vector<LocatedExpression>> List;
  std::vector<uint8_t> Bytes;
  std::shared_ptr<const DataFile>
      File;                     ///< File: elements, or whole structures, lie in it one after the other
  uint64_t FileOffset = 0;      ///< from this byte on.
  std::vector<FillPart> Parts;  ///< Numbers above that resolve() finds; none in what it returns.
  std::vector<FillSpec> Fields; ///< Fields: of each field of the structure.
  bool operator==(const FillSpec &) const = default;
};

struct BufferSpec {
  std::string Name;
  ElementLayout Type = ElementType::F32;
  LocatedExpression Count;              ///< Elements; of a buffer with a shape, the product of its extents.
  std::vector<LocatedExpression> Shape; ///< Extents, the slowest first; perhaps none.
  FillSpec Fill;
  BufferRole Role = BufferRole::In; ///< Of one with the role temp: Out.
  bool Temporary =
      false; ///< Nothing reads it after the launches, so that the whole may leave anything in it.
  /// Not empty: the buffer is no argument but the contents of this __constant__ or
  /// __device__ variable. Its role is In.
  std::string Symbol;
  /// Where on the device it lies: pointers in structures and in memory may point into it.
  std::optional<uint64_t> Address;
  Place Where;        ///< Of the buffer,
  Place SymbolWhere;  ///< and of Symbol,
  Place AddressWhere; ///< and of Address.
};

/// A kernel argument: a buffer's address, a scalar or a structure of scalars.
struct ArgumentSpec {
  std::optional<unsigned> Buffer;          ///< Index into Workload::Buffers.
  std::optional<LocatedExpression> Offset; ///< Of a buffer: the element that it points to; none: the first.
  ElementType Type = ElementType::I32;
  std::optional<LocatedExpression> Value; ///< Of a scalar that is an expression,
  double Real = 0;                        ///< else a floating-point literal.
  std::optional<ElementLayout> Structure; ///< Then the above are meaningless, and there are Fields:
  std::vector<ArgumentSpec> Fields;       ///< a scalar for each of the structure's.
  Place Where;
};

struct LaunchSpec {
  std::string Kernel; ///< As in the source, or mangled.
  Place KernelWhere;
  std::vector<LocatedExpression> Grid;  ///< One to three: x, y, z.
  std::vector<LocatedExpression> Block; ///< The same.
  std::optional<LocatedExpression> Shared;
  std::vector<ArgumentSpec> Arguments;
  Place ArgumentsWhere;
};

/// What the program does between filling the buffers and using the results.
struct StepSpec {
  enum class Kind { Launch, Swap, Repeat };
  Kind StepKind = Kind::Launch;
  unsigned Launch = 0; ///< Index into Workload::Launches.
  std::array<unsigned, 2> Swapped =
      {}; ///< Indices into Workload::Buffers: from now on each name is the other's.
  /// Repeat: Steps once for each value of Variable from From to To, both included.
  std::string Variable;
  std::optional<LocatedExpression> From, To;
  std::vector<StepSpec> Steps;
  Place Where;
};

/// Which iterations of a repeated launch are compared at one size.
struct IterationSample {
  std::string Size;                  ///< "n=64"
  std::vector<std::string> Compared; ///< "k=0"
  std::vector<std::string> Others;   ///< "k=2 to k=31": only the whole compares them.
  bool IsTune = false;               ///< Of the size to tune, where the last of Compared is timed.
  bool operator==(const IterationSample &) const = default;
};

/// A placeholder of the pipeline and its values: integers or words.
struct ParameterSpec {
  std::string Name;
  std::vector<std::string> Values;
  Place Where;
};

/// The space as the author of the workload wants it searched.
struct SpaceSpec {
  std::string Pipeline; ///< With {name} where a parameter's value goes; may be empty where Blocks is not.
  Place PipelineWhere;
  std::vector<ParameterSpec> Parameters;
  std::vector<std::optional<Dim3>>
      Blocks; ///< Threads; nullopt: as the launch says. Empty: nothing to choose.
  std::vector<LocatedExpression> Constraints; ///< Over sizes, defines and integer parameters.
};

/// |got - reference| <= Absolute + Relative * |reference|, against stock clang and where the order of sums is
/// open.
struct ToleranceSpec {
  double Relative = 1e-5;
  std::optional<double> Absolute; ///< None: Relative times the median magnitude in the reference's buffer.
};

/// What the whole sequence does, for rates: Amount in Unit, "flop" or "byte".
struct WorkSpec {
  std::string Unit;
  LocatedExpression Amount;
};

/// A file that buffers take their contents from.
struct NamedFile {
  std::string Written; ///< Its path in the workload.
  std::shared_ptr<const DataFile> File;
};

struct Workload {
  std::string Path;   ///< Of the YAML file, as given; of a bundle's copy that of the file it was copied from.
  std::string Here;   ///< The file that was read, the copy; errors name it.
  std::string Source; ///< Of the CUDA source, joined with the directory of Path.
  Place SourceWhere;
  std::vector<std::string> Flags;
  std::vector<DefineSpec> Defines;
  std::vector<std::string> SizeNames; ///< In the order of the file.
  Environment TuneSize;
  std::vector<Environment> CheckSizes;
  std::vector<BufferSpec> Buffers;
  std::vector<NamedFile> Files;     ///< Each once.
  std::vector<LaunchSpec> Launches; ///< In the order of the file.
  std::vector<StepSpec> Steps;      ///< In the order of the program.
  /// Which of Launches is tuned. All others, and swaps, make the state that it starts from.
  unsigned Tuned = 0;
  /// Where the tuned launch is repeated, the variables of the repeats around it. TuneSize and CheckSizes then
  /// have values of them, those of iterations that stand for all, and SizeNames has their names.
  std::vector<std::string> Variables;
  std::vector<IterationSample> Samples; ///< At each of the sequence's sizes.
  /// Where upToLaunch() made this: all of the sequence.
  std::shared_ptr<const Workload> Whole;
  ToleranceSpec Tolerance;
  std::optional<WorkSpec> Work;
  std::optional<SpaceSpec> Space;
  /// Dimensions in which the author promises that the kernel takes any block that the launch follows.
  std::array<bool, 3> BlockPromised = {};

  const LaunchSpec &tuned() const { return Launches[Tuned]; }
  /// Whether there is more than one launch.
  bool isSequence() const {
    return Steps.size() > 1 || (Steps.size() == 1 && Steps.front().StepKind != StepSpec::Kind::Launch);
  }
  bool isRepeated() const { return !Variables.empty(); }
  /// Whether the tuned launch's block may have another extent in \p Dimension (0, 1, 2 for x, y, z): it is a
  /// number, and grid, shared or an argument follows it.
  bool blockIsFree(unsigned Dimension) const;
  /// Whether the dynamic shared memory or an argument of the tuned launch is computed from the block's
  /// extent in \p Dimension.
  bool kernelSeesBlock(unsigned Dimension) const;
  /// An error of kind Input that starts "FILE:LINE:COLUMN: KEY: ".
  llvm::Error errorAt(const Place &Where, const llvm::Twine &Message) const;
};

/// Parses \p Text, read from \p Path, and makes sure that tune and check sizes
/// resolve with the author's defines, the first values. Errors have the kind Input
/// and give file, line, column and key. A file that the workload names is one of \p Files, which were read
/// before, or is read from the folder of \p Path. Where \p Copy is not empty, \p Text was read from there.
llvm::Expected<Workload> parseWorkload(llvm::StringRef Text, llvm::StringRef Path,
                                       std::vector<NamedFile> Files = {}, llvm::StringRef Copy = "");

/// Reads a workload; for a directory, the file workload.yaml in it. A file that
/// cannot be read is an error of kind Io.
llvm::Expected<Workload> loadWorkload(llvm::StringRef FileOrDirectory, std::vector<NamedFile> Files = {});

} // namespace gpuprune

#endif // GPUPRUNE_WORKLOAD_WORKLOAD_H
