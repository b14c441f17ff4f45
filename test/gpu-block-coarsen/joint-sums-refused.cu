// A shared array that not only collects sums for global memory is not shared by replicas, and with sums=joint the kernel stays as it was
// if it has no other.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare' %t.bc -o %t.prepared.bc
// RUN: %opt -passes=verify -S %t.prepared.bc -o %t.before
// RUN: %opt -passes='gpu-block-coarsen<x=2;sums=joint>,verify' -S %t.prepared.bc -o %t.after 2> %t.err
// RUN: diff %t.before %t.after
// RUN: FileCheck %s --input-file=%t.err --implicit-check-not='{{warning|remark}}:'
#define KERNEL(NAME, BODY)                                                                                                                 \
  extern "C" __global__ void NAME(const unsigned *x, unsigned *y, unsigned *z) {                                                           \
    __shared__ unsigned s[64];                                                                                                             \
    int t = threadIdx.x, i = blockIdx.x * 64 + t;                                                                                          \
    auto zero = [=](unsigned *s) { s[t] = 0; __syncthreads(); };                                                                           \
    auto add = [=](unsigned *s) { atomicAdd(&s[x[i] & 63], 1u); __syncthreads(); };                                                        \
    auto flush = [=](const unsigned *s, unsigned *y) { atomicAdd(&y[t], s[t]); };                                                          \
    BODY                                                                                                                                   \
  }

// The flush of one block alone.
// CHECK: warning: {{.*}}gpu-block-coarsen refused 'fromOneBlock' (NoJointSum): replicas cannot share {{.*}}: where or whether this reads it depends on the block index{{.*}}load i32
KERNEL(fromOneBlock, zero(s); add(s); if (blockIdx.x == 0) flush(s, y);)

// Each pair of blocks has sums of its own.
// CHECK: warning: {{.*}}gpu-block-coarsen refused 'partial' (NoJointSum): replicas cannot share {{.*}}: where or whether this adds to global memory depends on the block index{{.*}}atomicrmw add ptr addrspace(1)
KERNEL(partial, zero(s); add(s); flush(s, y + (blockIdx.x & 1) * 64);)

// CHECK: warning: {{.*}}gpu-block-coarsen refused 'zeroOfSomeBlocks' (NoJointSum): replicas cannot share {{.*}}: where, what or whether this stores depends on the block index{{.*}}store i32 0
KERNEL(zeroOfSomeBlocks, if (blockIdx.x != 5) zero(s); add(s); flush(s, y);)

// What each block makes of its own sums.
// CHECK: warning: {{.*}}gpu-block-coarsen refused 'scanned' (NoJointSum): replicas cannot share {{.*}}: a value read from it is used otherwise than as the operand of an atomic operation of the same kind on global memory whose result is unused
KERNEL(scanned, zero(s); add(s); unsigned v = 0; for (int k = 0; k <= t; ++k) v += s[k]; atomicAdd(&y[t], v);)

// CHECK: warning: {{.*}}gpu-block-coarsen refused 'stored' (NoJointSum): replicas cannot share {{.*}}: a value read from it is used otherwise{{.*}}store i32
KERNEL(stored, zero(s); add(s); z[blockIdx.x * 64 + t] = s[t]; flush(s, y);)

// CHECK: warning: {{.*}}gpu-block-coarsen refused 'printed' (NoJointSum): replicas cannot share {{.*}}: a value read from it is used otherwise{{.*}}store i32 %{{.*}}, ptr addrspace(5)
KERNEL(printed, zero(s); add(s); printf("%u", s[t]); flush(s, y);)

// A wider sum does not wrap where the blocks' sums do.
// CHECK: warning: {{.*}}gpu-block-coarsen refused 'widened' (NoJointSum): replicas cannot share {{.*}}: a value read from it is used otherwise{{.*}}zext i32
KERNEL(widened, zero(s); add(s); atomicAdd((unsigned long long *)y + t, (unsigned long long)s[t]);)

// CHECK: warning: {{.*}}gpu-block-coarsen refused 'otherKind' (NoJointSum): replicas cannot share {{.*}}: a value read from it is used otherwise{{.*}}atomicrmw umax ptr addrspace(1)
KERNEL(otherKind, zero(s); add(s); atomicMax(&y[t], s[t]);)

// CHECK: warning: {{.*}}gpu-block-coarsen refused 'flushIsUsed' (NoJointSum): replicas cannot share {{.*}}: a value read from it is used otherwise{{.*}}atomicrmw add ptr addrspace(1)
KERNEL(flushIsUsed, zero(s); add(s); z[t] = atomicAdd(&y[t], s[t]);)

// The sum of a block's sums is looked at by the block.
// CHECK: warning: {{.*}}gpu-block-coarsen refused 'toShared' (NoJointSum): replicas cannot share {{.*}}: a value read from it is used otherwise{{.*}}store i32
KERNEL(toShared, __shared__ unsigned sum; if (t == 0) sum = 0; zero(s); add(s); atomicAdd(&sum, s[t]); __syncthreads(); if (t == 0) z[blockIdx.x] = sum;)

// Places in the order of a block's threads.
// CHECK: warning: {{.*}}gpu-block-coarsen refused 'resultIsUsed' (NoJointSum): replicas cannot share {{.*}}: the result of this atomic operation is used
KERNEL(resultIsUsed, zero(s); z[i] = atomicAdd(&s[x[i] & 63], 1u); __syncthreads(); flush(s, y);)

// CHECK: warning: {{.*}}gpu-block-coarsen refused 'twoKinds' (NoJointSum): replicas cannot share {{.*}}: another atomic operation on it is of another kind
KERNEL(twoKinds, zero(s); atomicMax(&s[x[i] & 7], x[i]); add(s); flush(s, y);)

// CHECK: warning: {{.*}}gpu-block-coarsen refused 'noSum' (NoJointSum): replicas cannot share {{.*}}: this is no operation by which sums of several blocks are added up{{.*}}atomicrmw xchg
KERNEL(noSum, zero(s); atomicExch(&s[x[i] & 63], 1u); __syncthreads(); flush(s, y);)

// CHECK: warning: {{.*}}gpu-block-coarsen refused 'exchanges' (NoJointSum): replicas cannot share {{.*}}: this is no plain load, store or atomic operation{{.*}}cmpxchg
KERNEL(exchanges, zero(s); atomicCAS(&s[x[i] & 63], 0u, 1u); add(s); flush(s, y);)

// One for each block.
// CHECK: warning: {{.*}}gpu-block-coarsen refused 'beginsWithOne' (NoJointSum): replicas cannot share {{.*}}: this stores something else than the zero that a sum begins with
KERNEL(beginsWithOne, s[t] = 1; __syncthreads(); add(s); flush(s, y);)

// Parts of elements.
// CHECK: warning: {{.*}}gpu-block-coarsen refused 'zeroesBytes' (NoJointSum): replicas cannot share {{.*}}: this stores another type than that of the atomic operations{{.*}}store i8 0
KERNEL(zeroesBytes, ((unsigned char *)s)[4 * t] = 0; __syncthreads(); add(s); flush(s, y);)

// CHECK: warning: {{.*}}gpu-block-coarsen refused 'readsBytes' (NoJointSum): replicas cannot share {{.*}}: this loads another type than that of the atomic operations{{.*}}load i8
KERNEL(readsBytes, zero(s); add(s); atomicAdd(&y[t], ((unsigned char *)s)[t]);)

// CHECK: warning: {{.*}}gpu-block-coarsen refused 'twoTypes' (NoJointSum): replicas cannot share {{.*}}: another atomic operation on it is of another type
KERNEL(twoTypes, zero(s); atomicAdd((unsigned long long *)s, 1ull); add(s); flush(s, y);)

// CHECK: warning: {{.*}}gpu-block-coarsen refused 'readsVolatile' (NoJointSum): replicas cannot share {{.*}}: this access is volatile
KERNEL(readsVolatile, zero(s); add(s); atomicAdd(&y[t], ((volatile unsigned *)s)[t]);)

// An array that is used twice.
// CHECK: warning: {{.*}}gpu-block-coarsen refused 'again' (NoJointSum): replicas cannot share {{.*}}: this store may come after an atomic operation on it, or after it is read
KERNEL(again, for (int r = 0; r < 2; ++r) { zero(s); add(s); flush(s, y + r * 64); __syncthreads(); })

// CHECK: warning: {{.*}}gpu-block-coarsen refused 'goesOn' (NoJointSum): replicas cannot share {{.*}}: this atomic operation may come after it is read
KERNEL(goesOn, zero(s); add(s); flush(s, y); __syncthreads(); add(s); flush(s, z);)

// A negative sum of one block may make that of both positive.
// CHECK: warning: {{.*}}gpu-block-coarsen refused 'positive' (NoJointSum): replicas cannot share {{.*}}: a value read from it is used otherwise{{.*}}icmp sgt
KERNEL(positive, zero(s); add(s); if (int(s[t]) > 0) atomicAdd(&y[t], s[t]);)

// Zero is the larger one of two maxima, of which the other one would be flushed.
// CHECK: warning: {{.*}}gpu-block-coarsen refused 'maximumNotZero' (NoJointSum): replicas cannot share {{.*}}: a value read from it is used otherwise{{.*}}icmp eq
KERNEL(maximumNotZero, int *m = (int *)s; m[t] = -9; __syncthreads(); atomicMax(&m[x[i] & 63], int(x[i] & 7) - 5); __syncthreads(); int v = m[t]; if (v != 0) atomicMax((int *)&y[t], v);)

// CHECK: warning: {{.*}}gpu-block-coarsen refused 'neverFlushed' (NoJointSum): replicas cannot share {{.*}}: nothing adds it to global memory
KERNEL(neverFlushed, zero(s); add(s); y[i] = t;)

// CHECK: warning: {{.*}}gpu-block-coarsen refused 'eitherArray' (NoJointSum): replicas cannot share {{.*}}: this pointer may be into other memory, too
KERNEL(eitherArray, __shared__ unsigned r[64]; zero(s); zero(r); atomicAdd(&(x[i] & 1 ? s : r)[x[i] & 63], 1u); __syncthreads(); flush(s, y); flush(r, z);)

// Neither array: where one is flushed to depends on the other.
// CHECK: warning: {{.*}}gpu-block-coarsen refused 'addressIsASum' (NoJointSum): replicas cannot share {{.*}}: a value read from it is used otherwise
KERNEL(addressIsASum, __shared__ unsigned r[64]; zero(s); zero(r); add(s); add(r); atomicAdd(&y[r[t] & 63], s[t]);)

// Dynamic arrays are one.
// CHECK: warning: {{.*}}gpu-block-coarsen refused 'twoInDynamic' (NoJointSum): replicas cannot share {{.*}}: this stores something else than the zero that a sum begins with
KERNEL(twoInDynamic, extern __shared__ unsigned d[]; zero(d); d[64 + t] = x[i]; __syncthreads(); atomicAdd(&d[d[64 + (t ^ 1)] & 63], 1u); __syncthreads(); flush(d, y);)

// CHECK: warning: {{.*}}gpu-block-coarsen refused 'noSharedArray' (NoJointSum): there is no shared array to which atomic operations add
KERNEL(noSharedArray, atomicAdd(&y[x[i] & 63], 1u);)
