# GPUPRUNE_STATIC: programs that start on a machine with nothing but a C library.
# Included before any find_package: it decides which file a library is.
option(GPUPRUNE_STATIC "Link everything but the C library into the programs; there is no plugin then" OFF)
if(NOT GPUPRUNE_STATIC)
  return()
endif()

set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
add_link_options(-static-libstdc++ -static-libgcc -Wl,--as-needed -Wl,--gc-sections -Wl,--strip-all)

# LLVM's own targets name the shared zstd, however it is found.
find_library(GPUPRUNE_ZSTD zstd REQUIRED)
if(NOT TARGET zstd::libzstd_shared)
  add_library(zstd::libzstd_shared STATIC IMPORTED)
  set_target_properties(zstd::libzstd_shared PROPERTIES IMPORTED_LOCATION ${GPUPRUNE_ZSTD})
endif()
