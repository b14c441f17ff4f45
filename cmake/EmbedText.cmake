# -DHEADER=file -DNAMES=a,b,... -DFILES=file,file,...: the texts of FILES as constants of C++ with these NAMES.
string(REPLACE "," ";" names "${NAMES}")
string(REPLACE "," ";" files "${FILES}")
set(constants "")
foreach(name file IN ZIP_LISTS names files)
  file(READ "${file}" text)
  string(APPEND constants "inline constexpr char ${name}[] = R\"~~~~(${text})~~~~\";\n")
endforeach()
file(WRITE ${HEADER} "namespace gpuprune {\n\n${constants}\n} // namespace gpuprune\n")
