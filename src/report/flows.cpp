// What moves from one row to another: sums of it, and its picture with a legend.
#include "report/flows.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "report/style.hpp"

namespace navvy::report {
namespace {

double excess(std::span<const Bin> bins, std::span<const double> masses) {
  double sum = 0;
  for (std::size_t i = 0; i < bins.size(); ++i) sum += std::max(0.0, masses[i] - bins[i].weight);
  return sum;
}

std::string caption(const FlowComparison& pair, const Flow& flow) {
  if (flow.exact) {
    return fmt::format("The exact plan: every {} gives and takes its weight, no more, no less.",
                       !pair.grid          ? "word"
                       : pair.grid->points ? "point"
                                           : "pixel");
  }
  const double share = forgotten(pair, flow);
  if (share < 0.0005) return "This bound forgets nothing here: its flow is a plan.";
  return fmt::format(
      "What the bound forgets: {:.0f}\u00a0% of the mass arrives where there is no room for it "
      "({}).",
      100 * share, pair.grid ? "red rings; dashed rings get less than they need" : "red");
}

std::string figure_title(const FlowComparison& pair, const Flow& flow) {
  const auto exact = std::find_if(pair.flows.begin(), pair.flows.end(),
                                  [](const Flow& other) { return other.exact; });
  std::string title = fmt::format("{}: {:.4f}", flow.measure, flow.distance);
  const bool comparable = !flow.exact && exact != pair.flows.end() && exact->distance > 0;
  if (!comparable) return title;
  return title + fmt::format(", {:.0f}\u00a0% of {}", 100 * flow.distance / exact->distance,
                             exact->measure);
}

void write_ramp(Markup& out, double end) {
  constexpr int steps = 7;
  out.open("div", {{"class", "ramp"}}).text("stays");
  for (int i = 0; i < steps; ++i) {
    out.element("i", {{"class", distance_class((i + 0.5) / steps)}}, "");
  }
  out.text(fmt::format("goes far, up to {:.3g}", end)).close();
}

void write_side(Markup& out, const Item& item, const char* kind) {
  out.open("div", {{"class", fmt::format("side {}", kind)}});
  if (item.picture) draw(out, *item.picture, heading_of(item));
  out.open("h3").element("bdi", {}, heading_of(item)).close();
  if (!item.label.empty()) out.element("span", {{"class", "label"}}, item.label);
  if (!item.snippet.empty()) {
    out.open("p", {{"class", "note"}}).element("bdi", {}, item.snippet).close();
  }
  out.close();
}

}  // namespace

std::vector<double> sent(const FlowComparison& pair, const Flow& flow) {
  std::vector<double> masses(pair.bins_a.size());
  for (const Move& move : flow.moves) masses[move.from] += move.mass;
  return masses;
}

std::vector<double> received(const FlowComparison& pair, const Flow& flow) {
  std::vector<double> masses(pair.bins_b.size());
  for (const Move& move : flow.moves) masses[move.to] += move.mass;
  return masses;
}

double forgotten(const FlowComparison& pair, const Flow& flow) {
  return std::max(excess(pair.bins_a, sent(pair, flow)), excess(pair.bins_b, received(pair, flow)));
}

double longest(const FlowComparison& pair) {
  double most = 0;
  for (const Flow& flow : pair.flows) {
    for (const Move& move : flow.moves) most = std::max(most, move.distance);
  }
  return most;
}

void write(Markup& out, const FlowComparison& pair) {
  write_ramp(out, longest(pair));
  out.open("div", {{"class", "flows"}});
  for (const Flow& flow : pair.flows) {
    out.open("figure", {{"class", "flow"}});
    out.element("h3", {}, figure_title(pair, flow));
    if (pair.grid) {
      draw_arrows(out, pair, flow);
    } else {
      draw_bands(out, pair, flow);
    }
    out.element("figcaption", {{"class", "note"}}, caption(pair, flow));
    out.close();
  }
  out.close();
}

void write_sides(Markup& out, const FlowComparison& pair) {
  out.open("div", {{"class", "sides"}});
  write_side(out, pair.a, "side-a");
  write_side(out, pair.b, "side-b");
  out.close();
}

}  // namespace navvy::report
