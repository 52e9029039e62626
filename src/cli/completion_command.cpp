// navvy completion: what shells need to complete a command line, made from the options themselves.
#include <fmt/core.h>

#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "navvy/error.hpp"

namespace navvy::cli {
namespace {

constexpr std::string_view measures = "bow wcd rwmd omr act-1 act-3 act-7 act-15 ict sinkhorn emd";
constexpr std::string_view outputs = "text csv tsv json";
constexpr std::string_view devices = "cpu gpu cuda:0 opencl:0";

// The words that an option is known to take; empty for all others.
std::string_view values_of(std::string_view option) {
  if (option.starts_with("--measure")) return measures;
  if (option == "--print") return outputs;
  return option == "--device" ? devices : std::string_view();
}

struct Flag {
  std::string name;  ///< with its dashes
  std::string description;
  bool takes_value = false;
};

std::vector<Flag> flags_of(const CLI::App& command) {
  std::vector<Flag> flags;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;  // an old name that is still understood
    for (const std::string& name : option->get_lnames()) {
      flags.push_back({"--" + name, option->get_description(), option->get_type_size() > 0});
    }
  }
  return flags;
}

std::vector<const CLI::App*> verbs_of(const CLI::App& app) { return app.get_subcommands({}); }

// A text within single quotes of any of the three shells.
std::string within_quotes(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c != '\'' && c != '`' && c != '[' && c != ']' && c != ':') result += c;
  }
  return result;
}

// Colons would end the list of values.
std::string within_zsh_list(std::string_view words) {
  std::string result;
  for (const char c : words) result += c == ':' ? "\\:" : std::string(1, c);
  return result;
}

std::string bash_script(const CLI::App& app) {
  std::string verbs;
  std::string cases;
  for (const CLI::App* verb : verbs_of(app)) {
    verbs += verb->get_name() + " ";
    std::string words;
    for (const Flag& flag : flags_of(*verb)) words += flag.name + " ";
    cases += fmt::format("    {}) words='{}' ;;\n", verb->get_name(), words);
  }
  return fmt::format(R"(_navvy() {{
  local cur="${{COMP_WORDS[COMP_CWORD]}}" prev="${{COMP_WORDS[COMP_CWORD-1]}}" words=
  case "$prev" in
    --measure|--measures) COMPREPLY=($(compgen -W '{}' -- "$cur")); return ;;
    --device) COMPREPLY=($(compgen -W '{}' -- "$cur")); return ;;
    --print) COMPREPLY=($(compgen -W '{}' -- "$cur")); return ;;
    completion) COMPREPLY=($(compgen -W 'bash zsh fish' -- "$cur")); return ;;
    help) COMPREPLY=($(compgen -W '{}' -- "$cur")); return ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{}--help --version' -- "$cur")); return
  fi
  case "${{COMP_WORDS[1]}}" in
{}  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
    *) COMPREPLY=() ;;
  esac
}}
complete -o default -F _navvy navvy
)",
                     measures, devices, outputs, verbs, verbs, cases);
}

std::string zsh_script(const CLI::App& app) {
  std::string verbs;
  std::string cases;
  for (const CLI::App* verb : verbs_of(app)) {
    verbs += fmt::format("    '{}:{}'\n", verb->get_name(), within_quotes(verb->get_description()));
    cases += fmt::format("    {}) _arguments", verb->get_name());
    for (const Flag& flag : flags_of(*verb)) {
      std::string value = flag.takes_value ? ":value:_files" : "";
      if (const auto known = values_of(flag.name); !known.empty()) {
        value = fmt::format(":value:({})", within_zsh_list(known));
      }
      cases +=
          fmt::format(" \\\n      '{}[{}]{}'", flag.name, within_quotes(flag.description), value);
    }
    if (verb->get_name() == "completion") {
      cases += " ':shell:(bash zsh fish)' ;;\n";
    } else if (verb->get_name() == "help") {
      cases += " ':command:($verbs[*]%%:*)' ;;\n";
    } else {
      cases += " '*:file:_files' ;;\n";
    }
  }
  return fmt::format(R"(#compdef navvy
_navvy() {{
  local -a verbs
  verbs=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command verbs
    return
  fi
  local verb=$words[2]
  shift words
  (( CURRENT-- ))
  case $verb in
{}  esac
}}
compdef _navvy navvy
)",
                     verbs, cases);
}

std::string fish_script(const CLI::App& app) {
  std::string script;
  for (const CLI::App* verb : verbs_of(app)) {
    script += fmt::format("complete -c navvy -n __fish_use_subcommand -f -a {} -d '{}'\n",
                          verb->get_name(), within_quotes(verb->get_description()));
    for (const Flag& flag : flags_of(*verb)) {
      std::string value = flag.takes_value ? " -r" : "";
      if (const auto known = values_of(flag.name); !known.empty()) {
        value = fmt::format(" -x -a '{}'", known);
      }
      script += fmt::format(
          "complete -c navvy -n '__fish_seen_subcommand_from {}' -l {}{} -d '{}'\n",
          verb->get_name(), flag.name.substr(2), value, within_quotes(flag.description));
    }
  }
  script += "complete -c navvy -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n";
  return script;
}

void print_script(const CLI::App& app, const std::string& shell) {
  if (shell == "bash") {
    fmt::print("{}", bash_script(app));
  } else if (shell == "zsh") {
    fmt::print("{}", zsh_script(app));
  } else if (shell == "fish") {
    fmt::print("{}", fish_script(app));
  } else {
    throw Error(ErrorCode::usage, fmt::format("shell '{}': expected bash, zsh or fish", shell));
  }
}

}  // namespace

void add_completion_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("completion", "Print a completion script for a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required()->type_name("");
  add_quiet_option(*command);
  add_examples(*command,
               {"source <(navvy completion bash)", "navvy completion zsh > ~/.zfunc/_navvy",
                "navvy completion fish > ~/.config/fish/completions/navvy.fish"});
  command->callback([&app, shell] { print_script(app, *shell); });
}

}  // namespace navvy::cli
