// The best local alignment of two sequences (Smith and Waterman), along the diagonals of the table: a launch per diagonal.
//
// smith_waterman [n]: two sequences of n letters.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(call)                                                                                            \
  do {                                                                                                         \
    cudaError_t e = (call);                                                                                    \
    if (e != cudaSuccess) {                                                                                    \
      fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e));                                               \
      exit(2);                                                                                                 \
    }                                                                                                          \
  } while (0)

const int MATCH = 3, MISMATCH = -2, GAP = 2;

// Diagonal d holds the cells with row + column = d; cell (row, column) is stored at index row. Best scores are kept per
// row.
__global__ void diagonal(const char *a, const char *b, const int *before, const int *last, int *current, int *best,
                         int n, int d) {
  int row = blockIdx.x * blockDim.x + threadIdx.x + max(1, d - n);
  int column = d - row;
  if (row > n || column < 1)
    return;
  int score = a[row - 1] == b[column - 1] ? MATCH : MISMATCH;
  int value = max(0, before[row - 1] + score);
  value = max(value, last[row - 1] - GAP);
  value = max(value, last[row] - GAP);
  current[row] = value;
  if (value > best[row])
    best[row] = value;
}

// The largest of all values.
__global__ void maximum(const int *values, int *result, int n) {
  int largest = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    largest = max(largest, values[i]);
  for (int offset = 16; offset > 0; offset /= 2)
    largest = max(largest, __shfl_down_sync(0xffffffff, largest, offset));
  if (threadIdx.x % 32 == 0)
    atomicMax(result, largest);
}

// The best score of each row.
static std::vector<int> reference(const std::string &a, const std::string &b) {
  int n = a.size();
  std::vector<int> best(n + 1, 0);
  std::vector<int> above(n + 1, 0), row(n + 1, 0);
  for (int i = 1; i <= n; ++i) {
    for (int j = 1; j <= n; ++j) {
      int score = a[i - 1] == b[j - 1] ? MATCH : MISMATCH;
      row[j] = std::max({0, above[j - 1] + score, above[j] - GAP, row[j - 1] - GAP});
      best[i] = std::max(best[i], row[j]);
    }
    above.swap(row);
  }
  return best;
}

// Two sequences with a common part that has a few changes.
static void makeSequences(std::string &a, std::string &b, int n) {
  srand(3);
  const char *letters = "ACGT";
  for (int i = 0; i < n; ++i) {
    a += letters[rand() % 4];
    b += letters[rand() % 4];
  }
  for (int i = n / 4; i < n / 2; ++i)
    if (rand() % 20 != 0)
      b[i + n / 8] = a[i];
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 8192;
  std::string a, b;
  makeSequences(a, b, n);
  char *da, *db;
  int *rows[3], *best, *result;
  CHECK(cudaMalloc(&da, n));
  CHECK(cudaMalloc(&db, n));
  for (int *&row : rows) {
    CHECK(cudaMalloc(&row, (n + 1) * sizeof(int)));
    CHECK(cudaMemset(row, 0, (n + 1) * sizeof(int)));
  }
  CHECK(cudaMalloc(&best, (n + 1) * sizeof(int)));
  CHECK(cudaMalloc(&result, sizeof(int)));
  CHECK(cudaMemset(best, 0, (n + 1) * sizeof(int)));
  CHECK(cudaMemset(result, 0, sizeof(int)));
  CHECK(cudaMemcpy(da, a.data(), n, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, b.data(), n, cudaMemcpyHostToDevice));

  for (int d = 2; d <= 2 * n; ++d) {
    int cells = std::min(d - 1, n) - std::max(1, d - n) + 1;
    diagonal<<<(cells + 127) / 128, 128>>>(da, db, rows[0], rows[1], rows[2], best, n, d);
    std::rotate(rows, rows + 1, rows + 3);
  }
  maximum<<<32, 256>>>(best, result, n + 1);
  CHECK(cudaGetLastError());
  int score;
  std::vector<int> scores(n + 1);
  CHECK(cudaMemcpy(&score, result, sizeof(score), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(scores.data(), best, (n + 1) * sizeof(int), cudaMemcpyDeviceToHost));

  std::vector<int> expectedScores = reference(a, b);
  int expected = *std::max_element(expectedScores.begin(), expectedScores.end());
  bool pass = score == expected && scores == expectedScores;
  printf("smith-waterman %d x %d: score %d, expected %d: %s\n", n, n, score, expected, pass ? "PASS" : "FAIL");
  return pass ? 0 : 1;
}
