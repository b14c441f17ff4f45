// Where a sound comes from, by an array of microphones: what they receive is simulated and emphasised, each pair of signals
// is correlated over a window of lags (generalised correlation, Knapp and Carter, 1976), and for each point of a grid in
// the room the correlations at the lags that this point implies are added up (steered response, DiBiase, 2000). The point
// with the greatest sum is the answer, the first of equals. One sample, one lag of a pair, and one point a thread.
#include <cfloat>

#define MICROPHONES 16
#define BLOCK 256

struct alignas(16) Point {
  float x, y, z, w;
};

struct Grid {
  int nx, ny, nz;
  float dx, dy, dz;
};

__device__ float distance_between(float x, float y, float z, Point p) {
  return sqrtf((x - p.x) * (x - p.x) + (y - p.y) * (y - p.y) + (z - p.z) * (z - p.z));
}

// The sound at the distance of the microphone, between two samples, and noise. The sound begins margin samples earlier.
__global__ void receive(const float *sound, const float *noise, const Point *microphones, float *signals, int samples,
                        int margin, float samples_per_metre, float x, float y, float z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= MICROPHONES * samples)
    return;
  float distance = distance_between(x, y, z, microphones[i / samples]);
  float delay = distance * samples_per_metre;
  int whole = static_cast<int>(delay);
  float rest = delay - whole;
  int at = i % samples + margin - whole;
  signals[i] = (sound[at] + rest * (sound[at - 1] - sound[at])) / distance + noise[i];
}

__global__ void emphasise(const float *signals, float *emphasised, int samples) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= MICROPHONES * samples)
    return;
  float before = i % samples == 0 ? 0.0f : signals[i - 1];
  emphasised[i] = signals[i] - 0.5f * before;
}

// Pairs (0, 1), (0, 2), ... (1, 2), ...; lags from -reach to reach.
__global__ void correlate(const float *signals, float *correlations, int samples, int reach) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lags = 2 * reach + 1;
  if (i >= MICROPHONES * (MICROPHONES - 1) / 2 * lags)
    return;
  int a = 0;
  int b = i / lags + 1;
  while (b >= MICROPHONES) {
    a++;
    b += a + 1 - MICROPHONES;
  }
  int lag = i % lags - reach;
  const float *first = signals + a * samples;
  const float *second = signals + b * samples + lag;
  int end = min(samples, samples - lag);
  float sum = 0.0f;
  for (int t = max(0, -lag); t < end; t++)
    sum += first[t] * second[t];
  correlations[i] = sum / samples;
}

__global__ void search(const float *correlations, const Point *microphones, float *scores, Grid grid, int reach,
                       float samples_per_metre) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= grid.nx * grid.ny * grid.nz)
    return;
  float x = (i % grid.nx + 0.5f) * grid.dx;
  float y = (i / grid.nx % grid.ny + 0.5f) * grid.dy;
  float z = (i / (grid.nx * grid.ny) + 0.5f) * grid.dz;
  float delay[MICROPHONES];
#pragma unroll
  for (int m = 0; m < MICROPHONES; m++)
    delay[m] = distance_between(x, y, z, microphones[m]) * samples_per_metre;
  const float *pair = correlations + reach;
  float score = 0.0f;
#pragma unroll
  for (int a = 0; a < MICROPHONES; a++)
#pragma unroll
    for (int b = 0; b < MICROPHONES; b++)
      if (a < b) {
        float lag = delay[b] - delay[a];
        float below = floorf(lag);
        int k = static_cast<int>(below);
        score += pair[k] + (lag - below) * (pair[k + 1] - pair[k]);
        pair += 2 * reach + 1;
      }
  scores[i] = score;
}

__device__ void take_greater(float &score, int &where, float other_score, int other_where) {
  if (other_score > score || (other_score == score && other_where < where)) {
    score = other_score;
    where = other_where;
  }
}

// The greatest of what the threads of the block have; in the first thread.
__device__ void reduce_block(float &score, int &where) {
  __shared__ float scores[BLOCK];
  __shared__ int places[BLOCK];
  int tid = threadIdx.x;
  scores[tid] = score;
  places[tid] = where;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (tid < half) {
      take_greater(score, where, scores[tid + half], places[tid + half]);
      scores[tid] = score;
      places[tid] = where;
    }
    __syncthreads();
  }
}

__global__ void best_of_blocks(const float *scores, float *best, int *place, int points) {
  float score = -FLT_MAX;
  int where = points;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < points; i += gridDim.x * BLOCK)
    take_greater(score, where, scores[i], i);
  reduce_block(score, where);
  if (threadIdx.x == 0) {
    best[blockIdx.x] = score;
    place[blockIdx.x] = where;
  }
}

__global__ void best_of_all(const float *best, const int *place, float *answer_score, int *answer, int blocks, int points) {
  float score = -FLT_MAX;
  int where = points;
  for (int i = threadIdx.x; i < blocks; i += BLOCK)
    take_greater(score, where, best[i], place[i]);
  reduce_block(score, where);
  if (threadIdx.x == 0) {
    *answer_score = score;
    *answer = where;
  }
}
