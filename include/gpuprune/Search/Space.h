//===- Space.h - The variants to consider ---------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A space is a product of dimensions, thinned by constraints. Every kind of
// dimension has one interface: it has values, and each value contributes
// something to the text of a variant.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_SPACE_H
#define GPUPRUNE_SEARCH_SPACE_H

#include "gpuprune/Search/Variant.h"
#include "gpuprune/Transforms/PassOffer.h"
#include "gpuprune/Workload/Workload.h"
#include "llvm/ADT/StringMap.h"
#include <array>
#include <functional>
#include <memory>

namespace gpuprune {

/// A variant while its dimensions are being chosen.
struct VariantDraft {
  Variant Text;                                ///< Defines and block.
  llvm::StringMap<llvm::StringRef> Parameters; ///< Values of the pipeline's placeholders.
};

enum class DimensionKind : uint8_t {
  Define,    ///< A macro of the source.
  Block,     ///< Block shapes.
  Parameter, ///< A placeholder of the pipeline.
};

/// One independent choice.
class Dimension {
public:
  virtual ~Dimension() = default;
  DimensionKind kind() const { return Kind; }
  llvm::StringRef name() const { return Name; }
  llvm::ArrayRef<std::string> values() const { return Values; }
  /// Adds the value number \p Index to \p Draft. \p Draft does not outlive this.
  virtual void choose(size_t Index, VariantDraft &Draft) const = 0;

protected:
  Dimension(DimensionKind Kind, std::string Name, std::vector<std::string> Values)
      : Kind(Kind), Name(std::move(Name)), Values(std::move(Values)) {}

private:
  DimensionKind Kind;
  std::string Name;
  std::vector<std::string> Values;
};

/// A macro of the source: contributes -DNAME=VALUE.
std::unique_ptr<Dimension> makeDefineDimension(const DefineSpec &Define);
/// A placeholder of the pipeline.
std::unique_ptr<Dimension> makeParameterDimension(std::string Name, std::vector<std::string> Values);
/// Block shapes; nullopt is the launch's own, which no variant names.
std::unique_ptr<Dimension> makeBlockDimension(std::vector<std::optional<Dim3>> Blocks);

/// What a constraint took away.
struct RemovedCombinations {
  std::string Constraint; ///< Its text.
  uint64_t Count = 0;     ///< Combinations that it was the first to refuse.
};

/// What became of the product of all dimensions.
struct Enumeration {
  std::vector<Variant> Variants;            ///< Texts differ; the first dimension changes slowest.
  uint64_t Combinations = 0;                ///< The whole product: the sum of Variants and what follows.
  std::vector<RemovedCombinations> Removed; ///< For each constraint.
  uint64_t Duplicates = 0;                  ///< Texts seen before, such as a layout of no copies.

  uint64_t removedByConstraints() const;
};

class Space {
public:
  /// The most combinations a space may have; more is an error.
  static constexpr uint64_t MaxCombinations = 10'000'000;

  /// \p Pipeline holds {name} where the value of a parameter goes. A parameter
  /// of a pass whose value holds the placeholder of `none` is left out; an element all of
  /// whose placeholders are `none` is left out whole.
  Space(std::vector<PassElement> Pipeline, std::vector<std::unique_ptr<Dimension>> Dimensions,
        std::vector<Expression> Constraints, Environment Sizes);

  /// Lets \p Finish have the last word on each variant's text.
  void finishWith(std::function<void(Variant &)> Finish) { this->Finish = std::move(Finish); }

  /// That values were left out of it, since all together would make \p Combinations.
  void shortenedFrom(uint64_t Combinations) { Unshortened = Combinations; }
  /// Nothing where none were.
  std::optional<uint64_t> combinationsUnshortened() const { return Unshortened; }

  llvm::ArrayRef<std::unique_ptr<Dimension>> dimensions() const { return Dimensions; }
  std::string pipeline() const { return printPipeline(Pipeline); }
  llvm::ArrayRef<Expression> constraints() const { return Constraints; }

  /// All variants, the same ones in the same order each time. An error of kind
  /// Input where a constraint cannot be evaluated.
  llvm::Expected<Enumeration> enumerate() const;

private:
  llvm::Expected<size_t> refusedBy(llvm::ArrayRef<size_t> Choice) const;
  Variant variantOf(llvm::ArrayRef<size_t> Choice) const;

  std::vector<PassElement> Pipeline;
  std::vector<std::unique_ptr<Dimension>> Dimensions;
  std::vector<Expression> Constraints;
  Environment Sizes;
  std::function<void(Variant &)> Finish;
  std::optional<uint64_t> Unshortened;
};

/// The space as workload files write it, under the key `space`; its defines stand elsewhere in the file.
void printYaml(llvm::raw_ostream &OS, const Space &Printed);

/// The space that \p W writes down, with the defines that have more than one value as
/// its first dimensions; \p W.Space must be there. Errors of kind Input, with the
/// place in the file: a placeholder without a parameter, a parameter without a placeholder.
llvm::Expected<Space> spaceOf(const Workload &W);

/// What a space is derived from.
struct SpaceFacts {
  std::vector<PassOffers> Offers;     ///< Of each pass that offers something, in the order of the pipeline.
  Dim3 Block;                         ///< The author's, in threads.
  std::array<bool, 3> BlockFree = {}; ///< Where another extent is as good (Workload::blockIsFree()).
  /// Whether the kernel computes the same in blocks of that shape; null: in all that BlockFree allows.
  std::function<bool(const Dim3 &)> TakesBlock;
  bool HasRaggedLoops = false; ///< Loops whose bounds each thread reads from memory (RaggedLoops.h).
  bool SharesReads = false;    ///< Results share what is read, in shared arrays or in a loop (ReusedLoads.h).
  std::vector<DefineSpec> Defines;
  /// With a variant's defines and block; null, or nothing of a variant: not known.
  std::function<std::optional<LaunchGrids>(const Variant &)> GridsOf;
};

/// A space for a kernel whose workload has none: its defines, blocks, and what the passes offer. A thread
/// gets 64 results at most where they share what is read, else 16. The space is made smaller step by step
/// (PassOffer.h) until there are at most \p MaxVariants combinations of so many results, or to the last step.
Space deriveSpace(const SpaceFacts &Facts, uint64_t MaxVariants = 1800);

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_SPACE_H
