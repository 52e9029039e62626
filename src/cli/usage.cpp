// Looks for the option or verb that was probably meant.
#include "cli/usage.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

namespace navvy::cli {
namespace {

// Levenshtein's distance: insertions, deletions and replacements of one character.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// The candidate that is close enough to be a misspelling of `word`, or nothing.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t least = word.size() / 3 + 2;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::string with_hint(std::string message, const std::string& hint, const std::string& command) {
  if (!hint.empty()) return fmt::format("{}; did you mean '{}'?", message, hint);
  return fmt::format("{}; see {} --help", message, command);
}

std::string explain_extra(const CLI::App& command, const std::string& name, std::string word) {
  std::vector<std::string> known;
  if (!word.starts_with('-') && command.get_parent() == nullptr) {
    for (const CLI::App* verb : command.get_subcommands({})) known.push_back(verb->get_name());
    return with_hint(fmt::format("unknown command '{}'", word), nearest(word, known), name);
  }
  if (!word.starts_with('-')) return with_hint(fmt::format("unexpected '{}'", word), "", name);
  word = word.substr(0, word.find('='));
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& long_name : option->get_lnames()) known.push_back("--" + long_name);
  }
  return with_hint(fmt::format("unknown option '{}'", word), nearest(word, known), name);
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
