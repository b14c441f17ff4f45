//===- PassDescriptor.h - How a pass describes itself ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beside its code a pass defines a function that returns its descriptor;
// GpuPrunePasses.def has a row with the function's name:
//
//   const PassDescriptor &unrollDescriptor() {
//     static const PassDescriptor D = describe<UnrollPass, UnrollOptions>(
//         "the loop does several iterations at once", {.Offer = offerUnrolling});
//     return D;
//   }
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_PASSDESCRIPTOR_H
#define GPUPRUNE_TRANSFORMS_PASSDESCRIPTOR_H

#include "gpuprune/Analysis/LaunchContext.h"
#include "gpuprune/Transforms/PassDescription.h"
#include "gpuprune/Transforms/PassOptions.h"
#include <type_traits>

namespace gpuprune {

/// What is known of a launch for which passes make offers.
struct OfferContext {
  LaunchContext Launch; ///< As the author makes it, at the size to tune.
  /// By index of the kernel's argument: bytes of the buffer that is passed; nothing where it is none.
  std::vector<std::optional<uint64_t>> BufferBytes;
  /// The device variables that the host fills, and their bytes.
  std::vector<std::pair<std::string, uint64_t>> Symbols;
};

/// A pass as LLVM and the tuner need it.
struct PassDescriptor : PassDescription {
  llvm::StringRef ClassName;
  /// Adds the pass to a pipeline over modules, or over functions; the other one is null.
  std::function<llvm::Error(llvm::StringRef Options, llvm::ModulePassManager &)> AddToModule;
  std::function<llvm::Error(llvm::StringRef Options, llvm::FunctionPassManager &)> AddToFunction;
  /// What it offers for the prepared kernel \p F. Null: nothing.
  PassOffers (*Offer)(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                      const OfferContext &Context) = nullptr;
};

/// For passes without options.
struct NoOptions {
  static llvm::Expected<NoOptions> parse(llvm::StringRef Text);
  static std::vector<OptionForm> forms() { return {}; }
};

/// What a pass says of itself besides its options. Each may be left out.
template <typename OptionsT> struct PassTraits {
  PassRole Role = PassRole::Choice;
  bool (*ChangesLaunch)(const OptionsT &) = nullptr;
  bool (*LooksAtOtherKernels)(const OptionsT &) = nullptr;
  bool ActsBehindO3 = false;
  bool LaunchesPerMultiprocessor = false;
  bool (*Normalise)(PassElement &) = nullptr;
  void (*NameBlock)(PassElement &, const Dim3 &) = nullptr;
  void (*FitGrids)(PassElement &, const LaunchGrids &) = nullptr;
  bool (*SpillsToLocal)(const PassElement &) = nullptr;
  PassOffers (*Offer)(llvm::Function &, llvm::FunctionAnalysisManager &, const OfferContext &) = nullptr;
};

/// Asks \p Predicate, which may be null, of the options in a text.
template <typename OptionsT>
std::function<llvm::Expected<bool>(llvm::StringRef)> ofText(bool (*Predicate)(const OptionsT &)) {
  return [Predicate](llvm::StringRef Text) -> llvm::Expected<bool> {
    llvm::Expected<OptionsT> Options = OptionsT::parse(Text);
    if (!Options)
      return Options.takeError();
    return Predicate && Predicate(*Options);
  };
}

/// Adds \p PassT to a pass manager \p ManagerT by the options in a text.
template <typename PassT, typename OptionsT, typename ManagerT> auto adding() {
  return [](llvm::StringRef Text, ManagerT &Passes) -> llvm::Error {
    llvm::Expected<OptionsT> Options = OptionsT::parse(Text);
    if (!Options)
      return Options.takeError();
    if constexpr (std::is_same_v<OptionsT, NoOptions>)
      Passes.addPass(PassT());
    else
      Passes.addPass(PassT(std::move(*Options)));
    return llvm::Error::success();
  };
}

/// The descriptor of \p PassT, which is made of \p OptionsT. \p OptionsT has parse() and forms().
template <typename PassT, typename OptionsT>
PassDescriptor describe(llvm::StringRef Effect, const PassTraits<OptionsT> &Traits = {}) {
  PassDescriptor D;
  D.Name = PassT::PassName;
  D.Effect = Effect;
  D.Role = Traits.Role;
  D.Options = OptionsT::forms();
  D.Check = [](llvm::StringRef Text) { return OptionsT::parse(Text).takeError(); };
  D.ChangesLaunch = ofText(Traits.ChangesLaunch);
  D.LooksAtOtherKernels = ofText(Traits.LooksAtOtherKernels);
  D.ActsBehindO3 = Traits.ActsBehindO3;
  D.LaunchesPerMultiprocessor = Traits.LaunchesPerMultiprocessor;
  D.Normalise = Traits.Normalise;
  D.NameBlock = Traits.NameBlock;
  D.FitGrids = Traits.FitGrids;
  D.SpillsToLocal = Traits.SpillsToLocal;
  D.Offer = Traits.Offer;
  D.ClassName = PassT::name();
  if constexpr (std::is_invocable_v<decltype(&PassT::run), PassT &, llvm::Module &,
                                    llvm::ModuleAnalysisManager &>)
    D.AddToModule = adding<PassT, OptionsT, llvm::ModulePassManager>();
  else
    D.AddToFunction = adding<PassT, OptionsT, llvm::FunctionPassManager>();
  return D;
}

#define GPUPRUNE_PASS(DESCRIPTOR, NAME) const PassDescriptor &DESCRIPTOR();
#include "gpuprune/Transforms/GpuPrunePasses.def"

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_PASSDESCRIPTOR_H
