//===- Protocol.h - What is said between a tuner and its runners ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Jobs go to a runner and results come back, one JSON object a line. A job
// carries everything it needs, so any runner can take it. docs/runner-protocol.md
// describes every field. All fromJSON functions report what was expected and
// where through llvm::json::Path; the parse functions turn that into an Error.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_RUNTIME_PROTOCOL_H
#define GPUPRUNE_RUNTIME_PROTOCOL_H

#include "gpuprune/Launch/PhysicalLaunch.h"
#include "gpuprune/Support/BufferRole.h"
#include "gpuprune/Support/CheckOutcome.h"
#include "gpuprune/Support/DataFile.h"
#include "gpuprune/Support/ElementLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuprune::protocol {

/// Raised when a field changes its meaning; said in the hello line.
inline constexpr int ProtocolVersion = 12;
/// No line of the protocol is longer, in bytes.
inline constexpr size_t MaxLineBytes = size_t(64) << 20;
/// Samples and warm-up runs of a job; more is a mistake, and would block its runner.
inline constexpr uint32_t MaxSamples = 100000;

/// A kernel argument: a device address in a buffer, a scalar or a structure.
struct Argument {
  /// No kernel takes more.
  static constexpr size_t MostBytes = 32764;
  std::optional<uint32_t> Buffer; ///< Index into Problem::Buffers; when empty, a scalar.
  ElementType Type = ElementType::I32;
  uint64_t Bits = 0;
  uint64_t Offset = 0;                 ///< Of a buffer: the byte that it points to.
  std::vector<uint8_t> Structure = {}; ///< Not empty: the bytes of a structure. JSON: in hexadecimal digits.

  static Argument buffer(uint32_t Index, uint64_t Offset = 0);
  static Argument integer(ElementType Type, int64_t Value);
  static Argument floating(ElementType Type, double Value);
  bool operator==(const Argument &) const = default;
};

/// Each extent of grid and block is from 1 to 2^32 - 1.
struct Launch : PhysicalLaunch {
  std::string Cubin; ///< Path, absolute or relative to the runner's directory (a bundle's, in bundle mode).
  std::string Symbol;
  std::vector<Argument> Args; ///< The author's; the hidden ones follow them.
  std::string Code;           ///< Names the machine code whatever file and symbol it is in; empty: not known.
  bool operator==(const Launch &) const = default;
};

/// Launches in order on one stream.
struct Program {
  std::vector<Launch> Launches;
  /// So many at the beginning only make what the others start from: they are no part of its time.
  uint32_t Untimed = 0;
  bool operator==(const Program &) const = default;
};

enum class FillKind : uint8_t {
  Zero,
  Constant,
  Uniform,
  Sorted,
  Iota,
  Affine,
  Shift,
  Permutation,
  Clustered,
  Values,
  File,
  Fields
};

/// What a buffer holds before a kernel runs; see Fill.h for the exact values.
struct Fill {
  FillKind Kind = FillKind::Zero;
  double Value = 0;                       ///< Constant.
  double Low = 0, High = 1;               ///< Uniform, Sorted; integer types include both ends.
  uint64_t Seed = 0;                      ///< Of all that are random.
  double Start = 0, Step = 0, Jitter = 0; ///< Affine.
  uint64_t Count = 0;        ///< Sorted, Shift, Permutation: of elements. Clustered: of what is indexed.
  uint64_t By = 0;           ///< Shift; below Count.
  uint64_t Window = 0;       ///< Clustered: an index is at most so far from (i / Per) mod Count.
  uint64_t Per = 1;          ///< Clustered.
  uint64_t ZeroDiagonal = 0; ///< Columns of a square matrix whose diagonal is zero; 0: none is. JSON:
                             ///< zero_diagonal.
  std::vector<uint8_t> Bytes = {}; ///< Values: elements one after the other. JSON: in hexadecimal digits.
  /// File: elements, or whole structures, lie one after the other in this file, a path as a cubin's, from the
  /// byte Offset on.
  std::string File = {};
  std::string Hash = {}; ///< contentHash of the whole file. JSON: xxh3.
  uint64_t Offset = 0;
  std::shared_ptr<const DataFile> Data = {}; ///< What is in the file, once it has been read. Not in JSON.
  std::vector<Fill> Fields = {}; ///< Fields: one for each of the structure's, none of kind Fields.
  bool operator==(const Fill &) const = default;
  /// What the field at \p Index holds.
  const Fill &ofField(size_t Index) const { return Kind == FillKind::Fields ? Fields[Index] : *this; }
  /// Elements at its multiples are zero; 0: none need be.
  uint64_t zeroEvery() const { return ZeroDiagonal == 0 ? 0 : ZeroDiagonal + 1; }
  /// Calls \p Visit for this and for those of fields, where they take from a file.
  void forEachFile(llvm::function_ref<void(Fill &)> Visit) {
    if (Kind == FillKind::File)
      Visit(*this);
    for (Fill &Of : Fields)
      Of.forEachFile(Visit);
  }
  /// Whether not all contents follow from the index.
  bool isStored() const {
    return Kind == FillKind::File || Kind == FillKind::Values ||
           llvm::any_of(Fields, [](const Fill &Of) { return Of.isStored(); });
  }
  /// Of a file that has been read, or of values, the bytes of elements.
  llvm::ArrayRef<uint8_t> stored() const {
    if (Kind == FillKind::Values)
      return Bytes;
    return Data && Data->Content.size() >= Offset ? Data->from(Offset) : llvm::ArrayRef<uint8_t>();
  }
};

struct Buffer {
  std::string Name;
  ElementLayout Type = ElementType::F32;
  uint64_t Count = 0; ///< Elements.
  Fill Contents;      ///< Unused for an out buffer.
  BufferRole Role = BufferRole::In;
  /// Not empty: no argument but the contents of this variable, in every module of a program that has it.
  std::string Symbol = {};
  /// False: what programs leave in it may differ. Only of a buffer that is not in.
  bool Compared = true;
  /// Where on the device it lies; without, anywhere.
  std::optional<uint64_t> Address = {};
  bool isOutput() const { return Role != BufferRole::In && Compared; }
  uint64_t bytes() const { return Count * Type.bytes(); }
  bool operator==(const Buffer &) const = default;
};

/// What a buffer should hold after the candidate has run over out buffers that hold the
/// first fill pattern; told of in ProblemCheck::Outputs, and no part of the check.
struct ExpectedOutput {
  uint32_t Buffer = 0; ///< Index into Problem::Buffers.
  std::string Hash;    ///< contentHash of it. JSON: xxh3.
  std::string File;    ///< Its bytes, a path as a cubin's; empty: only the hash is known.
};

/// A buffer whose elements may differ within the job's tolerance, since no order is given
/// to the operations that make them. All others are compared bit by bit.
struct OpenBuffer {
  uint32_t Buffer = 0;          ///< Index into Problem::Buffers.
  bool BetweenVariants = false; ///< The candidate's from the reference's. JSON: variants.
  bool BetweenLaunches = false; ///< The reference's from the truth's. JSON: launches.
  std::string Reason;           ///< The instruction that gives no order, for messages.
  bool operator==(const OpenBuffer &) const = default;
};

/// One size of a workload: buffers, and the programs that run over them.
struct Problem {
  std::string Name; ///< "n=4096"
  std::vector<Buffer> Buffers;
  Program Candidate;
  std::optional<Program> Reference; ///< The prepared, untransformed kernel at the candidate's own launch.
  std::optional<Program> Truth;     ///< The same at the author's launch; only with a reference.
  std::optional<Program> Stock;     ///< The source as clang compiles it; compared by tolerance.
  std::vector<OpenBuffer> Open;
  std::vector<ExpectedOutput> Expected;
};

enum class CompareMode : uint8_t { Bitwise, Tolerance };

/// Element x passes against reference r by tolerance when |x - r| <= Absolute + Relative * |r|; of F16 and
/// BF16 Relative is a step of the type at least (2^-10, 2^-7).
struct Comparison {
  CompareMode Mode = CompareMode::Bitwise;
  double Relative = 0; ///< This and Absolute are used for Stock in both modes.
  /// None: of a floating-point buffer, Relative times the median magnitude of the finite elements other than
  /// 0 that the reference writes, since what a sum is off by is measured by its terms and not by what they
  /// leave of each other; else 0.
  std::optional<double> Absolute = {};
};

/// One more program that is timed in the same rounds; its outputs are checked as the job's own are.
struct Rival {
  std::string Name;      ///< Repeated in the result.
  protocol::Problem Run; ///< Its candidate is timed over its buffers.
};

/// Samples of a program that is clearly slower.
inline constexpr uint32_t FewSamples = 3;

/// How a program is timed; docs/measuring.md says why.
struct Measure {
  std::string Problem; ///< Name of one of the job's problems.
  std::optional<Program> Baseline;
  std::vector<Rival> Rivals;  ///< With rivals each round has a fresh order; else it alternates.
  uint32_t Warmup = 2;        ///< Runs before timing, at least.
  double StableWithin = 0.02; ///< Warm-up goes on until the last timings agree so well; 0: Warmup runs only.
  double MaxWarmupMs = 500;   ///< Or until it took this long, in time on the GPU.
  uint32_t Samples = 10;
  std::optional<double> MinSampleMs; ///< Launch several times a sample until it lasts this long.
  bool FlushL2 = false;              ///< Write over the L2 cache before each sample, which then is one run.
  uint32_t Rotate = 1; ///< Copies of the buffers that runs use in turn; 0: enough to exceed the L2 cache.
  /// Bring back inout buffers before each timing; not where what they hold cannot change the time.
  bool Restore = true;
  std::optional<double> LimitMs;     ///< A run slower than this is status slow.
  std::optional<double> MaxSlowdown; ///< So is one slower than this times the baseline.
  /// Client and runner lower LimitMs to this times the fastest of their results over the same problem.
  std::optional<double> Watchdog;
  /// A candidate whose fastest run in the warm-up takes longer is clearly slower than what else there is: its
  /// warm-up ends then, and it gets FewSamples. Not applied beside rivals.
  std::optional<double> ClearlySlowerMs;
  /// Client and runner lower ClearlySlowerMs to this times the fastest of their results with contests.
  std::optional<double> ClearlySlower;
  /// Names of the finals that the candidate may take part in; see FinalRounds.h.
  std::vector<std::string> Contests;
};

struct Job {
  std::string Id;
  std::string Kind = "run"; ///< The only kind today.
  std::vector<Problem> Checks;
  std::optional<Measure> Timing; ///< JSON: measure.
  Comparison Compare;
};
/// The one of J's Checks whose launch is timed, null where there is none; \p J has a Timing.
const Problem *findTimedProblem(const Job &J);
/// The same of a job that is valid.
const Problem &timedProblem(const Job &J);

enum class ResultStatus : uint8_t {
#define GPUPRUNE_RESULT_STATUS(Enumerator, Name) Enumerator,
#include "gpuprune/Runtime/ResultStatus.def"
};
llvm::StringRef resultStatusName(ResultStatus Status);
std::optional<ResultStatus> parseResultStatus(llvm::StringRef Name);

enum class MismatchKind : uint8_t {
  Value,       ///< An element differs.
  Missing,     ///< The reference writes an element that the candidate leaves alone.
  Extra,       ///< The candidate writes an element that the reference leaves alone.
  GuardBefore, ///< Something was written in front of a buffer.
  GuardAfter,  ///< Something was written behind a buffer.
  Input,       ///< An in buffer was changed.
  Elsewhere,   ///< Memory was changed that is of none of the buffers; all other fields are empty.
};
llvm::StringRef mismatchKindName(MismatchKind Kind);

/// The comparisons that a check is made of.
enum class CheckLink : uint8_t {
  Variant, ///< The candidate with the reference.
  Launch,  ///< The reference with the truth.
};

/// ", field x", for messages; nothing without a field.
std::string fieldText(llvm::StringRef Field);

struct Mismatch {
  MismatchKind Kind = MismatchKind::Value;
  std::string Buffer;
  /// Of the first difference: an element index; for guards the distance in bytes from the buffer's nearest
  /// end.
  uint64_t Index = 0;
  std::string Expected, Got;
  uint64_t Differing = 0; ///< Elements; bytes for guards.
  std::string Pattern;    ///< What out buffers and guards held before the run: "0xa5".
  CheckLink Link = CheckLink::Variant;
  std::string Field =
      {}; ///< Of an element that is a structure, the one that differs; Differing counts fields.
};

/// "buffer C, value at 7: expected 1 (0x3f800000), got 2 (0x40000000); 3 differ". Where the link is the
/// launch's, after "the kernel at this launch differs from the author's launch: ".
std::string describe(const Mismatch &M);

/// By how much a buffer is not what was expected.
struct Difference {
  uint64_t Elements = 0; ///< That differ in any bit.
  uint64_t Outside = 0;  ///< Of these, beyond the job's tolerance.
  /// The largest |x - r| and |x - r| / |r| among elements where both, and these, are finite.
  double MaxAbsolute = 0, MaxRelative = 0;
  uint64_t Index = 0; ///< Of the first element beyond the tolerance, else of the first that differs.
  std::string Expected, Got;
  std::string Field = {}; ///< As in Mismatch.
  bool operator==(const Difference &) const = default;
};

/// What the candidate left in a buffer of which something was expected.
struct Output {
  std::string Buffer;
  std::string Hash;                ///< contentHash of it. JSON: xxh3.
  std::optional<Difference> Apart; ///< JSON: difference. Where the hash is another and there is a file.
  bool operator==(const Output &) const = default;
};

/// The largest difference that a link was allowed.
struct Tolerated {
  std::string Buffer;
  std::string Reason; ///< The open buffer's; empty where the whole job is compared by tolerance.
  Difference Apart;   ///< In this buffer. JSON: difference.
  bool operator==(const Tolerated &) const = default;
};

/// "buffer out differs by 1.2e-07 (9.1e-07 relative) at most, due to fadd in a recurrence at line 12"
std::string describe(const Tolerated &T);

struct ProblemCheck {
  std::string Problem;
  CheckOutcome Outcome = CheckOutcome::Skipped; ///< Of the candidate; Wrong where Launch is.
  std::optional<Mismatch> Detail;               ///< Where Outcome is Wrong; its Link says which failed.
  std::vector<Output> Outputs = {};            ///< For each of Problem::Expected, where Outcome is not Wrong.
  CheckOutcome Launch = CheckOutcome::Skipped; ///< Of the reference beside the truth; Skipped without one.
  std::optional<Tolerated> Apart = {};         ///< Where Outcome is Tolerance. JSON: difference.
  std::optional<Tolerated> LaunchApart = {};   ///< Where Launch is Tolerance. JSON: launch_difference.
};

/// What the driver says about a kernel of the candidate, with the launch's block and dynamic shared memory.
struct KernelFacts {
  std::string Symbol;
  int Registers = 0;
  int LocalBytes = 0;  ///< A thread.
  int SharedBytes = 0; ///< Static, a block, without what the system reserves.
  int MaxThreads = 0;  ///< A block of this kernel may have.
  int BlocksPerSM = 0; ///< cuOccupancyMaxActiveBlocksPerMultiprocessor.
};

/// How the warm-up of one program ended.
struct WarmUp {
  uint32_t Runs = 0;
  double Ms = 0;      ///< On the GPU, of all its runs.
  bool Stable = true; ///< Whether the last timings agreed; false: it ended at its cap.
  bool operator==(const WarmUp &) const = default;
};

/// What one program of the rounds took.
struct RivalTiming {
  std::string Name;              ///< A rival's.
  std::vector<double> SamplesMs; ///< Of one run, raw, in order.
  uint32_t LaunchesPerSample = 1;
  std::optional<WarmUp> Warmed;
  bool operator==(const RivalTiming &) const = default;
};

/// The GPU while the rounds ran, as NVML says.
struct Clock {
  uint32_t MinMhz = 0, MaxMhz = 0; ///< Of the SMs.
  uint32_t MaxCelsius = 0;         ///< 0: not known.
  uint32_t MaxMilliwatts = 0;      ///< 0: not known.
  std::vector<std::string> Limits; ///< What held the clock down, as ClockLimit.def names it.
  bool operator==(const Clock &) const = default;
};

struct Result {
  std::string Id;
  ResultStatus Status = ResultStatus::Ok;
  CheckOutcome Check = CheckOutcome::Skipped; ///< The worst of Checks, of both links.
  std::vector<ProblemCheck> Checks;
  std::vector<double> SamplesMs;  ///< Of one run of the candidate, raw, in order.
  std::vector<double> BaselineMs; ///< The same of the baseline.
  std::optional<double> MedianMs, BaselineMedianMs;
  uint32_t LaunchesPerSample = 1; ///< Runs a sample of the candidate averages over.
  bool FewSamples = false;        ///< On purpose: the candidate was clearly slower.
  double TimedMs = 0;           ///< Of the GPU for all that was timed: warm-up and samples of every program.
  std::optional<WarmUp> Warmed; ///< Of the candidate. JSON: warmup.
  std::vector<RivalTiming> Rivals; ///< In the order of the job.
  std::optional<Clock> GpuClock;   ///< JSON: clock; nothing without NVML.
  /// Bytes of reference outputs that this runner has had to keep on the host so far, for lack of memory
  /// there.
  uint64_t ReferencesOnHost = 0;
  std::vector<KernelFacts> Kernels;
  std::string Message;
  std::string Culprit;     ///< The rival whose failure this is; empty: the candidate's, or nobody's.
  bool RunnerEnds = false; ///< The runner exits after this line: its context is dead.
  bool Stored = false;     ///< Not measured now but known from an earlier run; no part of the protocol.
};

/// The first line of a runner.
struct Hello {
  int Protocol = ProtocolVersion;
  std::string Version; ///< Of the program.
  bool HasGpu = false;
  std::string Problem; ///< Without a GPU: no-libcuda, too-old, no-device or driver.
  std::string Message;
  std::string Device;
  int Major = 0, Minor = 0; ///< Compute capability.
  int DriverVersion = 0;    ///< 13000 is CUDA 13.0.
  int SmCount = 0;
  uint64_t TotalMemory = 0; ///< Bytes.
  uint64_t L2Bytes = 0;     ///< 0: the device says nothing.
  /// Why what earlier kernels left in shared memory is not written over before a check; empty: it is.
  std::string SharedUnfilled = {};
};

llvm::json::Value toJSON(const Job &);
llvm::json::Value toJSON(const Result &);
llvm::json::Value toJSON(const Hello &);
llvm::json::Value toJSON(const Program &);
llvm::json::Value toJSON(const Buffer &);
llvm::json::Value toJSON(const Clock &);
llvm::json::Value toJSON(const Difference &);
bool fromJSON(const llvm::json::Value &, Job &, llvm::json::Path);
bool fromJSON(const llvm::json::Value &, Result &, llvm::json::Path);
bool fromJSON(const llvm::json::Value &, Hello &, llvm::json::Path);
bool fromJSON(const llvm::json::Value &, Clock &, llvm::json::Path);
bool fromJSON(const llvm::json::Value &, Difference &, llvm::json::Path);

/// parseForeignJson() of at most MaxLineBytes without infinite numbers. Error kind: Input.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef Text);
/// One line; errors (kind Input) say which field and what was expected. A job
/// is consistent afterwards: buffer indices, sizes and problem names are valid.
llvm::Expected<Job> parseJob(llvm::StringRef Line);
llvm::Expected<Result> parseResult(llvm::StringRef Line);
llvm::Expected<Hello> parseHello(llvm::StringRef Line);
/// What no type expresses, checked by parseJob; for jobs made in a program.
llvm::Error validate(const Job &);

/// The line, newline included.
template <typename T> std::string toLine(const T &Message) {
  std::string Line;
  llvm::raw_string_ostream(Line) << toJSON(Message) << '\n';
  return Line;
}

} // namespace gpuprune::protocol

#endif // GPUPRUNE_RUNTIME_PROTOCOL_H
