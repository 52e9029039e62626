// Flows between the pixels of two images, drawn as arrows.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "report/flows.hpp"
#include "report/labels.hpp"
#include "report/style.hpp"

namespace navvy::report {
namespace {

constexpr double small = 1e-9;

// The decimals matter here: a pixel is one unit.
std::string fine(double value) { return fmt::format("{:.3g}", value); }

double heaviest(std::span<const Bin> bins) {
  double most = small;
  for (const Bin& bin : bins) most = std::max(most, bin.weight);
  return most;
}

void draw_bins(Markup& out, std::span<const Bin> bins, const char* kind, bool points) {
  const double most = heaviest(bins);
  for (const Bin& bin : bins) {
    if (bin.weight <= 0) continue;
    if (points) {
      out.leaf("circle", {{"class", kind},
                          {"cx", fine(bin.x + 0.5)},
                          {"cy", fine(bin.y + 0.5)},
                          {"r", "0.5"},
                          {"fill-opacity", number(0.2 + 0.5 * bin.weight / most)}});
      continue;
    }
    out.leaf("rect", {{"class", kind},
                      {"x", number(bin.x)},
                      {"y", number(bin.y)},
                      {"width", "1"},
                      {"height", "1"},
                      {"fill-opacity", number(0.08 + 0.42 * bin.weight / most)}});
  }
}

void draw_rings(Markup& out, std::span<const Bin> bins, std::span<const double> masses) {
  const double mean = 1 / static_cast<double>(std::max<std::size_t>(bins.size(), 1));
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const double more = masses[i] - bins[i].weight;
    // Far less than a usual pixel has is not worth a ring.
    if (std::abs(more) < 0.1 * mean) continue;
    out.leaf("circle", {{"class", more > 0 ? "ring" : "unmet"},
                        {"cx", number(bins[i].x + 0.5)},
                        {"cy", number(bins[i].y + 0.5)},
                        {"r", "0.4"}});
  }
}

// A line with a head that ends in the middle of the target.
void draw_arrow(Markup& out, Point from, Point to, double width, const std::string& colour) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  const double head = std::min(0.5, 0.6 * length);
  const Point unit{(to.x - from.x) / length, (to.y - from.y) / length};
  const Point neck{to.x - head * unit.x, to.y - head * unit.y};
  const double half = 0.42 * head + width / 2;
  out.leaf("line", {{"class", "arrow " + colour},
                    {"x1", fine(from.x)},
                    {"y1", fine(from.y)},
                    {"x2", fine(neck.x)},
                    {"y2", fine(neck.y)},
                    {"stroke-width", fine(width)}});
  out.leaf("path",
           {{"class", "head " + colour},
            {"d", fmt::format("M{} {}L{} {}L{} {}Z", fine(to.x), fine(to.y),
                              fine(neck.x - half * unit.y), fine(neck.y + half * unit.x),
                              fine(neck.x + half * unit.y), fine(neck.y - half * unit.x))}});
}

}  // namespace

void draw_arrows(Markup& out, const FlowComparison& pair, const Flow& flow) {
  out.open("svg", {{"class", "arrows"},
                   {"viewBox",
                    fmt::format("-0.5 -0.5 {} {}", pair.grid->width + 1, pair.grid->height + 1)},
                   {"role", "img"},
                   {"aria-label", fmt::format("moves under {}", flow.measure)}});
  draw_bins(out, pair.bins_a, "bin-a", pair.grid->points);
  draw_bins(out, pair.bins_b, "bin-b", pair.grid->points);
  const double end = std::max(longest(pair), small);
  const double most = std::max(heaviest(pair.bins_a), heaviest(pair.bins_b));
  for (const Move& move : flow.moves) {
    if (!(move.distance > 0) || !(move.mass > 0)) continue;
    const Bin& from = pair.bins_a[move.from];
    const Bin& to = pair.bins_b[move.to];
    const double width = 0.05 + 0.3 * std::min(1.0, move.mass / most);
    draw_arrow(out, {from.x + 0.5, from.y + 0.5}, {to.x + 0.5, to.y + 0.5}, width,
               distance_class(move.distance / end));
  }
  if (!flow.exact) {
    draw_rings(out, pair.bins_a, sent(pair, flow));
    draw_rings(out, pair.bins_b, received(pair, flow));
  }
  out.close();
}

}  // namespace navvy::report
