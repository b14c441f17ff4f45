// Writes nothing but what lies between the fields.
struct Record {
  float value;
  short id, gap;
};
__global__ void f(const float *x, Record *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i].gap = x[i] > 0;
}
