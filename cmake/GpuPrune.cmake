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
    if(NOT TARGET gpuprune_pch)
      file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/gpuprune_pch.cpp CONTENT "// Empty: the library exists for its precompiled header.\n")
      add_library(gpuprune_pch STATIC ${CMAKE_BINARY_DIR}/gpuprune_pch.cpp)
      target_link_libraries(gpuprune_pch PUBLIC gpuprune_options)
      target_compile_options(gpuprune_pch PRIVATE -fno-exceptions)
      target_precompile_headers(gpuprune_pch PRIVATE
        <llvm/Analysis/LoopInfo.h> <llvm/Analysis/ScalarEvolution.h>
        <llvm/Analysis/ScalarEvolutionExpressions.h>
        <llvm/Analysis/OptimizationRemarkEmitter.h>
        <llvm/IR/Dominators.h> <llvm/IR/Function.h> <llvm/IR/Module.h>
        <llvm/IR/IRBuilder.h> <llvm/IR/InstIterator.h> <llvm/IR/IntrinsicInst.h>
        <llvm/IR/IntrinsicsNVPTX.h> <llvm/IR/PassManager.h>
        <llvm/Passes/PassBuilder.h> <llvm/Support/raw_ostream.h>
        <llvm/Support/FormatVariadic.h> <llvm/ADT/StringExtras.h> <map> <vector> <string>)
    endif()
    target_precompile_headers(${target} REUSE_FROM gpuprune_pch)
  endif()
endfunction()

# gpuprune_add_unit_test(NAME SOURCES a.cpp ... ROOMS Room ... [LLVM_SUPPORT_ONLY])
function(gpuprune_add_unit_test NAME)
  cmake_parse_arguments(TEST "" "" "SOURCES;ROOMS" ${ARGN})
  set(target ${NAME}Tests)
  add_executable(${target} ${TEST_SOURCES})
  foreach(room IN LISTS TEST_ROOMS)
    target_link_libraries(${target} PRIVATE GpuPrune${room})
  endforeach()
  target_link_libraries(${target} PRIVATE gpuprune_options gpuprune_llvm GTest::gtest_main)
  target_compile_definitions(${target} PRIVATE
    GPUPRUNE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" GPUPRUNE_BINARY_DIR="${CMAKE_BINARY_DIR}")
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/unit)
  add_test(NAME unit.${NAME} COMMAND ${target})
endfunction()
