#!/bin/sh
# on-disk.sh OPTIONS DIR COMMAND...: runs the command with a disk of its own at DIR,
# mounted with these options, such as size=64k or ro; nobody else sees it.
options=$1 dir=$2
shift 2
mkdir -p "$dir"
# shellcheck disable=SC2016 # The inner shell expands them.
exec unshare --map-root-user --mount sh -c '
  mount -t tmpfs -o "$0" gpuprune-test "$1" && shift && exec "$@"' "$options" "$dir" "$@"
