# What gpuprune_apply() and gpuprune_tune() have in common.

# An error where the plugin cannot compile the CUDA sources of TARGET; CALLER is who asks.
function(GpuPrune_check CALLER TARGET)
  if(NOT TARGET ${TARGET})
    message(FATAL_ERROR "${CALLER}: there is no target '${TARGET}'")
  endif()
  if(NOT GpuPrune_PLUGIN)
    message(FATAL_ERROR "${CALLER}(${TARGET}): this installation of GpuPrune is static and has no plugin")
  endif()
  if(NOT "${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION}" MATCHES "^Clang ${GpuPrune_LLVM_VERSION}[.]")
    message(FATAL_ERROR "${CALLER}(${TARGET}): the plugin needs clang++ ${GpuPrune_LLVM_VERSION} as the CUDA "
      "compiler (CMAKE_CUDA_COMPILER, language CUDA in project()), and it is "
      "'${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION}'")
  endif()
  get_target_property(before ${TARGET} GpuPrune_caller)
  if(before AND NOT before STREQUAL CALLER)
    message(FATAL_ERROR "${CALLER}(${TARGET}): ${before} is used for it already; where passes are written by hand, "
      "tuning records are not applied, so use one of the two")
  endif()
  set_target_properties(${TARGET} PROPERTIES GpuPrune_caller ${CALLER})
endfunction()

# Sources that TARGET has by now are compiled again when the plugin changes.
function(GpuPrune_depend_on_plugin TARGET)
  get_target_property(sources ${TARGET} SOURCES)
  list(FILTER sources INCLUDE REGEX "[.]cu$")
  set_property(SOURCE ${sources} TARGET_DIRECTORY ${TARGET} APPEND PROPERTY OBJECT_DEPENDS ${GpuPrune_PLUGIN})
endfunction()
