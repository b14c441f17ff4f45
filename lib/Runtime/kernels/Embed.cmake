# -DPTX=file -DCUBIN=file -DHEADER=file: the text of PTX and the bytes of the cubin, if one is named, as constants of C++.
file(READ ${PTX} text)
set(bytes 0)
if(CUBIN)
  file(READ ${CUBIN} digits HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${digits}")
endif()
file(WRITE ${HEADER} "namespace gpuprune {

inline constexpr char KernelsPtx[] = R\"ptx(${text})ptx\";

/// For compute capability 9.0; one byte where the build had no ptxas.
alignas(16) inline constexpr unsigned char KernelsCubin[] = {${bytes}};

} // namespace gpuprune
")
