// The page of an evaluation: table, plots, curves, examples.
#include "report/evaluation.hpp"

#include <fmt/core.h>

#include <algorithm>

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

double best_at(const EvaluationReport& report, std::size_t top) {
  double best = 0;
  for (const MeasuredLine& measure : report.measures) best = std::max(best, measure.precision[top]);
  return best;
}

void write_table_head(Markup& out, const EvaluationReport& report) {
  out.open("thead").open("tr").element("th", {}, "measure");
  for (const std::size_t top : report.tops) {
    out.element("th", {}, fmt::format("precision @{}", top));
  }
  out.element("th", {{"class", "extra"}}, "seconds");
  out.element("th", {{"class", "extra"}}, "distances");
  out.element("th", {{"class", "extra"}}, "of the fastest");
  out.close().close();
}

void write_table(Markup& out, const EvaluationReport& report) {
  const double least = fastest(report);
  out.open("section").element("h2", {}, "Measures");
  out.element("p", {{"class", "note"}},
              "Precision is the mean share of neighbours with the label of their query. The best "
              "of each column is bold.");
  out.open("table", {{"class", "measures"}});
  write_table_head(out, report);
  out.open("tbody");
  for (std::size_t i = 0; i < report.measures.size(); ++i) {
    const MeasuredLine& measure = report.measures[i];
    out.open("tr", {{"class", fmt::format("main m{}", i)}});
    out.open("th").element("span", {{"class", "key"}}, "").text(measure.name).close();
    for (std::size_t top = 0; top < report.tops.size(); ++top) {
      const bool best = measure.precision[top] == best_at(report, top);
      out.element("td", {{"class", best ? "best" : ""}},
                  fmt::format("{:.4f}", measure.precision[top]));
    }
    const std::string relative = relative_text(measure.seconds, least);
    out.element("td", {{"class", "extra"}}, fmt::format("{:.3f}", measure.seconds));
    out.element("td", {{"class", "extra"}}, rate_text(measure));
    out.element("td", {{"class", "extra"}}, relative).close();
    out.open("tr", {{"class", "details"}});
    out.element("td", {{"colspan", std::to_string(report.tops.size() + 1)}},
                fmt::format("{} \u00b7 {} \u00b7 {} of the fastest", time_text(measure.seconds),
                            rate_text(measure), relative));
    out.close();
  }
  out.close().close().close();
}

AccuracyPlot plot_of(const EvaluationReport& report, std::size_t top) {
  return {report.measures, top, fmt::format("precision @{}", report.tops[top])};
}

void write_plots(Markup& out, const EvaluationReport& report) {
  out.open("section").element("h2", {}, "Accuracy against run time");
  out.element("p", {{"class", "note"}},
              "Higher is better, further left is faster; the time axis is logarithmic. The line "
              "joins the measures that no other beats in both; hollow points are beaten. An "
              "arrow marks a measure far below the others.");
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
