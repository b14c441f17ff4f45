//===- KernelGenerator.cpp - Random kernels ------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelGenerator.h"
#include "Random.h"
#include "Records.h"

using namespace gpuprune::differential;

namespace {

/// What may stand at a place.
struct Place {
  bool Uniform = true;      ///< All threads of the block are here together.
  bool InLoop = false;      ///< Innermost loop can be left here.
  unsigned Depth = 0;       ///< Loops and conditions around.
  unsigned Loops = 0;       ///< Loops around.
  bool UniformOnly = false; ///< Expressions have to be the same for the whole block.
};

class Generator {
public:
  Generator(uint64_t Seed, KernelTraits Traits)
      : R(Seed), ForNest(Seed * 6364136223846793005u + 1), ForCounts(Seed * 2862933555777941757u + 5),
        Records(Traits.Records) {
    HasNest = ForNest.oneIn(4) || Traits.Nest;
  }
  KernelTree run();

private:
  /// Of their own, so that the rest of a kernel is the same with and without a nest, or counts.
  Random R, ForNest, ForCounts;
  KernelTree Tree;
  bool HasNest = false, Records = false;
  bool Shared = false, Warps = false;
  unsigned Budget = 0; ///< Statements still to make.

  void chooseShape();
  void addGuard();
  void addEpilogue();
  void countInBlocks();
  std::vector<Node> statements(Place P, unsigned Most);
  Node statement(Place P);
  Node blockStatement(Place P);
  Node loop(Place P, bool Block);
  Node condition(Place P, bool Block);
  Node tripCount(Place P);
  Node innerTripCount(unsigned OuterLoop, Place P);
  Node innerLoop(Type T, unsigned Sum, unsigned OuterLoop, Place P);
  Node nest(Place P);

  Type anyType() {
    return R.of({Type::F32, Type::F32, Type::F32, Type::I32, Type::I32, Type::F64, Type::I64});
  }
  Node leaf(Type T, Place P);
  Node config(Type T);
  Node field(Type T, Place P);
  Node recordStatement(Place P);
  Node expression(Type T, Place P, unsigned Depth);
  Node reduction(Place P, unsigned Depth);
  Node uniform(unsigned Depth);
  Node truth(Place P, unsigned Depth);
  Node index(Place P);
  Node trueForMost(Place P);
};

} // namespace

static Node make(Op Kind, Type T, int64_t Value, std::vector<Node> Kids = {}) {
  return {Kind, T, Value, std::move(Kids)};
}

void Generator::chooseShape() {
  static constexpr int64_t Blocks[][3] = {{32, 1, 1}, {64, 1, 1}, {128, 1, 1}, {8, 8, 1},
                                          {16, 4, 1}, {4, 4, 4},  {16, 8, 1},  {8, 4, 2}};
  auto [X, Y, Z] = Blocks[R.below(8)];
  Tree.Block = {X, Y, Z};
  bool Plane = R.oneIn(2), Space = Plane && R.oneIn(3);
  Tree.Grid.X = R.of({1, 2, 4, 4, 6, 8});
  Tree.Grid.Y = Plane ? R.of({1, 2, 3, 4}) : 1;
  Tree.Grid.Z = Space ? R.of({1, 2}) : 1;
  Tree.Is2D = Tree.Block.Y > 1 && Tree.Block.Z == 1 && R.oneIn(2);
  Tree.Restrict = !R.oneIn(3);
  Tree.SignedIndex = !R.oneIn(3);
  Tree.Contract = !R.oneIn(3);
  Tree.N = R.of<int>({0, 1, 37, 100, 255, 256, 512, 1000, 1024});
  Tree.M = R.between(0, 8);
  Tree.InputSeed = R.next();
  Shared = R.oneIn(2);
  if (Shared && R.oneIn(2))
    Tree.Form = R.oneIn(3) ? SharedForm::Fields : SharedForm::Dynamic;
  Warps = R.oneIn(4);
}

/// Of the structure that is passed by value; its types are those of most expressions.
Node Generator::config(Type T) {
  std::vector<unsigned> Fields = fieldsOf(configLayout(), T);
  return Fields.empty() ? make(Op::Constant, T, R.between(-9, 9))
                        : make(Op::LoadConfig, T, Fields[R.below(unsigned(Fields.size()))]);
}

Node Generator::field(Type T, Place P) {
  if (R.oneIn(3))
    return config(T);
  std::vector<unsigned> Fields = fieldsOf(recordLayout(), T);
  bool Own = R.oneIn(2);
  return make(Op::LoadField, T, Fields[R.below(unsigned(Fields.size()))] + (Own ? 8 : 0), {index(P)});
}

Node Generator::recordStatement(Place P) {
  unsigned Which = R.below(RecordsOfThread);
  if (R.oneIn(4))
    return make(Op::CopyRecord, Type::I32, Which, {index(P)});
  unsigned Field = R.below(unsigned(recordLayout().fields().size()));
  Type T = valueType(recordLayout(), Field);
  return make(Op::StoreField, T, Field + 8 * Which, {expression(T, P, 3)});
}

Node Generator::leaf(Type T, Place P) {
  if (P.UniformOnly)
    return uniform(0);
  switch (R.below(isFloat(T) ? 3 : 5)) {
  case 0:
    return make(Op::Constant, T, R.between(-40, 40));
  case 1:
    return make(Op::Variable, T, R.below(VariablesOfType));
  case 2:
    if (T == Type::F32)
      return R.oneIn(4) ? make(Op::LoadOwn, T, R.below(2)) : make(Op::Scalar, T, 0);
    if (T == Type::I32 && P.Loops)
      return make(Op::LoopIndex, T, R.below(P.Loops));
    return make(Op::Variable, T, R.below(VariablesOfType));
  case 3:
    return T == Type::I32 ? make(Op::Special, T, R.below(Tree.dynamicBytes() ? 14 : 13))
                          : make(Op::Variable, T, 0);
  default:
    return T == Type::I32 ? make(Op::Scalar, T, R.below(2)) : make(Op::Constant, T, R.between(-9, 9));
  }
}

/// An I32 that all threads of the block agree on.
Node Generator::uniform(unsigned Depth) {
  if (Depth > 0 && R.oneIn(2))
    return make(Op::Binary, Type::I32, R.below(6), {uniform(Depth - 1), uniform(Depth - 1)});
  if (Records && R.oneIn(6))
    return config(Type::I32);
  switch (R.below(4)) {
  case 0:
    return make(Op::Special, Type::I32, R.between(3, 11));
  case 1:
    return make(Op::Scalar, Type::I32, R.below(2));
  case 2:
    return Depth > 0 ? make(Op::LoadInput, Type::I32, 0, {uniform(Depth - 1)})
                     : make(Op::Constant, Type::I32, R.between(0, 9));
  default:
    return make(Op::Constant, Type::I32, R.between(-3, 9));
  }
}

Node Generator::index(Place P) {
  // Mostly what people write: the thread's index, with a loop's added or scaled.
  Node Thread = make(Op::Special, Type::I32, R.of({0, 0, 1, 3, 4, 12, 12}));
  if (R.oneIn(3))
    return expression(Type::I32, P, 2);
  if (P.Loops && R.oneIn(2))
    return make(Op::Binary, Type::I32, 0, {Thread, make(Op::LoopIndex, Type::I32, R.below(P.Loops))});
  return make(Op::Binary, Type::I32, R.below(3), {Thread, make(Op::Constant, Type::I32, R.between(0, 33))});
}

Node Generator::reduction(Place P, unsigned Depth) {
  P.UniformOnly = false;
  return make(Op::ReduceBlock, Type::I32, R.below(3), {truth(P, Depth)});
}

Node Generator::expression(Type T, Place P, unsigned Depth) {
  if (P.UniformOnly && T == Type::I32 && Shared && P.Uniform && R.oneIn(6))
    return reduction(P, Depth);
  if (P.UniformOnly)
    return T == Type::I32 ? uniform(Depth) : make(Op::Convert, T, 0, {uniform(Depth)});
  if (Depth == 0 || R.oneIn(5))
    return leaf(T, P);
  if (Records && R.oneIn(4))
    return field(T, P);
  unsigned Deeper = Depth - 1;
  switch (R.below(12)) {
  case 0:
  case 1:
    return make(Op::LoadInput, T, 0, {index(P)});
  case 2:
    if (Shared && T == Type::F32 && R.oneIn(3))
      return make(Op::LoadEither, T, R.below(2), {truth(P, Deeper), index(P)});
    if (Shared && (T == Type::F32 || T == Type::I32))
      return make(Op::LoadShared, T, T == Type::F32 ? R.below(2) : 2, {index(P)});
    return make(Op::LoadInput, T, 0, {index(P)});
  case 3:
    return make(Op::Select, T, 0, {truth(P, Deeper), expression(T, P, Deeper), expression(T, P, Deeper)});
  case 4: {
    Type From = anyType();
    return From == T ? leaf(T, P) : make(Op::Convert, T, 0, {expression(From, P, Deeper)});
  }
  case 5:
    return make(Op::Unary, T, R.below(4), {expression(T, P, Deeper)});
  case 6:
    if (T == Type::F32)
      return make(Op::LoadLocal, T, 0, {index(P)});
    return T == Type::I32 ? make(Op::LoadNarrow, T, 0, {index(P)}) : leaf(T, P);
  case 7:
    if (isFloat(T)) // A multiply-add, which contraction has to treat the same everywhere.
      return make(Op::Binary, T, 0,
                  {make(Op::Binary, T, 2, {expression(T, P, Deeper), expression(T, P, Deeper)}),
                   expression(T, P, Deeper)});
    return T == Type::I32 ? truth(P, Deeper) : leaf(T, P);
  case 8:
    if (Shared && P.Uniform && T == Type::I32 && R.oneIn(2))
      return reduction(P, Deeper);
    if (Warps && P.Uniform && (T == Type::F32 || T == Type::I32))
      return make(Op::Shuffle, T, R.below(4) + 4 * R.below(32), {expression(T, P, Deeper)});
    if (Warps && P.Uniform && T == Type::I32)
      return make(Op::Ballot, T, 0, {truth(P, Deeper)});
    return leaf(T, P);
  default:
    return make(Op::Binary, T, R.below(isFloat(T) ? 6 : 13),
                {expression(T, P, Deeper), expression(T, P, Deeper)});
  }
}

Node Generator::truth(Place P, unsigned Depth) {
  Type T = P.UniformOnly ? Type::I32 : anyType();
  return make(Op::Compare, Type::I32, R.below(6), {expression(T, P, Depth), expression(T, P, Depth)});
}

/// Mostly short loops; a trip count the compiler knows, one it does not, one
/// that differs between threads.
Node Generator::tripCount(Place P) {
  switch (R.below(P.UniformOnly ? 3 : 5)) {
  case 0:
  case 1:
    return make(Op::Constant, Type::I32, R.of({1, 2, 3, 4, 4, 5, 7, 8, 8, 12, 16}));
  case 2:
    return make(Op::Scalar, Type::I32, 1);
  case 3:
    return make(Op::Binary, Type::I32, 3,
                {make(Op::Special, Type::I32, 0), make(Op::Constant, Type::I32, 7)});
  default:
    return make(Op::Binary, Type::I32, 3, {expression(Type::I32, P, 2), make(Op::Constant, Type::I32, 3)});
  }
}

Node Generator::loop(Place P, bool Block) {
  Place Head = P, Inside = P;
  Head.UniformOnly = Block;
  Inside.InLoop = true;
  Inside.Uniform = P.Uniform && Block;
  ++Inside.Depth;
  ++Inside.Loops;
  Node Loop = make(Block ? Op::UniformFor : Op::For, Type::I32, R.below(5), {tripCount(Head)});
  for (Node &S : statements(Inside, 4))
    Loop.Kids.push_back(std::move(S));
  return Loop;
}

/// The same in all iterations of the outer loop, of a triangle, or whatever the iteration reads.
Node Generator::innerTripCount(unsigned OuterLoop, Place P) {
  Node Iteration = make(Op::LoopIndex, Type::I32, OuterLoop);
  switch (R.below(5)) {
  case 0:
    return make(Op::Binary, Type::I32, 0, {Iteration, make(Op::Constant, Type::I32, R.below(3))});
  case 1:
    return make(Op::Binary, Type::I32, 3,
                {make(Op::LoadInput, Type::I32, 0, {Iteration}), make(Op::Constant, Type::I32, 7)});
  case 2:
    return make(Op::Binary, Type::I32, 3,
                {make(Op::LoadInput, Type::I32, 0, {index(P)}), make(Op::Constant, Type::I32, 7)});
  default:
    return tripCount(P);
  }
}

/// for (...) { [leave or go on if] Sum += value; }, perhaps under a condition.
Node Generator::innerLoop(Type T, unsigned Sum, unsigned OuterLoop, Place P) {
  Place Inside = P;
  ++Inside.Loops;
  Node Loop = make(Op::For, Type::I32, R.below(5), {innerTripCount(OuterLoop, P)});
  Node Add = make(Op::Assign, T, Sum,
                  {make(Op::Binary, T, 0, {make(Op::Variable, T, Sum), expression(T, Inside, 2)})});
  bool Leaves = R.oneIn(4), Last = R.oneIn(2);
  Node Leave = make(R.oneIn(3) ? Op::ContinueIf : Op::BreakIf, Type::I32, 0, {truth(Inside, 1)});
  if (Leaves && !Last)
    Loop.Kids.push_back(Leave);
  Loop.Kids.push_back(std::move(Add));
  if (Leaves && Last)
    Loop.Kids.push_back(std::move(Leave));
  if (!R.oneIn(3))
    return Loop;
  Node If = make(Op::If, Type::I32, 1, {truth(P, 1)});
  If.Kids.push_back(std::move(Loop));
  if (R.oneIn(3))
    If.Kids.push_back(make(Op::Assign, T, Sum, {expression(T, P, 1)}));
  return If;
}

/// for (...) { s = ...; for (...) s += ...; use s; }: what gpu-unroll-and-jam is for.
Node Generator::nest(Place P) {
  unsigned OuterLoop = P.Loops;
  P.Uniform = false;
  P.InLoop = true;
  ++P.Loops;
  Type T = R.of({Type::F32, Type::F32, Type::I32, Type::F64});
  unsigned Sum = R.below(VariablesOfType), Total = (Sum + 1) % VariablesOfType;
  Node Trips = R.oneIn(2) ? make(Op::Constant, Type::I32, R.between(2, 9)) : tripCount(P);
  Node Nest = make(Op::For, Type::I32, R.below(5), {std::move(Trips)});
  if (R.oneIn(6))
    Nest.Kids.push_back(make(Op::ContinueIf, Type::I32, 0, {truth(P, 1)}));
  Nest.Kids.push_back(make(Op::Assign, T, Sum, {make(Op::Constant, T, R.between(-9, 9))}));
  for (unsigned I = 0, E = R.oneIn(4) ? 2 : 1; I < E; ++I)
    Nest.Kids.push_back(innerLoop(T, Sum, OuterLoop, P));
  Node Result = make(Op::Variable, T, Sum);
  if (T == Type::F64 || R.oneIn(2))
    Nest.Kids.push_back(
        make(Op::Assign, T, Total, {make(Op::Binary, T, 0, {make(Op::Variable, T, Total), Result})}));
  else
    Nest.Kids.push_back(make(Op::StoreOutput, T, R.below(ElementsOfThread),
                             {Result, make(Op::LoopIndex, Type::I32, OuterLoop)}));
  if (R.oneIn(12))
    Nest.Kids.push_back(make(Op::BreakIf, Type::I32, 0, {truth(P, 1)}));
  return Nest;
}

Node Generator::condition(Place P, bool Block) {
  Place Head = P, Inside = P;
  Head.UniformOnly = Block;
  Inside.Uniform = P.Uniform && Block;
  // A loop with barriers is left by all threads or by none.
  Inside.InLoop = P.InLoop && Inside.Uniform == P.Uniform;
  ++Inside.Depth;
  Node If = make(Block ? Op::UniformIf : Op::If, Type::I32, 0, {truth(Head, 2)});
  std::vector<Node> Then = statements(Inside, 3);
  If.Value = int64_t(Then.size());
  for (Node &S : Then)
    If.Kids.push_back(std::move(S));
  if (R.oneIn(2))
    for (Node &S : statements(Inside, 2))
      If.Kids.push_back(std::move(S));
  return If;
}

Node Generator::blockStatement(Place P) {
  switch (R.below(6)) {
  case 0:
    return loop(P, /*Block=*/true);
  case 1:
    return condition(P, /*Block=*/true);
  case 2:
    return make(Op::ReduceShared, Type::F32, R.below(2));
  default: {
    unsigned Array = R.below(3);
    Type T = Array == 2 ? Type::I32 : Type::F32;
    Node Store = make(Op::StoreShared, T, Array + 4 * R.of({0, 0, 1, 3, 16}), {expression(T, P, 3)});
    if (R.oneIn(4))
      Store.Kids.push_back(truth(P, 2));
    return Store;
  }
  }
}

Node Generator::statement(Place P) {
  if (Budget)
    --Budget;
  if (P.Uniform && Shared && R.oneIn(2) && (P.Depth < 3))
    return blockStatement(P);
  if (Records && R.oneIn(4))
    return recordStatement(P);
  unsigned Kinds = P.Depth < 3 && Budget ? 12 : 9;
  switch (R.below(Kinds)) {
  case 0:
  case 1:
  case 2: {
    Type T = anyType();
    return make(Op::Assign, T, R.below(VariablesOfType), {expression(T, P, 3)});
  }
  case 3: { // Sums over a loop are what loops are for.
    Type T = R.of({Type::F32, Type::F32, Type::I32, Type::F64});
    unsigned V = R.below(VariablesOfType);
    return make(Op::Assign, T, V, {make(Op::Binary, T, 0, {make(Op::Variable, T, V), expression(T, P, 3)})});
  }
  case 4:
  case 5: {
    Type T = R.of({Type::F32, Type::F32, Type::I32});
    return make(Op::StoreOutput, T, R.below(ElementsOfThread), {expression(T, P, 3), leaf(Type::I32, P)});
  }
  case 6:
    return make(Op::StoreOwn, Type::F32, R.below(2), {expression(Type::F32, P, 3)});
  case 7:
    if (R.oneIn(2))
      return make(Op::Count, Type::I32, R.below(4), {index(P), expression(Type::I32, P, 2)});
    return make(Op::StoreLocal, Type::F32, 0, {index(P), expression(Type::F32, P, 3)});
  case 8:
    if (P.InLoop && R.oneIn(3)) {
      // Leaving a loop with barriers is a matter for the whole block.
      Place Head = P;
      Head.UniformOnly = P.Uniform;
      return make(R.oneIn(2) ? Op::BreakIf : Op::ContinueIf, Type::I32, 0, {truth(Head, 2)});
    }
    return make(Op::Assign, Type::F32, R.below(VariablesOfType), {expression(Type::F32, P, 4)});
  case 9:
    if (P.Depth == 0 && R.oneIn(3)) {
      Place Inside = P;
      Inside.Uniform = false;
      Inside.InLoop = true;
      ++Inside.Depth;
      ++Inside.Loops;
      Node Stride = make(Op::GridStride, Type::F32, 0, {expression(Type::F32, Inside, 3)});
      for (Node &S : statements(Inside, 2))
        Stride.Kids.push_back(std::move(S));
      return Stride;
    }
    return condition(P, /*Block=*/false);
  case 10:
    return condition(P, /*Block=*/false);
  default:
    return loop(P, /*Block=*/false);
  }
}

std::vector<Node> Generator::statements(Place P, unsigned Most) {
  std::vector<Node> List;
  for (unsigned I = 0, E = 1 + R.below(Most); I < E; ++I)
    List.push_back(statement(P));
  return List;
}

/// if (thread index >= n) return;
void Generator::addGuard() {
  Place P;
  Node Out =
      R.oneIn(3)
          ? truth(P, 2)
          : make(Op::Compare, Type::I32, 5,
                 {make(Op::Special, Type::I32, R.of({0, 12, 12, 12})), make(Op::Scalar, Type::I32, 0)});
  Tree.Body.push_back(make(Op::ReturnIf, Type::I32, 0, {std::move(Out)}));
}

/// What the variables hold in the end shows.
void Generator::addEpilogue() {
  for (unsigned V = 0; V < VariablesOfType; ++V)
    for (Type T : {Type::F32, Type::I32})
      Tree.Body.push_back(
          make(Op::StoreOutput, T, V, {make(Op::Variable, T, V), make(Op::Constant, Type::I32, 0)}));
}

/// Instead of in global memory at once, some of it certainly.
void Generator::countInBlocks() {
  std::swap(R, ForCounts);
  Tree.SharedCounts = true;
  Place P;
  P.Uniform = false;
  for (unsigned I = 0, E = 1 + R.below(3); I < E; ++I) {
    Node Count = make(Op::Count, Type::I32, R.below(4), {index(P), expression(Type::I32, P, 2)});
    if (R.oneIn(2))
      Count = make(Op::If, Type::I32, 1, {truth(P, 2), std::move(Count)});
    Tree.Body.push_back(std::move(Count));
  }
  std::swap(R, ForCounts);
}

KernelTree Generator::run() {
  chooseShape();
  Budget = 4 + R.below(12);
  Place Top;
  if (!Shared && !Warps && R.oneIn(2)) {
    addGuard();
    Top.Uniform = false;
  }
  for (unsigned I = 0, E = 2 + R.below(5); I < E; ++I)
    Tree.Body.push_back(statement(Top));
  addEpilogue();
  if (Top.Uniform && ForCounts.oneIn(4))
    countInBlocks();
  if (HasNest) {
    std::swap(R, ForNest);
    Tree.Body.insert(Tree.Body.begin(), nest(Place()));
  }
  return std::move(Tree);
}

KernelTree gpuprune::differential::generateKernel(uint64_t Seed, KernelTraits Traits) {
  return Generator(Seed, Traits).run();
}
