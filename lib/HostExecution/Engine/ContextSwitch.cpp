//===- ContextSwitch.cpp - From one stack to another ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ContextSwitch.h"
#include <cstdint>
#include <cstring>

#if defined(GPUPRUNE_BOOST_CONTEXT)

#include <boost/context/detail/fcontext.hpp>

using namespace boost::context::detail;

// Boost hands the context that was left to the one that goes on, with a pointer:
// where to keep it. Until somebody goes on there, no other place is known.
static void keep(transfer_t Left) { *static_cast<void **>(Left.data) = Left.fctx; }

extern "C" void gpupruneSwitchStack(void **Save, void *To) { keep(jump_fcontext(To, Save)); }

namespace {
struct Start {
  void (*Entry)(void *);
  void *Argument;
};
} // namespace

/// First takes what it will call, back to prepareStack, and waits there.
static void enter(transfer_t From) {
  Start Todo = *static_cast<Start *>(From.data);
  keep(jump_fcontext(From.fctx, nullptr));
  Todo.Entry(Todo.Argument);
}

void *gpuprune::prepareStack(char *Top, void (*Entry)(void *), void *Argument) {
  Start Todo{Entry, Argument};
  constexpr size_t Unchecked = 4096; // make_fcontext only wants a size; guards are the stack's.
  return jump_fcontext(make_fcontext(Top, Unchecked, enter), &Todo).fctx;
}

#elif defined(__x86_64__)

// Leaves by a jump rather than by ret: the processor's stack of return addresses
// would predict each ret wrongly.
asm(R"(
  .text
  .p2align 4
  .globl gpupruneSwitchStack
  .hidden gpupruneSwitchStack
  .type gpupruneSwitchStack, @function
gpupruneSwitchStack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmpq *%rcx
  .size gpupruneSwitchStack, .-gpupruneSwitchStack

  .p2align 4
  .globl gpupruneEnterStack
  .hidden gpupruneEnterStack
  .type gpupruneEnterStack, @function
gpupruneEnterStack:
  movq %r12, %rdi
  callq *%r13
  ud2
  .size gpupruneEnterStack, .-gpupruneEnterStack
)");

namespace {
/// What gpupruneSwitchStack pops, from the stack pointer upwards.
struct SavedRegisters {
  uint64_t R15, R14, R13, R12, Rbx, Rbp, ReturnAddress, Padding;
};
} // namespace

extern "C" void gpupruneEnterStack();

void *gpuprune::prepareStack(char *Top, void (*Entry)(void *), void *Argument) {
  SavedRegisters Saved = {};
  Saved.R12 = reinterpret_cast<uint64_t>(Argument);
  Saved.R13 = reinterpret_cast<uint64_t>(Entry);
  Saved.ReturnAddress = reinterpret_cast<uint64_t>(&gpupruneEnterStack);
  // The call in gpupruneEnterStack finds the stack pointer at a multiple of 16.
  static_assert(sizeof(SavedRegisters) == 64);
  char *Pointer = Top - sizeof(Saved) - 8;
  std::memcpy(Pointer, &Saved, sizeof(Saved));
  return Pointer;
}

#elif defined(__aarch64__)

asm(R"(
  .text
  .p2align 4
  .globl gpupruneSwitchStack
  .hidden gpupruneSwitchStack
  .type gpupruneSwitchStack, %function
gpupruneSwitchStack:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  br x30
  .size gpupruneSwitchStack, .-gpupruneSwitchStack

  .p2align 4
  .globl gpupruneEnterStack
  .hidden gpupruneEnterStack
  .type gpupruneEnterStack, %function
gpupruneEnterStack:
  mov x0, x19
  blr x20
  brk #1
  .size gpupruneEnterStack, .-gpupruneEnterStack
)");

namespace {
/// What gpupruneSwitchStack loads, from the stack pointer upwards.
struct SavedRegisters {
  uint64_t X19, X20, X21, X22, X23, X24, X25, X26, X27, X28, X29, X30, D8[8];
};
} // namespace

extern "C" void gpupruneEnterStack();

void *gpuprune::prepareStack(char *Top, void (*Entry)(void *), void *Argument) {
  SavedRegisters Saved = {};
  Saved.X19 = reinterpret_cast<uint64_t>(Argument);
  Saved.X20 = reinterpret_cast<uint64_t>(Entry);
  Saved.X30 = reinterpret_cast<uint64_t>(&gpupruneEnterStack);
  static_assert(sizeof(SavedRegisters) == 160);
  char *Pointer = Top - sizeof(Saved);
  std::memcpy(Pointer, &Saved, sizeof(Saved));
  return Pointer;
}

#else
#error "no context switch for this processor: configure with -DGPUPRUNE_BOOST_CONTEXT=ON"
#endif
