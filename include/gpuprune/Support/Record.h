//===- Record.h - Plain data as bytes, and back ------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One list of fields serves writing and reading:
//
//   template <typename R> void mapRecord(R &Record, Spill &S) {
//     auto &[Words, Why] = S; // No longer compiles where a field is added to Spill.
//     Record(Words, Why);
//   }
//
// Numbers are written as they are in memory: doubles exactly, and for programs on one
// kind of machine.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_RECORD_H
#define GPUPRUNE_SUPPORT_RECORD_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace gpuprune {

template <typename T> constexpr bool IsRecordNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Appends values to a text.
class RecordWriter {
public:
  template <typename... Ts> void operator()(Ts &&...Values) { (write(Values), ...); }
  const std::string &text() const { return Text; }

private:
  std::string Text;

  template <typename T> void write(const T &Value) {
    if constexpr (IsRecordNumber<T>)
      Text.append(reinterpret_cast<const char *>(&Value), sizeof(T));
    else if constexpr (std::is_convertible_v<const T &, llvm::StringRef>)
      writeText(Value);
    else
      mapRecord(*this, const_cast<T &>(Value)); // Which only reads it.
  }
  void writeText(llvm::StringRef Value) {
    write(uint64_t(Value.size()));
    Text += Value;
  }
  template <typename Range> void writeRange(const Range &Values) {
    write(uint64_t(Values.size()));
    for (const auto &Value : Values)
      write(Value);
  }
  template <typename T> void write(const std::vector<T> &Values) { writeRange(Values); }
  template <typename T> void write(const llvm::SmallVectorImpl<T> &Values) { writeRange(Values); }
  template <typename T, unsigned N> void write(const llvm::SmallVector<T, N> &Values) { writeRange(Values); }
  template <unsigned N> void write(const llvm::SmallString<N> &Value) { writeText(Value); }
  template <typename T> void write(const std::set<T> &Values) { writeRange(Values); }
  template <typename T, size_t N> void write(const std::array<T, N> &Values) {
    for (const T &Value : Values)
      write(Value);
  }
  template <typename T> void write(const std::optional<T> &Value) {
    write(Value.has_value());
    if (Value)
      write(*Value);
  }
  template <typename A, typename B> void write(const std::pair<A, B> &Value) {
    write(Value.first);
    write(Value.second);
  }
};

/// Takes values from a text in the order in which they were written. After the first that is not
/// there, all are as they were.
class RecordReader {
public:
  explicit RecordReader(llvm::StringRef Text) : Rest(Text) {}
  template <typename... Ts> void operator()(Ts &...Values) { (read(Values), ...); }
  /// Whether all that was asked for was there, and nothing else is.
  bool isComplete() const { return Good && Rest.empty(); }
  /// What was read means nothing.
  void fail() { Good = false; }

private:
  llvm::StringRef Rest;
  bool Good = true;

  llvm::StringRef take(uint64_t Bytes) {
    Good = Good && Bytes <= Rest.size();
    llvm::StringRef Taken = Good ? Rest.take_front(Bytes) : llvm::StringRef();
    Rest = Rest.drop_front(Taken.size());
    return Taken;
  }
  template <typename T> void read(T &Value) {
    if constexpr (std::is_same_v<T, bool>) {
      uint8_t Byte = 0;
      read(Byte);
      Value = Byte != 0;
    } else if constexpr (IsRecordNumber<T>) {
      if (llvm::StringRef Bytes = take(sizeof(T)); Bytes.size() == sizeof(T))
        llvm::copy(Bytes, reinterpret_cast<char *>(&Value));
    } else {
      mapRecord(*this, Value);
    }
  }
  void read(std::string &Value) { Value = readText().str(); }
  template <unsigned N> void read(llvm::SmallString<N> &Value) { Value = readText(); }
  llvm::StringRef readText() { return take(count()); }
  uint64_t count() {
    uint64_t Count = 0;
    read(Count);
    Good = Good && Count <= Rest.size(); // An element takes a byte at least.
    return Good ? Count : 0;
  }
  template <typename List> void readList(List &Values) {
    Values.clear();
    for (uint64_t Left = count(); Good && Left; --Left)
      read(Values.emplace_back());
  }
  template <typename T> void read(std::vector<T> &Values) { readList(Values); }
  template <typename T, unsigned N> void read(llvm::SmallVector<T, N> &Values) { readList(Values); }
  template <typename T> void read(std::set<T> &Values) {
    std::vector<T> List;
    readList(List);
    Values = std::set<T>(List.begin(), List.end());
  }
  template <typename T, size_t N> void read(std::array<T, N> &Values) {
    for (T &Value : Values)
      read(Value);
  }
  template <typename T> void read(std::optional<T> &Value) {
    bool Has = false;
    read(Has);
    Value.reset();
    if (Has && Good)
      read(Value.emplace());
  }
  template <typename A, typename B> void read(std::pair<A, B> &Value) {
    read(Value.first);
    read(Value.second);
  }
};

/// \p Value as a text.
template <typename T> std::string toRecord(const T &Value) {
  RecordWriter Record;
  Record(Value);
  return Record.text();
}

/// A value that toRecord() has written; nothing where \p Text is no such.
template <typename T> std::optional<T> fromRecord(llvm::StringRef Text) {
  T Value;
  RecordReader Record(Text);
  Record(Value);
  if (!Record.isComplete())
    return std::nullopt;
  return Value;
}

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_RECORD_H
