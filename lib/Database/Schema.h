//===- Schema.h - The tables, and how they came to be -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DATABASE_SCHEMA_H
#define GPUPRUNE_LIB_DATABASE_SCHEMA_H

#include "Sqlite.h"

namespace gpuprune {

/// PRAGMA application_id of the files: "GpPr".
inline constexpr int64_t DatabaseApplicationId = 0x47705072;

/// PRAGMA user_version that this program writes.
int64_t schemaVersion();

/// What a file turns out to be.
enum class DatabaseContent {
  Empty,   ///< No tables at all.
  Ours,    ///< Of this schema or an older one.
  Newer,   ///< Of a schema that a later version of this program wrote.
  Foreign, ///< Of another program.
};
llvm::Expected<DatabaseContent> classify(sqlite::Connection &Db);

/// Brings an empty file, or one of an older schema, to this one in one
/// transaction; several processes may try at once.
llvm::Error migrate(sqlite::Connection &Db);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_DATABASE_SCHEMA_H
