enum Mode : unsigned char { Off, On };
enum class Kind { A, B };
struct Half {
  unsigned short bits;
};
struct Pad {
  char c;
  double d;
};
__global__ void types(float *out, bool flag, char letter, short small, Mode mode, Kind kind, Half half, Pad pad, long n) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = i + flag + letter + small + mode + int(kind) + half.bits + float(pad.d);
}
