// A program whose output must be the same with and without a recorder: threads of which one captures in the
// strictest mode, several streams, pools, managed memory, pointers in structures, variables.
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#define CHECK(Call)                                                                                                    \
  do {                                                                                                                 \
    cudaError_t Error = (Call);                                                                                        \
    if (Error != cudaSuccess) {                                                                                        \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(Error));                                               \
      std::exit(2);                                                                                                    \
    }                                                                                                                  \
  } while (0)

struct View {
  float *Data;
  int Size;
};

__constant__ float Weights[4];
__device__ unsigned Counter;

__global__ void scale(View V, float Factor) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < V.Size)
    V.Data[I] = V.Data[I] * Factor + 1.0f;
}

__global__ void weigh(const float *In, float *Out, int Size) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Size)
    Out[I] = In[I] * Weights[I % 4];
}

__global__ void count(const float *In, int Size) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Size && In[I] > 2.0f)
    atomicAdd(&Counter, 1u);
}

static const int Size = 100000;
static const int Blocks = (Size + 255) / 256;

static float *newBuffer() {
  std::vector<float> Start(Size);
  for (int I = 0; I != Size; ++I)
    Start[I] = float(I % 1000) * 0.01f;
  float *Buffer;
  CHECK(cudaMalloc(&Buffer, Size * sizeof(float)));
  CHECK(cudaMemcpy(Buffer, Start.data(), Size * sizeof(float), cudaMemcpyHostToDevice));
  return Buffer;
}

static void report(const char *What, const float *Host) {
  unsigned Hash = 2166136261u;
  const unsigned char *Bytes = reinterpret_cast<const unsigned char *>(Host);
  for (size_t I = 0; I != Size * sizeof(float); ++I)
    Hash = (Hash ^ Bytes[I]) * 16777619u;
  std::printf("%s %08x\n", What, Hash);
}

static void reportDevice(const char *What, const float *Buffer) {
  std::vector<float> Host(Size);
  CHECK(cudaMemcpy(Host.data(), Buffer, Size * sizeof(float), cudaMemcpyDeviceToHost));
  report(What, Host.data());
}

// Nothing of it may be called by another thread's side while a capture in global mode is under way.
static void captures(float *Buffer) {
  cudaStream_t Stream;
  CHECK(cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking));
  for (int Round = 0; Round != 20; ++Round) {
    cudaGraph_t Graph;
    cudaGraphExec_t Ready;
    CHECK(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal));
    for (int Step = 0; Step != 5; ++Step)
      scale<<<Blocks, 256, 0, Stream>>>(View{Buffer, Size}, 0.5f);
    CHECK(cudaStreamEndCapture(Stream, &Graph));
    CHECK(cudaGraphInstantiate(&Ready, Graph, 0));
    CHECK(cudaGraphLaunch(Ready, Stream));
    CHECK(cudaStreamSynchronize(Stream));
    CHECK(cudaGraphExecDestroy(Ready));
    CHECK(cudaGraphDestroy(Graph));
  }
}

// Launches only: all else may be forbidden while the other thread captures.
static void launches(float *Buffer, cudaStream_t Stream) {
  for (int Round = 0; Round != 300; ++Round)
    scale<<<Blocks, 128 + 32 * (Round % 4), 0, Stream>>>(View{Buffer, Size}, 0.75f);
  CHECK(cudaGetLastError());
}

static void threads() {
  float *Captured = newBuffer(), *Launched = newBuffer();
  cudaStream_t Stream;
  CHECK(cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking));
  std::thread One(captures, Captured), Other(launches, Launched, Stream);
  One.join();
  Other.join();
  CHECK(cudaDeviceSynchronize());
  reportDevice("captured", Captured);
  reportDevice("launched", Launched);
}

static void streams() {
  float *A = newBuffer(), *B = newBuffer(), *C = newBuffer();
  float Host[4] = {1.0f, 0.5f, 2.0f, 0.25f};
  CHECK(cudaMemcpyToSymbol(Weights, Host, sizeof(Host)));
  cudaStream_t First, Second;
  cudaEvent_t Done;
  CHECK(cudaStreamCreate(&First));
  CHECK(cudaStreamCreateWithFlags(&Second, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&Done));
  for (int Round = 0; Round != 10; ++Round) {
    weigh<<<Blocks, 256, 0, First>>>(A, B, Size);
    CHECK(cudaEventRecord(Done, First));
    CHECK(cudaStreamWaitEvent(Second, Done, 0));
    weigh<<<Blocks, 256, 0, Second>>>(B, C, Size);
    CHECK(cudaStreamSynchronize(Second));
    scale<<<Blocks, 256>>>(View{A, Size}, 0.9f);
  }
  count<<<Blocks, 256>>>(C, Size);
  unsigned Found;
  CHECK(cudaMemcpyFromSymbol(&Found, Counter, sizeof(Found)));
  std::printf("counted %u\n", Found);
  reportDevice("streams", C);
}

static void pools() {
  cudaStream_t Stream;
  CHECK(cudaStreamCreate(&Stream));
  std::vector<float> Host(Size);
  float *In = newBuffer();
  for (int Round = 0; Round != 10; ++Round) {
    float *Out;
    CHECK(cudaMallocAsync(&Out, Size * sizeof(float), Stream));
    weigh<<<Blocks, 256, 0, Stream>>>(In, Out, Size);
    scale<<<Blocks, 256, 0, Stream>>>(View{Out, Size}, float(Round));
    CHECK(cudaMemcpyAsync(Host.data(), Out, Size * sizeof(float), cudaMemcpyDeviceToHost, Stream));
    CHECK(cudaFreeAsync(Out, Stream));
  }
  CHECK(cudaStreamSynchronize(Stream));
  report("pools", Host.data());
}

static void managed() {
  float *Buffer;
  CHECK(cudaMallocManaged(&Buffer, Size * sizeof(float)));
  for (int I = 0; I != Size; ++I)
    Buffer[I] = float(I % 77);
  for (int Round = 0; Round != 5; ++Round) {
    scale<<<Blocks, 256>>>(View{Buffer, Size}, 0.3f);
    CHECK(cudaDeviceSynchronize());
    Buffer[Round] += 1.0f;
  }
  report("managed", Buffer);
}

int main() {
  threads();
  streams();
  pools();
  managed();
  std::printf("pending: %s\n", cudaGetErrorString(cudaGetLastError()));
}
