// Plots of precision: against time, and against the length of the list.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/markup.hpp"

namespace navvy::report {

/// A share of neighbours with its 95 % interval.
struct Share {
  double mean = 0;
  double low = 0;
  double high = 0;
};

/// One measure of an evaluation.
struct MeasuredLine {
  std::string name;
  double seconds = 0;
  double cpu_seconds = 0;
  double distances = 0;          ///< query-row pairs answered
  std::vector<Share> precision;  ///< one per entry of the tops that were asked for
  std::vector<bool> among_best;  ///< likewise: not clearly worse than the most precise
  std::vector<double> curve;     ///< one per entry of the tops of the curve
  std::vector<Share> classes;    ///< one per label, at the first of the tops
};

/// Positions of the measures that no other beats in both time and precision, fastest first.
std::vector<std::size_t> pareto(std::span<const double> seconds, std::span<const double> precision);

/// The least value that a plot shows in its place: all values but those far below the others.
double shown_from(std::span<const double> values);

/// Precision (vertical) against seconds (horizontal, logarithmic), a point per measure with its
/// name beside it, its interval, and a line through those that nothing beats. What lies far below
/// the others stands at the lower edge, with its value. `title` stands in the picture.
struct AccuracyPlot {
  std::span<const MeasuredLine> measures;
  std::size_t top = 0;  ///< which of their precisions
  std::string title;
  double width = 360;
  double height = 270;
};
void draw(Markup& out, const AccuracyPlot& plot);

/// Precision against the length of the list, a line per measure with its name at the end.
struct CurvePlot {
  std::span<const MeasuredLine> measures;
  std::span<const std::size_t> tops;
  double width = 360;
  double height = 300;
};
void draw(Markup& out, const CurvePlot& plot);

/// The first bytes of every picture that is a file.
inline constexpr std::string_view picture_magic = "<!-- navvy picture -->";

/// An accuracy plot as a picture of its own, with day and night in it.
std::string standalone_svg(const AccuracyPlot& plot);

}  // namespace navvy::report
