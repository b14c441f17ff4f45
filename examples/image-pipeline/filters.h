// Filters of images; everything is queued in a stream.
#pragma once
#include <cuda_runtime.h>

const int RADIUS = 4; // Of the blur.

void setBlurWeights(const float *weights); // 2 * RADIUS + 1 of them.
void toGray(const uchar4 *image, float *gray, int width, int height, cudaStream_t stream);
void blur(const float *in, float *scratch, float *out, int width, int height, cudaStream_t stream);
void equalize(float *image, unsigned *histogram, float *table, int width, int height, cudaStream_t stream);
