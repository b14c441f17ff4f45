#!/usr/bin/env bash
# Measures a folder that prepare.sh made, on a machine with a GPU and nvcc: cuBLAS before and after, and in
# between every variant and every hand-written kernel, each in turn with the same baseline.
set -euo pipefail
dir=$(cd "$(dirname "$0")" && pwd)
results=$1
mkdir -p "$results"
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv
nvcc -O2 -arch=sm_90 "$dir/cublas.cu" -lcublas -o "$results/cublas"
"$results/cublas" 4096 >"$results/cublas.jsonl"
"$dir/gpuprune-runner" "$dir/bundle" --output "$results/results.jsonl" 2>"$results/progress.txt" || echo "runner: exit $?"
"$results/cublas" 4096 >>"$results/cublas.jsonl"
rm "$results/cublas"
tail -n 1 "$results/progress.txt"
