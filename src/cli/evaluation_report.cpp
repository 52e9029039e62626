// Fills the page of an evaluation: figures, curves, examples, data.
#include "cli/evaluation_report.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/describe.hpp"
#include "cli/examples.hpp"
#include "cli/invocation.hpp"
#include "cli/report_items.hpp"
#include "cli/text_report.hpp"
#include "navvy/edit.hpp"

namespace navvy::cli {
namespace {

// 60000 as "60,000".
std::string grouped(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string lead(std::span<const app::MeasureResult> results, std::size_t first,
                 std::span<const std::size_t> tops) {
  const app::MeasureResult* best = &results.front();
  const app::MeasureResult* fastest = &results.front();
  for (const app::MeasureResult& result : results) {
    if (result.evaluation.precision[first] > best->evaluation.precision[first]) best = &result;
    if (result.evaluation.seconds < fastest->evaluation.seconds) fastest = &result;
  }
  const auto percent = [&](const app::MeasureResult* result) {
    return fmt::format("{:.1f}\u00a0%", 100 * result->evaluation.precision[first]);
  };
  std::string text = fmt::format("{} is the most precise at top {}: {}.", to_string(best->measure),
                                 tops.front(), percent(best));
  if (best == fastest || !(fastest->evaluation.seconds > 0)) return text;
  return text + fmt::format(" {} is the fastest, {:.1f} times as fast, with {}.",
                            to_string(fastest->measure),
                            best->evaluation.seconds / fastest->evaluation.seconds,
                            percent(fastest));
}

Facts data_facts(const Index& index) {
  Facts facts = summary_facts(index, app::summarize(index));
  // What `build` told about texts goes further than what can be seen in the index.
  Facts told = kept_report(index);
  if (told.empty()) told = duplicate_facts(duplicate_rows(index).size());
  for (const Facts& more : {told, property_facts(index)}) {
    facts.insert(facts.end(), more.begin(), more.end());
  }
  return facts;
}

std::vector<report::MeasuredLine> lines(const ReportRequest& request) {
  std::vector<report::MeasuredLine> result;
  for (const app::MeasureResult& measured : request.results) {
    const Evaluation& evaluation = measured.evaluation;
    result.push_back({to_string(measured.measure),
                      evaluation.seconds,
                      static_cast<double>(evaluation.distances),
                      {},
                      evaluation.precision});
    for (const std::size_t top : request.tops) {
      const auto place = std::find(request.curves.begin(), request.curves.end(), top);
      result.back().precision.push_back(
          evaluation.precision[static_cast<std::size_t>(place - request.curves.begin())]);
    }
  }
  return result;
}

}  // namespace

std::vector<std::size_t> curve_tops(std::span<const std::size_t> tops) {
  std::vector<std::size_t> result(tops.begin(), tops.end());
  const std::size_t longest = *std::max_element(result.begin(), result.end());
  for (std::size_t top = 1; top < longest; top *= 2) result.push_back(top);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

report::EvaluationReport evaluation_report(const ReportRequest& request) {
  const Index& index = request.searcher.index();
  const app::Summary summary = app::summarize(index);
  const std::uint64_t queries = request.results.front().evaluation.queries;
  const auto first = std::find(request.curves.begin(), request.curves.end(), request.tops.front());
  report::EvaluationReport report;
  report.head.title = fmt::format("Nearest neighbours in {}", request.name);
  report.head.lead =
      lead(request.results, static_cast<std::size_t>(first - request.curves.begin()), request.tops);
  report.head.facts = {{"rows", grouped(summary.n)},
                       {"queries", grouped(queries)},
                       {"coordinates", grouped(summary.v)},
                       {"dimensions", grouped(summary.m)},
                       {"bins per row", fmt::format("{:.1f}", summary.h)},
                       {"labels", grouped(summary.label_counts.size())}};
  report.tops.assign(request.tops.begin(), request.tops.end());
  report.curve_tops.assign(request.curves.begin(), request.curves.end());
  report.measures = lines(request);
  std::vector<Measure> measures;
  for (const app::MeasureResult& result : request.results) measures.push_back(result.measure);
  if (request.examples)
    report.galleries = galleries(request.searcher, measures, queries, request.options);
  report.data = data_facts(index);
  report.origin = origin(request.common);
  return report;
}

void write_report(const report::EvaluationReport& report, const std::filesystem::path& path) {
  const bool picture = path.extension() == ".svg";
  write_page(picture ? report::picture_of(report) : report::page_of(report), path);
}

}  // namespace navvy::cli
