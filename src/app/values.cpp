// Reads numbers with units whole or not at all.
#include "app/values.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "navvy/error.hpp"

namespace navvy::app {
namespace {

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorCode::usage, message); }

// The whole text as a number; nullopt otherwise.
std::optional<std::size_t> number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

std::string_view without_spaces(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// The power of 1024 that "K", "KB" or "KiB" stand for; nullopt for an unknown unit.
std::optional<int> power_of_unit(std::string_view unit) {
  constexpr std::string_view letters = "kmgt";
  if (unit.empty() || unit == "B" || unit == "b") return 0;
  const std::string_view rest = unit.substr(1);
  const bool known_rest =
      rest.empty() || rest == "B" || rest == "b" || rest == "iB" || rest == "ib";
  const auto letter = letters.find(static_cast<char>(unit.front() | 0x20));
  if (!known_rest || letter == letters.npos) return {};
  return static_cast<int>(letter) + 1;
}

}  // namespace

std::uint64_t parse_size(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto power = power_of_unit(unit);
  if (error != std::errc{} || !power || !std::isfinite(value)) {
    fail(fmt::format("size '{}': expected a number of bytes or one such as 500M or 2G", text));
  }
  const double bytes = std::ldexp(value, 10 * *power);
  if (bytes < 1 || bytes >= std::ldexp(1.0, 63))
    fail(fmt::format("size '{}' is out of range", text));
  return static_cast<std::uint64_t>(bytes);
}

double parse_duration(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  double seconds = 0;
  if (unit.empty() || unit == "s") seconds = value;
  if (unit == "ms") seconds = value / 1e3;
  if (unit == "min") seconds = value * 60;
  if (error != std::errc{} || !std::isfinite(seconds) || !(seconds > 0)) {
    fail(fmt::format("duration '{}': expected one such as 50ms, 2s or 3min", text));
  }
  return seconds;
}

std::vector<std::size_t> parse_counts(std::string_view text) {
  std::vector<std::size_t> counts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto count = number(without_spaces(text.substr(begin, end - begin)));
    if (!count || *count == 0) {
      fail(fmt::format("list '{}': expected numbers from 1 on, separated by commas", text));
    }
    counts.push_back(*count);
    begin = end + 1;
  }
  return counts;
}

}  // namespace navvy::app
