// Flows between the words of two texts, drawn as bands between two columns.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "report/flows.hpp"
#include "report/style.hpp"

namespace navvy::report {
namespace {

constexpr double width = 360;
constexpr double word_room = 112;  // for the words of one side
constexpr double bar = 7;
constexpr double gap = 4;
constexpr double least_height = 15;  // of a word, so that words do not touch
constexpr std::size_t most_words = 24;

/// One line of a side: a word, or all those together that carry little.
struct Slot {
  std::string name;
  double weight = 0;
  double room = 0;  ///< the most that any of the flows moves here
  double top = 0;
};

struct Side {
  std::vector<Slot> slots;
  std::vector<std::size_t> slot_of;  ///< of every bin
};

/// The same places in the pictures of all flows, so that they can be compared.
struct Layout {
  Side a;
  Side b;
  double scale = 0;  ///< pixels per unit of mass
  double height = 0;
};

// Words by what moves: both ends of the heaviest moves of the exact plan come first, of those as
// heavy the dearest, so that a word stands there with the one that it goes to. Words that no move
// touches come last.
struct Orders {
  std::vector<std::size_t> a;
  std::vector<std::size_t> b;
};

Orders by_mass(const FlowComparison& pair) {
  std::vector<Move> moves = pair.flows.back().moves;
  // What differs by rounding alone is equal.
  const auto heft = [](const Move& move) { return std::llround(1e6 * move.mass); };
  std::stable_sort(moves.begin(), moves.end(), [&](const Move& x, const Move& y) {
    return heft(x) != heft(y) ? heft(x) > heft(y) : x.distance > y.distance;
  });
  Orders orders;
  std::vector<bool> in_a(pair.bins_a.size());
  std::vector<bool> in_b(pair.bins_b.size());
  const auto put = [](std::size_t bin, std::vector<bool>& in, std::vector<std::size_t>& order) {
    if (!in[bin]) order.push_back(bin);
    in[bin] = true;
  };
  for (const Move& move : moves) {
    if (!(move.mass > 0)) continue;
    put(move.from, in_a, orders.a);
    put(move.to, in_b, orders.b);
  }
  for (std::size_t i = 0; i < in_a.size(); ++i) put(i, in_a, orders.a);
  for (std::size_t i = 0; i < in_b.size(); ++i) put(i, in_b, orders.b);
  return orders;
}

Side chosen(std::span<const Bin> bins, std::span<const std::size_t> order) {
  Side side;
  side.slot_of.resize(bins.size());
  const bool all = bins.size() <= most_words;
  const std::size_t alone = all ? bins.size() : most_words - 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Bin& bin = bins[order[i]];
    if (i <= alone && side.slots.size() <= alone) side.slots.push_back({bin.name});
    side.slot_of[order[i]] = side.slots.size() - 1;
    side.slots.back().weight += bin.weight;
  }
  if (!all) side.slots.back().name = fmt::format("{} more", bins.size() - alone);
  return side;
}

using Bands = std::map<std::pair<std::size_t, std::size_t>, Move>;

// Moves between slots, with the mean distance of what they are made of.
Bands bands_of(const Layout& layout, const Flow& flow) {
  Bands bands;
  for (const Move& move : flow.moves) {
    Move& band = bands[{layout.a.slot_of[move.from], layout.b.slot_of[move.to]}];
    const double mass = band.mass + move.mass;
    if (!(mass > 0)) continue;
    band.distance = (band.distance * band.mass + move.distance * move.mass) / mass;
    band.mass = mass;
  }
  return bands;
}

// Puts the words of b beside those they mostly come from: fewer bands cross.
void order_by_origin(Layout& layout, const Flow& flow) {
  struct Mean {
    double sum = 0;
    double mass = 0;
  };
  std::vector<Mean> means(layout.b.slots.size());
  for (const auto& [ends, band] : bands_of(layout, flow)) {
    means[ends.second].sum += band.mass * static_cast<double>(ends.first);
    means[ends.second].mass += band.mass;
  }
  std::vector<std::size_t> order(layout.b.slots.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t i) {
    return means[i].mass > 0 ? means[i].sum / means[i].mass : 1e9;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return key(i) < key(j); });
  std::vector<std::size_t> place(order.size());
  std::vector<Slot> sorted;
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    sorted.push_back(std::move(layout.b.slots[order[i]]));
  }
  layout.b.slots = std::move(sorted);
  for (std::size_t& slot : layout.b.slot_of) slot = place[slot];
}

// What the bins of each slot have to do with a flow, together.
std::vector<double> sums(const Side& side, std::span<const double> masses) {
  std::vector<double> result(side.slots.size());
  for (std::size_t i = 0; i < masses.size(); ++i) result[side.slot_of[i]] += masses[i];
  return result;
}

void add_room(Side& side, std::span<const double> masses) {
  const auto used = sums(side, masses);
  for (std::size_t i = 0; i < used.size(); ++i) {
    side.slots[i].room = std::max({side.slots[i].room, side.slots[i].weight, used[i]});
  }
}

double stack(Side& side, double scale) {
  double top = gap;
  for (Slot& slot : side.slots) {
    slot.top = top;
    top += std::max(least_height, slot.room * scale) + gap;
  }
  return top;
}

Layout layout_of(const FlowComparison& pair) {
  const Orders orders = by_mass(pair);
  Layout layout{chosen(pair.bins_a, orders.a), chosen(pair.bins_b, orders.b)};
  order_by_origin(layout, pair.flows.back());
  for (const Flow& flow : pair.flows) {
    add_room(layout.a, sent(pair, flow));
    add_room(layout.b, received(pair, flow));
  }
  const auto words = static_cast<double>(std::max(layout.a.slots.size(), layout.b.slots.size()));
  layout.scale = std::max(200.0, 13 * words);
  layout.height = std::max(stack(layout.a, layout.scale), stack(layout.b, layout.scale));
  return layout;
}

void draw_bar(Markup& out, double x, double top, double height, const char* kind, double opacity) {
  if (height < 0.05) return;
  out.leaf("rect", {{"class", kind},
                    {"x", number(x)},
                    {"y", number(top)},
                    {"width", number(bar)},
                    {"height", number(height)},
                    {"fill-opacity", number(opacity)}});
}

// What a word has, and in red what a flow moves here beyond that; pale where it moves less.
void draw_side(Markup& out, const Side& side, std::span<const double> used, double scale,
               bool left) {
  const double x = left ? word_room : width - word_room - bar;
  for (std::size_t i = 0; i < side.slots.size(); ++i) {
    const Slot& slot = side.slots[i];
    const double full = std::min(slot.weight, used[i]) * scale;
    const char* kind = left ? "bin-a" : "bin-b";
    draw_bar(out, x, slot.top, full, kind, 1);
    draw_bar(out, x, slot.top + full, (slot.weight - used[i]) * scale, kind, 0.25);
    draw_bar(out, x, slot.top + slot.weight * scale, (used[i] - slot.weight) * scale, "over", 1);
    const double middle = slot.top + std::max(least_height, slot.weight * scale) / 2 + 4;
    out.element("text",
                {{"class", "word"},
                 {"x", number(left ? x - 6 : x + bar + 6)},
                 {"y", number(middle)},
                 {"text-anchor", left ? "end" : "start"}},
                slot.name);
  }
}

void draw_band(Markup& out, double left, double right, double thick, const std::string& colour,
               const std::string& title) {
  const double from = word_room + bar;
  const double to = width - word_room - bar;
  const double bend = (from + to) / 2;
  const std::string path = fmt::format(
      "M{0} {2}C{4} {2} {4} {3} {1} {3}V{6}C{4} {6} {4} {5} {0} {5}Z", number(from), number(to),
      number(left), number(right), number(bend), number(left + thick), number(right + thick));
  out.open("path", {{"class", "band " + colour}, {"d", path}});
  out.element("title", {}, title).close();
}

}  // namespace

void draw_bands(Markup& out, const FlowComparison& pair, const Flow& flow) {
  const Layout layout = layout_of(pair);
  const double end = std::max(longest(pair), 1e-12);
  out.open("svg", {{"class", "bands"},
                   {"viewBox", fmt::format("0 0 {} {}", width, number(layout.height))},
                   {"role", "img"},
                   {"aria-label", fmt::format("moves under {}", flow.measure)}});
  std::vector<double> left(layout.a.slots.size());
  std::vector<double> right(layout.b.slots.size());
  // In order of both ends: bands leave a word in the order in which they arrive.
  for (const auto& [ends, band] : bands_of(layout, flow)) {
    const auto& [a, b] = ends;
    const double thick = band.mass * layout.scale;
    draw_band(out, layout.a.slots[a].top + left[a], layout.b.slots[b].top + right[b], thick,
              distance_class(band.distance / end),
              fmt::format("{} \u2192 {}: mass {:.4f}, distance {:.4f}", layout.a.slots[a].name,
                          layout.b.slots[b].name, band.mass, band.distance));
    left[a] += thick;
    right[b] += thick;
  }
  draw_side(out, layout.a, sums(layout.a, sent(pair, flow)), layout.scale, true);
  draw_side(out, layout.b, sums(layout.b, received(pair, flow)), layout.scale, false);
  out.close();
}

}  // namespace navvy::report
