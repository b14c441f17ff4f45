# gpuprune_apply(TARGET PIPELINE P)
# Compiles the CUDA sources of TARGET with the plugin and the passes P, such as
#   gpuprune_apply(program PIPELINE "gpu-unroll<loop=1;factor=4>,gpu-registers<max=64>")
# P is what `gpuprune tune` prints; a pass with kernel=NAME is for that kernel alone, and no
# warning in files without it. At -O0 (Debug) the passes have no effect, which is a warning. Sources that TARGET has
# by then are compiled again when the plugin changes.
function(gpuprune_apply TARGET)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "PIPELINE" "")
  if(NOT TARGET ${TARGET})
    message(FATAL_ERROR "gpuprune_apply: there is no target '${TARGET}'")
  endif()
  if(NOT ARG_PIPELINE OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gpuprune_apply(${TARGET}): expected PIPELINE and its text in quotes")
  endif()
  if(NOT GpuPrune_PLUGIN)
    message(FATAL_ERROR "gpuprune_apply(${TARGET}): this installation of GpuPrune is static and has no plugin")
  endif()
  if(NOT "${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION}" MATCHES "^Clang ${GpuPrune_LLVM_VERSION}[.]")
    message(FATAL_ERROR "gpuprune_apply(${TARGET}): the plugin needs clang++ ${GpuPrune_LLVM_VERSION} as the CUDA "
      "compiler (CMAKE_CUDA_COMPILER, language CUDA in project()), and it is "
      "'${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION}'")
  endif()
  # One ends a generator expression, the other an element of a list.
  string(REPLACE ">" "$<ANGLE-R>" text "${ARG_PIPELINE}")
  string(REPLACE ";" "\\;" text "${text}")
  target_compile_options(${TARGET} PRIVATE
    "$<$<COMPILE_LANGUAGE:CUDA>:-fpass-plugin=${GpuPrune_PLUGIN}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-mllvm=-gpuprune-pipeline=${text}>")
  get_target_property(sources ${TARGET} SOURCES)
  list(FILTER sources INCLUDE REGEX "[.]cu$")
  set_property(SOURCE ${sources} TARGET_DIRECTORY ${TARGET} APPEND PROPERTY OBJECT_DEPENDS ${GpuPrune_PLUGIN})
endfunction()
