// Convolution of an image of height rows and width columns with a (2 RADIUS + 1) x (2 RADIUS + 1) filter in constant
// memory, one pixel a thread. Pixels outside the image count as zero.
#ifndef RADIUS
#define RADIUS 3
#endif

#define DIAMETER (2 * RADIUS + 1)

__constant__ float filter[DIAMETER * DIAMETER];

__global__ void convolution2d(const float *in, float *out, int width, int height) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || col >= width)
    return;

  float sum = 0.0f;
  for (int dy = -RADIUS; dy <= RADIUS; dy++) {
    for (int dx = -RADIUS; dx <= RADIUS; dx++) {
      int y = row + dy;
      int x = col + dx;
      if (y >= 0 && y < height && x >= 0 && x < width)
        sum += filter[(dy + RADIUS) * DIAMETER + dx + RADIUS] * in[y * width + x];
    }
  }
  out[row * width + col] = sum;
}
