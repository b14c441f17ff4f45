#!/usr/bin/env bash
# Compiles through ccache as a build that gpuprune_tune() has configured, and prints "hit" or "miss":
# compile_cached.sh RECORDS COMPILER ARGUMENT...
set -euo pipefail
records=$1
shift
# As GpuPruneTune.cmake computes it.
digest=$(cd "$records" && for file in *.gpuprune.json; do
  [[ ! -e $file ]] || printf '%s %s\n' "$file" "$(sha256sum <"$file" | cut -d ' ' -f 1)"
done | sha256sum | cut -d ' ' -f 1)
ccache --zero-stats >/dev/null
ccache "$@" -mllvm=-gpuprune-records="$records" -mllvm=-gpuprune-records-digest="$digest"
ccache --print-stats | awk -F '\t' '
  $1 == "cache_miss" { misses = $2 }
  $1 ~ /^(direct|preprocessed)_cache_hit$/ { hits += $2 }
  END { print hits ? "hit" : misses ? "miss" : "not cached" }'
