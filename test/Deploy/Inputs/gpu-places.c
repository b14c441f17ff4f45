/* Whether the driver gives the addresses that allocations had in another process, for gpu-places.test.
 *
 *   gpu-places print       allocates as a recorded program does, far below what is mapped before the driver,
 * and prints the address and the bytes of each allocation gpu-places take        reads these lines; reserves
 * their blocks of 32 MiB and maps what they say, as the runner does, and prints "given" or "taken"
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef unsigned long long address;
struct location {
  int type, id;
};
struct properties {
  int type, handles;
  struct location where;
  void *metadata;
  unsigned char flags[8];
};
struct access {
  struct location where;
  int flags;
};

static void *driver;

/* Ends the program where the call fails. */
#define CALL(Name, Types, ...)                                                                               \
  do {                                                                                                       \
    int(*call) Types = (int(*) Types)dlsym(driver, Name);                                                    \
    int code = call ? call(__VA_ARGS__) : -1;                                                                \
    if (code != 0) {                                                                                         \
      printf("%s failed: %d\n", Name, code);                                                                 \
      exit(2);                                                                                               \
    }                                                                                                        \
  } while (0)

static void begin(void) {
  int device;
  void *context, *staging;
  driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver) {
    printf("there is no libcuda.so.1\n");
    exit(2);
  }
  CALL("cuInit", (unsigned), 0);
  CALL("cuDeviceGet", (int *, int), &device, 0);
  CALL("cuDevicePrimaryCtxRetain", (void **, int), &context, device);
  CALL("cuCtxSetCurrent", (void *), context);
  CALL("cuMemAllocHost_v2", (void **, size_t), &staging, (size_t)16 << 20); /* As the runner does. */
}

static void print(void) {
  static const size_t bytes[] = {4096, 100, 1 << 20, 3 << 20, (size_t)256 << 20, (size_t)1 << 30};
  for (unsigned i = 0; i != sizeof(bytes) / sizeof(*bytes); ++i) {
    address at = 0;
    CALL("cuMemAlloc_v2", (address *, size_t), &at, bytes[i]);
    printf("%llx %zu\n", at, bytes[i]);
  }
  address managed = 0;
  CALL("cuMemAllocManaged", (address *, size_t, unsigned), &managed, (size_t)8 << 20, 1);
  printf("%llx %zu\n", managed, (size_t)8 << 20);
  address pooled = 0;
  CALL("cuMemAllocAsync", (address *, size_t, void *), &pooled, (size_t)5 << 20, NULL);
  CALL("cuCtxSynchronize", (void));
  printf("%llx %zu\n", pooled, (size_t)5 << 20);
}

static int has(const address *units, int count, address wanted) {
  for (int i = 0; i != count; ++i)
    if (units[i] == wanted)
      return 1;
  return 0;
}

static int reserve(address from, address to) {
  int (*call)(address *, size_t, size_t, address, address) =
      (int (*)(address *, size_t, size_t, address, address))dlsym(driver, "cuMemAddressReserve");
  address given = 0;
  int code = call(&given, to - from, 0, from, 0);
  if (code != 0 || given != from)
    fprintf(stderr, "%llx to %llx: code %d, given %llx\n", from, to, code, given);
  return code == 0 && given == from;
}

static void map(address from, size_t bytes) {
  struct properties memory = {1, 0, {1, 0}, NULL, {0}};
  struct access both = {{1, 0}, 3};
  address handle;
  CALL("cuMemCreate", (address *, size_t, struct properties *, address), &handle, bytes, &memory, 0);
  CALL("cuMemMap", (address, size_t, size_t, address, address), from, bytes, 0, handle, 0);
  CALL("cuMemSetAccess", (address, size_t, struct access *, size_t), from, bytes, &both, 1);
  CALL("cuMemsetD8_v2", (address, unsigned char, size_t), from, 0x5a, bytes);
}

/* Lines come in any order; a unit (a block or a granule) that several of them touch is taken once. */
static void take(void) {
  enum { MOST = 4096 };
  static address blocks[MOST], granules[MOST];
  const address block = 32u << 20, granule = 2u << 20;
  int blockCount = 0, granuleCount = 0, taken = 0;
  address at;
  size_t bytes;
  while (scanf("%llx %zu", &at, &bytes) == 2) {
    for (address unit = at / block * block; unit < at + bytes && blockCount != MOST; unit += block)
      if (!has(blocks, blockCount, unit)) {
        blocks[blockCount++] = unit;
        taken += !reserve(unit, unit + block);
      }
    for (address unit = at / granule * granule; unit < at + bytes && granuleCount != MOST; unit += granule)
      if (!has(granules, granuleCount, unit))
        granules[granuleCount++] = unit;
  }
  for (int i = 0; !taken && i != granuleCount; ++i)
    map(granules[i], granule);
  CALL("cuCtxSynchronize", (void));
  printf("%d granules in %d blocks: %s\n", granuleCount, blockCount, taken ? "taken" : "given");
}

int main(int argc, char **argv) {
  int prints = argc == 2 && strcmp(argv[1], "print") == 0;
  if (prints && mmap(NULL, (size_t)64 << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) ==
                    MAP_FAILED) {
    printf("no addresses are to be had\n");
    return 2;
  }
  begin();
  if (prints)
    print();
  else
    take();
  return 0;
}
