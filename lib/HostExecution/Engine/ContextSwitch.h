//===- ContextSwitch.h - From one stack to another -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_CONTEXTSWITCH_H
#define GPUPRUNE_LIB_HOSTEXECUTION_CONTEXTSWITCH_H

extern "C" {
/// Saves what the calling convention has a function preserve on the stack, the
/// stack pointer in *\p Save, and continues where \p To was saved. The floating-point
/// environment is not saved: nothing changes it across a switch.
void gpupruneSwitchStack(void **Save, void *To);
}

namespace gpuprune {

/// A saved stack pointer from which a switch calls \p Entry with \p Argument on the
/// stack that ends at \p Top, a multiple of 16. \p Entry must not return.
void *prepareStack(char *Top, void (*Entry)(void *), void *Argument);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_CONTEXTSWITCH_H
