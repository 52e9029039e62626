#include "report/labels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>

namespace navvy::report {
namespace {

constexpr double point_radius = 6;

Box around(const Point& center, double radius) {
  return {center.x - radius, center.y - radius, center.x + radius, center.y + radius};
}

// A box of the given size whose nearest edge or corner is `distance` from the anchor, towards
// (x, y) in {-1, 0, 1}.
Box beside(const Point& anchor, double width, double height, int x, int y, double distance) {
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

struct Search {
  std::span<const Label> labels;
  Box frame;
  std::span<const Point> line;
  std::vector<PlacedLabel> placed;

  // How bad a place is; 0 is a place without any fault.
  [[nodiscard]] double fault(const Box& box, double distance) const {
    double sum = distance / 100 + (crosses(line, box) ? 1 : 0) + (inside(box, frame) ? 0 : 8);
    // Names on top of each other cannot be read: worse than all other faults together.
    for (const PlacedLabel& other : placed) sum += overlap(box, other.box) ? 100 : 0;
    for (const Label& label : labels) {
      sum += overlap(box, around(label.anchor, point_radius)) ? 4 : 0;
    }
    return sum;
  }
};

constexpr int directions[][2] = {{1, 0},  {0, -1}, {-1, 0},  {0, 1},
                                 {1, -1}, {1, 1},  {-1, -1}, {-1, 1}};
constexpr double distances[] = {10, 18, 28, 40, 56, 74, 94};

}  // namespace

bool overlap(const Box& a, const Box& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

double text_width(std::string_view text, double size) {
  const auto characters = std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  });
  return 0.66 * size * static_cast<double>(characters);
}

std::vector<PlacedLabel> place_labels(std::span<const Label> labels, double size, const Box& frame,
                                      std::span<const Point> line) {
  Search search{labels, frame, line, {}};
  for (const Label& label : labels) {
    PlacedLabel best;
    double least = std::numeric_limits<double>::infinity();
    for (const double distance : distances) {
      for (const auto& direction : directions) {
        const Box box = beside(label.anchor, text_width(label.text, size), 1.2 * size, direction[0],
                               direction[1], distance);
        const double fault = search.fault(box, distance);
        if (fault < least) {
          least = fault;
          best = {box, direction[0], distance > 12};
        }
      }
    }
    search.placed.push_back(best);
  }
  return search.placed;
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
