//===- DeviceRuntime.cpp - What generated code calls ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceRuntime.h"
#include "DevicePrintf.h"
#include "ThreadContext.h"
#include "Worker.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>

using namespace llvm;
using namespace gpuprune;

extern "C" {
#define RUNTIME_FUNCTION(Name, Meets, Result, Parameters) Result Name Parameters;
#include "DeviceRuntime.def"
}

// Of the compiler's own library, under names that are not reserved.
extern "C" {
__int128 divideUnsigned(__int128, __int128) asm("__udivti3");
__int128 remainderUnsigned(__int128, __int128) asm("__umodti3");
__int128 divideSigned(__int128, __int128) asm("__divti3");
__int128 remainderSigned(__int128, __int128) asm("__modti3");
#if defined(__x86_64__)
_Float16 floatToHalf(float) asm("__truncsfhf2");
_Float16 doubleToHalf(double) asm("__truncdfhf2");
float halfToFloat(_Float16) asm("__extendhfsf2");
#endif
}

#if defined(__x86_64__)
/// Rounds to nearest, ties to even; a NaN stays one. Not in the compiler's library of Debian 12, and
/// called where the processor has no such instruction.
static __bf16 floatToBfloat(float Value) {
  uint32_t Bits = llvm::bit_cast<uint32_t>(Value);
  if (std::isnan(Value))
    return llvm::bit_cast<__bf16>(uint16_t(Bits >> 16 | 0x40));
  uint32_t Odd = Bits >> 16 & 1;
  return llvm::bit_cast<__bf16>(uint16_t((Bits + 0x7FFF + Odd) >> 16));
}

/// The same in one rounding: by way of a float that is rounded towards zero and odd where it is not exact.
static __bf16 doubleToBfloat(double Value) {
  float Nearest = static_cast<float>(Value);
  if (std::isnan(Value) || double(Nearest) == Value)
    return floatToBfloat(Nearest);
  uint32_t Bits = llvm::bit_cast<uint32_t>(Nearest);
  if (std::fabs(double(Nearest)) > std::fabs(Value))
    --Bits;
  return floatToBfloat(llvm::bit_cast<float>(Bits | 1));
}
#endif

/// The call in generated code, for its source line. The return address may belong
/// to the next line.
#define CALLER (reinterpret_cast<uint64_t>(__builtin_return_address(0)) - 1)

static Worker &workerOf(ThreadContext *Thread) { return *Thread->Block->Owner; }

static BlockBarriers::Votes barrierWait(ThreadContext *Thread, uint32_t Number, uint32_t Threads,
                                        bool Predicate, uint64_t Caller) {
  Worker &W = workerOf(Thread);
  W.waitsAt(Caller);
  W.Warps.waitsElsewhere();
  return W.Barriers.wait(Number, Threads, Predicate);
}

void gpuprune_barrier(ThreadContext *Thread, uint32_t Number, uint32_t Threads) {
  barrierWait(Thread, Number, Threads, false, CALLER);
}

uint32_t gpuprune_barrier_popc(ThreadContext *Thread, uint32_t Number, uint32_t Threads, uint32_t Predicate) {
  return barrierWait(Thread, Number, Threads, Predicate, CALLER).Count;
}

uint32_t gpuprune_barrier_and(ThreadContext *Thread, uint32_t Number, uint32_t Threads, uint32_t Predicate) {
  BlockBarriers::Votes Votes = barrierWait(Thread, Number, Threads, Predicate, CALLER);
  return Votes.Count == Votes.Threads;
}

uint32_t gpuprune_barrier_or(ThreadContext *Thread, uint32_t Number, uint32_t Threads, uint32_t Predicate) {
  return barrierWait(Thread, Number, Threads, Predicate, CALLER).Count > 0;
}

void gpuprune_barrier_arrive(ThreadContext *Thread, uint32_t Number, uint32_t Threads) {
  workerOf(Thread).Barriers.arrive(Number, Threads);
}

void gpuprune_cluster_wait(ThreadContext *Thread) {
  // Not the barrier that __syncthreads is.
  barrierWait(Thread, BlockBarriers::ClusterBarrier, 0, false, CALLER);
}

void gpuprune_yield(ThreadContext *Thread) { workerOf(Thread).yield(); }

void gpuprune_step_limit(ThreadContext *Thread) {
  workerOf(Thread).raise(FaultKind::StepLimit, "too many steps", CALLER);
}

static uint64_t meet(ThreadContext *Thread, LaneRequest Request, uint64_t Caller) {
  Worker &W = workerOf(Thread);
  W.waitsAt(Caller);
  if (!W.Warps.meet(Request))
    W.raise(FaultKind::WarpMask,
            formatv("lane {0} calls a warp operation with mask {1:x8}, which does not have it", Thread->Lane,
                    Request.Mask),
            Caller);
  return uint32_t(Request.Result) | uint64_t(Request.Predicate) << 32;
}

uint64_t gpuprune_warp(ThreadContext *Thread, uint32_t Operation, uint32_t Mask, uint64_t Value) {
  return meet(Thread, {WarpOperation(Operation), Mask, Value}, CALLER);
}

uint64_t gpuprune_shuffle(ThreadContext *Thread, uint32_t Operation, uint32_t Mask, uint32_t Value,
                          uint32_t Lane, uint32_t Clamp) {
  return meet(Thread, {WarpOperation(Operation), Mask, Value, Lane, Clamp}, CALLER);
}

uint32_t gpuprune_activemask(ThreadContext *Thread, uint32_t Site) {
  return workerOf(Thread).Warps.activeMask(Site);
}

void gpuprune_exit(ThreadContext *Thread) { workerOf(Thread).endThread(); }

void gpuprune_trap(ThreadContext *Thread) { workerOf(Thread).raise(FaultKind::Trap, "trap", CALLER); }

void gpuprune_assert(ThreadContext *Thread, const char *Condition, const char *File, uint32_t Line,
                     const char *Function) {
  workerOf(Thread).raise(FaultKind::Assertion,
                         formatv("assertion '{0}' failed in {1}, {2}:{3}", Condition, Function, File, Line),
                         CALLER);
}

uint32_t gpuprune_printf(ThreadContext *Thread, const char *Format, const char *Arguments) {
  return formatDevicePrintf(Format, Arguments, workerOf(Thread).Output);
}

/// What raise() is given: it does not come back, and whatever the caller holds then stays.
static std::string outsideOfParameter(int64_t Offset, uint32_t Number, uint64_t All) {
  std::string Where = Offset < 0 ? formatv("{0} bytes before the start", -Offset).str()
                                 : formatv("at byte {0}", Offset).str();
  return formatv(
      "access out of bounds: {0} of the structure that is argument {1}, which has {2} bytes (arguments "
      "are counted from 0)",
      Where, Number, All);
}

void gpuprune_watch(ThreadContext *Thread, const char *Address, uint64_t Bytes, uint32_t Kind, uint32_t Site,
                    uint32_t Used) {
  gpuprune::MemoryAccess Access;
  Access.Kind = AccessKind(Kind);
  Access.Address = reinterpret_cast<uint64_t>(Address);
  Access.Bytes = Bytes;
  Access.Used = Used;
  Access.Site = Site;
  workerOf(Thread).watch(*Thread, Access, Address, CALLER);
}

void gpuprune_watch_parameter(ThreadContext *Thread, const char *Begin, uint64_t All, uint32_t Number,
                              const char *Address, uint64_t Bytes) {
  int64_t Offset = Address - Begin;
  if (Offset < 0 || Offset + Bytes > All)
    workerOf(Thread).raise(FaultKind::Memory, outsideOfParameter(Offset, Number, All), CALLER);
}

void gpuprune_cp_async(ThreadContext *Thread, char *To, const char *From, uint32_t Bytes, uint32_t Taken) {
  workerOf(Thread).Copies.issue(Thread->Linear, To, From, Bytes, Taken);
  workerOf(Thread).Watch.setWritten(To, Bytes, false);
}

void gpuprune_cp_async_commit(ThreadContext *Thread) { workerOf(Thread).Copies.commit(Thread->Linear); }

void gpuprune_cp_async_wait(ThreadContext *Thread, uint32_t GroupsLeft, uint32_t Uncommitted) {
  Worker &W = workerOf(Thread);
  W.Copies.wait(Thread->Linear, GroupsLeft, Uncommitted,
                [&](const char *To, uint32_t Bytes) { W.Watch.setWritten(To, Bytes, true); });
}

uint32_t gpuprune_isspacep(ThreadContext *Thread, const char *Address, uint32_t Space) {
  Worker &W = workerOf(Thread);
  bool Shared = Address >= Thread->Shared && Address < Thread->Shared + Thread->Block->SharedBytes;
  bool Local = W.Fibers.Stacks.contains(Address);
  switch (Space) {
  case NVPTXAS::ADDRESS_SPACE_SHARED:
    return Shared;
  case NVPTXAS::ADDRESS_SPACE_LOCAL:
    return Local;
  case NVPTXAS::ADDRESS_SPACE_GLOBAL:
    return !Shared && !Local;
  default:
    return false;
  }
}

uint64_t gpuprune_clock() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

namespace gpuprune {

static const RuntimeFunction Functions[] = {
#define RUNTIME_FUNCTION(Name, Meets, Result, Parameters) {#Name, reinterpret_cast<void *>(&Name), Meets},
#include "DeviceRuntime.def"
    // What the code generator makes of IR that the processor has no instruction for.
    {"memcpy", reinterpret_cast<void *>(&std::memcpy), false},
    {"memmove", reinterpret_cast<void *>(&std::memmove), false},
    {"memset", reinterpret_cast<void *>(&std::memset), false},
    {"fma", reinterpret_cast<void *>(static_cast<double (*)(double, double, double)>(&std::fma)), false},
    {"fmaf", reinterpret_cast<void *>(static_cast<float (*)(float, float, float)>(&std::fma)), false},
    {"fmod", reinterpret_cast<void *>(static_cast<double (*)(double, double)>(&std::fmod)), false},
    {"fmodf", reinterpret_cast<void *>(static_cast<float (*)(float, float)>(&std::fmod)), false},
#if defined(__x86_64__)
    {"__truncsfhf2", reinterpret_cast<void *>(&floatToHalf), false},
    {"__truncdfhf2", reinterpret_cast<void *>(&doubleToHalf), false},
    {"__extendhfsf2", reinterpret_cast<void *>(&halfToFloat), false},
    {"__truncsfbf2", reinterpret_cast<void *>(&floatToBfloat), false},
    {"__truncdfbf2", reinterpret_cast<void *>(&doubleToBfloat), false},
#endif
    {"__udivti3", reinterpret_cast<void *>(&divideUnsigned), false},
    {"__umodti3", reinterpret_cast<void *>(&remainderUnsigned), false},
    {"__divti3", reinterpret_cast<void *>(&divideSigned), false},
    {"__modti3", reinterpret_cast<void *>(&remainderSigned), false},
};

ArrayRef<RuntimeFunction> runtimeFunctions() { return Functions; }

static const RuntimeFunction *findRuntimeFunction(StringRef Symbol) {
  static const StringMap<const RuntimeFunction *> BySymbol = [] {
    StringMap<const RuntimeFunction *> Map;
    for (const RuntimeFunction &F : Functions)
      Map[F.Symbol] = &F;
    return Map;
  }();
  return BySymbol.lookup(Symbol);
}

bool isRuntimeFunction(StringRef Symbol) { return findRuntimeFunction(Symbol); }

bool isMeetingPoint(StringRef Symbol) {
  const RuntimeFunction *F = findRuntimeFunction(Symbol);
  return F && F->Meets;
}

} // namespace gpuprune
