// navvy help: the help of the command, or of one of its verbs.
#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "navvy/error.hpp"
#include "navvy/near_name.hpp"

namespace navvy::cli {
namespace {

void print_help(const CLI::App& app, const std::string& verb) {
  if (verb.empty()) {
    fmt::print("{}",
               app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal));
    return;
  }
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == verb) {
      fmt::print("{}", command->help(app.get_name()));
      return;
    }
    known.push_back(command->get_name());
  }
  const std::string hint = near_name(verb, known);
  throw Error(
      ErrorCode::usage,
      fmt::format("unknown command '{}'; {}", verb,
                  hint.empty() ? "see navvy --help" : fmt::format("did you mean '{}'?", hint)));
}

}  // namespace

void add_help_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("help", "Print this help, or that of a command");
  auto verb = std::make_shared<std::string>();
  command->add_option("COMMAND", *verb, "search, build, ...")->type_name("");
  add_quiet_option(*command);
  add_examples(*command, {"navvy help", "navvy help search"});
  command->callback([&app, verb] { print_help(app, *verb); });
}

}  // namespace navvy::cli
