; Made by clang++ 22 --cuda-device-only -emit-llvm -S -O3 --cuda-gpu-arch=sm_90 from:
;
; __constant__ float Coef[64];
; extern "C" __global__ void guarded(const float *x, float *y, int n) {
;   int i = blockIdx.x * blockDim.x + threadIdx.x;
;   if (i < n) y[i] = 2.0f * x[i] + 1.0f;
; }
; extern "C" __global__ void triangle(const float *x, float *y, int n) {
;   float s = 0;
;   for (int i = 0; i < n; ++i) for (int j = 0; j < i; ++j) s += x[j] * x[i];
;   y[threadIdx.x] = s;
; }
; extern "C" __global__ void dot(const float *x, float *y, int n) {
;   float s = 0;
; #pragma unroll 4
;   for (int i = 0; i < n; ++i) s += x[i] * Coef[i & 63];
;   y[blockIdx.x*blockDim.x+threadIdx.x] = s;
; }
; extern "C" __global__ void sfu(const float *x, float *y, int n) {
;   float s = 0;
; #pragma unroll 1
;   for (int i = 0; i < n; ++i) s += __sinf(s) * __frcp_rn(Coef[i]) + rsqrtf(s+1.f);
;   y[threadIdx.x] = s;
; }
; extern "C" __global__ void shuffles(float *y, float4 *v, double *d, unsigned long long *l) {
;   float s = y[threadIdx.x];
;   for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o);
;   float4 q = v[threadIdx.x];
;   __shared__ float t[32];
;   t[threadIdx.x] = s; __syncthreads();
;   if (threadIdx.x == 0) atomicAdd(y, t[3]);
;   d[threadIdx.x] = d[threadIdx.x] / (double)q.x;
;   l[0] = atomicAdd(l, 1ull) % l[3];
;   y[3] = q.y / q.z + sqrtf(q.w);
;   switch (l[2]) {
;   case 0: y[1] = 3; break; case 1: y[7] = 4; break; case 2: y[9]=7; break; case 3: y[6]=2; break; case 4: y[11]=7; break; case 5: y[16]=2; break; default: y[4] = 5; }
;
;   int st[4] = {(int)l[7], (int)l[8], 1, 2}; y[5] = st[l[9] & 3];
;   printf("%f", s); __threadfence(); if(l[3]==3) __trap();
; }
; extern "C" __device__ __noinline__ float helper(float a, const float* p, int n) {
;   float s = 0;
;   for (int i = 0; i < n; i++) s += p[i] * a;
;   return s;
; }
; extern "C" __global__ void caller(float *y, const float* p, int n) { y[threadIdx.x] = helper(y[0], p, n); }
; extern "C" __global__ void assembly(float *y, const float *p) {
;   float s = p[threadIdx.x];
;   asm volatile("{ .reg .f32 t;\n\t mul.f32 t, %0, %0; // square\n\t add.f32 %0, t, t; }" : "+f"(s));
;   asm volatile("bar.sync 0;");
;   y[threadIdx.x] = s;
; }
; extern "C" __global__ void intrinsics(float *out, int *io, unsigned long long *ll, double *d) {
;   unsigned b = __ballot_sync(~0u, io[threadIdx.x] > 0);
;   int any = __any_sync(~0u, io[threadIdx.x]);
;   io[0] = __popc(b) + any + __syncthreads_count(io[1]) + __activemask() + __clz(io[2]) + __ffs(io[3]);
;   io[0] += __byte_perm(io[1], io[2], io[3]) + __mulhi(io[8], io[9]) + __dp4a(io[1], io[2], io[3]);
;   __syncwarp();
;   atomicCAS(io, 1, 2);
;   io[6] = atomicMax(io + 1, 3);
;   atomicExch(io + 5, 1);
;   out[0] = rsqrtf(out[1]) + __fdividef(out[1], out[2]) + __sinf(out[3]) + sqrtf(out[4]);
;   out[7] = fminf(out[1], out[2]) + __saturatef(out[3]) + __float2int_rn(out[3]) + __int_as_float(io[3]);
;   d[0] = atomicAdd(d, 1.0) + d[1];
;   ll[1] = clock64();
;   ll[2] = __umul64hi(ll[3], ll[4]) + (ll[5] >> 32) + __reduce_add_sync(~0u, io[9]) + warpSize;
; }

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%printf_args = type { double }
%struct.float4 = type { float, float, float, float }

@Coef = dso_local addrspace(4) externally_initialized constant [64 x float] zeroinitializer, align 4
@_ZZ8shufflesE1t = internal unnamed_addr addrspace(3) global [32 x float] undef, align 4
@.str = private unnamed_addr constant [3 x i8] c"%f\00", align 1
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(4) @Coef to ptr)], section "llvm.metadata"
@switch.table.shuffles = private unnamed_addr constant [6 x i64] [i64 4, i64 28, i64 36, i64 24, i64 44, i64 64], align 8
@switch.table.shuffles32 = private unnamed_addr constant [6 x float] [float 3.000000e+00, float 4.000000e+00, float 7.000000e+00, float 2.000000e+00, float 7.000000e+00, float 2.000000e+00], align 4

define dso_local ptx_kernel void @guarded(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul i32 %4, %5
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add i32 %6, %7
  %9 = icmp slt i32 %8, %2
  br i1 %9, label %10, label %17

10:                                               ; preds = %3
  %11 = sext i32 %8 to i64
  %12 = getelementptr inbounds float, ptr %1, i64 %11
  %13 = getelementptr inbounds float, ptr %0, i64 %11
  %14 = load float, ptr %13, align 4
  %15 = fmul contract float %14, 2.000000e+00
  %16 = fadd contract float %15, 1.000000e+00
  store float %16, ptr %12, align 4
  br label %17

17:                                               ; preds = %10, %3
  ret void
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define dso_local ptx_kernel void @triangle(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #2 {
  %4 = icmp sgt i32 %2, 0
  br i1 %4, label %5, label %17

5:                                                ; preds = %3, %40
  %6 = phi i32 [ %42, %40 ], [ 0, %3 ]
  %7 = phi float [ %41, %40 ], [ 0.000000e+00, %3 ]
  %8 = icmp eq i32 %6, 0
  br i1 %8, label %40, label %9

9:                                                ; preds = %5
  %10 = zext nneg i32 %6 to i64
  %11 = getelementptr inbounds nuw float, ptr %0, i64 %10
  %12 = load float, ptr %11, align 4
  %13 = and i32 %6, 7
  %14 = icmp samesign ult i32 %6, 8
  br i1 %14, label %24, label %15

15:                                               ; preds = %9
  %16 = and i32 %6, 2147483640
  br label %44

17:                                               ; preds = %40, %3
  %18 = phi float [ 0.000000e+00, %3 ], [ %41, %40 ]
  %19 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %20 = zext nneg i32 %19 to i64
  %21 = getelementptr inbounds nuw float, ptr %1, i64 %20
  store float %18, ptr %21, align 4
  ret void

22:                                               ; preds = %44
  %23 = icmp eq i32 %13, 0
  br i1 %23, label %40, label %24

24:                                               ; preds = %22, %9
  %25 = phi i32 [ 0, %9 ], [ %95, %22 ]
  %26 = phi float [ %7, %9 ], [ %94, %22 ]
  %27 = icmp ne i32 %13, 0
  tail call void @llvm.assume(i1 %27)
  br label %28

28:                                               ; preds = %28, %24
  %29 = phi i32 [ %25, %24 ], [ %37, %28 ]
  %30 = phi float [ %26, %24 ], [ %36, %28 ]
  %31 = phi i32 [ 0, %24 ], [ %38, %28 ]
  %32 = zext nneg i32 %29 to i64
  %33 = getelementptr inbounds nuw float, ptr %0, i64 %32
  %34 = load float, ptr %33, align 4
  %35 = fmul contract float %34, %12
  %36 = fadd contract float %30, %35
  %37 = add nuw nsw i32 %29, 1
  %38 = add i32 %31, 1
  %39 = icmp eq i32 %38, %13
  br i1 %39, label %40, label %28, !llvm.loop !13

40:                                               ; preds = %22, %28, %5
  %41 = phi float [ %7, %5 ], [ %94, %22 ], [ %36, %28 ]
  %42 = add nuw nsw i32 %6, 1
  %43 = icmp eq i32 %42, %2
  br i1 %43, label %17, label %5, !llvm.loop !15

44:                                               ; preds = %44, %15
  %45 = phi i32 [ 0, %15 ], [ %95, %44 ]
  %46 = phi float [ %7, %15 ], [ %94, %44 ]
  %47 = phi i32 [ 0, %15 ], [ %96, %44 ]
  %48 = zext nneg i32 %45 to i64
  %49 = getelementptr inbounds nuw float, ptr %0, i64 %48
  %50 = load float, ptr %49, align 4
  %51 = fmul contract float %50, %12
  %52 = fadd contract float %46, %51
  %53 = zext nneg i32 %45 to i64
  %54 = getelementptr inbounds nuw float, ptr %0, i64 %53
  %55 = getelementptr inbounds nuw i8, ptr %54, i64 4
  %56 = load float, ptr %55, align 4
  %57 = fmul contract float %56, %12
  %58 = fadd contract float %52, %57
  %59 = zext nneg i32 %45 to i64
  %60 = getelementptr inbounds nuw float, ptr %0, i64 %59
  %61 = getelementptr inbounds nuw i8, ptr %60, i64 8
  %62 = load float, ptr %61, align 4
  %63 = fmul contract float %62, %12
  %64 = fadd contract float %58, %63
  %65 = zext nneg i32 %45 to i64
  %66 = getelementptr inbounds nuw float, ptr %0, i64 %65
  %67 = getelementptr inbounds nuw i8, ptr %66, i64 12
  %68 = load float, ptr %67, align 4
  %69 = fmul contract float %68, %12
  %70 = fadd contract float %64, %69
  %71 = zext nneg i32 %45 to i64
  %72 = getelementptr inbounds nuw float, ptr %0, i64 %71
  %73 = getelementptr inbounds nuw i8, ptr %72, i64 16
  %74 = load float, ptr %73, align 4
  %75 = fmul contract float %74, %12
  %76 = fadd contract float %70, %75
  %77 = zext nneg i32 %45 to i64
  %78 = getelementptr inbounds nuw float, ptr %0, i64 %77
  %79 = getelementptr inbounds nuw i8, ptr %78, i64 20
  %80 = load float, ptr %79, align 4
  %81 = fmul contract float %80, %12
  %82 = fadd contract float %76, %81
  %83 = zext nneg i32 %45 to i64
  %84 = getelementptr inbounds nuw float, ptr %0, i64 %83
  %85 = getelementptr inbounds nuw i8, ptr %84, i64 24
  %86 = load float, ptr %85, align 4
  %87 = fmul contract float %86, %12
  %88 = fadd contract float %82, %87
  %89 = zext nneg i32 %45 to i64
  %90 = getelementptr inbounds nuw float, ptr %0, i64 %89
  %91 = getelementptr inbounds nuw i8, ptr %90, i64 28
  %92 = load float, ptr %91, align 4
  %93 = fmul contract float %92, %12
  %94 = fadd contract float %88, %93
  %95 = add nuw nsw i32 %45, 8
  %96 = add i32 %47, 8
  %97 = icmp eq i32 %96, %16
  br i1 %97, label %22, label %44, !llvm.loop !17
}

define dso_local ptx_kernel void @dot(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #2 {
  %4 = icmp sgt i32 %2, 0
  br i1 %4, label %5, label %32

5:                                                ; preds = %3
  %6 = and i32 %2, 3
  %7 = icmp ult i32 %2, 4
  br i1 %7, label %12, label %8

8:                                                ; preds = %5
  %9 = and i32 %2, 2147483644
  br label %41

10:                                               ; preds = %41
  %11 = icmp eq i32 %6, 0
  br i1 %11, label %32, label %12

12:                                               ; preds = %10, %5
  %13 = phi i32 [ 0, %5 ], [ %84, %10 ]
  %14 = phi float [ 0.000000e+00, %5 ], [ %83, %10 ]
  %15 = icmp ne i32 %6, 0
  tail call void @llvm.assume(i1 %15)
  br label %16

16:                                               ; preds = %16, %12
  %17 = phi i32 [ %29, %16 ], [ %13, %12 ]
  %18 = phi float [ %28, %16 ], [ %14, %12 ]
  %19 = phi i32 [ %30, %16 ], [ 0, %12 ]
  %20 = zext nneg i32 %17 to i64
  %21 = getelementptr inbounds nuw float, ptr %0, i64 %20
  %22 = load float, ptr %21, align 4
  %23 = and i32 %17, 63
  %24 = zext nneg i32 %23 to i64
  %25 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(4) @Coef to ptr), i64 %24
  %26 = load float, ptr %25, align 4
  %27 = fmul contract float %22, %26
  %28 = fadd contract float %18, %27
  %29 = add nuw nsw i32 %17, 1
  %30 = add i32 %19, 1
  %31 = icmp eq i32 %30, %6
  br i1 %31, label %32, label %16, !llvm.loop !18

32:                                               ; preds = %10, %16, %3
  %33 = phi float [ 0.000000e+00, %3 ], [ %83, %10 ], [ %28, %16 ]
  %34 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %35 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %36 = mul i32 %34, %35
  %37 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %38 = add i32 %36, %37
  %39 = zext i32 %38 to i64
  %40 = getelementptr inbounds nuw float, ptr %1, i64 %39
  store float %33, ptr %40, align 4
  ret void

41:                                               ; preds = %41, %8
  %42 = phi i32 [ 0, %8 ], [ %84, %41 ]
  %43 = phi float [ 0.000000e+00, %8 ], [ %83, %41 ]
  %44 = phi i32 [ 0, %8 ], [ %85, %41 ]
  %45 = zext nneg i32 %42 to i64
  %46 = getelementptr inbounds nuw float, ptr %0, i64 %45
  %47 = load float, ptr %46, align 4
  %48 = and i32 %42, 60
  %49 = zext nneg i32 %48 to i64
  %50 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(4) @Coef to ptr), i64 %49
  %51 = load float, ptr %50, align 4
  %52 = fmul contract float %47, %51
  %53 = fadd contract float %43, %52
  %54 = or disjoint i32 %42, 1
  %55 = zext nneg i32 %54 to i64
  %56 = getelementptr inbounds nuw float, ptr %0, i64 %55
  %57 = load float, ptr %56, align 4
  %58 = and i32 %54, 61
  %59 = zext nneg i32 %58 to i64
  %60 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(4) @Coef to ptr), i64 %59
  %61 = load float, ptr %60, align 4
  %62 = fmul contract float %57, %61
  %63 = fadd contract float %53, %62
  %64 = or disjoint i32 %42, 2
  %65 = zext nneg i32 %64 to i64
  %66 = getelementptr inbounds nuw float, ptr %0, i64 %65
  %67 = load float, ptr %66, align 4
  %68 = and i32 %64, 62
  %69 = zext nneg i32 %68 to i64
  %70 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(4) @Coef to ptr), i64 %69
  %71 = load float, ptr %70, align 4
  %72 = fmul contract float %67, %71
  %73 = fadd contract float %63, %72
  %74 = or disjoint i32 %42, 3
  %75 = zext nneg i32 %74 to i64
  %76 = getelementptr inbounds nuw float, ptr %0, i64 %75
  %77 = load float, ptr %76, align 4
  %78 = and i32 %74, 63
  %79 = zext nneg i32 %78 to i64
  %80 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(4) @Coef to ptr), i64 %79
  %81 = load float, ptr %80, align 4
  %82 = fmul contract float %77, %81
  %83 = fadd contract float %73, %82
  %84 = add nuw nsw i32 %42, 4
  %85 = add i32 %44, 4
  %86 = icmp eq i32 %85, %9
  br i1 %86, label %10, label %41, !llvm.loop !19
}

define dso_local ptx_kernel void @sfu(ptr noundef readnone captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #3 {
  %4 = icmp sgt i32 %2, 0
  br i1 %4, label %10, label %5

5:                                                ; preds = %10, %3
  %6 = phi float [ 0.000000e+00, %3 ], [ %22, %10 ]
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = zext nneg i32 %7 to i64
  %9 = getelementptr inbounds nuw float, ptr %1, i64 %8
  store float %6, ptr %9, align 4
  ret void

10:                                               ; preds = %3, %10
  %11 = phi i32 [ %23, %10 ], [ 0, %3 ]
  %12 = phi float [ %22, %10 ], [ 0.000000e+00, %3 ]
  %13 = tail call noundef float @llvm.nvvm.sin.approx.f(float %12) #17
  %14 = zext nneg i32 %11 to i64
  %15 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(4) @Coef to ptr), i64 %14
  %16 = load float, ptr %15, align 4
  %17 = tail call noundef float @llvm.nvvm.rcp.rn.f(float %16)
  %18 = fmul contract float %13, %17
  %19 = fadd contract float %12, 1.000000e+00
  %20 = tail call noundef float @llvm.nvvm.rsqrt.approx.f(float %19)
  %21 = fadd contract float %18, %20
  %22 = fadd contract float %12, %21
  %23 = add nuw nsw i32 %11, 1
  %24 = icmp eq i32 %23, %2
  br i1 %24, label %5, label %10, !llvm.loop !20
}

define dso_local ptx_kernel void @shuffles(ptr noundef captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef captures(none) %2, ptr noundef captures(none) %3) local_unnamed_addr #4 {
  %5 = alloca [4 x i32], align 4
  %6 = alloca %printf_args, align 8
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = zext nneg i32 %7 to i64
  %9 = getelementptr inbounds nuw float, ptr %0, i64 %8
  %10 = load float, ptr %9, align 4
  %11 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %10, i32 16, i32 31)
  %12 = fadd contract float %10, %11
  %13 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %12, i32 8, i32 31)
  %14 = fadd contract float %12, %13
  %15 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %14, i32 4, i32 31)
  %16 = fadd contract float %14, %15
  %17 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %16, i32 2, i32 31)
  %18 = fadd contract float %16, %17
  %19 = tail call contract noundef float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %18, i32 1, i32 31)
  %20 = fadd contract float %18, %19
  %21 = getelementptr inbounds nuw %struct.float4, ptr %1, i64 %8
  %22 = load float, ptr %21, align 16
  %23 = getelementptr inbounds nuw i8, ptr %21, i64 4
  %24 = load float, ptr %23, align 4
  %25 = getelementptr inbounds nuw i8, ptr %21, i64 8
  %26 = load float, ptr %25, align 8
  %27 = getelementptr inbounds nuw i8, ptr %21, i64 12
  %28 = load float, ptr %27, align 4
  %29 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ8shufflesE1t to ptr), i64 %8
  store float %20, ptr %29, align 4
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %30 = icmp eq i32 %7, 0
  br i1 %30, label %31, label %34

31:                                               ; preds = %4
  %32 = load float, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ8shufflesE1t to ptr), i64 12), align 4
  %33 = atomicrmw fadd ptr %0, float %32 seq_cst, align 4
  br label %34

34:                                               ; preds = %31, %4
  %35 = getelementptr inbounds nuw double, ptr %2, i64 %8
  %36 = load double, ptr %35, align 8
  %37 = fpext contract float %22 to double
  %38 = fdiv contract double %36, %37
  store double %38, ptr %35, align 8
  %39 = atomicrmw add ptr %3, i64 1 seq_cst, align 8
  %40 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %41 = load i64, ptr %40, align 8
  %42 = urem i64 %39, %41
  store i64 %42, ptr %3, align 8
  %43 = fdiv contract float %24, %26
  %44 = tail call noundef float @llvm.nvvm.sqrt.approx.f(float %28) #17
  %45 = fadd contract float %43, %44
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 12
  store float %45, ptr %46, align 4
  %47 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %48 = load i64, ptr %47, align 8
  %49 = icmp ult i64 %48, 6
  br i1 %49, label %50, label %55

50:                                               ; preds = %34
  %51 = getelementptr inbounds nuw i64, ptr @switch.table.shuffles, i64 %48
  %52 = load i64, ptr %51, align 8
  %53 = getelementptr inbounds nuw float, ptr @switch.table.shuffles32, i64 %48
  %54 = load float, ptr %53, align 4
  br label %55

55:                                               ; preds = %34, %50
  %56 = phi i64 [ %52, %50 ], [ 16, %34 ]
  %57 = phi float [ %54, %50 ], [ 5.000000e+00, %34 ]
  %58 = getelementptr inbounds nuw i8, ptr %0, i64 %56
  store float %57, ptr %58, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #17
  %59 = getelementptr inbounds nuw i8, ptr %3, i64 56
  %60 = load i64, ptr %59, align 8
  %61 = trunc i64 %60 to i32
  store i32 %61, ptr %5, align 4
  %62 = getelementptr inbounds nuw i8, ptr %5, i64 4
  %63 = getelementptr inbounds nuw i8, ptr %3, i64 64
  %64 = load i64, ptr %63, align 8
  %65 = trunc i64 %64 to i32
  store i32 %65, ptr %62, align 4
  %66 = getelementptr inbounds nuw i8, ptr %5, i64 8
  store i32 1, ptr %66, align 4
  %67 = getelementptr inbounds nuw i8, ptr %5, i64 12
  store i32 2, ptr %67, align 4
  %68 = getelementptr inbounds nuw i8, ptr %3, i64 72
  %69 = load i64, ptr %68, align 8
  %70 = and i64 %69, 3
  %71 = getelementptr inbounds nuw i32, ptr %5, i64 %70
  %72 = load i32, ptr %71, align 4
  %73 = sitofp i32 %72 to float
  %74 = getelementptr inbounds nuw i8, ptr %0, i64 20
  store float %73, ptr %74, align 4
  %75 = fpext contract float %20 to double
  store double %75, ptr %6, align 8
  %76 = call i32 @vprintf(ptr nonnull @.str, ptr nonnull %6) #17
  call void @llvm.nvvm.membar.gl()
  %77 = load i64, ptr %40, align 8
  %78 = icmp eq i64 %77, 3
  br i1 %78, label %79, label %80

79:                                               ; preds = %55
  call void @llvm.trap()
  unreachable

80:                                               ; preds = %55
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #17
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #5

declare i32 @vprintf(ptr, ptr) local_unnamed_addr

define dso_local float @helper(float noundef %0, ptr noundef readonly captures(none) %1, i32 noundef %2) local_unnamed_addr #6 {
  %4 = icmp sgt i32 %2, 0
  br i1 %4, label %5, label %28

5:                                                ; preds = %3
  %6 = and i32 %2, 7
  %7 = icmp ult i32 %2, 8
  br i1 %7, label %12, label %8

8:                                                ; preds = %5
  %9 = and i32 %2, 2147483640
  br label %30

10:                                               ; preds = %30
  %11 = icmp eq i32 %6, 0
  br i1 %11, label %28, label %12

12:                                               ; preds = %10, %5
  %13 = phi i32 [ 0, %5 ], [ %81, %10 ]
  %14 = phi float [ 0.000000e+00, %5 ], [ %80, %10 ]
  %15 = icmp ne i32 %6, 0
  tail call void @llvm.assume(i1 %15)
  br label %16

16:                                               ; preds = %16, %12
  %17 = phi i32 [ %25, %16 ], [ %13, %12 ]
  %18 = phi float [ %24, %16 ], [ %14, %12 ]
  %19 = phi i32 [ %26, %16 ], [ 0, %12 ]
  %20 = zext nneg i32 %17 to i64
  %21 = getelementptr inbounds nuw float, ptr %1, i64 %20
  %22 = load float, ptr %21, align 4
  %23 = fmul contract float %0, %22
  %24 = fadd contract float %18, %23
  %25 = add nuw nsw i32 %17, 1
  %26 = add i32 %19, 1
  %27 = icmp eq i32 %26, %6
  br i1 %27, label %28, label %16, !llvm.loop !25

28:                                               ; preds = %10, %16, %3
  %29 = phi float [ 0.000000e+00, %3 ], [ %80, %10 ], [ %24, %16 ]
  ret float %29

30:                                               ; preds = %30, %8
  %31 = phi i32 [ 0, %8 ], [ %81, %30 ]
  %32 = phi float [ 0.000000e+00, %8 ], [ %80, %30 ]
  %33 = phi i32 [ 0, %8 ], [ %82, %30 ]
  %34 = zext nneg i32 %31 to i64
  %35 = getelementptr inbounds nuw float, ptr %1, i64 %34
  %36 = load float, ptr %35, align 4
  %37 = fmul contract float %0, %36
  %38 = fadd contract float %32, %37
  %39 = zext nneg i32 %31 to i64
  %40 = getelementptr inbounds nuw float, ptr %1, i64 %39
  %41 = getelementptr inbounds nuw i8, ptr %40, i64 4
  %42 = load float, ptr %41, align 4
  %43 = fmul contract float %0, %42
  %44 = fadd contract float %38, %43
  %45 = zext nneg i32 %31 to i64
  %46 = getelementptr inbounds nuw float, ptr %1, i64 %45
  %47 = getelementptr inbounds nuw i8, ptr %46, i64 8
  %48 = load float, ptr %47, align 4
  %49 = fmul contract float %0, %48
  %50 = fadd contract float %44, %49
  %51 = zext nneg i32 %31 to i64
  %52 = getelementptr inbounds nuw float, ptr %1, i64 %51
  %53 = getelementptr inbounds nuw i8, ptr %52, i64 12
  %54 = load float, ptr %53, align 4
  %55 = fmul contract float %0, %54
  %56 = fadd contract float %50, %55
  %57 = zext nneg i32 %31 to i64
  %58 = getelementptr inbounds nuw float, ptr %1, i64 %57
  %59 = getelementptr inbounds nuw i8, ptr %58, i64 16
  %60 = load float, ptr %59, align 4
  %61 = fmul contract float %0, %60
  %62 = fadd contract float %56, %61
  %63 = zext nneg i32 %31 to i64
  %64 = getelementptr inbounds nuw float, ptr %1, i64 %63
  %65 = getelementptr inbounds nuw i8, ptr %64, i64 20
  %66 = load float, ptr %65, align 4
  %67 = fmul contract float %0, %66
  %68 = fadd contract float %62, %67
  %69 = zext nneg i32 %31 to i64
  %70 = getelementptr inbounds nuw float, ptr %1, i64 %69
  %71 = getelementptr inbounds nuw i8, ptr %70, i64 24
  %72 = load float, ptr %71, align 4
  %73 = fmul contract float %0, %72
  %74 = fadd contract float %68, %73
  %75 = zext nneg i32 %31 to i64
  %76 = getelementptr inbounds nuw float, ptr %1, i64 %75
  %77 = getelementptr inbounds nuw i8, ptr %76, i64 28
  %78 = load float, ptr %77, align 4
  %79 = fmul contract float %0, %78
  %80 = fadd contract float %74, %79
  %81 = add nuw nsw i32 %31, 8
  %82 = add i32 %33, 8
  %83 = icmp eq i32 %82, %9
  br i1 %83, label %10, label %30, !llvm.loop !26
}

define dso_local ptx_kernel void @caller(ptr noundef captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = load float, ptr %0, align 4
  %5 = tail call contract float @helper(float noundef %4, ptr noundef %1, i32 noundef %2) #17
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = zext nneg i32 %6 to i64
  %8 = getelementptr inbounds nuw float, ptr %0, i64 %7
  store float %5, ptr %8, align 4
  ret void
}

define dso_local ptx_kernel void @assembly(ptr noundef writeonly captures(none) %0, ptr noundef readonly captures(none) %1) local_unnamed_addr #7 {
  %3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %4 = zext nneg i32 %3 to i64
  %5 = getelementptr inbounds nuw float, ptr %1, i64 %4
  %6 = load float, ptr %5, align 4
  %7 = tail call contract float asm sideeffect "{ .reg .f32 t;\0A\09 mul.f32 t, $0, $0; // square\0A\09 add.f32 $0, t, t; }", "=f,0"(float %6) #18, !srcloc !27
  tail call void asm sideeffect "bar.sync 0;", ""() #18, !srcloc !28
  %8 = getelementptr inbounds nuw float, ptr %0, i64 %4
  store float %7, ptr %8, align 4
  ret void
}

define dso_local ptx_kernel void @intrinsics(ptr noundef captures(none) initializes((0, 4), (28, 32)) %0, ptr noundef captures(none) %1, ptr noundef captures(none) initializes((8, 24)) %2, ptr noundef captures(none) %3) local_unnamed_addr #4 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = zext nneg i32 %5 to i64
  %7 = getelementptr inbounds nuw i32, ptr %1, i64 %6
  %8 = load i32, ptr %7, align 4
  %9 = icmp sgt i32 %8, 0
  %10 = tail call noundef i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %9)
  %11 = icmp ne i32 %8, 0
  %12 = tail call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %11)
  %13 = zext i1 %12 to i32
  %14 = tail call noundef range(i32 0, 33) i32 @llvm.ctpop.i32(i32 %10)
  %15 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %16 = load i32, ptr %15, align 4
  %17 = icmp ne i32 %16, 0
  %18 = tail call noundef i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %17)
  %19 = tail call noundef i32 @llvm.nvvm.activemask()
  %20 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %21 = load i32, ptr %20, align 4
  %22 = tail call noundef range(i32 0, 33) i32 @llvm.ctlz.i32(i32 %21, i1 false)
  %23 = getelementptr inbounds nuw i8, ptr %1, i64 12
  %24 = load i32, ptr %23, align 4
  %25 = tail call i32 @llvm.bitreverse.i32(i32 %24)
  %26 = tail call i32 asm "bfind.shiftamt.u32 $0, $1;", "=r,r"(i32 %25) #19, !srcloc !29
  %27 = add nuw nsw i32 %14, 1
  %28 = add nuw nsw i32 %27, %13
  %29 = add i32 %28, %18
  %30 = add i32 %29, %19
  %31 = add i32 %30, %22
  %32 = add i32 %31, %26
  store i32 %32, ptr %1, align 4
  %33 = load i32, ptr %15, align 4
  %34 = and i32 %24, 30583
  %35 = tail call noundef i32 @llvm.nvvm.prmt(i32 %33, i32 %21, i32 %34)
  %36 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %37 = load i32, ptr %36, align 4
  %38 = getelementptr inbounds nuw i8, ptr %1, i64 36
  %39 = load i32, ptr %38, align 4
  %40 = tail call noundef i32 @llvm.nvvm.mulhi.i(i32 %37, i32 %39)
  %41 = add i32 %40, %35
  %42 = tail call noundef i32 asm sideeffect "dp4a.s32.s32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %33, i32 %21, i32 %24) #18, !srcloc !30
  %43 = add i32 %41, %42
  %44 = load i32, ptr %1, align 4
  %45 = add i32 %43, %44
  store i32 %45, ptr %1, align 4
  tail call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %46 = cmpxchg ptr %1, i32 1, i32 2 seq_cst seq_cst, align 4
  %47 = atomicrmw max ptr %15, i32 3 seq_cst, align 4
  %48 = getelementptr inbounds nuw i8, ptr %1, i64 24
  store i32 %47, ptr %48, align 4
  %49 = getelementptr inbounds nuw i8, ptr %1, i64 20
  %50 = atomicrmw xchg ptr %49, i32 1 seq_cst, align 4
  %51 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %52 = load float, ptr %51, align 4
  %53 = tail call noundef float @llvm.nvvm.rsqrt.approx.f(float %52)
  %54 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %55 = load float, ptr %54, align 4
  %56 = tail call noundef float @llvm.nvvm.div.approx.f(float %52, float %55)
  %57 = fadd contract float %53, %56
  %58 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %59 = load float, ptr %58, align 4
  %60 = tail call noundef float @llvm.nvvm.sin.approx.f(float %59) #17
  %61 = fadd contract float %57, %60
  %62 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %63 = load float, ptr %62, align 4
  %64 = tail call noundef float @llvm.nvvm.sqrt.approx.f(float %63) #17
  %65 = fadd contract float %61, %64
  store float %65, ptr %0, align 4
  %66 = tail call noundef float @llvm.minnum.f32(float %52, float %55)
  %67 = tail call noundef float @llvm.nvvm.saturate.f(float %59)
  %68 = fadd contract float %66, %67
  %69 = tail call noundef i32 @llvm.nvvm.f2i.rn(float %59)
  %70 = sitofp i32 %69 to float
  %71 = fadd contract float %68, %70
  %72 = load float, ptr %23, align 4
  %73 = fadd contract float %71, %72
  %74 = getelementptr inbounds nuw i8, ptr %0, i64 28
  store float %73, ptr %74, align 4
  %75 = atomicrmw fadd ptr %3, double 1.000000e+00 seq_cst, align 8
  %76 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %77 = load double, ptr %76, align 8
  %78 = fadd contract double %75, %77
  store double %78, ptr %3, align 8
  %79 = tail call noundef i64 @llvm.nvvm.read.ptx.sreg.clock64()
  %80 = getelementptr inbounds nuw i8, ptr %2, i64 8
  store i64 %79, ptr %80, align 8
  %81 = getelementptr inbounds nuw i8, ptr %2, i64 24
  %82 = load i64, ptr %81, align 8
  %83 = getelementptr inbounds nuw i8, ptr %2, i64 32
  %84 = load i64, ptr %83, align 8
  %85 = tail call noundef i64 @llvm.nvvm.mulhi.ull(i64 %82, i64 %84)
  %86 = getelementptr inbounds nuw i8, ptr %2, i64 40
  %87 = load i64, ptr %86, align 8
  %88 = lshr i64 %87, 32
  %89 = load i32, ptr %38, align 4
  %90 = tail call noundef i32 @llvm.nvvm.redux.sync.add(i32 %89, i32 -1)
  %91 = zext i32 %90 to i64
  %92 = add i64 %85, 32
  %93 = add i64 %92, %88
  %94 = add i64 %93, %91
  %95 = getelementptr inbounds nuw i8, ptr %2, i64 16
  store i64 %94, ptr %95, align 8
  ret void
}

declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #8

declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #8

declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #8

declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32) #9

declare void @llvm.nvvm.membar.gl() #10

declare void @llvm.trap() #11

declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #9

declare i1 @llvm.nvvm.vote.any.sync(i32, i1) #9

declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1) #5

declare i32 @llvm.nvvm.activemask() #9

declare void @llvm.nvvm.bar.warp.sync(i32) #5

declare noundef i64 @llvm.nvvm.read.ptx.sreg.clock64() #12

declare i32 @llvm.nvvm.redux.sync.add(i32, i32) #9

declare i32 @llvm.ctlz.i32(i32, i1 immarg) #8

declare i32 @llvm.ctpop.i32(i32) #13

declare i32 @llvm.nvvm.prmt(i32, i32, i32) #8

declare i32 @llvm.nvvm.mulhi.i(i32, i32) #8

declare i64 @llvm.nvvm.mulhi.ull(i64, i64) #8

declare float @llvm.nvvm.rsqrt.approx.f(float) #14

declare float @llvm.nvvm.saturate.f(float) #8

declare float @llvm.nvvm.div.approx.f(float, float) #14

declare float @llvm.nvvm.rcp.rn.f(float) #14

declare float @llvm.nvvm.sqrt.approx.f(float) #14

declare i32 @llvm.nvvm.f2i.rn(float) #8

declare float @llvm.nvvm.sin.approx.f(float) #14

declare i32 @llvm.bitreverse.i32(i32) #13

declare float @llvm.minnum.f32(float, float) #15

declare void @llvm.assume(i1 noundef) #16

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) }
attributes #3 = { nofree noinline norecurse nosync nounwind memory(argmem: write) }
attributes #4 = { convergent noinline norecurse nounwind }
attributes #5 = { convergent nocallback nounwind }
attributes #6 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: read) }
attributes #7 = { convergent mustprogress noinline norecurse nounwind }
attributes #8 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #9 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #10 = { nocallback nounwind }
attributes #11 = { cold noreturn nounwind memory(inaccessiblemem: write) }
attributes #12 = { mustprogress nocallback nofree nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #13 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #14 = { mustprogress nocallback nofree nosync nounwind willreturn memory(none) }
attributes #15 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #16 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #17 = { nounwind }
attributes #18 = { convergent nounwind }
attributes #19 = { nounwind memory(none) }

!13 = distinct !{!13, !14}
!14 = !{!"llvm.loop.unroll.disable"}
!15 = distinct !{!15, !16}
!16 = !{!"llvm.loop.mustprogress"}
!17 = distinct !{!17, !16}
!18 = distinct !{!18, !14}
!19 = distinct !{!19, !16, !14}
!20 = distinct !{!20, !16, !14}
!25 = distinct !{!25, !14}
!26 = distinct !{!26, !16}
!27 = !{i64 1955, i64 1972, i64 2005}
!28 = !{i64 2056}
!29 = !{i32 12369}
!30 = !{i64 5274501}
