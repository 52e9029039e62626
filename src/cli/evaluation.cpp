// Runs measures under one bar, and lines up their figures.
#include "cli/evaluation.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/progress.hpp"

namespace navvy::cli {
namespace {

// How long measures take beside each other, roughly: the bar needs no more.
double expected_share(const Measure& measure) {
  if (facts(measure.kind).whole_plan) return 200;
  if (!is_relaxation(measure)) return 1;
  constexpr int most = 10;  // iterations that make a difference
  const int iterations = measure.kind == MeasureKind::ict ? most : measure.iterations;
  return 5 + 3 * static_cast<double>(std::min(iterations, most));
}

// ".0123": of a margin below 1.
std::string margin_text(double margin) {
  const std::string text = fmt::format("{:.3f}", margin);
  return text.starts_with("0.") ? text.substr(1) : text;
}

Table precision_table(std::span<const Measure> measures, std::span<const std::size_t> tops) {
  using Align = Table::Align;
  std::size_t widest = 0;
  for (const Measure& measure : measures) widest = std::max(widest, to_string(measure).size());
  std::vector<Table::Column> columns{{"measure", Align::left, widest}};
  const std::size_t width = display_width(with_margin({}));
  for (const std::size_t top : tops)
    columns.push_back({fmt::format("@{}", top), Align::right, width});
  columns.push_back({"seconds", Align::right, 7});
  columns.push_back({"cpu s", Align::right, 7});
  columns.push_back({"distances/s", Align::right});
  return Table(std::move(columns));
}

}  // namespace

std::string with_margin(const Estimate& estimate) {
  // The wider side where the interval is cut at 0 or 1.
  const double margin = std::max(estimate.high - estimate.mean, estimate.mean - estimate.low);
  return fmt::format("{:.4f} {}{}", estimate.mean, output_terminal().unicode ? "\u00b1" : "+-",
                     margin_text(margin));
}

std::vector<Evaluation> evaluate_all(const Searcher& searcher, const EvaluationAsked& asked,
                                     const std::function<void(const Evaluation&)>& done) {
  double whole = 0;
  for (const Measure& measure : asked.measures) whole += expected_share(measure);
  ProgressDisplay display;
  EvaluateOptions options = asked.options;
  options.run.progress = display.callback();
  std::vector<Evaluation> results;
  double share = 0;
  for (const Measure& measure : asked.measures) {
    const double from = share;
    share += expected_share(measure) / whole;
    display.enter(
        fmt::format("{} ({} of {})", to_string(measure), results.size() + 1, asked.measures.size()),
        from, share);
    options.question = app::under(asked.options.question, measure);
    results.push_back(asked.test == nullptr ? searcher.evaluate(options)
                                            : searcher.evaluate(*asked.test, options));
    display.clear();
    if (done) done(results.back());
  }
  return results;
}

PrecisionTable::PrecisionTable(std::span<const Measure> measures, std::span<const std::size_t> tops)
    : tops_(tops.begin(), tops.end()), table_(precision_table(measures, tops)) {}

void PrecisionTable::add(const Evaluation& evaluation) {
  std::vector<std::string> cells{to_string(evaluation.measure)};
  for (const std::size_t top : tops_)
    cells.push_back(with_margin(evaluation.precision[evaluation.place_of(top)]));
  const double seconds = evaluation.seconds;
  cells.push_back(fmt::format("{:.3f}", seconds));
  cells.push_back(fmt::format("{:.3f}", evaluation.cpu_seconds));
  const auto pairs = static_cast<double>(evaluation.distances);
  cells.push_back(seconds > 0 ? fmt::format("{:.3g} M", pairs / seconds / 1e6) : "");
  table_.print_line(cells);
}

void print_best(std::span<const Evaluation> results, std::span<const std::size_t> tops) {
  if (results.size() < 2) return;
  for (const std::size_t top : tops) {
    const auto best = not_clearly_worse(results, top);
    std::string names;
    for (const std::size_t i : best)
      names += fmt::format("{}{}", names.empty() ? "" : ", ", to_string(results[i].measure));
    fmt::print("@{}: {}{}\n", top, best.size() == 1 ? "the most precise is " : "no clear winner: ",
               paint(output_terminal(), Colour::green, names));
  }
}

void print_classes(std::span<const Evaluation> results, std::span<const std::size_t> tops) {
  using Align = Table::Align;
  for (const std::size_t top : tops) {
    std::vector<Table::Column> columns{{fmt::format("@{} of label", top)},
                                       {"queries", Align::right}};
    for (const Evaluation& result : results)
      columns.push_back({to_string(result.measure), Align::right});
    Table table(std::move(columns));
    for (std::size_t label = 0; label < results.front().classes.size(); ++label) {
      const ClassPrecision& first = results.front().classes[label];
      std::vector<std::string> cells{one_line(first.label, word_width),
                                     fmt::format("{}", first.queries)};
      for (const Evaluation& result : results)
        cells.push_back(with_margin(result.classes[label].precision[result.place_of(top)]));
      table.add(std::move(cells));
    }
    fmt::print("\n");
    table.print();
  }
}

}  // namespace navvy::cli
