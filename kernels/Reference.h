//===- Reference.h - What a kernel must compute, in plain C++ -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// kernels/<name>/reference.cpp computes what the kernel beside it must leave in
// memory, written from the problem and not from the kernel:
//
//   #include "../Reference.h"
//   using namespace gpuprune::kernels;
//
//   static void compute(Problem &P) {
//     auto X = P.input<float>("x");
//     auto Y = P.output<float>("y");
//     for (int64_t I = 0; I < P.size("n"); ++I)
//       Y[I] = P.scalar<float>(1) * X[I] + Y[I];
//   }
//   static const Reference Saxpy("saxpy", compute, {.Relative = 1e-6, .Absolute = 1e-6});
//
// The unit test Kernels finds every reference and runs the kernels against them.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_KERNELS_REFERENCE_H
#define GPUPRUNE_KERNELS_REFERENCE_H

#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace gpuprune::kernels {

/// A buffer of the workload at one size.
struct BufferData {
  /// Before the launch; for an out buffer, zeros that mean nothing. The reference
  /// turns it into what must be there afterwards.
  std::vector<uint8_t> Bytes;
  unsigned ElementBytes = 4;
  bool IsOut = false;        ///< What the reference does not write must stay as it was.
  std::vector<bool> Written; ///< By element, of an out buffer.
};

/// The elements of a buffer that the kernel writes. Element access marks the
/// element as written.
template <typename T> class Output {
public:
  explicit Output(BufferData &B) : B(B), Data(reinterpret_cast<T *>(B.Bytes.data())) {}
  T &operator[](size_t I) {
    B.Written[I] = true;
    return Data[I];
  }
  size_t size() const { return B.Written.size(); }

private:
  BufferData &B;
  T *Data;
};

/// One size of a workload with its buffers filled.
class Problem {
public:
  /// A size variable, or a define with an integer value. The names are the workload's own; a wrong one ends
  /// the test, as does a type of the wrong width.
  int64_t size(const std::string &Name) const { return Sizes.at(Name); }
  /// The scalar, or structure, at \p Position of the kernel's arguments, from 0.
  template <typename T> T scalar(unsigned Position) const {
    T Value;
    std::memcpy(&Value, Scalars.at(Position).data(), sizeof(T));
    return Value;
  }
  template <typename T> std::span<const T> input(const std::string &Name) const {
    const BufferData &B = Buffers.at(Name);
    return {reinterpret_cast<const T *>(B.Bytes.data()), B.Bytes.size() / sizeof(T)};
  }
  /// An out buffer, or an inout buffer with its initial contents. Take a copy of
  /// input(Name) first where old elements are needed after new ones are written.
  template <typename T> Output<T> output(const std::string &Name) { return Output<T>(Buffers.at(Name)); }

  std::map<std::string, int64_t> Sizes;
  std::map<unsigned, std::vector<uint8_t>> Scalars; ///< Object representations by position.
  std::map<std::string, BufferData> Buffers;
};

/// A floating-point element g passes for r when |g - r| <= Absolute + Relative * |r|; integers must be equal.
struct Tolerance {
  double Relative = 0, Absolute = 0;
};

/// Static objects of this type register themselves.
struct Reference {
  Reference(const char *Folder, void (*Compute)(Problem &), Tolerance Allowed)
      : Compute(Compute), Allowed(Allowed) {
    all().emplace(Folder, *this);
  }
  /// By the folder's name.
  static std::map<std::string, Reference> &all() {
    static std::map<std::string, Reference> Known;
    return Known;
  }

  void (*Compute)(Problem &);
  Tolerance Allowed;
};

} // namespace gpuprune::kernels

#endif // GPUPRUNE_KERNELS_REFERENCE_H
