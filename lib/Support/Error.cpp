//===- Error.cpp - Typed errors -------------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/Error.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprune {

StringRef errorKindName(ErrorKind Kind) {
  switch (Kind) {
  case ErrorKind::Usage:
    return "usage";
  case ErrorKind::Input:
    return "input";
  case ErrorKind::Refused:
    return "refused";
  case ErrorKind::Frontend:
    return "frontend";
  case ErrorKind::CodeGen:
    return "codegen";
  case ErrorKind::Ptxas:
    return "ptxas";
  case ErrorKind::Resources:
    return "resources";
  case ErrorKind::Toolchain:
    return "toolchain";
  case ErrorKind::Runner:
    return "runner";
  case ErrorKind::Io:
    return "io";
  case ErrorKind::Internal:
    return "internal";
  }
  llvm_unreachable("every kind has a name");
}

char ToolError::ID = 0;

ToolError::ToolError(ErrorKind Kind, const Twine &Message) : Kind(Kind), Text(Message.str()) {}

void ToolError::log(raw_ostream &OS) const { OS << Text; }

std::error_code ToolError::convertToErrorCode() const { return inconvertibleErrorCode(); }

Error makeError(ErrorKind Kind, const Twine &Message) { return make_error<ToolError>(Kind, Message); }

char RefusalError::ID = 0;

RefusalError::RefusalError(RefusalKind Refusal, StringRef Pass, StringRef Kernel, const Twine &Message)
    : ErrorInfo(ErrorKind::Refused, refusalText(Refusal, Pass, Kernel, Message)), Refusal(Refusal),
      Pass(Pass.str()), Kernel(Kernel.str()), Reason(Message.str()) {}

std::string refusalText(RefusalKind Refusal, StringRef Pass, StringRef Kernel, const Twine &Message) {
  std::string Who = Pass.empty() ? "" : (Pass + " ").str();
  std::string Whom = Kernel.empty() ? "" : ("'" + Kernel + "' ").str();
  return (Who + "refused " + Whom + "(" + refusalName(Refusal) + "): " + Message).str();
}

Error makeRefusal(RefusalKind Refusal, const Twine &Message) {
  return make_error<RefusalError>(Refusal, "", "", Message);
}

TakenError takeError(Error E) {
  TakenError Taken;
  bool HasKind = false;
  auto Append = [&](StringRef Text) {
    if (!Taken.Text.empty())
      Taken.Text += '\n';
    Taken.Text += Text;
  };
  handleAllErrors(
      std::move(E),
      [&](const ToolError &T) {
        if (!HasKind) {
          Taken.Kind = T.kind();
          if (T.isA(RefusalError::classID()))
            Taken.Refusal = static_cast<const RefusalError &>(T).refusal();
        }
        HasKind = true;
        Append(T.text());
      },
      [&](const ErrorInfoBase &Other) { Append(Other.message()); });
  return Taken;
}

} // namespace gpuprune
