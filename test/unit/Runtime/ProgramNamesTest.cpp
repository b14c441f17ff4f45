//===- ProgramNamesTest.cpp - Tells programs apart by a short name ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProgramNames.h"
#include "gtest/gtest.h"

using namespace gpuprune;
using namespace gpuprune::protocol;

namespace {

/// So many launches of the same kernel with other numbers.
Program programOf(unsigned Launches, int64_t First = 0) {
  Program P;
  for (unsigned I = 0; I != Launches; ++I) {
    Launch &L = P.Launches.emplace_back();
    L.Symbol = "step";
    L.Args = {Argument::integer(ElementType::I32, First + I)};
  }
  return P;
}

TEST(ProgramNames, EqualProgramsHaveOneNameAndOthersOthers) {
  ProgramNames Names;
  std::string Name = Names.nameOf(programOf(3));
  Program InFront = programOf(3), Untimed = programOf(3);
  InFront.Launches[0].Args[0].Bits = 7;
  Untimed.Untimed = 2;
  for (const Program &Other : {programOf(2), programOf(4), programOf(3, 1), InFront, Untimed, Program()})
    EXPECT_NE(Names.nameOf(Other), Name);
  EXPECT_EQ(Names.nameOf(programOf(3)), Name);
  EXPECT_EQ(Names.nameOf(InFront), Names.nameOf(InFront));
}

TEST(ProgramNames, WhatWasForgottenGetsANameThatNoOtherHad) {
  ProgramNames Names;
  std::string Name = Names.nameOf(programOf(20000));
  std::string Other = Names.nameOf(programOf(20000, 1)), Again = Names.nameOf(programOf(20000));
  EXPECT_NE(Again, Name);
  EXPECT_NE(Again, Other);
  std::string Huge = Names.nameOf(programOf(100000));
  EXPECT_EQ(Names.nameOf(programOf(100000)), Huge) << "the last one is kept, whatever its size";
}

} // namespace
