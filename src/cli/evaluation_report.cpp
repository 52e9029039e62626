// Fills the page of an evaluation: figures, curves, examples, data.
#include "cli/evaluation_report.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/describe.hpp"
#include "cli/examples.hpp"
#include "cli/invocation.hpp"
#include "cli/report_items.hpp"
#include "cli/terminal.hpp"
#include "cli/text_report.hpp"
#include "navvy/edit.hpp"

namespace navvy::cli {
namespace {

constexpr std::size_t label_width = 60;

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

std::string percent(const Evaluation& result, std::size_t top) {
  return fmt::format("{:.1f}\u00a0%", 100 * result.precision[result.place_of(top)].mean);
}

// Who is the most precise, unless that is within noise.
std::string winner(std::span<const Evaluation> results, std::size_t top) {
  const auto best = not_clearly_worse(results, top);
  const Evaluation& first = results[best.front()];
  if (best.size() == 1)
    return fmt::format("{} is the most precise at top {}: {}.", to_string(first.measure), top,
                       percent(first, top));
  std::string names;
  for (std::size_t i = 0; i < best.size(); ++i) {
    const Evaluation& result = results[best[i]];
    names += fmt::format("{}{} ({})", i == 0 ? "" : ", ", to_string(result.measure),
                         percent(result, top));
  }
  return fmt::format("No clear winner at top {}: {} are within noise.", top, names);
}

std::string lead(std::span<const Evaluation> results, std::size_t top) {
  const Evaluation* best = &results[not_clearly_worse(results, top).front()];
  const Evaluation* fastest = &*std::ranges::min_element(results, {}, &Evaluation::seconds);
  std::string text = winner(results, top);
  if (best == fastest || !(fastest->seconds > 0)) return text;
  return text + fmt::format(" {} is the fastest, {:.1f} times as fast as {}, with {}.",
                            to_string(fastest->measure), best->seconds / fastest->seconds,
                            to_string(best->measure), percent(*fastest, top));
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

report::Share share_of(const Estimate& estimate) {
  return {estimate.mean, estimate.low, estimate.high};
}

std::vector<report::MeasuredLine> lines(const ReportRequest& request) {
  std::vector<report::MeasuredLine> result;
  for (const Evaluation& evaluation : request.results) {
    report::MeasuredLine line{to_string(evaluation.measure),
                              evaluation.seconds,
                              evaluation.cpu_seconds,
                              static_cast<double>(evaluation.distances),
                              {},
                              std::vector<bool>(request.tops.size()),
                              {},
                              {}};
    for (const Estimate& precision : evaluation.precision) line.curve.push_back(precision.mean);
    for (const std::size_t top : request.tops)
      line.precision.push_back(share_of(evaluation.precision[evaluation.place_of(top)]));
    for (const ClassPrecision& label : evaluation.classes)
      line.classes.push_back(share_of(label.precision[evaluation.place_of(request.tops.front())]));
    result.push_back(std::move(line));
  }
  for (std::size_t i = 0; i < request.tops.size(); ++i)
    for (const std::size_t measure : not_clearly_worse(request.results, request.tops[i]))
      result[measure].among_best[i] = true;
  return result;
}

std::vector<report::LabelLine> label_lines(const Evaluation& evaluation) {
  std::vector<report::LabelLine> result;
  for (const ClassPrecision& label : evaluation.classes)
    result.push_back({one_line(label.label, label_width), label.queries});
  return result;
}

// "1,000 of 60,000, seed 1".
std::string queries_text(const ReportRequest& request) {
  const Evaluation& first = request.results.front();
  if (first.queries == first.candidates) return grouped(first.queries);
  return fmt::format("{} of {}, seed {}", grouped(first.queries), grouped(first.candidates),
                     request.asked.options.seed);
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
  const Evaluation& first = request.results.front();
  report::EvaluationReport report;
  report.head.title = fmt::format("Nearest neighbours in {}", request.name);
  report.head.lead = lead(request.results, request.tops.front());
  report.head.facts = {
      {"rows", grouped(summary.n)},
      {request.test == nullptr ? "queries" : "test queries", queries_text(request)},
      {"coordinates", grouped(summary.v)},
      {"dimensions", grouped(summary.m)},
      {"bins per row", fmt::format("{:.1f}", summary.h)},
      {"labels", grouped(summary.label_counts.size())}};
  report.tops.assign(request.tops.begin(), request.tops.end());
  report.curve_tops = first.tops;
  report.measures = lines(request);
  report.labels = label_lines(first);
  SearchOptions options;
  options.question = request.asked.options.question;
  options.run = request.asked.options.run;
  options.among = request.asked.options.among;
  if (request.examples)
    report.galleries =
        galleries({request.searcher, request.asked.measures, first.asked, request.test, options});
  report.data = data_facts(index);
  report.origin = origin(request.common);
  return report;
}

void write_report(const report::EvaluationReport& report, const std::filesystem::path& path) {
  const bool picture = path.extension() == ".svg";
  write_page(picture ? report::picture_of(report) : report::page_of(report), path);
}

}  // namespace navvy::cli
