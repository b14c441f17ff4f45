#!/usr/bin/env bash
# Makes the bundle of the exhaustive run, the hand-written kernels among its jobs:
#     prepare.sh DIR [WORKLOAD [OPTION...]]   (on a machine with LLVM and the CUDA toolkit, after a build;
#                                             default: kernels/matmul --exhaustive)
# then, on a machine with a GPU and nvcc:
#     DIR/run.sh RESULTS      writes RESULTS/results.jsonl and RESULTS/cublas.jsonl
# and back here:
#     build/release/bin/gpuprune report DIR/bundle --results RESULTS/results.jsonl --all
#     kernels/matmul/compare/summarize.py RESULTS
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
out=$1
shift
[[ $# -gt 0 ]] || set -- kernels/matmul --exhaustive
mkdir -p "$out"
out=$(cd "$out" && pwd)
rm -rf "$out/bundle"
(cd "$root" && build/release/bin/gpuprune tune "$@" --bundle "$out/bundle" --quiet -o "$out/pruned.txt")
clang++-22 -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -Wno-unknown-cuda-version -S \
  "$here/handwritten.cu" -o "$out/handwritten.ptx"
PATH="$PATH:/usr/local/cuda/bin" ptxas -O3 -arch=sm_90 "$out/handwritten.ptx" -o "$out/handwritten.cubin"
python3 "$here/add_handwritten.py" "$out/bundle" "$out/handwritten.cubin"
cp "$root/build/release/bin/gpuprune-runner" "$here/cublas.cu" "$here/run.sh" "$out/"
