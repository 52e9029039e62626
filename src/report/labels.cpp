// Places for names beside their points, and in the cells of a grid where one finds none there.
#include "report/labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>

namespace navvy::report {
namespace {

constexpr double point_radius = 6;
constexpr double nearest = 8;  // from the middle of a point to the box of its name

// In shares of the size of the font. The letters of all fonts stay within a line of this height.
constexpr double line_height = 1.3;
constexpr double below_base_line = 0.3;
constexpr double air_around = 0.15;

// Widths of the characters from ' ' to '~' in hundredths of the size of the font, rounded up: the
// larger of DejaVu Sans Bold, which is wider than the other system fonts nearly everywhere, and
// Helvetica Bold, and of what browsers make of them where they round to pixels.
constexpr std::array<std::uint8_t, 95> widths = {
    35,  46, 53, 84, 70, 101, 88, 31,  46, 46, 53, 84, 38, 42,  38, 37,  //  !"#$%&'()*+,-./
    70,  70, 70, 70, 70, 70,  70, 70,  70, 70, 41, 41, 84, 84,  84, 62,  // 0123456789:;<=>?
    101, 78, 77, 74, 84, 69,  69, 83,  84, 38, 56, 79, 64, 100, 84, 86,  // @ABCDEFGHIJKLMNO
    74,  86, 78, 73, 71, 82,  78, 111, 78, 74, 73, 46, 37, 46,  84, 56,  // PQRSTUVWXYZ[\]^_
    50,  68, 72, 60, 72, 68,  44, 72,  72, 35, 36, 67, 35, 105, 72, 69,  // `abcdefghijklmno
    72,  72, 50, 60, 49, 72,  66, 93,  65, 66, 59, 72, 37, 72,  84,      // pqrstuvwxyz{|}~
};

Box around(const Point& center, double radius) {
  return {center.x - radius, center.y - radius, center.x + radius, center.y + radius};
}

// A box of the given size whose nearest edge or corner is `distance` from the anchor, towards
// (x, y) in {-1, 0, 1}.
Box beside(const Point& anchor, const Extent& extent, int x, int y, double distance) {
  const auto [width, height] = extent;
  const double reach = x != 0 && y != 0 ? distance * 0.7 : distance;
  const double center_x = anchor.x + x * (reach + width / 2);
  const double center_y = anchor.y + y * (reach + height / 2);
  return {center_x - width / 2, center_y - height / 2, center_x + width / 2, center_y + height / 2};
}

bool inside(const Box& box, const Box& frame) {
  return box.left >= frame.left && box.right <= frame.right && box.top >= frame.top &&
         box.bottom <= frame.bottom;
}

bool crosses(std::span<const Point> line, const Box& box) {
  for (std::size_t i = 1; i < line.size(); ++i) {
    // Steps of a pixel or two are as good as geometry here.
    const Point from = line[i - 1];
    const Point to = line[i];
    const double steps = std::ceil(std::hypot(to.x - from.x, to.y - from.y) / 2) + 1;
    for (double step = 0; step <= steps; ++step) {
      const double share = step / steps;
      const Point at{from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
      if (overlap(box, around(at, 1))) return true;
    }
  }
  return false;
}

/// What labels must share: the frame, and what they should not hide.
struct Plot {
  std::span<const Label> labels;
  double size;
  Box frame;
  std::span<const Point> line;
};

double distance_to(const Box& box, const Point& point) {
  const Point near = nearest_in(box, point);
  return std::hypot(point.x - near.x, point.y - near.y);
}

// Whether a line that leads from the anchor to its label goes through another box.
bool leads_through(const Point& anchor, const Box& label, const Box& other) {
  const Point leader[] = {anchor, nearest_in(label, anchor)};
  return crosses(leader, other);
}

// How bad a place is for the name of `anchor`, after those placed `before`; 0 is a place without
// any fault.
double fault(const Plot& plot, const Box& box, const Point& anchor,
             std::span<const PlacedLabel> before) {
  double sum = distance_to(box, anchor) / 100 + (crosses(plot.line, box) ? 1 : 0);
  for (const Label& label : plot.labels) {
    sum += overlap(box, around(label.anchor, point_radius)) ? 4 : 0;
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    sum += leads_through(anchor, box, before[i].box) ? 2 : 0;
    sum += leads_through(plot.labels[i].anchor, before[i].box, box) ? 2 : 0;
  }
  return sum;
}

PlacedLabel placed_in(const Box& box, int side, const Point& anchor, double size) {
  const double air = air_around * size;
  const double x = side > 0   ? box.left + air
                   : side < 0 ? box.right - air
                              : (box.left + box.right) / 2;
  return {
      box, {x, box.bottom - below_base_line * size}, side, distance_to(box, anchor) > nearest + 2};
}

constexpr int directions[][2] = {{1, 0},  {0, -1}, {-1, 0},  {0, 1},
                                 {1, -1}, {1, 1},  {-1, -1}, {-1, 1}};
constexpr double distances[] = {nearest, 16, 26, 38, 54, 72, 92, 116};

// The best place beside an anchor that is within the frame and clear of the labels placed before.
std::optional<PlacedLabel> place_beside(const Plot& plot, const Label& label,
                                        std::span<const PlacedLabel> before) {
  std::optional<PlacedLabel> best;
  double least = std::numeric_limits<double>::infinity();
  const Extent extent = label_extent(label.text, plot.size);
  for (const double distance : distances) {
    for (const auto& [x, y] : directions) {
      const Box box = beside(label.anchor, extent, x, y, distance);
      const bool clear = std::none_of(before.begin(), before.end(), [&](const PlacedLabel& other) {
        return overlap(box, other.box);
      });
      if (!clear || !inside(box, plot.frame)) continue;
      const double found = fault(plot, box, label.anchor, before);
      if (found >= least) continue;
      least = found;
      best = placed_in(box, x, label.anchor, plot.size);
    }
  }
  return best;
}

// The frame cut into cells that hold any of the labels; below it more of them, if it has too few.
std::vector<Box> cells(const Plot& plot) {
  Extent largest;
  for (const Label& label : plot.labels) {
    const Extent extent = label_extent(label.text, plot.size);
    largest = {std::max(largest.width, extent.width), extent.height};
  }
  const Box& frame = plot.frame;
  const double columns = std::max(1.0, std::floor((frame.right - frame.left) / largest.width));
  const double lines = std::max(std::floor((frame.bottom - frame.top) / largest.height),
                                std::ceil(static_cast<double>(plot.labels.size()) / columns));
  const double width = std::max(largest.width, (frame.right - frame.left) / columns);
  std::vector<Box> result;
  for (double line = 0; line < lines; ++line) {
    for (double column = 0; column < columns; ++column) {
      // Neighbours compute the edge that they share in the same way.
      result.push_back({frame.left + column * width, frame.top + line * largest.height,
                        frame.left + (column + 1) * width,
                        frame.top + (line + 1) * largest.height});
    }
  }
  return result;
}

// The part of a cell that a label takes, as near to its anchor as the cell lets it.
PlacedLabel within(const Box& cell, const Label& label, double size) {
  const double width = label_extent(label.text, size).width;
  const Point& anchor = label.anchor;
  const int side = anchor.x < cell.left ? 1 : anchor.x > cell.right ? -1 : 0;
  const double left =
      std::clamp(anchor.x - width / 2, cell.left, std::max(cell.left, cell.right - width));
  const Box box{left, cell.top, std::min(cell.right, left + width), cell.bottom};
  return placed_in(box, side, anchor, size);
}

// A cell for each label: never on top of each other, though further from what they name.
std::vector<PlacedLabel> place_in_cells(const Plot& plot) {
  std::vector<Box> free = cells(plot);
  std::vector<PlacedLabel> placed;
  for (const Label& label : plot.labels) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < free.size(); ++i) {
      const double found = fault(plot, within(free[i], label, plot.size).box, label.anchor, placed);
      if (found >= least) continue;
      least = found;
      best = i;
    }
    placed.push_back(within(free[best], label, plot.size));
    free.erase(free.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return placed;
}

}  // namespace

bool overlap(const Box& a, const Box& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

Point nearest_in(const Box& box, const Point& point) {
  return {std::clamp(point.x, box.left, box.right), std::clamp(point.y, box.top, box.bottom)};
}

double text_width(std::string_view text, double size) {
  double hundredths = 0;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (code >= ' ' && code < 127) hundredths += widths[code - ' '];
    // One of several bytes that make a character counts, and few characters are wider than this.
    if (code >= 0xC0) hundredths += 130;
  }
  return hundredths / 100 * size;
}

Extent label_extent(std::string_view text, double size) {
  return {text_width(text, size) + 2 * air_around * size, line_height * size};
}

std::vector<PlacedLabel> place_labels(std::span<const Label> labels, double size, const Box& frame,
                                      std::span<const Point> line) {
  const Plot plot{labels, size, frame, line};
  std::vector<PlacedLabel> placed;
  for (const Label& label : labels) {
    const auto found = place_beside(plot, label, placed);
    if (!found) return place_in_cells(plot);
    placed.push_back(*found);
  }
  return placed;
}

std::vector<double> spread(std::span<const double> wished, double gap, double low, double high) {
  std::vector<std::size_t> order(wished.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return wished[a] < wished[b]; });
  // Without the gaps this asks for ascending places nearest to the wishes: neighbours that come out
  // of order share their mean.
  struct Group {
    double sum;
    double count;
  };
  std::vector<Group> groups;
  for (std::size_t i = 0; i < order.size(); ++i) {
    groups.push_back({wished[order[i]] - gap * static_cast<double>(i), 1});
    while (groups.size() > 1) {
      const Group last = groups.back();
      Group& before = groups[groups.size() - 2];
      if (before.sum * last.count < last.sum * before.count) break;
      before = {before.sum + last.sum, before.count + last.count};
      groups.pop_back();
    }
  }
  const double most = high - gap * static_cast<double>(std::max<std::size_t>(order.size(), 1) - 1);
  std::vector<double> places(wished.size());
  std::size_t i = 0;
  for (const Group& group : groups) {
    const double place = std::clamp(group.sum / group.count, low, std::max(low, most));
    for (double n = 0; n < group.count; ++n, ++i) {
      places[order[i]] = place + gap * static_cast<double>(i);
    }
  }
  return places;
}

}  // namespace navvy::report
