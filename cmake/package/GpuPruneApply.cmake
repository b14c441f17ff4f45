# gpuprune_apply(TARGET PIPELINE P)
# Compiles the CUDA sources of TARGET with the plugin and the passes P, such as
#   gpuprune_apply(program PIPELINE "gpu-unroll<loop=1;factor=4>,gpu-registers<max=64>")
# P is what `gpuprune tune` prints; a pass with kernel=NAME is for that kernel alone, and no
# warning in files without it. At -O0 (Debug) the passes have no effect, which is a warning. Sources that TARGET has
# by then are compiled again when the plugin changes.
function(gpuprune_apply TARGET)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "PIPELINE" "")
  GpuPrune_check(gpuprune_apply ${TARGET})
  if(NOT ARG_PIPELINE OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gpuprune_apply(${TARGET}): expected PIPELINE and its text in quotes")
  endif()
  # One ends a generator expression, the other an element of a list.
  string(REPLACE ">" "$<ANGLE-R>" text "${ARG_PIPELINE}")
  string(REPLACE ";" "\\;" text "${text}")
  target_compile_options(${TARGET} PRIVATE
    "$<$<COMPILE_LANGUAGE:CUDA>:-fpass-plugin=${GpuPrune_PLUGIN}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-mllvm=-gpuprune-pipeline=${text}>")
  GpuPrune_depend_on_plugin(${TARGET})
endfunction()
