# -DPTX=file -DHEADER=file: the text of PTX as a constant of C++.
file(READ ${PTX} text)
file(WRITE ${HEADER} "namespace gpuprune {\n\ninline constexpr char KernelsPtx[] = R\"ptx(${text})ptx\";\n\n} // namespace gpuprune\n")
