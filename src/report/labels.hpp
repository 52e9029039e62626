// Where words go in a picture: how much room they take and places where none touches another.
#pragma once

#include <span>
#include <string>
#include <string_view>
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

/// The point of a box that is nearest to another point.
Point nearest_in(const Box& box, const Point& point);

/// The width of a line of text, on the safe side: that of the widest of the fonts that pages name,
/// in bold. `size` is that of the font.
double text_width(std::string_view text, double size);

struct Extent {
  double width = 0;
  double height = 0;
};

/// What a label takes, with some air around it.
Extent label_extent(std::string_view text, double size);

struct Label {
  std::string text;
  Point anchor;  ///< what it names
};

struct PlacedLabel {
  Box box;           ///< all that it takes, with some air
  Point text;        ///< where the text starts, has its middle or ends, on its base line
  int side = 0;      ///< 1, 0, -1: the text starts, has its middle, ends there
  bool far = false;  ///< not beside its anchor: a line should lead there
};

/// Places for labels: none touches another, whatever the labels, the points and the frame. They are
/// beside their anchors and off the line through `line` where that is possible, and all within
/// `frame` if it can be cut into as many cells of the size of the largest label as there are
/// labels.
std::vector<PlacedLabel> place_labels(std::span<const Label> labels, double size, const Box& frame,
                                      std::span<const Point> line);

/// Heights near those wished for, at least `gap` apart and within [low, high] as far as they fit.
std::vector<double> spread(std::span<const double> wished, double gap, double low, double high);

}  // namespace navvy::report
