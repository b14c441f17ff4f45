//===- KernelTree.cpp - A kernel as a tree of statements -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelTree.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprune::differential {

StringRef opName(Op Kind) {
  static constexpr StringLiteral Names[] = {
#define GPUPRUNE_NODE(Name, Kind) #Name,
#include "KernelNodes.def"
  };
  return Names[size_t(Kind)];
}

bool isStatement(Op Kind) {
  static constexpr char Kinds[] = {
#define GPUPRUNE_NODE(Name, Kind) #Kind[0],
#include "KernelNodes.def"
  };
  return Kinds[size_t(Kind)] != 'E';
}

static size_t size(const Node &N) {
  size_t Sum = 1;
  for (const Node &Kid : N.Kids)
    Sum += size(Kid);
  return Sum;
}

size_t size(const KernelTree &Tree) {
  size_t Sum = 0;
  for (const Node &N : Tree.Body)
    Sum += size(N);
  return Sum;
}

static void print(raw_ostream &OS, const Node &N, unsigned Indent) {
  static constexpr const char *TypeNames[] = {"i32", "i64", "f32", "f64"};
  bool Statement = isStatement(N.Kind);
  if (Statement)
    OS.indent(2 * Indent);
  OS << opName(N.Kind) << '.' << TypeNames[size_t(N.Ty)] << ':' << N.Value;
  std::vector<const Node *> Statements;
  ListSeparator Comma;
  if (!N.Kids.empty())
    OS << '(';
  for (const Node &Kid : N.Kids) {
    if (isStatement(Kid.Kind)) {
      Statements.push_back(&Kid);
      continue;
    }
    OS << Comma;
    print(OS, Kid, Indent);
  }
  if (!N.Kids.empty())
    OS << ')';
  if (Statement)
    OS << '\n';
  for (const Node *S : Statements)
    print(OS, *S, Indent + 1);
}

std::string printed(const KernelTree &Tree) {
  std::string Text;
  raw_string_ostream OS(Text);
  auto Shape = [&](const Dim3 &D) { OS << D.X << ',' << D.Y << ',' << D.Z; };
  OS << "grid ";
  Shape(Tree.Grid);
  OS << " block ";
  Shape(Tree.Block);
  OS << formatv(" n {0} m {1}{2}{3}{4}{5}{6}{7}\n", Tree.N, Tree.M, Tree.Is2D ? " 2d" : "",
                Tree.Form == SharedForm::Dynamic  ? " dynamic"
                : Tree.Form == SharedForm::Fields ? " fields"
                                                  : "",
                Tree.Restrict ? " restrict" : "", Tree.SignedIndex ? " signed" : "",
                Tree.Contract ? " contract" : "", Tree.SharedCounts ? " counts" : "");
  for (const Node &N : Tree.Body)
    print(OS, N, 1);
  return Text;
}

} // namespace gpuprune::differential
