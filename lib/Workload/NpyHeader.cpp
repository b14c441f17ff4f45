//===- NpyHeader.cpp - What a file of NumPy holds -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The header is a dictionary as Python writes it:
//   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
//
//===----------------------------------------------------------------------===//
#include "NpyHeader.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/TextCursor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include <optional>
#include <vector>

using namespace llvm;

namespace gpuprune {

namespace {

struct NpyHeader {
  std::optional<std::string> Description; ///< "<f4"
  std::optional<bool> IsFortran;
  std::optional<std::vector<uint64_t>> Shape;
};

/// Each reads what comes next, or says what is wrong with it.
class HeaderReader {
public:
  explicit HeaderReader(StringRef Text) : Cursor("the header of a .npy file", Text) {}
  Expected<NpyHeader> read();

private:
  Error expect(StringRef Token);
  Expected<std::string> quoted();
  Error readDescription(NpyHeader &Into);
  Error readOrder(NpyHeader &Into);
  Error readShape(NpyHeader &Into);
  Error readEntry(NpyHeader &Into);

  TextCursor Cursor;
};

} // namespace

Error HeaderReader::expect(StringRef Token) {
  Cursor.skipWhiteSpace();
  if (Cursor.consume(Token))
    return Error::success();
  return Cursor.error("expected '" + Token + "', found " + Cursor.found());
}

Expected<std::string> HeaderReader::quoted() {
  Cursor.skipWhiteSpace();
  StringRef Quote = Cursor.rest().take_front(1);
  if (Quote != "'" && Quote != "\"")
    return Cursor.error("expected a text in quotes, found " + Cursor.found());
  Cursor.consume(Quote);
  std::string Text = Cursor.take([&](char C) { return C != Quote.front(); }).str();
  if (Error E = expect(Quote))
    return std::move(E);
  return Text;
}

Error HeaderReader::readDescription(NpyHeader &Into) {
  Cursor.skipWhiteSpace();
  if (Cursor.rest().starts_with("["))
    return makeError(ErrorKind::Input, "it has elements with fields; write a file for each field, or the "
                                       "structures as they are with array.tofile('NAME.bin')");
  Expected<std::string> Text = quoted();
  if (!Text)
    return Text.takeError();
  Into.Description = std::move(*Text);
  return Error::success();
}

Error HeaderReader::readOrder(NpyHeader &Into) {
  Cursor.skipWhiteSpace();
  bool Yes = Cursor.consume("True");
  if (!Yes && !Cursor.consume("False"))
    return Cursor.error("expected True or False, found " + Cursor.found());
  Into.IsFortran = Yes;
  return Error::success();
}

Error HeaderReader::readShape(NpyHeader &Into) {
  Into.Shape.emplace();
  if (Error E = expect("("))
    return E;
  while (true) {
    Cursor.skipWhiteSpace();
    if (Cursor.consume(")"))
      return Error::success();
    StringRef Digits = Cursor.take(isDigit);
    uint64_t Extent = 0;
    if (Digits.empty() || Digits.getAsInteger(10, Extent))
      return Cursor.error("expected the extents of an array, found " + Cursor.found());
    Into.Shape->push_back(Extent);
    Cursor.skipWhiteSpace();
    if (!Cursor.consume(",") && !Cursor.rest().starts_with(")"))
      return Cursor.error("expected ',' or ')', found " + Cursor.found());
  }
}

Error HeaderReader::readEntry(NpyHeader &Into) {
  Expected<std::string> Key = quoted();
  if (!Key)
    return Key.takeError();
  if (Error E = expect(":"))
    return E;
  if (*Key == "descr" && !Into.Description)
    return readDescription(Into);
  if (*Key == "fortran_order" && !Into.IsFortran)
    return readOrder(Into);
  if (*Key == "shape" && !Into.Shape)
    return readShape(Into);
  return Cursor.error("unknown or repeated key '" + *Key + "'; expected descr, fortran_order and shape");
}

Expected<NpyHeader> HeaderReader::read() {
  NpyHeader Header;
  if (Error E = expect("{"))
    return std::move(E);
  while (true) {
    Cursor.skipWhiteSpace();
    if (Cursor.consume("}"))
      break;
    if (Error E = readEntry(Header))
      return std::move(E);
    Cursor.skipWhiteSpace();
    if (!Cursor.consume(",") && !Cursor.rest().starts_with("}"))
      return Cursor.error("expected ',' or '}', found " + Cursor.found());
  }
  if (!Header.Description || !Header.IsFortran || !Header.Shape)
    return Cursor.error("expected descr, fortran_order and shape");
  return Header;
}

/// As NumPy describes \p Type: "<f4"; empty for a type that it does not have.
static std::string descriptionOf(ElementType Type) {
  unsigned Bytes = elementBytes(Type);
  if (Type == ElementType::BF16)
    return "";
  char Kind = isFloatingPoint(Type) ? 'f' : isSignedInteger(Type) ? 'i' : 'u';
  return formatv("{0}{1}{2}", Bytes == 1 ? "|" : "<", Kind, Bytes);
}

static Error checkType(StringRef Found, ElementType Type) {
  std::string Wanted = descriptionOf(Type);
  if (Wanted.empty())
    return makeError(ErrorKind::Input, formatv("NumPy has no {0}; write the bytes of the elements to a file "
                                               "with another extension than .npy",
                                               elementTypeName(Type)));
  if (Found == Wanted)
    return Error::success();
  StringRef Endian = Found.starts_with(">") ? ", in big-endian order" : "";
  return makeError(
      ErrorKind::Input,
      formatv("it has elements of the type '{0}'{1}; expected '{2}', NumPy's {3}: convert it with "
              "array.astype('{2}')",
              Found, Endian, Wanted, elementTypeName(Type)));
}

Expected<uint64_t> npyElements(StringRef Content, ElementType Type) {
  constexpr size_t VersionAt = NpyMagic.size(), LengthAt = VersionAt + 2;
  uint8_t Version = Content.size() > VersionAt ? uint8_t(Content[VersionAt]) : 0;
  size_t LengthBytes = Version == 1 ? 2 : 4, Begin = LengthAt + LengthBytes;
  if (!Content.starts_with(NpyMagic) || Content.size() < Begin)
    return makeError(ErrorKind::Input, "it is no .npy file; for the bytes of the elements alone take another "
                                       "extension, such as .bin");
  if (Version < 1 || Version > 3 || Content[VersionAt + 1] != 0)
    return makeError(ErrorKind::Input, formatv("it is a .npy file of version {0}.{1}; expected 1.0 to 3.0",
                                               Version, uint8_t(Content[VersionAt + 1])));
  const char *Length = Content.data() + LengthAt;
  uint64_t HeaderBytes = Version == 1 ? support::endian::read16le(Length) : support::endian::read32le(Length);
  if (HeaderBytes > Content.size() - Begin)
    return makeError(ErrorKind::Input, "it ends within its header; copy it again");
  Expected<NpyHeader> Header =
      HeaderReader(Content.substr(Begin, HeaderBytes).rtrim()).read(); // Without the padding.
  if (!Header)
    return Header.takeError();
  if (Error E = checkType(*Header->Description, Type))
    return std::move(E);
  if (*Header->IsFortran)
    return makeError(ErrorKind::Input, "it is in Fortran's order, by columns; write it anew from "
                                       "numpy.ascontiguousarray(array)");
  std::optional<uint64_t> Bytes = elementBytes(Type);
  for (uint64_t Extent : *Header->Shape)
    Bytes = Bytes ? checkedMulUnsigned<uint64_t>(*Bytes, Extent) : std::nullopt;
  uint64_t There = Content.size() - Begin - HeaderBytes;
  if (!Bytes || *Bytes != There)
    return makeError(
        ErrorKind::Input,
        formatv("it has {0} bytes of elements, which is not what its shape says; copy it again", There));
  return Begin + HeaderBytes;
}

} // namespace gpuprune
