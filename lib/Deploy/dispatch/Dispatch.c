//===- Dispatch.c - Launches the tuned kernel or the author's ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Becomes part of each host file that launches a kernel with a tuning record. It takes CUDA's runtime from
// the program, whatever version that is, so it declares what it calls itself; needs no library; holds no
// lock. What it leaves behind is what the author's launch would: cudaGetLastError() is as it was.
//
//===----------------------------------------------------------------------===//
#include "Dispatch.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* CUDA's runtime API, as far as it is needed: driver_types.h. */
struct dim3 {
  unsigned x, y, z;
};
struct LaunchConfig { /* cudaLaunchConfig_t */
  struct dim3 grid, block;
  size_t shared;
  void *stream;
  void *attributes;
  unsigned attributeCount;
};
struct FunctionAttributes { /* cudaFuncAttributes, which later versions lengthen */
  size_t sharedBytes, constBytes, localBytes;
  int maxThreads, registers, ptxVersion, binaryVersion, cacheMode, maxDynamicShared, carveout;
  char later[256];
};
enum {
  Success = 0,
  InvalidValue = 1,
  InvalidDeviceFunction = 98,
  InvalidKernelImage = 200,
  NoKernelImageForDevice = 209,
  SymbolNotFound = 500
};
enum { MaxDynamicSharedSize = 8, PreferredCarveout = 9 }; /* cudaFuncAttribute */
enum {
  MultiprocessorCount = 16,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76
}; /* cudaDeviceAttr */
enum { MostGridBlocks = 65535 }; /* LaunchContract.h */
enum { LeastIterations = 2 };    /* For fewer, more blocks do not pay. */

extern int cudaGetDevice(int *device);
extern int cudaGetDeviceCount(int *count);
extern int cudaDeviceGetAttribute(int *value, int attribute, int device);
extern int cudaPeekAtLastError(void);
extern int cudaGetLastError(void);
extern int cudaFuncGetAttributes(struct FunctionAttributes *attributes, const void *function);
extern int cudaFuncSetAttribute(const void *function, int attribute, int value);

typedef int LaunchFunction(const void *function, struct dim3 grid, struct dim3 block, void **arguments,
                           size_t shared, void *stream);
typedef int ConfigLaunchFunction(const struct LaunchConfig *config, const void *function, void **arguments);

/* What is done at each launch. In one function, extents stay in registers: written to memory in pieces and
   read as a whole, they would make a choice take a quarter longer. */
#define EACH_TIME static inline __attribute__((always_inline))
#define SELDOM static __attribute__((noinline))

struct Extents {
  uint32_t grid[3], block[3];
  size_t shared;
};

/* One of the author's launches. */
struct Launch {
  struct Extents its;
  void *stream;
  void **arguments;
  LaunchFunction *function;
  ConfigLaunchFunction *configFunction; /* null: function is called */
  const struct LaunchConfig *config;
};

/* NeverFailsAlone: it is there, and has nothing, like local memory, for want of which a launch fails while
   one of the author's kernel does not. */
enum Answer { Unasked, IsNot, IsThere, NeverFailsAlone };

/* What the program has set on one device or another; Known: what the tuned kernel gets, too. */
enum Attributes { NoAttributes, KnownAttributes, OtherAttributes };

/* GPUPRUNE_DISPATCH and GPUPRUNE_TRACE of the environment; Known: they were read. */
enum Mode { Known = 1, OriginalAlways = 2, Traced = 4 };
static uint32_t modeBits;
static struct GpuPruneListed *traced;

static uint64_t load64(uint64_t *from) { return __atomic_load_n(from, __ATOMIC_RELAXED); }

static const char *plural(uint64_t count) { return count == 1 ? "" : "es"; }

static void report(void) {
  static const char *const reasons[GPUPRUNE_COUNTS] = {
      NULL, "outside of the records' conditions", "because the tuned kernel is not there as recorded",
      "because of an error", "because of GPUPRUNE_DISPATCH=original"};
  for (struct GpuPruneListed *at = __atomic_load_n(&traced, __ATOMIC_ACQUIRE); at; at = at->next) {
    uint64_t *counts = at->kernel->counts, tuned = load64(&counts[GPUPRUNE_TUNED]), original = 0;
    for (int kind = GPUPRUNE_TUNED + 1; kind != GPUPRUNE_COUNTS; ++kind)
      original += load64(&counts[kind]);
    fprintf(stderr, "gpuprune: %s: %llu launch%s tuned, %llu original", at->kernel->name,
            (unsigned long long)tuned, plural(tuned), (unsigned long long)original);
    const char *separator = " (";
    for (int kind = GPUPRUNE_TUNED + 1; kind != GPUPRUNE_COUNTS; ++kind)
      if (load64(&counts[kind])) {
        fprintf(stderr, "%s%llu %s", separator, (unsigned long long)load64(&counts[kind]), reasons[kind]);
        separator = ", ";
      }
    fprintf(stderr, "%s\n", original ? ")" : "");
  }
}

SELDOM uint32_t readMode(void) {
  const char *dispatch = getenv("GPUPRUNE_DISPATCH"), *trace = getenv("GPUPRUNE_TRACE");
  uint32_t bits = Known;
  if (dispatch && strcmp(dispatch, "original") == 0)
    bits |= OriginalAlways;
  else if (dispatch && *dispatch)
    fprintf(stderr, "gpuprune: GPUPRUNE_DISPATCH is '%s', expected 'original'; it is ignored\n", dispatch);
  if (trace && *trace && strcmp(trace, "0") != 0)
    bits |= Traced;
  uint32_t unread = 0;
  if (__atomic_compare_exchange_n(&modeBits, &unread, bits, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
      (bits & Traced))
    atexit(report);
  return bits;
}

EACH_TIME uint32_t mode(void) {
  uint32_t bits = __atomic_load_n(&modeBits, __ATOMIC_RELAXED);
  return bits ? bits : readMode();
}

SELDOM void count(const struct GpuPruneKernel *kernel, int kind) {
  __atomic_fetch_add(&kernel->counts[kind], 1, __ATOMIC_RELAXED);
  struct GpuPruneListed *own = kernel->listed;
  if (__atomic_load_n(&own->isListed, __ATOMIC_RELAXED) ||
      __atomic_exchange_n(&own->isListed, 1, __ATOMIC_RELAXED))
    return;
  own->kernel = kernel;
  own->next = __atomic_load_n(&traced, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&traced, &own->next, own, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    ;
}

/* Whether the launch can be one in the tuned kernel's own blocks, as BlockChange::regrouped() has it; it is
   then made that. */
EACH_TIME int changeBlock(const uint32_t own[3], struct Extents *its) {
  const uint32_t most[3] = {INT32_MAX, UINT16_MAX, UINT16_MAX};
  for (int d = 0; d != 3; ++d) {
    if (its->block[d] == own[d])
      continue;
    uint64_t threads = (uint64_t)its->grid[d] * its->block[d];
    if (threads > INT32_MAX || threads % own[d] != 0 || threads / own[d] > most[d])
      return 0;
    its->grid[d] = (uint32_t)(threads / own[d]);
    its->block[d] = own[d];
  }
  return 1;
}

/* Whether the extents divide as apply() (LaunchContract.cpp) divides them. */
EACH_TIME int divide(const uint32_t extents[3], const uint32_t divisors[3], uint32_t roundsUp,
                     uint32_t into[3]) {
  for (int d = 0; d != 3; ++d) {
    uint32_t whole = extents[d], divisor = divisors[d];
    if (divisor != 1) { /* Most are, and dividing is most of what a choice would cost. */
      whole /= divisor;
      if (whole * divisor != extents[d] && (!(roundsUp >> d & 1) || ++whole > (1u << 31) / divisor))
        return 0;
    }
    if (whole == 0)
      return 0;
    into[d] = whole;
  }
  return 1;
}

/* Of a kernel that is there: only with the device code it is known that its parameters are the record's. */
EACH_TIME int pointersFit(const struct GpuPruneTuned *tuned, void **arguments) {
  if (tuned->pointerAlignment <= 1)
    return 1;
  for (uint32_t p = 0; p != tuned->pointerCount; ++p) {
    const struct GpuPrunePointer *at = &tuned->pointers[p];
    uintptr_t address;
    memcpy(&address, (const char *)arguments[at->argument] + at->offset, sizeof(address));
    if (address % tuned->pointerAlignment != 0)
      return 0;
  }
  return 1;
}

/* Of a kernel that is right in any grid, own has the blocks for one to launch: how many, the device decides.
   Whether it is right in place of the author's. */
EACH_TIME int freeGrid(const struct GpuPruneTuned *tuned, struct Extents *own) {
  if (!tuned->gridBlocks)
    return 1;
  if (tuned->persistentBlocks || own->grid[0] < 2 || own->grid[0] > MostGridBlocks)
    return 0;
  own->grid[0] = tuned->gridDivisor[0];
  return 1;
}

/* Whether the record is about such a launch; then own is one in blocks of the tuned kernel, and physical what
   is to be launched for it. */
EACH_TIME int holds(const struct GpuPruneTuned *tuned, const struct Extents *its, struct Extents *own,
                    struct Extents *physical) {
  if (its->block[0] != tuned->block[0] || its->block[1] != tuned->block[1] ||
      its->block[2] != tuned->block[2])
    return 0;
  /* Of a larger grid the author's launch fails; a part of it might not. */
  if (its->grid[0] > INT32_MAX || its->grid[1] > UINT16_MAX || its->grid[2] > UINT16_MAX)
    return 0;
  uint64_t blocks = (uint64_t)its->grid[0] * its->grid[1] * its->grid[2];
  if (blocks < tuned->leastBlocks || blocks > tuned->mostBlocks || its->shared > UINT32_MAX)
    return 0;
  *own = *its;
  if (!changeBlock(tuned->ownBlock, own) || !freeGrid(tuned, own) ||
      !divide(own->grid, tuned->gridDivisor, tuned->anyGrid, physical->grid) ||
      !divide(own->block, tuned->blockDivisor, 0, physical->block))
    return 0;
  /* Each extent is one of a grid that can be launched. */
  if (tuned->persistentBlocks &&
      (uint64_t)physical->grid[0] * physical->grid[1] * physical->grid[2] > INT32_MAX)
    return 0;
  physical->shared = own->shared;
  if (tuned->sharedCopies > 1) {
    size_t alignment = tuned->sharedCopyAlignment;
    physical->shared = (own->shared + alignment - 1) / alignment * alignment * tuned->sharedCopies;
  }
  physical->shared += tuned->sharedArrays;
  return physical->shared <= INT32_MAX;
}

/* Errors that say that there is no such kernel for this device, and never will be. */
static int isMissing(int error) {
  return error == InvalidDeviceFunction || error == InvalidKernelImage || error == NoKernelImageForDevice ||
         error == SymbolNotFound;
}

EACH_TIME int isErrorPending(void) { return cudaPeekAtLastError() != Success; }

static int hasThreadsAtMost(const struct GpuPruneTuned *tuned, int most) {
  uint64_t threads = 1;
  for (int d = 0; d != 3; ++d)
    if ((threads *= tuned->ownBlock[d] / tuned->blockDivisor[d]) > (uint64_t)most)
      return 0;
  return 1;
}

/* No error was pending before; what the runtime says of the tuned kernel is to leave none. */
SELDOM enum Answer ask(const struct GpuPruneKernel *kernel, const struct GpuPruneTuned *tuned, int device) {
  struct FunctionAttributes its, authors;
  int failed = cudaFuncGetAttributes(&its, tuned->handle);
  if (failed) {
    cudaGetLastError();
    return isMissing(failed) ? IsNot : Unasked;
  }
  /* Another architecture's, or the driver's compile of PTX. */
  if (its.binaryVersion != (int)tuned->architecture || its.registers != (int)tuned->registers)
    return IsNot;
  if (cudaFuncGetAttributes(&authors, kernel->original)) {
    cudaGetLastError();
    return Unasked;
  }
  int multiprocessors = 0;
  if (tuned->persistentBlocks || tuned->gridBlocks) {
    if (cudaDeviceGetAttribute(&multiprocessors, MultiprocessorCount, device)) {
      cudaGetLastError();
      return Unasked;
    }
    if (multiprocessors <= 0 ||
        (uint64_t)tuned->gridBlocks * (uint64_t)multiprocessors * tuned->gridDivisor[0] > MostGridBlocks)
      return IsNot;
    __atomic_store_n(&tuned->state->on[device].multiprocessors, (uint32_t)multiprocessors, __ATOMIC_RELAXED);
  }
  int carveout = tuned->carveout >= 0 ? tuned->carveout : authors.carveout;
  if (carveout != its.carveout && cudaFuncSetAttribute(tuned->handle, PreferredCarveout, carveout))
    cudaGetLastError(); /* It is a hint. */
  return its.localBytes == 0 && hasThreadsAtMost(tuned, its.maxThreads) ? NeverFailsAlone : IsThere;
}

SELDOM enum Answer askAndKeep(const struct GpuPruneKernel *kernel, const struct GpuPruneTuned *tuned,
                              struct GpuPruneState *state, int device) {
  enum Answer said = ask(kernel, tuned, device);
  __atomic_store_n(&state->on[device].answer, said, __ATOMIC_SEQ_CST);
  /* An attribute that was set meanwhile by another thread has the last word. */
  if (__atomic_load_n(&state->attributes, __ATOMIC_SEQ_CST) != OtherAttributes)
    return said;
  __atomic_store_n(&state->on[device].answer, IsNot, __ATOMIC_RELEASE);
  return IsNot;
}

SELDOM int allowShared(const struct GpuPruneTuned *tuned, struct GpuPruneState *state, int device,
                       uint32_t bytes) {
  int failed = cudaFuncSetAttribute(tuned->handle, MaxDynamicSharedSize, (int)bytes);
  if (failed)
    cudaGetLastError();
  else
    __atomic_store_n(&state->on[device].tunedShared, bytes, __ATOMIC_RELAXED);
  return !failed;
}

/* The author's launch fails where the program has not allowed its shared memory; so does ours. */
SELDOM int askAuthorsShared(const struct GpuPruneKernel *kernel, struct GpuPruneState *state, int device,
                            uint32_t bytes) {
  struct FunctionAttributes authors;
  if (cudaFuncGetAttributes(&authors, kernel->original)) {
    cudaGetLastError();
    return 0;
  }
  if (authors.maxDynamicShared < (int)bytes)
    return 0;
  __atomic_store_n(&state->on[device].authorsShared, bytes, __ATOMIC_RELAXED);
  return 1;
}

/* An integer at which a loop over the grid ends; what is negative has no iterations. */
EACH_TIME uint64_t loopEnd(const void *argument, uint32_t bits, uint32_t isSigned) {
  uint64_t wide = 0;
  if (bits == 64) {
    memcpy(&wide, argument, sizeof(wide));
    return isSigned && wide > INT64_MAX ? 0 : wide;
  }
  uint32_t narrow;
  memcpy(&narrow, argument, sizeof(narrow));
  return isSigned && narrow > INT32_MAX ? 0 : narrow;
}

/* Whether the loops over the author's grid go as far as the tuned kernel was timed to pay for: of a kernel
   that is there, as above. */
EACH_TIME int goesFarEnough(const struct GpuPruneTuned *tuned, void **arguments) {
  return !tuned->loopEndBits || loopEnd(arguments[tuned->loopEndArgument], tuned->loopEndBits,
                                        tuned->loopEndSigned) >= tuned->leastLoopEnd;
}

/* Whether the blocks of a free grid have enough to do: of a kernel that is there. */
EACH_TIME int hasWork(const struct GpuPruneTuned *tuned, int device, const struct Launch *launch) {
  if (!tuned->boundBits)
    return 1;
  uint64_t blocks = (uint64_t)tuned->gridBlocks * tuned->gridDivisor[0] *
                    __atomic_load_n(&tuned->state->on[device].multiprocessors, __ATOMIC_RELAXED);
  return blocks <= launch->its.grid[0] ||
         loopEnd(launch->arguments[tuned->boundArgument], tuned->boundBits, tuned->boundSigned) /
                 tuned->boundStride >=
             LeastIterations * blocks;
}

EACH_TIME int authorsSharedIsAllowed(const struct GpuPruneKernel *kernel, struct GpuPruneState *state,
                                     int device, uint32_t bytes) {
  return bytes <= __atomic_load_n(&state->on[device].authorsShared, __ATOMIC_RELAXED) ||
         askAuthorsShared(kernel, state, device, bytes);
}

EACH_TIME int call(const struct Launch *launch, const struct Extents *its, const void *function,
                   void **arguments) {
  struct dim3 grid = {its->grid[0], its->grid[1], its->grid[2]};
  struct dim3 block = {its->block[0], its->block[1], its->block[2]};
  if (!launch->configFunction)
    return launch->function(function, grid, block, arguments, its->shared, launch->stream);
  struct LaunchConfig config = *launch->config;
  config.grid = grid;
  config.block = block;
  config.shared = its->shared;
  return launch->configFunction(&config, function, arguments);
}

/* In x alone; no more blocks than there are, which are less than 2^31. */
EACH_TIME void makePersistent(const struct GpuPruneTuned *tuned, int device, uint32_t grid[3]) {
  uint32_t blocks = grid[0] * grid[1] * grid[2];
  uint64_t most = (uint64_t)tuned->persistentBlocks *
                  __atomic_load_n(&tuned->state->on[device].multiprocessors, __ATOMIC_RELAXED);
  grid[0] = blocks < most ? blocks : (uint32_t)most;
  grid[1] = grid[2] = 1;
}

/* Launches physical, with the hidden parameters, those of own, behind the author's arguments. */
EACH_TIME int callTuned(const struct GpuPruneTuned *tuned, int device, const struct Launch *launch,
                        const struct Extents *own, const struct Extents *physical) {
  struct Extents launched = *physical;
  uint32_t times = 1; /* Of a free grid, physical and own have the blocks for one. */
  if (tuned->persistentBlocks)
    makePersistent(tuned, device, launched.grid);
  if (tuned->gridBlocks) {
    times = tuned->gridBlocks * __atomic_load_n(&tuned->state->on[device].multiprocessors, __ATOMIC_RELAXED);
    launched.grid[0] = times;
  }
  if (tuned->hiddenCount == 0)
    return call(launch, &launched, tuned->handle, launch->arguments);
  uint32_t values[7] = {own->grid[0] * times,      own->grid[1],      own->grid[2],     (uint32_t)own->shared,
                        physical->grid[0] * times, physical->grid[1], physical->grid[2]};
  void *arguments[GPUPRUNE_MAX_ARGUMENTS];
  memcpy(arguments, launch->arguments, tuned->argumentCount * sizeof(void *));
  for (uint32_t h = 0; h != tuned->hiddenCount; ++h)
    arguments[tuned->argumentCount + h] = &values[tuned->hidden[h]];
  return call(launch, &launched, tuned->handle, arguments);
}

/* The kind of launch that it would be, GPUPRUNE_TUNED where all of it is allowed. What the program has allowed
   may be gone since it was asked for, by cudaDeviceReset(). */
SELDOM int allowAnew(const struct GpuPruneKernel *kernel, const struct GpuPruneTuned *tuned, int device,
                     uint32_t ownShared, uint32_t physicalShared) {
  __atomic_store_n(&tuned->state->on[device].authorsShared, 0, __ATOMIC_RELAXED);
  if (!authorsSharedIsAllowed(kernel, tuned->state, device, ownShared))
    return GPUPRUNE_OTHER_LAUNCH;
  return allowShared(tuned, tuned->state, device, physicalShared) ? GPUPRUNE_TUNED : GPUPRUNE_FAILED;
}

/* After cudaDeviceReset() shared memory has to be allowed again, by the program, too. */
SELDOM int launchAgain(const struct GpuPruneKernel *kernel, const struct GpuPruneTuned *tuned, int device,
                       const struct Launch *launch, const struct Extents *own,
                       const struct Extents *physical) {
  cudaGetLastError();
  int kind = allowAnew(kernel, tuned, device, (uint32_t)own->shared, (uint32_t)physical->shared);
  if (kind != GPUPRUNE_TUNED || !callTuned(tuned, device, launch, own, physical))
    return kind;
  cudaGetLastError();
  return GPUPRUNE_FAILED;
}

/* The kind of launch that it was. What failed here is cleared, so that an error that the program has not seen
   would be lost: with one pending, nothing is asked, and nothing launched that could fail alone. */
EACH_TIME int launchTuned(const struct GpuPruneKernel *kernel, const struct GpuPruneTuned *tuned, int device,
                          const struct Launch *launch, const struct Extents *own,
                          const struct Extents *physical) {
  struct GpuPruneState *state = tuned->state;
  uint32_t shared = (uint32_t)physical->shared;
  uint32_t known = __atomic_load_n(&state->on[device].answer, __ATOMIC_ACQUIRE);
  if (known == IsNot)
    return GPUPRUNE_OTHER_DEVICE;
  if ((known != NeverFailsAlone || shared) && isErrorPending())
    return GPUPRUNE_FAILED;
  if (known == Unasked && (known = askAndKeep(kernel, tuned, state, device)) < IsThere)
    return GPUPRUNE_OTHER_DEVICE;
  if (!pointersFit(tuned, launch->arguments) || !goesFarEnough(tuned, launch->arguments) ||
      !hasWork(tuned, device, launch))
    return GPUPRUNE_OTHER_LAUNCH;
  if (shared > __atomic_load_n(&state->on[device].tunedShared, __ATOMIC_RELAXED)) {
    int kind = allowAnew(kernel, tuned, device, (uint32_t)own->shared, shared);
    if (kind != GPUPRUNE_TUNED)
      return kind;
  } else if (!authorsSharedIsAllowed(kernel, state, device, (uint32_t)own->shared)) {
    return GPUPRUNE_OTHER_LAUNCH;
  }
  int failed = callTuned(tuned, device, launch, own, physical);
  if (!failed)
    return GPUPRUNE_TUNED;
  if (failed == InvalidValue && shared) {
    /* Copies, so that the originals need no address. */
    const struct Launch again = *launch;
    const struct Extents itsOwn = *own, itsPhysical = *physical;
    return launchAgain(kernel, tuned, device, &again, &itsOwn, &itsPhysical);
  }
  cudaGetLastError(); /* An error that stays does so for the original as well. */
  return GPUPRUNE_FAILED;
}

/* That the process sees one device only, which then is the current one; several that are alike, so that the
   same machine code runs on all of them; or others. That does not change. */
enum { NotCounted, OneDevice, AlikeDevices, OtherDevices };
static uint32_t devicesSeen;

static int areAlike(int devices) {
  static const int attributes[] = {ComputeCapabilityMajor, ComputeCapabilityMinor, MultiprocessorCount};
  for (int a = 0; a != 3; ++a)
    for (int device = 0, first = 0; device != devices; ++device) {
      int value;
      if (cudaDeviceGetAttribute(&value, attributes[a], device) != Success) {
        cudaGetLastError();
        return 0;
      }
      if (device == 0)
        first = value;
      if (value != first)
        return 0;
    }
  return 1;
}

SELDOM uint32_t countDevices(void) {
  int devices = 0;
  if (isErrorPending())
    return NotCounted;
  if (cudaGetDeviceCount(&devices) != Success) {
    cudaGetLastError();
    devices = 0;
  }
  uint32_t seen = devices == 1 ? OneDevice : devices > 1 && areAlike(devices) ? AlikeDevices : OtherDevices;
  __atomic_store_n(&devicesSeen, seen, __ATOMIC_RELAXED);
  return seen;
}

EACH_TIME uint32_t whatDevicesAreSeen(void) {
  uint32_t seen = __atomic_load_n(&devicesSeen, __ATOMIC_RELAXED);
  return seen == NotCounted ? countDevices() : seen;
}

/* Whether a launch is the same on devices that are alike: what is allowed or set is so on one of them. */
EACH_TIME int isSameOnAlike(const struct GpuPruneTuned *tuned, const struct Extents *physical) {
  return physical->shared == 0 && tuned->carveout < 0 &&
         __atomic_load_n(&tuned->state->attributes, __ATOMIC_RELAXED) == NoAttributes;
}

/* The current device as far as it matters to a launch: below GPUPRUNE_MAX_DEVICES, or -1 where nothing is to
   be asked of the runtime. */
EACH_TIME int deviceFor(const struct GpuPruneTuned *tuned, const struct Extents *physical) {
  int device;
  uint32_t seen = whatDevicesAreSeen();
  /* A question less to the runtime at each launch. */
  if (seen == OneDevice || (seen == AlikeDevices && isSameOnAlike(tuned, physical)))
    return 0;
  if (seen == NotCounted || isErrorPending())
    return -1;
  if (cudaGetDevice(&device) != Success) {
    cudaGetLastError();
    return -1;
  }
  return device >= 0 && device < GPUPRUNE_MAX_DEVICES ? device : -1;
}

/* Whether a tuned kernel was launched. */
EACH_TIME int tryTuned(const struct GpuPruneKernel *kernel, const struct Launch *launch) {
  uint32_t bits = mode();
  if (bits & OriginalAlways) {
    if (bits & Traced)
      count(kernel, GPUPRUNE_NOT_WANTED);
    return 0;
  }
  int kind = GPUPRUNE_OTHER_LAUNCH;
  for (uint64_t r = 0; r != kernel->tunedCount; ++r) {
    struct Extents own, physical;
    if (!holds(&kernel->tuned[r], &launch->its, &own, &physical))
      continue;
    int device = deviceFor(&kernel->tuned[r], &physical);
    if (device < 0) {
      kind = GPUPRUNE_FAILED;
      break;
    }
    kind = launchTuned(kernel, &kernel->tuned[r], device, launch, &own, &physical);
    if (kind == GPUPRUNE_TUNED)
      break;
  }
  if (bits & Traced)
    count(kernel, kind);
  return kind == GPUPRUNE_TUNED;
}

/* In place of cudaLaunchKernel(original, grid, block, ...), which is function; extents are passed as that
   gets them: y << 32 | x, z. */
int gpuprune_launch(const struct GpuPruneKernel *kernel, LaunchFunction *function, uint64_t gridXY,
                    uint32_t gridZ, uint64_t blockXY, uint32_t blockZ, void **arguments, size_t shared,
                    void *stream) {
  struct Launch launch = {{{(uint32_t)gridXY, (uint32_t)(gridXY >> 32), gridZ},
                           {(uint32_t)blockXY, (uint32_t)(blockXY >> 32), blockZ},
                           shared},
                          stream,
                          arguments,
                          function,
                          NULL,
                          NULL};
  return tryTuned(kernel, &launch) ? Success : call(&launch, &launch.its, kernel->original, arguments);
}

/* In place of cudaLaunchKernelExC(config, original, arguments). */
int gpuprune_launch_config(const struct GpuPruneKernel *kernel, ConfigLaunchFunction *function,
                           const struct LaunchConfig *config, void **arguments) {
  if (!config || config->attributeCount != 0)
    return function(config, kernel->original, arguments);
  struct Launch launch = {{{config->grid.x, config->grid.y, config->grid.z},
                           {config->block.x, config->block.y, config->block.z},
                           config->shared},
                          config->stream,
                          arguments,
                          NULL,
                          function,
                          config};
  return tryTuned(kernel, &launch) ? Success : function(config, kernel->original, arguments);
}

/* What was found out about a tuned kernel may no longer hold; isOther: the author's kernel has an attribute,
   such as a cluster, that the tuned one does not have, so that it is not launched from now on. */
static void forget(struct GpuPruneState *state, int isOther) {
  uint32_t set = __atomic_load_n(&state->attributes, __ATOMIC_RELAXED);
  set = isOther || set == OtherAttributes ? OtherAttributes : KnownAttributes;
  __atomic_store_n(&state->attributes, set, __ATOMIC_SEQ_CST);
  for (int device = 0; device != GPUPRUNE_MAX_DEVICES; ++device) {
    __atomic_store_n(&state->on[device].authorsShared, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&state->on[device].answer, set == OtherAttributes ? IsNot : Unasked, __ATOMIC_SEQ_CST);
  }
}

/* In place of cudaFuncSetAttribute(original, attribute, value). */
int gpuprune_set_attribute(const struct GpuPruneKernel *kernel, int attribute, int value) {
  int failed = cudaFuncSetAttribute(kernel->original, attribute, value);
  for (uint64_t r = 0; r != kernel->tunedCount; ++r)
    forget(kernel->tuned[r].state, attribute > PreferredCarveout && !failed);
  return failed;
}
