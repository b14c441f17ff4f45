/* Whether the driver gives the addresses that allocations had in another process, for gpu-places.test.
 *
 *   gpu-places print       allocates, and prints the address and the bytes of each allocation
 *   gpu-places take        reads these lines; reserves and maps what they say, and prints "given" or "taken"
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
#define CALL(Name, Types, ...)                                                                                \
  do {                                                                                                         \
    int(*call) Types = (int(*) Types)dlsym(driver, Name);                                                      \
    int code = call ? call(__VA_ARGS__) : -1;                                                                  \
    if (code != 0) {                                                                                           \
      printf("%s failed: %d\n", Name, code);                                                                   \
      exit(2);                                                                                                 \
    }                                                                                                          \
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
}

/* One mapping for the granules of each line that are not mapped yet. */
static void take(void) {
  struct properties memory = {1, 0, {1, 0}, NULL, {0}};
  struct access both = {{1, 0}, 3};
  size_t granule = 0, bytes;
  address at, end[64], first[64];
  int count = 0, taken = 0;
  CALL("cuMemGetAllocationGranularity", (size_t *, struct properties *, int), &granule, &memory, 0);
  while (scanf("%llx %zu", &at, &bytes) == 2 && count != 64) {
    address from = at / granule * granule, to = (at + bytes + granule - 1) / granule * granule, given = 0, handle;
    for (int i = 0; i != count; ++i)
      if (from >= first[i] && from < end[i])
        from = end[i];
    if (from >= to)
      continue;
    int (*reserve)(address *, size_t, size_t, address, address) =
        (int (*)(address *, size_t, size_t, address, address))dlsym(driver, "cuMemAddressReserve");
    int code = reserve(&given, to - from, 0, from, 0);
    if (code != 0 || given != from) {
      fprintf(stderr, "%llx to %llx: code %d, given %llx\n", from, to, code, given);
      ++taken;
      continue;
    }
    CALL("cuMemCreate", (address *, size_t, struct properties *, address), &handle, to - from, &memory, 0);
    CALL("cuMemMap", (address, size_t, size_t, address, address), from, to - from, 0, handle, 0);
    CALL("cuMemSetAccess", (address, size_t, struct access *, size_t), from, to - from, &both, 1);
    CALL("cuMemsetD8_v2", (address, unsigned char, size_t), from, 0x5a, to - from);
    first[count] = from;
    end[count++] = to;
  }
  CALL("cuCtxSynchronize", (void));
  printf("granules of %zu KiB: %s\n", granule >> 10, taken ? "taken" : "given");
}

int main(int argc, char **argv) {
  begin();
  if (argc == 2 && strcmp(argv[1], "print") == 0)
    print();
  else
    take();
  return 0;
}
