// The page of an evaluation: table, plots, curves, examples.
#include "report/evaluation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

#include "report/scale.hpp"
#include "report/style.hpp"

namespace navvy::report {
namespace {

std::string rate_text(const MeasuredLine& measure) {
  const double rate = measure.seconds > 0 ? measure.distances / measure.seconds : 0;
  if (rate >= 1e9) return fmt::format("{:.3g} G/s", rate / 1e9);
  if (rate >= 1e6) return fmt::format("{:.3g} M/s", rate / 1e6);
  if (rate >= 1e3) return fmt::format("{:.3g} k/s", rate / 1e3);
  return fmt::format("{:.3g} /s", rate);
}

double fastest(const EvaluationReport& report) {
  double least = report.measures.front().seconds;
  for (const MeasuredLine& measure : report.measures) least = std::min(least, measure.seconds);
  return least;
}

std::string relative_text(double seconds, double least) {
  const double factor = least > 0 ? seconds / least : 1;
  return factor < 10 ? fmt::format("{:.1f}\u00d7", factor) : fmt::format("{:.0f}\u00d7", factor);
}

// The wider side where an interval is cut at 0 or 1.
std::string margin_text(const Share& share) {
  return fmt::format("\u00b1\u202f{:.4f}",
                     std::max(share.high - share.mean, share.mean - share.low));
}

void write_share(Markup& out, const Share& share, const char* kind) {
  out.open("td", {{"class", kind}}).text(fmt::format("{:.4f}", share.mean));
  out.element("small", {}, margin_text(share)).close();
}

void write_table_head(Markup& out, const EvaluationReport& report) {
  out.open("thead").open("tr").element("th", {}, "measure");
  for (const std::size_t top : report.tops) {
    out.element("th", {}, fmt::format("precision @{}", top));
  }
  for (const char* name : {"seconds", "CPU seconds", "distances", "of the fastest"})
    out.element("th", {{"class", "extra"}}, name);
  out.close().close();
}

void write_measure(Markup& out, const EvaluationReport& report, std::size_t i, double least) {
  const MeasuredLine& measure = report.measures[i];
  out.open("tr", {{"class", fmt::format("main m{}", i)}});
  out.open("th").element("span", {{"class", "key"}}, "").text(measure.name).close();
  for (std::size_t top = 0; top < report.tops.size(); ++top)
    write_share(out, measure.precision[top], measure.among_best[top] ? "best" : "");
  const std::string relative = relative_text(measure.seconds, least);
  out.element("td", {{"class", "extra"}}, fmt::format("{:.3f}", measure.seconds));
  out.element("td", {{"class", "extra"}}, fmt::format("{:.3f}", measure.cpu_seconds));
  out.element("td", {{"class", "extra"}}, rate_text(measure));
  out.element("td", {{"class", "extra"}}, relative).close();
  out.open("tr", {{"class", "details"}});
  out.element("td", {{"colspan", std::to_string(report.tops.size() + 1)}},
              fmt::format("{} \u00b7 {} of CPU \u00b7 {} \u00b7 {} of the fastest",
                          time_text(measure.seconds), time_text(measure.cpu_seconds),
                          rate_text(measure), relative));
  out.close();
}

void write_table(Markup& out, const EvaluationReport& report) {
  const double least = fastest(report);
  out.open("section").element("h2", {}, "Measures");
  out.element("p", {{"class", "note"}},
              "Precision is the mean share of neighbours with the label of their query, with its "
              "95 % interval over queries (Student's t). Bold are the most precise of "
              "each column and all that are not clearly worse: the interval of the difference, "
              "query by query, holds 0.");
  out.open("table", {{"class", "measures"}});
  write_table_head(out, report);
  out.open("tbody");
  for (std::size_t i = 0; i < report.measures.size(); ++i) write_measure(out, report, i, least);
  out.close().close().close();
}

// The labels to show, in their order: those that most queries have.
std::vector<std::size_t> shown_labels(std::span<const LabelLine> labels) {
  constexpr std::size_t most = 60;
  std::vector<std::size_t> shown(labels.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  std::ranges::stable_sort(shown, std::greater{}, [&](std::size_t i) { return labels[i].queries; });
  shown.resize(std::min(shown.size(), most));
  std::ranges::sort(shown);
  return shown;
}

// On a narrow page the measures stand below the label.
void write_label(Markup& out, const EvaluationReport& report, std::size_t label) {
  out.open("tr", {{"class", "main"}}).open("th");
  out.element("bdi", {}, report.labels[label].name).close();
  out.element("td", {}, fmt::format("{}", report.labels[label].queries));
  std::string below;
  for (const MeasuredLine& measure : report.measures) {
    write_share(out, measure.classes[label], "extra");
    below += fmt::format("{}{} {:.4f}", below.empty() ? "" : " \u00b7 ", measure.name,
                         measure.classes[label].mean);
  }
  out.close().open("tr", {{"class", "details"}});
  out.element("td", {{"colspan", "2"}}, below).close();
}

void write_labels(Markup& out, const EvaluationReport& report) {
  if (report.labels.size() < 2) return;
  const auto shown = shown_labels(report.labels);
  out.open("section");
  out.element("h2", {}, fmt::format("Precision @{} by label", report.tops.front()));
  std::string note = "Over the queries of each label; a label of few queries has a wide interval.";
  if (shown.size() < report.labels.size())
    note += fmt::format(" Shown are the {} of {} labels that most queries have.", shown.size(),
                        report.labels.size());
  out.element("p", {{"class", "note"}}, note);
  out.open("table", {{"class", "labels"}});
  out.open("thead").open("tr").element("th", {}, "label").element("th", {}, "queries");
  for (const MeasuredLine& measure : report.measures)
    out.element("th", {{"class", "extra"}}, measure.name);
  out.close().close().open("tbody");
  for (const std::size_t label : shown) write_label(out, report, label);
  out.close().close().close();
}

AccuracyPlot plot_of(const EvaluationReport& report, std::size_t top) {
  return {report.measures, top, fmt::format("precision @{}", report.tops[top])};
}

void write_plots(Markup& out, const EvaluationReport& report) {
  out.open("section").element("h2", {}, "Accuracy against run time");
  out.element("p", {{"class", "note"}},
              "Higher is better, further left is faster; the time axis is logarithmic. The line "
              "joins the measures that no other beats in both; hollow points are beaten. Upright "
              "strokes are 95 % intervals. An arrow marks a measure far below the others.");
  out.open("div", {{"class", "plots"}});
  for (std::size_t top = 0; top < report.tops.size(); ++top) {
    out.open("figure", {{"class", "accuracy"}});
    draw(out, plot_of(report, top));
    out.close();
  }
  out.close().close();
}

void write_curves(Markup& out, const EvaluationReport& report) {
  if (report.curve_tops.size() < 2) return;
  out.open("section").element("h2", {}, "Precision against the length of the list");
  out.element("p", {{"class", "note"}},
              "The further one looks, the harder it is to find rows of the same label.");
  // The same picture twice, each drawn for its width: scaling one would make its words unreadable.
  for (const bool wide : {true, false}) {
    out.open("figure", {{"class", wide ? "curves wide" : "curves narrow"}});
    draw(out, CurvePlot{report.measures, report.curve_tops, wide ? 1000.0 : 360.0,
                        wide ? 360.0 : 320.0});
    out.close();
  }
  out.close();
}

}  // namespace

std::vector<std::string> names_of(const EvaluationReport& report) {
  std::vector<std::string> names;
  for (const MeasuredLine& measure : report.measures) names.push_back(measure.name);
  return names;
}

void write_body(Markup& out, const EvaluationReport& report) {
  write_table(out, report);
  write_plots(out, report);
  write_curves(out, report);
  write_labels(out, report);
  for (const Gallery& gallery : report.galleries) write(out, gallery);
  write_facts(out, "The data", report.data);
}

std::string page_of(const EvaluationReport& report) {
  Markup out;
  begin_page(out, report.head, measure_colours(names_of(report)));
  write_body(out, report);
  end_page(out, report.origin);
  return out.take();
}

std::string picture_of(const EvaluationReport& report) {
  AccuracyPlot plot = plot_of(report, 0);
  plot.width = 720;
  plot.height = 400;
  return standalone_svg(plot);
}

}  // namespace navvy::report
