#include "navvy/measure.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "navvy/error.hpp"

namespace navvy {
namespace {

struct Name {
  std::string_view name;
  MeasureKind kind;
};

// Every measure but act, which carries its number of iterations in the name.
constexpr std::array names = {
    Name{"bow", MeasureKind::bow},   Name{"wcd", MeasureKind::wcd},
    Name{"rwmd", MeasureKind::rwmd}, Name{"omr", MeasureKind::omr},
    Name{"ict", MeasureKind::ict},   Name{"sinkhorn", MeasureKind::sinkhorn},
    Name{"emd", MeasureKind::emd},   Name{"emd-hat", MeasureKind::emd_hat},
};

constexpr std::string_view act_prefix = "act-";

}  // namespace

Measure parse_measure(std::string_view name) {
  const auto* known = std::find_if(names.begin(), names.end(),
                                   [&](const Name& entry) { return entry.name == name; });
  if (known != names.end()) return {known->kind, 1};
  if (name.starts_with(act_prefix)) {
    const std::string_view digits = name.substr(act_prefix.size());
    int iterations = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), iterations);
    const bool whole = error == std::errc{} && end == digits.data() + digits.size();
    if (whole && iterations == 0) return {MeasureKind::rwmd, 1};
    if (whole && iterations > 0 && iterations <= max_iterations)
      return {MeasureKind::act, iterations};
  }
  throw Error(ErrorCode::usage, "unknown measure '" + std::string(name) +
                                    "'; expected bow, wcd, rwmd, omr, act-<iterations>, ict, "
                                    "sinkhorn, emd or emd-hat");
}

std::vector<Measure> parse_measures(std::string_view text) {
  std::vector<Measure> measures;
  while (true) {
    const std::size_t comma = text.find(',');
    measures.push_back(parse_measure(text.substr(0, comma)));
    if (comma == std::string_view::npos) return measures;
    text.remove_prefix(comma + 1);
  }
}

std::string to_string(const Measure& measure) {
  if (measure.kind == MeasureKind::act)
    return std::string(act_prefix) + std::to_string(measure.iterations);
  const auto* known = std::find_if(names.begin(), names.end(),
                                   [&](const Name& entry) { return entry.kind == measure.kind; });
  return std::string(known->name);
}

Direction parse_direction(std::string_view name) {
  if (name == "symmetric") return Direction::symmetric;
  if (name == "database-to-query" || name == "forward") return Direction::database_to_query;
  if (name == "query-to-database" || name == "backward") return Direction::query_to_database;
  throw Error(ErrorCode::usage, "unknown direction '" + std::string(name) +
                                    "'; expected symmetric, forward or backward");
}

std::string to_string(Direction direction) {
  switch (direction) {
    case Direction::database_to_query:
      return "database-to-query";
    case Direction::query_to_database:
      return "query-to-database";
    case Direction::symmetric:
      break;
  }
  return "symmetric";
}

void validate(const Measure& measure) {
  const auto fail = [&](const std::string& message) { throw Error(ErrorCode::usage, message); };
  if (measure.kind == MeasureKind::act && measure.iterations < 1)
    fail("act with " + std::to_string(measure.iterations) + " iterations; expected at least 1");
  const bool positive = measure.threshold > 0 && std::isfinite(measure.threshold);
  if (measure.kind == MeasureKind::emd_hat && !positive)
    fail("emd-hat with threshold " + std::to_string(measure.threshold) +
         "; expected the largest ground distance, above 0 (--threshold)");
  if (measure.kind != MeasureKind::emd_hat && measure.threshold != 0)
    fail(to_string(measure) + " takes no threshold; emd-hat does");
}

bool is_exact(const Measure& measure) noexcept {
  return measure.kind == MeasureKind::emd || measure.kind == MeasureKind::emd_hat;
}

bool is_relaxation(const Measure& measure) noexcept {
  switch (measure.kind) {
    case MeasureKind::rwmd:
    case MeasureKind::omr:
    case MeasureKind::act:
    case MeasureKind::ict:
      return true;
    default:
      return false;
  }
}

}  // namespace navvy
