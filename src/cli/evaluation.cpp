// Runs measures with a bar for each, and lines up their figures.
#include "cli/evaluation.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/progress.hpp"
#include "cli/terminal.hpp"

namespace navvy::cli {

std::vector<app::MeasureResult> evaluate_all(Searcher& searcher, std::span<const Measure> measures,
                                             std::span<const std::size_t> tops, std::size_t queries,
                                             SearchOptions options) {
  std::vector<app::MeasureResult> results;
  for (const Measure& measure : measures) {
    ProgressDisplay display;
    options.question.measure = measure;
    // The bar names the measure: with several of them that is what one waits for.
    options.run.progress = [name = to_string(measure),
                            callback = display.callback()](const Progress& progress) {
      return callback({fmt::format("{}: {}", name, progress.phase), progress.done, progress.total});
    };
    results.push_back(
        {measure, searcher.evaluate(tops, queries, options.question, options.run, options.among)});
  }
  return results;
}

void print_precisions(std::span<const app::MeasureResult> results,
                      std::span<const std::size_t> tops) {
  using Align = Table::Align;
  std::vector<Table::Column> columns{{"measure"}};
  for (const std::size_t top : tops) columns.push_back({fmt::format("@{}", top), Align::right});
  columns.push_back({"seconds", Align::right});
  columns.push_back({"distances/s", Align::right});
  Table table(std::move(columns));
  std::vector<double> best(tops.size());
  for (const app::MeasureResult& result : results) {
    for (std::size_t i = 0; i < tops.size(); ++i) {
      best[i] = std::max(best[i], result.evaluation.precision[i]);
    }
  }
  for (const app::MeasureResult& result : results) {
    std::vector<std::string> cells{to_string(result.measure)};
    for (std::size_t i = 0; i < tops.size(); ++i) {
      const std::string text = fmt::format("{:.4f}", result.evaluation.precision[i]);
      const bool is_best = result.evaluation.precision[i] == best[i];
      cells.push_back(is_best ? paint(output_terminal(), Colour::green, text) : text);
    }
    const double seconds = result.evaluation.seconds;
    cells.push_back(fmt::format("{:.3f}", seconds));
    const auto pairs = static_cast<double>(result.evaluation.distances);
    cells.push_back(seconds > 0 ? fmt::format("{:.3g} M", pairs / seconds / 1e6) : "");
    table.add(std::move(cells));
  }
  table.print();
}

}  // namespace navvy::cli
