// Makes frames gray, blurs them and equalizes their histograms, in two streams by turns.
//
// image_pipeline [n]: 6 frames of n x n pixels.
#include "filters.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                            \
  do {                                                                                                         \
    cudaError_t e = (call);                                                                                    \
    if (e != cudaSuccess) {                                                                                    \
      fprintf(stderr, "main.cu:%d: %s\n", __LINE__, cudaGetErrorString(e));                                    \
      exit(2);                                                                                                 \
    }                                                                                                          \
  } while (0)

const int FRAMES = 6, STREAMS = 2;

struct Lane {
  cudaStream_t stream;
  uchar4 *image;
  float *gray, *scratch, *blurred, *table;
  unsigned *histogram;
};

static void paint(uchar4 *frame, int n, int number) {
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      unsigned char r = (x + 3 * number) * 255 / (n + 3 * number), g = (x * y + number) % 200,
                    b = 60 + (y / 16 + x / 16) % 2 * 100;
      frame[y * n + x] = make_uchar4(r, g, b, 255);
    }
}

static void hostBlur(const std::vector<float> &in, std::vector<float> &out, const float *w, int n, int dx, int dy) {
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      float sum = 0;
      for (int k = -RADIUS; k <= RADIUS; ++k) {
        int sx = std::min(std::max(x + k * dx, 0), n - 1), sy = std::min(std::max(y + k * dy, 0), n - 1);
        sum += w[k + RADIUS] * in[sy * n + sx];
      }
      out[y * n + x] = sum;
    }
}

static std::vector<float> reference(const uchar4 *frame, const float *w, int n) {
  std::vector<float> a(n * n), b(n * n);
  for (int i = 0; i < n * n; ++i)
    a[i] = 0.299f * frame[i].x + 0.587f * frame[i].y + 0.114f * frame[i].z;
  hostBlur(a, b, w, n, 1, 0);
  hostBlur(b, a, w, n, 0, 1);
  std::vector<unsigned> sums(256, 0);
  for (float v : a)
    ++sums[std::min(std::max((int)v, 0), 255)];
  for (int k = 1; k < 256; ++k)
    sums[k] += sums[k - 1];
  for (float &v : a)
    v = 255.0f * sums[std::min(std::max((int)v, 0), 255)] / (n * n);
  return a;
}

static void makeWeights(float *w) {
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; ++k)
    sum += w[k + RADIUS] = expf(-0.125f * k * k);
  for (int k = 0; k <= 2 * RADIUS; ++k)
    w[k] /= sum;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2048;
  int count = n * n;
  float w[2 * RADIUS + 1];
  makeWeights(w);
  setBlurWeights(w);

  uchar4 *frames;
  float *results;
  CHECK(cudaMallocHost(&frames, FRAMES * count * sizeof(uchar4)));
  CHECK(cudaMallocHost(&results, FRAMES * count * sizeof(float)));
  for (int f = 0; f < FRAMES; ++f)
    paint(frames + f * count, n, f);

  Lane lanes[STREAMS];
  for (Lane &lane : lanes) {
    CHECK(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking));
    CHECK(cudaMalloc(&lane.image, count * sizeof(uchar4)));
    CHECK(cudaMalloc(&lane.gray, count * sizeof(float)));
    CHECK(cudaMalloc(&lane.scratch, count * sizeof(float)));
    CHECK(cudaMalloc(&lane.blurred, count * sizeof(float)));
    CHECK(cudaMalloc(&lane.table, 256 * sizeof(float)));
    CHECK(cudaMalloc(&lane.histogram, 256 * sizeof(unsigned)));
  }
  for (int f = 0; f < FRAMES; ++f) {
    Lane &lane = lanes[f % STREAMS];
    CHECK(cudaMemcpyAsync(lane.image, frames + f * count, count * sizeof(uchar4), cudaMemcpyHostToDevice,
                          lane.stream));
    toGray(lane.image, lane.gray, n, n, lane.stream);
    blur(lane.gray, lane.scratch, lane.blurred, n, n, lane.stream);
    equalize(lane.blurred, lane.histogram, lane.table, n, n, lane.stream);
    CHECK(cudaMemcpyAsync(results + f * count, lane.blurred, count * sizeof(float), cudaMemcpyDeviceToHost,
                          lane.stream));
  }
  for (Lane &lane : lanes)
    CHECK(cudaStreamSynchronize(lane.stream));
  CHECK(cudaGetLastError());

  // A pixel on the edge of two brightnesses may fall on the other side, which moves the table a little.
  int different = 0;
  for (int f = 0; f < FRAMES; ++f) {
    std::vector<float> expected = reference(frames + f * count, w, n);
    for (int i = 0; i < count; ++i)
      different += !(fabs(results[f * count + i] - expected[i]) < 0.1f);
  }
  bool pass = different <= FRAMES * count / 1000;
  printf("image-pipeline %d frames of %d x %d: %d pixels differ: %s\n", FRAMES, n, n, different,
         pass ? "PASS" : "FAIL");
  for (Lane &lane : lanes) {
    CHECK(cudaStreamDestroy(lane.stream));
    for (void *p : {(void *)lane.image, (void *)lane.gray, (void *)lane.scratch, (void *)lane.blurred,
                    (void *)lane.table, (void *)lane.histogram})
      CHECK(cudaFree(p));
  }
  CHECK(cudaFreeHost(frames));
  CHECK(cudaFreeHost(results));
  return pass ? 0 : 1;
}
