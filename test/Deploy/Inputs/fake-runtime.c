//===- fake-runtime.c - CUDA's runtime that only tells what is launched -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints each launch: the kernel's name in device code, grid, block, dynamic shared memory and, of integer
// parameters behind the number that FAKE_ARGUMENTS says, as many as FAKE_HIDDEN says.
//
//   FAKE_RECORD                        a tuning record: kernels have the registers that it says
//   FAKE_ARCHITECTURE                  of the kernels' code (default: 90)
//   FAKE_MISSING=1                     there is no tuned kernel
//   FAKE_ONLY                          a file: of tuned kernels there are only those whose names are its lines
//   FAKE_FAILS=N                       the first N launches of a tuned kernel fail
//
//===----------------------------------------------------------------------===//
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dim3 {
  unsigned x, y, z;
};
struct attributes {
  size_t shared, constant, local;
  int maxThreads, registers, ptxVersion, binaryVersion, cacheMode, maxDynamicShared, carveout;
};
struct config {
  struct dim3 grid, block;
  size_t shared;
  void *stream, *attributes;
  unsigned attributeCount;
};

enum { MostKernels = 512, InvalidValue = 1, InvalidDeviceFunction = 98 };
static struct {
  const void *handle;
  const char *name;
  int maxDynamicShared, carveout;
} kernels[MostKernels];
static int kernelCount;
static __thread int lastError, device;
static __thread struct config pushed;

static long setting(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text ? atol(text) : otherwise;
}

static int registers(void) {
  const char *path = getenv("FAKE_RECORD");
  FILE *file = path ? fopen(path, "r") : NULL;
  char line[256];
  int found = 0;
  while (file && fgets(line, sizeof(line), file))
    sscanf(line, " \"registers\": %d", &found);
  if (file)
    fclose(file);
  return found;
}

static int fail(int error) {
  if (error)
    lastError = error;
  return error;
}

static int find(const void *handle) {
  for (int k = 0; k != kernelCount; ++k)
    if (kernels[k].handle == handle)
      return k;
  return -1;
}

static int isTuned(int kernel) { return strstr(kernels[kernel].name, "$gpuprune$") != NULL; }

static int isMissing(int kernel) {
  const char *path = getenv("FAKE_ONLY");
  if (!isTuned(kernel) || !path)
    return isTuned(kernel) && setting("FAKE_MISSING", 0);
  FILE *file = fopen(path, "r");
  char line[512];
  int found = 0;
  while (file && !found && fgets(line, sizeof(line), file)) {
    line[strcspn(line, "\n")] = 0;
    found = strcmp(line, kernels[kernel].name) == 0;
  }
  if (file)
    fclose(file);
  return !found;
}

void **__cudaRegisterFatBinary(void *binary) {
  (void)binary;
  static void *handle;
  setvbuf(stdout, NULL, _IOLBF, 0); /* In the order of what is written to standard error. */
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }
void __cudaUnregisterFatBinary(void **handle) { (void)handle; }
int __cudaRegisterFunction(void **module, const void *handle, char *name, const char *symbol, int limit,
                           void *a, void *b, void *c, void *d, int *e) {
  (void)module, (void)name, (void)limit, (void)a, (void)b, (void)c, (void)d, (void)e;
  kernels[kernelCount].handle = handle;
  kernels[kernelCount].name = symbol;
  kernels[kernelCount].carveout = -1;
  kernels[kernelCount++].maxDynamicShared = 48 * 1024;
  return 0;
}
void __cudaRegisterVar(void **module, char *variable, char *address, const char *name, int a, size_t b, int c,
                       int d) {
  (void)module, (void)variable, (void)address, (void)name, (void)a, (void)b, (void)c, (void)d;
}
void __cudaRegisterManagedVar(void) {}
void __cudaRegisterSurface(void) {}
void __cudaRegisterTexture(void) {}
unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared, void *stream) {
  pushed.grid = grid, pushed.block = block, pushed.shared = shared, pushed.stream = stream;
  return 0;
}
unsigned __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared, void *stream) {
  *grid = pushed.grid, *block = pushed.block, *shared = pushed.shared, *(void **)stream = pushed.stream;
  return 0;
}

int cudaLaunchKernel(const void *handle, struct dim3 grid, struct dim3 block, void **arguments, size_t shared,
                     void *stream) {
  (void)stream;
  static int failed;
  int kernel = find(handle);
  if (kernel < 0)
    return fail(InvalidDeviceFunction);
  if ((int)shared > kernels[kernel].maxDynamicShared)
    return fail(InvalidValue);
  if (isTuned(kernel) && failed < setting("FAKE_FAILS", 0)) {
    ++failed;
    return fail(InvalidValue);
  }
  printf("launch %s grid (%u, %u, %u) block (%u, %u, %u) shared %zu", kernels[kernel].name, grid.x, grid.y,
         grid.z, block.x, block.y, block.z, shared);
  for (long h = 0; isTuned(kernel) && h < setting("FAKE_HIDDEN", 0); ++h)
    printf(" hidden %u", *(unsigned *)arguments[setting("FAKE_ARGUMENTS", 0) + h]);
  puts("");
  return 0;
}
int cudaLaunchKernelExC(const struct config *config, const void *handle, void **arguments) {
  printf("config with %u attributes: ", config->attributeCount);
  return cudaLaunchKernel(handle, config->grid, config->block, arguments, config->shared, config->stream);
}
int cudaFuncGetAttributes(struct attributes *attributes, const void *handle) {
  int kernel = find(handle);
  if (kernel < 0 || isMissing(kernel))
    return fail(InvalidDeviceFunction);
  memset(attributes, 0, sizeof(*attributes));
  attributes->maxThreads = 1024;
  attributes->registers = registers();
  attributes->binaryVersion = (int)setting("FAKE_ARCHITECTURE", 90);
  attributes->maxDynamicShared = kernels[kernel].maxDynamicShared;
  attributes->carveout = kernels[kernel].carveout;
  return 0;
}
int cudaFuncSetAttribute(const void *handle, int attribute, int value) {
  int kernel = find(handle);
  if (kernel < 0)
    return fail(InvalidDeviceFunction);
  if (attribute == 8)
    kernels[kernel].maxDynamicShared = value;
  else
    kernels[kernel].carveout = value;
  printf("set %s of %s to %d\n", attribute == 8 ? "shared" : "carveout", kernels[kernel].name, value);
  return 0;
}
int cudaGetLastError(void) {
  int error = lastError;
  lastError = 0;
  return error;
}
int cudaPeekAtLastError(void) { return lastError; }
int cudaGetDevice(int *to) {
  *to = device;
  return 0;
}
int cudaGetDeviceCount(int *to) {
  *to = 64;
  return 0;
}
int cudaDeviceGetAttribute(int *value, int attribute, int of) {
  (void)of;
  *value = attribute == 16 ? (int)setting("FAKE_MULTIPROCESSORS", 132) : 0;
  return 0;
}
int cudaSetDevice(int to) {
  device = to;
  return 0;
}
int cudaMalloc(void **pointer, size_t bytes) {
  *pointer = aligned_alloc(256, (bytes + 255) / 256 * 256);
  return 0;
}
int cudaFree(void *pointer) {
  free(pointer);
  return 0;
}
int cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, int kind) {
  (void)symbol, (void)from, (void)bytes, (void)offset, (void)kind;
  return 0;
}
int cudaDeviceSynchronize(void) { return 0; }
