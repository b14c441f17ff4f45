//===- CodeRecords.h - What compiling makes, as records ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fields of what is kept from one run to the next, for Record.h.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_CODERECORDS_H
#define GPUPRUNE_CODEGEN_CODERECORDS_H

#include "gpuprune/CodeGen/Assembler.h"
#include "gpuprune/CodeGen/DeviceDescription.h"
#include "gpuprune/CodeGen/KernelAlone.h"
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/ForeignJson.h"
#include "gpuprune/Support/Record.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace gpuprune {

template <typename R> void mapRecord(R &Record, Dim3 &D) {
  auto &[X, Y, Z] = D;
  Record(X, Y, Z);
}

template <typename R> void mapRecord(R &Record, TakenError &E) {
  auto &[Kind, Text, Refusal] = E;
  Record(Kind, Text, Refusal);
}

template <typename R> void mapRecord(R &Record, BytesMoved &B) {
  auto &[Loaded, Stored] = B;
  Record(Loaded, Stored);
}

template <typename R> void mapRecord(R &Record, PtxSuccessor &S) {
  auto &[Number, Executions] = S;
  Record(Number, Executions);
}

template <typename R> void mapRecord(R &Record, PtxBlockExecutions &B) {
  auto &[Number, Executions, Successors] = B;
  Record(Number, Executions, Successors);
}

template <typename R> void mapRecord(R &Record, ComparedWarps &W) {
  auto &[Divergence, Variation] = W;
  Record(Divergence, Variation);
}

template <typename R> void mapRecord(R &Record, KernelCounts &C) {
  auto &[ByClass, Instr, Regions, Source, Warps, StaticInstr, Global, Shared, Local, Blocks, Reasons] = C;
  Record(ByClass, Instr, Regions, Source, Warps, StaticInstr, Global, Shared, Local, Blocks, Reasons);
}

template <typename R> void mapRecord(R &Record, KernelLoop &L) {
  auto &[Number, Depth, Line, TripCount, Source] = L;
  Record(Number, Depth, Line, TripCount, Source);
}

template <typename R> void mapRecord(R &Record, ArgumentFreedom &F) {
  auto &[BetweenVariants, BetweenLaunches] = F;
  Record(BetweenVariants, BetweenLaunches);
}

template <typename R> void mapRecord(R &Record, FloatingPointFreedom &F) {
  auto &[BetweenVariants, Approximate, Arguments, BreaksTies] = F;
  Record(BetweenVariants, Approximate, Arguments, BreaksTies);
}

inline void mapRecord(RecordWriter &Record, LaunchContract &Contract) {
  Record(llvm::formatv("{0}", toJSON(Contract)).str());
}
/// One that cannot be read is no contract at all.
inline void mapRecord(RecordReader &Record, LaunchContract &Contract) {
  std::string Text;
  Record(Text);
  llvm::json::Path::Root Root;
  llvm::Expected<llvm::json::Value> Value = parseForeignJson(Text);
  if (!Value || !fromJSON(*Value, Contract, Root))
    Record.fail();
  llvm::consumeError(Value.takeError());
}

template <typename R> void mapRecord(R &Record, PassParameter &P) {
  auto &[Key, Value] = P;
  Record(Key, Value);
}

template <typename R> void mapRecord(R &Record, PassElement &E) {
  auto &[Name, Parameters] = E;
  Record(Name, Parameters);
}

template <typename R> void mapRecord(R &Record, OfferedChoice &C) {
  auto &[Name, Values, MultipliesResults] = C;
  Record(Name, Values, MultipliesResults);
}

template <typename R> void mapRecord(R &Record, PassOffer &O) {
  auto &[Elements, Choices] = O;
  Record(Elements, Choices);
}

template <typename R> void mapRecord(R &Record, KernelOffers &O) {
  auto &[OfPasses, HasRaggedLoops, SharesReads] = O;
  Record(OfPasses, HasRaggedLoops, SharesReads);
}

template <typename R> void mapRecord(R &Record, LaunchBound &B) {
  auto &[Block, Exact] = B;
  Record(Block, Exact);
}

/// But the block shapes, which no compile fills.
template <typename R> void mapRecord(R &Record, VariantKernel &K) {
  auto &[Contract, Bound, Counts, SharedBytes, Loops, Placed, Freedom, TimeDependence, Offers, BlockShapes] =
      K;
  Record(Contract, Bound, Counts, SharedBytes, Loops, Placed, Freedom, TimeDependence, Offers);
}

template <typename R> void mapRecord(R &Record, CubinKernel &K) {
  auto &[Registers, StaticShared, LocalBytes, ParameterBytes, Barriers, CodeBytes, MaxBlock, RequiredBlock] =
      K;
  Record(Registers, StaticShared, LocalBytes, ParameterBytes, Barriers, CodeBytes, MaxBlock, RequiredBlock);
}

/// But the path of the file, which is another in each run.
template <typename R> void mapRecord(R &Record, AssembledKernel &K) {
  auto &[Cubin, Symbol, Resources, MachineCode, SpillStoreBytes, SpillLoadBytes] = K;
  Record(Symbol, Resources, MachineCode, SpillStoreBytes, SpillLoadBytes);
}

template <typename R> void mapRecord(R &Record, KernelParameter &P) {
  auto &[Is, Bytes, Offset, Fields, IsBool] = P;
  Record(Is, Bytes, Offset, Fields, IsBool);
}

template <typename R> void mapRecord(R &Record, DeviceVariable &V) {
  auto &[Symbol, Bytes, Written, Used, Fixed] = V;
  Record(Symbol, Bytes, Written, Used, Fixed);
}

template <typename R> void mapRecord(R &Record, DeviceDescription &D) {
  auto &[Kernels, Named, Parameters, Variables, Features] = D;
  Record(Kernels, Named, Parameters, Variables, Features);
}

template <typename R> void mapRecord(R &Record, LoneKernel &K) {
  auto &[Bitcode, AlsoForStock] = K;
  Record(Bitcode, AlsoForStock);
}

inline void mapRecord(RecordWriter &Record, HiddenArgument &A) {
  auto &[Parameter, Value] = A;
  Record(Parameter, Value);
}

inline void mapRecord(RecordWriter &Record, LaunchContext &L) {
  auto &[Grid, Block, Scalars, SharedBytes, Hidden, Multiprocessors] = L;
  Record(Grid, Block, Scalars, SharedBytes, Hidden, Multiprocessors);
}

inline void mapRecord(RecordWriter &Record, OfferContext &C) {
  auto &[Launch, BufferBytes, Symbols] = C;
  Record(Launch, BufferBytes, Symbols);
}

/// All that decides what a compile makes but what CountByRunning knows, and the passes themselves.
inline void mapRecord(RecordWriter &Record, VariantRequest &Request) {
  auto &[Bitcode, Pipeline, Stock, FuseMultiplyAdds, Kernel, Launch, CountByRunning, CollectLoops, OffersFor,
         CollectFreedom, KeepIR, KeepFinalBitcode, LimitsCode, Filled] = Request;
  Record(Bitcode, Pipeline, Stock, FuseMultiplyAdds, Kernel, Launch, bool(CountByRunning), CollectLoops,
         OffersFor, CollectFreedom, KeepIR, KeepFinalBitcode, LimitsCode, Filled);
}

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_CODERECORDS_H
