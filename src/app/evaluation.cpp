// Figures of evaluations and counters of searches as JSON.
#include "app/evaluation.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "app/devices.hpp"
#include "app/machine.hpp"
#include "app/summary.hpp"
#include "navvy/version.hpp"

namespace navvy::app {

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

Json evaluation_document(const Index& index, std::span<const MeasureResult> results,
                         std::span<const std::size_t> tops, const SearchOptions& options,
                         const std::string& backend, const ChosenRows& chosen) {
  Json document = json_document();
  add_sizes(document, summarize(index));
  add_choice(document, chosen);
  document["queries"] = results.front().evaluation.queries;
  document["threads"] = threads_in_use(options.run.threads);
  document["kernels"] = kernels_in_use();
  document["device"] = device_name(backend);
  document["direction"] = to_string(options.question.direction);
  document["measures"] = evaluation_json(results, tops);
  return document;
}

}  // namespace navvy::app
