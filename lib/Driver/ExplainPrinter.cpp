//===- ExplainPrinter.cpp - An explanation for a person, and as data -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/ExplainReport.h"
#include "gpuprune/Launch/PhysicalLaunch.h"
#include "gpuprune/Support/ColumnPrinter.h"
#include "gpuprune/Support/EnumNames.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

static constexpr EnumName<MemoryKind> MemoryKindRows[] = {{MemoryKind::Global, "global"},
                                                          {MemoryKind::Shared, "shared"},
                                                          {MemoryKind::Constant, "constant"},
                                                          {MemoryKind::Local, "local"}};
static constexpr EnumName<AccessKind> AccessKindRows[] = {{AccessKind::Load, "load"},
                                                          {AccessKind::Store, "store"},
                                                          {AccessKind::Atomic, "atomic"},
                                                          {AccessKind::Branch, "branch"}};

StringRef memoryKindName(MemoryKind Kind) { return EnumNames<MemoryKind>{MemoryKindRows}.nameOf(Kind); }
StringRef accessKindName(AccessKind Kind) { return EnumNames<AccessKind>{AccessKindRows}.nameOf(Kind); }

static double ratio(uint64_t Over, uint64_t Under) { return Under ? double(Over) / double(Under) : 0; }

/// "4", "4.3"
static std::string perRequest(uint64_t Count, uint64_t Requests) {
  std::string Text = formatv("{0:F2}", ratio(Count, Requests));
  StringRef Short = StringRef(Text).rtrim('0');
  return Short.rtrim('.').str();
}

/// Above these a line deserves a word.
static constexpr double NotableSectors = 1.25, NotableWavefronts = 1.05, NotableAddresses = 1.05,
                        NotableLanes = 0.9;

/// From here on, of all requests, a pattern is that of the line.
static constexpr double MostRequests = 0.9;

static bool isStrided(const RequestTotals &T) { return ratio(T.Strided, T.Requests) >= MostRequests; }

/// What is wrong with how global memory is accessed, and what would help.
static std::string globalVerdict(const RequestTotals &T) {
  if (ratio(T.Misaligned, T.Requests) >= MostRequests && T.Sectors > T.FewestSectors)
    return formatv(
        "misaligned: the bytes of a warp begin {0} bytes behind the beginning of a sector; let rows begin at "
        "multiples of {1} bytes",
        T.Address % SectorBytes, SectorBytes);
  if (ratio(T.Sectors, T.FewestSectors) <= NotableSectors)
    return "";
  std::string Text =
      formatv("uncoalesced: {0:F0}% of the bytes moved are used", 100 * ratio(T.FewestSectors, T.Sectors));
  if (isStrided(T))
    Text += formatv(
        ", neighbouring threads are {0} bytes apart; let them access neighbours, through shared memory "
        "if need be",
        std::abs(T.Stride));
  return Text;
}

static std::string sharedVerdict(const LineAccesses &Line) {
  const RequestTotals &T = Line.Totals;
  if (ratio(T.Wavefronts, T.FewestWavefronts) <= NotableWavefronts)
    return "";
  bool IsAtomic = Line.Kind == AccessKind::Atomic;
  std::string Text =
      formatv("{0}: {1:F1} times the wavefronts", IsAtomic ? "lanes wait for each other" : "bank conflicts",
              ratio(T.Wavefronts, T.FewestWavefronts));
  // An odd number of words apart, lanes would have banks of their own.
  if (!IsAtomic && isStrided(T) && T.Stride % int64_t(2 * BankBytes) == 0)
    Text +=
        formatv(", neighbouring threads are {0} bytes apart; pad rows by one element", std::abs(T.Stride));
  return Text;
}

/// What a person should see in a line; empty where all is well.
static std::string verdict(const LineAccesses &Line) {
  const RequestTotals &T = Line.Totals;
  std::vector<std::string> Found;
  if (std::string Said = globalVerdict(T); Line.Memory == MemoryKind::Global && !Said.empty())
    Found.push_back(std::move(Said));
  if (std::string Said = sharedVerdict(Line); Line.Memory == MemoryKind::Shared && !Said.empty())
    Found.push_back(std::move(Said));
  if (Line.Memory == MemoryKind::Constant && ratio(T.Addresses, T.Requests) > NotableAddresses)
    Found.push_back(
        formatv("serialised: {0:F1} addresses a request, served one after the other; global memory serves "
                "them at once",
                ratio(T.Addresses, T.Requests)));
  if (Line.Memory == MemoryKind::Local)
    Found.push_back("local memory");
  if (ratio(T.Lanes, T.FullLanes) < NotableLanes)
    Found.push_back(formatv("{0:F0}% of the lanes take part", 100 * ratio(T.Lanes, T.FullLanes)));
  std::string Text;
  for (const std::string &Part : Found)
    Text += (Text.empty() ? "" : "; ") + Part;
  return Text;
}

static std::vector<std::string> cellsOf(const LineAccesses &Line) {
  const RequestTotals &T = Line.Totals;
  bool Shared = Line.Memory == MemoryKind::Shared;
  std::string Cost = perRequest(Shared ? T.Wavefronts : T.Sectors, T.Requests);
  std::string Fewest = perRequest(Shared ? T.FewestWavefronts : T.FewestSectors, T.Requests);
  return {Line.Line ? std::to_string(Line.Line) : "?",
          formatv("{0} {1}", memoryKindName(Line.Memory), accessKindName(Line.Kind)),
          Line.Buffer.empty() ? "-" : Line.Buffer,
          std::to_string(T.Width),
          std::to_string(T.Requests),
          perRequest(T.Lanes, T.Requests),
          Shared ? "-" : Cost,
          Shared ? Cost : "-",
          Fewest,
          ""};
}

static void printLines(raw_ostream &OS, const ExplainReport &Report, bool Colour) {
  if (Report.Lines.empty()) {
    OS << "no access to global, shared or constant memory\n";
    return;
  }
  ColumnPrinter Table(
      {"line", "access", "of", "bytes", "requests", "lanes", "sectors", "wavefronts", "best", "source"});
  for (const LineAccesses &Line : Report.Lines) {
    std::vector<std::string> Cells = cellsOf(Line);
    Cells.back() = Line.Source;
    if (std::string Said = verdict(Line); !Said.empty())
      Cells.back() += (Colour ? "  \033[33m<- " : "  <- ") + Said + (Colour ? "\033[0m" : "");
    Table.add(std::move(Cells));
  }
  Table.print(OS);
  OS << "lanes, sectors and wavefronts are those of a request (one instruction of one warp); best: as many "
        "bytes "
        "laid out ideally\n";
}

static void printMemory(raw_ostream &OS, const ExplainReport &Report) {
  RequestTotals Global = Report.totals(MemoryKind::Global), Shared = Report.totals(MemoryKind::Shared),
                Constant = Report.totals(MemoryKind::Constant);
  double Moved = double(Global.Sectors) * SectorBytes;
  double Threads = double(Report.BlocksRun) * double(Report.Resources.ThreadsPerBlock);
  if (Global.Requests) {
    OS << formatv("global memory: {0} requests, {1} sectors; {2} would do for the same bytes\n",
                  Global.Requests, Global.Sectors, Global.FewestSectors);
    OS << formatv("  a thread asks for {0:F1} bytes and moves {1:F1}, in sectors of {2}\n",
                  double(Global.Bytes) / Threads, Moved / Threads, SectorBytes);
    if (Report.Flops && Report.complete())
      OS << formatv("  {0:F2} floating-point operations a byte moved\n", *Report.Flops / Moved);
  }
  if (Shared.Requests)
    OS << formatv("shared memory: {0} requests, {1} wavefronts; {2} without conflicts\n", Shared.Requests,
                  Shared.Wavefronts, Shared.FewestWavefronts);
  if (Constant.Requests)
    OS << formatv("constant memory: {0} requests, {1}\n", Constant.Requests,
                  Constant.Addresses == Constant.Requests
                      ? "each of one address, which all lanes get at once (broadcast)"
                      : formatv("{0:F2} addresses each, which are served one after the other",
                                ratio(Constant.Addresses, Constant.Requests))
                            .str());
}

static void printBranches(raw_ostream &OS, const ExplainReport &Report) {
  uint64_t Executed = 0, Divergent = 0;
  for (const LineBranches &Line : Report.Branches) {
    Executed += Line.Executed;
    Divergent += Line.Divergent;
  }
  if (!Executed)
    return;
  OS << formatv("branches: {0} executed by warps, {1} divergent ({2:F1}%)\n", Executed, Divergent,
                100 * ratio(Divergent, Executed));
  for (const LineBranches &Line : Report.Branches)
    if (Line.Divergent)
      OS << formatv("  line {0}: {1} of {2}  {3}\n", Line.Line, Line.Divergent, Line.Executed, Line.Source);
}

static void printOccupancy(raw_ostream &OS, const ExplainReport &Report) {
  const KernelResources &R = Report.Resources;
  OS << formatv("a thread has {0} registers", R.Registers);
  if (Report.LocalBytes)
    OS << formatv(" and {0} bytes of local memory (spills: {1} stored, {2} loaded)", Report.LocalBytes,
                  Report.SpillStoreBytes, Report.SpillLoadBytes);
  OS << formatv(", a block {0} threads and {1} bytes of shared memory\n", R.ThreadsPerBlock,
                R.StaticShared + R.DynamicShared);
  if (Report.LocalBytes && !Report.SpillStoreBytes)
    OS << "  an array of each thread lies in memory, since its indices are not known to the compiler; where "
          "they are "
          "a loop's counter, unroll that loop in full, and it is in registers\n";
  if (!Report.Fits.BlocksPerSM)
    OS << "no block fits on an SM: " << Report.Fits.Reason << '\n';
  else
    OS << formatv("occupancy {0:F0}%: {1} blocks, {2} warps per SM, limited by {3}\n",
                  100 * Report.Fits.Fraction, Report.Fits.BlocksPerSM, Report.Fits.ActiveWarps,
                  limiterName(Report.Fits.Limiter));
  for (const OccupancyStep &Step : Report.Steps)
    OS << formatv("  {0} from {1} down to {2}: {3} blocks, {4:F0}%\n", Step.Resource, Step.From, Step.To,
                  Step.Blocks, 100 * Step.Fraction);
  if (Report.Steps.empty() && Report.Fits.Fraction < 1)
    OS << "  neither fewer registers nor less shared memory alone would admit one more block\n";
  OS << "  with the same registers and shared memory, in blocks of";
  StringRef Separator = " ";
  for (const BlockSizeOccupancy &Size : Report.OtherBlocks) {
    OS << Separator << formatv("{0} threads: {1:F0}%", Size.Threads, 100 * Size.Fraction);
    Separator = ", ";
  }
  OS << '\n';
}

/// "free", "promised", "not followed"
static StringRef blockVerdict(const BlockExplanation &Block) {
  if (!Block.Of.Followed)
    return "not followed";
  if (Block.Of.Promised)
    return "promised";
  if (Block.Of.Obstacle)
    return "not free";
  return Block.Of.OtherExtent ? "same extent" : Block.Why ? "not these" : "free";
}

/// What there is against other blocks.
static const std::optional<ShapeObstacle> &blockObstacle(const BlockExplanation &Block) {
  return Block.Of.Obstacle ? Block.Of.Obstacle : Block.Of.OtherExtent ? Block.Of.OtherExtent : Block.Why;
}

static void printBlocks(raw_ostream &OS, const ExplainReport &Report) {
  bool Any = false;
  for (unsigned D = 0; D < Dim3::size(); ++D) {
    const BlockExplanation &Block = Report.Blocks[D];
    if (!Block.Of.Followed)
      continue;
    Any = true;
    OS << "block." << "xyz"[D] << ": ";
    if (Block.Of.Promised)
      OS << "another extent is as good, the workload promises\n";
    else if (Block.Of.Obstacle)
      OS << "the author's alone; " << Block.Of.Obstacle->message() << '\n';
    else if (Block.Of.OtherExtent)
      OS << "another extent is as good where the grid has as many threads; "
         << Block.Of.OtherExtent->message() << '\n';
    else if (Block.Why)
      OS << formatv("another extent is as good, but not with {0}x{1}x{2}; {3}\n", Block.Refused->X,
                    Block.Refused->Y, Block.Refused->Z, Block.Why->message());
    else
      OS << "another extent is as good\n";
  }
  if (any_of(Report.Blocks, [](const BlockExplanation &Block) { return Block.Of.Rounds; }))
    OS << "  in another block, atomic additions of floating-point numbers may round differently\n";
  if (!Any)
    OS << "the launch follows no other block: its grid uses neither block.x, block.y nor block.z\n";
}

/// Terms below that share of the largest say nothing.
static constexpr double NotableTerm = 0.1;

/// Of \p Time, the largest first.
static std::vector<ModelTerm> notableTerms(const ModelledTime &Time) {
  std::vector<ModelTerm> Terms;
  for (size_t Index = 0; Index != NumModelTerms; ++Index)
    if (Time.Cycles[Index] >= NotableTerm * Time[Time.Bound] && Time.Cycles[Index] > 0)
      Terms.push_back(ModelTerm(Index));
  stable_sort(Terms, [&](ModelTerm A, ModelTerm B) { return Time[A] > Time[B]; });
  return Terms;
}

static void printTime(raw_ostream &OS, const ExplainReport &Report) {
  if (!Report.Time) {
    OS << "the time is not modelled: " << Report.NoTime << '\n';
    return;
  }
  const ModelledTime &Time = *Report.Time;
  const Dim3 &G = Report.TimeGrid;
  OS << formatv("modelled at {0}, grid {1}x{2}x{3}: {4:F4} ms, bound by {5} ({6})\n", Report.TimeSize, G.X,
                G.Y, G.Z, Time.Ms, modelTermName(Time.Bound), modelTermDescription(Time.Bound));
  StringRef Separator = "  terms: ";
  for (ModelTerm Term : notableTerms(Time)) {
    OS << Separator << formatv("{0} {1:F4} ms", modelTermName(Term), Time.ms(Term));
    Separator = ", ";
  }
  OS << '\n';
  for (const std::string &Note : Time.Notes)
    OS << "  an estimate: " << Note << '\n';
  if (!Time.WhyRun.empty())
    OS << "  its accesses were run, not traced: " << Time.WhyRun << '\n';
}

static json::Value timeJSON(const ExplainReport &Report) {
  if (!Report.Time)
    return json::Object{{"reason", json::fixUTF8(Report.NoTime)}};
  json::Object Terms;
  for (size_t Index = 0; Index != NumModelTerms; ++Index)
    Terms[modelTermName(ModelTerm(Index))] = Report.Time->ms(ModelTerm(Index));
  return json::Object{{"size", Report.TimeSize},
                      {"grid", toJSON(Report.TimeGrid)},
                      {"ms", Report.Time->Ms},
                      {"bound", modelTermName(Report.Time->Bound)},
                      {"terms_ms", std::move(Terms)},
                      {"estimates", json::Array(Report.Time->Notes)},
                      {"accesses_run", json::fixUTF8(Report.Time->WhyRun)}};
}

void printExplanation(raw_ostream &OS, const ExplainReport &Report, bool Colour) {
  const Dim3 &G = Report.Grid, &B = Report.Block;
  OS << formatv("kernel {0} of {1} for {2}, {3}: grid {4}x{5}x{6}, block {7}x{8}x{9}\n", Report.Kernel,
                Report.Workload, Report.Device, Report.Size, G.X, G.Y, G.Z, B.X, B.Y, B.Z);
  OS << "variant: " << (Report.Variant.empty() ? "(as written, prepared)" : Report.Variant) << '\n';
  uint64_t Blocks = uint64_t(G.X) * G.Y * G.Z;
  if (Report.complete())
    OS << formatv("counted over all {0} blocks\n\n", Blocks);
  else
    OS << formatv("counted over {0} of {1} blocks, spread evenly\n\n", Report.BlocksRun, Blocks);
  printLines(OS, Report, Colour);
  OS << '\n';
  printMemory(OS, Report);
  printBranches(OS, Report);
  OS << '\n';
  printOccupancy(OS, Report);
  OS << '\n';
  printBlocks(OS, Report);
  OS << '\n';
  printTime(OS, Report);
}

static json::Object toJSON(const RequestTotals &T) {
  return json::Object{{"requests", T.Requests},     {"lanes", T.Lanes},
                      {"full_lanes", T.FullLanes},  {"bytes", T.Bytes},
                      {"sectors", T.Sectors},       {"fewest_sectors", T.FewestSectors},
                      {"wavefronts", T.Wavefronts}, {"fewest_wavefronts", T.FewestWavefronts},
                      {"addresses", T.Addresses},   {"stride", T.Stride},
                      {"strided", T.Strided},       {"misaligned", T.Misaligned}};
}

static json::Object toJSON(const LineAccesses &Line) {
  json::Object Out = toJSON(Line.Totals);
  Out["file"] = json::fixUTF8(Line.File);
  Out["line"] = Line.Line;
  Out["source"] = json::fixUTF8(Line.Source);
  Out["memory"] = memoryKindName(Line.Memory);
  Out["access"] = accessKindName(Line.Kind);
  Out["buffer"] = Line.Buffer;
  Out["width"] = Line.Totals.Width;
  Out["instructions"] = Line.Instructions;
  Out["verdict"] = verdict(Line);
  return Out;
}

static json::Object occupancyJSON(const ExplainReport &Report) {
  json::Array Steps, Others;
  for (const OccupancyStep &S : Report.Steps)
    Steps.push_back(json::Object{{"resource", S.Resource},
                                 {"from", S.From},
                                 {"to", S.To},
                                 {"blocks_per_sm", S.Blocks},
                                 {"occupancy", S.Fraction}});
  for (const BlockSizeOccupancy &S : Report.OtherBlocks)
    Others.push_back(
        json::Object{{"threads", S.Threads}, {"blocks_per_sm", S.Blocks}, {"occupancy", S.Fraction}});
  return json::Object{{"registers", Report.Resources.Registers},
                      {"shared_bytes", Report.Resources.StaticShared},
                      {"dynamic_shared_bytes", Report.Resources.DynamicShared},
                      {"local_bytes", Report.LocalBytes},
                      {"spill_store_bytes", Report.SpillStoreBytes},
                      {"spill_load_bytes", Report.SpillLoadBytes},
                      {"blocks_per_sm", Report.Fits.BlocksPerSM},
                      {"occupancy", Report.Fits.Fraction},
                      {"limiter", limiterName(Report.Fits.Limiter)},
                      {"steps", std::move(Steps)},
                      {"other_blocks", std::move(Others)}};
}

static json::Array blocksJSON(const ExplainReport &Report) {
  json::Array Blocks;
  for (unsigned D = 0; D < Dim3::size(); ++D) {
    const BlockExplanation &Block = Report.Blocks[D];
    json::Object Out{{"dimension", StringRef("xyz").substr(D, 1)},
                     {"verdict", blockVerdict(Block)},
                     {"rounds", Block.Of.Rounds}};
    if (const std::optional<ShapeObstacle> &Against = blockObstacle(Block); Block.Of.Followed && Against) {
      Out["obstacle"] = shapeObstacleName(Against->Kind);
      Out["line"] = Against->Line;
      Out["message"] = json::fixUTF8(Against->message());
    }
    Blocks.push_back(std::move(Out));
  }
  return Blocks;
}

json::Object toJSON(const ExplainReport &Report) {
  json::Array Lines;
  for (const LineAccesses &Line : Report.Lines)
    Lines.push_back(toJSON(Line));
  json::Array Branches;
  for (const LineBranches &Line : Report.Branches)
    Branches.push_back(json::Object{{"file", json::fixUTF8(Line.File)},
                                    {"line", Line.Line},
                                    {"source", json::fixUTF8(Line.Source)},
                                    {"executed", Line.Executed},
                                    {"divergent", Line.Divergent}});
  json::Object Totals;
  for (const auto &Row : MemoryKindRows)
    if (RequestTotals T = Report.totals(Row.Value); T.Requests)
      Totals[Row.Name] = toJSON(T);
  return json::Object{{"source", json::fixUTF8(Report.Workload)},
                      {"kernel", Report.Kernel},
                      {"variant", Report.Variant},
                      {"device", Report.Device},
                      {"size", Report.Size},
                      {"grid", toJSON(Report.Grid)},
                      {"block", toJSON(Report.Block)},
                      {"blocks_run", Report.BlocksRun},
                      {"complete", Report.complete()},
                      {"lines", std::move(Lines)},
                      {"branches", std::move(Branches)},
                      {"totals", std::move(Totals)},
                      {"flops", Report.Flops},
                      {"block_shapes", blocksJSON(Report)},
                      {"resources", occupancyJSON(Report)},
                      {"model", timeJSON(Report)}};
}

} // namespace gpuprune
