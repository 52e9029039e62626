// The table of measures, and their names read and written.

#include "navvy/measure.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "navvy/error.hpp"
#include "navvy/fields.hpp"
#include "navvy/near_name.hpp"

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
     .partial = true,
     .exact = true,
     .moves_mass = true,
     .whole_plan = true,
     .bounds_emd = true},
    {.kind = Kind::emd_hat,
     .name = "emd-hat",
     .parameter = Takes::threshold,
     .partial = true,
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

constexpr std::string_view separators = " \t-_";

// In lower case, without white space around it.
std::string plain(std::string_view name) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t begin = std::min(name.find_first_not_of(blanks), name.size());
  name = name.substr(begin, name.find_last_not_of(blanks) + 1 - begin);
  std::string word(name);
  for (char& c : word)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return word;
}

// Without dashes, spaces and apostrophes: "word mover's distance" is one word.
std::string squeezed(std::string_view name) {
  std::string word;
  for (const char c : name)
    if (c != '\'' && separators.find(c) == std::string_view::npos) word += c;
  return word;
}

// A measure by a plain name, the parts of which may be separated otherwise: "act1", "act_1".
std::optional<Measure> named(std::string_view name) {
  for (const MeasureFacts& entry : table) {
    if (entry.parameter != Takes::iterations) {
      if (squeezed(name) == squeezed(entry.name)) return Measure{entry.kind, 1};
      continue;
    }
    if (!name.starts_with(entry.name)) continue;
    name.remove_prefix(entry.name.size());
    if (!name.empty() && separators.find(name.front()) != std::string_view::npos)
      name.remove_prefix(1);
    const auto iterations = parse_iterations(name);
    if (!iterations) return std::nullopt;
    return *iterations == 0 ? Measure{Kind::rwmd, 1} : Measure{entry.kind, *iterations};
  }
  return std::nullopt;
}

// What others call the measures, squeezed.
constexpr std::pair<std::string_view, std::string_view> aliases[] = {
    {"wmd", "emd"},
    {"wordmover", "emd"},
    {"wordmovers", "emd"},
    {"wordmoverdistance", "emd"},
    {"wordmoversdistance", "emd"},
    {"earthmover", "emd"},
    {"earthmovers", "emd"},
    {"earthmoverdistance", "emd"},
    {"earthmoversdistance", "emd"},
    {"wasserstein", "emd"},
    {"relaxedwmd", "rwmd"},
    {"lcrwmd", "rwmd"},
    {"wordcentroid", "wcd"},
    {"wordcentroiddistance", "wcd"},
    {"bagofwords", "bow"},
    {"cosine", "bow"},
};

// What a misspelling may be of; "act" is nearer to "ict", but act-1 is meant.
std::string meant_name(const std::string& word) {
  std::vector<std::string> names;
  names.reserve(std::size(table));
  for (const MeasureFacts& entry : table) {
    const bool has_number = entry.parameter == Takes::iterations;
    names.push_back(std::string(entry.name) + (has_number ? "-1" : ""));
    if (has_number && word == entry.name) return names.back();
  }
  return near_name(word, names);
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
  const std::string word = plain(name);
  if (const auto measure = named(word)) return *measure;
  for (const auto& [alias, meant] : aliases)
    if (squeezed(word) == alias) return *named(meant);
  const std::string hint = meant_name(word);
  throw Error(ErrorCode::usage, "unknown measure '" + std::string(name) + "'" +
                                    (hint.empty() ? "" : " (did you mean " + hint + "?)") +
                                    "; expected " + expected_names());
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

Direction Direction::mix(double share) {
  if (!(share >= 0 && share <= 1))
    throw Error(ErrorCode::usage, "a mix of directions with share " + number_text(share) +
                                      "; expected 0 (the query is moved) to 1 (rows are)");
  if (share == 0) return query_to_database;
  if (share == 1) return database_to_query;
  return {Way::mix, share};
}

Direction parse_direction(std::string_view text) {
  const std::string name = plain(text);
  if (name == "symmetric") return Direction::symmetric;
  if (name == "rows" || name == "database-to-query" || name == "forward")
    return Direction::database_to_query;
  if (name == "query" || name == "query-to-database" || name == "backward")
    return Direction::query_to_database;
  constexpr std::string_view mix = "mix:";
  if (name.starts_with(mix))
    if (const auto share = parse_number(std::string_view(name).substr(mix.size())))
      return Direction::mix(*share);
  throw Error(ErrorCode::usage, "unknown direction '" + std::string(text) +
                                    "'; expected symmetric, query, rows or mix:SHARE");
}

std::string to_string(const Direction& direction) {
  switch (direction.way) {
    case Direction::Way::symmetric:
      return "symmetric";
    case Direction::Way::database_to_query:
      return "rows";
    case Direction::Way::query_to_database:
      return "query";
    case Direction::Way::mix:
      break;
  }
  return "mix:" + number_text(direction.share);
}

void validate(const Measure& measure) {
  const auto fail = [&](const std::string& message) { throw Error(ErrorCode::usage, message); };
  const std::string name(facts(measure.kind).name);
  if (takes(measure, Takes::iterations) && measure.iterations < 1)
    fail(name + " with " + std::to_string(measure.iterations) + " iterations; expected at least 1");
  const bool positive = measure.threshold > 0 && std::isfinite(measure.threshold);
  if (takes(measure, Takes::threshold) && !positive)
    fail(name + " with threshold " + std::to_string(measure.threshold) +
         "; expected the largest ground distance, above 0");
  if (!takes(measure, Takes::threshold) && measure.threshold != 0)
    fail(to_string(measure) + " takes no threshold; emd-hat does");
}

bool is_partial(const Measure& measure, const Direction& direction) noexcept {
  const bool one_way = direction.way == Direction::Way::query_to_database ||
                       direction.way == Direction::Way::database_to_query;
  return facts(measure.kind).partial && one_way;
}

bool is_exact(const Measure& measure) noexcept { return facts(measure.kind).exact; }

bool is_relaxation(const Measure& measure) noexcept { return facts(measure.kind).relaxation; }

}  // namespace navvy
