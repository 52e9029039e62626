// Draws measures as points in a plot and as curves, with their names.
#include "report/plots.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/labels.hpp"
#include "report/scale.hpp"
#include "report/style.hpp"

namespace navvy::report {
namespace {

constexpr double name_size = 13;
constexpr double right_margin = 10;  // of plots, beside their frame

void line(Markup& out, const std::string& kind, Point from, Point to) {
  out.leaf("line", {{"class", kind},
                    {"x1", number(from.x)},
                    {"y1", number(from.y)},
                    {"x2", number(to.x)},
                    {"y2", number(to.y)}});
}

void text(Markup& out, Point at, const char* anchor, const std::string& kind,
          std::string_view words) {
  out.element("text",
              {{"x", number(at.x)}, {"y", number(at.y)}, {"text-anchor", anchor}, {"class", kind}},
              words);
}

std::string path_through(std::span<const Point> points) {
  std::string path;
  for (const Point& point : points) {
    path += fmt::format("{}{} {}", path.empty() ? "M" : "L", number(point.x), number(point.y));
  }
  return path;
}

void open_svg(Markup& out, double width, double height, const std::string& description) {
  out.open("svg", {{"viewBox", fmt::format("0 0 {} {}", number(width), number(height))},
                   {"xmlns", "http://www.w3.org/2000/svg"},
                   {"role", "img"},
                   {"aria-label", description}});
}

// Horizontal lines with their values on the left.
void draw_shares(Markup& out, const Scale& scale, const Box& frame) {
  const auto values = ticks(scale, share_ticks);
  const auto names = tick_labels(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double y = scale(values[i]);
    line(out, "grid", {frame.left, y}, {frame.right, y});
    text(out, {frame.left - 8, y + 4}, "end", "", names[i]);
  }
}

std::vector<double> seconds_of(std::span<const MeasuredLine> measures) {
  std::vector<double> seconds;
  for (const MeasuredLine& measure : measures) seconds.push_back(measure.seconds);
  return seconds;
}

std::string class_of(std::size_t measure) { return fmt::format("m{}", measure); }

std::size_t time_ticks(const Box& frame) { return frame.right - frame.left > 420 ? 9 : 5; }

void draw_times(Markup& out, const Scale& scale, const Box& frame) {
  const auto values = ticks(scale, time_ticks(frame));
  for (const double value : values) {
    line(out, "axis", {scale(value), frame.bottom}, {scale(value), frame.bottom + 5});
    // The axis ends at a round value, whose name must not leave the picture.
    const std::string name = time_text(value);
    const double last = frame.right + right_margin - text_width(name, 12) / 2;
    text(out, {std::min(scale(value), last), frame.bottom + 19}, "middle", "", name);
  }
  line(out, "axis", {frame.left, frame.bottom}, {frame.right, frame.bottom});
}

void draw_tops(Markup& out, const CurvePlot& plot, const Scale& scale, const Box& frame) {
  line(out, "axis", {frame.left, frame.bottom}, {frame.right, frame.bottom});
  double free_from = 0;
  for (const std::size_t top : plot.tops) {
    const std::string name = std::to_string(top);
    const double at = scale(static_cast<double>(top));
    const double half = text_width(name, 12) / 2;
    line(out, "axis", {at, frame.bottom}, {at, frame.bottom + 5});
    if (at - half < free_from) continue;
    text(out, {at, frame.bottom + 19}, "middle", "", name);
    free_from = at + half + 6;
  }
  text(out, {(frame.left + frame.right) / 2, plot.height - 4}, "middle", "",
       "length of the list of neighbours");
}

void draw_curve(Markup& out, std::span<const Point> points, const std::string& colour) {
  out.leaf("path", {{"class", "curve " + colour}, {"d", path_through(points)}});
  for (const Point& point : points) {
    out.leaf("circle", {{"class", "dot " + colour},
                        {"cx", number(point.x)},
                        {"cy", number(point.y)},
                        {"r", "2.5"}});
  }
}

/// A measure in its place, with what is written beside it.
struct PlottedPoint {
  Point at;
  std::string name;
  double high = 0;  ///< where its interval ends, up
  double low = 0;   ///< and down
};

void draw_points(Markup& out, const AccuracyPlot& plot, std::span<const PlottedPoint> points,
                 std::span<const std::size_t> best, const Box& frame) {
  std::vector<Point> frontier;
  for (const std::size_t i : best) frontier.push_back(points[i].at);
  if (frontier.size() > 1) out.leaf("path", {{"class", "pareto"}, {"d", path_through(frontier)}});
  std::vector<Label> labels;
  for (const PlottedPoint& point : points) labels.push_back({point.name, point.at});
  const auto placed = place_labels(labels, name_size, frame, frontier);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point at = points[i].at;
    if (placed[i].far) line(out, "leader", at, nearest_in(placed[i].box, at));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool beaten = std::find(best.begin(), best.end(), i) == best.end();
    const MeasuredLine& measure = plot.measures[i];
    line(out, fmt::format("interval {}", class_of(i)), {points[i].at.x, points[i].high},
         {points[i].at.x, points[i].low});
    out.open("circle", {{"class", fmt::format("point {}{}", class_of(i), beaten ? " hollow" : "")},
                        {"cx", number(points[i].at.x)},
                        {"cy", number(points[i].at.y)},
                        {"r", "5"}});
    out.element("title", {},
                fmt::format("{}: {:.4f} in {}", measure.name, measure.precision[plot.top].mean,
                            time_text(measure.seconds)));
    out.close();
    // Fonts differ in width: a name keeps its distance from the point it stands beside.
    const int side = placed[i].side;
    text(out, placed[i].text,
         side > 0   ? "start"
         : side < 0 ? "end"
                    : "middle",
         "name " + class_of(i), points[i].name);
  }
}

// What a plot shows to scale: precisions, and the intervals of those that are not put elsewhere.
std::vector<double> with_intervals(const AccuracyPlot& plot, std::span<const double> shown) {
  std::vector<double> values(shown.begin(), shown.end());
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Share& share = plot.measures[i].precision[plot.top];
    if (share.mean == shown[i]) values.insert(values.end(), {share.low, share.high});
  }
  return values;
}

}  // namespace

std::vector<std::size_t> pareto(std::span<const double> seconds,
                                std::span<const double> precision) {
  std::vector<std::size_t> order(seconds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return seconds[a] != seconds[b] ? seconds[a] < seconds[b] : precision[a] > precision[b];
  });
  std::vector<std::size_t> best;
  for (const std::size_t i : order) {
    if (best.empty() || precision[i] > precision[best.back()]) best.push_back(i);
  }
  return best;
}

double shown_from(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.rbegin(), sorted.rend());
  for (std::size_t i = 2; i < sorted.size(); ++i) {
    const double gap = sorted[i - 1] - sorted[i];
    if (gap > 3 * (sorted[0] - sorted[i - 1]) + 0.05) return sorted[i - 1];
  }
  return sorted.empty() ? 0 : sorted.back();
}

void draw(Markup& out, const AccuracyPlot& plot) {
  const Box frame{46, 34, plot.width - right_margin, plot.height - 26};
  const auto seconds = seconds_of(plot.measures);
  std::vector<double> precision;
  for (const MeasuredLine& measure : plot.measures) {
    precision.push_back(measure.precision[plot.top].mean);
  }
  const double least = shown_from(precision);
  std::vector<double> shown = precision;
  for (double& value : shown) value = std::max(value, least);
  const bool all = shown == precision;
  const Scale x = time_scale(seconds, frame.left, frame.right, time_ticks(frame));
  const Scale y =
      share_scale(with_intervals(plot, shown), all ? frame.bottom : frame.bottom - 24, frame.top);
  std::vector<PlottedPoint> points;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const bool below = precision[i] < least;
    const std::string name = plot.measures[i].name;
    const double at = below ? frame.bottom - 8 : y(precision[i]);
    const Share& share = plot.measures[i].precision[plot.top];
    const auto end = [&](double value) {
      return below ? at : std::clamp(y(value), frame.top, frame.bottom);
    };
    points.push_back({{x(std::max(seconds[i], 1e-6)), at},
                      below ? fmt::format("{} {:.2f} \u2193", name, precision[i]) : name,
                      end(share.high),
                      end(share.low)});
  }
  open_svg(out, plot.width, plot.height, plot.title + " against run time");
  text(out, {0, 16}, "start", "title", plot.title);
  draw_shares(out, y, frame);
  draw_times(out, x, frame);
  draw_points(out, plot, points, pareto(seconds, precision), frame);
  out.close();
}

void draw(Markup& out, const CurvePlot& plot) {
  double widest = 0;
  std::vector<double> all;
  for (const MeasuredLine& measure : plot.measures) {
    widest = std::max(widest, text_width(measure.name, name_size));
    all.insert(all.end(), measure.curve.begin(), measure.curve.end());
  }
  const Box frame{46, 12, plot.width - widest - 22, plot.height - 40};
  const auto last = static_cast<double>(plot.tops.back());
  const Scale y = share_scale(all, frame.bottom, frame.top);
  const Scale x{1, std::max(last, 2.0), frame.left + 6, frame.right, true};
  open_svg(out, plot.width, plot.height, "precision against the length of the list");
  draw_shares(out, y, frame);
  draw_tops(out, plot, x, frame);
  std::vector<double> ends;
  for (const MeasuredLine& measure : plot.measures) ends.push_back(y(measure.curve.back()));
  const auto places = spread(ends, 15, frame.top + 4, frame.bottom);
  for (std::size_t i = 0; i < plot.measures.size(); ++i) {
    std::vector<Point> points;
    for (std::size_t j = 0; j < plot.tops.size(); ++j) {
      points.push_back({x(static_cast<double>(plot.tops[j])), y(plot.measures[i].curve[j])});
    }
    draw_curve(out, points, class_of(i));
    line(out, "leader", points.back(), {frame.right + 14, places[i]});
    text(out, {frame.right + 18, places[i] + 4}, "start", "name " + class_of(i),
         plot.measures[i].name);
  }
  out.close();
}

std::string standalone_svg(const AccuracyPlot& plot) {
  std::vector<std::string> names;
  for (const MeasuredLine& measure : plot.measures) names.push_back(measure.name);
  Markup inner;
  draw(inner, plot);
  std::string svg = inner.take();
  const std::string style =
      fmt::format("<style>{}{}</style>", picture_style(), measure_colours(names));
  svg.insert(svg.find('>') + 1, style);
  return fmt::format("{}\n{}", picture_magic, svg);
}

}  // namespace navvy::report
