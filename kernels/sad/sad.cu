// Sums of absolute differences between each 4 x 4 block of a frame and all blocks of a reference frame that lie at most
// SEARCH / 2 pixels away, as a video encoder's motion search needs them. One thread block a 4 x 4 block; a thread takes
// a column of displacements. The reference frame extends SEARCH / 2 pixels over each edge. Frames of width x height
// pixels, both multiples of 4, follow one another; blockIdx.z is the frame. The sums are in the order frame, block row,
// block column, vertical and horizontal displacement.
#ifndef SEARCH
#define SEARCH 32
#endif

__global__ void sad(const unsigned char *frames, const unsigned char *references, unsigned short *sads, int width,
                    int height) {
  int stride = width + SEARCH;
  const unsigned char *current = frames + blockIdx.z * width * height;
  const unsigned char *reference = references + blockIdx.z * stride * (height + SEARCH);
  int left = blockIdx.x * 4;
  int top = blockIdx.y * 4;
  int block = (blockIdx.z * (height / 4) + blockIdx.y) * (width / 4) + blockIdx.x;
  int dx = threadIdx.x;

  for (int dy = threadIdx.y; dy < SEARCH; dy += blockDim.y) {
    int sum = 0;
    for (int y = 0; y < 4; y++)
      for (int x = 0; x < 4; x++)
        sum += abs(current[(top + y) * width + left + x] - reference[(top + dy + y) * stride + left + dx + x]);
    sads[(block * SEARCH + dy) * SEARCH + dx] = sum;
  }
}
