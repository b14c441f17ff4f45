namespace ns {
struct Pair {
  float x, y;
};
template <typename T, int N> __global__ void scale(T *out, long n, bool twice, Pair by) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = i * by.x + by.y + (twice ? N : 0);
}
template __global__ void scale<float, 4>(float *, long, bool, Pair);
} // namespace ns
