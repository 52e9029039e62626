#include "cli/answers.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "cli/evaluation.hpp"
#include "cli/terminal.hpp"
#include "navvy/pairwise.hpp"

namespace navvy::cli {
namespace {

constexpr std::size_t explained_moves = 8;

Json match_json(const Answers& answers, std::size_t query, std::size_t rank) {
  const std::size_t place = query * answers.matches.top + rank;
  const std::uint32_t row = answers.matches.rows[place];
  const double distance = answers.matches.distances[place];
  const Index& index = answers.index;
  Json match;
  match["rank"] = rank + 1;
  match["row"] = row;
  match["id"] = index.id(row);
  match["label"] = index.labels.empty() ? Json() : Json(index.label(row));
  match["distance"] = distance;
  if (!answers.matches.exact.empty()) {
    match["lower"] = answers.matches.lower[place];
    match["upper"] = answers.matches.upper[place];
    match["exact"] = answers.matches.exact[place] != 0;
  }
  if (!index.titles.empty()) match["title"] = index.titles[row];
  if (!index.snippets.empty()) match["snippet"] = index.snippets[row];
  if (answers.explain) {
    match["moves"] = moves_json(explanation(index, answers.queries.histograms[query], row,
                                            answers.options, explained_moves));
  }
  return match;
}

// The share of rows that bounds alone have left out.
double pruned(const Proof& proof) {
  const std::uint64_t rest = proof.solves + proof.undecided;
  return proof.rows == 0 ? 0 : 1 - static_cast<double>(rest) / static_cast<double>(proof.rows);
}

Json proof_json(const Proof& proof) {
  return {{"rows", proof.rows},           {"solves", proof.solves},
          {"undecided", proof.undecided}, {"pruned", pruned(proof)},
          {"matches", proof.matches},     {"certain", proof.certain},
          {"seconds", proof.seconds},     {"stages", stages_json(proof.stages)}};
}

// What was proven, and at what price.
void print_proof(const Proof& proof) {
  const std::string proven =
      proof.certain == proof.matches
          ? fmt::format("proven: these are the nearest of {} rows", proof.rows)
          : fmt::format(
                "stopped early: {} of these {} are proven to be among "
                "the nearest of {} rows",
                proof.certain, proof.matches, proof.rows);
  std::string stages;
  for (const SearchCounters::Stage& stage : proof.stages) {
    const std::string rows = stage.rows == 0 ? "" : fmt::format(" {}", stage.rows);
    stages += fmt::format("{}{}{} in {:.1f} ms", stages.empty() ? "" : ", ", stage.measure, rows,
                          1e3 * stage.seconds);
  }
  fmt::print("{}\n", paint(output_terminal(), Colour::dim,
                           fmt::format("{}; {} exact distances solved, {:.2f} % of rows pruned, "
                                       "{:.1f} ms\nrows per stage: {}",
                                       proven, proof.solves, 100 * pruned(proof),
                                       1e3 * proof.seconds, stages)));
}

std::vector<std::string> details(const Answers& answers, std::size_t query, std::uint32_t row) {
  std::vector<std::string> lines;
  const std::size_t width = std::max<std::size_t>(output_terminal().columns, 40) - 6;
  if (!answers.index.snippets.empty() && !answers.index.snippets[row].empty()) {
    lines.push_back(
        paint(output_terminal(), Colour::dim, one_line(answers.index.snippets[row], width)));
  }
  if (answers.explain) {
    lines.push_back(sentence(explanation(answers.index, answers.queries.histograms[query], row,
                                         answers.options, explained_moves)));
  }
  return lines;
}

std::string interval(const Matches& matches, std::size_t place) {
  return fmt::format("{:.6f} to {:.6f}", matches.lower[place], matches.upper[place]);
}

// Ids are worth a column where they say more than row numbers do.
bool has_names(const Answers& answers, std::size_t query) {
  for (std::size_t rank = 0; rank < answers.matches.top; ++rank) {
    const std::uint32_t row = answers.matches.rows[query * answers.matches.top + rank];
    if (row != Matches::no_row && answers.index.id(row) != std::to_string(row)) return true;
  }
  return false;
}

void print_query(const Answers& answers, std::size_t query) {
  using Align = Table::Align;
  const Index& index = answers.index;
  std::vector<Table::Column> columns{
      {"rank", Align::right}, {"distance", Align::right}, {"row", Align::right}};
  const bool with_ids = has_names(answers, query);
  if (with_ids) columns.push_back({"id"});
  if (!index.labels.empty()) columns.push_back({"label"});
  if (!index.titles.empty()) columns.push_back({"title"});
  Table table(std::move(columns));
  for (std::size_t rank = 0; rank < answers.matches.top; ++rank) {
    const std::size_t place = query * answers.matches.top + rank;
    const std::uint32_t row = answers.matches.rows[place];
    if (row == Matches::no_row) break;
    const bool is_bound = !answers.matches.exact.empty() && answers.matches.exact[place] == 0;
    std::vector<std::string> cells{fmt::format("{}", rank + 1),
                                   is_bound
                                       ? interval(answers.matches, place)
                                       : fmt::format("{:.6f}", answers.matches.distances[place]),
                                   fmt::format("{}", row)};
    if (with_ids) cells.push_back(one_line(index.id(row), 32));
    if (!index.labels.empty()) cells.push_back(one_line(index.label(row), 32));
    if (!index.titles.empty()) cells.push_back(one_line(index.titles[row], 60));
    table.add(std::move(cells), details(answers, query, row));
  }
  table.print();
}

}  // namespace

std::vector<NamedMove> explanation(const Index& index, const Histogram& query, std::size_t row,
                                   const RunOptions& options, std::size_t count) {
  TransportOptions with_flow;
  with_flow.with_flow = true;
  with_flow.direction = options.direction;
  with_flow.sinkhorn = options.sinkhorn;
  const MeasureKind kind = options.measure.kind;
  const bool moves_nothing = kind == MeasureKind::bow || kind == MeasureKind::wcd;
  const Measure measure = moves_nothing ? Measure{MeasureKind::act, 1} : options.measure;
  const Histogram found = index.rows[row];
  const Transport result = transport(measure, index.vocabulary, found, query, with_flow);
  auto moves = largest_moves(index, found, query, result.flow, count);
  // A row of the database is the p of a flow; people read from their query to what was found.
  for (NamedMove& move : moves) std::swap(move.from, move.to);
  return moves;
}

std::string sentence(const std::vector<NamedMove>& moves) {
  std::vector<std::string> moved;
  std::vector<std::string> stayed;
  for (const NamedMove& move : moves) {
    if (move.distance > 0) {
      moved.push_back(
          fmt::format("{}{}{} {:.0f} %", move.from, arrow(), move.to, 100 * move.share));
    } else {
      stayed.push_back(move.from);
    }
  }
  std::string text = fmt::format("{}", fmt::join(moved, ", "));
  if (!stayed.empty()) {
    text += fmt::format("{}same: {}", text.empty() ? "" : "; ", fmt::join(stayed, ", "));
  }
  return paint(output_terminal(), Colour::cyan, text);
}

Json to_json(const Answers& answers) {
  Json document = json_document();
  document["measure"] = to_string(answers.options.measure);
  if (answers.options.measure.threshold > 0)
    document["threshold"] = answers.options.measure.threshold;
  document["direction"] = to_string(answers.options.direction);
  document["queries"] = Json::array();
  for (std::size_t i = 0; i < answers.queries.list.size(); ++i) {
    const Query& query = answers.queries.list[i];
    Json entry;
    entry["query"] = query.row ? Json(*query.row) : Json(query.name);
    entry["matches"] = Json::array();
    for (std::size_t rank = 0; rank < answers.matches.top; ++rank) {
      if (answers.matches.rows[i * answers.matches.top + rank] == Matches::no_row) break;
      entry["matches"].push_back(match_json(answers, i, rank));
    }
    if (!query.unknown.empty()) entry["unknown"] = query.unknown;
    if (!query.error.empty()) entry["error"] = query.error;
    if (!answers.matches.proofs.empty()) entry["proof"] = proof_json(answers.matches.proofs[i]);
    document["queries"].push_back(std::move(entry));
  }
  document["counters"] = counters_json(answers.matches.counters);
  return document;
}

void print(const Answers& answers) {
  const bool many = answers.queries.list.size() > 1;
  for (std::size_t i = 0; i < answers.queries.list.size(); ++i) {
    const Query& query = answers.queries.list[i];
    if (many) {
      const std::string name = query.row ? describe_row(answers.index, *query.row)
                                         : one_line(query.name, output_terminal().columns - 7);
      fmt::print("{}{} {}\n", i == 0 ? "" : "\n", paint(output_terminal(), Colour::bold, "query"),
                 name);
    }
    if (!query.unknown.empty() && query.error.empty()) {
      talk(one_line(
          fmt::format("navvy: words without a vector: {}", fmt::join(query.unknown, ", ")), 200));
    }
    if (!query.error.empty()) continue;
    print_query(answers, i);
    if (!answers.matches.proofs.empty()) print_proof(answers.matches.proofs[i]);
  }
}

}  // namespace navvy::cli
