//===- Completion.cpp - Scripts that complete the command line --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options come from LLVM's own table of them, so that none can be forgotten.
//
//===----------------------------------------------------------------------===//
#include "Completion.h"
#include "gpuprune/Device/DeviceInfo.h"
#include "gpuprune/Driver/Phase.h"
#include "gpuprune/Search/Strategy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

namespace {
struct CompletedOption {
  std::string Name;        ///< With its dashes.
  std::string Description; ///< One line.
  bool TakesValue, TakesFile;
  std::vector<std::string> Values; ///< Empty: a file, or nothing that is known.
};

struct CompletedCommand {
  std::string Name, Description;
  std::vector<std::string> Arguments; ///< What can stand there besides files.
  std::vector<CompletedOption> Options;
};
} // namespace

static std::string oneLine(StringRef Text) {
  SmallVector<StringRef, 4> Lines;
  Text.split(Lines, '\n');
  return join(map_range(Lines, [](StringRef Line) { return Line.trim(); }), " ");
}

static std::vector<CompletedOption> optionsOf(cl::SubCommand &Command, const KnownValues &Values) {
  std::vector<CompletedOption> Options;
  for (const auto &[Name, Option] : cl::getRegisteredOptions(Command)) {
    if (Option->getOptionHiddenFlag() != cl::NotHidden)
      continue;
    bool TakesValue = Option->getValueExpectedFlag() == cl::ValueRequired;
    bool TakesFile = is_contained({"FILE", "DIR", "COMMAND"}, Option->ValueStr);
    Options.push_back({(Name.size() == 1 ? "-" : "--") + Name.str(), oneLine(Option->HelpStr), TakesValue,
                       TakesFile, Values.OfOptions.lookup(Name)});
  }
  sort(Options, [](const CompletedOption &A, const CompletedOption &B) { return A.Name < B.Name; });
  return Options;
}

static std::vector<CompletedCommand> collect(ArrayRef<cl::SubCommand *> Commands, const KnownValues &Values) {
  std::vector<CompletedCommand> All;
  for (cl::SubCommand *Command : Commands)
    All.push_back({Command->getName().str(), oneLine(Command->getDescription()),
                   Values.OfCommands.lookup(Command->getName()), optionsOf(*Command, Values)});
  return All;
}

static std::string singleQuoted(StringRef Text) {
  std::string Out = "'";
  for (char C : Text)
    Out += C == '\'' ? std::string("'\\''") : std::string(1, C);
  return Out + "'";
}

//===----------------------------------------------------------------------===//
// bash
//===----------------------------------------------------------------------===//

/// "--format=" for an option whose value is expected after it.
static std::string bashWord(const CompletedOption &O) {
  return O.Name + (O.TakesValue && StringRef(O.Name).starts_with("--") ? "=" : "");
}

static std::string bashWords(const CompletedCommand &Command) {
  return join(map_range(Command.Options, bashWord), " ");
}

static void printBashCommand(raw_ostream &OS, const CompletedCommand &Command) {
  for (const CompletedOption &O : Command.Options)
    if (O.TakesValue)
      OS << formatv("  {0}:{1}) words={2} ;;\n", Command.Name, O.Name, singleQuoted(join(O.Values, " ")));
  OS << formatv("  {0}:*) if [[ $word == -* ]]; then words={1}; else words={2}; fi ;;\n", Command.Name,
                singleQuoted(bashWords(Command)), singleQuoted(join(Command.Arguments, " ")));
}

static void printBash(raw_ostream &OS, const CompletedCommand &Top, ArrayRef<CompletedCommand> Commands) {
  std::string First = join(map_range(Commands, [](const CompletedCommand &C) { return C.Name; }), " ");
  OS << R"(_gpuprune() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} option= words= at=$COMP_CWORD
  [[ $COMP_CWORD == 1 || ${COMP_WORDS[1]} == -* ]] && command=
  # bash makes a word of its own of the = in --option=value
  [[ $word == = ]] && word= && at=$((at + 1))
  [[ ${COMP_WORDS[at - 1]} == = ]] && at=$((at - 1))
  [[ ${COMP_WORDS[at - 1]} == -* ]] && option=${COMP_WORDS[at - 1]}
  case $command:$option in
)";
  for (const CompletedOption &O : Top.Options)
    if (O.TakesValue)
      OS << formatv("  :{0}) words={1} ;;\n", O.Name, singleQuoted(join(O.Values, " ")));
  OS << formatv("  :*) words={0} ;;\n", singleQuoted(First + " " + bashWords(Top)));
  for (const CompletedCommand &Command : Commands)
    printBashCommand(OS, Command);
  OS << R"(  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o default -F _gpuprune gpuprune
)";
}

//===----------------------------------------------------------------------===//
// zsh
//===----------------------------------------------------------------------===//

/// A description inside the brackets of _arguments.
static std::string zshText(StringRef Text) {
  std::string Out;
  for (char C : Text)
    Out += (StringRef("[]:\\").contains(C) ? "\\" : "") + std::string(1, C);
  return Out;
}

static void printZshOptions(raw_ostream &OS, ArrayRef<CompletedOption> Options) {
  for (const CompletedOption &O : Options) {
    std::string Spec = O.Name;
    if (O.TakesValue)
      Spec += StringRef(O.Name).starts_with("--") ? "=" : "+";
    Spec += "[" + zshText(O.Description) + "]";
    if (O.TakesValue)
      Spec += ":value:" + (O.TakesFile ? "_files" : "(" + join(O.Values, " ") + ")");
    OS << " \\\n      " << singleQuoted(Spec);
  }
}

static void printZsh(raw_ostream &OS, const CompletedCommand &Top, ArrayRef<CompletedCommand> Commands) {
  OS << "#compdef gpuprune\n_gpuprune() {\n  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
        "    local -a commands=(\n";
  for (const CompletedCommand &Command : Commands)
    OS << "      " << singleQuoted(zshText(Command.Name) + ":" + Command.Description) << '\n';
  OS << "    )\n    _describe command commands\n    return\n  fi\n  local command=$words[2]\n"
        "  [[ $command == -* ]] && command= || { words=(\"${(@)words[2,-1]}\"); (( CURRENT -= 1 )) }\n"
        "  case $command in\n  '') _arguments";
  printZshOptions(OS, Top.Options);
  OS << " ;;\n";
  for (const CompletedCommand &Command : Commands) {
    OS << "  " << Command.Name << ") _arguments";
    printZshOptions(OS, Command.Options);
    std::string Argument =
        Command.Arguments.empty() ? "_files" : "(" + join(map_range(Command.Arguments, zshText), " ") + ")";
    OS << " \\\n      " << singleQuoted("*:argument:" + Argument) << " ;;\n";
  }
  OS << "  esac\n}\ncompdef _gpuprune gpuprune\n";
}

//===----------------------------------------------------------------------===//
// fish
//===----------------------------------------------------------------------===//

static void printFishOptions(raw_ostream &OS, StringRef When, ArrayRef<CompletedOption> Options) {
  for (const CompletedOption &O : Options) {
    StringRef Bare = StringRef(O.Name).ltrim('-');
    OS << formatv("complete -c gpuprune -n '{0}' {1} {2}", When, Bare.size() == 1 ? "-s" : "-l", Bare);
    if (O.TakesFile)
      OS << " -r";
    else if (O.TakesValue)
      OS << " -x -a " << singleQuoted(join(O.Values, " "));
    OS << " -d " << singleQuoted(O.Description) << '\n';
  }
}

static void printFish(raw_ostream &OS, const CompletedCommand &Top, ArrayRef<CompletedCommand> Commands) {
  printFishOptions(OS, "__fish_use_subcommand", Top.Options);
  for (const CompletedCommand &Command : Commands) {
    OS << formatv("complete -c gpuprune -f -n __fish_use_subcommand -a {0} -d {1}\n", Command.Name,
                  singleQuoted(Command.Description));
    std::string Seen = "__fish_seen_subcommand_from " + Command.Name;
    if (!Command.Arguments.empty())
      OS << formatv("complete -c gpuprune -f -n '{0}' -a {1}\n", Seen,
                    singleQuoted(join(Command.Arguments, " ")));
    printFishOptions(OS, Seen, Command.Options);
  }
}

void printCompletion(raw_ostream &OS, Shell Kind, ArrayRef<cl::SubCommand *> Commands,
                     const KnownValues &Values) {
  CompletedCommand Top{"", "", {}, optionsOf(cl::SubCommand::getTopLevel(), Values)};
  std::vector<CompletedCommand> All = collect(Commands, Values);
  switch (Kind) {
  case Shell::Bash:
    return printBash(OS, Top, All);
  case Shell::Zsh:
    return printZsh(OS, Top, All);
  case Shell::Fish:
    return printFish(OS, Top, All);
  }
}

void addPhasesAndOperands(KnownValues &Values) {
  for (unsigned P = 0; P <= unsigned(Phase::Report); ++P)
    Values.OfOptions["stop-after"].push_back(phaseName(Phase(P)).str());
  for (size_t K = 0; K != NumSearchKinds; ++K)
    Values.OfOptions["strategy"].push_back(searchKindName(SearchKind(K)).str());
  Values.OfCommands["db"] = {"list", "show", "prune", "export"};
  Values.OfCommands["evaluate"] = {"liang", "ryoo"};
  Values.OfCommands["record"] = {"show", "check", "prune"};
  for (const DeviceInfo &D : allDevices()) {
    Values.OfCommands["devices"].push_back(D.Arch);
    if (!D.PapersOnly)
      Values.OfOptions["device"].push_back(D.Arch);
  }
}

} // namespace gpuprune
