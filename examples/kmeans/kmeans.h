// Lloyd's algorithm for k-means in several dimensions.
#pragma once

constexpr int DIMENSIONS = 4;
constexpr int CLUSTERS = 16;

// Points are stored dimension by dimension: coordinate d of point i is points[d * count + i].
void assignPoints(const float *points, const float *centers, int *labels, int count);
void sumClusters(const float *points, const int *labels, float *sums, int *sizes, int count);
void moveCenters(float *centers, const float *sums, const int *sizes);
