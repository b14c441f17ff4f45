//===- Error.h - Typed errors ---------------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_ERROR_H
#define GPUPRUNE_SUPPORT_ERROR_H

#include "gpuprune/Support/RefusalKind.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace gpuprune {

/// What went wrong, coarse enough to choose an exit code or a variant's status.
enum class ErrorKind {
  Usage,     ///< The command line is wrong.
  Input,     ///< A file the user wrote is wrong: workload, pipeline text, kernel source.
  Refused,   ///< A pass could not prove that it may transform the kernel.
  Frontend,  ///< clang rejected the source.
  CodeGen,   ///< LLVM could not make PTX.
  Ptxas,     ///< ptxas rejected the PTX.
  Resources, ///< The kernel asks for more than the device has.
  Toolchain, ///< A program or library that is needed was not found or is too old.
  Runner,    ///< The measuring process failed.
  Io,        ///< A file could not be read or written.
  Internal,  ///< An invariant of this program does not hold.
};

/// "usage", "input", ...
llvm::StringRef errorKindName(ErrorKind Kind);

/// An error with its kind and a message that says what, where, what was
/// expected and what to do.
class ToolError : public llvm::ErrorInfo<ToolError> {
public:
  static char ID;
  ToolError(ErrorKind Kind, const llvm::Twine &Message);
  ErrorKind kind() const { return Kind; }
  const std::string &text() const { return Text; }
  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override;

private:
  ErrorKind Kind;
  std::string Text;
};

llvm::Error makeError(ErrorKind Kind, const llvm::Twine &Message);

/// A refusal of a pass, or of a launch that does not fit what a kernel is compiled for: a ToolError
/// of kind Refused.
class RefusalError : public llvm::ErrorInfo<RefusalError, ToolError> {
public:
  static char ID;
  /// \p Pass and \p Kernel are empty where a launch is refused.
  RefusalError(RefusalKind Refusal, llvm::StringRef Pass, llvm::StringRef Kernel, const llvm::Twine &Message);
  RefusalKind refusal() const { return Refusal; }
  const std::string &pass() const { return Pass; }
  const std::string &kernel() const { return Kernel; }
  /// The reason alone; text() has pass, kernel and name, too.
  const std::string &reason() const { return Reason; }

private:
  RefusalKind Refusal;
  std::string Pass, Kernel, Reason;
};

/// "gpu-unroll refused 'kernel' (TooLarge): MESSAGE", or "refused (TooLarge): MESSAGE".
std::string refusalText(RefusalKind Refusal, llvm::StringRef Pass, llvm::StringRef Kernel,
                        const llvm::Twine &Message);

/// A refused launch.
llvm::Error makeRefusal(RefusalKind Refusal, const llvm::Twine &Message);

/// The kind of the first ToolError in \p E, its refusal if it is one, and the text of all errors;
/// consumes \p E. An error of another class is Internal.
struct TakenError {
  ErrorKind Kind = ErrorKind::Internal;
  std::string Text;
  std::optional<RefusalKind> Refusal = std::nullopt;
};
TakenError takeError(llvm::Error E);

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_ERROR_H
