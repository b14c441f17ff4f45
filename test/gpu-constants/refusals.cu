// What could be told from its initial value, or has none, is refused by name, and stays as it was.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-constants<symbol=all>' -S %t.bc -o %t.ll 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: FileCheck %s --input-file=%t.ll --implicit-check-not=__gpuprune_initial_escapes_table
// RUN: %opt -passes='gpu-prepare,gpu-constants<symbol=nothing;kernel=k>,gpu-constants<symbol=device;kernel=k>,gpu-constants<symbol=elsewhere;kernel=k>,gpu-constants<symbol=replaced;kernel=k>,gpu-constants<symbol=zeros;kernel=k>,gpu-constants<symbol=pointers;kernel=k>,gpu-constants<symbol=_ZL5known;kernel=k>,gpu-constants<symbol=table;kernel=absent>' -pass-remarks-missed=gpu-constants -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=NAMED

// NAMED: gpu-constants refused 'k' (NoSuchSymbol): the module has no variable 'nothing'
// NAMED: gpu-constants refused 'k' (NotConstantMemory): 'device' is no __constant__ variable
// NAMED: gpu-constants refused 'k' (DeclaredElsewhere): 'elsewhere' is defined in another file
// NAMED: gpu-constants refused 'k' (DeclaredElsewhere): 'replaced' is weak: the linker may take another file's in its place
// NAMED: gpu-constants refused 'k' (NothingRead): 'zeros' has no initial value but zeros
// NAMED: gpu-constants refused 'k' (NothingRead): the initial value of 'pointers' holds addresses
// NAMED: gpu-constants refused 'k' (NothingRead): the value of '_ZL5known' is known as it is: only this file has it
// NAMED: (NoSuchKernel){{.*}}absent
__constant__ int table[4] = {1, 2, 3, 4};
__constant__ int second[4] = {5, 6, 7, 8};
__device__ int device[4] = {1, 2, 3, 4};
extern __constant__ int elsewhere[4];
__attribute__((weak)) __constant__ int replaced[4] = {1, 2, 3, 4};
__constant__ int zeros[4];
__constant__ int *pointers[2] = {nullptr, device};
static __constant__ int known[4] = {1, 2, 3, 5};

// ALL: gpu-constants refused 'k' (DeclaredElsewhere): '{{elsewhere|replaced}}' is
extern "C" __global__ void k(int *out, int n) {
  *out = device[n] + elsewhere[n] + replaced[n] + zeros[n] + *pointers[n] + known[n];
}

// ALL: gpu-constants refused 'stores' (PointerEscapes): the address of 'table' goes where it cannot be followed
extern "C" __global__ void stores(const int **out) { *out = table; }

// ALL: gpu-constants refused 'compares' (PointerEscapes): the address of 'table'
extern "C" __global__ void compares(const int *p, int *out) { *out = p == table ? 1 : table[2]; }

// ALL: gpu-constants refused 'passes' (PointerEscapes): the address of 'table'
__device__ __noinline__ int sum(const int *p) { return p[0] + p[3]; }
extern "C" __global__ void passes(int *out) { *out = sum(table); }

// ALL: gpu-constants refused 'volatiles' (PointerEscapes): the address of 'table'
extern "C" __global__ void volatiles(int *out) { *out = *(const volatile int *)&table[1]; }

// ALL: gpu-constants refused 'mixed' (MixedSymbols): a pointer into '{{table|second}}' may also point elsewhere
extern "C" __global__ void mixed(int *out, int n) {
  const int *p = n ? table : second;
  *out = p[n];
}

// ALL: gpu-constants refused 'reads' (NothingRead): it reads no __constant__ variable with an initial value
extern "C" __global__ void reads(int *out) { *out = zeros[1]; }

// What is left out of all does not keep the others from being taken.
// CHECK: @__gpuprune_initial_escapes_second =
// CHECK: "gpuprune-unwritten-variables"="second"
// ALL-NOT: refused 'escapes'
extern "C" __global__ void escapes(const int **out, int *sums, int n) {
  *out = table;
  sums[n] = second[n];
}

// A function that was not inlined goes on reading the author's.
// ALL: gpu-constants refused 'calls' (NothingRead)
__device__ __noinline__ int reader(int n) { return table[n]; }
extern "C" __global__ void calls(int *out, int n) { *out = reader(n); }
