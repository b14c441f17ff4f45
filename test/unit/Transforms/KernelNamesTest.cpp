//===- KernelNamesTest.cpp - Kernels by the names in the source --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/KernelNames.h"
#include "gpuprune/Transforms/Kernels.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

namespace {
// template <int N> __global__ void ax(float *);
constexpr StringLiteral Ax2 = "_Z2axILi2EEvPf";
// template <unsigned N> __global__ void u(float *); u<4>
constexpr StringLiteral U4 = "_Z1uILj4EEvPf";
// namespace my { __global__ void kernel(float *); }
constexpr StringLiteral MyKernel = "_ZN2my6kernelEPf";
// namespace ns { template <class T, int N> __global__ void k(T *); } k<float, 4>
constexpr StringLiteral NsK = "_ZN2ns1kIfLi4EEEvPT_";
// template <class T> __global__ void t(T *); t<unsigned>, t<long long>, t<ns::S>
constexpr StringLiteral TUnsigned = "_Z1tIjEvPT_", TLongLong = "_Z1tIxEvPT_", TOfNs = "_Z1tIN2ns1SEEvPT_";
// template <bool B> __global__ void b(); b<true>
constexpr StringLiteral BTrue = "_Z1bILb1EEvv";
// namespace { __global__ void hidden(); }
constexpr StringLiteral Hidden = "_ZN12_GLOBAL__N_16hiddenEv";
} // namespace

TEST(KernelNames, TheFullNameIsTheSources) {
  EXPECT_EQ(kernelFullName(Ax2), "ax<2>");
  EXPECT_EQ(kernelFullName(MyKernel), "my::kernel");
  EXPECT_EQ(kernelFullName(NsK), "ns::k<float, 4>");
  EXPECT_EQ(kernelFullName("plain"), "plain");
  EXPECT_EQ(kernelSourceName(NsK), "k");
}

TEST(KernelNames, WrittenAsInTheSource) {
  EXPECT_TRUE(isKernelNamed(Ax2, "ax<2>"));
  EXPECT_TRUE(isKernelNamed(Ax2, " ax < 2 > "));
  EXPECT_TRUE(isKernelNamed(Ax2, "ax"));
  EXPECT_TRUE(isKernelNamed(Ax2, "::ax<2>"));
  EXPECT_TRUE(isKernelNamed(Ax2, Ax2));
  EXPECT_TRUE(isKernelNamed(NsK, "ns::k<float, 4>"));
  EXPECT_TRUE(isKernelNamed(NsK, "ns::k<float,4>"));
  EXPECT_TRUE(isKernelNamed(NsK, "k<float,4>"));
  EXPECT_TRUE(isKernelNamed(NsK, "ns::k"));
  EXPECT_TRUE(isKernelNamed(NsK, "k"));
  EXPECT_TRUE(isKernelNamed(MyKernel, "my::kernel"));
  EXPECT_TRUE(isKernelNamed(MyKernel, "::my::kernel"));
  EXPECT_TRUE(isKernelNamed(MyKernel, "kernel"));
  EXPECT_TRUE(isKernelNamed(BTrue, "b<true>"));
  EXPECT_TRUE(isKernelNamed(TOfNs, "t<ns::S>"));
  EXPECT_TRUE(isKernelNamed(Hidden, "hidden"));
  EXPECT_TRUE(isKernelNamed(Hidden, "(anonymous namespace)::hidden"));
  EXPECT_TRUE(isKernelNamed("plain", "plain"));
}

TEST(KernelNames, OtherSpellingsOfIntegers) {
  for (StringRef Name : {"u<4>", "u<4u>", "u<4U>"})
    EXPECT_TRUE(isKernelNamed(U4, Name)) << Name.str();
  for (StringRef Name : {"t<unsigned>", "t<unsigned int>", "t<int unsigned>"})
    EXPECT_TRUE(isKernelNamed(TUnsigned, Name)) << Name.str();
  for (StringRef Name : {"t<long long>", "t<long long int>", "t<signed long long>"})
    EXPECT_TRUE(isKernelNamed(TLongLong, Name)) << Name.str();
}

TEST(KernelNames, OthersAreOthers) {
  for (StringRef Name : {"", " ", "a", "x<2>", "ax<3>", "ax<2", "ax2>", "ns::ax", "ax<>", "ax<2>>", "Ax<2>"})
    EXPECT_FALSE(isKernelNamed(Ax2, Name)) << Name.str();
  for (StringRef Name : {"::k", "::kernel", "s::k", "k<float>", "k<float, 5>", "k<double, 4>", "float, 4>"})
    EXPECT_FALSE(isKernelNamed(NsK, Name)) << Name.str();
  EXPECT_FALSE(isKernelNamed(MyKernel, "::kernel"));
  EXPECT_FALSE(isKernelNamed(TOfNs, "S>")) << "scopes inside of template arguments are not the kernel's";
  EXPECT_FALSE(isKernelNamed(TLongLong, "t<long>"));
  EXPECT_FALSE(isKernelNamed(TUnsigned, "t<int>"));
  EXPECT_FALSE(isKernelNamed("plain", "plai"));
}

TEST(KernelNames, EachIsToldApart) {
  // k() and ns::k(); two overloads, which only their symbols tell apart.
  EXPECT_EQ(distinctKernelNames({"_Z1kv", "_ZN2ns1kEv"}), (std::vector<std::string>{"::k", "ns::k"}));
  EXPECT_EQ(distinctKernelNames({"_Z1kPf", "_Z1kPd"}), (std::vector<std::string>{"_Z1kPf", "_Z1kPd"}));
  EXPECT_EQ(distinctKernelNames({"_Z1tIjEvPT_", "_Z1tIxEvPT_"}),
            (std::vector<std::string>{"t<unsigned int>", "t<long long>"}));
}
