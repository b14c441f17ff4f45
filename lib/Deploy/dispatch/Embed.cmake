# -DBITCODE=file -DHEADER=file: the bytes of BITCODE as a constant of C++.
file(READ ${BITCODE} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE ${HEADER} "namespace gpuprune {\n\ninline constexpr unsigned char DispatchBitcode[] = {${bytes}};\n\n} // namespace gpuprune\n")
