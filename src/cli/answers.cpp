// Answers of a search as tables, with proofs and explanations below them.
#include "cli/answers.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/describe.hpp"
#include "cli/terminal.hpp"

namespace navvy::cli {
namespace {

// What was proven, and at what price.
void print_proof(const Proof& proof, const std::string& without, const SearchOptions& options) {
  const std::string what = std::isinf(options.within) ? "the nearest"
                           : options.top == uncut
                               ? fmt::format("all within {}", options.within)
                               : fmt::format("the nearest within {}", options.within);
  const std::string proven =
      proof.certain == proof.matches
          ? fmt::format("proven{}: these are {} of {} rows", without, what, proof.rows)
          : fmt::format("stopped early{}: {} of these {} are proven to be among {} of {} rows",
                        without, proof.certain, proof.matches, what, proof.rows);
  std::string stages;
  for (const SearchCounters::Stage& stage : proof.stages) {
    const std::string rows = stage.rows == 0 ? "" : fmt::format(" {}", stage.rows);
    stages += fmt::format("{}{}{} in {:.1f} ms", stages.empty() ? "" : ", ", stage.measure, rows,
                          1e3 * stage.seconds);
  }
  fmt::print("{}\n", paint(output_terminal(), Colour::dim,
                           fmt::format("{}; {} exact distances solved, {:.2f} % of rows pruned, "
                                       "{:.1f} ms\nrows per stage: {}",
                                       proven, proof.solves, 100 * app::pruned(proof),
                                       1e3 * proof.seconds, stages)));
}

std::vector<std::string> details(const app::Answers& answers, std::size_t query, std::size_t row) {
  std::vector<std::string> lines;
  const std::size_t width = std::max<std::size_t>(output_terminal().columns, 40) - 6;
  if (const std::string fields = fields_line(answers.index, row, width); !fields.empty()) {
    lines.push_back(paint(output_terminal(), Colour::dim, fields));
  }
  if (const auto snippet = snippet_of(answers.index, row); !snippet.empty()) {
    lines.push_back(paint(output_terminal(), Colour::dim, one_line(snippet, width)));
  }
  if (answers.explain) {
    lines.push_back(sentence(app::explanation(answers.index, answers.queries.histograms[query], row,
                                              answers.options.question, app::explained_moves)));
  }
  return lines;
}

// Ids are worth a column where they say more than row numbers do.
bool has_names(const app::Answers& answers, std::size_t query) {
  const Ranked found = answers.matches[query];
  return std::any_of(found.begin(), found.end(), [&](const Match& match) {
    return answers.index.id(static_cast<std::size_t>(match.row)) != std::to_string(match.row);
  });
}

void print_query(const app::Answers& answers, std::size_t query) {
  using Align = Table::Align;
  const Index& index = answers.index;
  std::vector<Table::Column> columns{
      {"rank", Align::right}, {"distance", Align::right}, {"row", Align::right}};
  const bool with_ids = has_names(answers, query);
  if (with_ids) columns.push_back({"id"});
  if (!index.labels.empty()) columns.push_back({"label"});
  if (!index.titles.empty()) columns.push_back({"title"});
  Table table(std::move(columns));
  std::size_t rank = 0;
  for (const Match& match : answers.matches[query]) {
    const auto row = static_cast<std::size_t>(match.row);
    std::vector<std::string> cells{fmt::format("{}", ++rank), distance_text(match),
                                   fmt::format("{}", row)};
    if (with_ids) cells.push_back(one_line(index.id(row), 32));
    if (!index.labels.empty()) cells.push_back(one_line(index.label(row), 32));
    if (!index.titles.empty()) cells.push_back(one_line(index.titles[row], 60));
    table.add(std::move(cells), details(answers, query, row));
  }
  table.print();
}

}  // namespace

std::string distance_text(const Match& match) {
  if (match.exact) return fmt::format("{:.6f}", match.distance);
  return fmt::format("{:.6f} to {:.6f}", match.lower, match.upper);
}

std::string unknown_words(const app::Query& query) {
  return one_line(fmt::format("{}", fmt::join(query.unknown, ", ")), 200);
}

std::string sentence(const std::vector<app::NamedMove>& moves) {
  std::vector<std::string> moved;
  std::vector<std::string> stayed;
  for (const app::NamedMove& move : moves) {
    const std::string from = one_line(move.from, word_width);
    if (move.distance > 0) {
      moved.push_back(fmt::format("{}{}{} {:.0f} %", from, arrow(), one_line(move.to, word_width),
                                  100 * move.share));
    } else {
      stayed.push_back(from);
    }
  }
  std::string text = fmt::format("{}", fmt::join(moved, ", "));
  if (!stayed.empty()) {
    text += fmt::format("{}same: {}", text.empty() ? "" : "; ", fmt::join(stayed, ", "));
  }
  return paint(output_terminal(), Colour::cyan, text);
}

void print(const app::Answers& answers) {
  const bool many = answers.queries.list.size() > 1;
  bool any = false;
  for (std::size_t i = 0; i < answers.queries.list.size(); ++i) {
    const app::Query& query = answers.queries.list[i];
    if (many) {
      const std::string name = query.row ? describe_row(answers.index, *query.row)
                                         : one_line(query.name, output_terminal().columns - 7);
      fmt::print("{}{} {}\n", i == 0 ? "" : "\n", paint(output_terminal(), Colour::bold, "query"),
                 name);
    }
    if (!query.error.empty()) {
      if (many) fmt::print("{}\n", paint(output_terminal(), Colour::dim, query.error));
      continue;
    }
    any = true;
    print_query(answers, i);
    const std::string unknown = unknown_words(query);
    if (!answers.matches.proofs.empty()) {
      const std::string without = unknown.empty() ? "" : fmt::format(", without: {}", unknown);
      print_proof(answers.matches.proofs[i], without, answers.options);
    } else if (!unknown.empty()) {
      fmt::print("{}\n", paint(output_terminal(), Colour::dim,
                               fmt::format("without words that have no vector: {}", unknown)));
    }
  }
  // One way or mixed, a distance is not what anybody would take it for.
  const Question& question = answers.options.question;
  if (any && (question.direction != Direction::symmetric || question.bow_share > 0)) {
    const std::string asked = app::question_text(answers.index, question);
    fmt::print("{}\n", paint(output_terminal(), Colour::dim, fmt::format("distance: {}", asked)));
  }
}

}  // namespace navvy::cli
