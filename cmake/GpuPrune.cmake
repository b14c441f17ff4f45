# What every room of the project is built with: one library a room, LLVM's own
# headers precompiled once, and two ways to link LLVM.

separate_arguments(GPUPRUNE_LLVM_DEFINITIONS NATIVE_COMMAND ${LLVM_DEFINITIONS})

add_library(gpuprune_options INTERFACE)
target_include_directories(gpuprune_options INTERFACE
  ${CMAKE_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include)
target_include_directories(gpuprune_options SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(gpuprune_options INTERFACE ${GPUPRUNE_LLVM_DEFINITIONS})
option(GPUPRUNE_WERROR "A warning ends the build, as in continuous integration" OFF)
# Without __DEPRECATED libstdc++ does not mark as deprecated what its own std::stable_sort
# calls, which clang reports; LLVM's marks and ours stay.
target_compile_options(gpuprune_options INTERFACE
  $<$<BOOL:${GPUPRUNE_WERROR}>:-Werror> $<$<COMPILE_LANGUAGE:CXX>:-U__DEPRECATED>
  -Wall -Wextra -Werror=return-type -Wno-unused-parameter
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Xclang -fno-pch-timestamp>)

# Everything of LLVM (passes, code generators, JIT): the shared library, or of the
# static ones what is used.
add_library(gpuprune_llvm INTERFACE)
if(GPUPRUNE_STATIC)
  llvm_map_components_to_libnames(GPUPRUNE_LLVM_LIBRARIES
    NVPTX native Passes OrcJIT IRReader BitWriter Linker AsmParser)
  target_link_libraries(gpuprune_llvm INTERFACE ${GPUPRUNE_LLVM_LIBRARIES})
  target_sources(gpuprune_llvm INTERFACE ${CMAKE_SOURCE_DIR}/lib/Support/OlderGlibc.cpp)
else()
  target_link_libraries(gpuprune_llvm INTERFACE LLVM)
endif()

# Only llvm/Support, statically: for a program that must start where no LLVM is.
add_library(gpuprune_llvm_support INTERFACE)
target_link_libraries(gpuprune_llvm_support INTERFACE LLVMSupport Threads::Threads)
target_sources(gpuprune_llvm_support INTERFACE ${CMAKE_SOURCE_DIR}/lib/Support/OlderGlibc.cpp)

# gpuprune_add_precompiled_headers(NAME HEADERS...)
# An object library that others take their precompiled header from; it has to be
# compiled as they are.
add_custom_target(precompiled-headers)
function(gpuprune_add_precompiled_headers NAME)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${NAME}.cpp CONTENT "// Empty: the library exists for its precompiled header.\n")
  add_library(${NAME} OBJECT ${CMAKE_BINARY_DIR}/${NAME}.cpp)
  target_link_libraries(${NAME} PRIVATE gpuprune_options)
  target_precompile_headers(${NAME} PRIVATE ${ARGN})
  add_dependencies(precompiled-headers ${NAME})
endfunction()

set(support_headers
  <llvm/ADT/STLExtras.h> <llvm/ADT/StringExtras.h> <llvm/ADT/StringMap.h> <llvm/Support/Error.h>
  <llvm/Support/FormatVariadic.h> <llvm/Support/JSON.h> <llvm/Support/raw_ostream.h>
  <functional> <map> <optional> <string> <vector>)
set(ir_headers
  <llvm/Analysis/LoopInfo.h> <llvm/Analysis/ScalarEvolution.h>
  <llvm/Analysis/ScalarEvolutionExpressions.h>
  <llvm/Analysis/OptimizationRemarkEmitter.h>
  <llvm/IR/Dominators.h> <llvm/IR/Function.h> <llvm/IR/Module.h>
  <llvm/IR/IRBuilder.h> <llvm/IR/InstIterator.h> <llvm/IR/IntrinsicInst.h>
  <llvm/IR/IntrinsicsNVPTX.h> <llvm/IR/PassManager.h>
  <llvm/Passes/PassBuilder.h>)

gpuprune_add_precompiled_headers(gpuprune_support_pch ${support_headers})
target_compile_options(gpuprune_support_pch PRIVATE -fno-exceptions)
gpuprune_add_precompiled_headers(gpuprune_pch ${support_headers} ${ir_headers})
target_compile_options(gpuprune_pch PRIVATE -fno-exceptions)

# gpuprune_add_room(NAME SOURCES a.cpp ... [DEPENDS Room ...] [PCH])
# Builds lib/NAME as the static library GpuPrune<NAME>. A room never links LLVM
# itself: the program it ends up in decides which LLVM that is. PCH is for rooms
# that include LLVM's IR and analysis headers.
function(gpuprune_add_room NAME)
  cmake_parse_arguments(ROOM "PCH" "" "SOURCES;DEPENDS" ${ARGN})
  set(target GpuPrune${NAME})
  add_library(${target} STATIC ${ROOM_SOURCES})
  target_link_libraries(${target} PUBLIC gpuprune_options)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
  foreach(dependency IN LISTS ROOM_DEPENDS)
    target_link_libraries(${target} PUBLIC GpuPrune${dependency})
  endforeach()
  if(ROOM_PCH)
    target_precompile_headers(${target} REUSE_FROM gpuprune_pch)
  else()
    target_precompile_headers(${target} REUSE_FROM gpuprune_support_pch)
  endif()
endfunction()

# gpuprune_add_unit_test(NAME SOURCES a.cpp ... ROOMS Room ... [LLVM_SUPPORT_ONLY])
function(gpuprune_add_unit_test NAME)
  cmake_parse_arguments(TEST "" "" "SOURCES;ROOMS" ${ARGN})
  set(target ${NAME}Tests)
  add_executable(${target} ${TEST_SOURCES})
  if(NOT TARGET gpuprune_test_pch)
    gpuprune_add_precompiled_headers(gpuprune_test_pch ${support_headers} ${ir_headers} <gtest/gtest.h>)
    target_link_libraries(gpuprune_test_pch PRIVATE GTest::gtest)
    set_target_properties(gpuprune_test_pch PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    # As CMake compiles what goes into a program, and as the tests are compiled.
    target_compile_options(gpuprune_test_pch PRIVATE -fPIE -O0)
  endif()
  target_precompile_headers(${target} REUSE_FROM gpuprune_test_pch)
  # Compiling a test takes longer than running it; the rooms are optimised.
  target_compile_options(${target} PRIVATE -O0)
  # Tests may call their helpers alike.
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
  foreach(room IN LISTS TEST_ROOMS)
    target_link_libraries(${target} PRIVATE GpuPrune${room})
  endforeach()
  target_link_libraries(${target} PRIVATE gpuprune_options gpuprune_llvm GTest::gtest_main)
  target_compile_definitions(${target} PRIVATE
    GPUPRUNE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" GPUPRUNE_BINARY_DIR="${CMAKE_BINARY_DIR}")
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/unit)
  add_test(NAME unit.${NAME} COMMAND ${target})
  if(GPUPRUNE_CACHED_CLANG AND NOT DEFINED ENV{GPUPRUNE_CLANG})
    set_tests_properties(unit.${NAME} PROPERTIES ENVIRONMENT GPUPRUNE_CLANG=${GPUPRUNE_CACHED_CLANG})
  endif()
endfunction()
