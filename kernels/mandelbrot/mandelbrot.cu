// How many steps of z = z * z + c it takes for |z| to exceed 2, at most limit, for c on a grid of width x height points
// over the rectangle [x_min, x_max) x [y_min, y_max).
__global__ void mandelbrot(int *steps, int width, int height, float x_min, float x_max, float y_min, float y_max,
                           int limit) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height)
    return;

  float cx = x_min + (x_max - x_min) * column / width;
  float cy = y_min + (y_max - y_min) * row / height;
  float zx = 0.0f;
  float zy = 0.0f;
  int count = 0;
  while (count < limit && zx * zx + zy * zy <= 4.0f) {
    float next = zx * zx - zy * zy + cx;
    zy = 2.0f * zx * zy + cy;
    zx = next;
    count++;
  }
  steps[row * width + column] = count;
}
