// Fills pages with the flows between a query and what was found.
#include "cli/flow_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/answers.hpp"
#include "cli/describe.hpp"
#include "cli/invocation.hpp"
#include "cli/plane.hpp"
#include "cli/report_items.hpp"
#include "cli/terminal.hpp"

namespace navvy::cli {
namespace {

constexpr std::size_t drawn_rows = 3;     // of every query; the others are listed
constexpr std::size_t drawn_queries = 5;  // of a search
constexpr std::size_t shown_moves = 8;
constexpr std::size_t word_length = 14;

std::vector<report::Bin> bins_of(const Index& index, const Histogram& histogram,
                                 const std::optional<Plane>& plane) {
  std::vector<report::Bin> bins;
  bins.reserve(histogram.size());
  double total = 0;
  for (const float weight : histogram.weights) total += weight;
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    const std::uint32_t coordinate = histogram.coordinates[i];
    bins.push_back({one_line(app::coordinate_name(index, coordinate), word_length),
                    histogram.weights[i] / total, 0, 0});
    if (!plane) continue;
    bins.back().x = plane->x(coordinate);
    bins.back().y = plane->y(coordinate);
  }
  return bins;
}

// The flow from a to b. As in explanations, b plays the part of the database row.
report::Flow flow_of(const Measure& measure, const Index& index, const Histogram& a,
                     const Histogram& b, Direction direction) {
  TransportOptions options;
  options.with_flow = true;
  options.direction = direction;
  Transport result = transport(measure, index.vocabulary, b, a, options);
  for (Move& move : result.flow) std::swap(move.from, move.to);
  return {to_string(measure), result.distance, measure.kind == MeasureKind::emd,
          std::move(result.flow)};
}

std::vector<Measure> shown_relaxations(const Measure& measure) {
  if (is_relaxation(measure)) return {measure};
  return {Measure{MeasureKind::rwmd}, Measure{MeasureKind::act, 1}};
}

std::string lead(const report::FlowComparison& pair) {
  const report::Flow& exact = pair.flows.back();
  std::string text = fmt::format("The exact distance is {:.4f}", exact.distance);
  for (std::size_t i = 0; i + 1 < pair.flows.size(); ++i) {
    const report::Flow& flow = pair.flows[i];
    text += fmt::format("{}{} sees {:.0f}\u00a0% of it", i == 0 ? "; " : ", ", flow.measure,
                        exact.distance > 0 ? 100 * flow.distance / exact.distance : 100);
  }
  return text + ".";
}

}  // namespace

report::FlowComparison flows_between(const Index& index, const Histogram& a, const Histogram& b,
                                     std::span<const Measure> relaxations, Direction direction) {
  report::FlowComparison pair;
  const std::optional<Plane> plane = Plane::of(index);
  pair.bins_a = bins_of(index, a, plane);
  pair.bins_b = bins_of(index, b, plane);
  for (const Measure& measure : relaxations) {
    pair.flows.push_back(flow_of(measure, index, a, b, direction));
  }
  pair.flows.push_back(flow_of(Measure{MeasureKind::emd}, index, a, b, Direction::symmetric));
  // Not the distance in the list of what was found, which is one way or a mix.
  if (direction != Direction::symmetric) pair.flows.back().measure = "symmetric emd";
  if (plane) pair.grid = report::Grid{plane->width(), plane->height(), plane->of_points()};
  return pair;
}

report::ComparisonReport comparison_report(const ComparedPair& pair, const CommonOptions& options) {
  const Index& index = pair.index;
  const Histogram a = index.rows[pair.a];
  const Histogram b = index.rows[pair.b];
  report::ComparisonReport report;
  report.pair =
      flows_between(index, a, b, shown_relaxations(pair.flow_measure), Direction::symmetric);
  report.pair.a = item(index, pair.a);
  report.pair.b = item(index, pair.b);
  report.head.title =
      fmt::format("{} and {}", heading_of(report.pair.a), heading_of(report.pair.b));
  report.head.lead = lead(report.pair);
  for (const app::Outcome& outcome : pair.outcomes) {
    report.measures.push_back(
        {to_string(outcome.measure), outcome.distance, outcome.forward, outcome.backward, {}});
    if (outcome.gap) report.measures.back().share = 1 - *outcome.gap / 100;
  }
  if (!report.pair.grid) {
    report.moves =
        word_moves(app::largest_moves(index, a, b, report.pair.flows.back().moves, shown_moves));
  }
  report.origin = origin(options);
  return report;
}

report::AnsweredQuery answered_query(const app::Answers& answers, std::size_t query) {
  const Index& index = answers.index;
  const Histogram asked = answers.queries.histograms[query];
  const app::Query& told = answers.queries.list[query];
  report::AnsweredQuery result{item(index, told, asked), told.error, unknown_words(told), {}};
  const Ranked matches = answers.matches[query];
  for (std::size_t rank = 0; rank < matches.size() && result.error.empty(); ++rank) {
    const auto row = static_cast<std::size_t>(matches.row(rank));
    result.rows.push_back({item(index, row), distance_text(matches[rank]), {}, {}});
    report::FoundRow& found = result.rows.back();
    if (!result.query.picture) {
      found.moves =
          word_moves(app::explanation(index, asked, row, answers.options.question, shown_moves));
    }
    if (rank >= drawn_rows || query >= drawn_queries) continue;
    const bool relaxed = is_relaxation(answers.options.question.measure);
    const Measure measure = relaxed ? answers.options.question.measure : Measure{};
    found.pair = flows_between(index, asked, index.rows[row], std::span(&measure, 1),
                               answers.options.question.direction);
    found.pair->a = result.query;
    found.pair->b = found.item;
  }
  return result;
}

report::SearchReport search_report(const app::Answers& answers, const CommonOptions& options) {
  report::SearchReport report;
  const std::size_t queries = answers.queries.list.size();
  for (std::size_t i = 0; i < queries; ++i) report.queries.push_back(answered_query(answers, i));
  report.head.title = queries == 1
                          ? fmt::format("Nearest to {}", heading_of(report.queries.front().query))
                          : fmt::format("The nearest rows of {} queries", queries);
  report.head.lead = fmt::format(
      "Under {}, with what moved where. Left and blue: the query. Right and orange: "
      "the row that was found.",
      app::question_text(answers.index, answers.options.question));
  if (is_partial(answers.options.question.measure, answers.options.question.direction))
    report.head.lead += " Pictures show both as wholes, scaled to the same mass.";
  report.origin = origin(options);
  return report;
}

}  // namespace navvy::cli
