#!/bin/sh
# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# fake-toolkit.sh FOLDER: what looks like a CUDA toolkit; its ptxas fails with its own path.
set -eu
mkdir -p "$1/bin" "$1/include" "$1/nvvm/libdevice"
# shellcheck disable=SC2016 # $0 is for the script that is written.
printf '#!/bin/sh\necho "this is $0"; exit 1\n' >"$1/bin/ptxas"
chmod +x "$1/bin/ptxas"
touch "$1/include/cuda_runtime.h" "$1/include/curand_mtgp32_kernel.h" "$1/nvvm/libdevice/libdevice.10.bc"
