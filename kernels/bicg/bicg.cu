// The two products of a step of the biconjugate gradient method with a square row-major matrix of order n:
// q = A * p and s = transpose(A) * r, one element of each a thread.
__global__ void bicg(const float *A, const float *p, const float *r, float *q, float *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float q_sum = 0.0f;
    float s_sum = 0.0f;
    for (int j = 0; j < n; j++) {
      q_sum += A[i * n + j] * p[j];
      s_sum += A[j * n + i] * r[j];
    }
    q[i] = q_sum;
    s[i] = s_sum;
  }
}
