// The table of measures, and their names read and written.

#include "navvy/measure.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>

#include "navvy/error.hpp"

namespace navvy {
namespace {

using Kind = MeasureKind;
using Takes = MeasureParameter;
using Looks = GroundUse;

constexpr std::array<MeasureFacts, measure_kinds> table = {{
    {.kind = Kind::bow, .name = "bow", .ground = Looks::identity, .symmetric = true},
    {.kind = Kind::wcd,
     .name = "wcd",
     .ground = Looks::coordinates,
     .symmetric = true,
     .bounds_emd = true},
    {.kind = Kind::rwmd,
     .name = "rwmd",
     .relaxation = true,
     .moves_mass = true,
     .bounds_emd = true},
    {.kind = Kind::omr, .name = "omr", .relaxation = true, .moves_mass = true, .bounds_emd = true},
    {.kind = Kind::act,
     .name = "act",
     .parameter = Takes::iterations,
     .relaxation = true,
     .moves_mass = true,
     .bounds_emd = true},
    {.kind = Kind::ict, .name = "ict", .relaxation = true, .moves_mass = true, .bounds_emd = true},
    {.kind = Kind::sinkhorn,
     .name = "sinkhorn",
     .symmetric = true,
     .moves_mass = true,
     .whole_plan = true},
    {.kind = Kind::emd,
     .name = "emd",
     .symmetric = true,
     .exact = true,
     .moves_mass = true,
     .whole_plan = true,
     .bounds_emd = true},
    {.kind = Kind::emd_hat,
     .name = "emd-hat",
     .parameter = Takes::threshold,
     .symmetric = true,
     .exact = true,
     .moves_mass = true,
     .whole_plan = true,
     .bounds_emd = true},
}};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i].kind != static_cast<Kind>(i) || table[i].name.empty()) return false;
  return true;
}
static_assert(is_in_order(), "one entry per kind, in the order of MeasureKind");

bool takes(const Measure& measure, Takes parameter) {
  return facts(measure.kind).parameter == parameter;
}

// The number after the dash of "act-7"; nothing where `text` is no such number.
std::optional<int> parse_iterations(std::string_view text) {
  int iterations = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, iterations);
  const bool valid = error == std::errc{} && end == last && iterations >= 0;
  return valid && iterations <= max_iterations ? std::optional(iterations) : std::nullopt;
}

std::string expected_names() {
  std::string names;
  for (const MeasureFacts& entry : table) {
    if (!names.empty()) names += &entry == &table.back() ? " or " : ", ";
    names += entry.name;
    if (entry.parameter == Takes::iterations) names += "-<iterations>";
  }
  return names;
}

}  // namespace

const MeasureFacts& facts(MeasureKind kind) noexcept {
  return table[static_cast<std::size_t>(kind)];
}

std::span<const MeasureFacts> all_facts() noexcept { return table; }

Measure parse_measure(std::string_view name) {
  for (const MeasureFacts& entry : table) {
    if (entry.parameter != Takes::iterations) {
      if (name == entry.name) return {entry.kind, 1};
      continue;
    }
    const std::size_t dash = entry.name.size();
    if (!name.starts_with(entry.name) || name.substr(dash, 1) != "-") continue;
    if (const auto iterations = parse_iterations(name.substr(dash + 1)))
      return *iterations == 0 ? Measure{Kind::rwmd, 1} : Measure{entry.kind, *iterations};
  }
  throw Error(ErrorCode::usage,
              "unknown measure '" + std::string(name) + "'; expected " + expected_names());
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
  std::string name(facts(measure.kind).name);
  if (takes(measure, Takes::iterations))
    name.append("-").append(std::to_string(measure.iterations));
  return name;
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
    case Direction::symmetric:
      return "symmetric";
    case Direction::database_to_query:
      return "database-to-query";
    case Direction::query_to_database:
      break;
  }
  return "query-to-database";
}

void validate(const Measure& measure) {
  const auto fail = [&](const std::string& message) { throw Error(ErrorCode::usage, message); };
  const std::string name(facts(measure.kind).name);
  if (takes(measure, Takes::iterations) && measure.iterations < 1)
    fail(name + " with " + std::to_string(measure.iterations) + " iterations; expected at least 1");
  const bool positive = measure.threshold > 0 && std::isfinite(measure.threshold);
  if (takes(measure, Takes::threshold) && !positive)
    fail(name + " with threshold " + std::to_string(measure.threshold) +
         "; expected the largest ground distance, above 0 (--threshold)");
  if (!takes(measure, Takes::threshold) && measure.threshold != 0)
    fail(to_string(measure) + " takes no threshold; emd-hat does");
}

bool is_exact(const Measure& measure) noexcept { return facts(measure.kind).exact; }

bool is_relaxation(const Measure& measure) noexcept { return facts(measure.kind).relaxation; }

}  // namespace navvy
