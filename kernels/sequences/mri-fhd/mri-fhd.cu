// The vector F^H d of a non-Cartesian magnetic resonance image. First the signal is weighted, by the complex conjugate of
// the coils' sensitivity at each sample; then, chunk by chunk of the samples, each voxel adds them up, turned by the phase
// of its position.
#define TWO_PI 6.2831853f

__global__ void weight(const float *phi_real, const float *phi_imag, const float *d_real, const float *d_imag,
                       float *rho_real, float *rho_imag, int samples) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= samples)
    return;
  rho_real[s] = phi_real[s] * d_real[s] + phi_imag[s] * d_imag[s];
  rho_imag[s] = phi_real[s] * d_imag[s] - phi_imag[s] * d_real[s];
}

__global__ void clear(float *real, float *imag, int voxels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= voxels)
    return;
  real[i] = 0.0f;
  imag[i] = 0.0f;
}

__global__ void add_chunk(const float *kx, const float *ky, const float *kz, const float *rho_real, const float *rho_imag,
                          const float *x, const float *y, const float *z, float *real, float *imag, int voxels, int chunk) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= voxels)
    return;
  float real_sum = real[i];
  float imag_sum = imag[i];
  for (int s = 0; s < chunk; s++) {
    float angle = TWO_PI * (kx[s] * x[i] + ky[s] * y[i] + kz[s] * z[i]);
    float c = __cosf(angle);
    float d = __sinf(angle);
    real_sum += rho_real[s] * c - rho_imag[s] * d;
    imag_sum += rho_imag[s] * c + rho_real[s] * d;
  }
  real[i] = real_sum;
  imag[i] = imag_sum;
}
