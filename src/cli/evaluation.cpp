#include "cli/evaluation.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/progress.hpp"
#include "cli/terminal.hpp"

namespace navvy::cli {

std::vector<MeasureResult> evaluate_all(Searcher& searcher, std::span<const Measure> measures,
                                        std::span<const std::size_t> tops, std::size_t queries,
                                        RunOptions options) {
  std::vector<MeasureResult> results;
  for (const Measure& measure : measures) {
    ProgressDisplay display;
    options.measure = measure;
    // The bar names the measure: with several of them that is what one waits for.
    options.progress = [name = to_string(measure),
                        callback = display.callback()](const Progress& progress) {
      return callback({fmt::format("{}: {}", name, progress.phase), progress.done, progress.total});
    };
    results.push_back({measure, searcher.evaluate(tops, queries, options)});
  }
  return results;
}

std::vector<MeasureResult> selected(std::vector<MeasureResult> results,
                                    std::span<const std::size_t> all,
                                    std::span<const std::size_t> wanted) {
  for (MeasureResult& result : results) {
    std::vector<double> precision;
    for (const std::size_t top : wanted) {
      const auto place = std::find(all.begin(), all.end(), top) - all.begin();
      precision.push_back(result.evaluation.precision[static_cast<std::size_t>(place)]);
    }
    result.evaluation.precision = std::move(precision);
  }
  return results;
}

void print_precisions(std::span<const MeasureResult> results, std::span<const std::size_t> tops) {
  using Align = Table::Align;
  std::vector<Table::Column> columns{{"measure"}};
  for (const std::size_t top : tops) columns.push_back({fmt::format("@{}", top), Align::right});
  columns.push_back({"seconds", Align::right});
  columns.push_back({"distances/s", Align::right});
  Table table(std::move(columns));
  std::vector<double> best(tops.size());
  for (const MeasureResult& result : results) {
    for (std::size_t i = 0; i < tops.size(); ++i) {
      best[i] = std::max(best[i], result.evaluation.precision[i]);
    }
  }
  for (const MeasureResult& result : results) {
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

Json evaluation_json(std::span<const MeasureResult> results, std::span<const std::size_t> tops) {
  Json list = Json::array();
  for (const MeasureResult& result : results) {
    Json entry;
    entry["name"] = to_string(result.measure);
    for (std::size_t i = 0; i < tops.size(); ++i) {
      entry["precision"][std::to_string(tops[i])] = result.evaluation.precision[i];
    }
    entry["seconds"] = result.evaluation.seconds;
    entry["distances"] = result.evaluation.distances;
    entry["counters"] = counters_json(result.evaluation.counters);
    list.push_back(std::move(entry));
  }
  return list;
}

Json stages_json(std::span<const SearchCounters::Stage> stages) {
  Json list = Json::array();
  for (const SearchCounters::Stage& stage : stages) {
    list.push_back({{"measure", stage.measure}, {"rows", stage.rows}, {"seconds", stage.seconds}});
  }
  return list;
}

Json counters_json(const SearchCounters& counters) {
  Json result{{"stages", stages_json(counters.stages)}, {"list_growths", counters.list_growths}};
  if (counters.unconverged > 0) result["unconverged"] = counters.unconverged;
  return result;
}

}  // namespace navvy::cli
