// The vector F^H d of a non-Cartesian magnetic resonance image: at each voxel the samples of k-space add up, each turned
// by the phase of its position. Samples are in constant memory, MAX_SAMPLES at a time: kx, ky, kz and the real part of
// the weighted signal in one array, the imaginary part in another. One voxel a thread.
#ifndef MAX_SAMPLES
#define MAX_SAMPLES 2048
#endif

#define TWO_PI 6.2831853f

__constant__ float4 samples[MAX_SAMPLES];
__constant__ float imaginary[MAX_SAMPLES];

__global__ void fhd(const float *x, const float *y, const float *z, float *real_out, float *imaginary_out, int voxels,
                    int nsamples) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= voxels)
    return;

  float vx = x[i];
  float vy = y[i];
  float vz = z[i];
  float real_sum = real_out[i];
  float imaginary_sum = imaginary_out[i];

  for (int s = 0; s < nsamples; s++) {
    float angle = TWO_PI * (samples[s].x * vx + samples[s].y * vy + samples[s].z * vz);
    float c = __cosf(angle);
    float d = __sinf(angle);
    real_sum += samples[s].w * c - imaginary[s] * d;
    imaginary_sum += imaginary[s] * c + samples[s].w * d;
  }

  real_out[i] = real_sum;
  imaginary_out[i] = imaginary_sum;
}
