// One thread writes field by field and another the whole structure, padding and all.
struct Record {
  float value;
  short id;
};
__global__ void f(const Record *x, Record *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Record r = x[i];
  r.value = 2 * r.value;
  if (threadIdx.x % 2) {
    y[i] = r;
  } else {
    y[i].value = r.value;
    y[i].id = r.id;
  }
}
