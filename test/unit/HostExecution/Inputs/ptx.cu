// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX as people write it.

extern "C" __global__ void inlinePtx(const unsigned *x, const unsigned *y, unsigned *out) {
  int t = threadIdx.x, n = blockDim.x;
  unsigned a = x[t], b = y[t], r, s;
  // A predicate, its negation, a register of its own.
  asm("{\n\t.reg .pred p; // whether a is less\n\t"
      "setp.lt.u32 p, %1, %2;\n\t"
      "mov.u32 %0, 1;\n\t"
      "@!p add.u32 %0, %0, 41; /* else */\n\t}"
      : "=r"(r)
      : "r"(a), "r"(b));
  out[0 * n + t] = r;
  // 64-bit sum of two halves.
  asm("add.cc.u32 %0, %2, %3;\n\taddc.u32 %1, 0, 0;" : "=r"(r), "=r"(s) : "r"(a), "r"(b));
  out[1 * n + t] = r;
  out[2 * n + t] = s;
  asm("{ .reg .b64 w; mov.b64 w, {%1, %2}; shr.u64 w, w, 8; cvt.u32.u64 %0, w; }" : "=r"(r) : "r"(a), "r"(b));
  out[3 * n + t] = r;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(t));
  out[4 * n + t] = r;
  asm("bfe.s32 %0, %1, 4, 7;" : "=r"(r) : "r"(a));
  out[5 * n + t] = r;
  asm("bfi.b32 %0, %1, %2, 5, 9;" : "=r"(r) : "r"(a), "r"(b));
  out[6 * n + t] = r;
  asm("{ .reg .pred p, q; setp.gt.and.s32 p|q, %1, 5, 1; selp.b32 %0, %2, -1, q; }" : "=r"(r) : "r"(a), "r"(b));
  out[7 * n + t] = r;
  asm volatile("ld.global.v2.u32 {%0, %1}, [%2+8];" : "=r"(r), "=r"(s) : "l"(x + 2));
  out[8 * n + t] = r * 3 + s;
  asm("mov.u32 %0, %%laneid;" : "=r"(r));
  asm("mov.u32 %0, %%ntid.x;" : "=r"(s));
  out[9 * n + t] = r * 1000 + s;
  r = 7; // Read and written.
  asm("mad.lo.u32 %0, %1, %2, %0;" : "+r"(r) : "r"(a), "r"(b));
  out[10 * n + t] = r;
  asm("vote.sync.ballot.b32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(0));
  out[11 * n + t] = r;
  asm volatile("st.global.relaxed.gpu.u32 [%0], %1;" ::"l"(out + 12 * n + t), "r"(a ^ b) : "memory");
  // Stores where a predicate says so.
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.global.u32 [%0], %2; }" ::"l"(out + 13 * n + t), "r"(t & 1),
               "r"(77)
               : "memory");
  asm("{ .reg .f32 f; mov.f32 f, 0f40490FDB; mul.rn.f32 f, f, 2.0; mov.b32 %0, f; }" : "=r"(r));
  out[14 * n + t] = r;
}

#ifdef UNKNOWN_INSTRUCTION
extern "C" __global__ void unknown(unsigned *out) {
  unsigned r;
  asm volatile("vadd4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(1), "r"(2), "r"(3));
  out[0] = r;
}
#endif

#ifdef UNKNOWN_MODIFIER
extern "C" __global__ void unknown(float *out) {
  asm volatile("add.rn.satfinite.f32 %0, %1, %2;" : "=f"(out[0]) : "f"(1), "f"(2));
}
#endif

#ifdef UNKNOWN_BRANCH
extern "C" __global__ void unknown(unsigned *out) {
  unsigned r;
  asm volatile("{ mov.u32 %0, 0; L: add.u32 %0, %0, 1; bra L; }" : "=r"(r));
  out[0] = r;
}
#endif

#ifdef UNKNOWN_FUNCTION
extern "C" __device__ int elsewhere(int);
extern "C" __global__ void unknown(int *out) { out[0] = elsewhere(out[1]); }
#endif

#ifdef UNKNOWN_MALLOC
extern "C" __global__ void unknown(int **out) { out[0] = static_cast<int *>(malloc(4)); }
#endif
