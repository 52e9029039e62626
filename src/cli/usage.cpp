// Looks for the option or verb that was probably meant.
#include "cli/usage.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "navvy/near_name.hpp"

namespace navvy::cli {
namespace {

std::string with_hint(std::string message, const std::string& hint, const std::string& command) {
  if (!hint.empty()) return fmt::format("{}; did you mean '{}'?", message, hint);
  return fmt::format("{}; see {} --help", message, command);
}

std::string explain_extra(const CLI::App& command, const std::string& name, std::string word) {
  std::vector<std::string> known;
  if (!word.starts_with('-') && command.get_parent() == nullptr) {
    for (const CLI::App* verb : command.get_subcommands({})) known.push_back(verb->get_name());
    return with_hint(fmt::format("unknown command '{}'", word), near_name(word, known), name);
  }
  if (!word.starts_with('-')) return with_hint(fmt::format("unexpected '{}'", word), "", name);
  word = word.substr(0, word.find('='));
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& long_name : option->get_lnames()) known.push_back("--" + long_name);
  }
  return with_hint(fmt::format("unknown option '{}'", word), near_name(word, known), name);
}

}  // namespace

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const std::string name = chosen.empty() ? "navvy" : "navvy " + command.get_name();
  // A misspelt option also leaves required ones missing; the misspelling is the better news.
  const auto code = static_cast<CLI::ExitCodes>(error.get_exit_code());
  const auto extras = app.remaining(true);
  if (!extras.empty() &&
      (code == CLI::ExitCodes::ExtrasError || code == CLI::ExitCodes::RequiredError)) {
    return explain_extra(command, name, extras.front());
  }
  std::string message = error.what();
  std::replace(message.begin(), message.end(), '\n', ' ');
  return with_hint(message, "", name);
}

}  // namespace navvy::cli
