//===- RecorderOptions.cpp - What the recorder is asked for --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Record/RecorderOptions.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/ForeignJson.h"
#include "gpuprune/Support/JsonUnsigned.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace gpuprune {

std::string printOptions(const RecorderOptions &O) {
  json::Object Fields{{"dir", O.Directory},
                      {"cupti", O.Cupti},
                      {"driver", O.Driver},
                      {"mark", O.Mark},
                      {"largest", O.Keep == KeepRule::Largest},
                      {"kernel", O.Kernel},
                      {"max-bytes", O.MaxBytes},
                      {"max-total", O.MaxTotal},
                      {"max-classes", O.MaxClasses},
                      {"after", O.After},
                      {"time-limit", O.TimeLimit}};
  return formatv("{0}", json::Value(std::move(Fields)));
}

Expected<RecorderOptions> parseOptions(StringRef Text) {
  Expected<json::Value> Parsed = parseForeignJson(Text);
  if (!Parsed)
    return Parsed.takeError();
  RecorderOptions O;
  bool Largest = false;
  json::Path::Root Root("options");
  json::ObjectMapper Map(*Parsed, Root);
  bool Good = Map && Map.map("dir", O.Directory) && Map.map("cupti", O.Cupti) &&
              Map.map("driver", O.Driver) && Map.map("mark", O.Mark) && Map.map("largest", Largest) &&
              Map.map("kernel", O.Kernel) && Map.map("after", O.After) && Map.map("time-limit", O.TimeLimit);
  for (auto [Key, Value] :
       {std::pair("max-bytes", &O.MaxBytes), {"max-total", &O.MaxTotal}, {"max-classes", &O.MaxClasses}})
    Good = Good && mapUnsigned(*Parsed->getAsObject(), Key, *Value, Presence::Required, Root);
  if (!Good)
    return makeError(ErrorKind::Input, toString(Root.getError()));
  O.Keep = Largest ? KeepRule::Largest : KeepRule::First;
  return O;
}

} // namespace gpuprune
