// kmeans [n]: n points around 16 places in 4 dimensions, 20 iterations.
#include "kmeans.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define CHECK(call) check((call), __LINE__)

static void check(cudaError_t error, int line) {
  if (error != cudaSuccess) {
    fprintf(stderr, "main.cu:%d: %s\n", line, cudaGetErrorString(error));
    exit(2);
  }
}

static const int ITERATIONS = 20;

// In double precision, with the labels of the last iteration.
static void reference(const std::vector<float> &points, std::vector<double> &centers, std::vector<int> &labels,
                      int count) {
  for (int iteration = 0; iteration < ITERATIONS; ++iteration) {
    std::vector<double> sums(CLUSTERS * DIMENSIONS, 0.0);
    std::vector<int> sizes(CLUSTERS, 0);
    for (int i = 0; i < count; ++i) {
      double bestDistance = 1e300;
      for (int c = 0; c < CLUSTERS; ++c) {
        double distance = 0;
        for (int d = 0; d < DIMENSIONS; ++d) {
          double delta = points[d * count + i] - centers[c * DIMENSIONS + d];
          distance += delta * delta;
        }
        if (distance < bestDistance) {
          bestDistance = distance;
          labels[i] = c;
        }
      }
      for (int d = 0; d < DIMENSIONS; ++d)
        sums[labels[i] * DIMENSIONS + d] += points[d * count + i];
      ++sizes[labels[i]];
    }
    for (int k = 0; k < CLUSTERS * DIMENSIONS; ++k)
      if (sizes[k / DIMENSIONS] > 0)
        centers[k] = sums[k] / sizes[k / DIMENSIONS];
  }
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 1 << 20;
  std::mt19937 random(7);
  std::uniform_real_distribution<float> place(-10, 10);
  std::normal_distribution<float> noise(0, 1.5f);
  std::vector<float> places(CLUSTERS * DIMENSIONS), points(DIMENSIONS * count), centers(CLUSTERS * DIMENSIONS);
  for (float &p : places)
    p = place(random);
  for (int i = 0; i < count; ++i)
    for (int d = 0; d < DIMENSIONS; ++d)
      points[d * count + i] = places[i % CLUSTERS * DIMENSIONS + d] + noise(random);
  for (int c = 0; c < CLUSTERS; ++c) // The first points, one of each place.
    for (int d = 0; d < DIMENSIONS; ++d)
      centers[c * DIMENSIONS + d] = points[d * count + c % count];

  float *dPoints, *dCenters, *dSums;
  int *dLabels, *dSizes;
  CHECK(cudaMalloc(&dPoints, points.size() * sizeof(float)));
  CHECK(cudaMalloc(&dCenters, centers.size() * sizeof(float)));
  CHECK(cudaMalloc(&dSums, centers.size() * sizeof(float)));
  CHECK(cudaMalloc(&dLabels, count * sizeof(int)));
  CHECK(cudaMalloc(&dSizes, CLUSTERS * sizeof(int)));
  CHECK(cudaMemcpy(dPoints, points.data(), points.size() * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dCenters, centers.data(), centers.size() * sizeof(float), cudaMemcpyHostToDevice));

  for (int iteration = 0; iteration < ITERATIONS; ++iteration) {
    assignPoints(dPoints, dCenters, dLabels, count);
    sumClusters(dPoints, dLabels, dSums, dSizes, count);
    moveCenters(dCenters, dSums, dSizes);
  }
  CHECK(cudaGetLastError());

  std::vector<double> expected(centers.begin(), centers.end());
  std::vector<int> labels(count), expectedLabels(count);
  CHECK(cudaMemcpy(centers.data(), dCenters, centers.size() * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(labels.data(), dLabels, count * sizeof(int), cudaMemcpyDeviceToHost));
  reference(points, expected, expectedLabels, count);
  double worst = 0;
  int different = 0;
  bool pass = true;
  for (size_t k = 0; k < centers.size(); ++k) {
    double error = fabs(centers[k] - expected[k]);
    worst = fmax(worst, error);
    pass = pass && error < 2e-3;
  }
  for (int i = 0; i < count; ++i)
    different += labels[i] != expectedLabels[i];
  pass = pass && different <= count / 10000; // Points between two centers may go to either.
  printf("kmeans %d points, %d iterations: error %.2g, %d labels differ: %s\n", count, ITERATIONS, worst, different,
         pass ? "PASS" : "FAIL");
  for (void *p : {(void *)dPoints, (void *)dCenters, (void *)dSums, (void *)dLabels, (void *)dSizes})
    CHECK(cudaFree(p));
  return pass ? 0 : 1;
}
