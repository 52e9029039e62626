// Figures of evaluations and counters of searches as JSON.
#include "app/evaluation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "app/devices.hpp"
#include "app/machine.hpp"
#include "app/summary.hpp"
#include "navvy/error.hpp"
#include "navvy/version.hpp"

namespace navvy::app {

namespace {

/// A mean by length of lists, and its interval by length of lists.
void add_precision(const Evaluation& evaluation, std::span<const Estimate> precision,
                   std::span<const std::size_t> tops, Json& entry) {
  for (const std::size_t top : tops) {
    const Estimate& at_top = precision[evaluation.place_of(top)];
    entry["precision"][std::to_string(top)] = at_top.mean;
    entry["intervals"][std::to_string(top)] = {at_top.low, at_top.high};
  }
}

Json classes_json(const Evaluation& evaluation, std::span<const std::size_t> tops) {
  Json list = Json::array();
  for (const ClassPrecision& label : evaluation.classes) {
    Json entry{{"label", label.label}, {"queries", label.queries}};
    add_precision(evaluation, label.precision, tops, entry);
    list.push_back(std::move(entry));
  }
  return list;
}

// Who asked, and who could not.
void add_askers(const EvaluationRun& run, Json& document) {
  const Evaluation& first = run.results.front();
  document["queries"] = first.queries;
  document["candidates"] = first.candidates;
  if (first.queries < first.candidates) {
    document["seed"] = run.options.seed;
    document["asked"] = first.asked;
  }
  document["unlabelled"] = first.unlabelled;
  document["empty"] = first.empty;
  if (run.test.empty()) return;
  document["test"] = run.test.string();
  document["unknown_labels"] = {{"queries", first.unknown_labels},
                                {"labels", unknown_labels(run.index, first)}};
}

}  // namespace

Question under(Question question, const Measure& measure) {
  question.measure = measure;
  const bool pays = measure.kind == MeasureKind::emd && is_partial(measure, question.direction);
  if (!pays) question.price = 0;
  return question;
}

Json evaluation_json(std::span<const Evaluation> results, std::span<const std::size_t> tops) {
  Json list = Json::array();
  for (const Evaluation& result : results) {
    Json entry;
    entry["name"] = to_string(result.measure);
    add_precision(result, result.precision, tops, entry);
    entry["classes"] = classes_json(result, tops);
    entry["seconds"] = result.seconds;
    entry["cpu_seconds"] = result.cpu_seconds;
    entry["distances"] = result.distances;
    entry["counters"] = counters_json(result.counters);
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

Json evaluation_document(const EvaluationRun& run) {
  Json document = json_document();
  add_sizes(document, summarize(run.index));
  add_choice(document, run.chosen);
  add_askers(run, document);
  document["threads"] = threads_in_use(run.options.run.threads);
  document["kernels"] = kernels_in_use();
  document["device"] = device_name(run.backend);
  document["direction"] = to_string(run.options.question.direction);
  document["measures"] = evaluation_json(run.results, run.tops);
  document["interval"] = "95 % of the mean over queries, Student's t";
  for (const std::size_t top : run.tops)
    for (const std::size_t best : not_clearly_worse(run.results, top))
      document["not_clearly_worse"][std::to_string(top)].push_back(
          to_string(run.results[best].measure));
  return document;
}

std::vector<std::string> unknown_labels(const Index& index, const Evaluation& evaluation) {
  const std::vector<std::string> names = index.label_names.to_vector();
  const std::set<std::string> known(names.begin(), names.end());
  std::vector<std::string> unknown;
  for (const ClassPrecision& label : evaluation.classes)
    if (!known.contains(label.label)) unknown.push_back(label.label);
  return unknown;
}

LabelledQueries labelled(const Queries& queries, const std::filesystem::path& file) {
  LabelledQueries test{queries.histograms, queries.vocabulary, {}};
  for (const Query& query : queries.list) test.labels.push_back(query.label);
  if (std::ranges::all_of(test.labels, [](const auto& label) { return label.empty(); }))
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: no labels; expected a test set with them (--label-field, of "
                            "images and histograms --test-labels)",
                            file.string()));
  return test;
}

}  // namespace navvy::app
