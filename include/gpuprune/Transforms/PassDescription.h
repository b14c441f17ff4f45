//===- PassDescription.h - What others than LLVM know of a pass --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tuner, the plugin and reports ask these descriptions and know no pass by name.
// No IR here: search works on variants as text. A pass makes its description beside
// its code (PassDescriptor.h).
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_PASSDESCRIPTION_H
#define GPUPRUNE_TRANSFORMS_PASSDESCRIPTION_H

#include "gpuprune/Transforms/OptionForm.h"
#include "gpuprune/Transforms/PassOffer.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace gpuprune {

enum class PassRole : uint8_t {
  Choice,      ///< One of a variant's.
  Preparation, ///< Runs before all others in any case.
  Printer,     ///< Prints and changes nothing.
};

struct PassDescription {
  llvm::StringRef Name;
  llvm::StringRef Effect; ///< In some words: "one block does the work of several".
  PassRole Role = PassRole::Choice;
  std::vector<OptionForm> Options;

  /// Whether \p Options, the text between the angle brackets, can be read; Input errors otherwise.
  std::function<llvm::Error(llvm::StringRef Options)> Check;
  /// Whether the host has to launch the kernel in another way afterwards. Input errors.
  std::function<llvm::Expected<bool>(llvm::StringRef Options)> ChangesLaunch;
  /// Whether what becomes of a kernel may depend on others of its file. Input errors.
  std::function<llvm::Expected<bool>(llvm::StringRef Options)> LooksAtOtherKernels;

  /// The steps up to -O3 are the same with and without it: it acts behind them, or in ptxas.
  bool ActsBehindO3 = false;
  /// It has so many blocks launched for each multiprocessor, whatever the block.
  bool LaunchesPerMultiprocessor = false;
  /// Drops the parameters that change nothing; whether the element still does anything. Null: it does.
  bool (*Normalise)(PassElement &Element) = nullptr;
  /// Writes the author's block in place of a word for it. Null: there is no such word.
  void (*NameBlock)(PassElement &Element, const Dim3 &Block) = nullptr;
  /// Lets the element take these grids, as far as it can. Null: it takes any.
  void (*FitGrids)(PassElement &Element, const LaunchGrids &Grids) = nullptr;
  /// Whether values are to lie in local memory of the kernel that is tuned. Null: never.
  bool (*SpillsToLocal)(const PassElement &Element) = nullptr;

  /// The option of that key; null where there is none.
  const OptionForm *option(llvm::StringRef Key) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_PASSDESCRIPTION_H
