# gpuprune_tune(TARGET [FOLDER DIR] [ARGS A...])
# Builds the program TARGET with the plugin, which keeps its device code in DIR and applies the tuning records there
# (default: TARGET.gpuprune beside the CMakeLists.txt), and adds two targets:
#   TARGET-record   runs the program once, with the arguments A, and records its launches in DIR
#   TARGET-tune     tunes the recorded kernels and writes the tuning records into DIR
# A digest of the records is on the compiler's command line: sources are compiled again when, and only when, records
# have changed, also with a compiler cache. Sources that TARGET has by then are compiled again when the plugin changes.
function(gpuprune_tune TARGET)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "FOLDER" "ARGS")
  GpuPrune_check(gpuprune_tune ${TARGET})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gpuprune_tune(${TARGET}): expected FOLDER and ARGS, found ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_FOLDER)
    set(ARG_FOLDER ${TARGET}.gpuprune)
  endif()
  cmake_path(ABSOLUTE_PATH ARG_FOLDER NORMALIZE OUTPUT_VARIABLE folder)
  # As recordsDigest() (RecordFolder.h) computes it.
  file(GLOB records CONFIGURE_DEPENDS ${folder}/*.gpuprune.json)
  list(SORT records)
  set(lines "")
  foreach(record IN LISTS records)
    cmake_path(GET record FILENAME name)
    file(SHA256 ${record} hash)
    string(APPEND lines "${name} ${hash}\n")
  endforeach()
  string(SHA256 digest "${lines}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${records})
  target_compile_options(${TARGET} PRIVATE
    "$<$<COMPILE_LANGUAGE:CUDA>:-fpass-plugin=${GpuPrune_PLUGIN}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-mllvm=-gpuprune-collect=${folder}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-mllvm=-gpuprune-records=${folder}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-mllvm=-gpuprune-records-digest=${digest}>")
  GpuPrune_depend_on_plugin(${TARGET})
  add_custom_target(${TARGET}-record
    COMMAND GpuPrune::gpuprune record --dir=${folder} -- $<TARGET_FILE:${TARGET}> ${ARG_ARGS} USES_TERMINAL)
  add_custom_target(${TARGET}-tune COMMAND GpuPrune::gpuprune tune ${folder} USES_TERMINAL)
  add_dependencies(${TARGET}-record ${TARGET})
endfunction()
