#pragma once

#include <span>
#include <string>
#include <vector>

namespace navvy::report {

struct Point {
  double x = 0;
  double y = 0;
};

struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
};

bool overlap(const Box& a, const Box& b);

/// The space that a line of text takes, on the safe side.
double text_width(std::string_view text, double size);

struct Label {
  std::string text;
  Point anchor;  ///< what it names
};

struct PlacedLabel {
  Box box;
  int side = 0;      ///< -1, 0, 1: left of, above or below, right of its anchor
  bool far = false;  ///< not beside its anchor: a line should lead there
};

/// Places for labels beside their anchors: within `frame`, clear of each other and of all anchors,
/// and off the line through `line` where that is possible.
std::vector<PlacedLabel> place_labels(std::span<const Label> labels, double size, const Box& frame,
                                      std::span<const Point> line);

/// Heights near those wished for, at least `gap` apart and within [low, high] as far as they fit.
std::vector<double> spread(std::span<const double> wished, double gap, double low, double high);

}  // namespace navvy::report
