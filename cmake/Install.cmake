# What `cmake --install` puts where, and the packages made of it: gpuprune_VERSION_ARCH.deb,
# or with GPUPRUNE_STATIC a tar file to carry to another machine.
include(CMakePackageConfigHelpers)

set(document_folder ${CMAKE_INSTALL_DATAROOTDIR}/doc/gpuprune)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/GpuPrune)
install(EXPORT GpuPruneTargets NAMESPACE GpuPrune:: DESTINATION ${package_folder})
foreach(file IN ITEMS GpuPruneConfig GpuPruneClangCuda)
  configure_package_config_file(cmake/package/${file}.cmake.in ${CMAKE_BINARY_DIR}/package/${file}.cmake
    INSTALL_DESTINATION ${package_folder} PATH_VARS CMAKE_INSTALL_BINDIR
    NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
endforeach()
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/GpuPruneConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(DIRECTORY ${CMAKE_BINARY_DIR}/package/ cmake/package/ DESTINATION ${package_folder}
  FILES_MATCHING PATTERN "*.cmake")

install(PROGRAMS tools/cuda-toolkit DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME gpuprune-cuda-toolkit)
install(DIRECTORY kernels DESTINATION ${CMAKE_INSTALL_DATADIR}/gpuprune PATTERN "compare" EXCLUDE)
install(FILES README.md CHANGELOG.md DESTINATION ${document_folder})
install(FILES LICENSE DESTINATION ${document_folder} RENAME copyright)
install(DIRECTORY docs DESTINATION ${document_folder} PATTERN "results" EXCLUDE)

set(CPACK_PACKAGE_NAME gpuprune)
set(CPACK_PACKAGE_VENDOR GpuPrune)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
if(GPUPRUNE_STATIC)
  set(CPACK_GENERATOR TGZ)
  set(CPACK_PACKAGE_FILE_NAME gpuprune-${PROJECT_VERSION}-static-linux-${CMAKE_SYSTEM_PROCESSOR})
else()
  set(CPACK_GENERATOR DEB)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_MAINTAINER "GpuPrune")
  set(CPACK_DEBIAN_PACKAGE_SECTION devel)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
    "clang-${LLVM_VERSION_MAJOR}, clang-tools-${LLVM_VERSION_MAJOR}, llvm-${LLVM_VERSION_MAJOR}")
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-pip")
endif()
include(CPack)
