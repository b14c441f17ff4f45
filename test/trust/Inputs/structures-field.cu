struct Record {
  float value;
  short id;
};
__global__ void f(const Record *x, Record *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    y[i].value = 2 * x[i].value;
  if (j < n)
    y[j].id = x[j].id;
}
