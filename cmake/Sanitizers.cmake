# GPUPRUNE_SANITIZE: what the presets asan and tsan build with; empty for none.
#   address  AddressSanitizer and UndefinedBehaviorSanitizer
#   thread   ThreadSanitizer
# LLVM's own libraries come from Debian and are not instrumented. What follows
# from that is in test/sanitizers/DefaultOptions.cpp.
set(GPUPRUNE_SANITIZE "" CACHE STRING "Sanitizer to build with: address, thread or empty")
set_property(CACHE GPUPRUNE_SANITIZE PROPERTY STRINGS "" address thread)

if(GPUPRUNE_SANITIZE STREQUAL "address")
  # vptr asks for the type information of classes that live in LLVM's library,
  # which it compares by address and finds twice.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined -fno-sanitize=vptr)
elseif(GPUPRUNE_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread)
  add_link_options(-fsanitize=thread)
elseif(NOT GPUPRUNE_SANITIZE STREQUAL "")
  message(FATAL_ERROR "GPUPRUNE_SANITIZE=${GPUPRUNE_SANITIZE}: expected address, thread or nothing")
endif()

if(GPUPRUNE_SANITIZE)
  # Without NDEBUG the assertions in LLVM's headers hold for our calls, and with
  # _GLIBCXX_ASSERTIONS those of the standard library. Neither changes an ABI.
  add_compile_options(-O1 -gline-tables-only -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS -UNDEBUG)
  # 13 seconds of CPU for a program of 230 MB with GNU ld, two with LLD.
  find_program(GPUPRUNE_LLD ld.lld-${LLVM_VERSION_MAJOR})
  if(GPUPRUNE_LLD)
    add_link_options(--ld-path=${GPUPRUNE_LLD})
  endif()
  add_library(gpuprune_sanitizer_defaults OBJECT ${CMAKE_SOURCE_DIR}/test/sanitizers/DefaultOptions.cpp)
  link_libraries($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:$<TARGET_OBJECTS:gpuprune_sanitizer_defaults>>)
  # For a clang++ or opt that loads the plugin: Debian's, which are not instrumented.
  string(SUBSTRING ${GPUPRUNE_SANITIZE} 0 1 initial)
  execute_process(
    COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.${initial}san-${CMAKE_SYSTEM_PROCESSOR}.so
    OUTPUT_VARIABLE GPUPRUNE_SANITIZER_LIBRARY OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT EXISTS ${GPUPRUNE_SANITIZER_LIBRARY})
    message(FATAL_ERROR "${CMAKE_CXX_COMPILER} has no sanitizer libraries; install libclang-rt-22-dev")
  endif()
  # Those programs free nothing at their end; the second option as in DefaultOptions.cpp.
  set(GPUPRUNE_PLUGIN_ENVIRONMENT
    "LD_PRELOAD=${GPUPRUNE_SANITIZER_LIBRARY} ASAN_OPTIONS=detect_leaks=0:allow_user_poisoning=0")
endif()
