// Fills the columns of each match.
#include "cli/answer_records.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "cli/records.hpp"

namespace navvy::cli {
namespace {

std::vector<std::string> record_columns(const app::Answers& answers) {
  std::vector<std::string> columns{"query", "rank", "row", "id", "label", "distance"};
  if (answers.matches.has_bounds()) columns.insert(columns.end(), {"lower", "upper", "exact"});
  if (!answers.index.titles.empty()) columns.emplace_back("title");
  if (answers.index.kind == DataKind::text) columns.emplace_back("unknown");
  columns.insert(columns.end(), {"measure", "direction", "bow_share"});
  return columns;
}

std::vector<std::string> cells_of(const app::Answers& answers, std::size_t query,
                                  std::size_t rank) {
  const app::Query& asked = answers.queries.list[query];
  const Match match = answers.matches[query][rank];
  const auto row = static_cast<std::size_t>(match.row);
  const Index& index = answers.index;
  std::vector<std::string> cells{asked.row ? index.id(*asked.row) : asked.name,
                                 fmt::format("{}", rank + 1),
                                 fmt::format("{}", row),
                                 index.id(row),
                                 index.labels.empty() ? "" : index.label(row),
                                 fmt::format("{}", match.distance)};
  if (answers.matches.has_bounds()) {
    cells.push_back(fmt::format("{}", match.lower));
    cells.push_back(fmt::format("{}", match.upper));
    cells.emplace_back(match.exact ? "true" : "false");
  }
  if (!index.titles.empty()) cells.emplace_back(index.titles[row]);
  if (index.kind == DataKind::text)
    cells.push_back(fmt::format("{}", fmt::join(asked.unknown, " ")));
  const Question& question = answers.options.question;
  cells.push_back(to_string(question.measure));
  cells.push_back(to_string(question.direction));
  cells.push_back(fmt::format("{}", question.bow_share));
  return cells;
}

}  // namespace

void print_records(const app::Answers& answers, Output output, bool with_head) {
  if (with_head) fmt::print("{}\n", record(record_columns(answers), output));
  for (std::size_t query = 0; query < answers.queries.list.size(); ++query) {
    for (std::size_t rank = 0; rank < answers.matches[query].size(); ++rank)
      fmt::print("{}\n", record(cells_of(answers, query, rank), output));
  }
}

}  // namespace navvy::cli
