//===- BufferParts.cpp - Readers of the key buffers -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WorkloadParts.h"
#include "gpuprune/Support/Error.h"

using namespace llvm;

namespace gpuprune {

static Error readRole(const YamlCursor &At, BufferSpec &Buffer) {
  Expected<YamlCursor> Value = At.require("role");
  if (!Value)
    return Value.takeError();
  Expected<std::string> Role = Value->scalar("in, out, inout or temp");
  if (!Role)
    return Role.takeError();
  Buffer.Temporary = *Role == "temp";
  std::optional<BufferRole> Known = Buffer.Temporary ? BufferRole::Out : BufferRoleNames.find(*Role);
  if (!Known)
    return Value->error("unknown role '" + *Role + "'; expected in, out, inout or temp");
  Buffer.Role = *Known;
  return Error::success();
}

static Error readBufferFill(const YamlCursor &At, BufferSpec &Buffer, Workload &W) {
  std::optional<YamlCursor> Fill = At.find("fill");
  if (Buffer.Role == BufferRole::Out)
    return Fill ? Fill->error(Twine("a buffer with the role '") + (Buffer.Temporary ? "temp" : "out") +
                              "' has no fill: the check fills it itself, so that elements nobody writes are "
                              "seen; use 'inout' for a kernel that reads it")
                : Error::success();
  if (!Fill)
    return At.error("the key 'fill' is missing: the kernel reads this buffer");
  return readFill(*Fill, Buffer, W);
}

static Error readSymbol(const YamlCursor &At, BufferSpec &Buffer) {
  Expected<std::string> Symbol = At.scalar("the name of a __constant__ or __device__ variable");
  if (!Symbol)
    return Symbol.takeError();
  if (Symbol->empty())
    return At.error("expected the name of a __constant__ or __device__ variable");
  if (Buffer.Role != BufferRole::In)
    return At.error("a buffer that is copied to a variable has the role 'in'");
  Buffer.Symbol = std::move(*Symbol);
  Buffer.SymbolWhere = At.place();
  return Error::success();
}

/// Of addresses of memory.
static constexpr int64_t AddressEnd = int64_t(1) << 57;

static Error readAddress(const YamlCursor &At, BufferSpec &Buffer) {
  if (!Buffer.Symbol.empty())
    return At.error("a buffer that is copied to a variable lies where the variable is");
  Expected<int64_t> Address = At.integer();
  if (!Address)
    return Address.takeError();
  int64_t Alignment = Buffer.Type.alignment();
  if (*Address <= 0 || *Address >= AddressEnd || *Address % Alignment != 0)
    return At.error("expected a multiple of " + Twine(Alignment) +
                    " above 0 and below 2^57: where on the device the buffer lies");
  Buffer.Address = uint64_t(*Address);
  Buffer.AddressWhere = At.place();
  return Error::success();
}

static Expected<ElementType> readType(const YamlCursor &At) {
  Expected<std::string> Name = At.scalar("a type such as f32");
  if (!Name)
    return Name.takeError();
  Expected<ElementType> Type = parseElementType(*Name);
  if (!Type)
    return At.error(takeError(Type.takeError()).Text);
  return Type;
}

Expected<ElementLayout> layoutOf(const YamlCursor &At, ElementLayout::FieldList Fields,
                                 std::optional<YamlCursor> Align) {
  for (const ElementField &Field : Fields)
    if (!isIdentifier(Field.Name))
      return At.error("'" + Field.Name + "' cannot be the name of a field");
  int64_t Alignment = 1;
  if (Align)
    if (Error E = Align->integer().moveInto(Alignment))
      return std::move(E);
  Expected<ElementLayout> Layout = ElementLayout::structure(std::move(Fields), uint64_t(Alignment));
  if (!Layout)
    return (Align ? *Align : At).error(takeError(Layout.takeError()).Text);
  return Layout;
}

/// The fields of a structure in the order of the file.
static Expected<ElementLayout> readStructure(const YamlCursor &At, std::optional<YamlCursor> Align) {
  Expected<std::vector<YamlCursor>> Entries =
      At.entries("the fields of a structure and their types, such as { x: f32, id: i32 }");
  if (!Entries)
    return Entries.takeError();
  ElementLayout::FieldList Fields;
  for (const YamlCursor &Entry : *Entries) {
    Expected<ElementType> Type = readType(Entry);
    if (!Type)
      return Type.takeError();
    Fields.push_back({Entry.name().str(), *Type});
  }
  return layoutOf(At, std::move(Fields), std::move(Align));
}

/// What the key type or struct says.
static Expected<ElementLayout> readLayout(const YamlCursor &Buffer) {
  std::optional<YamlCursor> Structure = Buffer.find("struct"), Type = Buffer.find("type");
  std::optional<YamlCursor> Align = Buffer.find("align");
  if (Structure && Type)
    return Type->error(
        "a buffer has either 'type', of a scalar, or 'struct', with the fields of a structure");
  if (Structure)
    return readStructure(*Structure, Align);
  if (Align)
    return Align->error("is for elements that are structures: it goes with 'struct'");
  if (!Type)
    return Buffer.error("the key 'type' or 'struct' is missing");
  Expected<ElementType> Scalar = readType(*Type);
  if (!Scalar)
    return Scalar.takeError();
  return ElementLayout(*Scalar);
}

/// The extents of \p At and, as the number of elements, their product.
static Error readShape(const YamlCursor &At, BufferSpec &Buffer, const Workload &W) {
  Expected<std::vector<YamlCursor>> Items = At.items("a list of extents such as [h, w]");
  if (!Items)
    return Items.takeError();
  std::string Product;
  for (const YamlCursor &Item : *Items) {
    Expected<LocatedExpression> Extent = readExpression(Item, W);
    if (!Extent)
      return Extent.takeError();
    Product += (Twine(Product.empty() ? "(" : " * (") + Extent->Value.text() + ")").str();
    Buffer.Shape.push_back(std::move(*Extent));
  }
  Expected<Expression> Count = Expression::parse(Product);
  if (!Count)
    return At.error("expected at least one extent, as in [h, w]" +
                    (Product.empty() ? "" : ": " + takeError(Count.takeError()).Text));
  Buffer.Count = {std::move(*Count), At.place()};
  return Error::success();
}

static Error readCount(const YamlCursor &At, BufferSpec &Buffer, const Workload &W) {
  std::optional<YamlCursor> Shape = At.find("shape"), Count = At.find("count");
  if (Shape && Count)
    return Shape->error("a buffer has either 'count' or 'shape', whose extents are multiplied");
  if (Shape)
    return readShape(*Shape, Buffer, W);
  return Count ? readExpression(*Count, W).moveInto(Buffer.Count)
               : At.error("the key 'count' or 'shape' is missing");
}

static Error readBuffer(const YamlCursor &At, Workload &W) {
  if (Error E =
          At.checkKeys({"type", "struct", "align", "count", "shape", "fill", "role", "symbol", "address"}))
    return E;
  BufferSpec Buffer;
  Buffer.Where = At.place();
  Buffer.Name = At.name().str();
  // Two buffers with equal contents would hide that a variant mixes them up.
  Buffer.Fill.Seed = W.Buffers.size() + 1;
  if (!isIdentifier(Buffer.Name))
    return At.error("'" + Buffer.Name + "' cannot be the name of a buffer");
  if (Error E = readLayout(At).moveInto(Buffer.Type))
    return E;
  if (Error E = readCount(At, Buffer, W))
    return E;
  if (Error E = readRole(At, Buffer))
    return E;
  if (Error E = readBufferFill(At, Buffer, W))
    return E;
  if (std::optional<YamlCursor> Symbol = At.find("symbol"))
    if (Error E = readSymbol(*Symbol, Buffer))
      return E;
  if (std::optional<YamlCursor> Address = At.find("address"))
    if (Error E = readAddress(*Address, Buffer))
      return E;
  W.Buffers.push_back(std::move(Buffer));
  return Error::success();
}

Error readBuffers(const YamlCursor &At, Workload &W) {
  return readEach(At.entries("a mapping of name to buffer"), readBuffer, W);
}

} // namespace gpuprune
